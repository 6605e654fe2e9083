"""robots.txt of every kind."""

import asyncio

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from leadline.core.url import Site, Url
from leadline.errors import (
    AddressRefusedError,
    ConnectionFailedError,
    FetchTimeoutError,
    RobotsDeniedError,
    SiteBusyError,
)
from leadline.web.robots import RobotsCopy, RobotsRules
from leadline.web.robots_text import escape_pattern
from leadline.web.settings import DAY_S, WebSettings
from tests.server.misbehaving import MisbehavingServer
from tests.web.google_robots_cases import CASES
from tests.web.rig import HASTY, Clock, Shelf, fetching, get


@pytest.mark.parametrize("kind", ["401", "403", "404", "html", "binary", "circle", "sitemap"])
async def test_a_site_without_usable_rules_allows_all(server: MisbehavingServer, kind: str) -> None:
    async with fetching(server) as fetcher:
        response = await fetcher.fetch(get("/fine", f"robots-{kind}.test"))
    assert response.status == 200


@pytest.mark.parametrize(
    "kind", ["deny", "bom", "html-deny", "named", "redirect", "huge", "endless", "utf16"]
)
async def test_what_is_forbidden_is_not_asked_for(server: MisbehavingServer, kind: str) -> None:
    async with fetching(server) as fetcher:
        with pytest.raises(RobotsDeniedError):
            await fetcher.fetch(get("/fine", f"robots-{kind}.test"))
        allowed = await fetcher.fetch(get("/echo", f"robots-{kind}.test"))
    assert allowed.status == 200
    assert server.count("/fine") == 0


@pytest.mark.parametrize("kind", ["500", "503", "429"])
async def test_a_failing_robots_txt_means_wait(server: MisbehavingServer, kind: str) -> None:
    async with fetching(server) as fetcher:
        with pytest.raises(SiteBusyError) as caught:
            await fetcher.fetch(get("/fine", f"robots-{kind}.test"))
        asked = server.count("/robots.txt")
        with pytest.raises(SiteBusyError):
            await fetcher.fetch(get("/fine", f"robots-{kind}.test"))
    assert caught.value.retry_after_s == pytest.approx(60, abs=2)
    assert server.count("/robots.txt") == asked, "it is left alone while it rests"
    assert server.count("/fine") == 0


async def test_a_silent_robots_txt_waits_and_then_counts_as_gone(
    server: MisbehavingServer,
) -> None:
    clock = Clock()
    patience = {"unreachable_tries": 2, "unreachable_wait_s": 0.001}
    async with fetching(server, web=HASTY, robots=patience, now=clock) as fetcher:
        with pytest.raises(SiteBusyError):
            await fetcher.fetch(get("/fine", "robots-silence.test"))
        clock.ahead_s += 10
        with pytest.raises(FetchTimeoutError):
            await fetcher.fetch(get("/fine", "robots-silence.test"))
    assert server.count("/fine") == 0


async def test_a_resting_site_is_not_a_failing_robots_txt(server: MisbehavingServer) -> None:
    shelf = Shelf()
    async with fetching(server, **shelf.hooks) as fetcher:
        fetcher.gate.postpone(Site("a.test"), 100.0)
        with pytest.raises(SiteBusyError, match="rests"):
            await fetcher.fetch(get("/fine"))
    assert not shelf.values
    assert not server.asks


async def test_a_site_that_breaks_connections_fails_at_once(server: MisbehavingServer) -> None:
    async with fetching(server) as fetcher:
        for _ in range(2):
            with pytest.raises(ConnectionFailedError):
                await fetcher.fetch(get("/fine", "robots-empty-reply.test"))
    assert server.count("/robots.txt") == 2, "one retry, and then it is known"


async def test_a_robots_txt_may_not_lead_to_private_addresses(server: MisbehavingServer) -> None:
    async with fetching(server) as fetcher:
        with pytest.raises(AddressRefusedError):
            await fetcher.fetch(get("/fine", "robots-private.test"))


