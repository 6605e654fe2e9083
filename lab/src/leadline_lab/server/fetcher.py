"""The Fetcher of experiments: asks a world in this process, by the rules of the live one.

Redirects, retries, robots.txt and scope are those of web/fetcher.py; only the exchange
itself is another. Nothing is waited for: the time an answer takes is reported.
"""

from collections.abc import Callable

from msgspec.structs import replace

from leadline.core.http import Request, Response
from leadline.core.url import Site, Url, site_of
from leadline.errors import (
    BadResponseError,
    ConnectionFailedError,
    FetchTimeoutError,
    SiteBusyError,
    TooLargeError,
    WrongTypeError,
)
from leadline.web.exchange import (
    BUSY,
    REDIRECTS,
    UNLIMITED,
    BodyLimits,
    Exchange,
    Permits,
    RequestCount,
    translate_error,
    trim_referrer,
)
from leadline.web.fetcher import HttpFetcher, InScope, RetryingSender
from leadline.web.politeness import Gate, parse_retry_after
from leadline.web.robots import Robots
from leadline.web.settings import PolitenessSettings, RobotsSettings, WebSettings
from leadline.web.unpack import BombError, UnpackError, unpack
from leadline_lab.reply import Reply
from leadline_lab.server.transport import CUT, RESET, TIMEOUT, Answering, has_body, headers_sent

_ORIGINS = 1_000_000
"""Origins whose rules are kept: asking again would count as a request."""


class RequestClock:
    """Time that passes by one second with each request: the same crawl, the same times."""

    def __init__(self) -> None:
        self.requests = 0

    def __call__(self) -> float:
        return float(self.requests)


class OpenGate(Gate):
    """A gate that is always open: a world needs no rest. It has no event loop and no turns."""

    def __init__(self, settings: PolitenessSettings) -> None:
        self._settings = settings

    def ready_at(self, site: Site) -> float:  # noqa: ARG002 (the port's signature)
        return 0.0

    def delay_of(self, site: Site) -> float:  # noqa: ARG002 (the port's signature)
        return 0.0

    def postpone(self, site: Site, wait_s: float) -> float:  # noqa: ARG002 (the gate's signature)
        return 0.0

    def slow_down(self, site: Site, retry_after_s: float | None) -> float:  # noqa: ARG002
        """Seconds until the site may be asked again: what it said, or the first backoff."""
        asked_s = min(retry_after_s or 0.0, self._settings.max_retry_after_s)
        return max(self._settings.first_backoff_s, asked_s)


class WorldExchange(Exchange):
    """Single requests to a world, each of which the clock counts."""

    def __init__(
        self,
        world: Answering,
        gate: OpenGate,
        patience_s: float,
        clock: RequestClock,
        now: Callable[[], float],
        permits: Permits = UNLIMITED,
    ) -> None:
        """An answer that takes longer than `patience_s` counts as none."""
        self._world = world
        self._gate = gate
        self._patience_s = patience_s
        self._clock = clock
        self._now = now
        self._jar = None
        self._permits = permits

    async def send(
        self,
        request: Request,
        limits: BodyLimits,
        count: RequestCount,
        floor_s: float,  # noqa: ARG002 (the exchange's signature)
    ) -> Response:
        if self._permits is not UNLIMITED:
            await self._permits.obtain(site_of(request.url), request.url)
            self._permits.check(site_of(request.url), request.url)
        count.requests += 1
        self._clock.requests += 1
        reply = self._world.answer(as_seen(request), self._now())
        if reply.fault or reply.delay_s > self._patience_s:
            self._check_connection(reply, request.url)
        if reply.status in BUSY:
            asked_s = parse_retry_after(reply.header("retry-after"), self._now())
            wait_s = self._gate.slow_down(site_of(request.url), asked_s)
            raise SiteBusyError(request.url, f"status {reply.status}", wait_s)
        headers = headers_sent(reply)
        packed = body = b""
        is_redirect = reply.status in REDIRECTS and _location(reply) is not None
        if not is_redirect:
            packed = _read(reply, request, limits)
            body = _unpacked(packed, reply.header("content-encoding"), request.url, limits)
        return Response(
            *(request.url, reply.status, headers, body, self._now(), reply.delay_s),
            size_bytes=len(packed),
        )

    def _check_connection(self, reply: Reply, url: Url) -> None:
        if reply.fault == TIMEOUT or reply.delay_s > self._patience_s:
            raise FetchTimeoutError(url, "the answer took too long")
        if reply.fault == RESET:
            raise ConnectionFailedError(url, "the connection broke")
        if reply.fault != CUT:
            raise ConnectionFailedError(url, f"no connection: {reply.fault}")


