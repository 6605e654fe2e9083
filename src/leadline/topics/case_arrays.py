"""Cases and corrections as plain arrays, for the folder of a topic."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.inbox import FORM, PAGE
from leadline.learn.correction import Correction
from leadline.topics.cases import Case, Corrections

Arrays = Mapping[str, NDArray[Any]]
_QUESTIONS = ("searchable", "form", "page")


class Taught(Struct, frozen=True, eq=False):
    """What labels have taught a topic, on top of its judge; nothing at first."""

    cases: tuple[Case, ...] = ()
    learned: Corrections = Corrections()
    spelled: Mapping[int, str] = {}
    """The words of the cases by their ids."""

    def strongest(self) -> list[tuple[str, float]]:
        """The words that labels made count, for or against, strongest first."""
        sums: dict[str, float] = {}
        for correction in (self.learned.form, self.learned.page):
            for number, weight in zip(
                correction.ids.tolist(), correction.weights.tolist(), strict=True
            ):
                word = self.spelled.get(number, "?")
                sums[word] = sums.get(word, 0.0) + weight
        return sorted(sums.items(), key=lambda pair: (-abs(pair[1]), pair[0]))


def taught_arrays(taught: Taught) -> dict[str, NDArray[Any]]:
    """Nothing for a topic that no label has taught."""
    if not taught.cases:
        return {}
    cases = taught.cases
    chances = [(case.topical, case.searchable, case.page_chance) for case in cases]
    return {
        "case_subjects": np.array([(case.subject, case.owner) for case in cases], np.str_),
        "case_marks": np.array([(case.what == FORM, case.is_right) for case in cases], np.bool_),
        "case_chances": np.array(chances),
        **_ragged("case_words", [case.words for case in cases]),
        **_ragged("case_structure", [case.structure for case in cases]),
        "case_spelled_ids": np.array(list(taught.spelled), np.int64),
        "case_spelled": np.array(list(taught.spelled.values()), np.str_),
        **_correction_arrays(taught.learned),
    }


def taught_in(arrays: Arrays) -> Taught:
    if "case_subjects" not in arrays:
        return Taught()
    ids, words = arrays["case_spelled_ids"].tolist(), arrays["case_spelled"].tolist()
    corrections = [_correction(arrays, name) for name in _QUESTIONS]
    spelled = dict(zip(ids, words, strict=True))
    return Taught(tuple(_cases(arrays)), Corrections(*corrections), spelled)


def _cases(arrays: Arrays) -> Iterator[Case]:
    columns = zip(
        arrays["case_subjects"].tolist(),
        arrays["case_marks"].tolist(),
        arrays["case_chances"].tolist(),
        _rows(arrays, "case_words"),
        _rows(arrays, "case_structure"),
        strict=True,
    )
    for (subject, owner), (is_form, is_right), (topical, searchable, page), *ids in columns:
        what = FORM if is_form else PAGE
        words, structure = ids
        yield Case(what, subject, owner, is_right, words, topical, searchable, page, structure)


def _correction_arrays(learned: Corrections) -> dict[str, NDArray[Any]]:
    found: dict[str, NDArray[Any]] = {}
    for name in _QUESTIONS:
        correction: Correction = getattr(learned, name)
        found[f"{name}_correction_ids"] = correction.ids
        found[f"{name}_correction_weights"] = correction.weights
        found[f"{name}_correction_line"] = np.array([correction.shift, correction.slope])
    return found


def _correction(arrays: Arrays, name: str) -> Correction:
    ids, weights = arrays[f"{name}_correction_ids"], arrays[f"{name}_correction_weights"]
    return Correction(ids, weights, *arrays[f"{name}_correction_line"].tolist())


def _ragged(name: str, rows: Sequence[NDArray[np.int32]]) -> dict[str, NDArray[Any]]:
    ends = np.cumsum([len(row) for row in rows], dtype=np.int64)
    return {name: np.concatenate(rows), f"{name}_ends": ends}


def _rows(arrays: Arrays, name: str) -> list[NDArray[np.int32]]:
    return np.split(arrays[name], arrays[f"{name}_ends"])[:-1]
