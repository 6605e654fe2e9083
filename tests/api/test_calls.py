"""`leadline.crawl` and `leadline.harvest`, as programs and notebooks call them."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import leadline
import leadline.harvester.policies  # what was imported must not hide the function
from leadline.api.calls import run_to_end
from leadline.core.store import Store
from leadline.crawler.crawl import Crawl
from leadline.errors import ConfigError, StoreError
from tests.api.bookshop import HOME

Way = dict[str, object]


def test_a_crawl_in_one_call(way: Way, tmp_path: Path) -> None:
    store = tmp_path / "a.leadline"
    result = leadline.crawl("book", [HOME], store=store, pages=8, settings=way)
    assert result.reason in ("budget: pages", "nothing left to follow")
    assert result.counts.forms == 1
    assert result.store == str(store)


def test_a_store_goes_on_with_its_own_topic_and_settings(way: Way, tmp_path: Path) -> None:
    store = tmp_path / "a.leadline"
    first = leadline.crawl("book", HOME, store=store, pages=1, settings=way)
    assert first.reason == "budget: pages"
    second = leadline.crawl(store=store, pages=3)
    assert second.counts.visits == 3
    with leadline.open_store(store) as results:
        assert results.settings["topic"]["name"] == "book"


def test_a_config_says_everything(way: Way) -> None:
    settings = {**way, "topic.name": "book", "seeds": [HOME], "budget.pages": 2}
    config, _ = leadline.load_config(settings={**settings, "store.path": ":memory:"})
    assert leadline.crawl(config).counts.visits == 2
    with pytest.raises(ConfigError, match=r"a Config says everything, and budget.pages"):
        leadline.crawl(config, pages=5)
    with pytest.raises(ConfigError, match=r"a Config says everything, and harvest.policy"):
        leadline.harvest(HOME, config, policy="gf")


def test_the_same_in_code_that_awaits(way: Way, tmp_path: Path) -> None:
    store = tmp_path / "a.leadline"

    async def both() -> tuple[leadline.CrawlResult, leadline.HarvestResult]:
        found = await leadline.crawl_async("book", HOME, store=store, pages=8, settings=way)
        return found, await leadline.harvest_async("all", store, requests=30)

    found, drawn = asyncio.run(both())
    assert found.counts.forms == 1
    assert drawn.harvests[0].tally.records > 0


def test_calls_that_wait_work_where_a_loop_runs_as_in_a_notebook(way: Way) -> None:
    here: list[threading.Thread] = []

    def note(_crawl: Crawl, _store: Store) -> None:
        here.append(threading.current_thread())

    async def cell() -> leadline.CrawlResult:
        return leadline.crawl("book", HOME, store=":memory:", pages=1, settings=way, on_start=note)

    assert asyncio.run(cell()).counts.visits == 1
    assert here[0] is not threading.main_thread()


def test_ctrl_c_in_a_notebook_ends_the_work_and_waits_for_it() -> None:
    ended = threading.Event()

    async def endless() -> None:
        try:
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def cell() -> None:
        run_to_end(endless)

    loop = asyncio.new_event_loop()
    try:
        with pytest.raises(KeyboardInterrupt):
            loop.run_until_complete(cell())
    finally:
        loop.close()
    assert ended.is_set()


def test_what_goes_wrong_beside_a_loop_is_raised_to_the_caller() -> None:
    async def broken() -> None:
        raise ConfigError("no")

    async def cell() -> None:
        run_to_end(broken)

    with pytest.raises(ConfigError, match="no"):
        asyncio.run(cell())


def test_what_is_impossible_is_said_before_anything_is_fetched(tmp_path: Path) -> None:
    store = tmp_path / "a.leadline"
    with pytest.raises(ConfigError, match="no topic"):
        leadline.crawl(seeds=HOME, store=store)
    with pytest.raises(ConfigError, match="did you mean 'sitewise'"):
        leadline.crawl("book", HOME, store=store, strategy="sitwise")
    with pytest.raises(ConfigError, match=r"budget.pages is given twice"):
        leadline.crawl("book", HOME, store=store, pages=3, settings={"budget.pages": 4})
    with pytest.raises(ConfigError, match="no such file, and no URL"):
        leadline.crawl("book", tmp_path / "seeds.txt", store=store)
    with pytest.raises(StoreError, match=r"leadline.crawl\(..., store="):
        leadline.open_store(store)
    assert not store.exists()


def test_seeds_may_be_a_file(way: Way, tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_text(f"{HOME}  # the shop\n", encoding="utf-8")
    result = leadline.crawl("book", seeds, store=":memory:", pages=1, settings=way)
    assert result.counts.visits == 1


def test_importing_leadline_loads_no_crawler_and_names_everything() -> None:
    code = (
        "import sys, leadline; assert set(leadline.__all__) <= set(dir(leadline));"
        "print([m for m in ('aiohttp', 'numpy', 'pydantic', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ}
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", leadline.__all__)
def test_every_name_leads_somewhere(name: str) -> None:
    assert callable(getattr(leadline, name))
