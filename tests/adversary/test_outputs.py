"""Whatever strangers write into records and visitors into addresses: nothing fails or runs."""

import json
import random
import re
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from starlette.routing import BaseRoute

import leadline
from leadline.config import load_config
from leadline.core.store import Store
from leadline.crawler.asking import AskLimits
from leadline.errors import ConfigError, LeadlineError, StoreError
from leadline.harvester.question import read_question
from leadline.records.dataset import TABLES as DATASET_TABLES
from leadline.records.export import build_dataset_of, export, write_dataset, write_table
from leadline.records.exporters import EXPORTERS
from leadline.records.schemas import find_schema
from leadline.records.search import ThingSearch
from leadline.ui.cli.output import print_json
from leadline.ui.mcp import StoreTools
from leadline.ui.web.app import make_app
from tests.records.made_harvests import make_store
from tests.store.damaged import flip_byte
from tests.ui.web.things import cache_here

EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
ROWS = {
    "names that differ in case": [{"title": "a", "Title": "b", "TITLE": "c", "ti'tle": "d"}],
    "numbers that no column takes": [
        {"title": f"t{n}", "dl/dt:Price": "9" * 100, "dl/dt:Length": "9" * 90 + " h"}
        for n in range(20)
    ],
    "names of columns of our own": [
        {"title": f"t{n}", "dl/dt:rowid": str(n), "dl/dt:rank": "1", "dl/dt:id": "5"}
        for n in range(30)
    ],
    "quotes and brackets": [{"title": "a", 'dl/dt:"; DROP TABLE things; --': "x", "a'b]`": "y"}],
    "formulas": [{"title": "=cmd|' /C calc'!A0", "dl/dt:=1": "\t=1+1", "x": "\u202e@SUM(1)"}],
    "markup": [{"title": f"{EVIL} {n}", f"dl/dt:{EVIL}": "javascript:alert(1)"} for n in range(9)],
}
WILD = (
    "", "-1", "0", "99999999999999999999", "nan", "1e999", "\x00", "' OR 1=1 --", '"*', "NEAR(",
    "a" * 20_000, "../../../etc/passwd", "-rank", EVIL, "[]", "{}", "true", "..", "10..5", "\u202e",
)  # fmt: skip


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_any_record_can_be_exported(rows: list[dict[str, str]]) -> None:
    store = make_store({"shop": rows})
    dataset = build_dataset_of(store)
    for name in EXPORTERS:
        for what in DATASET_TABLES:
            write_dataset(dataset, what, name, BytesIO())
        out = BytesIO()
        write_table(store, "records", name, out)
        assert out.getvalue()


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file can grow beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def full_store() -> Store:
    return make_store({"s": [{"title": f"{n} " + f"w{n} " * 200} for n in range(40)]})


