import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from leadline.core.harvest import RESULTS, Outcome, Query
from leadline.frontier.seen_urls import text_hash
from leadline.harvester.coverage import CoverageMonitor, count_held_matches
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Box, Interface, Menu, MenuChoice
from tests.harvester.coverage.asked import ask_at_random, outcome
from tests.harvester.records import record


def test_nothing_is_told_of_nothing() -> None:
    found = CoverageMonitor().coverage()
    assert (found.held, found.low, found.high, found.share) == (0, 0, None, 0.0)


@pytest.mark.parametrize("queries", [20, 60, 200])
def test_an_even_source_is_inside_the_interval(queries: int) -> None:
    monitor = CoverageMonitor()
    held = ask_at_random(monitor, size=3_000, queries=queries, each=40)
    found = monitor.coverage()
    assert found.held == held
    assert found.high is not None
    assert found.low <= 3_000 <= found.high


def test_the_interval_narrows_as_a_harvest_goes_on() -> None:
    widths = []
    for queries in (30, 100, 300):
        monitor = CoverageMonitor()
        ask_at_random(monitor, size=3_000, queries=queries, each=40)
        found = monitor.coverage()
        assert found.high is not None
        widths.append(found.high / found.low)
    assert widths[0] > widths[1] > widths[2]
    assert widths[2] < 1.3


@pytest.mark.parametrize("records", [0, 500, 2_000, 9_000])
def test_what_is_held_beyond_the_estimate_lifts_it(records: int) -> None:
    monitor = CoverageMonitor()
    ask_at_random(monitor, size=3_000, queries=30, each=40)
    before = monitor.coverage()
    found = before.extend_to(records)
    assert found.held == max(before.held, records)
    assert found.held <= found.low <= found.size
    assert found.high is None or found.size <= found.high
    assert records > before.held or found == before


def test_a_cap_is_named_with_what_it_hides() -> None:
    monitor = CoverageMonitor()
    ask_at_random(monitor, size=3_000, queries=30, each=80, cap=20)
    found = monitor.coverage()
    assert (found.cap, found.cut) == (20, 30)
    assert "answers end at 20 records, 30 of 30 were cut of up to 80 matches" in found.why


def test_a_source_that_tells_its_size_is_believed() -> None:
    monitor = CoverageMonitor(Interface(takes_empty=True))
    left = Outcome(Query(()), RESULTS, 20, 20, 1_500, is_total_exact=True, is_left=True)
    monitor.learn(left, range(1, 21))
    found = monitor.coverage()
    assert (found.low, found.size, found.high, found.told) == (1_500, 1_500, 1_500, 1_500)
    assert "the source tells of 1,500" in found.why


def test_under_a_cap_what_is_told_is_the_upper_end_only() -> None:
    monitor = CoverageMonitor(Interface(takes_empty=True))
    cut = Outcome(Query(()), RESULTS, 20, 20, 1_500, is_total_exact=True, is_cut=True)
    monitor.learn(cut, range(1, 21))
    ask_at_random(monitor, size=1_500, queries=50, each=80, cap=20)
    found = monitor.coverage()
    assert found.held <= found.low < 1_500
    assert found.high is not None
    assert found.high <= 1_500 == found.told


def test_told_everything_once_more_it_says_the_same() -> None:
    one, other = CoverageMonitor(), CoverageMonitor()
    ask_at_random(one, size=500, queries=40, each=30, cap=20)
    ask_at_random(other, size=500, queries=40, each=30, cap=20)
    assert one.coverage() == other.coverage()
    assert one.evidence.features() == other.evidence.features()


counts = st.integers(0, 10**6)
wild = st.builds(
    Outcome,
    st.builds(
        lambda name, value: Query(((name, value),)),
        st.sampled_from(("q", "kind")),
        st.sampled_from(("", "new", "used", "sea")),
    ),
    st.just(RESULTS),
    returned=counts,
    fresh=counts,
    total=st.none() | counts,
    is_total_exact=st.booleans(),
    pages=st.integers(0, 200),
    requests=st.integers(0, 200),
    is_cut=st.booleans(),
    is_left=st.booleans(),
)
FORM = Interface(menus=(Menu("kind", (MenuChoice("new", "New"), MenuChoice("used", "Used"))),))


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(wild, st.lists(st.integers(1, 50), max_size=9), st.none() | counts)))
def test_whatever_a_source_says_the_interval_is_one(
    rows: list[tuple[Outcome, list[int], int | None]],
) -> None:
    monitor = CoverageMonitor(FORM)
    for told, keys, shown in rows:
        monitor.learn(told, keys, shown)
    found = monitor.coverage()
    assert found.held <= found.low <= found.size
    assert found.high is None or found.size <= found.high
    assert found.why


def test_a_million_records_fit_into_little_memory_and_time() -> None:
    monitor, each = CoverageMonitor(), 10_000
    keys = [text_hash(str(number)) for number in range(100_000)]
    begun = time.process_time()
    for number in range(10):
        rows = [key ^ number << 40 for key in keys]
        for first in range(0, len(rows), each):
            told = outcome(f"{number} {first}", each, each)
            monitor.learn(told, rows[first : first + each])
    assert monitor.coverage().held == 1_000_000
    assert len(monitor.evidence._seen._seen) <= 65_536
    # Half a second by itself; the machine may be busy.
    assert time.process_time() - begun < 10


def test_records_that_show_the_one_typed_word_are_counted() -> None:
    form = Interface(boxes=(Box("q"),), menus=FORM.menus, fixed=(("size", "100"),))
    holdings = Holdings()
    holdings.add_all([record("1", "The sea"), record("2", "Sea and fog"), record("3", "Tin")])
    assert count_held_matches(holdings, form, Query.of(q="sea", size="100")) == 2
    assert count_held_matches(holdings, form, Query.of(q="gold")) == 0
    assert count_held_matches(holdings, form, Query.of(q="sea fog")) is None
    assert count_held_matches(holdings, form, Query.of(q="sea", kind="new")) is None
    assert count_held_matches(holdings, form, Query.of(kind="new")) is None
    assert count_held_matches(holdings, form, Query.of(size="100")) is None


@pytest.mark.parametrize("boxes", [(), (Box("q"),)])
def test_a_list_beside_which_nothing_can_be_asked_is_all_there_is(boxes: tuple[Box, ...]) -> None:
    monitor = CoverageMonitor(Interface(boxes, takes_empty=True))
    listed = structs.replace(outcome("", returned=300, fresh=300, pages=12), query=Query(()))
    monitor.learn(listed, map(text_hash, map(str, range(300))))
    found = monitor.coverage()
    assert (found.low, found.high) == ((300, None) if boxes else (300, 300))
