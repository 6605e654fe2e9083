"""`leadline mcp`, used over stdio by a client of the protocol's own SDK."""

import json
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

import leadline
from tests.server.asking import crawl_bookshops, serving_bookshops
from tests.server.bookshops import FIELDS, SITES, Bookshops, held

Served = tuple[Bookshops, Path]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving_bookshops() as (shops, settings):
        store = tmp_path_factory.mktemp("mcp") / "books.leadline"
        crawl_bookshops(store, settings)
        fields = next(row for row in leadline.open_store(store).forms() if row.site == FIELDS)
        leadline.harvest(fields.signature, store, requests=12)
        yield shops, store


@asynccontextmanager
async def connected(store: Path) -> AsyncIterator[Client]:
    arguments = ["-m", "leadline.ui.cli", "mcp", str(store)]
    parameters = StdioServerParameters(command=sys.executable, args=arguments)
    async with Client(parameters, read_timeout_seconds=60) as client:
        yield client


async def call(client: Client, tool: str, **arguments: object) -> Any:
    """What a tool returns."""
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer
    if answer.structured_content is not None:
        return answer.structured_content
    return json.loads(answer.content[0].text)  # type: ignore[union-attr]


async def test_an_agent_finds_describes_searches_and_asks(served: Served) -> None:
    shops, store = served
    shops.log.clear()
    async with connected(store) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"list_databases", "describe_database", "search_records", "ask"}
        assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools.values())

        databases = (await call(client, "list_databases"))["databases"]
        assert {one["site"] for one in databases} == set(SITES)
        fields = next(one for one in databases if one["site"] == FIELDS)
        assert fields["records_held"] > 0

        told = await call(client, "describe_database", form=fields["form"])
        assert {one["field"] for one in told["controls"]} >= {"author", "name", "publication_date"}

        found = await call(client, "search_records", text="silver", limit=3)
        assert 0 < len(found["things"]) <= 3
        assert all("Silver" in thing["name"] for thing in found["things"])
        assert found["things"][0]["origins"][0]["site"] == FIELDS
        # Nothing so far asked anybody.
        assert not shops.log

        answer = await call(
            client, "ask", fields={"author": "Le Guin"}, forms=[fields["form"]], limit=5
        )
        right = {book.title for book in held(FIELDS) if "Le Guin" in book.author}
        assert {thing["name"] for thing in answer["things"]} <= right
        assert len(answer["things"]) + answer["left_out"] == len(right)
        assert answer["sources"][0]["placed"][0]["control"] == "Author"
        assert shops.log == [(FIELDS, "GET", {"author": "Le Guin"})]

        wrong = await client.call_tool("ask", {"fields": {"authxr": "Le Guin"}})
        assert wrong.is_error
        assert "author" in str(wrong.content)
    with leadline.open_store(store) as opened:
        sent = [event.detail for event in opened.events() if event.kind == "submission"]
    assert any("author='Le Guin'" in detail for detail in sent)
