"""kill -9 during a harvest: no query repeated, no record lost or doubled, by the source's log."""

import asyncio
import random
import sys
from asyncio.subprocess import PIPE
from collections import Counter
from pathlib import Path

from leadline.core.store import HarvestReader
from leadline.harvester.session.detail_reader import LEARN_FROM
from leadline.store import open_store_view
from tests.harvester.session.http_shelf import ShelfSite
from tests.harvester.session.sources import WORDS, Shelf, matching, record

KILLS = 6
ROOT = Path(__file__).parents[2]
RECORDS = tuple(record(number) for number in range(64))


async def start(address: str, store: Path) -> asyncio.subprocess.Process:
    command = (sys.executable, "-m", "tests.e2e.harvest_child", address, str(store))
    return await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=PIPE)


async def until_asked(site: ShelfSite, more: int) -> None:
    """Wait until the source was asked so many times more."""
    wanted = len(site.log) + more
    while len(site.log) < wanted:  # noqa: ASYNC110 (the site cannot tell when it is enough)
        await asyncio.sleep(0.002)


async def test_kill_nine_repeats_no_query_and_loses_no_record(tmp_path: Path) -> None:
    chance, kept = random.Random(11), tmp_path / "a.leadline"
    in_flight: list[str] = []
    async with ShelfSite(Shelf(RECORDS, page_size=5), delay_s=0.005) as site:
        for _ in range(KILLS):
            harvest = await start(site.address, kept)
            await until_asked(site, chance.randint(3, 12))
            await asyncio.sleep(chance.uniform(0.0, 0.01))
            harvest.kill()
            await harvest.wait()
            in_flight.append(site.log[-1])
        last = await start(site.address, kept)
        told, _ = await last.communicate()
        assert told.decode().strip() == "nothing left worth asking"
        repeated = Counter(site.log) - Counter(set(site.log))
    # What was under way when the process died was not had, and is asked for once more. So are the
    # records' pages from which a wrapper was about to be learned, and what a control query asks.
    again = repeated - Counter(in_flight)
    queries = [path for path in again.elements() if not path.startswith("/r/")]
    assert len(queries) <= 1
    assert again.total() - len(queries) < LEARN_FROM * KILLS
    store = open_store_view(kept)
    check(store.harvests, site)
    store.close()


def check(harvests: HarvestReader, site: ShelfSite) -> None:
    (head,) = harvests.all()
    asked = list(harvests.queries(head.id))
    assert [a.query.text for a in asked] == list(WORDS)
    assert all(a.outcome is not None for a in asked)
    found = [k.record for k in harvests.records(head.id)]
    assert len(found) == len({r.key for r in found})
    wanted = [r for word in WORDS for r in matching(word, RECORDS)]
    assert {r.key for r in found} == {r.key for r in wanted}
    sightings = Counter(r.key for r in wanted)
    assert {k.record.key: k.sightings for k in harvests.records(head.id)} == sightings
    assert all(k.detail for k in harvests.records(head.id))
    assert {entry for entry in site.log if entry.startswith("/r/")} == {
        f"/r/{r.title.split()[1]}" for r in found
    }