async def test_crawl_delay_is_kept(server: MisbehavingServer) -> None:
    async with fetching(server) as fetcher:
        loop = asyncio.get_running_loop()
        await fetcher.fetch(get("/fine", "robots-delay.test"))
        started = loop.time()
        await fetcher.fetch(get("/echo", "robots-delay.test"))
        assert loop.time() - started >= 0.19


async def test_a_monstrous_crawl_delay_is_capped(server: MisbehavingServer) -> None:
    async with fetching(server, robots={"max_crawl_delay_s": 40}) as fetcher:
        with pytest.raises(SiteBusyError) as caught:
            await fetcher.fetch(get("/fine", "robots-long-delay.test"))
    assert caught.value.retry_after_s == pytest.approx(40, abs=2)


async def test_disobedience_is_a_setting(server: MisbehavingServer) -> None:
    async with fetching(server, robots={"obey": False}) as fetcher:
        response = await fetcher.fetch(get("/fine", "robots-deny.test"))
    assert response.requests == 1
    assert server.count("/robots.txt") == 0


async def test_concurrent_fetches_ask_once(server: MisbehavingServer) -> None:
    async with fetching(server) as fetcher:
        await asyncio.gather(*(fetcher.fetch(get(f"/fine/{n}")) for n in range(10)))
    assert server.count("/robots.txt") == 1


async def test_a_restarted_crawl_knows_the_rules(server: MisbehavingServer) -> None:
    shelf = Shelf()
    for _ in range(2):
        async with fetching(server, **shelf.hooks) as fetcher:
            with pytest.raises(RobotsDeniedError):
                await fetcher.fetch(get("/fine", "robots-deny.test"))
    assert server.count("/robots.txt") == 1
    assert list(shelf.values) == ["robots:http://robots-deny.test"]


async def test_damaged_memory_is_asked_for_again(server: MisbehavingServer) -> None:
    shelf = Shelf()
    shelf.values["robots:http://robots-deny.test"] = b"\xff damaged"
    async with fetching(server, **shelf.hooks) as fetcher:
        with pytest.raises(RobotsDeniedError):
            await fetcher.fetch(get("/fine", "robots-deny.test"))
    assert server.count("/robots.txt") == 1


async def test_rules_expire(server: MisbehavingServer) -> None:
    clock = Clock()
    async with fetching(server, now=clock) as fetcher:
        await fetcher.fetch(get("/fine"))
        clock.ahead_s += 2 * DAY_S
        await fetcher.fetch(get("/fine"))
    assert server.count("/robots.txt") == 2


async def test_an_expired_copy_serves_while_robots_txt_fails(server: MisbehavingServer) -> None:
    shelf, clock = Shelf(), Clock()
    async with fetching(server, now=clock, **shelf.hooks) as fetcher:
        with pytest.raises(RobotsDeniedError):
            await fetcher.fetch(get("/fine", "robots-deny.test"))
    kept = shelf.values.pop("robots:http://robots-deny.test")
    shelf.values["robots:http://robots-500.test"] = kept
    clock.ahead_s += 2 * DAY_S
    async with fetching(server, now=clock, **shelf.hooks) as fetcher:
        with pytest.raises(RobotsDeniedError):
            await fetcher.fetch(get("/fine", "robots-500.test"))
        assert (await fetcher.fetch(get("/echo", "robots-500.test"))).status == 200


async def test_after_a_month_of_failures_there_are_no_rules(server: MisbehavingServer) -> None:
    shelf, clock = Shelf(), Clock()
    async with fetching(server, now=clock, **shelf.hooks) as fetcher:
        with pytest.raises(SiteBusyError):
            await fetcher.fetch(get("/fine", "robots-500.test"))
    clock.ahead_s += 31 * DAY_S
    async with fetching(server, now=clock, **shelf.hooks) as fetcher:
        response = await fetcher.fetch(get("/fine", "robots-500.test"))
    assert response.status == 200


async def test_sitemaps_are_listed_when_asked_for(server: MisbehavingServer) -> None:
    async with fetching(server) as fetcher:
        listed = await fetcher.robots.sitemaps("http://robots-sitemap.test")
    assert listed == ("http://robots-sitemap.test/sitemap.xml",)


