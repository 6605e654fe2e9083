"""One request and its response, within all limits of time, size and politeness.

Here the exceptions of the network become leadline's own, and permits have their last word on
whether a request may be sent.
"""

import asyncio
import ssl
import time
from collections.abc import Awaitable, Callable, Set
from typing import Final, Protocol

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp_socks import ProxyConnectionError, ProxyError, ProxyTimeoutError
from msgspec import Struct
from yarl import URL

from leadline.core.http import Request, Response
from leadline.core.secrets import mask_text
from leadline.core.servers import HOLD_S
from leadline.core.url import Site, Url, host_of, origin_of, site_of
from leadline.errors import (
    AddressRefusedError,
    BadResponseError,
    ConnectionFailedError,
    FetchError,
    FetchTimeoutError,
    LeaseOverError,
    SiteBusyError,
    SiteTakenError,
    TooLargeError,
    WrongTypeError,
)
from leadline.web.cookies import MAX_SITES, CookieJar
from leadline.web.politeness import Gate, ServerTurns, parse_retry_after
from leadline.web.unpack import BombError, UnpackError, unpack

_LATE_TRIES = 5
"""Turns at a shared server that may be missed by being late before the site is left for later."""
OTHERS_OF_SERVER = "other sites of its server have their turn"
BUSY = frozenset({429, 503})
REDIRECTS = frozenset({301, 302, 303, 307, 308})
# 300 and 304 are not among them: they name no single target that could be followed unasked.

FOREIGN: Final = (
    aiohttp.ClientError,
    HttpProcessingError,
    ProxyConnectionError,
    ProxyError,
    ProxyTimeoutError,
    OSError,
    ValueError,
    UnpackError,
    BombError,
    AddressRefusedError,
)
"""All that sending a request and reading its answer may raise, cancellation aside."""


class ConnectionLostError(aiohttp.ClientError):
    """The connection broke before an answer began."""


# The first row that fits decides, so special cases stand above their families.
# TimeoutError is an OSError, InvalidURL and CertificateError are ValueErrors.
_TABLE: Final[tuple[tuple[tuple[type[Exception], ...], type[FetchError], str], ...]] = (
    ((AddressRefusedError,), AddressRefusedError, ""),
    ((aiohttp.ConnectionTimeoutError, ProxyTimeoutError), FetchTimeoutError, "no connection"),
    ((aiohttp.ServerTimeoutError,), FetchTimeoutError, "no more bytes came"),
    ((TimeoutError,), FetchTimeoutError, "the answer took too long"),
    ((aiohttp.ClientConnectorDNSError,), ConnectionFailedError, "no such host"),
    ((aiohttp.ClientSSLError, ssl.SSLError), ConnectionFailedError, "TLS failed"),
    ((aiohttp.ClientHttpProxyError,), ConnectionFailedError, "the proxy refused"),
    ((ProxyConnectionError, ProxyError), ConnectionFailedError, "the proxy failed"),
    ((BombError,), TooLargeError, ""),
    ((UnpackError,), BadResponseError, "bad packing"),
    ((aiohttp.ClientPayloadError,), BadResponseError, "the body broke off or breaks its framing"),
    ((aiohttp.ClientResponseError, HttpProcessingError), BadResponseError, "no valid HTTP"),
    ((ConnectionLostError,), ConnectionFailedError, "the connection broke"),
    ((aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError), FetchError, "no usable URL"),
    ((aiohttp.ClientError, OSError), ConnectionFailedError, "no connection"),
    ((ValueError,), FetchError, "no valid request"),
)

_MAX_DETAIL_CHARS = 200
"""A site's own bytes may be quoted in a message: keep it short."""


def translate_error(error: Exception, url: str) -> FetchError:
    """The FetchError for anything in FOREIGN."""
    for foreign, ours, text in _TABLE:
        if isinstance(error, foreign):
            detail = error.reason if isinstance(error, FetchError) else _first_line(error)
            return ours(url, ": ".join(filter(None, (text, detail[:_MAX_DETAIL_CHARS]))))
    raise TypeError(f"{type(error).__name__} is not in the table of foreign errors") from error


def _first_line(error: Exception) -> str:
    text = error.message if isinstance(error, aiohttp.ClientResponseError) else str(error)
    # A proxy's URL may stand in it, with its password.
    return mask_text(text.partition("\n")[0].strip()) or type(error).__name__


