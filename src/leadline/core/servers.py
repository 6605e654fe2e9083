"""Turns at servers that several sites share: an address, or a registered domain. No I/O.

A site's own pause says nothing of its neighbours: behind one address with wildcard DNS a crawl of
five hundred hosts would send five hundred times as much. The fetcher of one process keeps the
lines in memory; workers of a team keep them in their store, by the same rules.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from leadline.core.url import Site, host_of, registered_domain

HOLD_S = 1.0
"""Longest wait for a turn that is sat out: a site whose turn comes later gives its place away."""
HORIZON_S = 60.0
"""How far ahead turns are booked. Beyond it the order of the sites may have changed."""
_ROOM = 1.2
"""Turns lie a fifth further apart than the share asks for, so that some may leave late by a tenth
of the pause and no span of one pause has more than its share."""
_MOST_BOOKED = 100_000
_MOST_NEIGHBOURS = 200_000
"""Sites that are counted by server, at about 100 bytes each."""


class ServerSpacing(Struct, frozen=True):
    """Seconds between the starts of two requests to one server; 0: no limit."""

    address_s: float = 0.0
    domain_s: float = 0.0
    slack_s: float = 0.0
    """By how much a request may leave after its turn."""

    @property
    def is_limited(self) -> bool:
        return self.address_s > 0 or self.domain_s > 0


def space_servers(delay_s: float, per_address: int, per_domain: int) -> ServerSpacing:
    """The spacing by which no span of `delay_s` has more requests than that; 0: no limit."""
    address_s = min(delay_s, _ROOM * delay_s / per_address) if per_address else 0.0
    domain_s = min(delay_s, _ROOM * delay_s / per_domain) if per_domain else 0.0
    return ServerSpacing(address_s, domain_s, max(delay_s / 10, 0.05))


class ServerRequest(Struct, frozen=True):
    """A request that is about to leave, and the servers it goes to with their spacings."""

    site: Site
    servers: tuple[tuple[str, float], ...]


def name_servers(site: Site, address: str, spacing: ServerSpacing) -> ServerRequest:
    """A site of unknown address is grouped by its registered domain alone.

    >>> name_servers(Site("a.example.org"), "192.0.2.1", ServerSpacing(0.5, 1.0)).servers
    (('address 192.0.2.1', 0.5), ('domain example.org', 1.0))
    """
    servers = []
    if spacing.address_s and address:
        servers.append((f"address {address}", spacing.address_s))
    if spacing.domain_s:
        servers.append((f"domain {registered_domain(host_of(site))}", spacing.domain_s))
    return ServerRequest(site, tuple(servers))


class ServerTurn(NamedTuple):
    """When a request may leave."""

    wait_s: float
    is_ours: bool
    """Whether the request leaves after the wait; else the site is to ask again then."""


class SharedServer(Struct, frozen=True):
    """A server that several sites share."""

    name: str
    """`address 192.0.2.1` or `domain example.org`."""
    sites: int
    """Sites of it that were asked."""
    waiting: int
    """Of these, those that wait for their turn at it."""


class ServerSharing(Struct, frozen=True):
    """How far the sites of a crawl share servers."""

    servers: int = 0
    """Servers that several sites share."""
    sites: int = 0
    """Sites that share an address or a domain with another."""
    waiting: int = 0
    """Of these, those that wait for their turn."""
    most: tuple[SharedServer, ...] = ()
    """Those for which most sites wait."""


SHARING_KEY = "servers"
"""Under which a store keeps the latest `ServerSharing`, as JSON."""
MOST_LISTED = 10


class ServerStore(Protocol):
    """Turns at servers that all workers on a store share.

    Guarantees: between two turns at one server lies at least its spacing, whoever asks, also after
    a restart; a site that is told to come later has its turn when it comes then, unless another
    was late before it.
    """

    def reserve(self, requests: Sequence[ServerRequest]) -> list[ServerTurn]:
        """A turn for each."""
        ...

    def describe_sharing(self) -> ServerSharing: ...


class ServerLine:
    """What is booked at one server."""

    __slots__ = ("next_at", "queued_until")

    def __init__(self, next_at: float, queued_until: float) -> None:
        self.next_at = next_at
        """The earliest start of any request."""
        self.queued_until = queued_until
        """The earliest start of one that has no booking."""


class ServerLines:
    """The lines at all servers, by a clock that the caller reads.

    Guarantees those of `ServerStore`, as long as the object lives.
    """

    def __init__(self, quiet_until: float = float("-inf")) -> None:
        """No server has a turn before `quiet_until`."""
        self.lines: dict[str, ServerLine] = {}
        self.booked: dict[Site, float] = {}
        """Starts of turns by site."""
        self._neighbours: dict[str, set[Site]] = {}
        self._quiet_until = quiet_until
        self._counted = 0

    def reserve(self, request: ServerRequest, now: float) -> ServerTurn:
        self._count(request)
        site, lines = request.site, [(self._line(*one, now), one[1]) for one in request.servers]
        booked = self.booked.get(site)
        if booked is not None and HOLD_S < booked - now <= HORIZON_S:
            return ServerTurn(booked - now, is_ours=False)
        queued = max([now, *(line.queued_until for line, _ in lines)])
        start = queued if booked is None else max([now, *(line.next_at for line, _ in lines)])
        if start - now <= HOLD_S:
            self.booked.pop(site, None)
            for line, spacing_s in lines:
                line.next_at = start + spacing_s
                line.queued_until = max(line.queued_until, line.next_at)
            return ServerTurn(start - now, is_ours=True)
        if queued - now > HORIZON_S:
            # Early enough to book before the line runs dry.
            return ServerTurn(queued - now - HORIZON_S / 2, is_ours=False)
        self._book(site, queued, now)
        for line, spacing_s in lines:
            line.queued_until = queued + spacing_s
        return ServerTurn(queued - now, is_ours=False)

    def describe_sharing(self, now: float) -> ServerSharing:
        shared = [(name, sites) for name, sites in self._neighbours.items() if len(sites) > 1]
        waiting = {site for site, at in self.booked.items() if at >= now - HOLD_S}
        found = [SharedServer(name, len(sites), len(sites & waiting)) for name, sites in shared]
        everyone = set().union(*(sites for _, sites in shared))
        return list_sharing(found, len(everyone), len(everyone & waiting))

    def forget_idle(self, now: float, most: int) -> None:
        """Drop lines that hold nobody back when there are more than `most`."""
        if len(self.lines) > most and now > self._quiet_until:
            self.lines = {
                name: line for name, line in self.lines.items() if line.queued_until > now
            }

    def _line(self, name: str, spacing_s: float, now: float) -> ServerLine:
        line = self.lines.get(name)
        if line is None:
            line = self.lines[name] = ServerLine(self._quiet_until, self._quiet_until)
        # A start further ahead than anything is booked comes from a clock that was set back.
        latest = now + HORIZON_S + spacing_s
        if line.queued_until > latest and line.queued_until > self._quiet_until:
            line.next_at, line.queued_until = min(line.next_at, latest), latest
        return line

    def _book(self, site: Site, start: float, now: float) -> None:
        if len(self.booked) >= _MOST_BOOKED:
            # Those that did not come.
            self.booked = {one: at for one, at in self.booked.items() if at > now - HORIZON_S}
        self.booked[site] = start

    def _count(self, request: ServerRequest) -> None:
        for name, _ in request.servers:
            sites = self._neighbours.setdefault(name, set())
            if request.site not in sites and self._counted < _MOST_NEIGHBOURS:
                sites.add(request.site)
                self._counted += 1


def list_sharing(found: list[SharedServer], sites: int, waiting: int) -> ServerSharing:
    """The sharing with the servers named for which most sites wait."""
    most = sorted(found, key=lambda one: (-one.waiting, -one.sites, one.name))[:MOST_LISTED]
    return ServerSharing(len(found), sites, waiting, tuple(most))
