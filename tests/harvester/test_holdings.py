"""What was acquired, counted."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.harvest import Record
from leadline.harvester.holdings import NO_TERM, Holdings, RecordSample
from leadline.harvester.terms import (
    CAPITAL,
    DIGITS,
    PLACES,
    VALUE,
    TermTable,
    amount_of,
    ridf,
    words_of,
)
from tests.harvester.records import record

texts = st.text(alphabet=st.characters(codec="utf-8"), max_size=60)


def held(*records: Record, **limits: int) -> Holdings:
    holdings = Holdings(**limits)
    holdings.add_all(records)
    return holdings


def df_of(terms: TermTable, word: str) -> int:
    return int(terms.df[terms.numbers[word]])


def test_a_record_counts_once() -> None:
    holdings = Holdings()
    assert holdings.add(record("1", about="sea sea wolf"))
    assert not holdings.add(record("1", about="sea sea wolf"))
    assert len(holdings) == 1
    assert holdings.has("1")
    assert not holdings.has("2")
    assert df_of(holdings.terms, "sea") == 1
    assert holdings.terms.tf[holdings.terms.numbers["sea"]] == 2


def test_records_are_counted_by_the_place_of_a_term() -> None:
    holdings = held(record("1", title="", name="Sea", about="sea"), record("2", about="the sea"))
    row = holdings.terms.numbers["sea"]
    places = {
        name: int(holdings.terms.df_by_place[row, n]) for n, name in enumerate(holdings.places)
    }
    assert places == {"name": 1, "about": 2}
    assert holdings.places[holdings.terms.first_place[row]] == "name"
    assert df_of(holdings.terms, "sea") == 2


def test_a_title_that_no_cell_holds_is_a_place_of_its_own() -> None:
    assert held(record("1", "Moby", by="Melville")).places == ["title", "by"]
    assert held(record("1", "Moby", name="Moby")).places == ["name"]


def test_a_term_is_kept_as_it_is_written_first_and_found_in_any_case() -> None:
    terms = held(record("1", a="Istanbul 1453"), record("2", a="ISTANBUL")).terms
    assert terms.written[terms.numbers["istanbul"]] == "Istanbul"
    assert df_of(terms, "istanbul") == 2
    assert terms.shape[terms.numbers["istanbul"]] == CAPITAL
    assert terms.shape[terms.numbers["1453"]] == DIGITS


def test_values_that_come_again_are_terms_and_titles_are_not() -> None:
    records = [
        record(str(n), name=f"Title number {n}", genre=("Crime novel", "True stories")[n % 2])
        for n in range(200)
    ]
    terms = held(*records).terms
    assert df_of(terms, "crime novel") == 100
    assert terms.shape[terms.numbers["crime novel"]] == CAPITAL | VALUE
    assert "title number 190" not in terms.numbers


def test_the_rarest_terms_are_dropped_and_the_sample_follows() -> None:
    records = [record(str(n), a=f"common word{n}") for n in range(150)]
    holdings = held(*records, max_terms=100)
    assert len(holdings.terms) <= 101
    assert holdings.terms.epoch >= 1
    assert df_of(holdings.terms, "common") == 150
    row = holdings.terms.numbers["common"]
    assert (holdings.sample.rows == row).any(axis=1).all()
    assert holdings.sample.rows.max() < len(holdings.terms)


def test_case_alone_cannot_fill_the_memory() -> None:
    spellings = ["".join(c.upper() if n >> i & 1 else c for i, c in enumerate("abcdefghij"))
                 for n in range(1000)]  # fmt: skip
    holdings = held(*(record(s, a=s) for s in spellings), max_terms=50)
    assert len(holdings.terms.numbers) <= 201
    assert df_of(holdings.terms, "abcdefghij") == 1000


def test_the_sample_holds_all_records_while_it_has_room_and_an_even_part_afterwards() -> None:
    sample = RecordSample(100)
    for number in range(1, 1001):
        sample.take(hash((number, "key")) & (1 << 62) - 1, [number * PLACES])
    assert len(sample) == 100
    assert sample.numbers.min() < 300
    assert sample.numbers.max() > 700
    assert (sample.codes[:, 0] // PLACES == sample.numbers).all()
    assert (sample.codes[:, 1] == NO_TERM).all()


def test_residual_idf_of_a_term_that_stands_together() -> None:
    found = ridf(np.array([50], np.int32), np.array([20], np.int32), 1000)
    assert found[0] == pytest.approx(0.8914, abs=5e-5)


@pytest.mark.parametrize(
    ("text", "number", "typed"),
    [
        ("1999", 1999, "1999"),
        ("$12.50", 12.5, "12.50"),
        ("1.250,00 €", 1250, "1250.00"),
        ("1,250", 1250, "1250"),
        ("350 km", 350, "350"),
    ],
)
def test_amounts_are_read_as_they_are_typed(text: str, number: float, typed: str) -> None:
    assert amount_of(text) == (number, typed)


@pytest.mark.parametrize("text", ["", "Moby", "3 men in a boat", "10-12", "9" * 30])
def test_other_texts_are_no_amounts(text: str) -> None:
    assert amount_of(text) is None


def test_days_are_amounts_in_their_order() -> None:
    days = [amount_of(text) for text in ("2019-12-31", "2020-01-01", "2020-02-01")]
    assert sorted(days, key=lambda day: day or (0.0, "")) == days
    assert amount_of("2020-02-01") is not None


def test_amounts_are_kept_by_place() -> None:
    holdings = held(*(record(str(n), price=f"${n}.00", name="x") for n in range(5000)))
    price, name = holdings.places.index("price"), holdings.places.index("name")
    assert len(holdings.amounts(price)) == 2048
    assert 2000 < sorted(holdings.amounts(price))[1024].number < 3000
    assert holdings.amount_share(price) == 1
    assert holdings.amount_share(name) == 0


def test_words_of_scripts_without_blanks_are_read_in_pairs() -> None:
    assert words_of("古典文学 2020") == ["古典", "典文", "文学", "2020"]
    assert words_of("हिन्दी साहित्य") == ["हिन्दी", "साहित्य"]


@given(st.lists(st.tuples(texts, texts), max_size=8))
def test_any_text_is_counted(rows: list[tuple[str, str]]) -> None:
    holdings = held(*(record(str(n), title, about=text) for n, (title, text) in enumerate(rows)))
    terms = holdings.terms
    assert (terms.df <= terms.tf).all()
    assert (terms.df <= len(holdings)).all()
    assert (terms.df_by_place.max(axis=1, initial=0) <= terms.df).all()
    assert (terms.df >= 1).all()


@given(st.lists(texts, max_size=6))
def test_the_same_records_make_the_same_holdings(rows: list[str]) -> None:
    first, second = (held(*(record(r, a=r) for r in rows), max_terms=9) for _ in range(2))
    assert first.terms.written == second.terms.written
    assert (first.terms.df == second.terms.df).all()


def test_memory_is_bounded() -> None:
    holdings = Holdings(max_terms=2_000, max_sample=500)
    for n in range(3_000):
        holdings.add(record(str(n), a=f"w{n} w{n * 7} v{n * 3} u{n}"))
    tracemalloc.start()
    for n in range(3_000, 9_000):
        holdings.add(record(str(n), a=f"w{n} w{n * 7} v{n * 3} u{n}"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4_000_000
