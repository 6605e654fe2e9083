"""The runs of a crawl: each from its start to its stop."""

from collections.abc import Sequence
from itertools import pairwise

from leadline.core.crawl import Event
from leadline.ui.web.models import Run
from leadline.ui.web.seen.events import STARTED, STOPPED
from leadline.ui.web.views.sums import VisitSums

_MOST = 100


def runs_of(told: Sequence[Event], sums: VisitSums) -> list[Run]:
    """The latest ones, in order."""
    events = [event for event in told if event.kind in (STARTED, STOPPED)]
    starts = [at for at, event in enumerate(events) if event.kind == STARTED]
    spans = enumerate(pairwise([*starts, len(events)]), start=1)
    return [_run(number, events, *span, sums) for number, span in spans][-_MOST:]


def _run(number: int, events: Sequence[Event], begin: int, after: int, sums: VisitSums) -> Run:
    started = events[begin]
    ended = events[begin + 1] if after > begin + 1 else None
    # A run that was cut off left no word: it ended before the next one began.
    follower = events[after].at if after < len(events) else float("inf")
    pages, forms = sums.between(started.at, ended.at if ended else follower)
    return Run(
        number=number,
        started=started.at,
        stopped=ended.at if ended else None,
        reason=ended.detail if ended else "",
        pages=pages,
        forms=forms,
    )
