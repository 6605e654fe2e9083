"""A crawl and a harvest that Ray places on two nodes of this machine."""

import asyncio
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from leadline.errors import ConfigError
from leadline.store import open_shared_store, open_store_view
from tests.postgres.ray_nodes import quiet, two_nodes
from tests.postgres.shelf import REACHED, drawn, find_form, leadline, shelf_site
from tests.server.good import GoodSite, gaps

ray = pytest.importorskip("ray")

pytestmark = pytest.mark.cluster
DELAY_S = 0.2


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with two_nodes() as place:
        yield place


@pytest.fixture
async def site():  # type: ignore[no-untyped-def]
    served = GoodSite(pages=90, hosts=6)
    await served.start(0)
    yield served
    await served.stop()


async def test_a_crawl_on_two_nodes_is_that_of_one_process_though_an_actor_is_killed(
    address: str, site: GoodSite, postgres_url: str, tmp_path: Path
) -> None:
    settings = {
        "strategy.name": "apprentice",
        "strategy.fallback": "",
        "budget.pages": 0,
        "politeness.delay_s": DELAY_S,
        "crawl.concurrency": 3,
        "cluster.lease_s": 3.0,
        "cluster.lease_margin_s": 0.3,
        "cluster.learner_timeout_s": 2.0,
        "web.total_timeout_s": 1.0,
        "web.first_byte_timeout_s": 1.0,
        "web.connect_timeout_s": 1.0,
    }
    pairs = [f"{name}={value}" for name, value in settings.items()]
    pairs.append(f'web.resolve={{"*" = "127.0.0.1:{site.port}"}}')
    command = [sys.executable, "-m", "leadline.ui.cli", "crawl", "book", "--cluster", address]
    command += ["--actors", "2", "--store", postgres_url, "--seeds", "http://site0.test/", "-q"]
    command += [part for pair in pairs for part in ("--set", pair)]
    crawling = await asyncio.create_subprocess_exec(*command, env=quiet(), cwd=tmp_path)
    await kill_a_crawler(postgres_url, site)
    assert await crawling.wait() == 0
    store = open_store_view(postgres_url)
    pages = Counter(visit.url for visit in store.reader.visits() if visit.outcome == "page")
    assert store.load("strategy:apprentice")
    store.close()
    assert pages == Counter(site.town.url(n) for n in range(90))
    assert min(gap for each in gaps(site.log).values() for gap in each) >= DELAY_S * 0.99


async def kill_a_crawler(url: str, site: GoodSite) -> None:
    """With -9, as soon as it has delivered something; Ray starts another one."""
    while len(site.log) < 10:  # noqa: ASYNC110 (the log is the site's)
        await asyncio.sleep(0.05)
    with closing(open_shared_store(url)) as shared:
        while not (busy := [one for one in shared.run.workers() if one.visits]):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    os.kill(int(busy[0].name.split("-")[-2]), signal.SIGKILL)


async def test_a_harvest_on_two_nodes_draws_up_each_record_once(
    address: str, postgres_url: str
) -> None:
    async with shelf_site() as shelf:
        form = await find_form(shelf, postgres_url)
        command = ("harvest", form, postgres_url, "--cluster", address, "--actors", "2")
        assert await leadline(shelf, *command) == 0
    assert set(drawn(postgres_url)) == REACHED
    assert set(drawn(postgres_url).values()) == {1}


@pytest.mark.parametrize("address", ["127.0.0.1:9", "ray://127.0.0.1:9", "127.0.0.1", "nowhere:x"])
def test_an_address_without_a_cluster_is_told_at_once(address: str) -> None:
    from leadline.crawler.cluster import connect  # needs Ray

    with pytest.raises(ConfigError, match="no Ray cluster"):
        connect(address)
    assert not ray.is_initialized()
