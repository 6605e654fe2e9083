"""Harvests over real HTTP of a shelf that answers in HTML, by the command itself: run to the end,
and killed with -9 again and again. The truth is the site's own log."""

import asyncio
import random
import sys
from asyncio.subprocess import DEVNULL
from collections import Counter
from html import escape
from pathlib import Path

from aiohttp import web

from leadline.core.harvest import NOTHING, Harvest, Query
from leadline.core.store import StoreView
from leadline.harvester.beliefs import DOUBTED
from leadline.store import open_store_view
from tests.harvester.session.http_shelf import HOME, ShelfSite
from tests.harvester.session.sources import WORDS, Shelf, matching, record

ROOT = Path(__file__).parents[2]
KILLS = 5
RECORDS = tuple(record(number) for number in range(1, 64))
FRAME = (
    "<html lang=en><head><title>The shelf</title></head><body><h1>Trees on the shelf</h1>"
    "<p>alder and birch, cedar and elm: every tree of the shelf</p>{}"
    "<form action=/search><label>Search the shelf <input type=search name=q></label>"
    "<button>Search</button></form><p><a href=/about>About</a></p></body></html>"
)


class HtmlShelfSite(ShelfSite):
    """The same records as pages with a list and a link to the next one."""

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.path != "/search":
            answered = FRAME.format("") if request.path in ("/", "/about") else None
            if answered is None:
                return await super()._answer(request)
            return web.Response(text=answered, content_type="text/html")
        self.log.append(request.path_qs)
        await asyncio.sleep(0.005)
        word, page = request.query.get("q", ""), int(request.query.get("page", "1"))
        return web.Response(text=FRAME.format(self._list(word, page)), content_type="text/html")

    def _list(self, word: str, number: int) -> str:
        answer = self.shelf._page(Query.of(q=word.lower()), number)
        if answer.kind == NOTHING:
            return f"<p>No tree matches {escape(word)}</p>"
        items = "".join(
            f"<li><a href=/r/{r.title.split()[1]}>{r.title}</a> <i>{r.cells[0].text}</i></li>"
            for r in answer.records
        )
        following = f"<a href='/search?q={escape(word)}&amp;page={number + 1}'>Next</a>"
        return f"<p>{answer.total} trees</p><ol>{items}</ol>{following if answer.next_page else ''}"


def command(site: ShelfSite, store: Path) -> tuple[str, ...]:
    pairs = (
        f'web.resolve={{"*" = "{site.address}"}}',
        "web.allow_private=true",
        "harvest.min_yield=0.01",
    )
    flags = [word for pair in pairs for word in ("--set", pair)]
    run = (sys.executable, "-m", "leadline.ui.cli", "harvest", HOME, str(store))
    return (*run, "--delay", "0", "--quiet", *flags)


async def start(site: ShelfSite, store: Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(*command(site, store), cwd=ROOT, stdout=DEVNULL)


def drawn(path: Path) -> tuple[StoreView, Harvest]:
    store = open_store_view(path)
    (head,) = store.harvests.all()
    return store, head


def controls(store: StoreView) -> int:
    """Queries asked once more, to see whether pages look as they did."""
    return sum(event.kind == DOUBTED for event in store.reader.events())


async def test_every_record_that_searching_reaches_is_drawn_up(tmp_path: Path) -> None:
    kept = tmp_path / "a.leadline"
    async with HtmlShelfSite(Shelf(RECORDS, page_size=5)) as site:
        assert await (await start(site, kept)).wait() == 0
    store, head = drawn(kept)
    wanted = {r.url for word in WORDS for r in matching(word, RECORDS)}
    assert {k.record.url for k in store.harvests.records(head.id)} == wanted
    assert len(site.log) == len(set(site.log)) + controls(store)
    store.close()


async def test_kill_nine_repeats_no_query_and_doubles_no_record(tmp_path: Path) -> None:
    chance, kept = random.Random(5), tmp_path / "a.leadline"
    in_flight: list[str] = []
    async with HtmlShelfSite(Shelf(RECORDS, page_size=5)) as site:
        for _ in range(KILLS):
            harvest = await start(site, kept)
            wanted = len(site.log) + chance.randint(2, 9)
            while len(site.log) < wanted and harvest.returncode is None:  # noqa: ASYNC110
                await asyncio.sleep(0.002)
            harvest.kill()
            await harvest.wait()
            in_flight.append(site.log[-1])
        assert await (await start(site, kept)).wait() == 0
    store, head = drawn(kept)
    repeated = Counter(site.log) - Counter(set(site.log)) - Counter(in_flight)
    assert repeated.total() <= controls(store) + KILLS
    found = [k.record.url for k in store.harvests.records(head.id)]
    wanted_urls = {r.url for word in WORDS for r in matching(word, RECORDS)}
    assert len(found) == len(set(found))
    assert set(found) == wanted_urls
    asked = [a.query for a in store.harvests.queries(head.id) if not a.is_survey]
    assert len(asked) == len(set(asked))
    store.close()
