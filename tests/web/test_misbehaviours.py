"""For each misbehaviour of a server: what a fetch comes to, in bounded time and memory."""

import asyncio
import pickle
import time
import tracemalloc

import pytest

from leadline.core.http import Response
from leadline.errors import (
    BadResponseError,
    ConnectionFailedError,
    FetchError,
    FetchTimeoutError,
    SiteBusyError,
    TooLargeError,
    TooManyRedirectsError,
    WrongTypeError,
)
from tests.server.misbehaving import MisbehavingServer
from tests.web.rig import HASTY, fetching, get

MIB = 1024 * 1024

FAILURES: dict[str, type[FetchError]] = {
    "/silence": FetchTimeoutError,
    "/slow_headers": FetchTimeoutError,
    "/slow_body": FetchTimeoutError,
    "/stalled_body": FetchTimeoutError,
    "/endless_body": TooLargeError,
    "/endless_chunks": TooLargeError,
    "/promises_more": BadResponseError,
    "/sends_more": BadResponseError,
    "/body_on_204": BadResponseError,
    "/body_on_304": BadResponseError,
    "/two_lengths": BadResponseError,
    "/negative_length": BadResponseError,
    "/broken_chunks": BadResponseError,
    "/missing_last_chunk": BadResponseError,
    "/reset_mid_body": BadResponseError,
    "/reset_at_once": ConnectionFailedError,
    "/empty_reply": ConnectionFailedError,
    "/http_0_9": BadResponseError,
    "/binary_junk": BadResponseError,
    "/many_headers": BadResponseError,
    "/giant_header": BadResponseError,
    "/endless_header": BadResponseError,
    "/gzip_bomb": TooLargeError,
    "/brotli_bomb": TooLargeError,
    "/zstd_bomb": TooLargeError,
    "/nested_bomb": TooLargeError,
    "/many_codings": BadResponseError,
    "/claims_gzip": BadResponseError,
    "/claims_brotli": BadResponseError,
    "/claims_zstd": BadResponseError,
    "/nested_tags": TooLargeError,
    "/million_links": TooLargeError,
    "/announces_much": TooLargeError,
    "/picture": WrongTypeError,
    "/busy_seconds": SiteBusyError,
    "/busy_date": SiteBusyError,
    "/busy_garbage": SiteBusyError,
    "/loop/a": TooManyRedirectsError,
    "/chain/9": TooManyRedirectsError,
    "/to/302?ftp://a.test/": BadResponseError,
    "/to/302?javascript:alert(1)": BadResponseError,
    "/to/302?http://": BadResponseError,
    "/to/301?http://[::1": BadResponseError,
}

ANSWERS: dict[str, tuple[int, bytes]] = {
    "/unasked_continue": (200, b"after all"),
    "/empty_reply_once": (200, b"second time lucky"),
    "/busy_once": (200, b"here it is"),
    "/flapping_gateway": (200, b"good gateway"),
    "/broken": (500, b"oops"),
    "/no_location": (302, b"where?"),
    "/chain/5": (200, b"the end"),
    "/cookie_wall": (200, b"welcome"),
    "/cut_gzip": (200, b"first part first part"),
    "/made_up_coding": (200, b"plain"),
    "/raw_deflate": (200, b"raw"),
    "/packed/gzip": (200, b"<p>hello</p><p>hello</p>"),
    "/packed/deflate": (200, b"<p>hello</p><p>hello</p>"),
    "/packed/br": (200, b"<p>hello</p><p>hello</p>"),
    "/packed/zstd": (200, b"<p>hello</p><p>hello</p>"),
    "/wrong_charset": (200, b"\xff\xfec\0a\0f\0"),
    "/nul_bytes": (200, b"<html>\0\0\0</html>\0"),
    "/odd_type": (200, b"<p>"),
    "/no_type": (200, b"<p>"),
    "/cookie_flood": (200, b"full"),
    "/endless_redirect": (200, b"<title>fine</title>"),
    "/nowhere": (404, b"no such page"),
}


@pytest.mark.parametrize("path", FAILURES)
async def test_a_misbehaviour_ends_soon_in_an_error_of_its_kind(
    server: MisbehavingServer, path: str
) -> None:
    started = time.monotonic()
    web = HASTY if FAILURES[path] is FetchTimeoutError else {}
    async with fetching(server, web=web) as fetcher:
        with pytest.raises(FAILURES[path]) as caught:
            await fetcher.fetch(get(path))
    assert type(caught.value) is FAILURES[path]
    assert caught.value.url.startswith("http://a.test/")
    # The worst of them would go on for half an hour.
    assert time.monotonic() - started < 120


@pytest.mark.parametrize("path", ANSWERS)
async def test_an_oddity_is_still_an_answer(server: MisbehavingServer, path: str) -> None:
    status, body = ANSWERS[path]
    async with fetching(server) as fetcher:
        response = await fetcher.fetch(get(path))
    assert response.status == status
    assert response.body.startswith(body)


async def test_after_every_misbehaviour_the_next_fetch_works(server: MisbehavingServer) -> None:
    # Long enough for a busy machine to answer what is fine, short enough to wait for what is not.
    patience = {"first_byte_timeout_s": 2.0, "total_timeout_s": 5.0}
    async with fetching(server, web=patience) as fetcher:
        hosts = {path: f"h{n}.test" for n, path in enumerate(FAILURES)}
        results = await asyncio.gather(
            *(fetcher.fetch(get(path, host)) for path, host in hosts.items()),
            return_exceptions=True,
        )
        assert all(isinstance(result, FetchError) for result in results)
        rested = [host for path, host in hosts.items() if "busy" not in path]
        fine = await asyncio.gather(*(fetcher.fetch(get("/fine", host)) for host in rested))
    assert {response.status for response in fine} == {200}


