"""How well the words near a link tell whether its target is relevant, by how far they stand.

    python bench/apprentice.py [--seeds 21 22] [--domains hotel job] [--pages 4000] [--by-site]

Links and their targets' relevance are those of baseline crawls of lab worlds, judged by the
shipped critic. For each d_max: accuracy on pages that did not teach, or with --by-site on sites
that did not, with offsets and as a bag of words; and for each offset the information of its best
words. The last line is JSON.
"""

import argparse
import asyncio
import json

import uvloop

from leadline.core.crawl import Budget
from leadline.crawler.assembly import tune_memory
from leadline.crawler.crawl import Crawl, CrawlParts
from leadline.crawler.decisions import CrawlPlan
from leadline.crawler.links import LinkRules, Scope, make_seed
from leadline.store.memory import MemoryStore
from leadline.strategies.baseline import BaselineSettings
from leadline_lab.experiments.critics import make_critic
from leadline_lab.experiments.lab_web import open_lab_world
from leadline_lab.experiments.link_study import LinkExample, Watcher, accuracies, information
from leadline_lab.experiments.pages import CachedWeb
from leadline_lab.experiments.shelf import MemoryShelf
from leadline_lab.experiments.trial import Ticks

SEED_URLS = 10


async def examples_of(profile: str, world_seed: int, domain: str, pages: int) -> list[LinkExample]:
    """The links a baseline crawl follows."""
    world, make_fetcher = open_lab_world(profile, world_seed)
    now, watcher, store = Ticks(), Watcher(BaselineSettings(threshold=0.5)), MemoryStore()
    web = CachedWeb(world, make_fetcher, MemoryShelf(), now)
    store.links.put([make_seed(url) for url in world.seeds(domain, SEED_URLS)])
    parts = CrawlParts(store, web, web.reader(make_critic("pack", world, domain)), watcher)
    plan = CrawlPlan("pages", Budget(pages=pages), LinkRules(Scope().why_not), width=1)
    await Crawl(parts, plan, now).run()
    await web.close()
    return watcher.examples


def study(
    profile: str, world_seed: int, domain: str, pages: int, *, by_site: bool
) -> dict[str, object]:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        examples = runner.run(examples_of(profile, world_seed, domain, pages))
    found = accuracies(examples, by_site=by_site)
    for row in found:
        kind = "bag" if row.is_bag else "offsets"
        print(
            f"{domain:<10}{world_seed:<5}{kind:<9}d_max {row.d_max}  accuracy {row.accuracy:.3f}  "
            f"of high {row.of_high:.3f}  of low {row.of_low:.3f}  {row.features} features",
            flush=True,
        )
    return {
        "domain": domain,
        "world": world_seed,
        "links": len(examples),
        "high": sum(example.is_high for example in examples),
        "accuracy": [
            {
                "d_max": r.d_max,
                "bag": r.is_bag,
                "all": r.accuracy,
                "high": r.of_high,
                "low": r.of_low,
            }
            for r in found
        ],
        "information": information(examples),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", default="dev")
    parser.add_argument("--seeds", type=int, nargs="+", default=[21, 22])
    parser.add_argument("--domains", nargs="+", default=["hotel", "job"])
    parser.add_argument("--pages", type=int, default=4_000)
    parser.add_argument("--by-site", action="store_true")
    asked = parser.parse_args()
    with tune_memory():
        found = [
            study(asked.profile, world_seed, domain, asked.pages, by_site=asked.by_site)
            for world_seed in asked.seeds
            for domain in asked.domains
        ]
    print(json.dumps({"studies": found}))


if __name__ == "__main__":
    main()
