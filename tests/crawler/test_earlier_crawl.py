"""A second crawl, on another web of the same topic, begins with what the first one learned."""

import asyncio
from pathlib import Path

import pytest

from leadline.config import load_config
from leadline.core.crawl import Budget
from leadline.core.ports import Strategy
from leadline.core.store import Store
from leadline.crawler.crawl import Crawl, CrawlParts
from leadline.crawler.decisions import CrawlPlan
from leadline.crawler.earlier_crawl import make_taught_strategy
from leadline.crawler.links import LinkRules, make_seed
from leadline.errors import ConfigError
from leadline.store import open_store
from leadline.strategies import STRATEGIES, make_strategy
from leadline.strategies.base import can_learn
from leadline.strategies.ffc import Ffc
from leadline.strategies.smart import SmartCrawler
from leadline_lab.experiments.critics import make_critic
from leadline_lab.experiments.lab_web import open_lab_world
from leadline_lab.experiments.pages import CachedWeb
from leadline_lab.experiments.shelf import MemoryShelf
from leadline_lab.experiments.trial import Ticks
from leadline_lab.experiments.worlds import World

FIRST, MAKE_FETCHER = open_lab_world("small", 21)
SECOND, _ = open_lab_world("small", 22)
SHELVES = {id(FIRST): MemoryShelf(), id(SECOND): MemoryShelf()}
PAGES = 150
LEARNERS = sorted(
    name for name in STRATEGIES.own if can_learn(make_strategy(name)) and name != "scdi"
)


async def run(store: Store, strategy: Strategy, world: World, pages: int) -> None:
    now = Ticks()
    web = CachedWeb(world, MAKE_FETCHER, SHELVES[id(world)], now)
    seeds = world.seeds("hotel", 6)
    store.links.put([make_seed(url) for url in seeds])
    reader = web.reader(make_critic("pack", world, "hotel", 21))
    plan = CrawlPlan(
        "forms", Budget(pages=pages), LinkRules(lambda _: ""), width=8, ask_forms=False
    )
    await Crawl(CrawlParts(store, web, reader, strategy), plan, now).run()


@pytest.fixture(scope="module")
def first_crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of a crawl by a strategy that learns nothing, so that all are taught alike."""
    path = tmp_path_factory.mktemp("first") / "first.leadline"
    store = open_store(path)
    asyncio.run(run(store, make_strategy("baseline_sc"), FIRST, PAGES))
    store.close()
    return path


def taught(name: str, store: Path) -> Strategy:
    settings = {"strategy.name": name, "strategy.learn_from": str(store), "strategy.goal": "pages"}
    return make_taught_strategy(load_config(settings=settings)[0], name)


@pytest.mark.parametrize("name", LEARNERS)
def test_every_strategy_that_learns_begins_with_knowledge(name: str, first_crawl: Path) -> None:
    own = make_strategy(name)
    strategy = taught(name, first_crawl)
    assert strategy.describe_knowledge()["weights"]
    assert strategy.state() != own.state()
    heir = make_strategy(name)
    heir.restore(strategy.state())
    assert heir.describe_knowledge() == strategy.describe_knowledge()


@pytest.mark.parametrize("name", ["smartcrawler", "ache", "ffc", "anthelion"])
async def test_a_second_crawl_on_another_web_uses_it(name: str, first_crawl: Path) -> None:
    strategy = taught(name, first_crawl)
    store = open_store(":memory:", width=strategy.features.width if strategy.features else 0)
    await run(store, strategy, SECOND, 40)
    assert store.reader.counts().pages == 40
    store.close()


def test_smartcrawler_need_not_start_empty(first_crawl: Path) -> None:
    strategy = taught("smartcrawler", first_crawl)
    assert isinstance(strategy, SmartCrawler)
    assert strategy.iterations[0].pages == 0
    tables = strategy.iterations[0].tables
    assert tables.site_url
    assert tables.link_anchor


def test_ffc_takes_its_classifier_from_the_paths_of_that_crawl(first_crawl: Path) -> None:
    strategy = taught("ffc", first_crawl)
    assert isinstance(strategy, Ffc)
    assert strategy.links is not None
    assert strategy.path_length == 0
    assert strategy.links.classes == (1, 0)
    assert strategy.links.features != make_strategy("ffc").links.features  # type: ignore[attr-defined]


def test_a_store_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no store"):
        taught("ache", tmp_path / "none.leadline")
