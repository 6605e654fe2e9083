"""Is a lab page as hard to classify as a real one? Whole pages, menus and all, of unseen sites."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from tools.lab_statistics.hardness import measure_lab
from tools.lab_statistics.reference import half_of_all, some_of_each
from tools.lab_statistics.scores import Sample, mean_score

from leadline.page.words import PageWords
from leadline_lab.calibration.view import Findings, View, mean
from leadline_lab.sites.domains import DOMAINS
from leadline_lab.statistics import load

_TRAINED = 4
"""Sites of each vertical that are trained on, as with the seven of each real one."""
_SPLITS = 12
_FEWEST_ITEMS = 12
_KIN_SITES, _KIN_PAGES = 8, 6
_UNFIT = frozenset({"dead", "failing"})
_CLASS_SHARE = 4
"""One page for so many real ones of a class of WebKB."""
_CLASS_SITE_PAGES = 12


def measure_language(view: View) -> Findings:
    if not view.effort.language_sites:
        return Findings()
    verticals = _verticals(view)
    classes = _classes(view)
    known = [sample for sample in classes if sample.label != "campus"]
    alone = measure_lab(view.world.seed, universities=30)
    trained = some_of_each(verticals, min(_TRAINED, view.effort.language_sites // 2))
    figures = {
        "swde_accuracy": _accuracy(verticals, trained),
        "swde_one_site_accuracy": _accuracy(verticals, some_of_each(verticals, 1)),
        "webkb_accuracy": _accuracy(classes, half_of_all(classes)),
        "webkb_without_campus_accuracy": _accuracy(known, half_of_all(known)),
        "swde_words_alone": alone["swde"]["accuracy"],
        "swde_one_site_words_alone": alone["swde"]["one_site_accuracy"],
        "webkb_words_alone": alone["webkb"]["accuracy"],
        "webkb_without_campus_words_alone": alone["webkb_without_campus"]["accuracy"],
    }
    return Findings(figures)


def _accuracy(samples: Sequence[Sample], splits: Sequence[frozenset[str]]) -> float:
    found = mean_score(samples, splits[:_SPLITS])["accuracy"]
    return found if isinstance(found, float) else 0.0


def _verticals(view: View) -> list[Sample]:
    effort = view.effort
    return [
        sample
        for topic in load("real")["swde"]["pages"]
        for sample in item_samples(view, topic, effort.language_sites, effort.language_pages)
    ]


def _classes(view: View) -> list[Sample]:
    """Pages of each class of WebKB in proportion to the real ones."""
    found = []
    for topic, pages in load("real")["webkb"]["pages"].items():
        wanted = pages * view.effort.language_sites // (_CLASS_SHARE * 14)
        sites = max(4, wanted // _CLASS_SITE_PAGES)
        found += item_samples(view, topic, sites, -(-wanted // sites))
    return found


def item_samples(view: View, topic: str, sites: int, pages: int) -> list[Sample]:
    """Item pages about a topic: up to `pages` of each of `sites` sites about it, in English."""
    draw = view.draw(f"language of {topic}")
    populations = [p for p in view.world.census.populations if p.topic == topic]
    weights = np.cumsum([p.sites for p in populations]).tolist()
    found: list[Sample] = []
    used: set[int] = set()
    while len(used) < sites:
        population = populations[draw.weighted(weights)]
        site = population.first + draw.below(population.sites)
        items = _items(view, site, topic)
        if site in used or len(items) < min(_FEWEST_ITEMS, pages):
            continue
        used.add(site)
        for number in draw.some(items, pages):
            seen = view.read(site, number)
            if seen:
                words = PageWords(seen.page).body.copy()
                found.append(Sample(f"{topic}-{site}", topic, words))
    return found


def _items(view: View, site: int, topic: str) -> list[int]:
    """Numbers of the site's items about the topic; none for a site that is not fit."""
    plan = view.plan(site)
    if plan.language != "en" or not _UNFIT.isdisjoint(plan.traps):
        return []
    return [
        plan.item_page(at, index)
        for at, section in enumerate(plan.sections)
        if section.topic == topic
        for index in range(section.items)
    ]


def measure_kinship(view: View) -> Findings:
    """How much the words of domains have in common: of kin, and of others."""
    sites = min(_KIN_SITES, max(2, view.effort.language_sites))
    counted = {domain: _counts(item_samples(view, domain, sites, _KIN_PAGES)) for domain in DOMAINS}
    kin: list[float] = []
    others: list[float] = []
    for first, domain in DOMAINS.items():
        for second in DOMAINS:
            if first != second:
                group = kin if second in domain.kin else others
                group.append(_cosine(counted[first], counted[second]))
    figures = {
        "cosine_kin": mean(kin),
        "cosine_others": mean(others),
        "cosine_gain": mean(kin) - mean(others),
    }
    return Findings(figures)


def _counts(samples: Sequence[Sample]) -> Counter[int]:
    """Of words that say something."""
    counts: Counter[int] = Counter()
    for sample in samples:
        counts.update(sample.words[sample.words != 0].tolist())
    return counts


def _cosine(first: Counter[int], second: Counter[int]) -> float:
    inner = sum(n * second[word] for word, n in first.items() if word in second)
    lengths = [float(np.sqrt(sum(n * n for n in row.values()))) for row in (first, second)]
    return inner / (lengths[0] * lengths[1])
