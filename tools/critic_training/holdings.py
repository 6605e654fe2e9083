"""Fits what the page of a search box says about records and articles (`leadline.forms.holdings`).

    python -m tools.critic_training.holdings FOLDER [--held-out]

The forms are those that people labelled as searches over a database or over the site's own pages:
Formasaurus's and those of 2025, hosts held out left out; with `--held-out` these alone, by the
weights that ship. Ten folds over hosts; the last line is one
JSON object. Both collections count alike and have an intercept of their own, so that the weights
tell forms of one collection apart.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import xxhash
from msgspec import structs
from numpy.typing import NDArray

from leadline.core.page import Form, Page
from leadline.forms.holdings import SIGNS, describe_holdings, weigh_holdings
from leadline.learn.linear import fit_logistic
from tools.form_labels.labels import form_labels, join_labels
from tools.form_labels.units import ModernPage, modern_pages, visible_fields
from tools.lab_statistics import sources
from tools.splits import is_held_out

DATABASE, SITE = "database-search", "site-search"
_FOLDS = 10
_STRENGTH = 10.0
"""Of 3, 10 and 30 the folds prefer none clearly."""
Numbers = NDArray[np.float64]


class LabelledSearch(NamedTuple):
    source: str
    host: str
    page: Page
    form: Form
    is_database: bool


def read_searches(folder: Path, *, held_out: bool = False) -> Iterator[LabelledSearch]:
    """Once a host, with the page it stands on; hosts held out are passed over."""
    met: set[str] = set()
    collections = {"formasaurus": _formasaurus_pages(folder), "modern": modern_pages(folder)}
    for source, pages in collections.items():
        labels = form_labels(source)
        for real in pages:
            if is_held_out(real.host) != held_out:
                continue
            for one in join_labels([real], labels, only_read=True):
                key = f"{source} {one.label.form}"
                if one.label.kind in (DATABASE, SITE) and key not in met:
                    met.add(key)
                    is_database = one.label.kind == DATABASE
                    yield LabelledSearch(source, real.host, real.page, one.form, is_database)


def _formasaurus_pages(folder: Path) -> Iterator[ModernPage]:
    """With the forms that its people called a search."""
    for real, kinds in sources.formasaurus(folder):
        forms = [form for form in real.page.forms if not form.is_implicit]
        if len(forms) == len(kinds):
            found = [form for form, kind in zip(forms, kinds, strict=True) if kind == "search"]
            page = structs.replace(real.page, forms=tuple(found))
            yield ModernPage("", real.owner, "", page, real.html)


class HoldingsFit(NamedTuple):
    weights: Numbers
    intercept: float

    def odds(self, rows: Numbers) -> Numbers:
        found: Numbers = rows @ self.weights + self.intercept
        return found


def fit_holdings(rows: Numbers, targets: Numbers, source: Numbers) -> HoldingsFit:
    """The odds of the mean page of either collection are those of its share of databases; taken
    from these, both have even odds."""
    shares = len(rows) / 2 / np.where(source > 0, (source > 0).sum(), (source == 0).sum())
    signs = np.array([*SIGNS.values(), 0], np.int8)
    fit = fit_logistic(
        np.hstack([rows, source[:, None]]), targets, _STRENGTH, signs=signs, shares=shares
    )
    weights = fit.weights[:-1]
    means = [rows[source == number] @ weights for number in (0, 1)]
    return HoldingsFit(weights, -float(np.mean([mean.mean() for mean in means])))


def tell_apart(odds: Numbers, targets: Numbers) -> float:
    """Of a database and a site drawn by chance, how often the database has the higher odds."""
    ours, others = odds[targets > 0], odds[targets == 0]
    higher = (ours[:, None] > others).mean() + (ours[:, None] == others).mean() / 2
    return round(float(higher), 3)


def measure_shipped(searches: list[LabelledSearch]) -> dict[str, dict[str, Any]]:
    """Of the single boxes, how many have pages that speak for records, and how many against."""
    boxes = [one for one in searches if len(visible_fields(one.form)) <= 1]
    found: dict[str, dict[str, Any]] = {}
    for source in sorted({one.source for one in boxes}):
        for name, is_database in (("databases", True), ("sites", False)):
            own = [o for o in boxes if o.source == source and o.is_database == is_database]
            said = np.array([weigh_holdings(one.page) for one in own])
            found[f"{source}, {name}"] = {
                "boxes": len(own),
                "for records": round(float((said > 0).mean()), 3),
                "for articles": round(float((said < 0).mean()), 3),
            }
    return found


def study(searches: list[LabelledSearch]) -> dict[str, Any]:
    found = [describe_holdings(one.page) for one in searches]
    rows = np.array([[one[name] for name in SIGNS] for one in found])
    targets = np.array([one.is_database for one in searches], np.float64)
    source = np.array([one.source == "modern" for one in searches], np.float64)
    is_box = np.array([len(visible_fields(one.form)) <= 1 for one in searches])
    fold = np.array([xxhash.xxh3_64_intdigest(one.host.encode()) % _FOLDS for one in searches])
    odds = np.zeros(len(rows))
    for number in range(_FOLDS):
        others, own = fold != number, fold == number
        odds[own] = fit_holdings(rows[others], targets[others], source[others]).odds(rows[own])
    # How far the collections carry over: the weights of one, tried on the other.
    moved = np.zeros(len(rows))
    for number in (0, 1):
        others, own = source != number, source == number
        signs = np.array([*SIGNS.values()], np.int8)
        fit = fit_logistic(rows[others], targets[others], _STRENGTH, signs=signs)
        moved[own] = rows[own] @ fit.weights
    whole = fit_holdings(rows, targets, source)
    parts = {"formasaurus": source == 0, "modern": source > 0, "boxes": is_box}
    return {
        "searches": len(rows),
        "over a database": int(targets.sum()),
        "weights": {
            name: round(float(weight), 3)
            for name, weight in zip(SIGNS, whole.weights, strict=True)
            if round(float(weight), 3)
        },
        "intercept": round(whole.intercept, 3),
        "ten folds": {name: tell_apart(odds[own], targets[own]) for name, own in parts.items()},
        "the other collection": {
            name: tell_apart(moved[own], targets[own])
            for name, own in parts.items()
            if name != "boxes"
        },
        "speaks for records": measure_shipped(searches),
        "even odds and more": {
            "databases": round(float((odds[is_box & (targets > 0)] >= 0).mean()), 3),
            "sites": round(float((odds[is_box & (targets == 0)] >= 0).mean()), 3),
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.critic_training.holdings")
    parser.add_argument("folder", type=Path, help="the folder of real data")
    parser.add_argument("--held-out", action="store_true", help="the hosts held out, judged once")
    options = parser.parse_args()
    searches = list(read_searches(options.folder, held_out=options.held_out))
    print(json.dumps(measure_shipped(searches) if options.held_out else study(searches)))


if __name__ == "__main__":
    main()
