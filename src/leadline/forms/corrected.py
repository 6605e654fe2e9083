"""A judge of searchable forms that labels have corrected."""

from collections.abc import Sequence

import numpy as np

from leadline.core.page import Form
from leadline.forms.joining import shifted
from leadline.forms.searchable import LIKELY, Chances, Opinion, Reason, Searchable, one_line
from leadline.forms.structure import FEATURES, cells
from leadline.learn.correction import Correction, Ids, Traits


class CorrectedOpinion:
    """Another opinion, with what people said of forms of this structure added. Picklable."""

    def __init__(self, inner: Opinion, correction: Correction) -> None:
        self._inner = inner
        self._correction = correction

    def chances(self, forms: Sequence[Form]) -> Chances:
        before = self._inner.chances(forms).tolist()
        moved = zip(before, forms, strict=True)
        return np.array([shifted(chance, self._added(form)) for chance, form in moved])

    def reasons(self, form: Form) -> list[Reason]:
        added = self._correction.parts(structure_traits(columns_of(form)))
        told = [(f"labels on: {FEATURES[column]}", part) for column, part in added]
        return sorted([*self._inner.reasons(form), *told], key=lambda reason: -abs(reason[1]))

    def judge(self, forms: Sequence[Form]) -> list[tuple[float, str]]:
        said = zip(forms, self._inner.judge(forms), strict=True)
        return [self._judge(form, *before) for form, before in said]

    def _judge(self, form: Form, before: float, why: str) -> tuple[float, str]:
        """The old reason holds as long as the verdict does."""
        chance = shifted(before, self._added(form))
        is_same = (chance >= LIKELY) == (before >= LIKELY)
        return chance, why if is_same else one_line(self.reasons(form), chance)

    def _added(self, form: Form) -> float:
        return self._correction.of(structure_traits(columns_of(form)))


def columns_of(form: Form) -> Ids:
    """The features that a form has."""
    return np.array([column for column, _ in cells(form)], np.int32)


def structure_traits(columns: Ids) -> Traits:
    """What a form's structure is known by: its features, together of length 1."""
    return Traits(columns, np.full(len(columns), max(1, len(columns)) ** -0.5))


def corrected_judge(judge: Searchable, correction: Correction) -> Searchable:
    """The judge with the correction of its structure."""
    return Searchable(judge.name, CorrectedOpinion(judge.opinion, correction))
