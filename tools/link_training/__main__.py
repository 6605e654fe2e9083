"""Fits the model of links that lead to a search, and writes its weights; takes a minute or two.

    python -m tools.link_training DATA [--out FOLDER]

Two models are fitted, because no set of real pages has both sides of a link. `address` tells
5,600 real search addresses from the addresses of ordinary links of real pages. `anchor` tells,
among the links of real pages, those that lead to a search from others by text and place:
a link leads to a search if its target is where a search form of its page, or its SearchAction,
sends queries to, or if its address has a word for searching. Their log-odds are added. All hosts
of the held-out part (tools/splits.py) only measure. The last line is JSON.
"""

import argparse
import datetime
import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, roc_auc_score

from leadline.core.page import Link, Page
from leadline.core.url import Url, canonical, host_of, registered_domain, site_of
from leadline.forms.searchable import open_searchable_judge
from leadline.learn.model_files import Manifest, digest_of, write_model
from leadline.learn.search_links import (
    FEATURES,
    MODEL_KIND,
    describe_address,
    describe_links,
    family_of,
)
from leadline.learn.search_words import find_classes
from leadline.page.parse import parse_page
from tools.splits import is_held_out

_OUT = Path(__file__).parents[2] / "src" / "leadline" / "learn" / "models" / "search_links"
MODERN, FORMASAURUS, TEMPLATES = "pages/modern", "forms/formasaurus", "sources/search-templates"
_SURE = 0.8
"""Probability from which a form of these pages is taken for a search form."""
_STRENGTH = 0.3
"""Of the regularisation (C): few positives, and features that depend on each other."""
_target_of_action = re.compile(r'"target"\s*:\s*(?:\{[^}]*"urlTemplate"\s*:\s*)?"([^"]+)"')
_ADDRESS = np.array([name.startswith(("address:", "host:")) for name in FEATURES])
_NO_PARAMETERS = np.array(["parameter" not in name for name in FEATURES])
"""Search addresses have a parameter because they are addresses of answers, not of forms."""
Rows = NDArray[np.float32]
Marks = NDArray[np.bool_]


class Examples(NamedTuple):
    rows: Rows
    is_search: Marks
    is_strict: Marks
    """Leads to where a form or SearchAction of its page sends queries to."""
    is_held_out: Marks
    weights: Rows
    """One for each family of links on a page: a list of 200 results is one example."""


