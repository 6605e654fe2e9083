"""Harvests over HTTP that a user limits, of sites that are generous or tedious: budgets hold, the
survey included, and what lists everything is read to its end. The truth is the site's own log."""

from pathlib import Path

import pytest
from aiohttp import web

from leadline import harvest_async, load_config
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
