"""Which of the search forms that a crawl meets it accepts, with and without asking them.

    python bench/acceptance.py [--profiles judge-a judge-b judge-c] [--seeds 201] [--pages 400]
        [--topics book job hotel music] [--taught]

Best-first crawls of lab worlds by the loop that ships, over the fetcher of the lab; the truth says
what each form searches. Recall is of the topic's doors that stood on a fetched page, precision of
the stored forms with a probability of one half or more. `--taught` makes each topic from ten pages
of another world. The weights were fitted on none of these worlds. The last line is JSON.
"""

import argparse
import asyncio
import json
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from leadline.core.crawl import LIKELY, Budget
from leadline.core.url import DEFAULT_RULES
from leadline.crawler.crawl import Crawl, CrawlParts
from leadline.crawler.decisions import CrawlPlan
from leadline.crawler.links import LinkRules, Scope, make_seed
from leadline.crawler.reading import InlineReader
from leadline.page.parse import PageLimits
from leadline.store.memory import MemoryStore
from leadline.strategies import make_strategy
from leadline.topics.critic import TopicCritic
from leadline.topics.judges import open_topic
from leadline_lab.experiments.critics import taught_topic
from leadline_lab.experiments.lab_web import LabWorld, open_lab_world
from leadline_lab.server.fetcher import LabFetcher

_TAUGHT_BY = 10


async def crawl(
    world: LabWorld, domain: str, pages: int, *, ask: bool, taught: bool
) -> Counter[str]:
    """Doors met, accepted and right, and what was spent."""
    strategy = make_strategy("baseline_sc")
    store = MemoryStore(strategy.features.width if strategy.features else 0)
    store.links.put([make_seed(url) for url in world.seeds(domain, 10)])
    topic = taught_topic(world, domain, _TAUGHT_BY) if taught else open_topic(domain)
    reader = InlineReader(TopicCritic(topic), DEFAULT_RULES, PageLimits())
    rules = LinkRules(Scope().why_not)
    plan = CrawlPlan("forms", Budget(pages=pages), rules, width=4, ask_forms=ask)
    fetcher = LabFetcher(world.inside)
    await Crawl(CrawlParts(store, fetcher, reader, strategy), plan).run()
    await fetcher.close()
    found: Counter[str] = Counter()
    for stored in store.reader.forms():
        number = world.truth.form(stored.judged.form)
        is_own = number is not None and domain in world.truth.domains_of(number)
        is_accepted = stored.judged.relevant >= LIKELY
        found.update(met=is_own, accepted=is_accepted, right=is_own and is_accepted)
    events = list(store.reader.events())
    found["questions"] = sum(event.kind == "question" for event in events)
    found["probes"] = sum(event.kind == "submission" for event in events)
    found["requests"] = store.reader.counts().requests + found["probes"]
    return found


def figures(found: Counter[str]) -> dict[str, float]:
    return {
        **found,
        "recall": round(found["right"] / max(1, found["met"]), 3),
        "precision": round(found["right"] / max(1, found["accepted"]), 3),
        "probe_share": round(found["probes"] / max(1, found["requests"]), 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profiles", nargs="+", default=["judge-a", "judge-b", "judge-c"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[201])
    parser.add_argument("--topics", nargs="+", default=["book", "job", "hotel", "music"])
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--taught", action="store_true")
    options = parser.parse_args()
    report: dict[str, object] = {}
    for ask in (True, False):
        total: Counter[str] = Counter()
        by_profile: dict[str, object] = {}
        for profile in options.profiles:
            own: Counter[str] = Counter()
            for seed in options.seeds:
                world = open_lab_world(profile, seed)[0]
                if not isinstance(world, LabWorld):
                    raise TypeError(f"{profile} is no world of the lab")
                for domain in options.topics:
                    run = crawl(world, domain, options.pages, ask=ask, taught=options.taught)
                    own += asyncio.run(run)
            by_profile[profile] = figures(own)
            total += own
        report["asking" if ask else "not asking"] = {**figures(total), "profiles": by_profile}
    print(json.dumps(report))


if __name__ == "__main__":
    main()