@given(st.binary(max_size=2_000))
@example(b"\xef\xbb\xbfUser-agent: *\nDisallow: /*$*$\n")
@example(b"User-agent: leadline\r\nCrawl-delay: nan\nDisallow: %ff%\n")
def test_any_bytes_are_rules(body: bytes) -> None:
    rules = RobotsRules(body, "leadline", 0.0)
    rules.allow(Url("http://a.test/x?y=%zz"))
    assert rules.crawl_delay_s >= 0


WORDS = ["User-agent: *", "Disallow: /", "Allow: /*$", "Crawl-delay: 1e9", "\0", "Sitemap:", "#"]


@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=30), max_size=30), st.text(max_size=20))
def test_any_lines_are_rules(lines: list[str], path: str) -> None:
    body = "\n".join(lines).encode("utf-8", "surrogatepass")
    rules = RobotsRules(body, "leadline", 0.0)
    rules.allow(Url("http://a.test/" + path))
    assert isinstance(rules.sitemaps, tuple)


def test_a_record_without_body_has_no_rules() -> None:
    assert RobotsCopy(0.0).body == b""
    assert RobotsRules(b"", "leadline", 0.0).allow(Url("http://a.test/"))


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/a", False),
        ("/ab", False),
        ("/b", True),
        ("//a", True),
        ("/%61", False),
        ("/b?x=/a", True),
    ],
)
def test_paths_match_by_prefix(path: str, allowed: bool) -> None:
    rules = RobotsRules(b"User-agent: *\nDisallow: /a\n", "leadline", 0.0)
    assert rules.allow(Url("http://h.test" + path)) is allowed


@pytest.mark.parametrize("name", CASES)
def test_rules_are_read_as_googles_parser_is_published_to_read_them(name: str) -> None:
    for text, agent, allowed, forbidden in CASES[name]:
        for body in (text.encode(), text.encode("utf-16"), b"\xef\xbb\xbf" + text.encode()):
            rules = RobotsRules(body, agent, 0.0)
            for path in (*allowed, *forbidden):
                is_allowed = rules.allow(Url("http://a.example" + path))
                assert is_allowed == (path in allowed), (text[:200], agent, path[-200:])


@pytest.mark.parametrize(
    ("agent", "token"),
    [
        *(("Snail", "Snail"), ("Snail-Shell/2", "Snail-Shell"), ("Snail_Shell", "Snail_Shell")),
        *(("Snail/2.1", "Snail"), ("Snail Shell", "Snail"), ("Snail*", "Snail"), ("7", "")),
    ],
)
def test_our_token_is_one_that_a_group_may_name(agent: str, token: str) -> None:
    """ID_VerifyValidUserAgentsToObey: letters, `_` and `-`, nothing else."""
    assert WebSettings(user_agent=agent).token == token


_LINES = ["User-Agent: snail", "Allow: /hall/door", "User-Agent: newt", "", "", "Disallow: /"]


@pytest.mark.parametrize(
    "text",
    [
        *(end.join([*_LINES, ""]) for end in ("\n", "\r\n", "\r")),
        "\n".join(_LINES),
        "\n".join(_LINES).replace("\n", "\r\n", 2),
    ],
)
def test_lines_end_in_any_way(text: str) -> None:
    """ID_LinesNumbersAreCountedCorrectly: all four lines that say something are read."""
    assert RobotsRules(text.encode(), "newt", 0.0).allow(Url("http://a.example/hall")) is False
    assert RobotsRules(text.encode(), "snail", 0.0).allow(Url("http://a.example/hall"))


@pytest.mark.parametrize(
    ("start", "is_read"),
    [(b"\xef\xbb\xbf", True), (b"\xef\xbb", True), (b"\xef", True), (b"\xef\x11\xbf", False)],
)
def test_a_byte_order_mark_is_skipped_whole_or_in_part(start: bytes, *, is_read: bool) -> None:
    """ID_UTF8ByteOrderMarkIsSkipped: any other garbage costs its line."""
    body = start + b"User-Agent: snail\nDisallow: /hall\n"
    assert RobotsRules(body, "snail", 0.0).allow(Url("http://a.example/hall")) is not is_read
    inside = b"User-Agent: snail\n" + start + b"Disallow: /hall\n"
    assert RobotsRules(inside, "snail", 0.0).allow(Url("http://a.example/hall"))


