"""Pages that kill, hang or bloat their reader cost their own visits; more in bench/readers.py."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from leadline.config import Config, load_config
from leadline.crawler.assembly import crawl_async
from leadline.crawler.harvests.assembly import harvest_forms_async
from leadline.crawler.team import begin_run, join_team
from leadline.errors import UnreadablePageError
from leadline.plugins import NoSettings, Part
from leadline.store import open_store_view
from leadline.store.memory import MemoryStore
from leadline.topics.critic import CRITICS
from tests.crawler.harmful import HarmfulCritic
from tests.server.harmful_site import HarmfulSite

MakeConfig = Callable[..., Config]


@pytest.fixture
async def site() -> AsyncIterator[HarmfulSite]:
    served = HarmfulSite(pages=100, hosts=5, is_costly=False)
    await served.start(0)
    yield served
    await served.stop()


@pytest.fixture
def config(
    site: HarmfulSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Config]:
    part = Part(lambda _settings, _topic: HarmfulCritic(), NoSettings)
    monkeypatch.setitem(CRITICS, "harmful", part)

    def make(**changes: Any) -> Config:
        settings = {
            "seeds": [site.url(0)],
            "topic.name": "book",
            "topic.critic": "harmful",
            "strategy.name": "breadth_first",
            "web.resolve": {"*": f"127.0.0.1:{site.port}"},
            "politeness.delay_s": 0.0,
            # By the clock five times as much: enough for harmless pages on a busy machine.
            "page.max_seconds": 1.0,
            "page.max_memory_mb": 64,
            "store.path": str(tmp_path / "crawl.leadline"),
            "budget.pages": 0,
            # Its pages differ in a number only.
            "scope.leave_traps": False,
        }
        named = {name.replace("__", "."): value for name, value in changes.items()}
        return load_config(settings={**settings, **named})[0]

    return make


@pytest.mark.parametrize("processes", [1, 2])
async def test_a_crawl_ends_by_itself_and_records_every_harmless_page_once(
    site: HarmfulSite, config: MakeConfig, processes: int
) -> None:
    settings = config(crawl__parse_processes=processes)
    assert (await crawl_async(settings)).reason == "nothing left to follow"
    view = open_store_view(settings.store.path)
    outcomes = sorted((visit.url, visit.outcome) for visit in view.reader.visits())
    lost = [event for event in view.reader.events() if event.kind == "reader-lost"]
    view.close()
    told = {True: "unreadable", False: "page"}
    pages = range(site.pages)
    assert outcomes == sorted((site.url(n), told[site.is_harmful(n)]) for n in pages)
    assert sorted(event.subject for event in lost) == sorted(
        site.url(n) for n in pages if site.is_harmful(n)
    )


async def test_workers_of_a_team_outlive_their_readers_too(
    site: HarmfulSite, config: MakeConfig
) -> None:
    store = MemoryStore()
    settings = config(strategy__fallback="", budget__pages=100)
    begin_run(store, settings)
    async with join_team(settings, store, "w") as member:
        await member.run()
    visits = list(store.reader.visits())
    assert sum(visit.outcome == "page" for visit in visits) == len(site.harmless)
    assert sum(visit.outcome == "unreadable" for visit in visits) == site.pages // 20


async def test_a_harvest_of_a_page_that_takes_too_long_fails_with_the_reason(
    config: MakeConfig,
) -> None:
    costly = HarmfulSite(pages=20, hosts=1, is_costly=True)
    await costly.start(0)
    resolve = {"*": f"127.0.0.1:{costly.port}"}
    settings = config(web__resolve=resolve, page__max_seconds=0.02)
    with pytest.raises(UnreadablePageError, match="more than 0"):
        await harvest_forms_async(settings, costly.url(19))
    await costly.stop()
