"""Harvests over HTTP that a user limits, of sites that are generous or tedious: budgets hold, the
survey included, and what lists everything is read to its end. The truth is the site's own log."""

from pathlib import Path

import pytest
from aiohttp import web

from leadline import crawl_async, harvest_async, load_config
from leadline.core.harvest import Query, Record
from leadline.crawler.harvests.assembly import HarvestResult
from tests.e2e.test_harvest_web import HtmlShelfSite
from tests.harvester.session.http_shelf import HOME, ShelfSite
from tests.harvester.session.sources import Shelf, record


async def harvest(site: ShelfSite, wanted: str, store: Path, **settings: object) -> HarvestResult:
    given = {
        "web.resolve": {"*": site.address},
        "web.allow_private": True,
        "politeness.delay_s": 0.0,
        "store.path": str(store),
        **{name.replace("__", "."): value for name, value in settings.items()},
    }
    return await harvest_async(wanted, load_config(settings=given)[0])


class CountingSite(HtmlShelfSite):
    """Counts whatever is asked, robots.txt included, and redirects each search once."""

    redirects = False

    def __init__(self, shelf: Shelf) -> None:
        super().__init__(shelf)
        self.asked = 0

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        self.asked += 1
        if self.redirects and request.path == "/search" and "again" not in request.query:
            raise web.HTTPFound(f"{request.path_qs}&again=1")
        return await super()._answer(request)


class ListingShelf(Shelf):
    """An empty query lists everything."""

    def found(self, query: Query) -> list[Record]:
        return list(self.records) if not query.text.strip() else super().found(query)


@pytest.mark.parametrize("most", [1, 2, 3, 4, 7, 12, 27])
@pytest.mark.parametrize("redirects", [False, True])
async def test_a_budget_of_requests_holds_for_the_survey_too(
    tmp_path: Path, most: int, *, redirects: bool
) -> None:
    async with CountingSite(Shelf(tuple(record(number) for number in range(1, 64)))) as site:
        site.redirects = redirects
        done = await harvest(site, HOME, tmp_path / "a.leadline", harvest__max_requests=most)
    (one,) = done.harvests
    assert one.reason == "budget: requests"
    # Looking for the form is no request of the form yet: its page and robots.txt.
    assert one.tally.requests <= most
    assert site.asked <= most + 2


async def test_the_answer_that_lists_everything_is_read_to_its_end(tmp_path: Path) -> None:
    shelf = ListingShelf(tuple(record(number) for number in range(1, 200)), page_size=10)
    async with CountingSite(shelf) as site:
        done = await harvest(site, HOME, tmp_path / "a.leadline")
    (one,) = done.harvests
    assert one.tally.records == 199
    # Twenty pages, and what the survey took.
    assert site.asked <= 32


async def find_forms(site: ShelfSite, store: Path) -> None:
    given = {
        "seeds": [f"{HOME}{page}" for page in ("", "quick", "advanced", "attic")],
        "topic.name": "trees",
        "topic.words": ["trees", "shelf", "birch", "cedar"],
        "strategy.name": "breadth_first",
        "budget.pages": 6,
        "crawl.ask_forms": False,
        "web.resolve": {"*": site.address},
        "web.allow_private": True,
        "politeness.delay_s": 0.0,
        "store.path": str(store),
    }
    await crawl_async(load_config(settings=given)[0])


class ManyDoors(CountingSite):
    """One database behind three searches: on every page, an advanced one, and one by another path;
    and a second database of its own."""

    other = Shelf(tuple(record(number) for number in range(300, 360)), page_size=5)

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        shelf = self.shelf
        box = "<input type=search name=q><button>Search</button></form>"
        advanced = (
            "<select name=kind><option value=''>any kind<option value=tree>trees</select>" + box
        )
        pages = {
            "/advanced": f"<form action=/advanced-search>Search the shelf {advanced}",
            "/quick": f"<form action=/search><input type=hidden name=from value=quick>Find {box}",
            "/attic": f"<form action=/attic-search>Search the attic {box}",
        }
        head = "<html lang=en><title>The shelf</title><h1>Trees on the shelf</h1>"
        if request.path in pages:
            self.asked += 1
            return web.Response(text=head + pages[request.path], content_type="text/html")
        if request.path in ("/advanced-search", "/attic-search"):
            try:
                self.shelf = self.other if "attic" in request.path else shelf
                self.asked += 1
                self.log.append(request.path_qs)
                word, page = request.query.get("q", ""), int(request.query.get("page", "1"))
                body = self._list(word, page).replace("/search?", f"{request.path}?")
                return web.Response(text=head + body, content_type="text/html")
            finally:
                self.shelf = shelf
        return await super()._answer(request)


async def test_several_doors_of_one_database_are_one_harvest(tmp_path: Path) -> None:
    records = tuple(record(number) for number in range(1, 300))
    async with ManyDoors(Shelf(records)) as site:
        alone = await harvest(site, HOME, tmp_path / "alone.leadline")
        spent = site.asked
        store = tmp_path / "all.leadline"
        await find_forms(site, store)
        site.asked = 0
        done = await harvest(site, "all", store, harvest__min_relevance=0.0)
    by_action = {str(one.harvest.subject.form.action): one for one in done.harvests}
    kept = sum(one.tally.records for one in done.harvests)
    assert len(by_action) == 3
    assert kept == alone.harvests[0].tally.records + by_action[f"{HOME}attic-search"].tally.records
    attic = by_action[f"{HOME}attic-search"].tally.requests
    assert site.asked - attic <= 1.1 * spent + 2


@pytest.mark.parametrize("most", [5, 27])
async def test_a_budget_of_all_harvests_holds_for_comparing_forms_too(
    tmp_path: Path, most: int
) -> None:
    async with ManyDoors(Shelf(tuple(record(number) for number in range(1, 200)))) as site:
        store = tmp_path / "all.leadline"
        await find_forms(site, store)
        site.asked = 0
        await harvest(site, "all", store, harvest__max_total_requests=most)
    # robots.txt is nobody's harvest.
    assert site.asked <= most + 1
