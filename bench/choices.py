"""What the default policy takes to choose a query, with many records held and many candidates.

    python bench/choices.py [--records 100000] [--queries 60] [--cap 100] [--menus 1] [--seed 31]

A made-up source brings records until so many are held. Then choosing, deciding whether an answer is
read on, and learning are measured in CPU time over some queries more, the tenth or so in which
conditions that may be joined are chosen anew included. Memory is what the process grew by while the
records were acquired, holdings and policy together. Linux. The last line is JSON.
"""

import argparse
import gc
import json
import os
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from leadline.core.harvest import RESULTS, Cell, Choice, Outcome, Reading, Record
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Box, Interface, Menu, MenuChoice
from leadline.harvester.policies.yield_per_cost import YieldPerCost, YieldPerCostSettings
from leadline.harvester.policies.yield_per_cost.proposals import open_rows

T = TypeVar("T")

_WORDS = 40_000
"""Different words of all records: rank and frequency as in texts."""
_PER_RECORD = 25
_BULK, _ANSWER, _PAGE = 500, 60, 20
"""Records of an answer while they are acquired and while it is measured, and of a page."""
_AGAIN = 4
"""One record in so many is held already."""
_GENRES = tuple(f"genre {n}" for n in range(12))
_YEARS = tuple(str(year) for year in range(1990, 2030))


def _form(menus: int) -> Interface:
    """With a second menu, what overflows of one may be cut by the other."""
    offered = {"genre": _GENRES, "year": _YEARS}
    made = [
        Menu(name, tuple(MenuChoice(one, one) for one in choices), name.title())
        for name, choices in offered.items()
    ]
    return Interface(boxes=(Box("q", "Search"),), menus=tuple(made[:menus]), words=("start",))


class Source:
    """Answers with records nobody has, and some that are held. A record is a function of its
    number, so that none is kept."""

    def __init__(self, seed: int, cap: int) -> None:
        self._seed = seed
        self._cap = cap
        self._made = 0

    def records(self, size: int) -> list[Record]:
        known = min(self._made, size // _AGAIN)
        again = random.Random(self._made).sample(range(self._made), known)
        first, self._made = self._made, self._made + size - known
        return [self._record(number) for number in (*range(first, self._made), *again)]

    def outcome(self, choice: Choice, returned: int, fresh: int) -> Outcome:
        pages = -(-returned // _PAGE)
        is_over = bool(self._cap) and returned >= self._cap
        total = 3 * returned if is_over else returned
        return Outcome(
            choice.query,
            RESULTS,
            returned=returned,
            fresh=fresh,
            total=total,
            is_total_exact=True,
            pages=pages,
            requests=pages,
            is_cut=is_over,
        )

    def _record(self, number: int) -> Record:
        drawn = random.Random(self._seed * 1_000_003 + number)
        # A rank whose logarithm is even: few words are in most records, most in few.
        words = [f"w{int(_WORDS ** drawn.random())}" for _ in range(_PER_RECORD)]
        texts = Cell("title", " ".join(words[:5])), Cell("text", " ".join(words[5:]))
        told = Cell("genre", drawn.choice(_GENRES)), Cell("year", drawn.choice(_YEARS))
        return Record(f"r{number}", f"record {number}", (*texts, *told))


class Bench:
    """A policy with its holdings, and what its calls took, in milliseconds."""

    def __init__(self, source: Source, form: Interface) -> None:
        self.source = source
        self.holdings = Holdings()
        self.policy = YieldPerCost(YieldPerCostSettings(), form, self.holdings)
        self.times: dict[str, list[float]] = {"choose": [], "goes_on": [], "learn": []}

    def acquire(self, records: int) -> None:
        while len(self.holdings) < records and (choice := self.policy.choose()):
            shown = self.source.records(_BULK)
            fresh = self.holdings.add_all(shown)
            self.policy.learn(self.source.outcome(choice, len(shown), fresh))

    def measure(self, queries: int) -> None:
        for _ in range(queries):
            choice = self._timed("choose", self.policy.choose)
            if choice is None:
                return
            shown = self.source.records(_ANSWER)
            fresh = self.holdings.add_all(shown)
            # A page without anything new: the other queries have to be looked at.
            reading = Reading(choice.query, 3, 3, len(shown), fresh=0, latest=0)
            self._timed("goes_on", partial(self.policy.goes_on, reading))
            outcome = self.source.outcome(choice, len(shown), fresh)
            self._timed("learn", partial(self.policy.learn, outcome))

    def _timed(self, name: str, work: Callable[[], T]) -> T:
        begun = time.process_time()
        found = work()
        self.times[name].append(1_000 * (time.process_time() - begun))
        return found


def resident_mb() -> float:
    """Of this process."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def run(records: int, queries: int, cap: int, menus: int, seed: int) -> dict[str, float]:
    before = resident_mb()
    bench = Bench(Source(seed, cap), _form(menus))
    bench.acquire(records)
    grown = resident_mb() - before
    bench.measure(queries)
    known = bench.policy.known
    found: dict[str, float] = {
        "records": len(bench.holdings),
        "candidates": len(open_rows(known, known.boxes[0])),
        "queries": len(bench.times["choose"]),
        "memory_mb_per_100k": round(grown * 100_000 / len(bench.holdings), 1),
    }
    for name, times in bench.times.items():
        found[f"{name}_ms_median"] = round(statistics.median(times), 2)
        found[f"{name}_ms_p95"] = round(statistics.quantiles(times, n=20)[-1], 2)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--cap", type=int, default=0, help="records of an answer at most; 0: no")
    parser.add_argument("--menus", type=int, default=1, choices=(0, 1, 2))
    parser.add_argument("--seed", type=int, default=31)
    options = parser.parse_args()
    print(json.dumps(run(**vars(options))))


if __name__ == "__main__":
    main()
