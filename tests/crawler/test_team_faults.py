"""Workers die, stall and lose their database at any moment: nothing is lost, doubled or early."""

import asyncio
import random
from collections import Counter

import msgspec
import pytest

from leadline.core.store import STOPPED
from leadline.crawler.lessons import unpack_model
from leadline.crawler.team import begin_run
from leadline.strategies.smart.memory import SmartCrawlerMemory
from tests.crawler.virtual import Office, Web, in_virtual_time, settings
from tests.server.good import Town

TOWN = Town(pages=60, hosts=6)
DELAY_S = 1.0


def check(office: Office) -> None:
    """The store against what the web has and was asked for."""
    reader = office.store.reader
    visits = [visit for visit in reader.visits() if visit.outcome == "page"]
    assert Counter(visit.url for visit in visits) == Counter(map(TOWN.url, range(TOWN.pages)))
    with_forms = {TOWN.host(n) for n in range(TOWN.pages) if TOWN.has_search_form(n)}
    found = [f.site for f in reader.forms() if f.judged.searchable >= 0.5]
    assert Counter(found) == Counter(with_forms)
    assert min(office.web.gaps()) >= DELAY_S
    assert office.store.run.state().state == STOPPED


async def crowd(office: Office, dice: random.Random, kills: int) -> None:
    """Three members; one of them is killed now and then, and another comes."""
    begin_run(office.store, office.config)
    names = iter(f"w{number}" for number in range(1_000))
    tasks = [asyncio.create_task(office.take_part(next(names), dice)) for _ in range(3)]
    for _ in range(kills):
        await asyncio.sleep(dice.uniform(0.0, 8.0))
        victim = dice.randrange(len(tasks))
        if dice.random() < 0.3:
            office.dead_until["w" + str(victim)] = asyncio.get_running_loop().time() + 30.0
        tasks[victim].cancel()
        await asyncio.gather(tasks[victim], return_exceptions=True)
        tasks[victim] = asyncio.create_task(office.take_part(next(names), dice))
    await asyncio.gather(*tasks)


@pytest.mark.parametrize("seed", range(8))
def test_members_killed_at_any_moment_lose_nothing_double_nothing_and_hurry_nobody(
    seed: int,
) -> None:
    async def main() -> Office:
        office = Office(settings(TOWN, cluster__pages_per_lease=1 + 3 * (seed % 2)), Web(TOWN))
        await crowd(office, random.Random(seed), kills=12)
        return office

    check(in_virtual_time(main))


@pytest.mark.parametrize("seed", range(4))
def test_every_page_is_learned_from_once_though_learners_are_killed(seed: int) -> None:
    async def main() -> Office:
        office = Office(settings(TOWN, strategy__name="sitewise"), Web(TOWN))
        await crowd(office, random.Random(seed), kills=8)
        return office

    store = in_virtual_time(main).store
    assert store.learning.lessons(0, 10) == []
    model = store.learning.model()
    assert model is not None
    taught = unpack_model(model.state)
    pages = sum(visit.outcome == "page" for visit in store.reader.visits())
    assert msgspec.msgpack.decode(taught.state, type=SmartCrawlerMemory).pages == pages
    assert taught.learned == pages


def test_a_member_that_is_cut_off_from_the_store_asks_nothing_after_its_leases() -> None:
    async def main() -> tuple[Office, float]:
        office = Office(settings(TOWN), Web(TOWN))
        begin_run(office.store, office.config)
        dice = random.Random(1)
        alone = asyncio.create_task(office.take_part("w0", dice))
        await asyncio.sleep(5.0)
        office.dead_until["w0"] = 200.0
        await asyncio.sleep(100.0)
        last = office.web.log[-1][2]
        others = [asyncio.create_task(office.take_part(f"w{n}", dice)) for n in (1, 2)]
        await asyncio.gather(alone, *others)
        return office, last

    office, last = in_virtual_time(main)
    assert last < 5.0 + office.config.cluster.lease_s
    check(office)
