"""How often the meaning of a control is told right, on real forms and on lab worlds.

    python bench/field_roles.py FOLDER [--lab-seeds 301 302] [--sites 250] [--wrong]

Real forms are those of Formasaurus, whose fields people typed by hand; hosts are split in two by
the hash of their registered domain, so that one half could be looked at while words were chosen
(`developed`) and the other tells how good they are (`held_out`). In the lab the truth knows which
attribute of its database a control is bound to. FOLDER holds the real data. --wrong lists what
was told wrong on the developed half. The last line is JSON.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import xxhash
from tools.lab_statistics import sources

from leadline.core.page import Field, Form
from leadline.core.url import canonical
from leadline.forms.field_roles import FieldRole, find_ranges, find_roles
from leadline_lab.examples import Examples, FormExample
from leadline_lab.interfaces import SearchForm
from leadline_lab.profile import profile_named
from leadline_lab.schemas import SCHEMAS
from leadline_lab.world import World

_FILTERS = frozenset(
    {"category", "yes/no", "price", "number", "place", "date", "year", "title", "person"}
    | {"organisation", "language", "code", "sort"}
)
_REAL: dict[str, tuple[str, frozenset[str]]] = {
    code: (name, frozenset(kinds.split(",")))
    for codes, name, kinds in (
        ("qq", "search query", "keyword"),
        ("p1 p2", "password", "password"),
        ("e1 e2", "email", "email"),
        ("ue", "user name or email", "email,user"),
        ("us", "user name", "user"),
        ("nf n1 n2 n3", "person's name", "person"),
        ("ns", "nickname", "user,person"),
        ("no", "organisation", "organisation"),
        ("ge", "gender", "category"),
        ("Co Ci St Zi Ad A1 A2 Sa Sn S# A#", "place", "place"),
        ("by bm bd bD OD Oy Om Od", "date", "date,year"),
        ("ph fa P0 P1 P2 P3", "phone", "phone"),
        ("ws", "website", "link"),
        ("CC am", "message", "message"),
        ("CT", "subject", "title,category"),
        ("rC tC eC oC aC", "box to tick", "yes/no"),
        ("ca", "captcha", "captcha"),
        ("qt ON", "number", "number,price"),
        ("sp", "sort or page size", "sort,page size"),
        ("c# cs cm cy ch", "payment", "payment"),
        ("OU", "file", "file"),
        ("in", "code", "code"),
    )
    for code in codes.split()
}
"""Formasaurus's types of fields by the name they are reported under, and the kinds that are right.
Its `other` types (text, select) and those that nothing maps to are left out."""
_REAL["qc"] = ("search filter", _FILTERS)
_LAB = {
    "title": {"title", "organisation"}, "text": {"keyword"}, "person": {"person"},
    "place": {"place"}, "category": {"category", "yes/no"}, "year": {"year", "date"},
    "price": {"price"}, "date": {"date"}, "number": {"number"}, "code": {"code"},
}  # fmt: skip
_LAB_ALSO = {
    "country": "place", "state": "place", "zip": "place", "region": "place", "site": "place",
    "town": "place", "branch": "place", "phone": "phone", "userid": "user", "language": "language",
    "time": "date", "session": "year",
}  # fmt: skip
"""Attributes that the lab stores as categories or codes, by what they mean to people."""


class Case(NamedTuple):
    """One control, what it is, and what was told."""

    type: str
    right: frozenset[str]
    told: FieldRole
    field: Field

    @property
    def is_right(self) -> bool:
        return self.told.kind in self.right


def real_cases(folder: Path) -> Iterator[tuple[bool, str, Case]]:
    """Whether its host is held out, the host, and the case."""
    for row in sources.rows(folder, "forms/formasaurus"):
        url = canonical(row["url"])
        if url is None:
            continue
        forms = [form for form in sources.read(row["html"], url).forms if not form.is_implicit]
        if len(forms) != len(row["form_types"]):
            continue
        host = sources.owner_of(url)
        is_held_out = bool(xxhash.xxh3_64_intdigest(host.encode()) & 1)
        for form, types in zip(forms, row["field_types"], strict=True):
            for case in _typed_cases(form, types or {}):
                yield is_held_out, host, case


def _typed_cases(form: Form, types: dict[str, str]) -> Iterator[Case]:
    if not any(code in _REAL for code in types.values()):
        return
    for field, told in zip(form.fields, find_roles(form), strict=True):
        known = _REAL.get(types.get(field.name, ""))
        if known and told.kind not in ("state", "button"):
            yield Case(known[0], known[1], told, field)


def lab_cases(example: FormExample, asked: SearchForm) -> Iterator[Case]:
    kinds = {a.name: a.kind for a in SCHEMAS[example.schema].attributes}
    form = example.form
    for field, told in zip(form.fields, find_roles(form), strict=True):
        bound = asked.bound.get(field.name, "").partition(":")[0]
        setting = asked.settings.get(field.name, "")
        if bound == "*":
            yield Case("keyword", frozenset({"keyword"}), told, field)
        elif bound:
            right = _LAB[kinds[bound]] | {_LAB_ALSO.get(bound, kinds[bound])}
            yield Case(kinds[bound], frozenset(right), told, field)
        elif setting:
            kind = "page size" if setting == "size" else setting
            yield Case(kind, frozenset({kind}), told, field)


def pair_counts(example: FormExample, asked: SearchForm) -> Counter[str]:
    """True, told and rightly told ranges. A stay or trip is no range of the lab's, and left out."""
    ends = {bound: name for name, bound in asked.bound.items()}
    true = {
        (name, ends[f"{bound[:-4]}:max"])
        for bound, name in ends.items()
        if bound.endswith(":min") and f"{bound[:-4]}:max" in ends
    }
    fields = example.form.fields
    found = find_ranges(example.form, find_roles(example.form))
    told = {(fields[p.low].name, fields[p.high].name) for p in found if p.kind != "place"}
    told = {(low, high) for low, high in told if not _is_way(asked.bound, low, high)}
    return Counter(true=len(true), told=len(told), right=len(true & told))


