import pytest
from pydantic import ValidationError

from leadline.core.harvest import Choice, Query
from leadline.harvester.coverage import (
    Coverage,
    CoverageMonitor,
    StoppingRule,
    StoppingSettings,
)
from tests.harvester.coverage.asked import outcome

NEXT = Choice(Query.of(q="next"), fresh=0.0, requests=1.0)


def coverage(held: int, told: int | None = None) -> Coverage:
    return Coverage(held, 2 * held, held, 4 * held, told=told)


def after(fresh: list[int], expected: float = 0.0, pages: int = 1) -> StoppingRule:
    stopping = StoppingRule()
    for number, new in enumerate(fresh):
        stopping.learn(outcome(f"word{number}", 10, new, pages=pages), expected)
    return stopping


def test_a_harvest_that_brings_records_goes_on() -> None:
    assert not after([4] * 180).why_stop(NEXT, coverage(1_000))


def test_nothing_is_said_too_early() -> None:
    assert not after([0] * 99).why_stop(NEXT, coverage(1_000))
    assert not after([0] * 9, pages=50).why_stop(NEXT, coverage(1_000))
    assert after([0] * 10, pages=50).why_stop(NEXT, coverage(5_000))


def test_a_source_that_surely_has_more_is_given_twice_the_patience() -> None:
    more = Coverage(1_000, 3_000, 1_500, 4_000)
    assert after([0] * 100).why_stop(NEXT, coverage(1_000))
    assert not after([0] * 199).why_stop(NEXT, more)
    assert after([0] * 200).why_stop(NEXT, more)


def test_a_harvest_without_gain_stops_and_says_so_in_numbers() -> None:
    why = after([20] * 50 + [0] * 99 + [1]).why_stop(NEXT, coverage(1_000))
    assert "100 queries brought 1 new records" in why
    assert "1% of the 1,000 held" in why


def test_a_small_holding_stops_by_yield_alone() -> None:
    """Of 20 records a hundredth is less than one: only the cost speaks."""
    why = after([0] * 120).why_stop(NEXT, coverage(20))
    assert "0 new records in the last 100 requests" in why
    assert "less than 0.1" in why


def test_a_promise_that_was_kept_so_far_keeps_it_going() -> None:
    stopping = StoppingRule(StoppingSettings(min_gain=0))
    for number in range(120):
        stopping.learn(outcome(f"word{number}", 10, number % 50 == 0), expected=0.03)
    assert not stopping.why_stop(Choice(NEXT.query, 5.0, 1.0), coverage(20))
    assert stopping.why_stop(Choice(NEXT.query, 0.01, 1.0), coverage(20))


def test_a_promise_that_was_never_kept_counts_for_nothing() -> None:
    stopping = after([0] * 120, expected=3.0)
    forecast = stopping.forecast()
    assert forecast is not None
    assert forecast.kept_promise == 0
    assert stopping.why_stop(Choice(NEXT.query, 3.0, 1.0), coverage(20))


def test_one_lucky_query_keeps_it_going() -> None:
    """The upper end of what may come counts, not the average."""
    assert not after([0] * 99 + [30]).why_stop(NEXT, coverage(2_000))


def test_all_that_the_source_tells_of_is_enough() -> None:
    why = after([100] * 3).why_stop(NEXT, coverage(300, told=300))
    assert why == "all 300 records that the source tells of are held"
    assert not after([100] * 3).why_stop(NEXT, coverage(300, told=301))


def test_expectations_that_are_no_numbers_are_none() -> None:
    stopping = after([0] * 120, expected=float("nan"))
    forecast = stopping.forecast()
    assert forecast is not None
    assert forecast.kept_promise is None
    assert stopping.why_stop(Choice(NEXT.query, float("inf"), 1.0), coverage(20))


def test_settings_out_of_bounds_are_refused() -> None:
    with pytest.raises(ValidationError):
        StoppingSettings(min_yield=-1)


def test_a_listing_of_everything_that_other_answers_bear_out_ends_the_harvest() -> None:
    monitor = CoverageMonitor()
    monitor.learn(outcome("", 600, 600, pages=12), range(600))
    for number in range(40):
        assert not monitor.why_stop(NEXT) or number >= 30
        monitor.learn(outcome(f"word{number}", 10, 0), range(number, number + 10))
    assert "lists everything" in monitor.why_stop(NEXT)
    found = monitor.coverage()
    assert found.high is not None
    assert 600 <= found.low <= found.high <= 606


def test_the_latest_records_are_no_listing_of_everything() -> None:
    monitor = CoverageMonitor()
    monitor.learn(outcome("", 50, 50), range(50))
    for number in range(40):
        fresh = range(50 + 10 * number, 60 + 10 * number)
        monitor.learn(outcome(f"word{number}", 10, 10), fresh)
    assert monitor.coverage().most_missing is None
    assert not monitor.why_stop(NEXT)
