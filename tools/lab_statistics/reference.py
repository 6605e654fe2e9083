"""Figures of the real pages that the lab is held to."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from leadline.forms.searchable import apply_rule
from leadline.page.words import PageWords
from leadline_lab.draw import Draw, key_of
from tools.lab_statistics import sources
from tools.lab_statistics.modern import Modern
from tools.lab_statistics.scores import Sample, mean_score
from tools.lab_statistics.sources import RealPage, owner_of
from tools.lab_statistics.spread import per_mille, quantiles

_SPLITS = 12


def measure_reference(folder: Path) -> dict[str, Any]:
    """All of `real.json`."""
    return measure_scores(folder) | {"pages": _page_figures(folder)}


def measure_scores(folder: Path) -> dict[str, Any]:
    """How well real pages are told apart."""
    verticals = _samples(sources.swde(folder))
    classes = _samples(sources.webkb(folder))
    return {
        "swde": classified(verticals, half_of_each(verticals))
        | {"one_site_accuracy": mean_score(verticals, some_of_each(verticals, 1))["accuracy"]},
        "webkb": classified(classes, half_of_all(classes)),
        "webkb_without_campus": classified(_without_campus(classes), half_of_all(classes)),
    }


def classified(samples: Sequence[Sample], splits: Sequence[frozenset[str]]) -> dict[str, Any]:
    """Scores, and what is needed to make as many pages of the same lengths."""
    pages = Counter(sample.label for sample in samples)
    return mean_score(samples, splits) | {
        "splits": len(splits),
        "sites": len({sample.owner for sample in samples}),
        "pages": dict(sorted(pages.items())),
        "words": {
            label: quantiles(len(s.words) for s in samples if s.label == label)
            for label in sorted(pages)
        },
    }


def half_of_each(samples: Sequence[Sample]) -> list[frozenset[str]]:
    """Training owners: half of every class's, so that each class is trained and tested."""
    owners = {sample.label: sample.owner for sample in samples}
    fewest = min(len({s.owner for s in samples if s.label == label}) for label in owners)
    return some_of_each(samples, (fewest + 1) // 2)


def some_of_each(samples: Sequence[Sample], n: int) -> list[frozenset[str]]:
    """Training owners: `n` of every class's, for owners whose pages are of one class."""
    owners: dict[str, list[str]] = {}
    for label, owner in sorted({(sample.label, sample.owner) for sample in samples}):
        owners.setdefault(label, []).append(owner)
    return [
        frozenset(
            owner
            for label, row in owners.items()
            for owner in Draw(key_of(split, "sites of", label)).some(row, n)
        )
        for split in range(_SPLITS)
    ]


def half_of_all(samples: Sequence[Sample]) -> list[frozenset[str]]:
    """Training owners: half of them all, for owners whose pages are of many classes."""
    owners = sorted({sample.owner for sample in samples})
    return [
        frozenset(Draw(key_of(split, "owners")).some(owners, len(owners) // 2))
        for split in range(_SPLITS)
    ]


def _samples(pages: Iterable[RealPage]) -> list[Sample]:
    """Of the pages with any word."""
    found = (Sample(p.owner, p.kind, PageWords(p.page).body.copy()) for p in pages)
    return [sample for sample in found if sample.words.any()]


def _without_campus(samples: Sequence[Sample]) -> list[Sample]:
    return [sample for sample in samples if sample.label != "campus"]


def _page_figures(folder: Path) -> dict[str, Any]:
    """Of modern pages, and of the pages of WebKB, which nobody chose for their forms."""
    links: Counter[str] = Counter()
    outside: Counter[str] = Counter()
    pages: Counter[str] = Counter()
    with_search: Counter[str] = Counter()
    for real, is_modern in Modern(folder).with_old():
        era = "modern" if is_modern else "webkb"
        owner = owner_of(real.page.url)
        pages[era] += 1
        links[era] += len(real.page.links)
        outside[era] += sum(owner_of(link.target) != owner for link in real.page.links)
        with_search[era] += any(apply_rule(form)[0] >= 0.5 for form in real.page.forms)
    return {
        era: {
            "pages": pages[era],
            "links": links[era],
            "external_links_per_mille": per_mille(outside[era], links[era]),
            "with_searchable_form_per_mille": per_mille(with_search[era], pages[era]),
        }
        for era in sorted(pages)
    }
