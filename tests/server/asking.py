"""The bookshops in a thread of their own, and a store that knows their forms."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import leadline
from tests.server.bookshops import SITES, Bookshops


@contextmanager
def serving_bookshops() -> Iterator[tuple[Bookshops, dict[str, object]]]:
    """The shops, and the settings that lead there."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    shops = asyncio.run_coroutine_threadsafe(_open(), loop).result(10)
    try:
        yield (
            shops,
            {
                "web.resolve": {"*": shops.address},
                "web.allow_private": True,
                "politeness.delay_s": 0.0,
            },
        )
    finally:
        asyncio.run_coroutine_threadsafe(shops.__aexit__(None, None, None), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def _open() -> Bookshops:
    return await Bookshops().__aenter__()


def crawl_bookshops(store: Path, settings: dict[str, object]) -> None:
    """Finds the five forms."""
    seeds = [f"http://{site}/" for site in SITES]
    leadline.crawl("book", seeds, store=store, pages=10, settings=settings)
