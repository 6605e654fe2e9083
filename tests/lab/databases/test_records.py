"""Records are functions of their source and number, and their names tell nothing."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.lab.databases.sample import BOOKS, index, lexicon, source, words

from leadline.page.words import split_words
from leadline_lab.databases import (
    Lexicon,
    Postings,
    key_of_record,
    number_of_key,
    record,
    records,
    type_of,
    values_of,
)
from leadline_lab.databases.chance import below, draws, zipf
from leadline_lab.databases.lexicon import rare_word
from leadline_lab.databases.names import names, places
from leadline_lab.databases.values import island_of
from leadline_lab.draw import numbers

SEVENTH = {
    "title": "Dalmus Dalmus Ka Ren Karenbator Lidalka",
    "about": "Tor nevubusk vitortorne rentorsone kali ren ne soka musmus nekali musbaso "
    "sobarenne ka kanene torsorenne the the musne mokanix.",
    "author": "Mairini, Dinna",
    "city": "Kelmouth",
    "genre": "Crime",
    "year": "2014",
    "price": "$28.95",
    "added": "2018-07-31",
    "pages": "3",
    "isbn": "9780000060140",
}


def test_a_record_is_the_same_alone_and_among_others() -> None:
    books = source()
    together = records(books, lexicon(), tuple(range(40)))
    assert together == [record(books, lexicon(), number) for number in range(40)]
    assert all(tuple(found.values) == tuple(a.name for a in BOOKS.attributes) for found in together)
    assert all(all(found.values.values()) for found in together)


def test_a_record_is_the_same_everywhere() -> None:
    found = record(source(), lexicon(), 7)
    assert found.values == SEVENTH


def test_sources_differ_by_their_keys() -> None:
    ours = records(source(), lexicon(), tuple(range(100)))
    theirs = records(source(key=6), lexicon(), tuple(range(100)))
    assert not {r.values["about"] for r in ours} & {r.values["about"] for r in theirs}


def test_names_of_records_lead_back_to_them() -> None:
    books = source()
    keys = [key_of_record(books, number) for number in range(books.size)]
    assert len(set(keys)) == books.size
    assert [number_of_key(books, key) for key in keys] == list(range(books.size))


@given(st.text(max_size=20))
def test_names_of_no_record_lead_nowhere(key: str) -> None:
    number = number_of_key(source(), key)
    assert number is None or 0 <= number < 1000


def test_names_of_records_do_not_follow_their_numbers() -> None:
    books = source()
    keys = np.array([int(key_of_record(books, number)) for number in range(books.size)])
    assert abs(np.corrcoef(keys, np.arange(books.size))[0, 1]) < 0.1


def test_few_values_are_common_and_many_are_rare() -> None:
    found = index(5000)
    people = sorted(values_of(found, "author").values(), reverse=True)
    assert people[0] > 50 * people[len(people) // 2]
    held = Postings(found, "about")
    counts = sorted((held[word] for word in held), reverse=True)
    assert counts[0] > 1000
    assert sum(1 for count in counts if 0 < count < 50) > 1000


def test_no_two_codes_are_alike() -> None:
    assert len(values_of(index(), "isbn")) == 1000


def test_islands_share_few_words() -> None:
    books = source(2000, islands=4, bridge_per_mille=10)
    islands = island_of(books, np.arange(2000, dtype=np.int64))
    spoken: list[set[str]] = [set() for _ in range(4)]
    for found in records(books, lexicon(), tuple(range(2000))):
        spoken[islands[found.number]].update(split_words(found.values["about"]))
    for one, two in combinations(spoken, 2):
        assert len(one & two) * 5 < len(one | two)
    flat = records(source(2000), lexicon(), tuple(range(2000)))
    halves = [set(split_words(" ".join(r.values["about"] for r in flat[n::2]))) for n in (0, 1)]
    assert len(halves[0] & halves[1]) * 3 > len(halves[0] | halves[1])


def test_a_source_mixes_types_only_when_it_should() -> None:
    assert {type_of(source(), number) for number in range(200)} == {0}
    mixed = [type_of(source(mixes_types=True), number) for number in range(200)]
    assert set(mixed) == {0, 1, 2}
    assert mixed.count(0) > mixed.count(1) > mixed.count(2)


def test_a_lexicon_keeps_to_single_words() -> None:
    odd = Lexicon(lambda drawn: ["L'Été", "--", "Straße"] * (len(drawn) // 3), 0)
    assert set(odd.words) == {"", "l", "untitled", "straße"}
    found = record(source(), odd, 0)
    assert set(split_words(found.title)) <= {"l", "untitled", "straße"}


def test_rare_words_are_all_different() -> None:
    assert len({rare_word(number) for number in range(40_000)}) == 40_000


def test_a_share_of_the_words_is_rare() -> None:
    bare, rich = Lexicon(words, 0), Lexicon(words)
    assert len(bare.words) < 3002 < 8000 < len(rich.words)


def test_names_are_all_different() -> None:
    assert len(set(names("family", 3000))) == 3000
    assert len(set(places())) == len(places()) > 500


def test_draws_of_a_record_are_its_place_in_a_row() -> None:
    row = draws(9, np.arange(50, dtype=np.int64), 16).ravel()
    assert row.tolist() == numbers(9, 800).tolist()


@given(st.integers(1, 70_000), st.integers(0, 2**64 - 1))
def test_draws_stay_below(n: int, key: int) -> None:
    drawn = numbers(key, 100)
    for taken in (below(drawn, n), zipf(drawn, n)):
        assert int(taken.min()) >= 0
        assert int(taken.max()) < n
