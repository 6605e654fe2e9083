"""From any page of a site to its records, with a dozen requests at most before the first query."""

from pathlib import Path
from typing import ClassVar

import pytest
from aiohttp import web

from leadline.errors import ConfigError
from tests.e2e.test_harvest_budget import CountingSite, harvest
from tests.harvester.session.http_shelf import HOME
from tests.harvester.session.sources import Shelf, record

RECORDS = tuple(record(number) for number in range(1, 100))


class Library(CountingSite):
    """A home page without a form that links to news, an account and, last, its search."""

    pages: ClassVar = {
        "/": "<h1>The library</h1><a href=/news>News</a> <a href=/login>Log in</a>"
        "<a href=/opening>Opening hours</a> <a href=/catalogue>Search our trees</a>",
        "/news": "<p>A new tree</p><a href=/>Home</a>",
        "/opening": "<p>Always</p><a href=/>Home</a>",
        "/catalogue": "<p>alder and birch, cedar</p><form action=/search>Search the shelf "
        "<input name=q><button>Search</button></form>",
    }

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.path in self.pages:
            self.asked += 1
            body = f"<html lang=en><title>Library</title>{self.pages[request.path]}"
            return web.Response(text=body, content_type="text/html")
        return await super()._answer(request)


@pytest.mark.parametrize("start", ["", "news", "catalogue", "search?q=birch"])
async def test_any_page_of_a_site_leads_to_its_records(tmp_path: Path, start: str) -> None:
    async with Library(Shelf(RECORDS)) as site:
        done = await harvest(site, f"{HOME}{start}", tmp_path / "a.leadline")
    (one,) = done.harvests
    assert one.tally.records > 90


class Silent(CountingSite):
    """Its search shows the same page whatever is asked: a script does the rest."""

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        self.asked += 1
        self.log.append(request.path_qs)
        if request.path == "/robots.txt":
            return web.Response(text="")
        body = (
            "<html lang=en><title>Trees</title><h1>Trees of the world</h1><p>alder, birch, cedar"
            "<form action=/find>Search <input type=search name=q><button>Search</button></form>"
            "<div id=results></div><script src=/app.js></script>"
        )
        return web.Response(text=body, content_type="text/html")


async def test_a_search_that_needs_a_script_is_named_after_three_queries(tmp_path: Path) -> None:
    async with Silent(Shelf(RECORDS)) as site:
        done = await harvest(site, HOME, tmp_path / "a.leadline")
    (one,) = done.harvests
    assert one.reason.startswith("needs a script: ")
    assert len([path for path in site.log if path.startswith("/find")]) == 3


class Empty(CountingSite):
    """Nothing but pages that lead to each other."""

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        self.asked += 1
        if request.path == "/robots.txt":
            return web.Response(text="")
        links = "".join(f"<a href=/p{self.asked}{n}>Tree {n}</a>" for n in range(9))
        return web.Response(text=f"<html><h1>Trees</h1>{links}", content_type="text/html")


async def test_a_site_without_a_search_is_left_after_a_dozen_requests(tmp_path: Path) -> None:
    async with Empty(Shelf(RECORDS)) as site:
        with pytest.raises(ConfigError, match="looked at"):
            await harvest(site, HOME, tmp_path / "a.leadline")
        assert site.asked <= 13


class Data(CountingSite):
    """Answers in JSON, with a total."""

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        self.asked += 1
        if request.path != "/api":
            return web.Response(text="", status=404)
        word = request.query.get("q", "")
        found = [r for r in RECORDS if word in f"{r.title} {r.cells[0].text}"]
        items = [{"title": r.title, "words": r.cells[0].text, "url": r.url} for r in found]
        return web.json_response({"total": len(items), "items": items})


async def test_a_search_that_answers_with_data_is_harvested(tmp_path: Path) -> None:
    async with Data(Shelf(RECORDS)) as site:
        done = await harvest(site, f"{HOME}api?q={{query}}", tmp_path / "a.leadline")
    (one,) = done.harvests
    assert one.tally.records == len(RECORDS)
