"""The laws of the HarvestStore port, run on the harvests of every store."""

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from msgspec import structs

from leadline.core.harvest import NOTHING, OVER, Cell, Outcome, Query, ResultPage, StoredQuery
from leadline.core.store import HarvestStore, Store
from leadline.errors import StoreError
from leadline.store import STORES
from tests.postgres.fixtures import place_of
from tests.store.harvest_samples import asked, outcome, page, record, subject


@pytest.fixture(params=sorted(STORES))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened = STORES[request.param](
        place_of(request.param, request, tmp_path), width=0, memory_links=None
    )
    yield opened
    opened.close()


@pytest.fixture
def harvests(store: Store) -> HarvestStore:
    return store.harvests


def test_a_form_has_one_harvest(harvests: HarvestStore) -> None:
    first = harvests.begin(subject("a"), 1.0)
    second = harvests.begin(subject("b"), 2.0)
    with pytest.raises(StoreError, match="already"):
        harvests.begin(subject("a"), 3.0)
    assert list(harvests.all()) == [first, second]
    assert harvests.find("b") == second
    assert harvests.find("c") is None


def test_what_changes_in_a_harvest_is_kept(harvests: HarvestStore, store: Store) -> None:
    head = harvests.begin(subject(), 1.0)
    other = structs.replace(head.subject, policy="zipf", reader=b"more")
    ended = structs.replace(head, subject=other, state=OVER, reason="nothing left", requests=9)
    harvests.keep(ended)
    store.flush()
    assert list(harvests.all()) == [ended]
    assert harvests.tally(head.id).requests == 9


def test_a_record_is_kept_once_and_sightings_are_counted(harvests: HarvestStore) -> None:
    head = harvests.begin(subject(), 1.0)
    harvests.begin_query(head.id, asked(1))
    first = harvests.add_page(head.id, page(1, 1), [record(1), record(2), record(1)])
    changed = structs.replace(record(1), title="another title")
    second = harvests.add_page(head.id, page(1, 2), [changed, record(3)])
    assert (first.fresh, second.fresh) == (2, 1)
    assert first.keys[0] == first.keys[2] == second.keys[0]
    kept = list(harvests.records(head.id))
    assert [k.record for k in kept] == [record(1), record(2), record(3)]
    assert [k.sightings for k in kept] == [3, 1, 1]
    assert [(k.query, k.page, k.position) for k in kept] == [(1, 1, 1), (1, 1, 2), (1, 2, 2)]
    assert [k.number for k in kept] == sorted(k.number for k in kept)
    tally = harvests.tally(head.id)
    assert (tally.queries, tally.pages, tally.requests) == (1, 2, 4)
    assert (tally.records, tally.sightings) == (3, 5)


def test_what_was_learned_about_reading_goes_with_its_page(harvests: HarvestStore) -> None:
    head = harvests.begin(subject(), 1.0)
    harvests.begin_query(head.id, asked(1))
    harvests.add_page(head.id, page(1, 1), [record(1)], b"where lists are")
    harvests.add_page(head.id, page(1, 2), [record(2)])
    (told,) = harvests.all()
    assert told.subject.reader == b"where lists are"
    assert told.subject.signature == head.subject.signature


def test_harvests_share_no_records(harvests: HarvestStore) -> None:
    one, two = (harvests.begin(subject(name), 1.0).id for name in "ab")
    for harvest in (one, two):
        harvests.begin_query(harvest, asked(1))
        assert harvests.add_page(harvest, page(1), [record(1)]).fresh == 1
    assert [k.harvest for k in harvests.records()] == [one, two]
    assert [k.harvest for k in harvests.records(two)] == [two]
    assert len(list(harvests.pages(one))) == 1


def test_pages_come_back_in_order_with_all_their_records(harvests: HarvestStore) -> None:
    one, two = (harvests.begin(subject(name), 1.0).id for name in "ab")
    shown = {(1, 1): [1, 2], (1, 2): [2, 3], (2, 1): [], (3, 1): [3, 1, 4]}
    for (query, number), numbers in shown.items():
        for harvest in (one, two):
            if number == 1:
                harvests.begin_query(harvest, asked(query))
            sent = page(query, number, has_more=True)
            harvests.add_page(harvest, sent, [record(n) for n in numbers])
    told = [((p.query, p.number), [r.title for r in records]) for p, records in harvests.pages(two)]
    assert told == [(at, [f"record {n}" for n in numbers]) for at, numbers in shown.items()]
    assert [p.fresh for p, _ in harvests.pages(two)] == [2, 1, 0, 1]
    first, *_, last = (p for p, _ in harvests.pages(two))
    assert structs.replace(first, keys=(), fresh=0) == page(1, 1)
    assert structs.replace(last, keys=(), fresh=0) == page(3, 1, has_more=True)


