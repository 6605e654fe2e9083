"""Which addresses may be connected to: the public ones, and those the user named."""

import ipaddress
from collections.abc import Iterable
from functools import lru_cache

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
        embedded = _embedded(address)
        # Mapped and NAT64 addresses are as public as the IPv4 address within.
        return bool(embedded) and all(is_public(inner) for inner in embedded)
    return all(is_public(inner) for inner in _embedded(address)) and not (
        address.version == 6 and any(address in network for network in _REFUSED_V6)
    )


def _embedded(address: Address) -> list[ipaddress.IPv4Address]:
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
