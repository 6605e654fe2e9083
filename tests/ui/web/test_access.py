"""Who may ask, and what is refused."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from leadline.errors import ConfigError
from leadline.ui.web.access import (
    HEADERS,
    MOST_BODY_BYTES,
    ServerAccess,
    decide_access,
    is_loopback,
)
from leadline.ui.web.app import make_app
from tests.ui.web.conftest import client_of, close
from tests.views.made_up import HOSTILE, judged

STORES = "/api/v1/stores"
LABELS = f"{STORES}/book/labels"
ORDERS = f"{STORES}/book/orders"
TOKEN = "a token of many letters"


@pytest.fixture
def guarded(store_file: Path) -> Iterator[FastAPI]:
    """One that wants a token."""
    made = make_app({"book": store_file}, ServerAccess(frozenset(), TOKEN))
    yield made
    close(made)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_on_this_machine_no_token_is_needed(host: str) -> None:
    assert decide_access(host, None).token == ""


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "crawler.example.org"])
def test_beyond_this_machine_a_token_is_made(host: str) -> None:
    first, second = decide_access(host, None), decide_access(host, None)
    assert len(first.token) >= 32
    assert first.token != second.token


def test_under_another_name_a_token_is_made() -> None:
    access = decide_access("127.0.0.1", None, ("Crawl.Example.org",))
    assert access.token
    assert "crawl.example.org" in access.names


def test_a_token_that_can_be_guessed_is_refused() -> None:
    with pytest.raises(ConfigError, match="at least 16"):
        decide_access("127.0.0.1", "secret")
    assert decide_access("127.0.0.1", TOKEN).token == TOKEN


def test_a_name_is_not_taken_for_loopback() -> None:
    assert not is_loopback("127.0.0.1.example.org")


@pytest.mark.parametrize("host", ["localhost:8420", "127.0.0.1", "[::1]:8420", "LOCALHOST"])
async def test_names_of_this_machine_are_answered(client: httpx.AsyncClient, host: str) -> None:
    assert (await client.get(STORES, headers={"host": host})).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:8420", "", "[::2]"])
async def test_a_name_pointed_at_this_machine_is_refused(
    client: httpx.AsyncClient, host: str
) -> None:
    answer = await client.get(STORES, headers={"host": host})
    assert answer.status_code == 403
    assert answer.json()["error"]["which"] == host


async def test_without_the_token_nothing_is_told(guarded: FastAPI) -> None:
    async with client_of(guarded) as client:
        for path in ("/", "/book/", STORES, "/static/style.css", "/assets/plotly.min.js", "/none"):
            answer = await client.get(path)
            assert answer.status_code == 401, path
            assert answer.headers["www-authenticate"] == "Bearer"
        wrong = await client.get(STORES, headers={"authorization": "Bearer wrong"})
        assert wrong.status_code == 401
        assert (await client.get(f"{STORES}?token=wrong")).status_code == 401
        assert (
            await client.post(f"{ORDERS}?token={TOKEN}", json={"kind": "stop"})
        ).status_code == 401


async def test_programs_send_the_token_as_a_header(guarded: FastAPI) -> None:
    async with client_of(guarded, authorization=f"Bearer {TOKEN}") as client:
        assert (await client.get(STORES)).status_code == 200


async def test_browsers_get_a_cookie_for_the_token_and_lose_it_from_the_address(
    guarded: FastAPI,
) -> None:
    async with client_of(guarded) as client:
        answer = await client.get("/book/forms", params={"token": TOKEN, "q": "a b"})
        assert answer.status_code == 303
        assert answer.headers["location"] == "/book/forms?q=a+b"
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert (await client.get(STORES)).status_code == 200


async def test_a_login_leads_nowhere_else(guarded: FastAPI) -> None:
    async with client_of(guarded) as client:
        answer = await client.get("http://127.0.0.1:8420//evil.example/", params={"token": TOKEN})
        assert answer.headers["location"].startswith("/evil.example")


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
    ],
)
async def test_another_sites_page_changes_nothing(
    client: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    answer = await client.post(ORDERS, json={"kind": "stop"}, headers=headers)
    assert answer.status_code == 403
    assert (await client.get(ORDERS)).json()["total"] == 0


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", ""])
async def test_what_html_forms_can_send_is_refused(client: httpx.AsyncClient, kind: str) -> None:
    body = json.dumps({"kind": "stop"})
    answer = await client.post(ORDERS, content=body, headers={"content-type": kind})
    assert answer.status_code == 415


async def test_another_sites_page_embeds_nothing_but_may_link_here(
    client: httpx.AsyncClient,
) -> None:
    embedded = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert (await client.get(STORES, headers=embedded)).status_code == 403
    linked = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert (await client.get(STORES, headers=linked)).status_code == 200


def test_no_get_changes_anything(app: FastAPI) -> None:
    """Whatever can be changed has a route, and each of these takes POST alone."""
    writing = [
        (path, set(methods))
        for path, methods in app.openapi()["paths"].items()
        if set(methods) - {"get", "parameters"}
    ]
    assert {path for path, _ in writing} == {
        f"{STORES}/{{store}}/ask",
        f"{STORES}/{{store}}/harvests",
        f"{STORES}/{{store}}/labels",
        f"{STORES}/{{store}}/orders",
    }
    assert all(methods <= {"get", "post"} for _, methods in writing)


async def test_large_bodies_are_refused(client: httpx.AsyncClient) -> None:
    body = b" " * (MOST_BODY_BYTES + 1)
    headers = {"content-type": "application/json"}
    assert (await client.post(ORDERS, content=body, headers=headers)).status_code == 413

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(20):
            yield b" " * 100_000

    assert (await client.post(ORDERS, content=pieces(), headers=headers)).status_code == 413


@pytest.mark.parametrize(
    ("path", "status"),
    [(STORES, 200), ("/api/v1/none", 404), (f"{STORES}/book/forms?limit=x", 422), ("/bug", 500)],
)
async def test_every_answer_has_the_headers(app: FastAPI, path: str, status: int) -> None:
    @app.get("/bug")
    def bug() -> None:
        raise RuntimeError(HOSTILE)

    app.router.routes.insert(0, app.router.routes.pop())
    async with client_of(app) as client:
        answer = await client.get(path)
    assert answer.status_code == status
    assert HOSTILE not in answer.text
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy


def texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts_in(inner)


async def test_what_hostile_pages_say_stays_data(client: httpx.AsyncClient) -> None:
    signature = judged(0).signature
    for path in ("forms", f"forms/{signature}", f"harvests/{signature}/records", "events"):
        answer = await client.get(f"{STORES}/book/{path}")
        assert any(HOSTILE in text for text in texts_in(answer.json()))
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"


async def test_scripts_come_from_here_and_are_kept(client: httpx.AsyncClient) -> None:
    from leadline.ui.web.pages import plotly_address

    packed = await client.get(plotly_address(), headers={"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["content-type"].startswith("text/javascript")
    assert "immutable" in packed.headers["cache-control"]
    plain = await client.get("/assets/plotly.min.js", headers={"accept-encoding": "identity"})
    assert plain.content == packed.content
    assert plain.headers["cache-control"] == "no-cache"