def test_what_to_ask_next_is_kept_with_the_last_page_of_an_answer(harvests: HarvestStore) -> None:
    head = harvests.begin(subject(), 1.0)
    harvests.begin_query(head.id, asked(1))
    for number in (1, 2, 3):
        sent = page(1, number, has_more=True)
        harvests.add_page(head.id, sent, [record(number)])
        turns = [p.next_page for p, _ in harvests.pages(head.id)]
        assert turns == [None] * (number - 1) + [sent.next_page]


def test_queries_come_back_with_their_outcomes(harvests: HarvestStore) -> None:
    head = harvests.begin(subject(), 1.0)
    for number in (1, 2):
        harvests.begin_query(head.id, asked(number))
    harvests.end_query(head.id, 1, outcome(1))
    assert list(harvests.queries(head.id)) == [
        structs.replace(asked(1), outcome=outcome(1)),
        asked(2),
    ]


def test_a_query_of_unknown_worth_stays_of_unknown_worth(harvests: HarvestStore) -> None:
    head = harvests.begin(subject(), 1.0)
    unsure = structs.replace(asked(1), fresh=math.nan, max_pages=None)
    harvests.begin_query(head.id, unsure)
    (told,) = harvests.queries(head.id)
    assert math.isnan(told.fresh)
    assert told.max_pages is None


def test_nothing_is_recorded_twice_or_out_of_order(harvests: HarvestStore) -> None:
    head = harvests.begin(subject(), 1.0)
    harvests.begin_query(head.id, asked(1))
    with pytest.raises(StoreError, match="query 1"):
        harvests.begin_query(head.id, asked(1))
    harvests.add_page(head.id, page(1, 1), [record(1)])
    with pytest.raises(StoreError, match="page 1 of query 1"):
        harvests.add_page(head.id, page(1, 1), [record(2)])
    assert harvests.tally(head.id).records == 1


def test_own_pages_of_records_are_asked_for_in_order_and_once(harvests: HarvestStore) -> None:
    head = harvests.begin(subject(), 1.0)
    harvests.begin_query(head.id, asked(1))
    without = structs.replace(record(2), url=None)
    harvests.add_page(head.id, page(1), [record(1), without, record(3), record(4)])
    waiting = harvests.without_detail(head.id, 2)
    assert [url for _, url in waiting] == [record(1).url, record(3).url]
    harvests.add_detail(head.id, waiting[0][0], [Cell("detail:p", "long")], 1, 5.0)
    harvests.add_detail(head.id, waiting[1][0], [], 2, 6.0)
    assert [url for _, url in harvests.without_detail(head.id, 9)] == [record(4).url]
    details = [kept.detail for kept in harvests.records(head.id)]
    assert details == [(Cell("detail:p", "long"),), (), (), ()]
    tally = harvests.tally(head.id)
    assert (tally.details, tally.requests) == (2, 5)


def test_an_empty_store_has_none(harvests: HarvestStore) -> None:
    assert list(harvests.all()) == []
    assert list(harvests.records()) == []


Shown = list[list[int]]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(some.lists(some.lists(some.integers(0, 9), max_size=6), max_size=8), some.text(max_size=20))
def test_whatever_comes_is_told_again_as_it_came(
    harvests: HarvestStore, shown: Shown, at: str
) -> None:
    number = len(list(harvests.all()))
    head = harvests.begin(subject(f"form {number} {at}"), 1.0)
    for query, numbers in enumerate(shown, start=1):
        harvests.begin_query(head.id, StoredQuery(query, Query.of(q=at), 1.0))
        found = [structs.replace(record(n), title=at) for n in numbers]
        harvests.add_page(head.id, ResultPage(query, 1, 1.0, NOTHING), found)
        harvests.end_query(head.id, query, Outcome(Query.of(q=at), NOTHING))
    told = [[r.key for r in records] for _, records in harvests.pages(head.id)]
    assert told == [[record(n).key for n in numbers] for numbers in shown]
    counted = Counter(record(n).key for numbers in shown for n in numbers)
    assert {k.record.key: k.sightings for k in harvests.records(head.id)} == counted
    assert all(asked.outcome is not None for asked in harvests.queries(head.id))
