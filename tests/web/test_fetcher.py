"""Redirects, scope, what is sent, retries, settings."""

from importlib.metadata import version

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from pydantic import ValidationError

from leadline.core.http import Hop, Request
from leadline.core.url import Url, canonical
from leadline.errors import (
    BadResponseError,
    ConfigError,
    ConnectionFailedError,
    FetchError,
    OutOfScopeError,
    RobotsDeniedError,
    SiteBusyError,
    WrongTypeError,
)
from leadline.web import PolitenessSettings, RobotsSettings, WebSettings, open_fetcher
from leadline.web.exchange import FOREIGN, translate_error, trim_referrer
from leadline.web.fetcher import (
    RETRY_TABLE,
    SHORT_WAIT_S,
    GiveUp,
    RetryAfter,
    decide_retry,
    decide_status_retry,
    follow_redirect,
)
from tests.server.misbehaving import MisbehavingServer
from tests.web.rig import fetching, get, url_of

POST = Request(Url("http://a.test/f"), "POST", b"q=1", "application/x-www-form-urlencoded")


async def test_redirects_are_followed_and_told(server: MisbehavingServer) -> None:
    async with fetching(server) as fetcher:
        response = await fetcher.fetch(get("/to/301?http://B.test:80/fine#top"))
    assert response.url == "http://b.test/fine"
    start = Url("http://a.test/to/301?http://B.test:80/fine")
    assert response.hops == (Hop(start, 301, "http://B.test:80/fine"),)


async def test_a_redirect_out_of_scope_is_not_followed(server: MisbehavingServer) -> None:
    def in_scope(url: Url) -> str:
        return "" if url.startswith("http://a.test/") else "another site"

    async with fetching(server, in_scope=in_scope) as fetcher:
        await fetcher.fetch(get("/to/302?/fine"))
        with pytest.raises(OutOfScopeError, match="another site"):
            await fetcher.fetch(get("/to/302?http://b.test/fine"))
    assert {ask.host for ask in server.asks} == {"a.test"}


async def test_robots_txt_holds_for_redirects(server: MisbehavingServer) -> None:
    async with fetching(server) as fetcher:
        with pytest.raises(RobotsDeniedError):
            await fetcher.fetch(get("/to/302?http://robots-deny.test/fine"))
    assert server.count("/fine") == 0


@pytest.mark.parametrize("status", [301, 302, 303])
async def test_a_redirected_post_becomes_a_get(server: MisbehavingServer, status: int) -> None:
    async with fetching(server) as fetcher:
        url = url_of(f"http://a.test/to/{status}?/echo")
        response = await fetcher.fetch(Request(url, "POST", b"q=1", "text/plain"))
    assert response.body.startswith(b"GET /echo")
    assert b"q=1" not in response.body


@pytest.mark.parametrize("status", [307, 308])
async def test_a_temporary_redirect_keeps_the_post(server: MisbehavingServer, status: int) -> None:
    async with fetching(server) as fetcher:
        url = url_of(f"http://a.test/to/{status}?/echo")
        response = await fetcher.fetch(Request(url, "POST", b"q=1", "text/plain"))
    assert response.body.startswith(b"POST /echo")
    assert response.body.endswith(b"q=1")
    assert b"content-type: text/plain" in response.body


async def test_a_lost_post_is_not_sent_again(server: MisbehavingServer) -> None:
    async with fetching(server) as fetcher:
        with pytest.raises(ConnectionFailedError):
            await fetcher.fetch(Request(url_of("http://a.test/empty_reply"), "POST", b"q=1"))
    assert server.count("/empty_reply") == 1


async def test_a_post_to_a_busy_site_is_not_sent_again(server: MisbehavingServer) -> None:
    async with fetching(server) as fetcher:
        with pytest.raises(SiteBusyError):
            await fetcher.fetch(Request(url_of("http://a.test/busy_once"), "POST", b"q=1"))
    assert server.count("/busy_once") == 1


@given(st.text(max_size=100))
def test_any_location_is_a_url_or_an_error(location: str) -> None:
    hop = Hop(Url("http://a.test/f"), 302, location)
    try:
        request = follow_redirect(POST, hop)
    except BadResponseError:
        return
    assert request.url == canonical(request.url)
    assert (request.method, request.body, request.content_type) == ("GET", b"", "")


def test_a_visit_with_a_state_keeps_what_crawls_cut_from_redirects() -> None:
    hop = Hop(Url("http://a.test/f"), 303, "/list;jsessionid=7?sid=1&page=2")
    assert follow_redirect(POST, hop).url == "http://a.test/list?page=2"
    session = follow_redirect(replace(POST, is_session=True), hop)
    assert session.url == "http://a.test/list;jsessionid=7?sid=1&page=2"
    assert session.is_session


