"""Real forms that judges are trained and tested on: read, labelled, and as rows of features."""

import gzip
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from leadline.core.page import Field, Form, Page
from leadline.core.url import Url, canonical, host_of, registered_domain, site_of
from leadline.forms.features import Rows, feature_rows, ffc_rows
from leadline.learn.model_files import digest_of
from tools.form_labels import load_labelled_forms
from tools.form_labels.units import MODERN
from tools.form_training.muted_forms import mute_form
from tools.lab_statistics import sources
from tools.splits import is_held_out

FORMASAURUS, AUTOFILL = "forms/formasaurus", "forms/autofill"
SEARCH = "search"
"""The one label of searchable forms. `other`, `navigation`, `display options`, `poll` and
`captcha` are not: they hold order trackers, jump menus, sort orders, votes."""
_UNLABELLED = frozenset({"NOT ANNOTATED", "SKIP THIS FORM"})
_address = re.compile(r"<!--\s*(https?://\S+)").search


class Example(Struct, frozen=True):
    """A form, whose site it is from and what it is for."""

    form: Form
    host: str
    """The registered domain: forms of one host resemble each other and stay together."""
    kind: str
    weight: float = 1.0
    """How much it counts in training."""

    @property
    def is_searchable(self) -> bool:
        return self.kind == SEARCH


class Mismatch(NamedTuple):
    """A page on which we read another number of forms than was labelled: it is left out."""

    url: str
    labelled: int
    read: int


class Collection(NamedTuple):
    examples: list[Example]
    mismatches: list[Mismatch]
    pages: int


def read_formasaurus(folder: Path) -> Collection:
    """Labels are matched to forms by their order on the page."""
    examples, mismatches, pages = [], [], 0
    for row in _rows(folder, FORMASAURUS):
        pages += 1
        page = _parse(row["html"], row["url"])
        forms, kinds = _written_out(page), row["form_types"]
        if len(forms) != len(kinds):
            mismatches.append(Mismatch(row["url"], len(kinds), len(forms)))
            continue
        labelled = zip(forms, kinds, strict=True)
        host = _host(page.url)
        examples += [Example(form, host, kind) for form, kind in labelled
                     if kind not in _UNLABELLED]  # fmt: skip
    return Collection(examples, mismatches, pages)


def read_autofill(folder: Path) -> list[Example]:
    """Of each page the form with most to fill in: it is the login, sign-up or checkout the page
    was kept for. The smaller forms beside it are search boxes as often as not."""
    examples = []
    for row in _rows(folder, AUTOFILL):
        named = _address(row["html"])
        page = _parse(row["html"], named[1] if named else f"http://{row['name']}.test/")
        forms = _written_out(page)
        if forms and SEARCH not in row["name"]:
            host = _host(page.url) if named else row["name"].partition("_")[0]
            examples.append(Example(max(forms, key=_filled_in), host, row["name"]))
    return examples


def data_digest(folder: Path, names: Sequence[str]) -> str:
    """Of the files of these sets."""
    return digest_of(*(_file(folder, name).read_bytes() for name in names))


def has_data(folder: Path, name: str) -> bool:
    return _file(folder, name).is_file()


