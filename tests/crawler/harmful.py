"""A critic that harms the process it judges in, as the title of a page tells it to."""

import os
import signal
import sys
import time
from pathlib import Path

from leadline.core.crawl import Judgement
from leadline.core.page import Page
from leadline.page.words import PageWords

HARMS = ("kill", "abort", "exit", "leave", "spin", "sleep", "bloat", "raise")


class HarmfulCritic:
    """Judges every page alike; picklable, because it is of another module than the tests'."""

    name = "harmful"

    def judge(self, page: Page, words: PageWords) -> Judgement:  # noqa: ARG002 - of the port
        harm = page.title.removeprefix("harm ") if page.title.startswith("harm ") else ""
        if harm:
            do_harm(harm)
        return Judgement(0.5, ())


def do_harm(harm: str) -> None:
    match harm:
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "abort":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "exit":
            os._exit(3)
        case "leave":
            sys.exit(4)
        case "spin":
            while True:
                pass
        case "sleep":
            # Longer than any test: only its process's end ends it.
            time.sleep(3_600)
        case "bloat":
            kept = []
            while True:
                kept.append(bytearray(1 << 24))
        case _:
            raise ValueError("a page that its reader cannot take")


class SleepWork:
    """Says through a named pipe that it has begun, and never returns: its end closes the pipe."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def warm_up(self) -> None:
        """Nothing to load."""

    def __call__(self, _job: bytes) -> bytes:
        with self._place.open("w") as told:
            told.write("begun\n")
            told.flush()
            do_harm("sleep")
        return b""