def _is_way(bound: dict[str, str], low: str, high: str) -> bool:
    names = bound.get(low, ""), bound.get(high, "")
    return names[0] != names[1] and not any(":" in name for name in names)


def lab(seeds: Iterable[int], sites: int) -> dict[str, Any]:
    cases: list[Case] = []
    ranges: Counter[str] = Counter()
    for seed in seeds:
        examples = Examples(World(profile_named("dev"), seed))
        deep = [p for p in examples.world.census.populations if p.schemas]
        for site in examples.sites(deep, sites, "meanings"):
            for example in examples.forms_of(site):
                if example.interface is None or not example.schema:
                    continue
                number = examples.truth.interface(example.interface).number
                asked = examples.world.estate(site).search_forms[number]
                cases += lab_cases(example, asked)
                ranges += pair_counts(example, asked)
    pair = {
        "true": ranges["true"],
        "precision": _share(ranges["right"], ranges["told"]),
        "recall": _share(ranges["right"], ranges["true"]),
    }
    return {**figures(cases), "pairs": pair}


def figures(cases: list[Case]) -> dict[str, Any]:
    counts = Counter(case.type for case in cases)
    right = Counter(case.type for case in cases if case.is_right)
    by_type = {
        name: {"fields": number, "right": _share(right[name], number)}
        for name, number in counts.most_common()
    }
    return {"fields": len(cases), "right": _share(right.total(), len(cases)), "by_type": by_type}


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def print_table(title: str, found: dict[str, Any]) -> None:
    print(f"\n{title}: {found['fields']} fields, {found['right']:.1%} right")
    for name, row in found["by_type"].items():
        print(f"  {name:20} {row['fields']:5} {row['right']:7.1%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lab-seeds", type=int, nargs="*", default=[301, 302])
    parser.add_argument("--sites", type=int, default=250)
    parser.add_argument("--wrong", action="store_true")
    options = parser.parse_args()
    found = list(real_cases(options.folder))
    report: dict[str, Any] = {}
    for name, is_held_out in (("developed", False), ("held_out", True)):
        rows = [(host, case) for held_out, host, case in found if held_out is is_held_out]
        report[name] = {
            "hosts": len({host for host, _ in rows}),
            **figures([case for _, case in rows]),
        }
        print_table(f"real forms, {name} half of the hosts", report[name])
    if options.wrong:
        for held_out, _, case in found:
            if not held_out and not case.is_right:
                print(f"{case.type} -> {case.told.text}: {case.field.name!r} ({case.told.why})")
    if options.lab_seeds:
        report["lab"] = {"seeds": options.lab_seeds, **lab(options.lab_seeds, options.sites)}
        print_table("lab worlds", report["lab"])
        print(f"  pairs {report['lab']['pairs']}")
    print(json.dumps(report))


if __name__ == "__main__":
    main()
