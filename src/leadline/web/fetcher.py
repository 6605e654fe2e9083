"""The Fetcher for the live Web: redirects, retries, robots and scope around single exchanges."""

import time
from collections.abc import Awaitable, Callable, Mapping, Set
from dataclasses import dataclass
from typing import Final

import aiohttp
from msgspec.structs import replace

from leadline.core.http import Hop, Request, Response
from leadline.core.servers import ServerSharing
from leadline.core.state_change import ChangeJudge
from leadline.core.url import AS_IT_IS, DEFAULT_RULES, Site, Url, canonical, site_of
from leadline.errors import (
    AddressRefusedError,
    BadResponseError,
    BudgetSpentError,
    ConfigError,
    ConnectionFailedError,
    FetchError,
    FetchTimeoutError,
    OutOfScopeError,
    RobotsDeniedError,
    SiteBusyError,
    SiteTakenError,
    TooLargeError,
    TooManyRedirectsError,
    WrongTypeError,
)
from leadline.web.addresses import (
    AddressGuard,
    GuardedResolver,
    HostMap,
    Lookup,
    open_connector,
    system_lookup,
)
from leadline.web.cookies import CookieJar
from leadline.web.exchange import (
    UNLIMITED,
    BodyLimits,
    Exchange,
    Permits,
    RequestCount,
    find_redirect,
    forbid_silent_retry,
)
from leadline.web.politeness import Gate, ServerTurns, SharedServers
from leadline.web.robots import Robots
from leadline.web.settings import PolitenessSettings, RobotsSettings, WebSettings
from leadline.web.unpack import ACCEPT_ENCODING

InScope = Callable[[Url], str]
"""'' for a URL a redirect may lead to, else the reason why not."""

_JUDGE = ChangeJudge()

SHORT_WAIT_S: Final = 5.0
"""Waits below this are sat out inside a fetch; longer ones give the lease back."""


@dataclass(frozen=True, slots=True)
class RetryRule:
    """Pauses before each further try, and whether the last failure condemns the whole site."""

    waits_s: tuple[float, ...] = ()
    gives_up_site: bool = False


