"""`leadline harvest`, `records`, `export` and `status` of what was drawn up from a real server."""

import asyncio
import csv
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path

import pyarrow.parquet
import pytest

from leadline.core.harvest import HarvestCounts
from leadline.core.url import Site
from leadline.errors import ConfigError, StoreError
from leadline.harvester.coverage import Coverage
from leadline.harvester.session.retries import HarvestBudget
from leadline.harvester.session.session import HarvestProgress
from leadline.records.exporters import ParquetExporter
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.harvest import describe_coverage, run_harvest
from leadline.ui.cli.live import HarvestsProgress, summarise_harvests
from leadline.ui.cli.options import HarvestOptions
from leadline.ui.cli.verify import run_verify
from leadline.views.stores import open_to_read, topic_of
from tests.harvester.session.http_shelf import HOME, ShelfSite, opening
from tests.harvester.session.sources import WORDS, Shelf
from tests.ui.conftest import Command, Ended, way_to

Harvest = Callable[..., Ended]


@pytest.fixture
def site() -> Iterator[ShelfSite]:
    """A shelf served in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    served = asyncio.run_coroutine_threadsafe(_served(), loop).result(10)
    yield served
    asyncio.run_coroutine_threadsafe(served.__aexit__(None, None, None), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)
    loop.close()


async def _served() -> ShelfSite:
    return await ShelfSite(Shelf()).__aenter__()


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "a.leadline"


@pytest.fixture
def harvest(site: ShelfSite, store: Path, capfd: pytest.CaptureFixture[str]) -> Harvest:
    """Runs the command, with a source that needs no reading of pages."""
    way = tuple(way_to(int(site.address.rpartition(":")[2]))[1::2][:2])

    def command(form: str = HOME, **options: object) -> Ended:
        capfd.readouterr()
        chosen = HarvestOptions(set_=way, delay=0.0, **options)  # type: ignore[arg-type]
        code = run_harvest(form, str(store), chosen, opening())
        return Ended(code, *capfd.readouterr())

    return command


def test_a_harvest_is_tested_again_by_verify(
    harvest: Harvest, site: ShelfSite, store: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    harvest()
    way = tuple(way_to(int(site.address.rpartition(":")[2]))[1::2][:2])
    verify = partial(run_verify, str(store), "", 12, None, way, opener=opening())
    assert verify(as_json=False) == Exit.DONE
    out = capfd.readouterr().out
    assert "shelf.test" in out
    assert "199 records, " in out
    assert "  looked up: holds: 0 of" in out
    site.shelf.records = ()
    assert verify(as_json=True) == Exit.NOT_VERIFIED
    (found,) = json.loads(capfd.readouterr().out)
    assert found["requests"] <= 12


def test_verify_makes_no_store_where_there_is_none(tmp_path: Path) -> None:
    store = tmp_path / "none.leadline"
    with pytest.raises(StoreError, match="there is no store"):
        run_verify(str(store), "", 12, None, (), as_json=False)
    assert not [*tmp_path.iterdir()]


def test_the_topic_of_a_harvest_is_kept_where_no_crawl_told_one(
    harvest: Harvest, store: Path
) -> None:
    harvest(max_requests=3, quiet=True)
    with open_to_read(str(store)) as view:
        assert topic_of(view) == ""
    harvest(max_requests=4, topic="book", quiet=True)
    harvest(max_requests=5, quiet=True)
    with open_to_read(str(store)) as view:
        assert topic_of(view) == "book"


def test_a_harvest_tells_what_it_drew_up_and_why_it_stopped(harvest: Harvest, store: Path) -> None:
    ended = harvest()
    assert ended.code == Exit.DONE
    assert "shelf.test: 199 records, 10 queries, 78 requests, 2.55 new a request" in ended.err
    assert "stopped: nothing left worth asking" in ended.err
    assert f"leadline records {store}" in ended.err
    assert ended.out == ""


def test_a_budget_is_kept_and_the_same_command_goes_on(harvest: Harvest) -> None:
    told = harvest(max_requests=5, json=True, quiet=True).json
    assert told["harvests"][0]["reason"] == "budget: requests"
    assert told["harvests"][0]["tally"]["records"] == 50
    name = told["harvests"][0]["form"]
    again = harvest(name[:8], json=True, quiet=True).json
    assert again["harvests"][0]["tally"]["requests"] == 78


def test_a_dry_run_shows_what_would_be_sent(harvest: Harvest, site: ShelfSite) -> None:
    ended = harvest(dry_run=True)
    assert "query 1 would send:\n  GET http://shelf.test/find?q=alder" in ended.out
    assert [row["query"] for row in harvest(dry_run=True, json=True).json] == list(WORDS[:5])
    assert site.log == []


def test_records_are_listed_with_where_they_came_from(
    harvest: Harvest, leadline: Command, store: Path
) -> None:
    harvest(max_queries=2, quiet=True)
    shown = leadline("records", store, "--limit", 3)
    assert "record 1 " in shown.out
    assert "q=alder" in shown.out
    assert "3 of 150 records" in shown.err
    rows = leadline("records", store, "--limit", 0, "--json").json
    assert len(rows) == 150
    first = rows[0]
    assert (first["site"], first["query"], first["page"], first["position"]) == (
        "shelf.test",
        "q=alder",
        1,
        1,
    )
    assert rows[-1]["query"] == "q=birch"
    assert leadline("records", store, "--form", first["source"][:5], "--json").code == 0
    missing = leadline("records", store, "--form", "zzz")
    assert missing.code == Exit.BAD_INPUT
    assert "no harvest of a form 'zzz'" in missing.err


def test_status_speaks_of_harvests(harvest: Harvest, leadline: Command, store: Path) -> None:
    harvest(max_queries=2, quiet=True)
    assert "budget: queries" in leadline("status", store).out
    (row,) = leadline("status", store, "--json").json["harvests"]
    assert (row["records"], row["requests"], row["state"]) == (150, 20, "open")


def test_records_and_queries_are_exported_with_their_provenance(
    harvest: Harvest, leadline: Command, store: Path, tmp_path: Path
) -> None:
    harvest(max_queries=2, details=True, quiet=True)
    for what, number in (("records", 150), ("queries", 2)):
        lines, sheet, table = (tmp_path / f"{what}{e}" for e in (".jsonl", ".csv", ".parquet"))
        for out in (lines, sheet, table):
            assert f"{number} {what} to {out}" in leadline("export", store, out, "--what", what).err
        rows = [json.loads(line) for line in lines.read_text().splitlines()]
        columns = pyarrow.parquet.read_table(table)
        assert len(rows) == columns.num_rows == number
        assert columns.to_pylist() == rows
        with sheet.open(newline="") as stream:
            assert len(list(csv.DictReader(stream))) == number
    with (tmp_path / "records.csv").open(newline="") as stream:
        first = next(csv.DictReader(stream))
    assert (first["query"], first["page"], first["title"]) == ("q=alder", "1", "record 1")
    assert (first["cell:words"], first["cell:detail:Leaves"]) == ("alder", "10")


def test_everything_else_is_exported_as_parquet_too(
    harvest: Harvest, leadline: Command, store: Path, tmp_path: Path
) -> None:
    harvest(max_queries=1, quiet=True)
    for what in ("forms", "visits", "sites", "events"):
        out = tmp_path / f"{what}.parquet"
        assert leadline("export", store, out, "--what", what).code == 0
        assert "at" in pyarrow.parquet.read_schema(out).names or what == "sites"


def test_without_pyarrow_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ConfigError, match=r"pip install 'leadline\[export\]'"):
        ParquetExporter().write([], HarvestCounts, BytesIO())


def test_another_ending_is_refused(leadline: Command, store: Path) -> None:
    ended = leadline("export", store, "records.ods", "--what", "records")
    assert ended.code == Exit.BAD_INPUT
    assert ".sqlite, .jsonl, .csv, .parquet or .xlsx" in ended.err


def test_a_page_that_cannot_be_had_is_told(leadline: Command, store: Path, tmp_path: Path) -> None:
    closed = way_to(9)
    ended = leadline("harvest", "http://a.test/", store, *closed, "--set", "robots.obey=false")
    assert ended.code == Exit.NOTHING_FETCHED
    assert "the form's page could not be fetched" in ended.err
    assert list(tmp_path.iterdir())


def progress(requests: int, records: int, size: int = 0) -> HarvestProgress:
    tally = HarvestCounts(queries=requests // 2, pages=requests, requests=requests, records=records)
    coverage = Coverage(records, size, records, 2 * size) if size else None
    return HarvestProgress(Site("a.test"), "abc", tally, 1.5, coverage)


def test_coverage_without_an_upper_end_is_no_share() -> None:
    assert describe_coverage(Coverage(40, 50, 45, 60, "why")) == (
        "80% of about 50 records that searching can reach (45 to 60); why"
    )
    assert describe_coverage(Coverage(40, 40, 40, None)) == (
        "40 records or more can be reached: too little came to say more"
    )


def test_the_live_line_tells_how_it_goes() -> None:
    clock = iter((0.0, 10.0))
    drawings = HarvestsProgress(HarvestBudget(requests=100), clock.__next__)
    drawings.add([progress(0, 0)])
    drawing = drawings.add([progress(20, 40, size=64)])
    assert drawing.line() == (
        "10 queries  20 requests  40 records  2.00 new a request (1.50 lately)  "
        "62 % covered  0:40 left"
    )
    assert drawing.curve == "▁█"
    assert drawing.panel().row_count == 2


def test_the_live_line_of_several_sources_adds_up() -> None:
    drawing = HarvestsProgress(HarvestBudget(), iter((0.0,)).__next__).add(
        [progress(2, 4), progress(3, 6, 12)]
    )
    assert drawing.line().startswith("2 sources  2 queries  5 requests  10 records")
    assert "- covered  - left" in drawing.line()
    assert summarise_harvests(drawing.sources) == "10 records of 2 databases in 5 requests"
    assert summarise_harvests([]) == ""


def test_ctrl_c_ends_a_harvest_after_the_request_under_way(site: ShelfSite, store: Path) -> None:
    site.delay_s = 0.05
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.ui.harvest_child", site.address, str(store)],
        cwd=Path(__file__).parents[2],
        stderr=subprocess.PIPE,
        text=True,
    )
    while len(site.log) < 3:
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=180)
    assert child.returncode == Exit.INTERRUPTED
    assert "stopping; press Ctrl-C again" in err
    assert "stopped: interrupted" in err
