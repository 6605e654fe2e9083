"""Workers as processes on a real PostgreSQL: killed and stopped, they lose nothing."""

import asyncio
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from leadline.core.store import STOPPED, Store
from leadline.store import open_shared_store, open_store_view
from tests.server.good import GoodSite, gaps

ROOT = Path(__file__).resolve().parents[2]
DELAY_S = 0.05
LEASE_S = 1.0

Start = Callable[[], "subprocess.Popen[bytes]"]


@pytest.fixture
async def site() -> AsyncIterator[GoodSite]:
    served = GoodSite(pages=60, hosts=6)
    await served.start(0)
    yield served
    await served.stop()


@pytest.fixture(params=["breadth_first", "expected_gain"])
def start(site: GoodSite, postgres_url: str, request: pytest.FixtureRequest) -> Iterator[Start]:
    """Starts a worker, with a strategy that learns nothing and the default; all are ended at the
    end."""
    started: list[subprocess.Popen[bytes]] = []
    settings = {
        "strategy.name": request.param,
        "strategy.fallback": "",
        "budget.pages": 0,
        "politeness.delay_s": DELAY_S,
        "cluster.lease_s": LEASE_S,
        "cluster.lease_margin_s": 0.1,
        "cluster.learner_timeout_s": 1.0,
        "cluster.links_per_lease": 3,
        "crawl.concurrency": 3,
        "web.total_timeout_s": 0.4,
    }
    pairs = [f"{name}={value}" for name, value in settings.items()]
    pairs.append(f'web.resolve={{"*" = "127.0.0.1:{site.port}"}}')
    command = [sys.executable, "-m", "leadline.ui.cli", "worker", postgres_url, "book", "--quiet"]
    command += ["--seeds", "http://site0.test/"]
    command += [part for pair in pairs for part in ("--set", pair)]

    def begin() -> "subprocess.Popen[bytes]":
        started.append(subprocess.Popen(command, cwd=ROOT, env=os.environ.copy()))
        return started[-1]

    yield begin
    for worker in started:
        worker.kill()
        worker.wait()


async def visits(shared: Store, at_least: int) -> None:
    while shared.reader.counts().visits < at_least:  # noqa: ASYNC110 (it is in the database)
        await asyncio.sleep(0.02)


async def test_killed_and_stopped_workers_lose_nothing_double_nothing_and_hurry_nobody(
    start: Start, site: GoodSite, postgres_url: str
) -> None:
    shared = open_shared_store(postgres_url)
    killed, stopped, steady = start(), start(), start()
    await visits(shared, 5)
    killed.kill()
    stopped.send_signal(signal.SIGSTOP)
    await visits(shared, 30)
    stopped.send_signal(signal.SIGCONT)
    for worker in (steady, stopped):
        assert await asyncio.to_thread(worker.wait) == 0
    assert (shared.run.state().state, shared.run.state().reason) == (
        STOPPED,
        "nothing left to follow",
    )
    shared.close()
    store = open_store_view(postgres_url)
    pages = Counter(visit.url for visit in store.reader.visits() if visit.outcome == "page")
    store.close()
    assert pages == Counter(site.town.url(n) for n in range(60))
    assert min(gap for each in gaps(site.log).values() for gap in each) >= DELAY_S * 0.99
