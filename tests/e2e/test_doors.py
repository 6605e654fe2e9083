"""Databases whose site has no form: found by `leadline crawl`, harvested by `leadline harvest`."""

import asyncio
import sys
from asyncio.subprocess import DEVNULL
from pathlib import Path

import pytest

from leadline.core.page import OPENSEARCH, SEARCH_ACTION
from leadline.store import open_store_view
from tests.server.door_site import BOOKS, HOME, DoorSite

ROOT = Path(__file__).parents[2]
SEARCHES = 0.9
"""Share of the books that a harvest has to bring."""


async def leadline(site: DoorSite, *arguments: str) -> int:
    pairs = (
        f'web.resolve={{"*" = "{site.address}"}}',
        "web.allow_private=true",
        "harvest.min_yield=0.01",
    )
    flags = [word for pair in pairs for word in ("--set", pair)]
    run = (sys.executable, "-m", "leadline.ui.cli", *arguments, *flags, "--delay", "0", "--quiet")
    return await (await asyncio.create_subprocess_exec(*run, cwd=ROOT, stdout=DEVNULL)).wait()


def count_books(path: Path) -> int:
    view = open_store_view(path)
    try:
        (head,) = view.harvests.all()
        titles = {kept.record.title for kept in view.harvests.records(head.id)}
        return len(titles & {title for title, _, _ in BOOKS})
    finally:
        view.close()


@pytest.mark.parametrize(
    ("door", "source"),
    [
        ("opensearch", OPENSEARCH),
        ("search-action", SEARCH_ACTION),
        ("in the path", SEARCH_ACTION),
    ],
)
async def test_a_site_without_a_form_is_found_and_harvested(
    door: str, source: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.leadline"
    async with DoorSite(door) as site:
        crawl = ("crawl", "book", "--seeds", HOME, "--store", str(path), "--pages", "5")
        assert await leadline(site, *crawl) == 0
        view = open_store_view(path)
        (stored,) = view.reader.forms()
        view.close()
        assert stored.judged.form.source == source
        assert stored.judged.relevant >= 0.5
        # One request for the description, however many pages name it.
        assert site.log.count("/os.xml") == (door == "opensearch")
        assert await leadline(site, "harvest", stored.judged.signature, str(path)) == 0
    assert count_books(path) >= SEARCHES * len(BOOKS)


@pytest.mark.parametrize(
    "wanted", [HOME, f"{HOME}os.xml", f"{HOME}find?q={{query}}", f"{HOME}find/%s"]
)
async def test_a_page_a_description_or_a_template_is_harvested(wanted: str, tmp_path: Path) -> None:
    path = tmp_path / "a.leadline"
    async with DoorSite("opensearch") as site:
        assert await leadline(site, "harvest", wanted, str(path)) == 0
    assert count_books(path) >= SEARCHES * len(BOOKS)


async def test_a_template_without_a_host_of_its_own_is_refused(tmp_path: Path) -> None:
    async with DoorSite("none") as site:
        store = str(tmp_path / "a.leadline")
        assert await leadline(site, "harvest", "http://{query}.test/", store) != 0
        assert await leadline(site, "harvest", HOME, store) != 0
    assert not any(path.startswith("/find") for path in site.log)
