"""What a judge is taught: forms as rows, with their labels and hosts."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from leadline.core.page import Field, Form
from leadline.forms.features import Rows, feature_rows, ffc_rows
from tools.form_training.examples import Example

Chances = NDArray[np.float64]
Labels = NDArray[np.bool_]
Judge = Callable[[Rows], Chances]


class Lesson(NamedTuple):
    """One row, label and host per form."""

    rows: Rows
    veiled: Rows
    """The same forms under names that say nothing, see `veil`."""
    labels: Labels
    hosts: NDArray[np.str_]

    def only(self, chosen: NDArray[np.bool_]) -> "Lesson":
        rows, veiled, labels, hosts = self
        return Lesson(rows[chosen], veiled[chosen], labels[chosen], hosts[chosen])

    def joined(self, other: "Lesson") -> "Lesson":
        return Lesson(*(np.concatenate(parts) for parts in zip(self, other, strict=True)))


FitJudge = Callable[[Lesson], Judge]


def lesson_of(examples: Sequence[Example], read: Callable[[Sequence[Form]], Rows]) -> Lesson:
    """The examples as `feature_rows` or `ffc_rows` reads them."""
    forms = [example.form for example in examples]
    return Lesson(
        read(forms),
        read([veil(form) for form in forms]),
        np.array([example.is_searchable for example in examples], np.bool_),
        np.array([example.host for example in examples]),
    )


def wide_lesson(examples: Sequence[Example]) -> Lesson:
    return lesson_of(examples, feature_rows)


def ffc_lesson(examples: Sequence[Example]) -> Lesson:
    return lesson_of(examples, ffc_rows)


def veil(form: Form) -> Form:
    """The form as a person sees it: without its tag's words and the names of its controls.

    The forms at hand are site searches for the greater part, and those are called `search`
    in every way at once. A database's own form may say it on its button alone.
    """
    return structs.replace(
        form,
        attributes="",
        fields=tuple(_unnamed(field) for field in form.fields),
        submits=tuple(_unnamed(field) for field in form.submits),
    )


def _unnamed(field: Field) -> Field:
    return structs.replace(field, name="", dom_id="")
