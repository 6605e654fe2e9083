"""Things to be looked at: any order, any filter, and where each value comes from."""

import csv
import sqlite3
from contextlib import closing
from io import BytesIO, StringIO
from pathlib import Path

import pytest

from leadline.errors import ConfigError
from leadline.records.dataset import build_dataset
from leadline.records.export import write_dataset
from leadline.records.things_file import (
    ThingFilter,
    ThingQuery,
    ThingsFile,
    make_things_file,
    read_filters,
    write_things_file,
)
from tests.records.made_harvests import make_store

WORDS = ("Amber", "Cobalt", "Ochre", "Umber", "Sienna", "Indigo")
ENDS = ("Tower", "River", "Gate", "Moon", "Fox")
TITLES = [f"{a} {b}" for a in WORDS for b in ENDS]
SOURCES = {
    "shop": [
        {
            "title": title,
            "Author": f"Jane {title.split()[0]}son",
            "Price": f"$ {10 + at}.50",
            "Published": f"{1960 + at}",
        }
        for at, title in enumerate(TITLES)
    ],
    "library": [
        {
            "title": title.upper(),
            "Author": f"{title.split()[0]}son, Jane",
            "Published": f"{1960 + at}" if at else "1999",
        }
        for at, title in enumerate(TITLES)
    ]
    + [{"title": "100% Émile_<b>", "Published": "1901"}],
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> ThingsFile:
    folder = tmp_path_factory.mktemp("things")
    with closing(make_store(SOURCES)) as store:
        write_things_file(build_dataset(store, "book"), folder)
    return ThingsFile(folder)


def find(file: ThingsFile, q: str = "", sort: str = "", **more: str) -> list[str]:
    filters = read_filters({name.replace("__", "."): text for name, text in more.items()})
    found = file.find(ThingQuery(q, sort, filters, limit=200))
    assert found.total == len(found.items)
    return [thing["name"] for thing in found.items]


def test_pages_follow_each_other_without_gaps(file: ThingsFile) -> None:
    pages = [file.find(ThingQuery(sort="name", offset=at, limit=7)) for at in range(0, 35, 7)]
    titles = [thing["name"] for page in pages for thing in page.items]
    assert len(titles) == len(set(titles)) == file.count == len(TITLES) + 1
    assert titles == sorted(titles, key=str.lower)
    assert {page.total for page in pages} == {file.count}


def test_the_largest_come_first_and_what_has_no_value_last(file: ThingsFile) -> None:
    prices = [t["price"] for t in file.find(ThingQuery(sort="-price", limit=200)).items]
    assert prices[:2] == [39.5, 38.5]
    assert prices[-1] is None
    assert file.find(ThingQuery(sort="price")).items[0]["price"] == 10.5


def test_filters_and_words_are_all_kept_to(file: ThingsFile) -> None:
    price, year = "price", "publication_date"
    assert len(find(file, **{f"{price}__from": "15", f"{price}__to": "20"})) == 5
    assert len(find(file, **{f"{year}__from": "1970", f"{year}__to": "1974"})) == 5
    assert find(file, **{f"{year}__to": "1901"}) == ["100% Émile_<b>"]
    assert len(find(file, name__has="moON")) == len(WORDS)
    assert find(file, "amb", name__has="moon") == ["Amber Moon"]
    assert len(find(file, "riv amber")) == 1
    assert len(find(file, sources__from="2")) == len(TITLES)
    assert find(file, conflicts__is="yes") == [TITLES[0]]


def test_signs_of_the_query_language_are_letters(file: ThingsFile) -> None:
    assert find(file, name__has="100% ") == ["100% Émile_<b>"]
    assert find(file, name__has="%") == ["100% Émile_<b>"]
    assert find(file, name__has="ÉMILE_") == ["100% Émile_<b>"]
    assert find(file, 'amber" OR title:* NEAR(') == []
    assert len(find(file, '"amber"')) == len(ENDS)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("colour.has", "red", "there is no column 'colour'"),
        ("price.from", "nan", "is no number"),
        ("price.has2", "x", "one of has, from, to, is"),
        ("name.from", "x", "cannot be filtered by from"),
        ("publication_date.from", "june", "is no date"),
        ("conflicts.is", "maybe", "yes or no"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    file: ThingsFile, name: str, text: str, words: str
) -> None:
    with pytest.raises(ConfigError, match=words):
        file.find(ThingQuery(filters=read_filters({name: text})))


def test_a_thing_tells_what_each_source_says(file: ThingsFile) -> None:
    (thing,) = file.find(ThingQuery(filters=(ThingFilter("conflicts", "is", "yes"),))).items
    found = file.describe(thing["id"])
    assert found is not None
    years = next(field for field in found.fields if field.column == "publication_date")
    assert years.is_conflict
    assert [value.raw for value in years.values] == ["1960", "1999"]
    assert [value.is_shown for value in years.values] == [True, False]
    assert {value.site for value in years.values} == {"shop.example", "library.example"}
    assert len(found.origins) == thing["sources"] == 2
    assert file.describe(10**9) is None


@pytest.mark.parametrize("format_name", ["csv", "jsonl", "parquet"])
def test_a_download_is_what_an_export_is(file: ThingsFile, format_name: str) -> None:
    mine, theirs = BytesIO(), BytesIO()
    file.write(format_name, mine)
    with closing(make_store(SOURCES)) as store:
        write_dataset(build_dataset(store, "book"), "things", format_name, theirs)
    assert mine.getvalue() == theirs.getvalue()


def test_a_workbook_and_an_sqlite_file_hold_all_tables(file: ThingsFile, tmp_path: Path) -> None:
    with (tmp_path / "a.xlsx").open("wb") as out:
        assert file.write("xlsx", out) == file.count
    with (tmp_path / "a.sqlite").open("wb") as out:
        assert file.write("sqlite", out) == file.count
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as opened:
        (origins,) = opened.execute("SELECT count(*) FROM origins").fetchone()
    assert origins == sum(map(len, SOURCES.values()))


def test_nothing_harvested_is_an_empty_table(tmp_path: Path) -> None:
    with closing(make_store({})) as store:
        make_things_file(store, tmp_path)
    empty = ThingsFile(tmp_path)
    assert empty.find(ThingQuery(q="a")).total == 0
    out = BytesIO()
    empty.write("csv", out)
    assert list(csv.reader(StringIO(out.getvalue().decode()))) == []
