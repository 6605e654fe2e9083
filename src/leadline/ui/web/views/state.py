"""Whether a crawl runs, rests or stopped."""

from leadline.core.running import CUT_OFF, KEY, NEVER, RUNNING, STOPPED, RunState, state_of
from leadline.store.lock import is_locked
from leadline.ui.web.seen import events
from leadline.ui.web.seen.following import Following


def run_state(seen: Following) -> RunState:
    """What the last run says of itself, and the lock of whether it still can. The operating
    system gives the lock back when a process ends in whatever way."""
    kept, is_written = seen.store.load(KEY), is_locked(seen.path)
    told = state_of(kept, is_written=is_written) if kept is not None else _by_events(seen)
    # Someone else writes: a harvest, or a crawl that has not said a word yet.
    is_other = is_written and told.state in (NEVER, STOPPED, CUT_OFF)
    return RunState(RUNNING, told.since) if is_other else told


def _by_events(seen: Following) -> RunState:
    """Of a store whose last run was made by a leadline that said less."""
    told = [event for event in seen.events.runs if event.kind in (events.STARTED, events.STOPPED)]
    if not told:
        return RunState(NEVER)
    last = told[-1]
    is_over = last.kind == events.STOPPED
    return RunState(STOPPED, last.at, last.detail) if is_over else RunState(CUT_OFF, last.at)
