"""One request at a time per site, and a pause between two."""

import asyncio
import math
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import Protocol

from leadline.core.servers import (
    ServerLines,
    ServerSharing,
    ServerSpacing,
    ServerTurn,
    name_servers,
    space_servers,
)
from leadline.core.url import Site
from leadline.errors import SiteBusyError, SiteTakenError
from leadline.web.settings import PolitenessSettings

_SMOOTHING = 0.25
"""Weight of the latest latency: four answers decide, one outlier does not."""


class SiteSlot:
    """A site's place at the gate. `ready` is on the gate's clock, which never jumps."""

    __slots__ = ("backoff_s", "delay_s", "latency_s", "lock", "ready", "users")

    def __init__(self, ready: float, delay_s: float) -> None:
        self.lock = asyncio.Lock()
        self.ready = ready
        self.delay_s = delay_s
        self.backoff_s = 0.0
        self.latency_s = 0.0
        self.users = 0

    def free(self) -> None:
        """Let the next one in."""
        self.users -= 1
        self.lock.release()

    def is_idle(self, now: float) -> bool:
        """Whether forgetting it changes nothing for the site."""
        return self.ready <= now and not self.backoff_s and not self.users


class Gate:
    """Lets one request per site through at a time.

    Guarantees: between `leave` and the next `enter` of a site lies at least the
    pause in force then: the greatest of the set delay, the site's Crawl-delay,
    a multiple of its latency when it is slow, what it asked for by Retry-After,
    and a backoff that doubles with each refusal and halves with each answer.
    Wall-clock time is read only where a caller speaks it, so a clock that is
    set back or forward moves no site's turn.
    """

    def __init__(
        self,
        settings: PolitenessSettings,
        now: Callable[[], float],
        quiet_until: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """No site at all is let through before the wall-clock second `quiet_until`.

        `clock` is not the event loop's: uvloop's tells when its round began, so that a pause
        would count from before the answer came.
        """
        self._settings = settings
        self._now = now
        self._clock = clock
        self._turns: dict[Site, SiteSlot] = {}
        self._sweep_at = settings.max_sites
        self._quiet_until = self._from_wall(quiet_until)

    async def enter(self, site: Site, url: str, patience_s: float | None = None) -> SiteSlot:
        """Wait for the site's turn. Raises SiteTakenError when that is too long to sit out, for
        who asks or at all."""
        turn = self._turns.get(site) or self._open(site)
        turn.users += 1
        try:
            await turn.lock.acquire()
        except asyncio.CancelledError:
            turn.users -= 1
            raise
        if turn.ready > self._clock():
            try:
                longest_s = self._settings.max_hold_s
                if patience_s is not None:
                    longest_s = min(longest_s, patience_s)
                await self._sit_out(turn, url, longest_s)
            except (asyncio.CancelledError, SiteBusyError):
                turn.free()
                raise
        return turn

    def leave(self, turn: SiteSlot, latency_s: float | None = None, floor_s: float = 0.0) -> None:
        """End the turn; `latency_s` of its answer, None when it brought none worth trusting."""
        if latency_s is not None:
            turn.latency_s += _SMOOTHING * (latency_s - turn.latency_s)
            turn.backoff_s = turn.backoff_s / 2 if turn.backoff_s > 1 else 0.0
        turn.delay_s = self._pause(turn, floor_s)
        turn.ready = max(turn.ready, self._clock() + turn.delay_s)
        turn.free()

    def slow_down(self, site: Site, retry_after_s: float | None) -> float:
        """The site refused (429, 503): seconds until it may be asked again."""
        turn = self._turns.get(site) or self._open(site)
        settings = self._settings
        turn.backoff_s = min(
            max(2 * turn.backoff_s, 2 * settings.delay_s, settings.first_backoff_s),
            settings.max_delay_s,
        )
        asked_s = min(retry_after_s or 0.0, settings.max_retry_after_s)
        return self._hold(turn, max(turn.backoff_s, asked_s))

    def postpone(self, site: Site, wait_s: float) -> float:
        """Leave the site alone for some seconds more; how long it rests in all."""
        return self._hold(self._turns.get(site) or self._open(site), wait_s)

    def ready_at(self, site: Site) -> float:
        """The wall-clock second from which the site may be asked; a past one if now."""
        turn = self._turns.get(site)
        ready = turn.ready if turn else self._quiet_until
        return self._now() + ready - self._clock()

    def delay_of(self, site: Site) -> float:
        """The pause in force between two requests."""
        turn = self._turns.get(site)
        return turn.delay_s if turn else self._settings.delay_s

    def restore(self, site: Site, ready_at: float, delay_s: float) -> None:
        """Take up what an earlier run knew of a site."""
        turn = self._turns.get(site) or self._open(site)
        turn.ready = max(turn.ready, self._from_wall(ready_at))
        turn.delay_s = min(delay_s, self._settings.max_delay_s)
        turn.ready = max(turn.ready, self._quiet_until)

    def _open(self, site: Site) -> SiteSlot:
        if len(self._turns) >= self._sweep_at:
            self._sweep()
        turn = self._turns[site] = SiteSlot(self._quiet_until, self._settings.delay_s)
        return turn

    def _sweep(self) -> None:
        now = self._clock()
        self._turns = {site: turn for site, turn in self._turns.items() if not turn.is_idle(now)}
        self._sweep_at = max(self._settings.max_sites, 2 * len(self._turns))

    async def _sit_out(self, turn: SiteSlot, url: str, longest_s: float) -> None:
        while (pause_s := turn.ready - self._clock()) > 0:
            if pause_s > longest_s:
                raise SiteTakenError(url, f"the site rests for {pause_s:.0f} s more", pause_s)
            await asyncio.sleep(pause_s)

    def _pause(self, turn: SiteSlot, floor_s: float) -> float:
        settings = self._settings
        is_slow = turn.latency_s > settings.slow_answer_s
        adapted_s = settings.slowdown * turn.latency_s if is_slow else 0.0
        return max(
            settings.delay_s, floor_s, min(max(adapted_s, turn.backoff_s), settings.max_delay_s)
        )

    def _hold(self, turn: SiteSlot, wait_s: float) -> float:
        now = self._clock()
        turn.ready = max(turn.ready, now + wait_s)
        return turn.ready - now

    def _from_wall(self, at: float) -> float:
        # A moment far ahead comes from a clock that was wrong, not from a pause.
        settings = self._settings
        longest_s = max(settings.max_retry_after_s, settings.max_delay_s, settings.delay_s)
        return self._clock() + min(at - self._now(), longest_s)


class ServerTurns(Protocol):
    """Who says when a server may be asked that several sites share."""

    spacing: ServerSpacing

    async def reserve(self, site: Site, address: str) -> ServerTurn:
        """The site's turn at its servers; `address` is '' while it is not known."""
        ...


class SharedServers:
    """Turns at shared servers, for one process: keeps the guarantees of `ServerStore`."""

    def __init__(
        self,
        settings: PolitenessSettings,
        *,
        is_resuming: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`is_resuming`: an earlier process may have asked any server just now."""
        self.spacing = spacing = make_spacing(settings)
        self._most = settings.max_sites
        self._clock = clock
        quiet_s = max(spacing.address_s, spacing.domain_s) if is_resuming else 0.0
        self._lines = ServerLines(clock() + quiet_s)

    async def reserve(self, site: Site, address: str) -> ServerTurn:
        now = self._clock()
        turn = self._lines.reserve(name_servers(site, address, self.spacing), now)
        self._lines.forget_idle(now, 2 * self._most)
        return turn

    def describe_sharing(self) -> ServerSharing:
        """How far the sites asked so far share servers."""
        return self._lines.describe_sharing(self._clock())


def make_spacing(settings: PolitenessSettings) -> ServerSpacing:
    return space_servers(settings.delay_s, settings.sites_per_address, settings.sites_per_domain)


def parse_retry_after(value: str, now: float) -> float | None:
    """Seconds of a Retry-After header in either form; None when it says nothing usable.

    >>> parse_retry_after("120", 0.0), parse_retry_after("Thu, 01 Jan 1970 00:00:30 GMT", 10.0)
    (120.0, 20.0)
    >>> parse_retry_after("soon", 0.0) is None
    True
    """
    text = value.strip()[:64]
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(text).timestamp() - now
        except (ValueError, TypeError, IndexError, OverflowError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None