@pytest.mark.parametrize("name", sorted(EXPORTERS))
def test_a_full_disk_is_a_message_and_leaves_no_file(
    full_store: Store, name: str, tmp_path: Path
) -> None:
    with full_disk(3_000), pytest.raises(ConfigError, match="cannot write"):
        export(full_store, str(tmp_path / f"a.{name}"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["sqlite", "xlsx"])
def test_no_folder_for_temporary_files_is_a_message(
    full_store: Store, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    with pytest.raises(ConfigError, match="cannot write"):
        export(full_store, str(tmp_path / f"a.{name}"))


@pytest.mark.parametrize("out", ["/dev/full/a.csv", "/proc/a.csv", "/nowhere/a.sqlite"])
def test_a_place_where_nothing_can_be_written_is_a_message(full_store: Store, out: str) -> None:
    with pytest.raises(ConfigError, match="cannot write"):
        export(full_store, out)


def make_evil_store(folder: Path) -> Path:
    path = folder / "book.leadline"
    every = [row for rows in ROWS.values() for row in rows]
    make_store({"shop": every, "library": ROWS["markup"]}, str(path)).close()
    return path


def list_routes(router: object) -> Iterator[BaseRoute]:
    for route in getattr(router, "routes", ()):
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from list_routes(inner)
        elif "GET" in (getattr(route, "methods", None) or ()):
            yield route


async def test_no_address_makes_the_dashboard_fail_or_speak_for_a_stranger(tmp_path: Path) -> None:
    app = make_app({"book": make_evil_store(tmp_path)}, things=cache_here())
    transport = httpx.ASGITransport(app)
    chance = random.Random(7)
    routes = [route for route in list_routes(app) if "stream" not in getattr(route, "path", "")]
    assert len(routes) > 30
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8420") as client:
        for route in routes * 4:
            path: str = getattr(route, "path", "/")
            known = getattr(getattr(route, "dependant", None), "query_params", [])
            names = [one.alias for one in known] or ["q"]
            for name in re.findall(r"\{(\w+)", path):
                value = "book" if name == "store" else chance.choice(WILD)[:300]
                path = re.sub(rf"\{{{name}(:\w+)?\}}", quote(value, safe=""), path)
            asked = {chance.choice(names): chance.choice(WILD) for _ in range(3)}
            answer = await client.get(path, params=asked)
            assert answer.status_code < 500, (path, asked)
            if "html" in answer.headers.get("content-type", ""):
                assert "<script>alert" not in answer.text
                assert "<img src=x" not in answer.text
                assert 'href="javascript' not in answer.text
    app.state.things.close()
    for mirror in app.state.stores.values():
        mirror.close()


@pytest.mark.parametrize("seed", range(4))
async def test_the_dashboard_says_that_its_store_is_damaged(tmp_path: Path, seed: int) -> None:
    place, dice = make_evil_store(tmp_path), random.Random(seed)
    app = make_app({"book": place}, things=cache_here())
    for _ in range(80):
        flip_byte(place, dice)
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8420") as client:
        for path in ("/book/", "/book/records", "/book/harvests", "/api/v1/stores/book/things"):
            answer = await client.get(path)
            assert answer.status_code in (200, 503)
            if answer.status_code == 503:
                assert "leadline store" in answer.text
    app.state.things.close()
    for mirror in app.state.stores.values():
        mirror.close()


def test_a_value_of_a_megabyte_is_read_at_once() -> None:
    began = time.process_time()
    schema = find_schema("book")
    read_question([], schema, {"author": "a" + " " * 1_000_000 + "b"})
    assert time.process_time() - began < 2.0


async def test_an_agent_gets_an_answer_or_a_message_whatever_it_asks(tmp_path: Path) -> None:
    settings = {"store.path": str(make_evil_store(tmp_path)), "topic.name": "book"}
    with closing(ThingSearch()) as search:
        # No database may be asked: nothing goes to the network.
        config = load_config(settings=settings)[0]
        tools = StoreTools(config, AskLimits(forms=("none",)), search)
        for text in WILD[::3]:
            await tools.search_records(text, 5)
            for call in (
                tools.ask(text, {text: text}, None, 5),
                tools.ask("a", {"year": text, "author": text}, [text or "x"], 5),
                tools.describe_database(text or "x"),
            ):
                with pytest.raises(LeadlineError):
                    await call


def test_no_message_of_the_python_api_holds_a_password() -> None:
    with pytest.raises(StoreError) as caught:
        leadline.open_store("postgresql://carl:d4tabase-Secret@127.0.0.1:9/crawl")
    assert "d4tabase-Secret" not in f"{caught.value} {caught.value!r}"


def test_json_on_a_terminal_says_the_same_and_drives_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    value = {"title": "\x9b2J \u202eabc\u2066 \x1b[31m \x7f é 漢"}
    print_json(value)
    shown = capsys.readouterr().out
    assert json.loads(shown) == value
    assert all(letter.isprintable() or letter == "\n" for letter in shown)
