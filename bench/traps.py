"""How many requests traps get, and what good sites get meanwhile, with and without leaving traps.

    python bench/traps.py [--pages 3000] [--strategy sitewise ...]
    python bench/traps.py --lab small --worlds 6 [--pages 3000]

Ten good sites of 120 detail pages each and a site for each kind of trap, in this process
(tests/server/trap_web.py). Then the processor time that watching for traps takes, per page and per
link. The last line is a JSON object.
"""

import argparse
import asyncio
import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.server.trap_web import GOOD, KINDS, TRAPS, TrapWeb

from leadline.core.crawl import Budget
from leadline.core.http import Request
from leadline.core.url import DEFAULT_RULES, Url
from leadline.crawler.crawl import Crawl, CrawlParts
from leadline.crawler.decisions import CrawlPlan
from leadline.crawler.links import LinkRules, Scope, distinct_links, make_seed
from leadline.crawler.reading import InlineReader
from leadline.crawler.traps import TrapWatch
from leadline.page.parse import PageLimits, parse_page
from leadline.store.memory import MemoryStore
from leadline.strategies import make_strategy
from leadline.topics import make_critic, open_topic
from leadline_lab.experiments.critics import make_critic as make_lab_critic
from leadline_lab.experiments.grading import Grader
from leadline_lab.experiments.lab_web import open_lab_world
from leadline_lab.experiments.pages import CachedWeb
from leadline_lab.experiments.shelf import MemoryShelf
from leadline_lab.experiments.trial import Ticks, trial_store

STRATEGIES = ("sitewise", "breadth_first", "baseline")


def crawl(strategy_name: str, pages: int, *, leave_traps: bool) -> dict[str, Any]:
    """One crawl; what was asked of each site, and what was found."""
    strategy = make_strategy(strategy_name)
    store = MemoryStore(strategy.features.width if strategy.features else 0)
    store.links.put([make_seed(Url(f"http://{host}/")) for host in (*GOOD, *TRAPS)])
    web = TrapWeb()
    critic = make_critic("hifi", open_topic("book", ()), {})
    reader = InlineReader(critic, DEFAULT_RULES, PageLimits())
    rules = LinkRules(Scope().why_not)
    plan = CrawlPlan("forms", Budget(pages=pages), rules, width=4, leave_traps=leave_traps)
    fallback = make_strategy("baseline_sc")
    began = time.process_time()
    parts = CrawlParts(store, web, reader, strategy, fallback=fallback)

    async def run() -> None:
        await Crawl(parts, plan).run()

    asyncio.run(run())
    asked = web.count_by_site()
    events = [event for event in store.reader.events() if event.kind == "trap"]
    good_pages = {url for url in web.asked if url.split("/")[2] in GOOD}
    return {
        "requests": len(web.asked),
        "good_pages": len(good_pages),
        "traps": {kind: asked.get(kind, 0) for kind in KINDS},
        "trap_requests": sum(asked.get(kind, 0) for kind in KINDS),
        "forms": store.reader.counts().forms,
        "named": len(events),
        "sites_named": sorted({event.subject.removesuffix(".test") for event in events}),
        "cpu_s": round(time.process_time() - began, 2),
    }


def crawl_lab(profile: str, seed: int, name: str, pages: int, *, leave_traps: bool) -> Counter[str]:
    """A crawl of a world of the lab, some of whose sites have traps; forms and requests by use."""

    async def run() -> Counter[str]:
        world, make_web = open_lab_world(profile, seed)
        now, strategy = Ticks(), make_strategy(name)
        web = CachedWeb(world, make_web, MemoryShelf(), now)
        grader = Grader(world.truth, "book", pages)
        width = strategy.features.width if strategy.features else 0
        store = trial_store(width, grader, keeps_paths=strategy.path_length > 0)
        store.links.put([make_seed(url) for url in world.seeds("book", 10)])
        reader = web.reader(make_lab_critic("oracle", world, "book"))
        rules = LinkRules(Scope().why_not)
        plan = CrawlPlan("forms", Budget(pages=pages), rules, width=1, leave_traps=leave_traps)
        await Crawl(CrawlParts(store, web, reader, strategy), plan, now).run()
        await web.close()
        named = sum(event.kind == "trap" for event in store.reader.events())
        counts = Counter(forms=grader.now.forms, pages=grader.now.pages, named=named)
        return counts + Counter({"trap pages": grader.uses["trap"]})

    return asyncio.run(run())


def measure_cost(pages: int = 1_000) -> dict[str, float]:
    """Microseconds of the watch for each page and each link of good sites, all remembered."""
    web, watch = TrapWeb(), TrapWatch()
    urls = [Url(f"http://good0.test/book/{number}") for number in range(pages // 2)]
    urls += [Url(f"http://good1.test/books/page/{number % 20}") for number in range(pages // 2)]
    parsed = []
    for url in urls:
        response = asyncio.run(web.fetch(Request(url)))
        parsed.append(parse_page(response.body, url, "text/html"))
    began, links = time.process_time(), 0
    for url, page in zip(urls, parsed, strict=True):
        places = distinct_links(page.links)
        watch.learn_page(url, page, places, has_new_form=False)
        watch.learn_digest(url, hash(url), 0.0)
        watch.name_trap(url, 0.0)
        watch.sort_out(page.links, places)
        links += len(places)
    spent = time.process_time() - began
    return {
        "us_per_page": round(spent / pages * 1e6, 1),
        "us_per_link": round(spent / links * 1e6, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=3_000)
    parser.add_argument("--strategy", action="append", choices=[*STRATEGIES], default=None)
    parser.add_argument("--lab", default="", help="a profile: crawl its worlds instead")
    parser.add_argument("--worlds", type=int, default=6)
    options = parser.parse_args()
    figures: dict[str, Any] = {"pages": options.pages, "cost": measure_cost()}
    if options.lab:
        for name in options.strategy or STRATEGIES:
            for when in ("before", "after"):
                total: Counter[str] = Counter()
                for seed in range(1, options.worlds + 1):
                    is_after = when == "after"
                    total += crawl_lab(options.lab, seed, name, options.pages, leave_traps=is_after)
                figures.setdefault(name, {})[when] = dict(total)
        sys.stdout.write(json.dumps(figures | {"lab": options.lab}) + "\n")
        return
    for name in options.strategy or STRATEGIES:
        figures[name] = {
            "before": crawl(name, options.pages, leave_traps=False),
            "after": crawl(name, options.pages, leave_traps=True),
        }
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
