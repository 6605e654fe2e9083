"""The cookie jar is bounded, and gives a site only its own cookies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from leadline.core.url import Site
from leadline.web.cookies import MAX_HEADER_CHARS, MAX_PER_SITE, MAX_SITES, CookieJar, parse_cookie
from tests.server.misbehaving import MisbehavingServer
from tests.web.rig import fetching, get

A, B = Site("a.test"), Site("b.test")


def jar_at(now: float = 0.0) -> CookieJar:
    return CookieJar(lambda: now)


def test_a_cookie_goes_back_to_its_site_and_no_other() -> None:
    jar = jar_at()
    jar.take(A, ["x=1; Domain=.test; Path=/deep", "y=2"])
    assert jar.header(A, is_secure=False) == "x=1; y=2"
    assert jar.header(B, is_secure=False) == ""
    assert jar.header(Site("sub.a.test"), is_secure=False) == ""


def test_a_secure_cookie_is_not_sent_in_the_clear() -> None:
    jar = jar_at()
    jar.take(A, ["x=1; SECURE; HttpOnly"])
    assert jar.header(A, is_secure=False) == ""
    assert jar.header(A, is_secure=True) == "x=1"


@pytest.mark.parametrize(
    "over", ["x=; Max-Age=0", "x=; Max-Age=-5", "x=; Expires=Thu, 01-Jan-1970 00:00:00 GMT"]
)
def test_a_cookie_can_be_taken_back(over: str) -> None:
    jar = jar_at(1e9)
    jar.take(A, ["x=1"])
    jar.take(A, [over])
    assert jar.header(A, is_secure=True) == ""


def test_a_cookie_ends() -> None:
    cookie = parse_cookie("x=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 100.0)
    assert cookie is not None
    assert cookie.expires_at == 160.0


@given(st.lists(st.text(max_size=300), max_size=80))
def test_any_header_leaves_a_sendable_and_bounded_jar(headers: list[str]) -> None:
    jar = jar_at()
    jar.take(A, headers)
    sent = jar.header(A, is_secure=True)
    assert len(sent) <= MAX_HEADER_CHARS
    assert sent.isascii()
    assert sent == "" or sent.isprintable()


def test_the_jar_is_bounded() -> None:
    jar = jar_at()
    jar.take(A, [f"c{n}={'v' * 1000}" for n in range(500)])
    assert jar.header(A, is_secure=False).count("=") <= MAX_PER_SITE
    assert len(jar.header(A, is_secure=False)) <= MAX_HEADER_CHARS
    for n in range(MAX_SITES + 1):
        jar.take(Site(f"{n}.test"), ["x=1"])
    assert jar.header(A, is_secure=False) == ""


async def test_cookies_come_back_on_the_wire(server: MisbehavingServer) -> None:
    async with fetching(server, web={"cookies": "always"}) as fetcher:
        await fetcher.fetch(get("/foreign_cookie"))
        own = await fetcher.fetch(get("/echo"))
        other = await fetcher.fetch(get("/echo", "b.test"))
    assert b"cookie: spy=1" in own.body
    assert b"cookie" not in other.body


@pytest.mark.parametrize("mode", ["never", False])
async def test_cookies_can_be_refused(server: MisbehavingServer, mode: object) -> None:
    async with fetching(server, web={"cookies": mode}) as fetcher:
        await fetcher.fetch(get("/foreign_cookie"))
        assert b"cookie" not in (await fetcher.fetch(get("/echo"))).body


async def test_links_are_followed_without_cookies(server: MisbehavingServer) -> None:
    async with fetching(server) as fetcher:
        await fetcher.fetch(get("/foreign_cookie"))
        assert b"cookie" not in (await fetcher.fetch(get("/echo"))).body


async def test_a_session_sends_what_it_was_given_and_nothing_older(
    server: MisbehavingServer,
) -> None:
    echo = structs.replace(get("/echo"), is_session=True)
    async with fetching(server) as fetcher:
        await fetcher.fetch(get("/foreign_cookie"))
        assert b"cookie" not in (await fetcher.fetch(echo)).body
        await fetcher.fetch(structs.replace(get("/foreign_cookie"), is_session=True))
        assert b"cookie: spy=1" in (await fetcher.fetch(echo)).body
        assert b"cookie" not in (await fetcher.fetch(get("/echo"))).body


async def test_a_site_that_goes_in_a_circle_without_its_cookie_gets_it_from_then_on(
    server: MisbehavingServer,
) -> None:
    async with fetching(server) as fetcher:
        assert (await fetcher.fetch(get("/cookie_wall"))).body == b"welcome"
        assert b"cookie: pass=1" in (await fetcher.fetch(get("/echo"))).body
        assert b"cookie" not in (await fetcher.fetch(get("/echo", "b.test"))).body
