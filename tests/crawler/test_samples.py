"""What waits is noted in the course of a crawl, by the names of the strategy's queues."""

from collections.abc import Callable
from pathlib import Path

from msgspec import structs

from leadline.config import Config
from leadline.core.crawl import Counts
from leadline.core.events import FURTHER, MOST_QUEUES, Sample, sample_event, sample_of
from leadline.core.store import Store
from leadline.crawler.assembly import open_crawl
from leadline.strategies import make_strategy

MakeConfig = Callable[..., Config]


def samples(store: Store) -> list[Sample]:
    return [sample_of(event) for event in store.reader.events() if event.kind == "sample"]


async def test_what_waits_is_noted_now_and_then_and_at_the_end(
    config: MakeConfig, tmp_path: Path
) -> None:
    settings = config(store__path=str(tmp_path / "c.leadline"), budget__pages=35)
    async with open_crawl(settings) as (crawl, store):
        crawl.plan = structs.replace(crawl.plan, sample_visits=10)
        await crawl.run()
        told, counts = samples(store), store.reader.counts()
        kinds = [event.kind for event in store.reader.events()]
    assert [sample.visits for sample in told[:-1]] == list(range(10, counts.visits, 10))
    assert told[-1] == Sample(
        counts.visits, counts.pages, {"links": counts.waiting}, told[-1].sites
    )
    assert 0 < told[-1].sites <= 4
    assert kinds[-2:] == ["sample", "stopped"]


async def test_a_short_crawl_has_one_sample_and_an_idle_one_none(config: MakeConfig) -> None:
    async with open_crawl(config()) as (crawl, store):
        await crawl.run()
        assert [sample.queues for sample in samples(store)] == [{"links": 0}]
    async with open_crawl(config(budget__forms=1)) as (crawl, store):
        crawl.stop()
        await crawl.run()
        assert samples(store) == []


def test_strategies_name_their_queues_in_words() -> None:
    tiers = {0: 5, 1: 3, 2: 1}
    assert make_strategy("breadth_first", {}).name_queues(tiers) == {"links": 9}
    assert make_strategy("smartcrawler", {}).name_queues(tiers) == {
        "high sites": 0, "low sites": 0, "links inside sites": 9,
    }  # fmt: skip
    assert make_strategy("sitewise", {}).name_queues(tiers) == {"sites": 0, "links inside sites": 9}
    named = make_strategy("ffc", {"levels": 2}).name_queues({0: 5, 2: 1, 4: 7})
    assert named == {
        "crawling: level 1": 5, "crawling: level 2": 0, "crawling: no form": 1,
        "persistent: level 1": 0, "persistent: level 2": 7, "persistent: no form": 0,
    }  # fmt: skip


def test_a_sample_stays_small_whatever_a_strategy_does() -> None:
    queues = {f"tier {n}": n for n in range(MOST_QUEUES + 5)}
    sample = sample_of(sample_event(1.0, Counts(), queues, 3))
    assert len(sample.queues) == MOST_QUEUES + 1
    assert sum(sample.queues.values()) == sum(queues.values())
    assert list(sample.queues)[-1] == FURTHER
