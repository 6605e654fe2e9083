"""From host names to the addresses connected to: the user's map, then DNS, then the guard."""

import asyncio
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from aiohttp.abc import AbstractResolver, ResolveResult

from leadline.errors import AddressRefusedError
from leadline.web.guard import AddressGuard, is_literal
from leadline.web.settings import split_target

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
        return [_result(host, address, port) for address in await self._public(host)]

    async def vet(self, host: str) -> None:
        """Raise AddressRefusedError if a proxy must not be asked for this host.

        A name this machine cannot look up passes: the proxy may know it.
        """
        now = time.monotonic()
        if self._vetted.get(host, 0.0) > now:
            return
        try:
            await self._public(host)
        except OSError:
            return
        if len(self._vetted) >= _VETTED_HOSTS:
            self._vetted.clear()
        self._vetted[host] = now + self._ttl_s

    async def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _public(self, host: str) -> list[str]:
        answers = [host] if is_literal(host) else await self._ask(host)
        permitted = [address for address in answers if self._guard.permits(address)]
        if not permitted:
            raise AddressRefusedError(host, f"{host} is at {', '.join(answers)}: not public")
        return permitted

    async def _ask(self, host: str) -> Sequence[str]:
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
