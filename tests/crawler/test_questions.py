"""Questions of workers on a shared store: each is asked once, and not lost to a busy service."""

import asyncio

from leadline.core.crawl import BacklinkQuery, Budget
from leadline.core.ports import BacklinkAnswer
from leadline.core.url import Url
from leadline.crawler.links import make_seed
from leadline.crawler.questions import SPREAD_S, TRIES, Questions
from leadline.crawler.store_calls import StoreCalls, run_at_once
from leadline.errors import SiteBusyError
from leadline.store.shared.memory import MemoryShared
from leadline.store.shared.tables import Tables
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


def begun() -> Tables:
    tables = Tables()
    shared = MemoryShared(tables, "", lambda: 0.0, lambda: 0.0)
    shared.put([make_seed(ABOUT.url)])
    shared.begin(Budget())
    return tables


def questions(tables: Tables, service: Service | None, worker: str = "w") -> Questions:
    time = asyncio.get_running_loop().time
    shared = MemoryShared(tables, "", time, time)
    return Questions(shared, StoreCalls(run_at_once), service, worker, now=time)


async def put(asking: Questions) -> bool:
    """Whether it was answered."""
    curious = Curious()
    await asking.ask(ABOUT, curious, WIDE.rules, 7)
    return bool(curious.told)


async def put_alone(tables: Tables, service: Service | None) -> bool:
    return await put(questions(tables, service))


def test_a_busy_service_is_waited_for() -> None:
    tables, service = begun(), Service(busy=3)

    async def main() -> tuple[bool, float]:
        answered = await put(questions(tables, service))
        return answered, asyncio.get_running_loop().time()

    answered, at = in_virtual_time(main)
    assert answered
    assert 6.0 <= at < 7.0
    assert HUB in tables.known
    assert tables.spent == 1


def test_a_service_that_stays_busy_is_given_up() -> None:
    tables, service = begun(), Service(busy=1_000)
    assert not in_virtual_time(lambda: put_alone(tables, service))
    assert service.asked == TRIES
    assert [event.kind for event in tables.events] == ["not-answered"]


def test_who_leaves_waits_for_no_service() -> None:
    tables, service = begun(), Service(busy=1_000)

    async def main() -> float:
        asking = questions(tables, service)
        waiting = asyncio.create_task(put(asking))
        await asyncio.sleep(1.0)
        asking.leave()
        assert not await waiting
        return asyncio.get_running_loop().time()

    assert in_virtual_time(main) < 2.0
    assert service.asked == 2


def test_a_question_is_asked_by_one_worker() -> None:
    tables, service = begun(), Service(busy=0)

    async def main() -> list[bool]:
        return [await put(questions(tables, service, worker)) for worker in ("w", "v")]

    assert in_virtual_time(main) == [True, False]
    assert service.asked == 1


def test_nobody_asks_before_all_have_heard_what_another_asked() -> None:
    tables, service = begun(), Service(busy=0)
    other = BacklinkQuery(Url("http://b.test/"))

    async def main() -> list[int]:
        asking, curious = questions(tables, service, "v"), Curious()
        await put(questions(tables, service, "w"))
        counts = []
        for wait_s in (SPREAD_S / 2, SPREAD_S):
            await asyncio.sleep(wait_s)
            await asking.ask(other, curious, WIDE.rules, 7)
            counts.append(len(curious.told))
        return counts

    assert in_virtual_time(main) == [0, 1]


def test_nobody_is_asked_where_there_is_nobody() -> None:
    assert not in_virtual_time(lambda: put_alone(begun(), None))
