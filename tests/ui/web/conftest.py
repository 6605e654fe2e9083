"""Made-up stores, and clients that ask an application about them without a socket."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from leadline.ui.web.app import make_app
from leadline.ui.web.seen.following import Following, follow
from tests.ui.web.made_up import make_store

HERE = "http://127.0.0.1:8420"


@pytest.fixture(scope="session")
def store_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Only to be read."""
    return make_store(tmp_path_factory.mktemp("stores") / "book.leadline")


@pytest.fixture
def own_store(tmp_path: Path) -> Path:
    """One that a test may write on."""
    return make_store(tmp_path / "own.leadline")


@pytest.fixture
def seen(store_file: Path) -> Iterator[Following]:
    following = follow("book", store_file)
    with following.looking():
        yield following
    following.close()


@pytest.fixture
def app(store_file: Path) -> Iterator[FastAPI]:
    made = make_app({"book": store_file})
    yield made
    close(made)


def close(app: FastAPI) -> None:
    for following in app.state.stores.values():
        following.close()


@pytest.fixture
def client(app: FastAPI) -> httpx.AsyncClient:
    return client_of(app)


def client_of(app: FastAPI, **headers: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url=HERE, headers=headers)
