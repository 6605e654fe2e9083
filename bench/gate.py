"""Which real forms the gate lets through: searches should, nothing else may.

    python bench/gate.py FOLDER

FOLDER holds real pages, which are not in this repository: pages whose forms people labelled
(forms/formasaurus.jsonl.gz), and pages to log in, sign up and pay on (forms/autofill.jsonl.gz),
some of which have a search box of the site on them. Each form is tried with something typed or
chosen in it, with the probability taken as 1, so that structure alone decides, and with that of
each judge. The shipped judge was trained on these pages, so its figures are no test of it. The
last line is JSON.
"""

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from leadline.core.page import Form
from leadline.core.url import Url, canonical
from leadline.forms.form_data import is_typed
from leadline.forms.hazards import is_part_of_query
from leadline.forms.query import find_query_field
from leadline.forms.searchable import open_searchable_judge
from leadline.forms.submit import Submission, prepare
from leadline.page import parse_page

UNLABELLED = ("NOT ANNOTATED", "SKIP THIS FORM")
SEARCH = "search"
ANYWHERE = Url("https://page.test/")
Rows = Iterator[dict[str, Any]]


def read(folder: Path, name: str) -> Rows:
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def labelled(rows: Rows) -> Iterator[tuple[str, Form]]:
    """Forms with their labels. Where the forms of a page cannot be matched with its labels, they
    are taken if none of those is a search or missing."""
    for row in rows:
        url = canonical(row["url"])
        page = parse_page(row["html"].encode(), url or ANYWHERE)
        forms = [form for form in page.forms if not form.is_implicit]
        kinds: list[str] = row["form_types"]
        if len(forms) == len(kinds):
            pairs = zip(kinds, forms, strict=True)
            yield from ((kind, form) for kind, form in pairs if kind not in UNLABELLED)
        elif not {SEARCH, *UNLABELLED} & {*kinds}:
            yield from (("not a search", form) for form in forms)


def unlabelled(rows: Rows) -> Iterator[Form]:
    """Forms of pages that only have a name."""
    for row in rows:
        yield from parse_page(row["html"].encode(), ANYWHERE).forms


def passes(form: Form, belief: float) -> bool:
    """Whether the form could be sent with something typed or chosen in it."""
    field = find_query_field(form) or next(filter(is_part_of_query, form.fields), None)
    if field is None:
        return False
    offered = [option.value for option in field.options if not option.is_disabled]
    value = "test" if is_typed(field) else next(iter(offered), "")
    return isinstance(prepare(form, {field.name: value}, belief), Submission)


def tried(forms: list[Form]) -> dict[str, int]:
    """How many pass, by who tells the probability."""
    counts = {"forms": len(forms), "structure": sum(passes(form, 1.0) for form in forms)}
    for name in ("rule", "default"):
        chance = open_searchable_judge(name).chance
        counts[name] = sum(passes(form, chance(form)) for form in forms)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    found = list(labelled(read(folder, "forms/formasaurus")))
    groups = {
        "searches": [form for kind, form in found if kind == SEARCH],
        "others": [form for kind, form in found if kind != SEARCH],
        "on login, sign-up and payment pages": list(unlabelled(read(folder, "forms/autofill"))),
    }
    through = Counter(kind for kind, form in found if kind != SEARCH and passes(form, 1.0))
    report = {
        **{name: tried(forms) for name, forms in groups.items()},
        "others through structure": dict(through),
    }
    for name, counts in report.items():
        print(name, counts)
    print(json.dumps(report))


if __name__ == "__main__":
    main()
