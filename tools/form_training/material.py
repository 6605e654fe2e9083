"""Everything the judges learn from, read and counted once."""

from pathlib import Path
from typing import NamedTuple

from tools.form_training.examples import Collection, Example, autofill, formasaurus
from tools.form_training.lesson import Lesson, ffc_lesson, wide_lesson


class Material(NamedTuple):
    """Labelled forms, and beside them forms of logins, sign-ups and checkouts of other pages."""

    collection: Collection
    wide: Lesson
    ffc: Lesson
    others: list[Example]
    """None of them searchable. They teach and are not tested."""
    extra: Lesson
    """The others, by the wider features."""

    def counts(self) -> dict[str, int]:
        return {
            "pages": self.collection.pages,
            "pages left out": len(self.collection.mismatches),
            "forms": len(self.wide.rows),
            "searchable forms": int(self.wide.labels.sum()),
            "hosts": len(set(self.wide.hosts)),
            "other forms": len(self.extra.rows),
            "other hosts": len(set(self.extra.hosts)),
        }


def read_material(folder: Path) -> Material:
    """From the folder of real data; some five seconds."""
    return material_of(formasaurus(folder), autofill(folder))


def material_of(collection: Collection, others: list[Example]) -> Material:
    examples = collection.examples
    return Material(
        collection, wide_lesson(examples), ffc_lesson(examples), others, wide_lesson(others)
    )
