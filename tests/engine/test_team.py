"""Several workers on one shared store crawl what one process would."""

import asyncio
from collections import Counter
from collections.abc import Callable

from leadline.config import Config
from leadline.core.shared import STOPPED, Shared
from leadline.engine.calling import Calls, at_once
from leadline.engine.team import Outfit, begin_run, joined
from leadline.store.shared.memory import MemoryShared
from leadline.store.shared.tables import Tables
from tests.server.good import GoodSite

MakeConfig = Callable[..., Config]


async def take_part(config: Config, shared: Shared, name: str) -> None:
    async with joined(config, shared, name, Outfit(Calls(at_once))) as member:
        await member.run()


async def crawl(config: Config, tables: Tables, members: int) -> Shared:
    shared = MemoryShared(tables)
    begin_run(shared, config)
    names = [f"w{n}" for n in range(members)]
    await asyncio.gather(*(take_part(config, MemoryShared(tables), name) for name in names))
    return shared


async def test_a_team_visits_every_page_once(config: MakeConfig, site: GoodSite) -> None:
    tables = Tables()
    shared = await crawl(config(budget__pages=0, engine__width=2), tables, 3)
    assert shared.run().state == STOPPED
    assert shared.run().reason == "nothing left to follow"
    visited = Counter(visit.url for visit in tables.visits.values() if visit.outcome == "page")
    assert visited == Counter(site.town.url(n) for n in range(60))
    asked = Counter(entry.path for entry in site.log)
    assert asked["/robots.txt"] == 4
    assert sum(asked.values()) == 64
