"""Queries on made-up sources: the sizes are known."""

import random

from leadline.core.harvest import NOTHING, RESULTS, Outcome, Query
from leadline.frontier.seen_urls import text_hash
from leadline.harvester.coverage import CoverageMonitor


def outcome(
    word: str = "sea",
    returned: int = 0,
    fresh: int = 0,
    *,
    total: int | None = None,
    pages: int = 1,
    is_exact: bool = True,
    is_left: bool = False,
) -> Outcome:
    return Outcome(
        Query.of(q=word),
        RESULTS if returned else NOTHING,
        returned,
        fresh,
        total,
        is_total_exact=is_exact and total is not None,
        pages=pages,
        requests=pages,
        is_cut=total is not None and returned < total and not is_left,
        is_left=is_left,
    )


def ask_at_random(
    monitor: CoverageMonitor, size: int, queries: int, each: int, cap: int = 0
) -> int:
    """Every query matches `each` records, each as likely as any other; how many are held."""
    chance = random.Random(7)
    held: set[int] = set()
    for number in range(queries):
        rows = chance.sample(range(size), each)[: cap or each]
        fresh = len(set(rows) - held)
        held.update(rows)
        told = outcome(f"word{number}", len(rows), fresh, total=each)
        monitor.learn(told, [text_hash(str(row)) for row in rows])
    return len(held)
