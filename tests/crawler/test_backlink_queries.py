"""Backlink queries of several workers: each is sent once, and not lost to a busy service."""

import asyncio

from leadline.core.crawl import BacklinkQuery, Budget
from leadline.core.ports import BacklinkAnswer
from leadline.core.url import Url
from leadline.crawler.backlink_queries import SPREAD_S, TRIES, BacklinkQueries
from leadline.crawler.links import make_seed
from leadline.crawler.store_calls import StoreCalls, run_at_once
from leadline.errors import SiteBusyError
from leadline.store.leases import StoreClock
from leadline.store.memory import MemoryStore
from tests.crawler.test_asking import WIDE, Curious
from tests.crawler.virtual import in_virtual_time

HUB = Url("http://hub.test/list")
ABOUT = BacklinkQuery(Url("http://a.test/"), "why not")


class Service:
    """Busy for some time, then it answers."""

    def __init__(self, busy: int) -> None:
        self.busy = busy
        self.asked = 0

    async def find_backlinks(self, url: Url, limit: int) -> BacklinkAnswer:
        del limit
        self.asked += 1
        if self.asked <= self.busy:
            error = SiteBusyError(url, "another worker asks it", 2.0)
            error.requests = 0
            raise error
        return BacklinkAnswer((HUB,), requests=1)


def begun() -> MemoryStore:
    time = asyncio.get_running_loop().time
    store = MemoryStore(clock=StoreClock(time, time))
    store.links.put([make_seed(ABOUT.url)])
    store.run.begin(Budget(pages=2))
    return store


def queries(store: MemoryStore, service: Service | None, worker: str = "w") -> BacklinkQueries:
    time = asyncio.get_running_loop().time
    return BacklinkQueries(store, StoreCalls(run_at_once), service, worker, now=time)


async def send(sender: BacklinkQueries) -> bool:
    """Whether it was answered."""
    curious = Curious()
    if await sender.claim(ABOUT, curious):
        await sender.send(ABOUT, curious, WIDE.rules, 7)
    return bool(curious.told)


def test_a_busy_service_is_waited_for() -> None:
    service = Service(busy=3)

    async def main() -> tuple[bool, float, MemoryStore]:
        store = begun()
        answered = await send(queries(store, service))
        return answered, asyncio.get_running_loop().time(), store

    answered, at, store = in_virtual_time(main)
    assert answered
    assert 6.0 <= at < 7.0
    assert store.pages.are_known([HUB]) == [True]


def test_a_query_counts_against_the_budget_of_pages() -> None:
    async def main() -> list[str]:
        store = begun()
        reasons = []
        for url in ("http://a.test/", "http://b.test/", "http://c.test/"):
            sender, query = queries(store, Service(busy=0)), BacklinkQuery(Url(url))
            if await sender.claim(query, Curious()):
                await sender.send(query, Curious(), WIDE.rules, 7)
            reasons.append(store.run.stop_reason())
        return reasons

    assert in_virtual_time(main) == ["", "budget: pages", "budget: pages"]


def test_a_service_that_stays_busy_is_given_up() -> None:
    service = Service(busy=1_000)

    async def main() -> tuple[bool, list[str]]:
        store = begun()
        answered = await send(queries(store, service))
        return answered, [event.kind for event in store.reader.events()]

    assert in_virtual_time(main) == (False, ["not-answered"])
    assert service.asked == TRIES


def test_who_leaves_waits_for_no_service() -> None:
    service = Service(busy=1_000)

    async def main() -> float:
        sender = queries(begun(), service)
        waiting = asyncio.create_task(send(sender))
        await asyncio.sleep(1.0)
        sender.leave()
        assert not await waiting
        return asyncio.get_running_loop().time()

    assert in_virtual_time(main) < 2.0
    assert service.asked == 2


def test_a_query_is_sent_by_one_worker() -> None:
    service = Service(busy=0)

    async def main() -> list[bool]:
        store = begun()
        return [await send(queries(store, service, worker)) for worker in ("w", "v")]

    assert in_virtual_time(main) == [True, False]
    assert service.asked == 1


def test_nobody_asks_before_all_have_heard_what_another_asked() -> None:
    other = BacklinkQuery(Url("http://b.test/"))

    async def main() -> list[int]:
        store, service = begun(), Service(busy=0)
        sender, curious = queries(store, service, "v"), Curious()
        await send(queries(store, service, "w"))
        counts = []
        for wait_s in (SPREAD_S / 2, SPREAD_S):
            await asyncio.sleep(wait_s)
            if await sender.claim(other, curious):
                await sender.send(other, curious, WIDE.rules, 7)
            counts.append(len(curious.told))
        return counts

    assert in_virtual_time(main) == [0, 1]


def test_nobody_is_asked_where_there_is_nobody() -> None:
    async def main() -> bool:
        return await send(queries(begun(), None))

    assert not in_virtual_time(main)
