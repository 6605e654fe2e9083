"""In which state the crawl on a store is, as others can see it."""

import msgspec
from msgspec import Struct

RUNNING, PAUSED, STOPPING, STOPPED = "running", "paused", "stopping", "stopped"
CUT_OFF, NEVER = "cut off", "never run"
STATES = (NEVER, RUNNING, PAUSED, STOPPING, STOPPED, CUT_OFF)
KEY = "run"
"""Under which a store keeps the state of its last run."""


class RunState(Struct, frozen=True):
    """What a crawl does, since when, and why it stops or stopped."""

    state: str
    """One of STATES."""
    since: float = 0.0
    reason: str = ""


def encoded(state: RunState) -> bytes:
    """What is kept under KEY."""
    return msgspec.json.encode(state)


def state_of(kept: bytes | None, *, is_written: bool) -> RunState:
    """The state of the crawl on a store that keeps this under KEY and is written by some process
    or by none: a run that ended without a word was cut off."""
    if kept is None:
        return RunState(NEVER)
    state = msgspec.json.decode(kept, type=RunState)
    if state.state == STOPPED or is_written:
        return state
    return RunState(CUT_OFF, state.since)