def rows_of(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def read_real_pages(folder: Path) -> Iterator[tuple[Page, str]]:
    """Each page with its HTML."""
    for row in rows_of(folder, MODERN):
        base = re.search(
            r'<(?:link[^>]+canonical[^>]+href|meta[^>]+og:url[^>]+content)="(http[^"]+)"',
            row["html"],
        )
        url = canonical(base.group(1) if base else f"https://{row['domain']}/page")
        if url:
            yield parse_page(row["html"].encode(), url), row["html"]
    for row in rows_of(folder, FORMASAURUS):
        url = canonical(row["url"])
        if url:
            yield parse_page(row["html"].encode(), url), row["html"]


def find_search_places(page: Page, html: str) -> set[str]:
    """Where search forms and SearchActions of the page send queries to, without parameters."""
    judge = open_searchable_judge()
    found = {
        form.action
        for form, (chance, _) in zip(page.forms, judge.judge_all(page.forms), strict=True)
        if chance >= _SURE and form.action
    }
    if "SearchAction" in html:
        found |= {Url(one.replace("\\/", "/")) for one in _target_of_action.findall(html)}
    return {place for url in found if (place := _place(url)).count("/") > 1 or "." in place}


def _place(url: str) -> str:
    parts = urlsplit(url)
    path = parts.path.split("{")[0].rstrip("/")
    return f"{(parts.hostname or '').removeprefix('www.')}{path}" if path else ""


def _is_inside(page: Page, link: Link) -> bool:
    here, there = host_of(site_of(page.url)), host_of(site_of(link.target))
    return registered_domain(here) == registered_domain(there)


def collect_links(folder: Path) -> Examples:
    rows, search, strict, held_out, weights = [], [], [], [], []
    for page, html in read_real_pages(folder):
        links = [link for link in page.links if _is_inside(page, link)]
        if not links:
            continue
        places = find_search_places(page, html)
        rows.append(describe_links(links, [False] * len(links)))
        families = [family_of(link) for link in links]
        sizes = Counter(families)
        weights += [1 / sizes[family] for family in families]
        is_strict = [_place(link.target) in places for link in links]
        by_word = [_has_search_word(link.target) for link in links]
        strict += is_strict
        search += [one or other for one, other in zip(is_strict, by_word, strict=True)]
        held_out += [is_held_out(host_of(site_of(page.url)))] * len(links)
    marks = (np.array(search), np.array(strict), np.array(held_out))
    return Examples(np.concatenate(rows), *marks, np.array(weights, np.float32))


def _has_search_word(url: str) -> bool:
    parts = urlsplit(url)
    is_search, _, is_advanced, *_ = find_classes(f"{parts.path}")
    return (is_search or is_advanced) and not re.search(r"\d{3,}", parts.path)


def collect_addresses(folder: Path) -> tuple[Rows, Marks]:
    """Search addresses, each with the slot for the query left empty."""
    rows, held_out = [], []
    for row in rows_of(folder, TEMPLATES):
        url = canonical(re.sub(r"[^/?&=]*\{\{\{s\}\}\}[^/?&=]*", "", row["template"]))
        if url and urlsplit(url).path.strip("/"):
            rows.append(describe_address(url))
            held_out.append(is_held_out(row["host"]))
    return np.array(rows), np.array(held_out)


def fit(rows: Rows, is_yes: Marks, weights: Rows) -> NDArray[np.float32]:
    """Weights, without the intercept: how many there are of each kind is an accident."""
    model = LogisticRegression(C=_STRENGTH, class_weight="balanced", max_iter=2_000)
    model.fit(rows, is_yes, weights)
    found: NDArray[np.float32] = model.coef_[0].astype(np.float32)
    return found


def measure(
    name: str, scores: NDArray[np.float32], is_yes: Marks, weights: Rows | None = None
) -> dict[str, float]:
    return {
        f"{name} AUC": round(float(roc_auc_score(is_yes, scores, sample_weight=weights)), 4),
        f"{name} average precision": round(
            float(average_precision_score(is_yes, scores, sample_weight=weights)), 4
        ),
        f"{name} share": round(float(np.average(is_yes, weights=weights)), 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.link_training", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, default=_OUT)
    options = parser.parse_args()
    links = collect_links(options.data)
    addresses, addresses_held_out = collect_addresses(options.data)
    taught = ~links.is_held_out
    ordinary = links.rows[~links.is_strict & taught]
    known = addresses[~addresses_held_out]
    wanted = np.concatenate([known, ordinary]) * _ADDRESS * _NO_PARAMETERS
    is_yes = np.arange(len(wanted)) < len(known)
    counted = [np.ones(len(known), np.float32), links.weights[~links.is_strict & taught]]
    of_address = fit(wanted, is_yes, np.concatenate(counted)) * _ADDRESS
    other = links.rows[taught] * ~_ADDRESS
    of_anchor = fit(other, links.is_search[taught], links.weights[taught]) * ~_ADDRESS
    # Address and anchor often say the same thing twice, so their sum is scaled on both together.
    both = links.rows[taught] @ np.stack([of_address, of_anchor], axis=1)
    shares = fit(both, links.is_strict[taught], links.weights[taught])
    weights = shares[0] * of_address + shares[1] * of_anchor
    print(f"address counts {shares[0]:.2f}, anchor and place {shares[1]:.2f}")
    scores = links.rows @ weights
    held_out = links.is_held_out
    own = addresses[addresses_held_out] @ (weights * _ADDRESS)
    others = links.rows[held_out & ~links.is_strict] @ (weights * _ADDRESS)
    figures = measure("links", scores[held_out], links.is_strict[held_out], links.weights[held_out])
    figures |= measure(
        "addresses", np.concatenate([own, others]), np.arange(len(own) + len(others)) < len(own)
    )
    figures |= measure(
        *("anchors", links.rows[held_out] @ (weights * ~_ADDRESS), links.is_search[held_out]),
        links.weights[held_out],
    )
    counts = {
        "links": len(links.rows),
        "links to a search": int(links.is_strict.sum()),
        "held-out links": int(held_out.sum()),
        "held-out links to a search": int(links.is_strict[held_out].sum()),
        "search addresses": len(addresses),
    }
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    manifest = Manifest(
        MODEL_KIND,
        (MODERN, FORMASAURUS, TEMPLATES),
        digest_of(links.rows.tobytes(), addresses.tobytes()),
        counts,
        figures,
        {"held out": "by host, tools/splits.py"},
        date,
    )
    write_model(options.out, manifest, {"names": np.array(FEATURES), "weights": weights})
    for name, weight in sorted(zip(FEATURES, weights.tolist(), strict=True), key=lambda p: -p[1]):
        print(f"{weight:7.2f}  {name}")
    print(json.dumps({"counts": counts, "figures": figures}))


if __name__ == "__main__":
    main()