async def forbid_silent_retry(
    request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType
) -> aiohttp.ClientResponse:
    """A middleware that keeps aiohttp from sending again on its own.

    Its second try would come without pause and uncounted; ours goes through the gate.
    """
    try:
        return await send(request)
    except aiohttp.ClientConnectorError:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise ConnectionLostError(_first_line(error)) from error


class Permits(Protocol):
    """Asked before each request: redirects, retries and robots.txt too. Raises FetchError."""

    async def obtain(self, site: Site, url: Url) -> None:
        """Get the right to ask the site, if there is none yet. Comes before its turn is waited
        for."""
        ...

    def check(self, site: Site, url: Url) -> None:
        """Raise LeaseOverError unless the right still holds. Comes when the request leaves."""
        ...


class UnlimitedPermits:
    """The permits of a single process: any request, at any time."""

    async def obtain(self, site: Site, url: Url) -> None:
        """There is always a right."""

    def check(self, site: Site, url: Url) -> None:
        """It always holds."""


UNLIMITED = UnlimitedPermits()


class BodyLimits(Struct, frozen=True):
    """How much of an answer is wanted."""

    body_bytes: int
    unpacked_bytes: int
    types: frozenset[str] = frozenset()
    """Content types of successful answers; empty: all."""
    cuts: bool = False
    """Whether a body beyond the limits is cut off there rather than refused."""


def find_redirect(response: Response) -> str | None:
    """Where a redirect leads, as the site wrote it; None for all other responses."""
    if response.status not in REDIRECTS:
        return None
    return next((value for name, value in response.headers if name == "location"), None)


class RequestCount:
    """Counts the requests one fetch has cost."""

    __slots__ = ("requests",)

    def __init__(self) -> None:
        self.requests = 0


