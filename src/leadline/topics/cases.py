"""Labels as cases that a correction learns from, and how a topic stores them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from leadline.core.inbox import FORM, PAGE
from leadline.forms.domain import FormTopic
from leadline.forms.evidence import judge_evidence
from leadline.forms.searchable import bound_log_odds, correct_chance, make_traits
from leadline.learn.correction import (
    NO_CORRECTION,
    Correction,
    CorrectionPrior,
    Ids,
    QuestionCases,
    Traits,
    fit_corrections,
)
from leadline.learn.evaluation import deal_folds
from leadline.learn.naive_bayes import damp_counts
from leadline.page.words import WordIds

_STRUCTURE = CorrectionPrior(traits=1.0, shift=0.5, slope=0.0)
_WORDS = CorrectionPrior(traits=9.0, shift=0.5, slope=0.16)
"""Chosen among some thirty combinations on half of the real sites and on one lab world, where
between a third and three times of each makes little difference (bench/labels.py, docs/critics.md).
Traits together have length 1, so that a form without known words is moved by shift and slope."""
_FOLDS = 10
_PAIR = 2
"""Owners that it takes to judge one by what another taught."""
Arrays = Mapping[str, NDArray[Any]]
_QUESTIONS = ("searchable", "form", "page")


class Case(Struct, frozen=True, eq=False):
    """A label, and what is needed of its subject to learn from it again and again.

    A form asks two questions, whether it is searchable and whether it is about the topic; a page
    asks the second one alone.
    """

    what: str
    """`form` or `page`, as of a Label."""
    subject: str
    """A form's signature, a page's URL."""
    owner: str
    """Its site, by registered domain."""
    is_right: bool
    words: WordIds
    """Those it is judged by."""
    topical: float
    """The chance of being about the topic, by its uncorrected judge."""
    searchable: float = 1.0
    """Of a form, the chance of being searchable, likewise."""
    page_chance: float = 0.5
    """Of a form, the chance of its page being about the topic."""
    structure: Ids = np.zeros(0, np.int32)
    """The features that a form has, as columns."""

    @property
    def before(self) -> float:
        """The score without any correction."""
        return self.searchable * self.topical


class Corrections(Struct, frozen=True, eq=False):
    """What cases add to the log-odds of each question. Picklable."""

    searchable: Correction = NO_CORRECTION
    form: Correction = NO_CORRECTION
    """Whether a search form is about the topic, by its words."""
    page: Correction = NO_CORRECTION
    """The same of a page."""

    def after(self, case: Case) -> float:
        """The score of a case with these corrections."""
        words = word_traits(case.words)
        if case.what == PAGE:
            return correct_chance(case.topical, self.page, words)
        columns = make_traits(case.structure)
        is_search = correct_chance(case.searchable, self.searchable, columns)
        return is_search * correct_chance(case.topical, self.form, words)


def learn_cases(cases: Sequence[Case]) -> Corrections:
    """In well below a second for 200 of them."""
    forms = [case for case in cases if case.what == FORM]
    pages = [case for case in cases if case.what == PAGE]
    columns = [make_traits(case.structure) for case in forms]
    searchable = QuestionCases(
        [bound_log_odds(case.searchable) for case in forms], columns, _STRUCTURE
    )
    asked = [searchable, _topical(forms)]
    first, second = fit_corrections(asked, [case.is_right for case in forms])
    (third,) = fit_corrections([_topical(pages)], [case.is_right for case in pages])
    return Corrections(first, second, third)


def _topical(cases: Sequence[Case]) -> QuestionCases:
    words = [word_traits(case.words) for case in cases]
    return QuestionCases([bound_log_odds(case.topical) for case in cases], words, _WORDS)


def cross_validate_cases(cases: Sequence[Case]) -> list[float]:
    """The score of each case after learning from the cases of other sites alone.

    What was learned from a form says little about how well it is judged, so figures are made of
    these. With a single site nothing can be learned from others.
    """
    owners = [case.owner for case in cases]
    folds = min(_FOLDS, len(set(owners)))
    if folds < _PAIR:
        return [case.before for case in cases]
    fold_of = deal_folds(owners, folds).tolist()
    taught = [
        learn_cases([case for case, own in zip(cases, fold_of, strict=True) if own != fold])
        for fold in range(folds)
    ]
    return [taught[own].after(case) for case, own in zip(cases, fold_of, strict=True)]


def join_cases(earlier: Sequence[Case], later: Sequence[Case]) -> tuple[Case, ...]:
    """Of the same subject the later one counts."""
    return tuple({(case.what, case.subject): case for case in (*earlier, *later)}.values())


def rejudge_cases(cases: Sequence[Case], base: FormTopic) -> tuple[Case, ...]:
    """The same for a topic whose own judge has changed since: it says something else of forms."""
    return tuple(
        structs.replace(
            case, topical=judge_evidence(base.find_evidence(case.words, case.page_chance))
        )
        if case.what == FORM
        else case
        for case in cases
    )


def word_traits(ids: WordIds) -> Traits:
    """Each word once, repeated ones a little more; together of length 1."""
    unique, counts = damp_counts(ids)
    values = counts.astype(np.float64)
    return Traits(unique, values / max(float(np.sqrt(values @ values)), 1.0))


class LabelTraining(Struct, frozen=True, eq=False):
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


def pack_label_training(taught: LabelTraining) -> dict[str, NDArray[Any]]:
    """Nothing for a topic that no label has taught."""
    if not taught.cases:
        return {}
    cases = taught.cases
    chances = [(case.topical, case.searchable, case.page_chance) for case in cases]
    return {
        "case_subjects": np.array([(case.subject, case.owner) for case in cases], np.str_),
        "case_marks": np.array([(case.what == FORM, case.is_right) for case in cases], np.bool_),
        "case_chances": np.array(chances),
        **_pack_ragged("case_words", [case.words for case in cases]),
        **_pack_ragged("case_structure", [case.structure for case in cases]),
        "case_spelled_ids": np.array(list(taught.spelled), np.int64),
        "case_spelled": np.array(list(taught.spelled.values()), np.str_),
        **_pack_corrections(taught.learned),
    }


def read_label_training(arrays: Arrays) -> LabelTraining:
    if "case_subjects" not in arrays:
        return LabelTraining()
    ids, words = arrays["case_spelled_ids"].tolist(), arrays["case_spelled"].tolist()
    corrections = [_read_correction(arrays, name) for name in _QUESTIONS]
    spelled = dict(zip(ids, words, strict=True))
    return LabelTraining(tuple(_read_cases(arrays)), Corrections(*corrections), spelled)


def _read_cases(arrays: Arrays) -> Iterator[Case]:
    columns = zip(
        arrays["case_subjects"].tolist(),
        arrays["case_marks"].tolist(),
        arrays["case_chances"].tolist(),
        _split_ragged(arrays, "case_words"),
        _split_ragged(arrays, "case_structure"),
        strict=True,
    )
    for (subject, owner), (is_form, is_right), (topical, searchable, page), *ids in columns:
        what = FORM if is_form else PAGE
        words, structure = ids
        yield Case(what, subject, owner, is_right, words, topical, searchable, page, structure)


def _pack_corrections(learned: Corrections) -> dict[str, NDArray[Any]]:
    found: dict[str, NDArray[Any]] = {}
    for name in _QUESTIONS:
        correction: Correction = getattr(learned, name)
        found[f"{name}_correction_ids"] = correction.ids
        found[f"{name}_correction_weights"] = correction.weights
        found[f"{name}_correction_line"] = np.array([correction.shift, correction.slope])
    return found


def _read_correction(arrays: Arrays, name: str) -> Correction:
    ids, weights = arrays[f"{name}_correction_ids"], arrays[f"{name}_correction_weights"]
    return Correction(ids, weights, *arrays[f"{name}_correction_line"].tolist())


def _pack_ragged(name: str, rows: Sequence[NDArray[np.int32]]) -> dict[str, NDArray[Any]]:
    ends = np.cumsum([len(row) for row in rows], dtype=np.int64)
    return {name: np.concatenate(rows), f"{name}_ends": ends}


def _split_ragged(arrays: Arrays, name: str) -> list[NDArray[np.int32]]:
    return np.split(arrays[name], arrays[f"{name}_ends"])[:-1]
