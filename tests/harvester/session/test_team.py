"""Harvests shared out to several workers on one store."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import pytest

from leadline.config import Config, load_config
from leadline.core.harvest import HarvestSource
from leadline.crawler.harvests.team import begin_harvest_run, open_harvest_worker
from leadline.store.memory import MemoryStore
from tests.harvester.session.http_shelf import ShelfSite, opening
from tests.harvester.session.sources import Shelf
from tests.store.harvest_samples import subject

SUBJECTS = [subject(f"form-{number}") for number in range(3)]


@pytest.fixture
async def site() -> AsyncIterator[ShelfSite]:
    async with ShelfSite(Shelf()) as served:
        yield served


@pytest.fixture
def config(site: ShelfSite) -> Config:
    settings = {
        "web.resolve": {"*": site.address},
        "politeness.delay_s": 0.0,
        "harvest.min_yield": 0.0,
        "harvest.concurrency": 2,
        "cluster.lease_s": 2.0,
        "cluster.learner_timeout_s": 3.0,
        "cluster.lease_margin_s": 0.1,
        "web.total_timeout_s": 1.0,
    }
    return load_config(settings=settings)[0]


async def take_part(config: Config, store: MemoryStore, name: str) -> dict[str, str]:
    async with open_harvest_worker(config, store, name, opening()) as worker:
        await worker.run(SUBJECTS)
        return worker.reasons


def drawn(store: MemoryStore, one: HarvestSource) -> tuple[int, int]:
    """Records of a form, and how often a record was kept."""
    head = store.harvests.find(one.signature)
    assert head is not None
    keys = Counter(kept.record.key for kept in store.harvests.records(head.id))
    return len(keys), max(keys.values())


async def test_each_form_is_harvested_by_one_worker(config: Config) -> None:
    store = MemoryStore()
    assert begin_harvest_run(store)
    done = await asyncio.gather(*(take_part(config, store, f"w{n}") for n in range(2)))
    assert sorted([*done[0], *done[1]]) == [one.signature for one in SUBJECTS]
    assert {drawn(store, one) for one in SUBJECTS} == {drawn(store, SUBJECTS[0])}
    assert drawn(store, SUBJECTS[0])[1] == 1


async def test_what_a_killed_worker_had_begun_is_finished_by_another(
    config: Config, site: ShelfSite
) -> None:
    whole = MemoryStore()
    begin_harvest_run(whole)
    await take_part(config, whole, "alone")
    store = MemoryStore()
    begin_harvest_run(store)
    asked = len(site.log)
    dying = asyncio.create_task(take_part(config, store, "dying"))
    while len(site.log) < asked + 5:  # noqa: ASYNC110 (the log is the site's)
        await asyncio.sleep(0.001)
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)
    await take_part(config, store, "heir")
    assert [drawn(store, one) for one in SUBJECTS] == [drawn(whole, one) for one in SUBJECTS]