class Exchange:
    """Sends single requests. Raises only FetchError; leaves no connection behind half-read."""

    def __init__(  # noqa: PLR0913 (what meets at a request)
        self,
        session: aiohttp.ClientSession,
        gate: Gate,
        jar: CookieJar | None,
        vet: Callable[[str], Awaitable[None]] | None,
        now: Callable[[], float],
        permits: Permits = UNLIMITED,
        servers: ServerTurns | None = None,
        find_address: Callable[[str], Awaitable[str]] | None = None,
        *,
        is_stateless: bool = False,
    ) -> None:
        """`vet` is asked about each host before it is requested through a proxy; `find_address`
        tells where requests go, and is None when a proxy decides that; `is_stateless`: cookies go
        with the requests of a session, and to sites that proved to need them."""
        self._session = session
        self._gate = gate
        self._jar = jar
        self._vet = vet
        self._now = now
        self._permits = permits
        self._servers = servers
        self._find_address = find_address
        self._is_stateless = is_stateless
        self._needing: set[Site] = set()

    def require_cookies(self, sites: Set[Site]) -> bool:
        """Send these sites their cookies from here on; whether that may change an answer."""
        if self._jar is None or (self._is_stateless and sites <= self._needing):
            return False
        if len(self._needing) >= MAX_SITES:
            self._needing.clear()
        self._needing |= sites
        return bool(sites)

    def _uses_cookies(self, request: Request, site: Site) -> bool:
        return not self._is_stateless or request.is_session or site in self._needing

    async def obtain(self, url: Url) -> None:
        """Get the right to ask the site of a URL. Raises FetchError when there is none now."""
        await self._permits.obtain(site_of(url), url)

    async def send(
        self, request: Request, limits: BodyLimits, count: RequestCount, floor_s: float
    ) -> Response:
        """Wait for the site's turn, send, and read the response; `floor_s` is its Crawl-delay."""
        site = site_of(request.url)
        # Obtained before the turn and checked after it: the wait may outlast the right.
        await self._permits.obtain(site, request.url)
        turn = await self._gate.enter(site, request.url, request.patience_s)
        try:
            await self._await_server(site, request.url)
            self._permits.check(site, request.url)
        except FOREIGN as error:
            # The look-up of its address failed.
            self._gate.leave(turn)
            count.requests += 1
            raise translate_error(error, request.url) from error
        except BaseException:
            # Nothing was sent: the site's pause does not begin anew.
            turn.free()
            raise
        count.requests += 1
        latency_s: float | None = None
        try:
            response, latency_s = await self._ask(request, site, limits)
        except (LeaseOverError, SiteTakenError):
            # Nothing was sent.
            count.requests -= 1
            raise
        except FOREIGN as error:
            failure = translate_error(error, request.url)
            if isinstance(failure, FetchTimeoutError):
                self._gate.slow_down(site, None)
            raise failure from error
        finally:
            self._gate.leave(turn, latency_s, floor_s)
        return response

    async def _await_server(self, site: Site, url: Url) -> None:
        """Wait until the server of the site may be asked, which other sites may share. Raises
        SiteTakenError when that is too long to hold a place for."""
        if self._servers is None:
            return
        address = await self._find_address(host_of(site)) if self._find_address else ""
        loop = asyncio.get_running_loop()
        for _ in range(_LATE_TRIES):
            asked_at = loop.time()
            turn = await self._servers.reserve(site, address)
            if not turn.is_ours:
                raise SiteTakenError(url, OTHERS_OF_SERVER, turn.wait_s)
            if turn.wait_s > 0:
                await asyncio.sleep(turn.wait_s)
            # Who comes late would leave together with the next one.
            if loop.time() - asked_at - turn.wait_s <= self._servers.spacing.slack_s:
                return
        raise SiteTakenError(url, OTHERS_OF_SERVER, HOLD_S)

    async def _ask(
        self, request: Request, site: Site, limits: BodyLimits
    ) -> tuple[Response, float]:
        if self._vet:
            await self._vet(host_of(site))
        started = time.perf_counter()
        received = await self._session.request(
            request.method,
            URL(request.url, encoded=True),
            headers=self._headers(request, site),
            data=request.body or None,
            allow_redirects=False,
        )
        latency_s = time.perf_counter() - started
        try:
            is_redirect = self._read_head(received, request, site, limits)
            # The bodies of redirects are not read.
            packed = b"" if is_redirect else await _read(received, request.url, limits)
        finally:
            received.close()
        headers = received.headers
        body = packed
        if "Content-Encoding" in headers:
            body = unpack(packed, headers["Content-Encoding"], limits.unpacked_bytes, limits.cuts)
        elapsed_s = time.perf_counter() - started
        response = Response(
            request.url,
            received.status,
            tuple([(name.lower(), value) for name, value in headers.items()]),
            body,
            self._now(),
            elapsed_s,
            size_bytes=len(packed),
        )
        return response, latency_s

    def _read_head(
        self, response: aiohttp.ClientResponse, request: Request, site: Site, limits: BodyLimits
    ) -> bool:
        """Whether the head is a redirect. Keeps its cookies; raises SiteBusyError when it asks for
        a pause, WrongTypeError when its body is not wanted."""
        status, headers, url = response.status, response.headers, request.url
        # A redirect that comes back to itself shows only later that its cookie is needed.
        is_kept = status in REDIRECTS or self._uses_cookies(request, site)
        if self._jar is not None and is_kept and "Set-Cookie" in headers:
            self._jar.take(site, headers.getall("Set-Cookie"))
        if status in BUSY:
            asked_s = parse_retry_after(headers.get("Retry-After", ""), self._now())
            wait_s = self._gate.slow_down(site, asked_s)
            raise SiteBusyError(url, f"status {status}", wait_s)
        if status in REDIRECTS:
            return "Location" in headers
        if limits.types and 200 <= status < 300:
            _check_type(headers.get("Content-Type", ""), url, limits.types)
        return False

    def _headers(self, request: Request, site: Site) -> dict[str, str] | None:
        headers: dict[str, str] = {}
        if self._jar is not None and self._uses_cookies(request, site):
            cookie = self._jar.header(site, request.url.startswith("https:"))
            if cookie:
                headers["Cookie"] = cookie
        if request.accept:
            headers["Accept"] = ", ".join(request.accept)
        if request.content_type:
            headers["Content-Type"] = request.content_type
        if request.referrer:
            referrer = trim_referrer(request.referrer, request.url)
            if referrer:
                headers["Referer"] = referrer
        return headers or None


def trim_referrer(referrer: Url, url: Url) -> str:
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


async def _read(response: aiohttp.ClientResponse, url: Url, limits: BodyLimits) -> bytes:
    """The body as transferred; beyond the cap it is cut or refused, and nothing more is read."""
    room = limits.body_bytes
    declared = response.headers.get("Content-Length", "")
    if not limits.cuts and declared.isdecimal() and int(declared[:20]) > room:
        raise TooLargeError(url, f"{declared[:20]} bytes announced, {room} allowed")
    content = response.content
    parts: list[bytes] = []
    while part := await content.readany():
        room -= len(part)
        if room < 0:
            if not limits.cuts:
                raise TooLargeError(url, f"more than {limits.body_bytes} bytes")
            parts.append(part[:room])
            break
        parts.append(part)
        if content.at_eof():
            break
    return parts[0] if len(parts) == 1 else b"".join(parts)