class LabFetcher(HttpFetcher):
    """Implements the Fetcher port on a world in this process. Any site is always ready.

    Guarantees: the outcome of a request is what HttpFetcher makes of the same
    world served over HTTP, headers and counted requests included; `fetch` never
    suspends, so a crawl on it has one order only.
    """

    def __init__(
        self,
        world: Answering,
        web: WebSettings | None = None,
        robots: RobotsSettings | None = None,
        *,
        in_scope: InScope | None = None,
        now: Callable[[], float] | None = None,
        permits: Permits = UNLIMITED,
    ) -> None:
        """Without `now`, a request takes a second of invented time."""
        web = web or WebSettings()
        robots = robots or RobotsSettings(cache_origins=_ORIGINS)
        self.clock = RequestClock()
        now = now or self.clock
        gate = OpenGate(PolitenessSettings())
        patience_s = min(web.first_byte_timeout_s, web.total_timeout_s)
        exchange = WorldExchange(world, gate, patience_s, self.clock, now, permits)
        sender = RetryingSender(exchange, gate)
        rules = Robots(
            robots, web.token, sender.send, gate, load=_load_nothing, save=_save_nothing, now=now
        )
        super().__init__(
            sender, rules, gate, web, in_scope=in_scope or _anywhere, now=now, close=_close_nothing
        )

    @property
    def requests(self) -> int:
        """All requests so far: redirects, retries and robots.txt included."""
        return self.clock.requests


def as_seen(request: Request) -> Request:
    """The request as a site gets to see it: a HEAD is a GET, a foreign referrer its origin."""
    if request.method == "HEAD":
        request = replace(request, method="GET")
    if request.referrer:
        shown = trim_referrer(request.referrer, request.url)
        if shown != request.referrer:
            request = replace(request, referrer=Url(shown) if shown else None)
    return request


def _location(reply: Reply) -> str | None:
    return next((value for name, value in reply.headers if name == "location"), None)


def _read(reply: Reply, request: Request, limits: BodyLimits) -> bytes:
    """The body as transferred, if head and length are such that it is wanted at all."""
    if limits.types and 200 <= reply.status < 300:
        kind = reply.header("content-type").partition(";")[0].strip().lower()
        if kind and kind not in limits.types:
            raise WrongTypeError(request.url, f"content type {kind[:100]}")
    if not has_body(reply, request.method):
        return b""
    size, room = len(reply.body), limits.body_bytes
    if size > room and not limits.cuts:
        raise TooLargeError(request.url, f"{size} bytes announced, {room} allowed")
    if reply.fault == CUT:
        raise BadResponseError(request.url, "the body broke off or breaks its framing")
    return reply.body[:room] if size > room else reply.body


def _unpacked(packed: bytes, encoding: str, url: Url, limits: BodyLimits) -> bytes:
    if not encoding:
        return packed
    try:
        return unpack(packed, encoding, limits.unpacked_bytes, limits.cuts)
    except (UnpackError, BombError) as error:
        raise translate_error(error, url) from error


def _anywhere(_url: str) -> str:
    return ""


def _load_nothing(_key: str) -> None:
    return None


def _save_nothing(_key: str, _value: bytes) -> None:
    pass


async def _close_nothing() -> None:
    pass