@dataclass(frozen=True, slots=True)
class RetryAfter:
    """Try once more, not before `wait_s` from here."""

    wait_s: float


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Report the failure; `site`: nothing else on that site will do better."""

    site: bool


RetryTable = Mapping[type[FetchError], RetryRule]

# Only what often passes by itself within seconds is tried again inside a fetch. A timeout has
# cost its site and us enough already: the page's lease decides whether there is another try.
RETRY_TABLE: Final[RetryTable] = {
    ConnectionFailedError: RetryRule(waits_s=(1.0,)),
    SiteBusyError: RetryRule(waits_s=(2.0, 4.0)),
    SiteTakenError: RetryRule(),
    FetchTimeoutError: RetryRule(),
    BadResponseError: RetryRule(),
    # All pages of a site are at its address.
    AddressRefusedError: RetryRule(gives_up_site=True),
    RobotsDeniedError: RetryRule(),
    OutOfScopeError: RetryRule(),
    TooLargeError: RetryRule(),
    TooManyRedirectsError: RetryRule(),
    WrongTypeError: RetryRule(),
    FetchError: RetryRule(),
}

STATUSES: Final[dict[int, RetryRule]] = {
    # Gateways that flap; 429 and 503 are SiteBusyError, all others are answers.
    502: RetryRule(waits_s=(2.0,)),
    504: RetryRule(waits_s=(2.0,)),
}


def decide_retry(
    error: FetchError, tries: int, table: RetryTable = RETRY_TABLE
) -> RetryAfter | GiveUp:
    """After `tries` failed tries, the last with `error`: try again, or let it be."""
    rule = table.get(type(error), RetryRule())
    if not 1 <= tries <= len(rule.waits_s):
        return GiveUp(rule.gives_up_site)
    wait_s = max(rule.waits_s[tries - 1], error.retry_after_s or 0.0)
    return RetryAfter(wait_s) if wait_s < SHORT_WAIT_S else GiveUp(rule.gives_up_site)


def decide_status_retry(status: int, tries: int) -> RetryAfter | None:
    """Whether an answer of this status is worth another try; None: take it."""
    rule = STATUSES.get(status)
    if rule is None or not 1 <= tries <= len(rule.waits_s):
        return None
    return RetryAfter(rule.waits_s[tries - 1])


class RetryingSender:
    """Sends a request until it is answered or the retry table says enough."""

    def __init__(self, exchange: Exchange, gate: Gate, table: RetryTable = RETRY_TABLE) -> None:
        self._exchange = exchange
        self._gate = gate
        self._table = table

    async def obtain(self, url: Url) -> None:
        await self._exchange.obtain(url)

    def require_cookies(self, sites: Set[Site]) -> bool:
        return self._exchange.require_cookies(sites)

    async def send(
        self, request: Request, limits: BodyLimits, count: RequestCount, floor_s: float
    ) -> Response:
        """As `Exchange.send`. Further tries go through the gate like any request."""
        tries = 1
        while True:
            try:
                response = await self._exchange.send(request, limits, count, floor_s)
            except FetchError as error:
                verdict = decide_retry(error, tries, self._table)
                # A POST may have been acted upon, whatever came back: it is sent once.
                if isinstance(verdict, GiveUp) or request.method != "GET":
                    raise
            else:
                verdict_by_status = decide_status_retry(response.status, tries)
                if verdict_by_status is None or request.method != "GET":
                    return response
                verdict = verdict_by_status
            tries += 1
            self._gate.postpone(site_of(request.url), verdict.wait_s)


class HttpFetcher:
    """Implements the Fetcher port over HTTP. Make one with `open_fetcher`."""

    def __init__(  # noqa: PLR0913 (what meets at a fetch)
        self,
        sender: RetryingSender,
        robots: Robots,
        gate: Gate,
        settings: WebSettings,
        *,
        in_scope: InScope,
        why_harmful: InScope = _JUDGE.why_harmful,
        now: Callable[[], float],
        close: Callable[[], Awaitable[None]],
    ) -> None:
        """`in_scope` is asked about the targets of redirects, not about what is requested;
        `why_harmful` about every URL that no person named."""
        self.robots = robots
        self.gate = gate
        self._sender = sender
        self._limits = BodyLimits(
            settings.max_body_bytes, settings.max_unpacked_bytes, frozenset(settings.accept_types)
        )
        self._max_redirects = settings.max_redirects
        self._in_scope = in_scope
        self._why_harmful = why_harmful
        self._now = now
        self._close = close
        self.sharing: Callable[[], ServerSharing] = ServerSharing
        """How far the sites that this process asked share servers."""

    async def fetch(self, request: Request) -> Response:
        """The response, whatever its status; raises FetchError when there is none."""
        if not request.is_meant and (why := self._why_harmful(request.url)):
            raise OutOfScopeError(request.url, why)
        count = RequestCount()
        try:
            return await self._follow(request, count)
        except FetchError as error:
            error.requests = count.requests
            raise

    def ready_at(self, site: Site) -> float:
        """The wall-clock second from which the site may be asked; a past one if now."""
        return self.gate.ready_at(site)

    def delay_of(self, site: Site) -> float:
        return self.gate.delay_of(site)

    async def close(self) -> None:
        """Give back connections. Fetching afterwards is a bug."""
        await self._close()

    async def _follow(self, request: Request, count: RequestCount) -> Response:
        hops: list[Hop] = []
        seen = {request.url}
        setters: set[Site] = set()
        most = request.max_requests
        while True:
            # What is known to be forbidden is refused as that, also by a request that may cost
            # nothing: so one learns beforehand what robots.txt says.
            self.robots.check_known(request.url)
            _check_budget(request.url, most, count)
            # Before robots.txt is looked for: with the right to a site comes what is known of it.
            await self._sender.obtain(request.url)
            floor_s = await self.robots.check(request.url, count)
            _check_budget(request.url, most, count)
            response = await self._sender.send(request, self._limits_for(request), count, floor_s)
            location = find_redirect(response)
            if location is None:
                if not hops and count.requests == response.requests:
                    # Nearly every response: no copy.
                    return response
                return replace(response, hops=tuple(hops), requests=count.requests)
            hops.append(Hop(request.url, response.status, location))
            request = follow_redirect(request, hops[-1])
            if any(name == "set-cookie" for name, _ in response.headers):
                setters.add(site_of(hops[-1].url))
            if request.url in seen and self._sender.require_cookies(setters):
                # The same URL may answer otherwise to who shows the cookie.
                seen.clear()
                setters.clear()
            self._check_redirect(request.url, hops, seen)
            seen.add(request.url)

    def _limits_for(self, request: Request) -> BodyLimits:
        if not request.accept:
            return self._limits
        return replace(self._limits, types=frozenset(request.accept))

    def _check_redirect(self, target: Url, hops: list[Hop], seen: set[Url]) -> None:
        if len(hops) > self._max_redirects:
            raise TooManyRedirectsError(hops[0].url, f"more than {self._max_redirects} redirects")
        if target in seen:
            raise TooManyRedirectsError(hops[0].url, f"redirects in a circle by {target}")
        reason = self._in_scope(target) or self._why_harmful(target)
        if reason:
            raise OutOfScopeError(target, reason)


def _check_budget(url: Url, most: int | None, count: RequestCount) -> None:
    if most is not None and count.requests >= most:
        raise BudgetSpentError(url, "budget: requests")


def follow_redirect(request: Request, hop: Hop) -> Request:
    """The request a redirect asks for; raises BadResponseError when it leads nowhere."""
    target = canonical(hop.location, hop.url, AS_IT_IS if request.is_session else DEFAULT_RULES)
    if target is None:
        raise BadResponseError(hop.url, f"redirects to no usable URL: {hop.location[:200]!r}")
    if hop.status in (307, 308) or request.method == "GET":
        return replace(request, url=target)
    return replace(request, url=target, method="GET", body=b"", content_type="")


def _anywhere(_url: str) -> str:
    return ""


def _load_nothing(_key: str) -> None:
    return None


def _save_nothing(_key: str, _value: bytes) -> None:
    pass


def open_fetcher(  # noqa: PLR0913 (the one place where all the parts of this package meet)
    web: WebSettings,
    robots: RobotsSettings,
    politeness: PolitenessSettings,
    *,
    in_scope: InScope = _anywhere,
    why_harmful: InScope = _JUDGE.why_harmful,
    load: Callable[[str], bytes | None] = _load_nothing,
    save: Callable[[str, bytes], None] = _save_nothing,
    now: Callable[[], float] = time.time,
    quiet_until: float = 0.0,
    lookup: Lookup = system_lookup,
    retries: RetryTable = RETRY_TABLE,
    permits: Permits = UNLIMITED,
    servers: ServerTurns | None = None,
) -> HttpFetcher:
    """A fetcher on the running event loop; close it there.

    `load` and `save` keep robots.txt between runs (keys `robots:<origin>`); no site is
    asked before the wall-clock second `quiet_until`; `why_harmful` judges every URL that no person
    named; `permits` have a last word on each request; `servers` give the turns at servers that
    sites share, None: this process alone does. Raises ConfigError for a bad CA file.
    """
    guard = AddressGuard(web.allow_private, web.allow_addresses)
    hosts = HostMap(web.resolve)
    resolver = GuardedResolver(hosts, guard, lookup, web.dns_threads, web.dns_ttl_s)
    session = _open_session(web, resolver, permits)
    gate = Gate(politeness, now, quiet_until)
    jar = CookieJar(now) if web.cookies != "never" else None
    vet = resolver.vet if web.proxy else None
    own = SharedServers(politeness, is_resuming=quiet_until > now())
    turns = servers or own
    find_address = None if web.proxy else resolver.find_address
    limit = turns if turns.spacing.is_limited else None
    exchange = Exchange(
        session,
        gate,
        jar,
        vet,
        now,
        permits,
        limit,
        find_address,
        is_stateless=web.cookies == "auto",
    )
    sender = RetryingSender(exchange, gate, retries)
    rules = Robots(robots, web.token, sender.send, gate, load=load, save=save, now=now)

    async def close() -> None:
        await session.close()
        await resolver.close()

    fetcher = HttpFetcher(
        *(sender, rules, gate, web),
        in_scope=in_scope,
        why_harmful=why_harmful,
        now=now,
        close=close,
    )
    fetcher.sharing = own.describe_sharing
    return fetcher


def _open_session(
    web: WebSettings, resolver: GuardedResolver, permits: Permits
) -> aiohttp.ClientSession:
    try:
        connector = open_connector(web, resolver)
    except OSError as error:
        raise ConfigError(f"web.ca_file {web.ca_file!r} cannot be read: {error}") from error
    types = ", ".join((*web.accept_types, "*/*;q=0.1")) if web.accept_types else "*/*"
    return aiohttp.ClientSession(
        connector=connector,
        headers={"User-Agent": web.agent, "Accept": types, "Accept-Encoding": ACCEPT_ENCODING},
        # aiohttp's jar follows Domain attributes; ours gives cookies back to their host only.
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(
            total=web.total_timeout_s,
            connect=web.connect_timeout_s,
            sock_connect=web.connect_timeout_s,
            sock_read=web.first_byte_timeout_s,
        ),
        # aiohttp unpacks without a bound on the result; `unpack` has one.
        auto_decompress=False,
        proxy=web.proxy if web.proxy.startswith("http") else None,
        max_line_size=web.max_header_bytes,
        max_field_size=web.max_header_bytes,
        max_headers=web.max_headers,
        middlewares=(forbid_silent_retry,),
        trace_configs=[] if permits is UNLIMITED else [_trace_permits(permits)],
    )


def _trace_permits(permits: Permits) -> aiohttp.TraceConfig:
    """Looks at the permit again once the connection stands, before the first byte is written:
    connecting may take longer than the permit holds."""

    async def check(
        _session: aiohttp.ClientSession,
        _context: object,
        sent: aiohttp.TraceRequestHeadersSentParams,
    ) -> None:
        url = Url(str(sent.url))
        permits.check(site_of(url), url)

    tracing = aiohttp.TraceConfig()
    tracing.on_request_headers_sent.append(check)
    return tracing
