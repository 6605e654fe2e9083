"""The Fetcher for the live Web: redirects, retries, robots and scope around single exchanges."""

from collections.abc import Awaitable, Callable

from msgspec.structs import replace

from leadline.core.http import Hop, Request, Response
from leadline.core.url import AS_IT_IS, DEFAULT_RULES, Site, Url, canonical, site_of
from leadline.errors import (
    BadResponseError,
    FetchError,
    OutOfScopeError,
    TooManyRedirectsError,
)
from leadline.web.exchange import Answer, Caps, Exchange, Tally
from leadline.web.politeness import Gate
from leadline.web.retries import TABLE, GiveUp, RetryTable, decide, decide_status
from leadline.web.robots import Robots
from leadline.web.settings import WebSettings

InScope = Callable[[Url], str]
"""'' for a URL a redirect may lead to, else the reason why not."""


class Persistence:
    """Sends a request until it is answered or the retry table says enough."""

    def __init__(self, exchange: Exchange, gate: Gate, table: RetryTable = TABLE) -> None:
        self._exchange = exchange
        self._gate = gate
        self._table = table

    async def obtain(self, url: Url) -> None:
        await self._exchange.obtain(url)

    async def send(self, request: Request, caps: Caps, tally: Tally, floor_s: float) -> Answer:
        """As `Exchange.send`. Further tries go through the gate like any request."""
        tries = 1
        while True:
            try:
                answer = await self._exchange.send(request, caps, tally, floor_s)
            except FetchError as error:
                verdict = decide(error, tries, self._table)
                # A POST may have been acted upon, whatever came back: it is sent once.
                if isinstance(verdict, GiveUp) or request.method != "GET":
                    raise
            else:
                verdict_by_status = decide_status(answer.status, tries)
                if verdict_by_status is None or request.method != "GET":
                    return answer
                verdict = verdict_by_status
            tries += 1
            self._gate.postpone(site_of(request.url), verdict.wait_s)


class HttpFetcher:
    """Implements the Fetcher port over HTTP. Make one with `open_fetcher`."""

    def __init__(
        self,
        sender: Persistence,
        robots: Robots,
        gate: Gate,
        settings: WebSettings,
        *,
        in_scope: InScope,
        now: Callable[[], float],
        close: Callable[[], Awaitable[None]],
    ) -> None:
        """`in_scope` is asked about the targets of redirects, not about what is requested."""
        self.robots = robots
        self.gate = gate
        self._sender = sender
        self._caps = Caps(
            settings.max_body_bytes, settings.max_unpacked_bytes, frozenset(settings.accept_types)
        )
        self._max_redirects = settings.max_redirects
        self._in_scope = in_scope
        self._now = now
        self._close = close

    async def fetch(self, request: Request) -> Response:
        """The response, whatever its status; raises FetchError when there is none."""
        tally = Tally()
        try:
            return await self._follow(request, tally)
        except FetchError as error:
            error.requests = tally.requests
            raise

    def ready_at(self, site: Site) -> float:
        """The wall-clock second from which the site may be asked; a past one if now."""
        return self.gate.ready_at(site)

    def delay_of(self, site: Site) -> float:
        return self.gate.delay_of(site)

    async def close(self) -> None:
        """Give back connections. Fetching afterwards is a bug."""
        await self._close()

    async def _follow(self, request: Request, tally: Tally) -> Response:
        hops: list[Hop] = []
        seen = {request.url}
        while True:
            # Before robots.txt is looked for: with the right to a site comes what is known of it.
            await self._sender.obtain(request.url)
            floor_s = await self.robots.check(request.url, tally)
            answer = await self._sender.send(request, self._caps_for(request), tally, floor_s)
            if answer.location is None:
                return self._response(request.url, answer, hops, tally)
            hops.append(Hop(request.url, answer.status, answer.location))
            request = redirected(request, hops[-1])
            if any(name == "set-cookie" for name, _ in answer.headers):
                # The same URL may answer otherwise to who shows the cookie.
                seen.clear()
            self._check_redirect(request.url, hops, seen)
            seen.add(request.url)

    def _caps_for(self, request: Request) -> Caps:
        if not request.accept:
            return self._caps
        return replace(self._caps, types=frozenset(request.accept))

    def _check_redirect(self, target: Url, hops: list[Hop], seen: set[Url]) -> None:
        if len(hops) > self._max_redirects:
            raise TooManyRedirectsError(hops[0].url, f"more than {self._max_redirects} redirects")
        if target in seen:
            raise TooManyRedirectsError(hops[0].url, f"redirects in a circle by {target}")
        reason = self._in_scope(target)
        if reason:
            raise OutOfScopeError(target, reason)

    def _response(self, url: Url, answer: Answer, hops: list[Hop], tally: Tally) -> Response:
        return Response(
            url,
            answer.status,
            answer.headers,
            answer.body,
            self._now(),
            answer.elapsed_s,
            tuple(hops),
            tally.requests,
            answer.size_bytes,
        )


def redirected(request: Request, hop: Hop) -> Request:
    """The request a redirect asks for; raises BadResponseError when it leads nowhere."""
    target = canonical(hop.location, hop.url, AS_IT_IS if request.is_session else DEFAULT_RULES)
    if target is None:
        raise BadResponseError(hop.url, f"redirects to no usable URL: {hop.location[:200]!r}")
    if hop.status in (307, 308) or request.method == "GET":
        return replace(request, url=target)
    return replace(request, url=target, method="GET", body=b"", content_type="")
