"""Whether a crawl runs, rests or stopped."""

from msgspec import Struct

from leadline.core.desk import PAUSE, RESUME, STOP, Order
from leadline.store.lock import is_locked
from leadline.ui.web.seen.events import STARTED, STOPPED
from leadline.ui.web.seen.following import Following

RUNNING, PAUSED, STOPPING, STOPPED_STATE = "running", "paused", "stopping", "stopped"
NEVER_RUN = "never run"
CUT_OFF = "cut off"


class StoreState(Struct, frozen=True):
    """What a store's crawl does."""

    name: str
    reason: str = ""
    """Why it stopped; '' while it runs."""


def state_of(seen: Following) -> StoreState:
    """By the lock, which the operating system gives back when a crawl ends in whatever way."""
    runs = [event for event in seen.events.runs if event.kind in (STARTED, STOPPED)]
    if is_locked(seen.path):
        since = runs[-1].at if runs else 0.0
        return StoreState(_while_running(seen.store.desk.orders(), since))
    if not runs:
        return StoreState(NEVER_RUN)
    last = runs[-1]
    return StoreState(STOPPED_STATE, last.detail if last.kind == STOPPED else CUT_OFF)


def _while_running(orders: list[Order], since: float) -> str:
    """By the last order that was given to this run; those left before it are void."""
    for order in reversed(orders):
        if order.at < since or order.kind == RESUME:
            break
        if order.kind == STOP:
            return STOPPING
        if order.kind == PAUSE and order.done_at is not None:
            return PAUSED
    return RUNNING
