"""Fits how much each evidence says about a door (`leadline.forms.evidence`), and tries the fit on
sources that had no part in it.

    python -m tools.critic_training.evidence FOLDER [--pages 800]

Sources: SWDE's sites and Formasaurus's pages, read from FOLDER; best-first crawls of five lab
profiles with the shipped packs, and of three with topics that ten pages of other worlds taught.
Each counts alike and has a bias and a silence of its own, so that the other weights do not depend
on its mixture of forms. Takes ten minutes; the last line is one JSON object.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.crawl import DoorEvidence, Judgement, SiteEvidence
from leadline.core.page import Page
from leadline.core.url import Site, canonical, site_of
from leadline.crawler.assembly import tune_memory
from leadline.forms.domain import DOMAINS, find_door_evidence
from leadline.forms.evidence import EvidenceWeights, add_page, sum_parts
from leadline.forms.holdings import weigh_holdings
from leadline.forms.searchable import open_searchable_judge
from leadline.learn.linear import fit_logistic, sigmoid
from leadline.page.words import PageWords, form_words
from leadline.topics.critic import Topic, TopicCritic
from leadline.topics.judges import KEYWORDS, BayesTopic, KeywordTopic, open_topic
from leadline_lab.experiments.critics import taught_topic
from leadline_lab.experiments.lab_web import open_lab_world
from leadline_lab.experiments.shelf import MemoryShelf
from leadline_lab.experiments.trial import Contender, Trial, run_trial
from leadline_lab.experiments.worlds import Truth
from tools.critic_training.real import formasaurus_forms, swde_forms
from tools.lab_statistics import sources

PACKS = (("dev", 31), ("dev-vague", 31), ("dev-loose", 31), ("demo", 31), ("small", 31))
TAUGHT = (("dev", 32), ("dev-loose", 32), ("demo", 32))
_LEAST_SEARCHABLE = 0.3
_ROWS_OF_SOURCE = 300.0
"""As which every source counts, however many doors it has."""
_STRENGTH = 1.0
_NAMES = ("words", "controls", "page", "site", "home", "doors", "records")
Numbers = NDArray[np.float64]


class FittedDoor(Struct, frozen=True):
    """A door, its site as it is known at the end, and what it is."""

    source: str
    searchable: float
    evidence: DoorEvidence
    site: SiteEvidence
    signature: str
    is_topical: bool


class Recorder:
    """A critic that notes the doors it judges, by site."""

    def __init__(self, domain: str, truth: Truth, topic: BayesTopic) -> None:
        self._domain, self._truth = domain, truth
        self._critic = TopicCritic(topic)
        self.sites: defaultdict[Site, SiteEvidence] = defaultdict(SiteEvidence)

    def judge(self, page: Page, words: PageWords) -> Judgement:
        judgement = self._critic.judge(page, words)
        site = site_of(page.url)
        self.sites[site] = add_page(self.sites[site], judgement)
        return judgement

    def doors(self, source: str) -> Iterator[FittedDoor]:
        for site in self.sites.values():
            for form in site.doors:
                number = self._truth.form(form.form)
                is_own = number is not None and self._domain in self._truth.domains_of(number)
                if form.evidence is not None:
                    yield FittedDoor(
                        source, form.searchable, form.evidence, site, form.signature, is_own
                    )


def read_lab(worlds: Sequence[tuple[str, int]], pages: int, *, taught: bool) -> list[FittedDoor]:
    found: list[FittedDoor] = []
    with tune_memory():
        for profile, seed in worlds:
            world, make_fetcher = open_lab_world(profile, seed)
            shelf = MemoryShelf(1 << 30)
            for domain in DOMAINS:
                topic = taught_topic(world, domain, 10) if taught else open_topic(domain)
                if not isinstance(topic, BayesTopic):
                    raise TypeError(f"the topic {domain} is no pack")
                recorder = Recorder(domain, world.truth, topic)
                trial = Trial(Contender("baseline_sc"), profile, seed, domain, pages)
                run_trial(trial, world, make_fetcher, shelf, recorder)
                found += recorder.doors(f"taught {profile}" if taught else profile)
    return found


def read_real(folder: Path, *, by_words: bool) -> Iterator[FittedDoor]:
    """By the shipped packs, or by eight words for each domain, as a user has them. Of doubtful
    domains nothing is said. SWDE has no home pages, Formasaurus one page a site."""
    topics: dict[str, Topic] = {
        name: KeywordTopic(name, KEYWORDS[name]) if by_words else open_topic(name)
        for name in DOMAINS
    }
    judge, prefix = open_searchable_judge(), "words " if by_words else ""
    pages: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for row in sources.rows(folder, "pages/swde"):
        url = canonical(row["url"])
        if url is not None:
            words = PageWords(sources.read(row["html"], url))
            for name, topic in topics.items():
                pages[f"{row['vertical']}-{row['site']}", name].append(topic.relevance(words))
    for source, forms in (("swde", swde_forms(folder)), ("formasaurus", formasaurus_forms(folder))):
        for number, found in enumerate(forms):
            if not found.label.is_searchable:
                continue
            records = weigh_holdings(found.page)
            ids, words = form_words(found.form, found.page.language), PageWords(found.page)
            for name, topic in topics.items():
                if name in found.label.doubtful:
                    continue
                known = pages.get((found.owner, name)) or [topic.relevance(words)]
                evidence = find_door_evidence(
                    topic, found.form, ids, float(np.mean(known)), records
                )
                site = SiteEvidence(pages=len(known), topical=sum(known))
                yield FittedDoor(
                    f"{prefix}{source}",
                    judge.chance(found.form),
                    evidence,
                    site,
                    str(number),
                    name in found.label.domains,
                )


_PART_NAMES = {
    "its words": "words",
    "its controls": "controls",
    "its page": "page",
    "pages of its site": "site",
    "home page of its site": "home",
    "other searches of its site": "doors",
    "records or articles": "records",
}


def make_row(door: FittedDoor) -> list[float]:
    """Each evidence before its weight."""
    one = EvidenceWeights(**dict.fromkeys(EvidenceWeights.__struct_fields__, 1.0))
    parts = dict(sum_parts(door.evidence, door.site, sign=door.signature, weights=one))
    return [
        sum(parts.get(part, 0.0) for part, own in _PART_NAMES.items() if own == name)
        for name in _NAMES
    ]


class EvidenceFit(Struct, frozen=True, eq=False):
    weights: Numbers
    biases: Numbers
    silences: Numbers

    def chances(self, rows: Numbers, silence: Numbers) -> Numbers:
        odds: Numbers = rows @ self.weights + self.biases.mean() + self.silences.mean() * silence
        return sigmoid(odds)


def fit_evidence(rows: Numbers, silence: Numbers, source: Numbers, truth: Numbers) -> EvidenceFit:
    """Sources by number; every one counts alike."""
    names = np.unique(source)
    own = (source[:, None] == names[None, :]).astype(np.float64)
    shares = _ROWS_OF_SOURCE / own.sum(axis=0)[np.searchsorted(names, source)]
    wide = np.hstack([rows, own, own * silence[:, None]])
    fit = fit_logistic(wide, truth, _STRENGTH, shares=shares)
    cut, size = len(_NAMES), len(names)
    return EvidenceFit(
        fit.weights[:cut], fit.intercept + fit.weights[cut : cut + size], fit.weights[cut + size :]
    )


def study(doors: Sequence[FittedDoor]) -> dict[str, Any]:
    """The weights, and how those of the other sources do on each."""
    doors = [door for door in doors if door.searchable >= _LEAST_SEARCHABLE]
    names = sorted({door.source for door in doors})
    source = np.array([names.index(door.source) for door in doors], np.float64)
    rows = np.array([make_row(door) for door in doors])
    silence = np.array([1 / (1 + door.evidence.known) for door in doors])
    truth = np.array([door.is_topical for door in doors], np.float64)
    searchable = np.array([door.searchable for door in doors])
    whole = fit_evidence(rows, silence, source, truth)
    report: dict[str, Any] = {
        "weights": dict(zip(_NAMES, whole.weights.round(3).tolist(), strict=True)),
        "bias": round(float(whole.biases.mean()), 3),
        "silence": round(float(whole.silences.mean()), 3),
        "silence_deviation": round(float(whole.silences.std()), 3),
        "biases": dict(zip(names, whole.biases.round(2).tolist(), strict=True)),
        "silences": dict(zip(names, whole.silences.round(2).tolist(), strict=True)),
        "shares": {n: round(float(truth[source == i].mean()), 3) for i, n in enumerate(names)},
        "share": round(float(np.mean([truth[source == n].mean() for n in range(len(names))])), 3),
        "left_out": {},
    }
    for number, name in enumerate(names):
        others, own = source != number, source == number
        fit = fit_evidence(rows[others], silence[others], source[others], truth[others])
        said = searchable[own] * fit.chances(rows[own], silence[own]) >= 0.5
        is_own = truth[own] > 0
        report["left_out"][name] = {
            "doors": int(own.sum()),
            "topical": int(is_own.sum()),
            "precision": round(float(is_own[said].mean()), 3) if said.any() else None,
            "recall": round(float(said[is_own].mean()), 3),
        }
    return report


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.critic_training.evidence")
    parser.add_argument("folder", type=Path, help="the folder of real data")
    parser.add_argument("--pages", type=int, default=800, help="of each crawl")
    options = parser.parse_args()
    doors = list(read_real(options.folder, by_words=False))
    doors += read_real(options.folder, by_words=True)
    if not options.pages:
        sys.stdout.write(json.dumps(study(doors)) + "\n")
        return
    doors += read_lab(PACKS, options.pages, taught=False)
    doors += read_lab(TAUGHT, options.pages, taught=True)
    sys.stdout.write(json.dumps(study(doors)) + "\n")


if __name__ == "__main__":
    main()
