"""Harvests over real HTTP whose form's own page says nothing of what is held."""

from html import escape
from pathlib import Path

from aiohttp import web

from leadline.config import load_config
from leadline.core.harvest import NOTHING, Query
from leadline.crawler.harvests.assembly import HarvestResult, harvest_forms_async
from tests.harvester.session.http_shelf import ShelfSite
from tests.harvester.session.sources import Shelf

FRAME = """<html lang=en><title>Inbox</title><body><p>Please type a phrase below.</p>{}
<form action=/search><input type=search name=q><button>Search</button></form>
<p><a href=/leaf/7>Leaf of the week</a> <a href=/leaf/8>Another</a></p></body></html>"""
LEAF = "<html lang=en><title>Inbox</title><h1>Leaf</h1><p>from the {}, as we think</p></html>"


class SilentSite(ShelfSite):
    """Its search page names no tree; a page that it links to does, unless `tells` is not one."""

    def __init__(self, tells: str) -> None:
        super().__init__(Shelf(page_size=20))
        self.tells = tells
        self.read: list[str] = []

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.path == "/robots.txt":
            return web.Response(text="")
        if request.path.startswith("/leaf/"):
            self.read.append(request.path)
            return _page(LEAF.format(self.tells))
        if request.path != "/search":
            return _page(FRAME.format(""))
        word, number = request.query.get("q", ""), int(request.query.get("page", "1"))
        answer = self.shelf._page(Query.of(q=word.lower()), number)
        if answer.kind == NOTHING:
            return _page(FRAME.format(f"<p>No leaf matches {escape(word)}</p>"))
        items = "".join(
            f"<li><a href=/r/{r.title.split()[1]}>{r.title}</a> <i>{r.cells[0].text}</i></li>"
            for r in answer.records
        )
        following = f"<a href='/search?q={escape(word)}&amp;page={number + 1}'>Next</a>"
        shown = (
            f"<p>{answer.total} leaves</p><ol>{items}</ol>{following if answer.next_page else ''}"
        )
        return _page(FRAME.format(shown))


def _page(text: str) -> web.Response:
    return web.Response(text=text, content_type="text/html")


async def drawn(site: SilentSite, folder: Path) -> HarvestResult:
    async with site:
        config, _ = load_config(
            settings={
                "web.resolve": {"*": site.address},
                "web.allow_private": True,
                "politeness.delay_s": 0.0,
                "store.path": str(folder / "a.leadline"),
            }
        )
        return await harvest_forms_async(config, "http://shelf.test/desk")


async def test_words_of_another_page_of_the_site_begin_a_harvest(tmp_path: Path) -> None:
    site = SilentSite("hazel")
    (one,) = (await drawn(site, tmp_path)).harvests
    assert one.tally.records == 199
    assert site.read == ["/leaf/7"]


async def test_a_source_that_no_word_is_found_in_is_left_with_that_reason(tmp_path: Path) -> None:
    (one,) = (await drawn(SilentSite("oak"), tmp_path)).harvests
    assert one.tally.records == 0
    assert one.reason.startswith("nothing was found by any of ")
    assert 60 < one.tally.requests < 130
