"""Link classifiers on disk: model folders of kind `links`, with what they were learned from."""

from collections.abc import Iterator, Sequence
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.errors import ModelError
from leadline.learn.link_levels import Lesson, LinkLevels, Taught
from leadline.learn.link_selection import Feature
from leadline.learn.link_terms import NAMES, LinkTerm, Terms
from leadline.learn.models import Arrays, Manifest, read_model, write_model

KIND = "links"


def write_links(folder: Path, taught: Taught, manifest: Manifest) -> Manifest:
    """Writes the folder; its manifest tells where the model is from."""
    arrays = {**_levels_arrays(taught.levels), **_lesson_arrays(taught.lesson)}
    return write_model(folder, manifest, arrays)


def read_links(folder: Traversable) -> tuple[Taught, Manifest]:
    """Raises ModelError for a folder that holds no link classifier."""
    model = read_model(folder, KIND)
    try:
        return Taught(_levels(model.arrays), _lesson(model.arrays)), model.manifest
    except KeyError as error:
        raise ModelError(f"the link model in {folder} lacks {error}: train it again") from None


def _levels_arrays(levels: LinkLevels) -> Arrays:
    return {
        "classes": np.array(levels.classes, np.int64),
        "totals": levels.totals,
        "counts": levels.counts,
        "feature_spaces": np.array([feature.space for feature in levels.features], np.int64),
        "feature_terms": np.array([feature.term for feature in levels.features], np.str_),
        **_ragged("feature", [feature.ids for feature in levels.features]),
    }


def _levels(arrays: Arrays) -> LinkLevels:
    columns = (arrays["feature_spaces"].tolist(), arrays["feature_terms"].tolist())
    ids = _rows(arrays, "feature")
    features = [Feature(*row) for row in zip(*columns, map(tuple, ids), strict=True)]
    return LinkLevels(arrays["classes"].tolist(), features, arrays["counts"], arrays["totals"])


def _lesson_arrays(lesson: Lesson) -> Arrays:
    links = [(level, terms) for level in sorted(lesson.levels) for terms in lesson.levels[level]]
    table = sorted({term for _, terms in links for term in terms})
    number = {term: at for at, term in enumerate(table)}
    return {
        "link_levels": np.array([level for level, _ in links], np.int64),
        **_ragged("link", [[number[term] for term in terms] for _, terms in links]),
        "term_spaces": np.array([term.space for term in table], np.int64),
        "term_words": np.array([term.word for term in table], np.str_),
        "term_stems": np.array([term.stem for term in table], np.str_),
        "term_features": np.array([term.feature for term in table], np.int64),
        "others": lesson.others,
    }


def _lesson(arrays: Arrays) -> Lesson:
    names = ("term_spaces", "term_words", "term_stems", "term_features")
    table = [LinkTerm(*row) for row in zip(*(arrays[name].tolist() for name in names), strict=True)]
    levels: dict[int, list[Terms]] = {}
    for level, row in zip(arrays["link_levels"].tolist(), _rows(arrays, "link"), strict=True):
        levels.setdefault(level, []).append(tuple(table[at] for at in row))
    return Lesson(levels, arrays["others"])


def _ragged(name: str, rows: Sequence[Sequence[int]]) -> dict[str, NDArray[Any]]:
    """Rows of different lengths as two arrays."""
    flat = [value for row in rows for value in row]
    ends = np.cumsum([0, *(len(row) for row in rows)], dtype=np.int64)
    return {f"{name}_values": np.array(flat, np.int64), f"{name}_ends": ends}


def _rows(arrays: Arrays, name: str) -> Iterator[list[int]]:
    values = arrays[f"{name}_values"].tolist()
    return (values[begin:end] for begin, end in pairwise(arrays[f"{name}_ends"].tolist()))


class TermCount(Struct, frozen=True):
    """A chosen word and in how many links of each class it stands."""

    term: str
    counts: dict[str, int]


def shown(levels: LinkLevels, most: int = 0) -> dict[str, list[TermCount]]:
    """The chosen words of each space with their counts: FFC's Table 1, ACHE's Table 2.

    Those of most links of the levels first; with `most`, only so many.
    """
    return {name: list(_counted(levels, space))[: most or None] for space, name in NAMES.items()}


def _counted(levels: LinkLevels, space: int) -> Iterator[TermCount]:
    is_level = np.array([level > 0 for level in levels.classes])
    sums = levels.counts[is_level].sum(axis=0).tolist()
    here = [at for at, feature in enumerate(levels.features) if feature.space == space]
    for at in sorted(here, key=lambda at: (-sums[at], levels.features[at].term)):
        counts = dict(
            zip(map(class_name, levels.classes), levels.counts[:, at].tolist(), strict=True)
        )
        yield TermCount(levels.features[at].term, counts)


def class_name(level: int) -> str:
    """`level 2`, or `none`."""
    return f"level {level}" if level else "none"


def class_sizes(levels: LinkLevels) -> dict[str, int]:
    """How many links each class was learned from."""
    return dict(zip(map(class_name, levels.classes), levels.totals.tolist(), strict=True))
