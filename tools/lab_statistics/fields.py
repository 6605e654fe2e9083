"""Forms by what they are for: their controls, words and buttons."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from leadline.core.page import Form
from tools.lab_statistics import sources
from tools.lab_statistics.spread import Spread, per_mille, quantiles, ranked

KINDS = {
    "search": "search",
    "login": "login",
    "registration": "registration",
    "contact/comment": "contact",
    "join mailing list": "newsletter",
    "order/add to cart": "order",
    "password/login recovery": "recovery",
}
"""Labels of the collection by our names; the rest of them is `other`."""
UNLABELLED = ("NOT ANNOTATED", "SKIP THIS FORM")
_words = re.compile(r"[^\W\d_]{2,24}").findall
_name = re.compile(r"[A-Za-z_][\w.\[\]$:-]{0,29}").fullmatch


class FormTally:
    """All forms of one kind."""

    def __init__(self) -> None:
        self.owners: set[str] = set()
        self.sizes: list[int] = []
        self.methods: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.names, self.words, self.submits = Spread(), Spread(), Spread()

    def add(self, owner: str, form: Form) -> None:
        self.owners.add(owner)
        seen = [field for field in form.fields if field.kind != "hidden"]
        self.sizes.append(len(seen))
        self.methods[form.method] += 1
        self.kinds.update(field.kind for field in form.fields)
        self.names.add(owner, (field.name for field in seen if _name(field.name)))
        texts = " ".join(f"{field.label} {field.placeholder}" for field in seen)
        self.words.add(owner, _words(texts.lower()))
        labels = (" ".join((button.value or button.label).split()) for button in form.submits)
        self.submits.add(owner, (label for label in labels if 1 < len(label) <= 30))

    def counts(self) -> dict[str, Any]:
        return {
            "forms": len(self.sizes),
            "hosts": len(self.owners),
            "controls_per_form": quantiles(self.sizes),
            "methods": ranked(self.methods, 4),
            "control_kinds": ranked(self.kinds, 24),
            "names": self.names.met_by(2, 300),
            "words": self.words.met_by(2, 400),
            "submits": self.submits.met_by(2, 100),
        }


def count_fields(folder: Path) -> dict[str, Any]:
    tallies: dict[str, FormTally] = {}
    pages = with_search = 0
    per_page: Counter[str] = Counter()
    for real, labels in sources.formasaurus(folder):
        kinds = list(labelled(real, labels))
        pages += 1
        per_page.update({kind for kind, _ in kinds})
        with_search += any(kind == "search" for kind, _ in kinds)
        for kind, form in kinds:
            tallies.setdefault(kind, FormTally()).add(real.owner, form)
    return {
        "pages": pages,
        "with_search_form_per_mille": per_mille(with_search, pages),
        "pages_with": ranked(per_page, 20),
        "hosts_with": ranked({kind: len(tally.owners) for kind, tally in tallies.items()}, 20),
        "kinds": {kind: tallies[kind].counts() for kind in sorted(tallies)},
    }


def labelled(real: sources.RealPage, labels: list[str]) -> Iterator[tuple[str, Form]]:
    """The forms people labelled, where we read as many as they saw."""
    forms = [form for form in real.page.forms if not form.is_implicit]
    if len(forms) == len(labels):
        for label, form in zip(labels, forms, strict=True):
            if label not in UNLABELLED:
                yield KINDS.get(label, "other"), form
