"""What is read of a store, in memory."""

from pathlib import Path

import numpy as np
import pytest

from leadline.core.crawl import Event, Visit
from leadline.store import open_store
from leadline.views.mirror.crawl import NumberColumn, WordCodes, read_sample
from leadline.views.mirror.harvests import MOST_POINTS, CoverageHistory, RecordKeys
from leadline.views.mirror.store import StoreMirror, open_mirror
from tests.store.harvest_samples import asked, outcome
from tests.store.samples import record, take
from tests.views import made_up


def test_a_column_keeps_its_cells_when_it_grows() -> None:
    column = NumberColumn("i4")
    for number in range(5_000):
        column.extend([number])
    column.grow_to(6_000)
    assert column.cells[:5_000].tolist() == list(range(5_000))
    assert not column.cells[5_000:].any()


def test_codes_number_words_once() -> None:
    codes = WordCodes()
    assert [codes[word] for word in ("a", "b", "a")] == [0, 1, 0]
    assert codes.find("c") == -1


def test_counts_are_those_of_the_store(mirror: StoreMirror) -> None:
    counts = mirror.store.reader.counts()
    assert len(mirror.visits) == counts.visits
    assert mirror.visits.count_outcomes() == counts.outcomes
    assert mirror.visits.requests == counts.requests
    assert mirror.sites.known == counts.known
    assert mirror.sites.skipped == counts.skipped
    assert mirror.sites.count_waiting(mirror.visits.of_site) == counts.waiting
    assert len(mirror.forms) == len(list(mirror.store.reader.forms()))


def test_what_is_recorded_later_is_read_by_the_next_look(tmp_path: Path) -> None:
    path = tmp_path / "grows.leadline"
    made_up.make_store(path, visits=10)
    mirror = open_mirror("grows", path)
    with mirror.refresh():
        before = mirror.version
        assert len(mirror.visits) == 10
    store = open_store(path)
    made_up.visit_next(store, 10)
    head = next(iter(store.harvests.all()))
    made_up.ask(store, head, made_up.QUERIES + 1)
    store.flush()
    with mirror.refresh():
        assert len(mirror.visits) == 11
        assert mirror.version != before
        harvest = mirror.harvests.by_id[head.id]
        assert harvest.records == len(harvest.keys.numbers)
        assert harvest.records == store.harvests.tally(head.id).records
    store.close()
    mirror.close()


def test_visits_that_vanished_are_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "second.leadline"
    made_up.make_store(path, visits=4)
    store = open_store(path)
    (lease,) = take(store, 1)
    passed = Visit(lease.id, lease.candidate.url, lease.candidate.site, "passed-over", 1.0)
    record(store, passed, store.links.site(lease.candidate.site))
    store.flush()
    mirror = open_mirror("second", path)
    with mirror.refresh():
        assert len(mirror.visits) == 5
    store.links.reopen_sites()
    store.note(Event(2.0, "fallback", "breadth_first"))
    store.flush()
    with mirror.refresh():
        assert len(mirror.visits) == 4
        assert "passed-over" not in mirror.visits.count_outcomes()
    store.close()
    mirror.close()


def test_sightings_of_records_are_those_of_the_store(mirror: StoreMirror) -> None:
    (harvest,) = mirror.harvests.by_id.values()
    kept = {one.number: one.sightings for one in mirror.store.harvests.records()}
    most = harvest.keys.most_seen(0, len(kept))
    assert [kept[number] for number in most] == sorted(kept.values(), reverse=True)
    assert harvest.keys.count_repeated() == sum(times > 1 for times in kept.values())
    assert sum(harvest.keys.count_by_sightings(10).values()) == len(kept)
    assert harvest.keys.most_seen(3, 4) == most[3:7]


def test_keys_are_counted_whatever_the_order() -> None:
    keys = RecordKeys()
    keys.add(np.array([1, 2, 3]), np.array([30, 10, 20], np.uint64))
    keys.count(np.array([10, 10, 30], np.uint64))
    keys.add(np.array([4]), np.array([15], np.uint64))
    keys.count(np.array([15, 10, 99], np.uint64))
    assert keys.numbers.tolist() == [1, 2, 3, 4]
    assert keys.most_seen(0, 10) == [2, 1, 4, 3]
    assert keys.count_by_sightings(3) == {1: 2, 3: 1}


def test_the_curve_of_a_harvest_is_thinned_and_ends_where_it_is() -> None:
    history = CoverageHistory(None)
    for number in range(1, 2_001):
        history.add(asked(number), outcome(number), [2 * number, 2 * number + 1])
    curve = history.curve()
    assert len(curve) <= MOST_POINTS + 1
    assert curve[-1].requests == history.requests == 8_000
    assert curve[-1].records == 4_000
    assert [p.requests for p in curve] == sorted(p.requests for p in curve)


@pytest.mark.parametrize("detail", ["", "{", "[]", '{"visits": 1}', '{"visits": 1, "queues": 3}'])
def test_a_sample_that_cannot_be_read_is_passed_over(detail: str) -> None:
    assert read_sample(Event(1.0, "sample", detail=detail)) is None


def test_forms_are_studied_a_few_at_a_time(mirror: StoreMirror) -> None:
    assert mirror.forms.study(mirror.feed, 3) == len(mirror.forms) - 3
    while mirror.forms.study(mirror.feed):
        pass
    assert len(mirror.forms.meanings) == len(mirror.forms)
    assert any("person" in meanings for meanings in mirror.forms.meanings)
