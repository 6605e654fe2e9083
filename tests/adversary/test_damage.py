"""A site on which many links do damage when they are followed: a crawl does none."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import leadline
from tests.core.test_state_change import CHANGING
from tests.ui.small_web import Answer, serving

DAMAGE = {unquote(urlsplit(target).path) for target in CHANGING} | {"/x1", "/x2", "/x3"}


@pytest.fixture
def site() -> Iterator[tuple[int, list[str]]]:
    """The port of the site, and the paths that were asked for."""
    asked: list[str] = []

    def answer(_host: str, path: str) -> Answer:
        asked.append(unquote(path))
        links = "".join(f'<a href="{target}">go</a> ' for target in CHANGING)
        books = "".join(f'<a href="/books/{number}">Book {number}</a> ' for number in range(20))
        commands = '<a href="/x1">Delete</a> <a href="/x2">Log out</a> <a href="/x3">Abmelden</a>'
        return Answer(f"<title>Books</title><h1>Books {path}</h1>{links}{books}{commands}")

    with serving(answer) as port:
        yield port, asked


def test_a_crawl_follows_no_link_that_would_change_something(
    site: tuple[int, list[str]], tmp_path: Path
) -> None:
    port, asked = site
    settings = {
        "web.resolve": {"*": f"127.0.0.1:{port}"},
        "web.allow_private": True,
        "politeness.delay_s": 0.0,
        "strategy.name": "breadth_first",
    }
    store = str(tmp_path / "books.leadline")
    leadline.crawl("book", ["http://shop.example/"], pages=400, store=store, settings=settings)
    assert "/books/7" in asked
    # Commands in the query of the home page would ask for it once more.
    assert asked.count("/") == 1
    assert (DAMAGE - {"/"}).isdisjoint(asked)
