"""What can be reached is what patient searching reaches."""

import resource

import numpy as np
import pytest
from tests.lab.databases.sample import BOX, index, lexicon, source
from tests.lab.databases.test_matches import every

from leadline.page.words import split_words
from leadline_lab.databases import (
    Bound,
    Indexes,
    Lexicon,
    Postings,
    reachable,
    read_query,
)
from leadline_lab.databases.index import Index
from leadline_lab.databases.kinds import SEMANTICS


def test_without_a_cap_everything_is_reachable() -> None:
    assert len(reachable(index(), BOX)) == 1000
    assert len(reachable(index(empty_query="nothing", index="limited"), BOX)) == 1000


def test_a_select_reaches_no_further_than_its_cap() -> None:
    found = index(cap=20, empty_query="nothing")
    genre: Bound = {"genre": "genre"}
    assert len(reachable(found, genre)) == 80
    both: Bound = {"genre": "genre", "year": "year"}
    patient = {
        number
        for choice in ("Science Fiction", "Crime", "Poetry", "History", "")
        for year in ("", *map(str, range(1950, 2026)))
        for number in found.matches(
            read_query(found.source, both, {"genre": choice, "year": year})
        )[:20].tolist()
        if choice or year
    }
    assert set(reachable(found, both).tolist()) == patient


def test_one_end_of_a_range_reaches_less_than_two() -> None:
    found = index(cap=20, empty_query="nothing")
    upper = reachable(found, {"most": "price:max"})
    both = reachable(found, {"least": "price:min", "most": "price:max"})
    assert len(upper) < len(both)
    assert set(upper.tolist()) <= set(both.tolist())


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_every_reachable_record_is_found_by_words_of_its_own(semantics: str) -> None:
    found = index(cap=20, semantics=semantics, index="limited", indexed=("title",))
    reached = set(reachable(found, BOX).tolist())
    assert 500 < len(reached) <= 1000
    for record in every()[::25]:
        words = split_words(record.values["title"])
        asked = [*words, *(" ".join(words[:n]) for n in range(2, len(words) + 1))]
        is_met = any(
            record.number in found.matches(read_query(found.source, BOX, {"q": q}))[:20]
            for q in asked
        )
        assert is_met <= (record.number in reached)
        if semantics == "or":
            assert is_met == (record.number in reached) or record.number < 20


def test_stop_words_reach_nothing() -> None:
    only_the = Lexicon(lambda drawn: ["the"] * len(drawn), 0)
    books = source(index="limited", indexed=("title",), stop_words=("the",), empty_query="nothing")
    assert len(reachable(Index(books, only_the), BOX)) == 0


def test_indexes_are_kept_up_to_a_number_of_records() -> None:
    indexes = Indexes(max_records=2500)
    first = indexes.of(source(key=1), lexicon())
    assert indexes.of(source(key=1), lexicon()) is first
    for key in (2, 3, 4):
        indexes.of(source(key=key), lexicon())
    assert indexes.records == 2000
    assert indexes.of(source(key=1), lexicon()) is not first
    assert indexes.of(source(5000), lexicon()).source.size == 5000
    assert indexes.records == 5000


def test_a_million_records_can_be_indexed() -> None:
    before = _peak_kb()
    found = index(1_000_000)
    matches = found.matches(read_query(found.source, BOX, {"q": "ne the"}))
    assert 100_000 < len(matches) < 1_000_000
    assert bool((np.diff(matches) > 0).all())
    assert Postings(found)["ne"] > len(matches)
    # What other tests of the process needed before is not asked about.
    assert _peak_kb() - before < 1_400_000


def _peak_kb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
