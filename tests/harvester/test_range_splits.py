"""Typed ranges are cut where they overflow, until every part shows all it matches."""

import random

import pytest

from leadline.harvester.interface import Span
from leadline.harvester.policies.yield_per_cost.range_splits import RangeSplits

YEARS = Span("from", "to", meaning="year")


def drain(splits: RangeSplits, amounts: list[int], cap: int) -> tuple[set[int], int]:
    """Numbers of the records shown, and the queries that took, after a query for everything."""
    shown: set[int] = set()
    queries = 0
    values: tuple[tuple[str, str], ...] = (("from", ""), ("to", ""))
    while True:
        given = dict(values)
        low, high = int(given["from"] or 0), int(given["to"] or 10**9)
        found = [number for number, amount in enumerate(amounts) if low <= amount <= high]
        shown.update(found[:cap])
        splits.learn(values, float(len(found) - cap if len(found) > cap else 0), is_empty=not found)
        queries += 1
        part = splits.next_part()
        if part is None or queries > 2_000:
            return shown, queries
        values = part.values


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("cap", [10, 50])
def test_everything_is_shown_and_few_queries_are_wasted(seed: int, cap: int) -> None:
    draw = random.Random(seed)
    years = [draw.randint(1850, 2020) for _ in range(400)]
    shown, queries = drain(RangeSplits(YEARS), years, cap)
    assert len(shown) == len(years)
    assert queries <= 6 * len(years) / cap + 20


def test_prices_lie_at_the_lower_end() -> None:
    draw = random.Random(1)
    prices = [int(draw.lognormvariate(4, 1)) for _ in range(300)]
    span = Span("from", "to", meaning="price")
    shown, queries = drain(RangeSplits(span), prices, 30)
    assert len(shown) == len(prices)
    assert queries <= 80


def test_more_of_one_value_than_is_shown_ends() -> None:
    shown, queries = drain(RangeSplits(YEARS), [1900] * 50, 10)
    assert (len(shown), queries < 40) == (10, True)


def test_dates_are_halved_by_days() -> None:
    span = Span("from", "to", meaning="date")
    splits = RangeSplits(span)
    splits.learn((("from", "2000-01-01"), ("to", "2000-01-04")), 5.0)
    part = splits.next_part()
    assert part is not None
    assert dict(part.values) in (
        {"from": "2000-01-01", "to": "2000-01-02"},
        {"from": "2000-01-03", "to": "2000-01-04"},
    )


def test_offered_ends_are_left_to_the_menu() -> None:
    assert not RangeSplits(Span("from", "to", ("1900",), ("2000",), meaning="year")).is_useful
