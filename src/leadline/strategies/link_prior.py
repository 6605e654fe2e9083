"""Where a strategy's first link classifier comes from: a trained folder, or the words of topics."""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import numpy as np

from leadline.core.crawl import FeatureRows
from leadline.errors import ModelError
from leadline.learn.link_levels import NOWHERE, Lesson, LinkLevels, Taught
from leadline.learn.link_models import KIND, read_links
from leadline.learn.link_selection import Feature
from leadline.learn.link_terms import SPACES, feature_of
from leadline.learn.models import MANIFEST, read_model
from leadline.page.words import vocabulary
from leadline.topics.opening import find_topic
from leadline.topics.pack import LinkWord, read_pack
from leadline.topics.vocabulary import DOMAINS

_LINKS = 100
_SELDOM = 2
_OFTEN = 25
"""A word of a topic counts as if, of 100 links to forms, 2 and up to 25 more by its weight had it,
and of 100 others 2: guesses, that a trained model replaces by counts. FFC's Table 1 has 20 %
of the links to forms with the second word of a space."""

_UNTAUGHT = Lesson({}, np.zeros((0, 0), np.int32))


def open_link_model(name: str) -> Taught:
    """The classifier of that name.

    A folder written by `leadline train links`; or a topic, for the words of links that are kept
    in its pack; or '', for those of all shipped topics. Raises ModelError.
    """
    if is_link_model(name):
        return read_links(Path(name))[0]
    return Taught(guess_link_levels(name), _UNTAUGHT)


def is_link_model(name: str) -> bool:
    """Whether the name is that of a folder with a model of links."""
    folder = Path(name)
    if not name or not (folder / MANIFEST).is_file():
        return False
    return read_model(folder).manifest.kind == KIND


def check_link_model(name: str) -> str:
    """The name, if there is such a classifier; raises ValueError, as validators do."""
    try:
        if not name or is_link_model(name) or find_topic(name) is not None:
            return name
    except ModelError as error:
        raise ValueError(str(error)) from None
    raise ValueError(
        f"no link model {name!r}: give a folder made by `leadline train links`, "
        f"or one of the topics {', '.join(DOMAINS)}"
    )


@lru_cache(maxsize=16)
def guess_link_levels(topic: str) -> LinkLevels:
    """A guess: links with the words of a topic's pack lead to its forms. '': of all topics."""
    weights: dict[tuple[int, str], float] = {}
    for word in _words([topic] if topic else DOMAINS):
        key = SPACES[word.space], vocabulary("en").stem(word.word.lower())
        weights[key] = max(word.weight, weights.get(key, 0.0))
    known = sorted(key for key in weights if key[1])
    features = [Feature(space, stem, (feature_of(space, stem),)) for space, stem in known]
    likely = [_SELDOM + round(_OFTEN * weights[key]) for key in known]
    counts = np.array([likely, [_SELDOM] * len(known)], np.int64)
    return LinkLevels((1, NOWHERE), features, counts, np.array([_LINKS, _LINKS], np.int64))


def _words(topics: Iterable[str]) -> Iterable[LinkWord]:
    for topic in topics:
        folder = find_topic(topic)
        if folder is None:
            raise ModelError(f"no topic {topic!r}")
        yield from read_pack(folder)[0].links


def word_cells(rows: FeatureRows, own: int) -> FeatureRows:
    """Rows without the cells that the strategy filled itself."""
    return rows[:, : rows.shape[1] - own]
