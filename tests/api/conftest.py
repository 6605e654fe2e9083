"""A bookshop, and a store of what was found and drawn up there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import leadline
from tests.api.bookshop import HOME, serving


@pytest.fixture(scope="session")
def way() -> Iterator[dict[str, object]]:
    """Settings that lead to the bookshop, at speed."""
    with serving() as settings:
        yield settings


@pytest.fixture(scope="session")
def path(way: dict[str, object], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a crawl and a harvest in it. Only to be read."""
    store = tmp_path_factory.mktemp("api") / "books.leadline"
    leadline.crawl("book", HOME, store=store, pages=8, settings=way)
    leadline.harvest("all", store, requests=40)
    return store


@pytest.fixture
def opened(path: Path) -> Iterator[leadline.Results]:
    with leadline.open_store(path) as results:
        yield results
