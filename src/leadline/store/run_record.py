"""What a store of one process keeps of its run."""

import msgspec

from leadline.core.store import RunState

RUN_KEY = "run"
"""Under which a store keeps the state of its last run."""


class RunRecord(RunState, frozen=True):
    """What is kept of a run under RUN_KEY."""

    spent: int | None = None
    """Requests that were no visits; None in a store of an older version."""


OLD_SPENT_KEY = "asked"
"""Where older versions kept how many requests backlink queries took."""


def decode_run(saved: bytes | None) -> RunState:
    """What is saved under RUN_KEY."""
    return RunState() if saved is None else msgspec.json.decode(saved, type=RunState)
