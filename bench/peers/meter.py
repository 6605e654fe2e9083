"""What every client of the benchmark is told, and what it reports."""

import argparse
import json
import resource
import time
from pathlib import Path
from typing import Any

from bench.website import seeds

CONCURRENCY = 32
"""Requests under way at once, for every client."""


class Task(argparse.Namespace):
    """One client's orders, read from the command line."""

    port: int
    hosts: int
    pages: int
    scheme: str

    @property
    def seeds(self) -> list[str]:
        return seeds(self.hosts, self.port, self.scheme)


def orders(description: str | None = None) -> argparse.ArgumentParser:
    """The arguments common to all clients; some add their own."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--port", type=int, default=18_080)
    parser.add_argument("--hosts", type=int, default=64)
    parser.add_argument("--pages", type=int, default=3_000, help="stop after so many")
    parser.add_argument("--scheme", choices=("http", "https"), default="http")
    return parser


def cpu_s() -> tuple[float, float]:
    """User and system seconds of this process and its ended children."""
    mine = resource.getrusage(resource.RUSAGE_SELF)
    theirs = resource.getrusage(resource.RUSAGE_CHILDREN)
    return mine.ru_utime + theirs.ru_utime, mine.ru_stime + theirs.ru_stime


def peak_rss_mb() -> float:
    """Peak resident memory of this process.

    Read from /proc: ru_maxrss of a spawned process starts at its parent's.
    """
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


class Meter:
    """Measures from its making or its last `restart`, after imports, to `report`, after the crawl.

    The client counts into `pages`, `scored` and `enqueued` as it goes.
    """

    def __init__(self) -> None:
        self.pages = 0
        """Fetched, parsed and their links scored."""
        self.scored = 0
        self.enqueued = 0
        """Requests handed to the client's queue, known ones included where it sorts them out."""
        self.restart()

    def restart(self) -> None:
        """Forget the time spent so far, not the counts."""
        self._cpu_s = cpu_s()
        self._wall_s = time.monotonic()

    def report(self, **more: Any) -> None:
        """Print the figures as one JSON line."""
        user_s, system_s = cpu_s()
        spent_s = user_s + system_s - sum(self._cpu_s)
        wall_s = time.monotonic() - self._wall_s
        figures = {
            "pages": self.pages,
            "cpu_s": round(spent_s, 3),
            "system_cpu_s": round(system_s - self._cpu_s[1], 3),
            "total_cpu_s": round(user_s + system_s, 3),
            "wall_s": round(wall_s, 3),
            "pages_per_cpu_s": round(self.pages / spent_s, 1),
            "pages_per_s": round(self.pages / wall_s, 1),
            "peak_rss_mb": round(peak_rss_mb(), 1),
            "links_scored": self.scored,
            "enqueued": self.enqueued,
        }
        print(json.dumps(figures | more), flush=True)