@pytest.mark.parametrize("path", ["/echo?q=a%20b&x=%E2%82%AC", "/echo/%7Euser", "/echo?a=[1]"])
async def test_the_url_is_sent_byte_for_byte(server: MisbehavingServer, path: str) -> None:
    async with fetching(server) as fetcher:
        request = get(path)
        await fetcher.fetch(request)
    assert f"http://a.test{server.asks[-1].target}" == request.url


async def test_requests_say_who_asks_and_what_for(server: MisbehavingServer) -> None:
    contact = "https://crawl.example/about"
    async with fetching(server, web={"contact_url": contact}) as fetcher:
        request = Request(get("/echo").url, referrer=url_of("http://b.test/deep?x=1"))
        sent = (await fetcher.fetch(request)).body.decode()
    assert f"user-agent: leadline/{version('leadline')} (+{contact})" in sent
    assert "accept-encoding: gzip, deflate, br, zstd" in sent
    assert "accept: text/html, " in sent
    assert "referer: http://b.test/\n" in sent


@pytest.mark.parametrize(
    ("referrer", "url", "shown"),
    [
        ("http://a.test/x?y", "http://a.test/z", "http://a.test/x?y"),
        ("http://a.test/x", "http://b.test/", "http://a.test/"),
        ("https://a.test/x", "http://a.test/", ""),
        ("https://a.test/x", "https://b.test/", "https://a.test/"),
    ],
)
def test_other_sites_see_only_the_origin(referrer: str, url: str, shown: str) -> None:
    assert trim_referrer(Url(referrer), Url(url)) == shown


def every_kind(kind: type[FetchError] = FetchError) -> list[type[FetchError]]:
    return [kind, *(found for below in kind.__subclasses__() for found in every_kind(below))]


@pytest.mark.parametrize("kind", every_kind())
def test_tries_end(kind: type[FetchError]) -> None:
    verdicts = [decide_retry(kind("http://a.test/", "why"), tries) for tries in range(1, 10)]
    assert isinstance(verdicts[-1], GiveUp)
    assert all(v.wait_s < SHORT_WAIT_S for v in verdicts if isinstance(v, RetryAfter))


def test_a_long_wait_gives_the_lease_back() -> None:
    assert decide_retry(SiteBusyError("", "", 3.0), 1) == RetryAfter(3.0)
    assert decide_retry(SiteBusyError("", "", 60.0), 1) == GiveUp(site=False)


def test_flapping_gateways_get_one_more_try() -> None:
    assert decide_status_retry(502, 1) == RetryAfter(2.0)
    assert decide_status_retry(502, 2) is None
    assert decide_status_retry(404, 1) is None


def test_the_table_speaks_of_fetch_errors_only() -> None:
    assert set(RETRY_TABLE) <= set(every_kind())


@pytest.mark.parametrize("foreign", FOREIGN)
def test_every_foreign_error_has_a_translation(foreign: type[Exception]) -> None:
    error = foreign.__new__(foreign)
    for name in ("reason", "message"):
        if hasattr(foreign, "__dict__"):
            setattr(error, name, "why")
    assert isinstance(translate_error(error, "http://a.test/"), FetchError)


@pytest.mark.parametrize(
    "wrong",
    [
        {"total_timeout_s": 0},
        {"proxy": "ftp://p.test"},
        {"proxy": "http://"},
        {"resolve": {"a.test": "not an address"}},
        {"resolve": {"a.test": "127.0.0.1:99999"}},
        {"resolve": {"a.test": "127.0.0.1"}, "proxy": "http://127.0.0.1:1"},
        {"allow_addresses": ("10.0.0.0/99",)},
        {"user_agent": "two\nlines"},
        {"no_such_setting": 1},
    ],
)
def test_settings_that_cannot_be_honoured_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        WebSettings.model_validate(wrong)


@pytest.mark.parametrize("model", [WebSettings, RobotsSettings, PolitenessSettings])
def test_every_setting_is_described(model: type[WebSettings]) -> None:
    assert all(field.description for field in model.model_fields.values())


async def test_an_unreadable_ca_file_is_a_config_error() -> None:
    settings = WebSettings(ca_file="/no/such/file")
    with pytest.raises(ConfigError, match="ca_file"):
        open_fetcher(settings, RobotsSettings(), PolitenessSettings())


async def test_a_request_may_name_the_types_it_accepts(server: MisbehavingServer) -> None:
    async with fetching(server) as fetcher:
        page = get("/to/302?/echo")
        sent = await fetcher.fetch(replace(page, accept=("text/plain", "text/x")))
        assert "accept: text/plain, text/x\n" in sent.body.decode()
        with pytest.raises(WrongTypeError, match="text/plain"):
            await fetcher.fetch(replace(page, accept=("application/json",)))
        assert "accept: text/html, " in (await fetcher.fetch(page)).body.decode()
