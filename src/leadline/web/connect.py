"""Connections to sites: direct ones behind the address guard, or through a proxy."""

import ssl
from collections.abc import Sequence
from typing import TYPE_CHECKING

from aiohttp import TCPConnector
from aiohttp.abc import ResolveResult
from aiohttp_socks import ProxyConnector

from leadline.web.guard import is_literal
from leadline.web.resolve import GuardedResolver
from leadline.web.settings import WebSettings

if TYPE_CHECKING:
    from aiohttp.tracing import Trace


class GuardedConnector(TCPConnector):
    """Asks its resolver about every host, literal addresses included.

    aiohttp connects to literal addresses without asking; the tests of the
    guard fail should this hook ever stop being called.
    """

    async def _resolve_host(
        self, host: str, port: int, traces: "Sequence[Trace] | None" = None
    ) -> list[ResolveResult]:
        if is_literal(host):
            return await self._resolver.resolve(host, port)
        return await super()._resolve_host(host, port, traces)


def tls_context(settings: WebSettings) -> ssl.SSLContext | bool:
    """What aiohttp takes as `ssl`; raises OSError when the CA file cannot be read."""
    if not settings.ca_file or not settings.verify_tls:
        return settings.verify_tls
    context = ssl.create_default_context()
    context.load_verify_locations(settings.ca_file)
    return context


def open_connector(settings: WebSettings, resolver: GuardedResolver) -> TCPConnector:
    """The connector for these settings. The number of connections is the caller's affair."""
    tls = tls_context(settings)
    keep_alive_s = settings.keep_alive_s
    if settings.proxy.startswith("socks"):
        return ProxyConnector.from_url(
            settings.proxy, ssl=tls, limit=0, keepalive_timeout=keep_alive_s
        )
    if settings.proxy:
        return TCPConnector(ssl=tls, limit=0, keepalive_timeout=keep_alive_s)
    return GuardedConnector(
        ssl=tls,
        limit=0,
        keepalive_timeout=keep_alive_s,
        resolver=resolver,
        ttl_dns_cache=settings.dns_ttl_s,
        dns_cache_max_size=10_000,
    )
