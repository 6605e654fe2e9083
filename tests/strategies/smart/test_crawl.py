"""SmartCrawler in a whole crawl of a small world, with somebody to ask who links where."""

import asyncio
from itertools import pairwise

from leadline.core.crawl import Budget
from leadline.core.ports import BacklinkAnswer, Backlinks, Strategy
from leadline.core.store import Store
from leadline.core.url import Url
from leadline.crawler.crawl import Crawl, CrawlParts
from leadline.crawler.decisions import CrawlPlan
from leadline.crawler.links import LinkRules, make_seed
from leadline.store.memory import MemoryStore
from leadline.strategies.smart import SCDI, SCDISettings, SmartCrawler, SmartCrawlerSettings
from leadline_lab.experiments.critics import make_critic
from leadline_lab.experiments.lab_web import open_lab_world
from leadline_lab.experiments.pages import CachedWeb
from leadline_lab.experiments.shelf import MemoryShelf
from leadline_lab.experiments.trial import Ticks

WORLD, MAKE_FETCHER = open_lab_world("small", 21)
SHELF = MemoryShelf()
SEEDS = WORLD.seeds("hotel", 6)
EAGER = SmartCrawlerSettings(first_sites=1, learn_sites=2, learn_forms=3)


class Neighbour:
    """Says that each seed is linked to by the next one's site."""

    def __init__(self) -> None:
        self.asked: list[Url] = []

    async def find_backlinks(self, url: Url, limit: int) -> BacklinkAnswer:
        self.asked.append(url)
        named = SEEDS[(SEEDS.index(url) + 1) % len(SEEDS)] if url in SEEDS else SEEDS[0]
        return BacklinkAnswer((Url(f"{named}index-of-nothing"), url)[:limit], 1)


def crawl(
    store: Store,
    strategy: Strategy,
    pages: int,
    backlinks: Backlinks | None = None,
    goal: str = "forms",
) -> list[Url]:
    """Crawl until so many pages are paid for; all pages visited so far."""

    async def run() -> None:
        now = Ticks()
        web = CachedWeb(WORLD, MAKE_FETCHER, SHELF, now)
        reader = web.reader(make_critic("oracle", WORLD, "hotel"))
        plan = CrawlPlan(goal, Budget(pages=pages), LinkRules(lambda _: ""), width=1)
        await Crawl(CrawlParts(store, web, reader, strategy, backlinks), plan, now).run()
        await web.close()

    asyncio.run(run())
    return [visit.url for visit in store.reader.visits()]


def store_for(strategy: Strategy) -> MemoryStore:
    store = MemoryStore(strategy.features.width if strategy.features else 0)
    store.links.put([make_seed(url) for url in SEEDS])
    return store


def test_a_crawl_is_the_same_each_time_and_asks_about_seeds() -> None:
    trails, neighbours = [], [Neighbour(), Neighbour()]
    for neighbour in neighbours:
        strategy = SmartCrawler(EAGER)
        trails.append(crawl(store_for(strategy), strategy, 150, neighbour))
    assert trails[0] == trails[1]
    assert neighbours[0].asked == neighbours[1].asked
    assert set(neighbours[0].asked) & set(SEEDS)
    assert len(set(neighbours[0].asked)) == len(neighbours[0].asked)


def test_questions_are_paid_for() -> None:
    strategy, neighbour = SmartCrawler(EAGER), Neighbour()
    visited = crawl(store_for(strategy), strategy, 60, neighbour)
    assert len(visited) + len(neighbour.asked) >= 60
    assert len(strategy.reverse.asked) == len(neighbour.asked)


def test_a_crawl_goes_on_from_a_state_older_than_its_store() -> None:
    strategy = SmartCrawler(EAGER)
    store = store_for(strategy)
    crawl(store, strategy, 60)
    old = strategy.state()
    crawl(store, strategy, 120)
    heir = SmartCrawler(EAGER)
    heir.restore(old)
    visited = crawl(store, heir, 200)
    assert len(visited) == len(set(visited))
    assert len(visited) >= 200
    assert heir.queue_sizes[-1].pages > 100


def test_a_site_is_entered_by_one_page_and_explored_before_the_next() -> None:
    strategy = SCDI(SCDISettings())
    visited = crawl(store_for(strategy), strategy, 150)
    hosts = [url.split("/")[2] for url in visited]
    changes = sum(one != other for one, other in pairwise(hosts))
    assert changes + 1 == len(set(hosts))