def _rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(_file(folder, name), "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.jsonl.gz"


def _parse(html: str, address: str) -> Page:
    url = canonical(address) or Url("http://unknown.test/")
    return sources.read(html, url)


def _written_out(page: Page) -> list[Form]:
    """The form elements; labels were given to them, not to boxes that stand in none."""
    return [form for form in page.forms if not form.is_implicit]


def _filled_in(form: Form) -> int:
    return sum(field.kind != "hidden" for field in form.fields)


def _host(url: Url) -> str:
    return registered_domain(host_of(site_of(url)))


Labels = NDArray[np.bool_]
Chances = NDArray[np.float64]
Judge = Callable[[Rows], Chances]


class Lesson(NamedTuple):
    """One row, label, host and weight per form."""

    rows: Rows
    veiled: Rows
    """The same forms under names that say nothing, see `hide_names`."""
    muted: Rows
    """The same forms without words of searching, see `mute_form`."""
    labels: Labels
    hosts: NDArray[np.str_]
    weights: Chances

    def only(self, chosen: NDArray[np.bool_]) -> "Lesson":
        return Lesson(
            self.rows[chosen],
            self.veiled[chosen],
            self.muted[chosen],
            self.labels[chosen],
            self.hosts[chosen],
            self.weights[chosen],
        )

    def joined(self, other: "Lesson") -> "Lesson":
        return Lesson(*(np.concatenate(parts) for parts in zip(self, other, strict=True)))


FitJudge = Callable[[Lesson], Judge]


def make_lesson(examples: Sequence[Example], read: Callable[[Sequence[Form]], Rows]) -> Lesson:
    """The examples as `feature_rows` or `ffc_rows` reads them."""
    forms = [example.form for example in examples]
    return Lesson(
        read(forms),
        read([hide_names(form) for form in forms]),
        read([mute_form(form) for form in forms]),
        np.array([example.is_searchable for example in examples], np.bool_),
        np.array([example.host for example in examples]),
        np.array([example.weight for example in examples], np.float64),
    )


def make_wide_lesson(examples: Sequence[Example]) -> Lesson:
    return make_lesson(examples, feature_rows)


def make_ffc_lesson(examples: Sequence[Example]) -> Lesson:
    return make_lesson(examples, ffc_rows)


def hide_names(form: Form) -> Form:
    """The form as a person sees it: without its tag's words and the names of its controls.

    The forms at hand are site searches for the greater part, and those are called `search`
    in every way at once. A database's own form may say it on its button alone.
    """
    return structs.replace(
        form,
        attributes="",
        fields=tuple(_hide_name(field) for field in form.fields),
        submits=tuple(_hide_name(field) for field in form.submits),
    )


def _hide_name(field: Field) -> Field:
    return structs.replace(field, name="", dom_id="")


class Material(NamedTuple):
    """Labelled forms, and beside them forms of logins, sign-ups and checkouts of other pages."""

    collection: Collection
    wide: Lesson
    ffc: Lesson
    others: list[Example]
    """They teach and are not tested: logins and checkouts, none searchable, and generated forms."""
    extra: Lesson
    """The others, by the wider features."""

    def counts(self) -> dict[str, int]:
        return {
            "pages": self.collection.pages,
            "pages left out": len(self.collection.mismatches),
            "forms": len(self.wide.rows),
            "searchable forms": int(self.wide.labels.sum()),
            "hosts": len(set(self.wide.hosts)),
            "other forms": sum(example.weight == 1.0 for example in self.others),
            "generated forms": sum(example.weight != 1.0 for example in self.others),
        }


def read_modern(folder: Path) -> list[Example]:
    """The labelled forms of modern pages, and boxes in no form; none if the folder has none."""
    if not has_data(folder, MODERN):
        return []
    return [
        Example(each.form, each.host, SEARCH if each.label.searchable else each.label.kind)
        for each in load_labelled_forms(folder)
    ]


def read_material(folder: Path, generated: Sequence[Example] = ()) -> Material:
    """From the folder of real data, without the hosts that are held out; some ten seconds."""
    older = read_formasaurus(folder)
    examples = [
        each for each in (*older.examples, *read_modern(folder)) if not is_held_out(each.host)
    ]
    others = [each for each in read_autofill(folder) if not is_held_out(each.host)]
    return make_material(older._replace(examples=examples), [*others, *generated])


def make_material(collection: Collection, others: list[Example]) -> Material:
    examples = collection.examples
    return Material(
        collection,
        make_wide_lesson(examples),
        make_ffc_lesson(examples),
        others,
        make_wide_lesson(others),
    )
