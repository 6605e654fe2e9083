"""How well pages and home pages of lab worlds are told by topic, and how quickly.

    python bench/topics.py [--profile dev] [--seeds 201 202 203] [--sites 40] [--rounds 3]

Judged are worlds that nothing was chosen on, by three judges of each of the twelve domains: its
pack, made from real pages and written words only; a topic taught by ten home pages of ten sites
drawn from what a user might know, the background knowing nothing of the domain; and a list of
keywords. Home pages are judged as sites. Of each sample a quarter is about the domain. Figures
are means over worlds; the last line is JSON.

Speed is in pages per second of one core, for one topic: of pages whose words are numbered, as
they are in every crawl, and with the numbering.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from leadline.core.page import Page
from leadline.core.url import Url, host_of, site_of
from leadline.learn.evaluation import measure_scores
from leadline.page.words import PageWords
from leadline.topics.background import Background, shipped_background
from leadline.topics.judges import KEYWORDS, BayesTopic, KeywordTopic, open_topic
from leadline.topics.training import teach_topic
from leadline_lab.draw import Draw, key_of
from leadline_lab.examples import Examples
from leadline_lab.profile import profile_named
from leadline_lab.sites.domains import DOMAINS
from leadline_lab.world import World

Figures = dict[str, float]
TAUGHT_BY = 10
OFF_TOPIC = 3
"""Pages off the topic for each on it."""
PAGES_OF_A_SITE = 3


class Seen(NamedTuple):
    """A page of a world and the truth about it."""

    words: PageWords
    page: Page
    host: str
    site: str
    topic: str
    is_home: bool


class Judges(NamedTuple):
    """What is compared for one domain."""

    pack: BayesTopic
    taught: BayesTopic
    keywords: KeywordTopic


def look(world: World, sites: int) -> list[Seen]:
    """Home pages and others of `sites` sites of each domain, and of as many of any other topic
    together as of all domains."""
    examples = Examples(world)
    populations = world.census.populations
    groups = {name: [p for p in populations if p.topic == name] for name in DOMAINS}
    groups["background"] = [p for p in populations if p.topic not in DOMAINS]
    found = []
    for name, group in groups.items():
        wanted = sites if name in DOMAINS else sites * len(DOMAINS)
        for site in examples.sites(group, wanted, f"topics: {name}"):
            found += _pages_of(examples, site)
    return found


def _pages_of(examples: Examples, site: int) -> list[Seen]:
    estate = examples.world.estate(site)
    draw = Draw(key_of(estate.plan.key, "pages judged by topic"))
    numbers = {0, *(draw.below(estate.plan.pages) for _ in range(PAGES_OF_A_SITE))}
    urls = [estate.root + estate.paths.page(estate.plan.place(n)) for n in sorted(numbers)]
    pages = [page for url in urls if (page := examples.fetch(Url(url))) is not None]
    return [_seen(examples, page) for page in pages]


def _seen(examples: Examples, page: Page) -> Seen:
    truth = examples.truth.page(page.url)
    host = host_of(site_of(page.url))
    return Seen(PageWords(page), page, host, str(truth.site), truth.topic, truth.kind == "home")


def judges_of(name: str, world: World, background: Background) -> Judges:
    pack = open_topic(name)
    assert isinstance(pack, BayesTopic)
    return Judges(pack, taught_by_ten(name, world, background), KeywordTopic(name, KEYWORDS[name]))


def taught_by_ten(name: str, world: World, background: Background) -> BayesTopic:
    """By home pages a user might know; the background has never heard of the domain."""
    shown = Examples(world).known(name, TAUGHT_BY)
    return teach_topic(name, [PageWords(page) for page in shown], background.without([name]))


def figures_of(seen: Sequence[Seen], name: str, chances: Sequence[float]) -> Figures:
    """Of the pages about the domain, and of thrice as many others, evenly."""
    about = [at for at, one in enumerate(seen) if one.topic == name]
    others = [at for at, one in enumerate(seen) if one.topic != name]
    step = max(1, len(others) // (OFF_TOPIC * len(about)))
    sample = about + others[::step][: OFF_TOPIC * len(about)]
    labels = np.array([seen[at].topic == name for at in sample])
    said = np.array([chances[at] for at in sample])
    found = measure_scores(said, labels, [seen[at].site for at in sample])
    return {
        "accuracy": 1 - found.error.value,
        "precision": found.precision.value,
        "recall": found.recall.value,
        "f1": _f1(found.precision.value, found.recall.value),
        "calibration": found.calibration.value,
    }


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / max(1e-9, precision + recall)


def judged(world: World, sites: int) -> dict[str, dict[str, Figures]]:
    """By judge and domain."""
    background = shipped_background()
    seen = look(world, sites)
    homes = [one for one in seen if one.is_home]
    found: dict[str, dict[str, Figures]] = {}
    for name in DOMAINS:
        judges = judges_of(name, world, background)
        for kind, judge in judges._asdict().items():
            chances = [judge.relevance(one.words) for one in seen]
            found.setdefault(f"{kind} pages", {})[name] = figures_of(seen, name, chances)
        for kind, site_judge in (("pack", judges.pack), ("taught", judges.taught)):
            chances = [site_judge.site_relevance(one.words, one.host) for one in homes]
            found.setdefault(f"{kind} sites", {})[name] = figures_of(homes, name, chances)
    return found


def speed(world: World, rounds: int) -> dict[str, int]:
    """Pages judged in a second of processor time."""
    seen = look(world, 10)
    topic = open_topic("book")
    pages = [one.page for one in seen]
    numbered, whole = [], []
    for _ in range(rounds):
        began = time.process_time()
        for one in seen:
            topic.relevance(one.words)
        numbered.append(time.process_time() - began)
        began = time.process_time()
        for page in pages:
            topic.relevance(PageWords(page))
        whole.append(time.process_time() - began)
    words = [len(one.words.body) for one in seen]
    return {
        "words_of_a_page": round(median(words)),
        "pages_per_s_numbered": round(len(pages) / median(numbered)),
        "pages_per_s_with_numbering": round(len(pages) / median(whole)),
    }


def averaged(worlds: Sequence[dict[str, dict[str, Figures]]]) -> dict[str, dict[str, Figures]]:
    """Means over worlds, and over domains as `all`."""
    found: dict[str, dict[str, Figures]] = {}
    for judge, domains in worlds[0].items():
        rows = {
            name: {
                key: round(mean(world[judge][name][key] for world in worlds), 4) for key in figures
            }
            for name, figures in domains.items()
        }
        keys = next(iter(rows.values()))
        rows["all"] = {key: round(mean(row[key] for row in rows.values()), 4) for key in keys}
        found[judge] = rows
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", default="dev")
    parser.add_argument("--seeds", type=int, nargs="+", default=[201, 202, 203])
    parser.add_argument("--sites", type=int, default=40, help="of each domain in each world")
    parser.add_argument("--rounds", type=int, default=3, help="of the measurement of speed")
    asked = parser.parse_args()
    profile = profile_named(asked.profile)
    quick = speed(World(profile, asked.seeds[0]), asked.rounds)
    found = averaged([judged(World(profile, seed), asked.sites) for seed in asked.seeds])
    for judge, rows in found.items():
        print(f"{judge}:")
        for name, figures in rows.items():
            print(f"  {name:<10} " + "  ".join(f"{k} {v:.3f}" for k, v in figures.items()))
    taught = found["taught pages"]["all"]["f1"] / found["pack pages"]["all"]["f1"]
    told: dict[str, object] = {
        "profile": asked.profile,
        "seeds": asked.seeds,
        **{judge: rows["all"] for judge, rows in found.items()},
        "by_domain": found,
        "taught_f1_of_pack": round(taught, 4),
        **quick,
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
