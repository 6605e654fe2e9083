"""From host names to connections: the user's own map, then DNS, then the address guard.

Only public addresses are connected to, and those the user named.
"""

import asyncio
import ipaddress
import socket
import ssl
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING

from aiohttp import TCPConnector
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp_socks import ProxyConnector

from leadline.errors import AddressRefusedError
from leadline.web.settings import WebSettings, split_target

if TYPE_CHECKING:
    from aiohttp.tracing import Trace

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_REFUSED_V6 = tuple(
    # Local NAT64 (RFC 8215), IPv4-compatible (RFC 4291), site-local (RFC 3879),
    # discard-only (RFC 6666), documentation (RFC 9637), SRv6 SIDs (RFC 9602).
    ipaddress.ip_network(text)
    for text in ("64:ff9b:1::/48", "::/96", "fec0::/10", "100::/64", "3fff::/20", "5f00::/16")
)


def is_public(address: Address) -> bool:
    """Whether everyone reaches the same host at this address, IPv4 inside IPv6 included."""
    if address.is_multicast or address.is_reserved or not address.is_global:
        embedded = _find_embedded(address)
        # Mapped and NAT64 addresses are as public as the IPv4 address within.
        return bool(embedded) and all(is_public(inner) for inner in embedded)
    return all(is_public(inner) for inner in _find_embedded(address)) and not (
        address.version == 6 and any(address in network for network in _REFUSED_V6)
    )


def _find_embedded(address: Address) -> list[ipaddress.IPv4Address]:
    if isinstance(address, ipaddress.IPv4Address):
        return []
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64:
        found.append(ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF))
    return [inner for inner in found if inner is not None]


class AddressGuard:
    """Says yes or no to an address. Refuses all that is not public and not allowed by name."""

    def __init__(self, allow_private: bool, allow_addresses: Iterable[str]) -> None:
        self._allow_private = allow_private
        self._allowed = tuple(ipaddress.ip_network(text, strict=False) for text in allow_addresses)
        self.permits = lru_cache(maxsize=10_000)(self._permits)

    def _permits(self, text: str) -> bool:
        """`text` is an address as a resolver or a URL writes it; anything else is refused."""
        try:
            address = ipaddress.ip_address(text.partition("%")[0])
        except ValueError:
            return False
        return (
            self._allow_private
            or is_public(address)
            or any(address in network for network in self._allowed)
        )


def is_literal(host: str) -> bool:
    """Whether a canonical URL's host (no brackets) is an address and not a name.

    >>> is_literal("10.0.0.1"), is_literal("::1"), is_literal("shop24"), is_literal("a.b2")
    (True, True, False, False)
    """
    return ":" in host or host.rpartition(".")[2].isdigit()


Lookup = Callable[[str], Sequence[str]]
"""From a host name to its addresses; may block; raises OSError when there are none."""

_VETTED_HOSTS = 10_000
"""Names remembered as fit to be asked for through a proxy, to spare a lookup per request."""


def system_lookup(host: str) -> list[str]:
    """The operating system's answer, in its order of preference."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class HostMap:
    """The user's own name table: exact names first, then the longest wildcard."""

    def __init__(self, targets: Mapping[str, str]) -> None:
        self._targets = {host: split_target(target) for host, target in targets.items()}

    def find(self, host: str) -> tuple[str, int] | None:
        """Address and port (0: the URL's own) the host is mapped to."""
        if not self._targets:
            return None
        if host in self._targets:
            return self._targets[host]
        rest = host
        while rest:
            rest = rest.partition(".")[2]
            found = self._targets.get(f"*.{rest}")
            if found:
                return found
        return self._targets.get("*")


class GuardedResolver(AbstractResolver):
    """Answers only with addresses that may be connected to.

    The connector connects to what is returned here and to nothing else, so an
    answer that changes between two lookups is checked each time it is used.
    """

    def __init__(
        self, hosts: HostMap, guard: AddressGuard, lookup: Lookup, threads: int, ttl_s: float
    ) -> None:
        self._hosts = hosts
        self._guard = guard
        self._lookup = lookup
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="leadline-dns")
        self._ttl_s = ttl_s
        self._vetted: dict[str, float] = {}
        self._found: dict[str, tuple[float, str]] = {}

    async def resolve(
        self,
        host: str,
        port: int = 0,
        family: socket.AddressFamily = socket.AF_UNSPEC,  # noqa: ARG002 (aiohttp's signature)
    ) -> list[ResolveResult]:
        """Raises AddressRefusedError when no address may be used, OSError when there is none."""
        mapped = self._hosts.find(host)
        if mapped:
            return [_result(host, mapped[0], mapped[1] or port)]
        return [_result(host, address, port) for address in await self._find_public(host)]

    async def find_address(self, host: str) -> str:
        """The address that requests to the host go to, for pacing: connecting asks anew, so that
        a name bound to another address meanwhile does not get past the guard. Raises as
        `resolve` does."""
        mapped = self._hosts.find(host)
        if mapped:
            return mapped[0]
        now = time.monotonic()
        until, address = self._found.get(host, (0.0, ""))
        if until <= now:
            address = (await self._find_public(host))[0]
            if len(self._found) >= _VETTED_HOSTS:
                self._found.clear()
            self._found[host] = now + self._ttl_s, address
        return address

    async def vet(self, host: str) -> None:
        """Raise AddressRefusedError if a proxy must not be asked for this host.

        A name this machine cannot look up passes: the proxy may know it.
        """
        now = time.monotonic()
        if self._vetted.get(host, 0.0) > now:
            return
        try:
            await self._find_public(host)
        except OSError:
            return
        if len(self._vetted) >= _VETTED_HOSTS:
            self._vetted.clear()
        self._vetted[host] = now + self._ttl_s

    async def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _find_public(self, host: str) -> list[str]:
        answers = [host] if is_literal(host) else await self._look_up(host)
        permitted = [address for address in answers if self._guard.permits(address)]
        if not permitted:
            raise AddressRefusedError(host, f"{host} is at {', '.join(answers)}: not public")
        return permitted

    async def _look_up(self, host: str) -> Sequence[str]:
        loop = asyncio.get_running_loop()
        try:
            answers = await loop.run_in_executor(self._pool, self._lookup, host)
        except UnicodeError as error:
            # The idna codec refuses empty and overlong labels.
            raise socket.gaierror(socket.EAI_NONAME, f"no valid host name: {error}") from error
        if not answers:
            raise socket.gaierror(socket.EAI_NONAME, "no address")
        return answers


def _result(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ResolveResult(
        hostname=host, host=address, port=port, family=family, proto=0, flags=socket.AI_NUMERICHOST
    )


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
