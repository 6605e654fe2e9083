"""Each way of searching finds what looking through all records finds."""

from collections.abc import Callable
from functools import cache, lru_cache

import pytest
from tests.lab.databases.sample import BOX, index, lexicon, source

from leadline.page.words import split_words
from leadline_lab.databases import Bound, Index, Postings, Record, indexed, read_query, records
from leadline_lab.databases.kinds import INDEXES, SEMANTICS

FORM: Bound = {
    "q": "*",
    "title": "title",
    "author": "author",
    "genre": "genre",
    "year": "year",
    "isbn": "isbn",
    "price_min": "price:min",
    "price_max": "price:max",
    "added_from": "added:min",
    "added_to": "added:max",
    "none": "no such thing",
}
SIZE = 1000


@lru_cache(maxsize=4)
def every(islands: int = 0) -> list[Record]:
    return records(source(SIZE, islands=islands), lexicon(), tuple(range(SIZE)))


def found_by(found: Index, **parameters: str) -> list[int]:
    numbers: list[int] = found.matches(read_query(found.source, FORM, parameters)).tolist()
    return numbers


def looked_for(fits: Callable[[Record], bool]) -> list[int]:
    return [record.number for record in every() if fits(record)]


@cache
def spoken_in(text: str) -> str:
    return f" {' '.join(split_words(text))} "


def holds(semantics: str, terms: list[str], texts: list[str]) -> bool:
    spoken = [spoken_in(text) for text in texts]
    if semantics == "and":
        return all(any(f" {term} " in text for text in spoken) for term in terms)
    if semantics == "or":
        return any(f" {term} " in text for term in terms for text in spoken)
    if semantics == "phrase":
        return any(f" {' '.join(terms)} " in text for text in spoken)
    return any(" ".join(terms) in text for text in spoken)


def queries() -> list[str]:
    """Single words, neighbours, words cut short, values of every attribute."""
    asked = ["the", "ne", "nonsense", "ne the", "or l", "t", "2004", "12", "978000", "ba ne tor"]
    for found in every()[:5]:
        words = split_words(found.values["about"])
        asked += [words[0], " ".join(words[3:5]), " ".join(words[2:6]), f"{words[1]} {words[6]}"]
        asked += [words[1][1:] + " " + words[2][:-1], found.values["isbn"], found.values["added"]]
        asked += list(found.values.values())
    return [query for query in asked if len(query) <= 200]


@pytest.mark.parametrize("kind", INDEXES)
@pytest.mark.parametrize("semantics", SEMANTICS)
def test_the_keyword_box_finds_what_it_means(semantics: str, kind: str) -> None:
    found = index(SIZE, semantics=semantics, index=kind)
    searched = indexed(found.source)
    assert (kind == "full") == (len(searched) == 10)
    hits = 0
    for query in queries():
        terms = split_words(query)[:20]
        matches = found_by(found, q=query)
        hits += bool(matches)
        assert matches == [
            r.number
            for r in every()
            if holds(semantics, terms, [r.values[name] for name in searched])
        ], query
    assert hits > 8


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_islands_are_searched_like_flat_sources(semantics: str) -> None:
    found = index(SIZE, semantics=semantics, islands=5)
    for record in every(5)[:10]:
        terms = split_words(record.values["about"])[1:3]
        assert found_by(found, q=" ".join(terms)) == [
            r.number for r in every(5) if holds(semantics, terms, list(r.values.values()))
        ]


def test_conditions_must_all_hold() -> None:
    found = index(SIZE)
    matches = found_by(found, q="ne", genre="science-fiction", price_min="100", price_max="600")
    assert matches
    assert matches == looked_for(
        lambda r: (
            holds("and", ["ne"], list(r.values.values()))
            and r.values["genre"] == "Science Fiction"
            and 100 <= _coins(r) < 601
        )
    )


def test_single_attributes_are_searched_even_if_the_box_does_not_know_them() -> None:
    found = index(SIZE, index="limited", indexed=("title",))
    name = every()[3].values["author"].split("; ")[0]
    assert found_by(found, author=name) == looked_for(
        lambda r: holds("and", split_words(name), [r.values["author"]])
    )
    assert found_by(found, isbn=every()[5].values["isbn"]) == [5]
    assert found_by(found, q=every()[5].values["isbn"]) == []


def test_years_and_days_are_found_by_value_and_by_range() -> None:
    found = index(SIZE)
    assert found_by(found, year="2010") == looked_for(lambda r: r.values["year"] == "2010")
    assert found_by(found, year="2001-2004") == looked_for(
        lambda r: 2001 <= int(r.values["year"]) <= 2004
    )
    assert found_by(found, added_from="2019-02-03", added_to="2020-05-06") == looked_for(
        lambda r: "2019-02-03" <= r.values["added"] <= "2020-05-06"
    )
    assert found_by(found, year="soon") == found_by(found, added_to="tomorrow") == []


def test_what_does_not_matter_is_no_condition() -> None:
    found = index(SIZE)
    assert len(found_by(found, genre="any", year="", none="x", title="  ", q="?!")) == SIZE
    assert len(found_by(found, q="x" * 201)) == SIZE
    assert found_by(found, genre="Cookery") == []


def test_stop_words_are_not_looked_for() -> None:
    found = index(SIZE, stop_words=("the", "ne"))
    kept = index(SIZE)
    assert found_by(found, q="the so") == found_by(kept, q="so") != found_by(kept, q="the so")
    assert found_by(found, q="the ne") == []


def test_words_after_the_twentieth_are_not_looked_for() -> None:
    text = " ".join(["ne"] * 20)
    assert found_by(index(SIZE), q=f"{text} xyz") == found_by(index(SIZE), q="ne")


def test_postings_count_the_records_of_a_word() -> None:
    found = index(SIZE)
    held = Postings(found)
    spoken = [set(split_words(" ".join(r.values.values()))) for r in every()]
    for word in ("the", "ne", "crime", "2010", every()[0].values["isbn"], "nothing"):
        assert held[word] == sum(word in words for words in spoken)
    assert set().union(*spoken) <= set(held)
    assert len(held) == len(list(held))


def test_the_box_is_the_whole_form_of_a_simple_source() -> None:
    assert read_query(source(), BOX, {"q": "Ne THE", "title": "so"}).words == (
        ("*", ("ne", "the")),
    )


def _coins(found: Record) -> float:
    return float(found.values["price"].lstrip("$€£"))
