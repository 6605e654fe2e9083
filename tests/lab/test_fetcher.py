"""The fetcher of experiments does what the live one does with the same world over HTTP."""

from collections.abc import Iterator
from typing import Any

import pytest

from leadline.core.http import Request, Response
from leadline.core.url import Site, Url
from leadline.errors import (
    ConnectionFailedError,
    FetchError,
    FetchTimeoutError,
    OutOfScopeError,
    RobotsDeniedError,
    SiteBusyError,
)
from leadline.page import parse_page
from leadline.web import RobotsSettings, WebSettings
from leadline_lab.profile import profile_named
from leadline_lab.server.fetcher import LabFetcher
from leadline_lab.server.running import serving
from leadline_lab.server.server import Limits
from leadline_lab.world import World
from tests.lab.small_world import REPLIES, SmallWorld, get, url_of
from tests.web.rig import HASTY, WEB, fetching

ASKED = [
    *(get(path) for path in REPLIES if path != "/timeout"),
    get("/a?x=1"),
    get("/missing"),
    get("/", "nobody.invalid"),
    get("/", "silent.test"),
    get("/", "ill.test"),
    get("/echo?q=gr%C3%BC&r=a+b"),
    get("//twice//"),
    Request(url_of("http://a.test/"), "HEAD"),
    Request(url_of("http://a.test/cut"), "HEAD"),
    Request(url_of("http://a.test/echo"), "POST", b"q=x", "application/x-www-form-urlencoded"),
    Request(url_of("http://a.test/old"), "POST", b"q=x", "application/x-www-form-urlencoded"),
    Request(url_of("http://a.test/ring"), "POST", b"q=x", "application/x-www-form-urlencoded"),
    Request(url_of("http://a.test/reset"), "POST", b"q=x", "application/x-www-form-urlencoded"),
    Request(url_of("http://a.test/echo"), referrer=url_of("http://a.test/from?x=1")),
    Request(url_of("http://a.test/echo"), referrer=url_of("http://b.test/from?x=1")),
    Request(url_of("http://a.test/echo"), referrer=url_of("https://b.test/from?x=1")),
]


def outcome(result: Response | FetchError) -> tuple[object, ...]:
    """All that must be the same whichever way a world is asked."""
    if isinstance(result, FetchError):
        return type(result), result.url, result.requests
    return (
        result.url,
        result.status,
        result.headers,
        result.body,
        result.hops,
        result.requests,
        result.size_bytes,
    )


async def result_of(fetcher: Any, request: Request) -> Response | FetchError:
    try:
        response: Response = await fetcher.fetch(request)
    except FetchError as error:
        return error
    return response


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving(SmallWorld(), limits=Limits(hold_s=0.5)) as port:
        yield port


@pytest.mark.parametrize("request_", ASKED, ids=lambda r: f"{r.method} {r.url} {r.referrer or ''}")
async def test_both_transports_bring_the_same(port: int, request_: Request) -> None:
    web: dict[str, Any] = {"resolve": {"*": f"127.0.0.1:{port}"}}
    if "silent" in request_.url:
        web |= HASTY
    async with fetching(None, web=web) as live:
        over_http = await result_of(live, request_)
    lab = LabFetcher(SmallWorld(), WebSettings(**WEB))
    assert outcome(await result_of(lab, request_)) == outcome(over_http)


async def test_a_site_that_never_answers_times_out_on_both(port: int) -> None:
    web: dict[str, Any] = {"resolve": {"*": f"127.0.0.1:{port}"}, **HASTY}
    async with fetching(None, web=web) as live:
        over_http = await result_of(live, get("/timeout"))
    found = await result_of(LabFetcher(SmallWorld()), get("/timeout"))
    assert outcome(found) == outcome(over_http)
    assert isinstance(found, FetchTimeoutError)


async def test_a_real_world_is_the_same_by_both_transports() -> None:
    world = World(profile_named("small"), 1)
    lab = LabFetcher(world, now=lambda: 7.0)
    seeds = world.seeds("book", 6)
    waiting = [Request(url) for url in seeds if not wants_time(world, url)]
    with serving(world, limits=Limits(hold_s=0.2, delay_s=0.0), now=lambda: 7.0) as port:
        web: dict[str, Any] = {"resolve": {"*": f"127.0.0.1:{port}"}}
        async with fetching(None, web=web, politeness={"max_hold_s": 0.0}) as live:
            for at in range(60):
                inside = await result_of(lab, waiting[at])
                assert outcome(await result_of(live, waiting[at])) == outcome(inside)
                if isinstance(inside, Response):
                    page = parse_page(inside.body, inside.url, inside.content_type)
                    found = [link.target for link in page.links[at::7]]
                    waiting += [Request(url) for url in found if not wants_time(world, url)]


