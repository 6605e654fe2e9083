"""How often forms that are one are counted twice, and forms that are two once.

    python bench/same_forms.py FOLDER [--lab-seeds 301 302] [--sites 100] [--wrong]

In the lab the truth knows which interface a form opens: pages of its sites are read, on their
mirrors too. Of real forms, those on pages of one host (Formasaurus) or site (SWDE) are compared
in pairs; which of them are one was judged by eye, and stands in same_forms.json under a hash of
each form. Hosts are split in two by hash: one half was looked at while the rules were made
(`developed`), the other judged before they were first tried on it (`held_out`). Three ways of
telling are compared: an `exact` one, by target, method, names and kinds as they are; the
signature; and the groups of forms that look alike. FOLDER holds the real data. The last line is
JSON.
"""

import argparse
import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import xxhash
from tools.lab_statistics import sources

from leadline.core.http import Request
from leadline.core.page import Form
from leadline.core.url import Url, canonical, host_of, path_of, registered_domain, site_of
from leadline.forms.signature import UNSEEN, compare_forms, group_look_alikes, signature
from leadline.page import parse_page
from leadline_lab.examples import Examples
from leadline_lab.profile import profile_named
from leadline_lab.world import World

LABELS = Path(__file__).with_name("same_forms.json")
_LABELLED = frozenset({"search", "display options", "other"})
"""Types of real forms that were judged: logins and letters are of no use to a crawl."""
_PAGES = 30
"""Of a lab site, read, beside those made for its forms."""
Sites = dict[str, dict[str, Form]]
"""Forms of each site by their exact key."""
Told = dict[str, object]
"""What stands for each form, by exact key; equal for forms that are told to be one."""
_digits = re.compile(r"\d+").sub


def exact_key(form: Form) -> str:
    """The form as it is, numbers in its path left out; labels are kept under it."""
    target = form.action or form.page
    path = _digits("0", path_of(target).partition("?")[0])
    own = form.action is None or form.action == form.page
    controls = sorted(f"{field.name}:{field.kind}" for field in form.fields)
    domain = registered_domain(host_of(site_of(target)))
    text = "\n".join((domain, "." if own else path, form.method, *controls))
    return xxhash.xxh3_64_hexdigest(text.encode("utf-8", "replace"))


def real_sites(folder: Path) -> tuple[Sites, Sites]:
    """Developed and held out."""
    halves: tuple[Sites, Sites] = (defaultdict(dict), defaultdict(dict))
    for site, form in _real_forms(folder):
        if any(field.kind not in UNSEEN for field in form.fields):
            half = xxhash.xxh3_64_intdigest(site.encode()) & 1
            halves[half][site].setdefault(exact_key(form), form)
    return halves


def _real_forms(folder: Path) -> Iterator[tuple[str, Form]]:
    for row in sources.rows(folder, "forms/formasaurus"):
        url = canonical(row["url"])
        page = sources.read(row["html"], url) if url else None
        forms = [form for form in page.forms if not form.is_implicit] if page else []
        if url and len(forms) == len(row["form_types"]):
            for form, label in zip(forms, row["form_types"], strict=True):
                if label in _LABELLED:
                    yield sources.owner_of(url), form
    for real in sources.swde(folder):
        for form in real.page.forms:
            yield real.owner, form


def lab_site(examples: Examples, site: int) -> Iterator[tuple[int, Form]]:
    """The forms that search on a site's pages and their mirrors, with their interfaces."""
    estate = examples.world.estate(site)
    plan = estate.plan
    numbers = dict.fromkeys((*plan.page_of.values(), *range(min(plan.pages, _PAGES))))
    hosts = [estate.host, *([f"mirror.{estate.host}"] if "mirror" in plan.traps else [])]
    for turn, (host, number) in enumerate((host, number) for host in hosts for number in numbers):
        url = Url(f"http://{host}{estate.paths.page(plan.place(number))}")
        reply = examples.world.answer(Request(url), now=float(60 * turn))
        if not reply.fault and reply.status == 200:
            for form in parse_page(reply.body, url, reply.header("content-type")).forms:
                interface = examples.truth.form(form)
                if interface is not None:
                    yield interface, form


