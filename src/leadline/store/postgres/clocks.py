"""What is done when a clock was set. No I/O.

Pauses and leases are kept in crawl time: the database's clock plus a `shift`. Machines know how
much time went by from CLOCK_BOOTTIME, which nobody can set, so the distance of crawl time to it
(a machine's `offset`) stays the same until a clock is set. When it grows by a jump, crawl time is
held back by as much; when it shrinks, crawl time is moved on. So crawl time goes at the pace of
time, no pause is cut short, and no site waits for hours.

Crawl time may also seem to have jumped ahead because the machine stood still (a virtual machine
that was suspended). Then it is held back for nothing, and everybody waits longer. Other machines
would see that as a clock set back, and moving crawl time on again would cut short the pauses
begun since: so as much as crawl time was held back is never given back.
"""

from typing import NamedTuple

TOLERANCE_S = 0.5
"""Smaller differences come from the way to the database and from clocks being trimmed."""


class Clock(NamedTuple):
    """What is known of a machine's clock."""

    offset: float
    """Crawl time minus CLOCK_BOOTTIME."""
    held_s: float = 0.0
    """How much crawl time was held back by other machines since this one looked last."""


class Measured(NamedTuple):
    """The offset lies between two bounds: it was asked for and told, which takes time."""

    low: float
    high: float


class Verdict(NamedTuple):
    clock: Clock
    move_s: float = 0.0
    """By how much crawl time is to be moved."""


def jump(before: Clock, now: Measured) -> float:
    """How far the offset moved, as far as that is certain; small moves are none."""
    if now.low > before.offset + TOLERANCE_S:
        return now.low - before.offset
    if now.high < before.offset - TOLERANCE_S:
        return now.high - before.offset
    return 0.0


def judge(before: Clock | None, now: Measured) -> Verdict:
    """What follows from a look at the clock."""
    if before is None:
        return Verdict(Clock((now.low + now.high) / 2))
    jump_s = jump(before, now)
    if not jump_s or -before.held_s - TOLERANCE_S <= jump_s < 0:
        return Verdict(Clock(min(max(before.offset, now.low), now.high)))
    return Verdict(Clock(before.offset), -jump_s)