def wants_time(world: World, url: Url) -> bool:
    """Whether the live fetcher would leave the site alone for a while."""
    located = world.locate(url)
    if located is None:
        return False
    robots = world.answer(Request(Url(f"{located.estate.root}/robots.txt"))).body
    return "failing" in located.estate.plan.traps or b"Crawl-delay" in robots


async def test_the_time_of_an_answer_is_reported_and_not_waited() -> None:
    response = await LabFetcher(SmallWorld()).fetch(get("/slow"))
    assert response.elapsed_s == 0.05


async def test_an_answer_slower_than_allowed_is_none() -> None:
    fetcher = LabFetcher(SmallWorld(), WebSettings(first_byte_timeout_s=0.01))
    with pytest.raises(FetchTimeoutError):
        await fetcher.fetch(get("/slow"))


async def test_robots_txt_is_asked_once_an_origin_and_counted() -> None:
    world = SmallWorld()
    fetcher = LabFetcher(world)
    costs = [
        (await fetcher.fetch(get("/a", host))).requests for host in ("x.test", "x.test", "y.test")
    ]
    assert costs == [2, 1, 2]
    assert fetcher.requests == len(world.asked) == 5


async def test_what_robots_txt_forbids_is_not_asked_for() -> None:
    world = SmallWorld()
    with pytest.raises(RobotsDeniedError):
        await LabFetcher(world).fetch(get("/private/x"))
    assert [request.url for request in world.asked] == ["http://a.test/robots.txt"]


async def test_robots_txt_can_be_left_alone() -> None:
    fetcher = LabFetcher(SmallWorld(), robots=RobotsSettings(obey=False))
    response = await fetcher.fetch(get("/private/x"))
    assert (response.status, response.requests) == (200, 1)


async def test_rules_are_those_of_our_own_user_agent() -> None:
    fetcher = LabFetcher(SmallWorld(), WebSettings(user_agent="nobody/1.0"))
    with pytest.raises(RobotsDeniedError):
        await fetcher.fetch(get("/a"))


async def test_a_redirect_out_of_scope_is_not_followed() -> None:
    fetcher = LabFetcher(
        SmallWorld(), in_scope=lambda url: "" if url.startswith("http://a.test/") else "elsewhere"
    )
    with pytest.raises(OutOfScopeError):
        await fetcher.fetch(get("/away"))


async def test_a_failed_connection_is_tried_twice_and_a_busy_site_three_times() -> None:
    fetcher = LabFetcher(SmallWorld(), robots=RobotsSettings(obey=False))
    with pytest.raises(ConnectionFailedError) as broken:
        await fetcher.fetch(get("/reset"))
    with pytest.raises(SiteBusyError) as busy:
        await fetcher.fetch(get("/busy"))
    with pytest.raises(SiteBusyError) as resting:
        await fetcher.fetch(get("/rest"))
    assert [error.value.requests for error in (broken, busy, resting)] == [2, 3, 1]
    assert resting.value.retry_after_s == 120


async def test_a_request_takes_a_second_of_invented_time() -> None:
    fetcher = LabFetcher(SmallWorld())
    times = [(await fetcher.fetch(get(path))).at for path in ("/", "/a", "/old")]
    assert times == [2, 3, 5]


async def test_a_given_clock_is_told_to_the_world() -> None:
    response = await LabFetcher(SmallWorld(), now=lambda: 123.0).fetch(get("/"))
    assert response.at == 123.0


async def test_every_site_is_always_ready() -> None:
    fetcher = LabFetcher(SmallWorld())
    await fetcher.fetch(get("/"))
    assert fetcher.ready_at(Site("a.test")) == fetcher.delay_of(Site("a.test")) == 0.0
    await fetcher.close()


def test_a_fetch_needs_no_turn_of_the_event_loop() -> None:
    fetching = LabFetcher(SmallWorld()).fetch(get("/old"))
    with pytest.raises(StopIteration) as ended:
        fetching.send(None)
    assert ended.value.value.status == 200
