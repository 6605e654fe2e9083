"""A judge of searchable forms that labels have corrected."""

from collections.abc import Sequence
from math import exp

import numpy as np

from leadline.core.page import Form
from leadline.forms.joining import log_odds
from leadline.forms.searchable import LIKELY, Chances, Opinion, Reason, Searchable, one_line
from leadline.forms.structure import FEATURES, cells
from leadline.learn.correction import Correction, Ids, Traits

_SUREST = 5.3
"""Log-odds beyond which a judge that people corrected is not believed: one in 200."""
_LEAST_SLOPE = 0.1
"""A judge that is hardly believed at all cannot be worked out from what it was made into."""
_MOST = 40.0
"""Log-odds beyond which nothing changes: keeps exponentials in bounds."""


class CorrectedOpinion:
    """Another opinion, with what people said of forms of this structure added. Picklable."""

    def __init__(self, inner: Opinion, correction: Correction) -> None:
        self._inner = inner
        self._correction = correction

    def chances(self, forms: Sequence[Form]) -> Chances:
        before = self._inner.chances(forms).tolist()
        moved = zip(before, forms, strict=True)
        return np.array([self._moved(chance, form) for chance, form in moved])

    def reasons(self, form: Form) -> list[Reason]:
        added = self._correction.parts(structure_traits(columns_of(form)))
        told = [(f"labels on: {FEATURES[column]}", part) for column, part in added]
        return sorted([*self._inner.reasons(form), *told], key=lambda reason: -abs(reason[1]))

    def judge(self, forms: Sequence[Form]) -> list[tuple[float, str]]:
        said = zip(forms, self._inner.judge(forms), strict=True)
        return [self._judge(form, *before) for form, before in said]

    def _judge(self, form: Form, before: float, why: str) -> tuple[float, str]:
        """The old reason holds as long as the verdict does."""
        chance = self._moved(before, form)
        is_same = (chance >= LIKELY) == (before >= LIKELY)
        return chance, why if is_same else one_line(self.reasons(form), chance)

    def _moved(self, chance: float, form: Form) -> float:
        return corrected(chance, self._correction, structure_traits(columns_of(form)))


def corrected(chance: float, correction: Correction, traits: Traits) -> float:
    """A judge's chance with what people said of the like; the same where they said nothing."""
    before = doubted(chance)
    added = correction.of(traits, before)
    return 1.0 / (1.0 + exp(-min(max(before + added, -_MOST), _MOST))) if added else chance


def uncorrected(chance: float, correction: Correction, traits: Traits) -> float:
    """What the judge said before it was corrected: `corrected` the other way round."""
    now = log_odds(chance)
    added = correction.of(traits, 0.0)
    if not added and not correction.slope:
        return chance
    before = (now - added) / max(1 + correction.slope, _LEAST_SLOPE)
    return 1.0 / (1.0 + exp(-min(max(before, -_SUREST), _SUREST)))


def doubted(chance: float) -> float:
    """The log-odds of a judge that may be corrected."""
    return min(max(log_odds(chance), -_SUREST), _SUREST)


def columns_of(form: Form) -> Ids:
    """The features that a form has."""
    return np.array([column for column, _ in cells(form)], np.int32)


def structure_traits(columns: Ids) -> Traits:
    """What a form's structure is known by: its features, together of length 1."""
    return Traits(columns, np.full(len(columns), max(1, len(columns)) ** -0.5))


def corrected_judge(judge: Searchable, correction: Correction) -> Searchable:
    """The judge with the correction of its structure."""
    return Searchable(judge.name, CorrectedOpinion(judge.opinion, correction))
