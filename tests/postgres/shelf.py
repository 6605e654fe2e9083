"""A crawl and a harvest by the commands themselves: a shelf of records, a store in PostgreSQL."""

import asyncio
import sys
import tempfile
from collections import Counter

from leadline.store import open_store_view
from tests.e2e.test_harvest_web import RECORDS, HtmlShelfSite
from tests.harvester.session.http_shelf import HOME
from tests.harvester.session.sources import WORDS, Shelf, matching

REACHED = {r.url for word in WORDS for r in matching(word, RECORDS)}


def shelf_site() -> HtmlShelfSite:
    return HtmlShelfSite(Shelf(RECORDS, page_size=5))


async def leadline(site: HtmlShelfSite, *arguments: str) -> int:
    """Run a command with the site for all the web; its exit code."""
    pairs = (
        f'web.resolve={{"*" = "{site.address}"}}',
        "web.allow_private=true",
        "politeness.delay_s=0",
        "harvest.min_yield=0.01",
        "strategy.fallback=",
    )
    flags = [word for pair in pairs for word in ("--set", pair)]
    command = (sys.executable, "-m", "leadline.ui.cli", *arguments, "--quiet", *flags)
    with tempfile.TemporaryDirectory() as reports:
        running = await asyncio.create_subprocess_exec(*command, cwd=reports)
        return await running.wait()


async def find_form(site: HtmlShelfSite, url: str) -> str:
    """Crawl the site; the signature of its form."""
    assert await leadline(site, "crawl", "book", "--store", url, "--seeds", HOME) == 0
    store = open_store_view(url)
    (form,) = store.reader.forms()
    store.close()
    site.log.clear()
    return form.judged.signature


def drawn(url: str) -> Counter[str]:
    """How often each record is in the store, by its address."""
    store = open_store_view(url)
    (head,) = store.harvests.all()
    kept = Counter(str(one.record.url) for one in store.harvests.records(head.id))
    store.close()
    return kept