@pytest.mark.parametrize(
    "path",
    ["/gzip_bomb", "/brotli_bomb", "/zstd_bomb", "/nested_bomb", "/endless_body", "/giant_header"],
)
async def test_memory_stays_within_the_caps(server: MisbehavingServer, path: str) -> None:
    async with fetching(server) as fetcher:
        await fetcher.fetch(get("/fine"))
        tracemalloc.start()
        try:
            with pytest.raises(FetchError):
                await fetcher.fetch(get(path))
            _, peak_bytes = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    # The server's own copy of the answer (a bomb is small, a header 4 MB) is in it too.
    assert peak_bytes < 14 * MIB


async def test_a_refusal_carries_the_wait_asked_for(server: MisbehavingServer) -> None:
    async with fetching(server) as fetcher:
        with pytest.raises(SiteBusyError) as caught:
            await fetcher.fetch(get("/busy_seconds"))
    assert caught.value.retry_after_s == pytest.approx(120, abs=1)
    assert server.count("/busy_seconds") == 1


async def test_a_date_far_ahead_is_waited_for_no_longer_than_set(
    server: MisbehavingServer,
) -> None:
    async with fetching(server, politeness={"max_retry_after_s": 50}) as fetcher:
        with pytest.raises(SiteBusyError) as caught:
            await fetcher.fetch(get("/busy_date"))
        assert caught.value.retry_after_s == pytest.approx(50, abs=1)
        with pytest.raises(SiteBusyError, match="rests"):
            await fetcher.fetch(get("/fine"))
    assert server.count("/fine") == 0


async def test_a_garbled_wait_is_tried_again_and_then_given_back(
    server: MisbehavingServer,
) -> None:
    async with fetching(server) as fetcher:
        with pytest.raises(SiteBusyError):
            await fetcher.fetch(get("/busy_garbage"))
    assert server.count("/busy_garbage") == 3


async def test_every_request_is_counted(server: MisbehavingServer) -> None:
    async with fetching(server) as fetcher:
        response = await fetcher.fetch(get("/chain/2"))
        again = await fetcher.fetch(get("/empty_reply_once"))
    assert response.requests == 4, "robots.txt, two redirects and the page"
    assert again.requests == 2, "one that broke and one that went well"
    assert len(server.asks) == 6


async def test_failures_count_their_requests_too(server: MisbehavingServer) -> None:
    async with fetching(server) as fetcher:
        with pytest.raises(TooManyRedirectsError) as caught:
            await fetcher.fetch(get("/loop/a"))
    assert caught.value.requests == len(server.asks) == 3
    assert pickle.loads(pickle.dumps(caught.value)).requests == 3


async def test_a_cancelled_fetch_leaves_the_way_free(server: MisbehavingServer) -> None:
    async with fetching(server) as fetcher:
        await fetcher.fetch(get("/fine"))
        for path in ("/silence", "/stalled_body", "/endless_body"):
            fetch = asyncio.create_task(fetcher.fetch(get(path)))
            await server.hears(path)
            fetch.cancel()
            with pytest.raises(asyncio.CancelledError):
                await fetch
            assert (await fetcher.fetch(get("/fine"))).status == 200


async def test_a_lost_request_is_not_repeated_behind_our_back(server: MisbehavingServer) -> None:
    async with fetching(server, retries={}) as fetcher:
        with pytest.raises(ConnectionFailedError):
            await fetcher.fetch(get("/empty_reply"))
    assert server.count("/empty_reply") == 1


async def test_a_large_page_within_the_caps_arrives_whole(server: MisbehavingServer) -> None:
    caps = {"max_body_bytes": 20 * MIB, "max_unpacked_bytes": 20 * MIB, "total_timeout_s": 20.0}
    async with fetching(server, web=caps) as fetcher:
        nested = await fetcher.fetch(get("/nested_tags"))
        links = await fetcher.fetch(get("/million_links"))
    assert len(nested.body) == nested.size_bytes == 10 * MIB
    assert len(links.body) == 10_000_000


async def test_any_bytes_at_all_are_an_answer_or_a_fetch_error(
    server: MisbehavingServer,
) -> None:
    web = {"first_byte_timeout_s": 2.0}
    async with fetching(server, web=web, robots={"obey": False}, retries={}) as fetcher:
        results = await asyncio.gather(
            *(fetcher.fetch(get("/mutant", f"m{n}.test")) for n in range(300)),
            return_exceptions=True,
        )
    assert all(isinstance(result, Response | FetchError) for result in results)
    assert sum(isinstance(result, FetchError) for result in results) > 50


async def test_an_upgrade_nobody_asked_for_brings_no_page(server: MisbehavingServer) -> None:
    async with fetching(server) as fetcher:
        try:
            response = await fetcher.fetch(get("/unasked_upgrade"))
        except FetchError:
            return
    assert response.status == 101


async def test_what_was_transferred_is_measured_before_unpacking(
    server: MisbehavingServer,
) -> None:
    async with fetching(server) as fetcher:
        response = await fetcher.fetch(get("/packed/gzip"))
    assert 0 < response.size_bytes < len(response.body) == 24_000
