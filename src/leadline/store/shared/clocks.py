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
PROMPT_S = 0.1
"""An answer within this time tells the database's clock well enough to act on."""


class Clock(NamedTuple):
    """What is known of a machine's clock."""

    offset: float
    """Crawl time minus CLOCK_BOOTTIME."""
    held_s: float = 0.0
    """How much crawl time was held back by other machines since this one looked last."""


class Verdict(NamedTuple):
    clock: Clock
    move_s: float = 0.0
    """By how much crawl time is to be moved."""


def is_plausible(before: Clock | None, offset: float) -> bool:
    """Whether nothing has to be done; the offset may be too large by the time of the request."""
    return before is not None and abs(offset - before.offset) <= TOLERANCE_S


def judge(before: Clock | None, offset: float) -> Verdict:
    """What follows from an offset measured well."""
    if before is None or is_plausible(before, offset):
        return Verdict(Clock(offset))
    jump = offset - before.offset
    if jump < 0 and -jump <= before.held_s + TOLERANCE_S:
        return Verdict(Clock(offset))
    return Verdict(Clock(before.offset), -jump)
