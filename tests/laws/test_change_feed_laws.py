"""The laws of the ChangeFeed port: read in pieces, a store tells what it tells as a whole."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest

from leadline.core.change_feed import ChangeFeed
from leadline.core.store import StoreView
from leadline.errors import StoreError
from leadline.store import open_store_view
from leadline.store.change_feed import open_change_feed
from leadline.store.rows import to_signed
from tests.postgres.fixtures import database
from tests.views import made_up

T = TypeVar("T")


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def path(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path | str]:
    if request.param == "sqlite":
        yield made_up.make_store(tmp_path_factory.mktemp("catalogue") / "book.leadline")
        return
    with database(request.getfixturevalue("postgres_server"), "catalogue") as url:
        yield made_up.make_store(url)


@pytest.fixture
def store(path: Path | str) -> Iterator[StoreView]:
    opened = open_store_view(path)
    yield opened
    opened.close()


@pytest.fixture
def catalogue(path: Path | str) -> Iterator[ChangeFeed]:
    opened = open_change_feed(path)
    yield opened
    opened.close()


def in_pieces(read: Callable[[int, int], list[T]], mark: Callable[[T], int]) -> list[T]:
    """Everything, a few at a time; each piece begins behind the one before."""
    found: list[T] = []
    after = 0
    while piece := read(after, 3):
        assert len(piece) <= 3
        assert all(mark(one) > after for one in piece)
        found += piece
        after = mark(piece[-1])
    return found


def test_one_process_alone_is_no_team(catalogue: ChangeFeed) -> None:
    assert catalogue.team() is None


def test_visits_in_pieces_are_all_visits(catalogue: ChangeFeed, store: StoreView) -> None:
    numbers: list[int] = []
    marks: list[int] = []
    while (found := catalogue.visits(marks[-1] if marks else 0, 7)).marks:
        numbers += found.numbers
        marks += found.marks
    visits = list(store.reader.visits())
    assert numbers == [visit.id for visit in visits]
    assert catalogue.visits_marked(marks[5:8]) == visits[5:8]


def test_columns_of_visits_are_their_facts(catalogue: ChangeFeed, store: StoreView) -> None:
    found = catalogue.visits(0, 1_000)
    visits = list(store.reader.visits())
    names = catalogue.sites(0)
    assert [names[number] for number in found.sites] == [visit.site for visit in visits]
    assert list(found.outcomes) == [visit.outcome for visit in visits]
    assert list(found.ats) == [visit.at for visit in visits]
    assert list(found.forms) == [visit.forms for visit in visits]
    assert list(found.ends) == [visit.final_url for visit in visits]


def test_forms_in_pieces_are_all_forms(catalogue: ChangeFeed, store: StoreView) -> None:
    found = in_pieces(catalogue.forms, lambda entry: entry.mark)
    assert [entry.form for entry in found] == list(store.reader.forms())
    titles = [
        visit.title for form in store.reader.forms() if (visit := store.reader.visit(form.visit))
    ]
    assert [entry.title for entry in found] == titles
    backwards = [entry.mark for entry in found][::-1]
    assert catalogue.forms_numbered(backwards) == found[::-1]


def test_events_in_pieces_are_all_events(catalogue: ChangeFeed, store: StoreView) -> None:
    found = in_pieces(catalogue.events, lambda entry: entry.mark)
    assert [entry.event for entry in found] == list(store.reader.events())
    assert catalogue.events_numbered([found[4].mark]) == [found[4].event]


def test_states_are_told_when_they_changed(catalogue: ChangeFeed, store: StoreView) -> None:
    entries = catalogue.states(0)
    assert {entry.state for entry in entries} == set(store.reader.sites())
    latest = max(entry.mark for entry in entries)
    assert catalogue.states(latest) == []
    assert all(entry.mark == latest for entry in catalogue.states(latest - 1))


def test_sites_are_numbered_in_order(catalogue: ChangeFeed) -> None:
    names = catalogue.sites(0)
    assert catalogue.sites(2) == names[2:]
    assert catalogue.sites(len(names)) == []


def test_arrivals_are_all_candidates(catalogue: ChangeFeed, store: StoreView) -> None:
    blocks = in_pieces(catalogue.arrivals, lambda block: block.last)
    counts = store.reader.counts()
    assert sum(len(block.sites) for block in blocks) == counts.known
    assert sum(int(block.are_skipped.sum()) for block in blocks) == counts.skipped


def test_harvests_are_told_with_their_records(catalogue: ChangeFeed, store: StoreView) -> None:
    (head,) = catalogue.harvests(0, 10)
    (harvest,) = store.harvests.all()
    assert (head.signature, head.state) == (harvest.subject.signature, harvest.state)
    assert catalogue.harvest(head.id) == head
    assert catalogue.harvests(head.id, 10) == []
    numbers, keys = catalogue.record_keys(head.id, 0)
    kept = list(store.harvests.records(head.id))
    assert numbers.tolist() == [one.number for one in kept]
    assert catalogue.records_numbered(numbers[3:5].tolist()) == kept[3:5]
    later, some = catalogue.record_keys(head.id, int(numbers[9]))
    assert later.tolist() == numbers[10:].tolist()
    assert np.array_equal(some, keys[10:])


def test_result_pages_add_up_to_the_tally(catalogue: ChangeFeed, store: StoreView) -> None:
    found = in_pieces(catalogue.result_pages, lambda page: page.mark)
    tally = store.harvests.tally(found[0].harvest)
    assert sum(page.requests for page in found) == tally.requests
    assert sum(page.fresh for page in found) == tally.records
    assert sum(len(page.keys) for page in found) == tally.sightings
    _, keys = catalogue.record_keys(found[0].harvest, 0)
    shown = {to_signed(int(key)) for page in found for key in page.keys}
    assert shown == {to_signed(int(key)) for key in keys}


def test_queries_come_in_pieces(catalogue: ChangeFeed, store: StoreView) -> None:
    (head,) = catalogue.harvests(0, 10)
    found = in_pieces(
        lambda after, limit: catalogue.queries(head.id, after, limit), lambda asked: asked.number
    )
    assert found == list(store.harvests.queries(head.id))
    assert catalogue.query_count(head.id) == len(found)


def test_numbers_that_are_not_there_are_left_out(catalogue: ChangeFeed) -> None:
    assert catalogue.forms_numbered([10**9]) == []
    assert catalogue.visits_marked([]) == []
    with pytest.raises(StoreError, match="no harvest 99"):
        catalogue.harvest(99)  # type: ignore[arg-type]


def test_a_store_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store"):
        open_change_feed(tmp_path / "none.leadline")
