"""Real forms with what people said they are for."""

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from leadline.core.page import Form, Page
from leadline.core.url import Url, canonical, host_of, registered_domain, site_of
from leadline.learn.model_files import digest_of
from leadline.page import parse_page

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


def formasaurus(folder: Path) -> Collection:
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


def autofill(folder: Path) -> list[Example]:
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


def _rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(_file(folder, name), "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.jsonl.gz"


def _parse(html: str, address: str) -> Page:
    url = canonical(address) or Url("http://unknown.test/")
    return parse_page(html.encode("utf-8", "replace"), url, "text/html; charset=utf-8")


def _written_out(page: Page) -> list[Form]:
    """The form elements; labels were given to them, not to boxes that stand in none."""
    return [form for form in page.forms if not form.is_implicit]


def _filled_in(form: Form) -> int:
    return sum(field.kind != "hidden" for field in form.fields)


def _host(url: Url) -> str:
    return registered_domain(host_of(site_of(url)))
