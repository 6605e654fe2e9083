"""Fetchers pointed at a loopback server, with limits short enough for tests."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from leadline.core.http import Request
from leadline.core.url import Url, canonical
from leadline.errors import ConnectionFailedError, SiteBusyError
from leadline.web import (
    HttpFetcher,
    PolitenessSettings,
    RobotsSettings,
    WebSettings,
    open_fetcher,
)
from leadline.web.fetcher import RetryRule, RetryTable
from tests.server.wire import LoopbackServer

QUICK: RetryTable = {
    ConnectionFailedError: RetryRule(waits_s=(0.0,)),
    SiteBusyError: RetryRule(waits_s=(0.0, 0.0)),
}
WEB: dict[str, Any] = {
    "connect_timeout_s": 60.0,
    "first_byte_timeout_s": 60.0,
    "total_timeout_s": 60.0,
    "max_body_bytes": 1_000_000,
    "max_unpacked_bytes": 2_000_000,
}
HASTY: dict[str, Any] = {"first_byte_timeout_s": 0.3, "total_timeout_s": 0.6}
"""For sites that are meant to time out; elsewhere a busy machine must not."""
POLITENESS: dict[str, Any] = {"delay_s": 0.0, "first_backoff_s": 0.0}


@asynccontextmanager
async def fetching(
    server: LoopbackServer | None,
    *,
    web: dict[str, Any] | None = None,
    robots: dict[str, Any] | None = None,
    politeness: dict[str, Any] | None = None,
    **parts: Any,
) -> AsyncIterator[HttpFetcher]:
    """A fetcher that finds every `*.test` host at the server."""
    resolve = {"resolve": {"*.test": server.address}} if server else {}
    fetcher = open_fetcher(
        WebSettings(**{**WEB, **resolve, **(web or {})}),
        RobotsSettings(**(robots or {})),
        PolitenessSettings(**{**POLITENESS, **(politeness or {})}),
        **{"retries": QUICK, **parts},
    )
    try:
        yield fetcher
    finally:
        await fetcher.close()


def url_of(text: str) -> Url:
    url = canonical(text)
    assert url is not None
    return url


def get(path: str, host: str = "a.test") -> Request:
    return Request(url_of(f"http://{host}{path}"))


class Clock:
    """A wall clock the test turns; it starts at the real time."""

    def __init__(self) -> None:
        self.ahead_s = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead_s


class Shelf:
    """Named values that outlive a fetcher."""

    def __init__(self) -> None:
        self.values: dict[str, bytes] = {}

    @property
    def hooks(self) -> dict[str, Any]:
        return {"load": self.values.get, "save": self.values.__setitem__}
