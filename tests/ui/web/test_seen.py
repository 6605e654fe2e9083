"""What is read of a store, in memory."""

import numpy as np
import pytest

from leadline.core.crawl import Event
from leadline.store import open_store
from leadline.ui.web.seen.column import Codes, Column
from leadline.ui.web.seen.drawing import MOST_POINTS, Drawing, RecordKeys
from leadline.ui.web.seen.events import sample_of
from leadline.ui.web.seen.following import Following, follow
from tests.store.harvest_samples import asked, outcome
from tests.ui.web import made_up


def test_a_column_keeps_its_cells_when_it_grows() -> None:
    column = Column("i4")
    for number in range(5_000):
        column.extend([number])
    column.grow_to(6_000)
    assert column.cells[:5_000].tolist() == list(range(5_000))
    assert not column.cells[5_000:].any()


def test_codes_number_words_once() -> None:
    codes = Codes()
    assert [codes[word] for word in ("a", "b", "a")] == [0, 1, 0]
    assert codes.find("c") == -1


def test_counts_are_those_of_the_store(seen: Following) -> None:
    counts = seen.store.counts()
    assert len(seen.visits) == counts.visits
    assert seen.visits.by_outcome() == counts.outcomes
    assert seen.visits.requests == counts.requests
    assert seen.sites.known == counts.known
    assert seen.sites.skipped == counts.skipped
    assert seen.sites.waiting(seen.visits.of_site) == counts.waiting
    assert len(seen.forms) == len(list(seen.store.forms()))


def test_what_is_recorded_later_is_read_by_the_next_look(tmp_path: object) -> None:
    path = made_up.Path(str(tmp_path)) / "grows.leadline"
    made_up.make_store(path, visits=10)
    following = follow("grows", path)
    with following.looking():
        before = following.moment
        assert len(following.visits) == 10
    store = open_store(path)
    made_up.visit_next(store, 10)
    head = next(iter(store.harvests.all()))
    made_up.ask(store, head, made_up.QUERIES + 1)
    store.flush()
    with following.looking():
        assert len(following.visits) == 11
        assert following.moment != before
        harvest = following.harvests.by_id[head.id]
        assert harvest.records == len(harvest.keys.numbers)
        assert harvest.records == store.harvests.tally(head.id).records
    store.close()
    following.close()


def test_visits_that_vanished_are_forgotten(tmp_path: object) -> None:
    path = made_up.Path(str(tmp_path)) / "second.leadline"
    made_up.make_store(path, visits=4)
    store = open_store(path)
    (lease,) = store.take(1, 2e9)
    passed = made_up.Visit(lease.id, lease.candidate.url, lease.candidate.site, "passed-over", 1.0)
    store.record(passed, store.site(lease.candidate.site))
    store.flush()
    following = follow("second", path)
    with following.looking():
        assert len(following.visits) == 5
    store.reopen()
    store.note(Event(2.0, "second-wind", "breadth_first"))
    store.flush()
    with following.looking():
        assert len(following.visits) == 4
        assert "passed-over" not in following.visits.by_outcome()
    store.close()
    following.close()


def test_sightings_of_records_are_those_of_the_store(seen: Following) -> None:
    (harvest,) = seen.harvests.by_id.values()
    kept = {one.number: one.sightings for one in seen.store.harvests.records()}
    most = harvest.keys.most_seen(0, len(kept))
    assert [kept[number] for number in most] == sorted(kept.values(), reverse=True)
    assert harvest.keys.seen_again() == sum(times > 1 for times in kept.values())
    assert sum(harvest.keys.by_times(10).values()) == len(kept)
    assert harvest.keys.most_seen(3, 4) == most[3:7]


def test_keys_are_counted_whatever_the_order() -> None:
    keys = RecordKeys()
    keys.add(np.array([1, 2, 3]), np.array([30, 10, 20], np.uint64))
    keys.count(np.array([10, 10, 30], np.uint64))
    keys.add(np.array([4]), np.array([15], np.uint64))
    keys.count(np.array([15, 10, 99], np.uint64))
    assert keys.numbers.tolist() == [1, 2, 3, 4]
    assert keys.most_seen(0, 10) == [2, 1, 4, 3]
    assert keys.by_times(3) == {1: 2, 3: 1}


def test_the_curve_of_a_harvest_is_thinned_and_ends_where_it_is() -> None:
    drawing = Drawing(None)
    for number in range(1, 2_001):
        drawing.take(asked(number), outcome(number), [2 * number, 2 * number + 1])
    curve = drawing.curve()
    assert len(curve) <= MOST_POINTS + 1
    assert curve[-1].requests == drawing.requests == 8_000
    assert curve[-1].records == 4_000
    assert [p.requests for p in curve] == sorted(p.requests for p in curve)


@pytest.mark.parametrize("detail", ["", "{", "[]", '{"visits": 1}', '{"visits": 1, "queues": 3}'])
def test_a_sample_that_cannot_be_read_is_passed_over(detail: str) -> None:
    assert sample_of(Event(1.0, "sample", detail=detail)) is None


def test_forms_are_studied_a_few_at_a_time(seen: Following) -> None:
    assert seen.forms.study(seen.catalogue, 3) == len(seen.forms) - 3
    while seen.forms.study(seen.catalogue):
        pass
    assert len(seen.forms.meanings) == len(seen.forms)
    assert any("person" in meanings for meanings in seen.forms.meanings)