@pytest.mark.parametrize("is_first", [True, False])
def test_a_sitemap_may_stand_anywhere(*, is_first: bool) -> None:
    """ID_NonStandardLineExample_Sitemap."""
    named = ["Sitemap: http://a.example/map.xml"]
    lines = [*named, *_LINES] if is_first else [*_LINES[:5], *named]
    rules = RobotsRules("\n".join(lines).encode(), "snail", 0.0)
    assert rules.sitemaps == ("http://a.example/map.xml",)


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("http://a.example/", "/"),
        ("http://a.example/hall", "/hall"),
        ("http://a.example/hall/", "/hall/"),
        ("http://a.example/hall/x?to=http://b.example/", "/hall/x?to=http://b.example/"),
        ("http://a.example/hall;x", "/hall;x"),
    ],
)
def test_path_and_query_are_compared(url: str, path: str) -> None:
    """TestGetPathParamsQuery, for URLs as they are here: absolute, escaped, without fragment."""
    rules = RobotsRules(f"User-agent: *\nDisallow: {path}$\n".encode(), "snail", 0.0)
    assert not rules.allow(Url(url))


@pytest.mark.parametrize(
    ("pattern", "escaped"),
    [
        *(("http://a.example", "http://a.example"), ("/x/y/z", "/x/y/z")),
        *(("\u00e9", "%C3%A9"), ("%bb", "%BB")),
    ],
)
def test_patterns_are_escaped(pattern: str, escaped: str) -> None:
    """TestMaybeEscapePattern."""
    assert escape_pattern(pattern) == escaped


@pytest.mark.parametrize(
    "line",
    [
        *("disallow", "Dissallow", "dissalow", "DISALOW", "diasllow", "disallaw"),
        "disallow ",
    ],
)
@pytest.mark.parametrize("agent_line", ["User-agent", "useragent", "USER AGENT"])
def test_common_misspellings_are_understood(line: str, agent_line: str) -> None:
    rules = RobotsRules(f"{agent_line}: snail\n{line}: /x\n".encode(), "snail", 0.0)
    assert not rules.allow(Url("http://a.example/x"))


def test_what_is_forbidden_is_forbidden_however_it_is_escaped() -> None:
    rules = RobotsRules(b"User-agent: *\nDisallow: /%7Eann/\nDisallow: /b%c3%a9\n", "snail", 0.0)
    for path in ("/~ann/", "/%7eann/", "/%7Eann/", "/b%C3%A9", "/b%c3%a9"):
        assert not rules.allow(Url("http://a.example" + path))
    assert rules.allow(Url("http://a.example/ann/"))


def test_a_group_for_another_agent_is_not_ours_because_its_name_is_in_ours() -> None:
    rules = RobotsRules(b"User-agent: lead\nDisallow: /\n", "leadline", 0.0)
    assert rules.allow(Url("http://a.example/x"))


def test_many_stars_are_matched_quickly() -> None:
    text = f"User-agent: *\nDisallow: /{'*a' * 2_000}$\n"
    rules = RobotsRules(text.encode(), "snail", 0.0)
    assert rules.allow(Url("http://a.example/" + "a" * 1_999 + "b"))


@given(st.binary(max_size=300), st.text(max_size=40))
def test_any_bytes_can_be_read(body: bytes, path: str) -> None:
    assert RobotsRules(body, "snail", 0.0).allow(Url("http://a.example/" + path)) in (True, False)


@pytest.mark.parametrize("named", ["leadline", "LeadLine", "leadline/0.1.0", "leadline 2 (+x)"])
def test_a_version_behind_our_name_makes_no_difference(named: str) -> None:
    rules = RobotsRules(f"User-agent: {named}\nDisallow: /x\n".encode(), "leadline", 0.0)
    assert not rules.allow(Url("http://a.example/x"))
    assert rules.allow(Url("http://a.example/y"))
