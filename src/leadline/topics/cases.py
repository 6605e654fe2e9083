"""Forms and pages that people called right or wrong, as a correction learns from them."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct, structs

from leadline.core.inbox import FORM, PAGE
from leadline.forms.corrected import corrected, doubted, structure_traits
from leadline.forms.hifi import FormTopic
from leadline.learn.correction import (
    NO_CORRECTION,
    Asked,
    Correction,
    Ids,
    Prior,
    Traits,
    corrections,
)
from leadline.learn.folds import grouped_folds
from leadline.learn.odds import damped
from leadline.page.words import WordIds

_STRUCTURE = Prior(traits=1.0, shift=0.5, slope=0.0)
_WORDS = Prior(traits=9.0, shift=0.5, slope=0.16)
"""Chosen among some thirty combinations on half of the real sites and on one lab world, where
between a third and three times of each makes little difference (bench/labels.py, docs/critics.md).
Traits together have length 1, so that a form without known words is moved by shift and slope."""
_FOLDS = 10
_PAIR = 2
"""Owners that it takes to judge one by what another taught."""


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
            return corrected(case.topical, self.page, words)
        columns = structure_traits(case.structure)
        is_search = corrected(case.searchable, self.searchable, columns)
        return is_search * corrected(case.topical, self.form, words)


def learn_cases(cases: Sequence[Case]) -> Corrections:
    """In well below a second for 200 of them."""
    forms = [case for case in cases if case.what == FORM]
    pages = [case for case in cases if case.what == PAGE]
    columns = [structure_traits(case.structure) for case in forms]
    searchable = Asked([doubted(case.searchable) for case in forms], columns, _STRUCTURE)
    asked = [searchable, _topical(forms)]
    first, second = corrections(asked, [case.is_right for case in forms])
    (third,) = corrections([_topical(pages)], [case.is_right for case in pages])
    return Corrections(first, second, third)


def _topical(cases: Sequence[Case]) -> Asked:
    words = [word_traits(case.words) for case in cases]
    return Asked([doubted(case.topical) for case in cases], words, _WORDS)


def crossed(cases: Sequence[Case]) -> list[float]:
    """The score of each case after learning from the cases of other sites alone.

    What was learned from a form says little about how well it is judged, so figures are made of
    these. With a single site nothing can be learned from others.
    """
    owners = [case.owner for case in cases]
    folds = min(_FOLDS, len(set(owners)))
    if folds < _PAIR:
        return [case.before for case in cases]
    fold_of = grouped_folds(owners, folds).tolist()
    taught = [
        learn_cases([case for case, own in zip(cases, fold_of, strict=True) if own != fold])
        for fold in range(folds)
    ]
    return [taught[own].after(case) for case, own in zip(cases, fold_of, strict=True)]


def joined_cases(earlier: Sequence[Case], later: Sequence[Case]) -> tuple[Case, ...]:
    """Of the same subject the later one counts."""
    return tuple({(case.what, case.subject): case for case in (*earlier, *later)}.values())


def judged_again(cases: Sequence[Case], base: FormTopic) -> tuple[Case, ...]:
    """The same for a topic whose own judge has changed since: it says something else of forms."""
    return tuple(
        structs.replace(case, topical=base.of_form(case.words, case.page_chance))
        if case.what == FORM
        else case
        for case in cases
    )


def word_traits(ids: WordIds) -> Traits:
    """Each word once, repeated ones a little more; together of length 1."""
    unique, counts = damped(ids)
    values = counts.astype(np.float64)
    return Traits(unique, values / max(float(np.sqrt(values @ values)), 1.0))
