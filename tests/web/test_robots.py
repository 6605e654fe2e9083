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
from leadline.web.settings import DAY_S
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


@pytest.mark.parametrize(("text", "agent", "url", "is_allowed"), CASES)
def test_rules_are_read_as_googles_parser_is_known_to_read_them(
    text: str, agent: str, url: str, *, is_allowed: bool
) -> None:
    for body in (text.encode(), text.removeprefix("\ufeff").encode("utf-16")):
        assert RobotsRules(body, agent, 0.0).allow(Url(url)) == is_allowed


@pytest.mark.parametrize("named", ["leadline", "LeadLine", "leadline/0.1.0", "leadline 2 (+x)"])
def test_a_version_behind_our_name_makes_no_difference(named: str) -> None:
    rules = RobotsRules(f"User-agent: {named}\nDisallow: /x\n".encode(), "leadline", 0.0)
    assert not rules.allow(Url("http://a.example/x"))
    assert rules.allow(Url("http://a.example/y"))
