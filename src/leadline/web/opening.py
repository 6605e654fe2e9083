"""Puts a fetcher together from its parts."""

import time
from collections.abc import Callable, Mapping

import aiohttp

from leadline.core.url import Url, site_of
from leadline.errors import ConfigError
from leadline.web.border import no_silent_retry
from leadline.web.connect import open_connector
from leadline.web.cookies import CookieJar
from leadline.web.exchange import Exchange
from leadline.web.fetcher import HttpFetcher, InScope, Persistence
from leadline.web.guard import AddressGuard
from leadline.web.permits import UNLIMITED, Permits
from leadline.web.politeness import Gate
from leadline.web.resolve import GuardedResolver, HostMap, Lookup, system_lookup
from leadline.web.retries import TABLE, RetryTable
from leadline.web.robots import Robots
from leadline.web.settings import PolitenessSettings, RobotsSettings, WebSettings
from leadline.web.unpack import ACCEPT_ENCODING


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
    load: Callable[[str], bytes | None] = _load_nothing,
    save: Callable[[str, bytes], None] = _save_nothing,
    now: Callable[[], float] = time.time,
    quiet_until: float = 0.0,
    lookup: Lookup = system_lookup,
    retries: RetryTable = TABLE,
    permits: Permits = UNLIMITED,
) -> HttpFetcher:
    """A fetcher on the running event loop; close it there.

    `load` and `save` keep robots.txt between runs (keys `robots:<origin>`); no site is
    asked before the wall-clock second `quiet_until`; `permits` have a last word on each
    request. Raises ConfigError for a bad CA file.
    """
    session = _open_session(web, resolver := _open_resolver(web, lookup), permits)
    gate = Gate(politeness, now, quiet_until)
    jar = CookieJar(now) if web.cookies else None
    vet = resolver.vet if web.proxy else None
    sender = Persistence(Exchange(session, gate, jar, vet, now, permits), gate, retries)
    rules = Robots(robots, web.token, sender.send, gate, load=load, save=save, now=now)

    async def close() -> None:
        await session.close()
        await resolver.close()

    return HttpFetcher(sender, rules, gate, web, in_scope=in_scope, now=now, close=close)


def _open_resolver(web: WebSettings, lookup: Lookup) -> GuardedResolver:
    guard = AddressGuard(web.allow_private, web.allow_addresses)
    return GuardedResolver(HostMap(web.resolve), guard, lookup, web.dns_threads, web.dns_ttl_s)


def _open_session(
    web: WebSettings, resolver: GuardedResolver, permits: Permits
) -> aiohttp.ClientSession:
    try:
        connector = open_connector(web, resolver)
    except OSError as error:
        raise ConfigError(f"web.ca_file {web.ca_file!r} cannot be read: {error}") from error
    return aiohttp.ClientSession(
        connector=connector,
        headers=_headers(web),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(
            total=web.total_timeout_s,
            connect=web.connect_timeout_s,
            sock_connect=web.connect_timeout_s,
            sock_read=web.first_byte_timeout_s,
        ),
        auto_decompress=False,
        proxy=web.proxy if web.proxy.startswith("http") else None,
        max_line_size=web.max_header_bytes,
        max_field_size=web.max_header_bytes,
        max_headers=web.max_headers,
        middlewares=(no_silent_retry,),
        trace_configs=[] if permits is UNLIMITED else [_checking(permits)],
    )


def _checking(permits: Permits) -> aiohttp.TraceConfig:
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


def _headers(web: WebSettings) -> Mapping[str, str]:
    types = ", ".join((*web.accept_types, "*/*;q=0.1")) if web.accept_types else "*/*"
    return {"User-Agent": web.agent, "Accept": types, "Accept-Encoding": ACCEPT_ENCODING}
