"""Clients that ask an application about made-up stores without a socket."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from leadline.ui.web.app import make_app
from tests.ui.web.things import cache_here
from tests.views.conftest import own_store, store_file

__all__ = ["own_store", "store_file"]

HERE = "http://127.0.0.1:8420"


@pytest.fixture
def app(store_file: Path) -> Iterator[FastAPI]:
    made = make_app({"book": store_file}, things=cache_here())
    yield made
    close(made)


def close(app: FastAPI) -> None:
    app.state.things.close()
    for mirror in app.state.stores.values():
        mirror.close()


@pytest.fixture
def client(app: FastAPI) -> httpx.AsyncClient:
    return client_of(app)


def client_of(app: FastAPI, **headers: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url=HERE, headers=headers)
