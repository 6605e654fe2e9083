"""How a command ends: one table of exit codes, which the docs repeat."""

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leadline.core.crawl import Counts

TERMINATED = "terminated"
"""Stop reason of a crawl that was ended by SIGTERM."""


class Exit(IntEnum):
    """Exit codes. 128 + n is the shell's way of saying 'ended by signal n'."""

    DONE = 0
    BUG = 1
    BAD_INPUT = 2
    STORE = 3
    NOTHING_FETCHED = 4
    NOT_KNOWN = 5
    NOT_VERIFIED = 6
    INTERRUPTED = 130
    PIPE_CLOSED = 141
    TERMINATED = 143


MEANINGS = {
    Exit.DONE: "Done: the budget is spent, nothing is left to follow, or the answer was printed.",
    Exit.BUG: "A bug in leadline; the traceback says where. The store is intact.",
    Exit.BAD_INPUT: "Bad input: an unknown command, option or setting, or a value out of range.",
    Exit.STORE: "The store is missing, in use, damaged or of another version; nothing was lost.",
    Exit.NOTHING_FETCHED: "Every visit of a crawl, the one page of `probe`, or every request of "
    "`harvest` failed.",
    Exit.NOT_KNOWN: "`explain` was asked about something the store has never seen.",
    Exit.NOT_VERIFIED: "`verify` found something that a harvest says and that does not hold.",
    Exit.INTERRUPTED: "Stopped by Ctrl-C. All state is stored; the same command resumes.",
    Exit.PIPE_CLOSED: "The reader of the output went away (`leadline forms | head`).",
    Exit.TERMINATED: "Stopped by SIGTERM. All state is stored; the same command resumes.",
}


def exit_of(reason: str, before: "Counts", after: "Counts") -> Exit:
    """The exit code of a crawl that stopped for `reason`, with the counts around its run."""
    # The words of leadline.crawler.run.INTERRUPTED, whose import would cost --help 300 ms.
    if reason.startswith("interrupted"):
        return Exit.INTERRUPTED
    if reason == TERMINATED:
        return Exit.TERMINATED
    visits = after.visits - before.visits
    if visits and after.failed - before.failed == visits:
        return Exit.NOTHING_FETCHED
    return Exit.DONE
