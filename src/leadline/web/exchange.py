"""One request and its answer, within all limits of time, size and politeness."""

import time
from collections.abc import Awaitable, Callable

import aiohttp
from msgspec import Struct
from yarl import URL

from leadline.core.http import Request
from leadline.core.url import Site, Url, host_of, origin_of, site_of
from leadline.errors import (
    FetchTimeoutError,
    LeaseOverError,
    SiteBusyError,
    TooLargeError,
    WrongTypeError,
)
from leadline.web.border import FOREIGN, translate
from leadline.web.cookies import CookieJar
from leadline.web.permits import UNLIMITED, Permits
from leadline.web.politeness import Gate, parse_retry_after
from leadline.web.unpack import unpack

BUSY = frozenset({429, 503})
REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Caps(Struct, frozen=True):
    """How much of an answer is wanted."""

    body_bytes: int
    unpacked_bytes: int
    types: frozenset[str] = frozenset()
    """Content types of successful answers; empty: all."""
    cuts: bool = False
    """Whether a body beyond the caps is cut off there rather than refused."""


class Answer(Struct, frozen=True):
    """What came back to one request. The bodies of redirects are not read."""

    status: int
    headers: tuple[tuple[str, str], ...]
    location: str | None
    """Where a redirect leads, as the site wrote it; None for all other answers."""
    body: bytes
    size_bytes: int
    elapsed_s: float


class Tally:
    """Counts the requests one fetch has cost."""

    __slots__ = ("requests",)

    def __init__(self) -> None:
        self.requests = 0


class Exchange:
    """Sends single requests. Raises only FetchError; leaves no connection behind half-read."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        gate: Gate,
        jar: CookieJar | None,
        vet: Callable[[str], Awaitable[None]] | None,
        now: Callable[[], float],
        permits: Permits = UNLIMITED,
    ) -> None:
        """`vet` is asked about each host before it is requested through a proxy."""
        self._session = session
        self._gate = gate
        self._jar = jar
        self._vet = vet
        self._now = now
        self._permits = permits

    async def obtain(self, url: Url) -> None:
        """Get the right to ask the site of a URL. Raises FetchError when it cannot be had now."""
        await self._permits.obtain(site_of(url), url)

    async def send(self, request: Request, caps: Caps, tally: Tally, floor_s: float) -> Answer:
        """Wait for the site's turn, ask, and read the answer; `floor_s` is its Crawl-delay."""
        site = site_of(request.url)
        await self._permits.obtain(site, request.url)
        turn = await self._gate.enter(site, request.url)
        tally.requests += 1
        latency_s: float | None = None
        try:
            self._permits.check(site, request.url)
            answer, latency_s = await self._ask(request, site, caps)
        except LeaseOverError:
            tally.requests -= 1
            raise
        except FOREIGN as error:
            failure = translate(error, request.url)
            if isinstance(failure, FetchTimeoutError):
                self._gate.slow_down(site, None)
            raise failure from error
        finally:
            self._gate.leave(turn, latency_s, floor_s)
        return answer

    async def _ask(self, request: Request, site: Site, caps: Caps) -> tuple[Answer, float]:
        if self._vet:
            await self._vet(host_of(site))
        started = time.perf_counter()
        response = await self._session.request(
            request.method,
            URL(request.url, encoded=True),
            headers=self._headers(request, site),
            data=request.body or None,
            allow_redirects=False,
        )
        latency_s = time.perf_counter() - started
        try:
            location = self._heed(response, request.url, site, caps)
            packed = b"" if location is not None else await _read(response, request.url, caps)
        finally:
            response.close()
        headers = response.headers
        body = packed
        if "Content-Encoding" in headers:
            body = unpack(packed, headers["Content-Encoding"], caps.unpacked_bytes, caps.cuts)
        elapsed_s = time.perf_counter() - started
        named = tuple([(name.lower(), value) for name, value in headers.items()])
        return Answer(response.status, named, location, body, len(packed), elapsed_s), latency_s

    def _heed(
        self, response: aiohttp.ClientResponse, url: Url, site: Site, caps: Caps
    ) -> str | None:
        """What the head of an answer asks for: cookies, a pause, going elsewhere, leaving it."""
        status, headers = response.status, response.headers
        if self._jar is not None and "Set-Cookie" in headers:
            self._jar.take(site, headers.getall("Set-Cookie"))
        if status in BUSY:
            asked_s = parse_retry_after(headers.get("Retry-After", ""), self._now())
            wait_s = self._gate.slow_down(site, asked_s)
            raise SiteBusyError(url, f"status {status}", wait_s)
        if status in REDIRECTS:
            return headers.get("Location")
        if caps.types and 200 <= status < 300:
            _check_type(headers.get("Content-Type", ""), url, caps.types)
        return None

    def _headers(self, request: Request, site: Site) -> dict[str, str] | None:
        headers: dict[str, str] = {}
        if self._jar is not None:
            cookie = self._jar.header(site, request.url.startswith("https:"))
            if cookie:
                headers["Cookie"] = cookie
        if request.accept:
            headers["Accept"] = ", ".join(request.accept)
        if request.content_type:
            headers["Content-Type"] = request.content_type
        if request.referrer:
            referrer = shown_referrer(request.referrer, request.url)
            if referrer:
                headers["Referer"] = referrer
        return headers or None


def shown_referrer(referrer: Url, url: Url) -> str:
    """What a browser would show of the referrer (strict-origin-when-cross-origin)."""
    origin = origin_of(referrer)
    if origin == origin_of(url):
        return referrer
    return "" if origin.startswith("https:") and url.startswith("http:") else origin + "/"


def _check_type(content_type: str, url: Url, types: frozenset[str]) -> None:
    # An answer without a type is read: what it holds decides.
    kind = content_type.partition(";")[0].strip().lower()
    if kind and kind not in types:
        raise WrongTypeError(url, f"content type {kind[:100]}")


async def _read(response: aiohttp.ClientResponse, url: Url, caps: Caps) -> bytes:
    """The body as transferred; beyond the cap it is cut or refused, and nothing more is read."""
    room = caps.body_bytes
    declared = response.headers.get("Content-Length", "")
    if not caps.cuts and declared.isdecimal() and int(declared[:20]) > room:
        raise TooLargeError(url, f"{declared[:20]} bytes announced, {room} allowed")
    content = response.content
    parts: list[bytes] = []
    while part := await content.readany():
        room -= len(part)
        if room < 0:
            if not caps.cuts:
                raise TooLargeError(url, f"more than {caps.body_bytes} bytes")
            parts.append(part[:room])
            break
        parts.append(part)
        if content.at_eof():
            break
    return parts[0] if len(parts) == 1 else b"".join(parts)