def lab(seeds: Iterable[int], sites: int) -> dict[str, Any]:
    """Interfaces with several signatures, and signatures of several interfaces or databases."""
    told: dict[object, set[str]] = defaultdict(set)
    opened: dict[str, set[object]] = defaultdict(set)
    databases: dict[str, set[object]] = defaultdict(set)
    number_of_forms = 0
    for seed in seeds:
        examples = Examples(World(profile_named("dev"), seed))
        populations = examples.world.census.populations
        deep = [population for population in populations if population.schemas]
        others = [population for population in populations if not population.schemas]
        chosen = (*examples.sites(deep, sites, "same"), *examples.sites(others, sites // 3, "same"))
        for site in chosen:
            for interface, form in lab_site(examples, site):
                sign = signature(form)
                number_of_forms += 1
                told[seed, interface].add(sign)
                opened[sign].add((seed, interface))
                database = examples.truth.interface(interface).database
                databases[sign].add((seed, site, database))
    return {
        "forms": number_of_forms,
        "interfaces": len(told),
        "split": sum(len(signs) > 1 for signs in told.values()),
        "merged": sum(len(interfaces) > 1 for interfaces in opened.values()),
        "merged_databases": sum(len(owners) > 1 for owners in databases.values()),
    }


def true_groups(sites: Sites) -> tuple[Told, list[set[str]]]:
    """The form that each exact key stands for, and sets of keys of which nobody could tell."""
    labels = json.loads(LABELS.read_text(encoding="utf-8"))
    group: Told = {key: key for forms in sites.values() for key in forms}
    for number, keys in enumerate(labels["same"]):
        group |= {key: number for key in keys if key in group}
    return group, [set(keys) for keys in labels["unsure"]]


def look_alike_groups(sites: Sites) -> Told:
    told: Told = {}
    for site, forms in sites.items():
        keys = list(forms)
        for number, members in enumerate(group_look_alikes(list(forms.values()))):
            told |= {keys[member]: (site, number) for member in members}
    return told


def figures(sites: Sites, told: Told, report: Callable[[str], None]) -> dict[str, int]:
    """Over all pairs of forms of one site that differ as they stand."""
    group, unsure = true_groups(sites)
    found = dict.fromkeys(("same", "split", "different", "merged", "sites_split"), 0)
    for site, forms in sites.items():
        splits = 0
        for one, other in combinations(forms, 2):
            if any({one, other} <= keys for keys in unsure):
                continue
            is_same, is_told = group[one] == group[other], told[one] == told[other]
            found["same" if is_same else "different"] += 1
            found["split"] += is_same and not is_told
            splits += is_same and not is_told
            found["merged"] += is_told and not is_same
            if is_same != is_told:
                like = compare_forms(forms[one], forms[other])
                report(f"{'split' if is_same else 'merged'} {site}: {like.score} ({like.why})")
        found["sites_split"] += splits > 0
    return found


def real(sites: Sites, report: Callable[[str], None]) -> dict[str, Any]:
    keys = [key for forms in sites.values() for key in forms]
    signed: Told = {key: signature(form) for forms in sites.values() for key, form in forms.items()}

    def silent(_: str) -> None:
        pass

    return {
        "sites": sum(len(forms) > 1 for forms in sites.values()),
        "exact": figures(sites, {key: key for key in keys}, silent),
        "signature": figures(sites, signed, silent),
        "look_alikes": figures(sites, look_alike_groups(sites), report),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lab-seeds", type=int, nargs="*", default=[301, 302])
    parser.add_argument("--sites", type=int, default=100)
    parser.add_argument("--wrong", action="store_true", help="list pairs that were told wrong")
    options = parser.parse_args()
    developed, held_out = real_sites(options.folder)
    report: dict[str, Any] = {}
    for name, sites in (("developed", developed), ("held_out", held_out)):
        report[name] = real(sites, print if options.wrong else lambda _: None)
        print(f"\nreal forms, {name}: {report[name]['sites']} sites with several forms")
        for way in ("exact", "signature", "look_alikes"):
            print(f"  {way:12} {report[name][way]}")
    if options.lab_seeds:
        report["lab"] = {"seeds": options.lab_seeds, **lab(options.lab_seeds, options.sites)}
        print(f"\nlab {report['lab']}")
    print(json.dumps(report))


if __name__ == "__main__":
    main()
