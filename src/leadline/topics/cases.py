"""Forms and pages that people called right or wrong, as a correction learns from them."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from leadline.core.desk import FORM, PAGE
from leadline.forms.corrected import structure_traits
from leadline.learn.correction import (
    NO_CORRECTION,
    Asked,
    Correction,
    Ids,
    Prior,
    Traits,
    corrections,
)
from leadline.learn.odds import damped
from leadline.page.words import WordIds

_STRUCTURE = Prior(traits=1.0, shift=0.25)
_WORDS = Prior(traits=9.0, shift=0.25)
_PAGES = Prior(traits=9.0, shift=0.25)


class Case(Struct, frozen=True, eq=False):
    """A label, and what is needed of its subject to learn from it again and again.

    A form asks two questions, whether it is searchable and whether it is about the topic; a page
    asks the second one alone.
    """

    what: str
    """`form` or `page`, as of a Label."""
    subject: str
    """A form's signature, a page's URL."""
    is_right: bool
    words: WordIds
    """Those it is judged by."""
    before: tuple[float, ...]
    """What the uncorrected judge of each question says, as log-odds."""
    structure: Ids = np.zeros(0, np.int32)
    """The features that a form has, as columns."""


class Corrections(Struct, frozen=True, eq=False):
    """What cases add to the log-odds of each question. Picklable."""

    searchable: Correction = NO_CORRECTION
    form: Correction = NO_CORRECTION
    """Whether a search form is about the topic, by its words."""
    page: Correction = NO_CORRECTION
    """The same of a page."""


def learn_cases(cases: Sequence[Case]) -> Corrections:
    """In well below a second for 200 of them."""
    forms = [case for case in cases if case.what == FORM]
    pages = [case for case in cases if case.what == PAGE]
    searchable = Asked(
        [case.before[0] for case in forms],
        [structure_traits(case.structure) for case in forms],
        _STRUCTURE,
    )
    about = Asked([case.before[-1] for case in forms], _words(forms), _WORDS)
    topical = Asked([case.before[-1] for case in pages], _words(pages), _PAGES)
    first, second = corrections([searchable, about], [case.is_right for case in forms])
    (third,) = corrections([topical], [case.is_right for case in pages])
    return Corrections(first, second, third)


def joined_cases(earlier: Sequence[Case], later: Sequence[Case]) -> tuple[Case, ...]:
    """Of the same subject the later one counts."""
    return tuple({(case.what, case.subject): case for case in (*earlier, *later)}.values())


def _words(cases: Sequence[Case]) -> list[Traits]:
    return [word_traits(case.words) for case in cases]


def word_traits(ids: WordIds) -> Traits:
    """Each word once, repeated ones a little more; together of length 1."""
    unique, counts = damped(ids)
    values = counts.astype(np.float64)
    return Traits(unique, values / max(float(np.sqrt(values @ values)), 1.0))
