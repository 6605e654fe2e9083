"""The table of records: made in the background, asked for by page and by API."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from leadline.errors import StoreError
from leadline.store import open_store
from leadline.ui.web.app import make_app
from leadline.ui.web.things_cache import ChildMaker, ThingsCache
from tests.ui.web.conftest import client_of, close
from tests.ui.web.things import BOOKS, MakerHere, cache_here, make_books
from tests.views import made_up
from tests.views.made_up import HOSTILE

THINGS = "/api/v1/stores/book/things"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    """With a table that is finished."""
    path = make_books(tmp_path_factory.mktemp("table") / "book.leadline")
    made = make_app({"book": path}, things=cache_here())
    made.state.things.look(path, 2 * BOOKS + 1)
    made.state.things.wait()
    yield made
    close(made)


@pytest.fixture
def ready(served: FastAPI) -> httpx.AsyncClient:
    return client_of(served)


async def test_a_page_of_things_is_sorted_and_filtered(ready: httpx.AsyncClient) -> None:
    asked: dict[str, str | int] = {"sort": "-price", "limit": 5}
    asked |= {"publication_date.to": "1949", "q": "am jane"}
    found = (await ready.get(THINGS, params=asked)).json()
    assert found["table"]["state"] == "ready"
    assert found["total"] == 10
    assert [thing["price"] for thing in found["items"]] == [19.5, 18.5, 17.5, 16.5, 15.5]
    assert {column["name"] for column in found["columns"]} >= {"name", "author", "price"}


async def test_a_thing_tells_where_its_values_come_from(ready: httpx.AsyncClient) -> None:
    (thing,) = (await ready.get(THINGS, params={"conflicts.is": "yes"})).json()["items"]
    found = (await ready.get(f"{THINGS}/{thing['id']}")).json()
    (years,) = (field for field in found["fields"] if field["is_conflict"])
    assert [(one["site"], one["raw"], one["is_shown"]) for one in years["values"]] == [
        ("shop.example", "1937", True),
        ("library.example", "1999", False),
    ]
    assert {one["site"] for one in found["origins"]} == {"shop.example", "library.example"}
    assert (await ready.get(f"{THINGS}/999999")).status_code == 404


@pytest.mark.parametrize(
    "path", ["", "?q=amber", "?sort=-price&price.from=9&conflicts.is=no", "?q=zzz", "/1"]
)
async def test_pages_of_records_are_whole_and_escaped(ready: httpx.AsyncClient, path: str) -> None:
    answer = await ready.get(f"/book/records{path}")
    assert answer.status_code == 200
    assert answer.text.rstrip().endswith("</html>")
    assert HOSTILE not in answer.text
    assert "<img" not in answer.text
    assert re.findall(r'\s(?:on\w+|style)="', answer.text) == []


async def test_a_filter_on_a_column_that_is_not_there_is_refused(ready: httpx.AsyncClient) -> None:
    for path in (THINGS, "/book/records"):
        answer = await ready.get(path, params={"colour.has": "red"})
        assert answer.status_code == 422
        assert "there is no column" in answer.text


@pytest.mark.parametrize("format_name", ["csv", "sqlite", "jsonl"])
async def test_the_table_is_downloaded(ready: httpx.AsyncClient, format_name: str) -> None:
    answer = await ready.get(f"{THINGS}/download/{format_name}")
    assert answer.status_code == 200
    assert f"book.things.{format_name}" in answer.headers["content-disposition"]
    begins = {"csv": b"id,name,", "sqlite": b"SQLite format 3", "jsonl": b'{"id":'}
    assert answer.content.startswith(begins[format_name])


async def test_a_format_that_is_not_there_is_refused(ready: httpx.AsyncClient) -> None:
    answer = await ready.get(f"{THINGS}/download/doc")
    assert answer.status_code == 422
    assert "sqlite" in answer.json()["error"]["what"]


async def test_records_that_came_since_are_counted_and_a_newer_table_is_made(
    own_store: Path,
) -> None:
    now = iter(range(0, 10_000, 100))
    app = make_app({"book": own_store}, things=ThingsCache(MakerHere(), lambda: float(next(now))))
    async with client_of(app) as client:
        assert (await client.get(THINGS)).json()["table"]["state"] == "making"
        app.state.things.wait()
        first = (await client.get(THINGS)).json()
        store = open_store(own_store)
        made_up.ask(store, next(iter(store.harvests.all())), made_up.QUERIES + 1)
        store.close()
        assert (await client.get(THINGS)).json()["table"]["newer"] == 6
        while not (await client.get(THINGS)).json()["table"]["is_renewed"]:
            """The clock goes on with each look, until the pause is over."""
        app.state.things.wait()
        last = (await client.get(THINGS)).json()
    close(app)
    assert last["table"]["newer"] == 0
    assert last["total"] == first["total"] + 6


async def test_a_store_without_records_has_no_table(tmp_path: Path) -> None:
    path = tmp_path / "bare.leadline"
    open_store(path).close()
    app = make_app({"book": path}, things=cache_here())
    async with client_of(app) as client:
        assert (await client.get(THINGS)).json()["table"]["state"] == "empty"
        assert (await client.get(f"{THINGS}/1")).status_code == 404
        assert "No records yet" in (await client.get("/book/records")).text
    close(app)


def test_another_process_makes_the_table_and_says_why_it_cannot(
    store_file: Path, tmp_path: Path
) -> None:
    ChildMaker()(store_file, tmp_path)
    assert (tmp_path / "things.sqlite").exists()
    failing = ChildMaker((sys.executable, "-c", "raise SystemExit('no room left')"))
    with pytest.raises(StoreError, match="no room left"):
        failing(store_file, tmp_path)
    cache = ThingsCache(failing)
    cache.look(store_file, 9)
    cache.wait()
    _, state = cache.look(store_file, 9)
    cache.close()
    assert (state.state, state.said) == ("failed", "no room left")
