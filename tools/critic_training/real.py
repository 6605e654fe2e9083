"""Real forms whose domains were read off by a person."""

from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec
import xxhash
from msgspec import Struct

from leadline.core.page import Form, Page
from leadline.core.url import canonical
from leadline.forms.signature import signature
from leadline.page.words import form_words
from tools.critic_training.material import Example, distinct
from tools.lab_statistics import sources
from tools.lab_statistics.fields import UNLABELLED

REAL_FILES = ("forms/swde.jsonl.gz", "forms/formasaurus.jsonl.gz")
SEARCH = "search"
"""The label of search forms in Formasaurus's collection."""


class Label(Struct, frozen=True):
    """What a person saw in a form. Kept by a hash of its HTML, for the form is not ours."""

    domains: frozenset[str]
    doubtful: frozenset[str]
    """Domains it may be said to belong to."""
    verdict: str = SEARCH
    """`database` of the site's vertical, `site` for its own pages, `part` for what stands beside
    the records (reviews, shops, showtimes), `none` for no search."""

    @property
    def is_searchable(self) -> bool:
        return self.verdict != "none"


class RealForm(Struct, frozen=True):
    """A form on its page, with its label."""

    form: Form
    page: Page
    """For SWDE the form alone: its pages are kept elsewhere."""
    owner: str
    label: Label
    vertical: str = ""


@cache
def labels(name: str) -> dict[str, Label]:
    """By hash. `swde`: of the form's HTML; `formasaurus`: of the page's, and the form's number."""
    path = resources.files("tools.critic_training").joinpath(f"{name}_labels.json")
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Label])


def swde_forms(folder: Path) -> Iterator[RealForm]:
    """Forms of SWDE's sites of four verticals. The owner is the site."""
    known = labels("swde")
    for row in sources.rows(folder, "forms/swde"):
        url = canonical(row["url"])
        label = known.get(xxhash.xxh3_64_hexdigest(row["html"].encode()))
        if url is None or label is None:
            continue
        page = sources.read(row["html"], url)
        owner = f"{row['vertical']}-{row['site']}"
        yield RealForm(page.forms[0], page, owner, label, row["vertical"])


def formasaurus_forms(folder: Path) -> Iterator[RealForm]:
    """Every labelled form once a site. A search form nobody read is left out."""
    known, met = labels("formasaurus"), set()
    for real, kinds in sources.formasaurus(folder):
        forms = [form for form in real.page.forms if not form.is_implicit]
        if len(forms) != len(kinds):
            continue
        digest = xxhash.xxh3_64_hexdigest(real.html.encode())
        for number, (form, kind) in enumerate(zip(forms, kinds, strict=True)):
            sign = signature(form)
            label = known.get(f"{digest}-{number}") if kind == SEARCH else _NO_SEARCH
            if kind not in UNLABELLED and sign not in met and label is not None:
                met.add(sign)
                yield RealForm(form, real.page, real.owner, label)


_NO_SEARCH = Label(frozenset(), frozenset(), "none")


def real_examples(folder: Path) -> Iterator[Example]:
    for found in (*swde_forms(folder), *formasaurus_forms(folder)):
        yield example_of(found)


def example_of(found: RealForm) -> Example:
    label = found.label
    words = distinct(form_words(found.form, found.page.language))
    return Example(words, label.domains, "real", found.owner, label.doubtful, label.is_searchable)
