"""The things of a topic, each once, and the files they are written to."""

import csv
import json
import sqlite3
import zipfile
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest

from leadline.core.store import Store
from leadline.records.dataset import build_dataset, describe_package
from leadline.records.export import write_dataset
from tests.records.made_harvests import make_store

TITLES = [f"{a} {b}" for a in ("Amber", "Cobalt", "Ochre", "Umber", "Sienna", "Indigo")
          for b in ("Tower", "River", "Gate", "Moon", "Fox")]  # fmt: skip


@pytest.fixture
def books() -> Store:
    """The same books in two shops that write them differently, and one that only one has."""
    shop = [
        {
            "title": title,
            "Author": f"Jane {title.split()[0]}son",
            "Price": f"$ {10 + at}.50",
            "Published": f"{1960 + at}",
        }
        for at, title in enumerate(TITLES)
    ]
    library = [
        {
            "title": title.upper(),
            "Author": f"{title.split()[0]}son, Jane",
            "Published": f"{1960 + at}" if at else "1999",
            "Shelf": f"A {at}",
        }
        for at, title in enumerate(TITLES)
    ]
    library.append({"title": "The Only Copy", "Author": "Doe, Ann", "Published": "1901"})
    return make_store({"shop": shop, "library": library})


def test_a_thing_of_two_sources_is_one_row_with_two_origins(books: Store) -> None:
    dataset = build_dataset(books, "book")
    things = list(dataset.things())
    assert len(things) == dataset.count == len(TITLES) + 1
    assert [thing.sources for thing in things[:-1]] == [2] * len(TITLES)
    origins = list(dataset.origins())
    assert len(origins) == 2 * len(TITLES) + 1
    assert {origin.site for origin in origins if origin.thing == 1} == {
        "shop.example",
        "library.example",
    }


def test_columns_are_typed_and_counted(books: Store) -> None:
    columns = {column.name: column for column in build_dataset(books, "book").columns}
    assert columns["price"].type == "number"
    assert columns["price"].unit == "USD"
    assert 0.4 < columns["price"].filled < 0.6
    assert columns["author"].filled == 1.0


def test_what_sources_contradict_each_other_in_is_named(books: Store) -> None:
    things = list(build_dataset(books, "book").things())
    assert len(things[0].conflicts) == 1
    assert not any(thing.conflicts for thing in things[1:])


def test_no_value_is_lost(books: Store) -> None:
    values = list(build_dataset(books, "book").values())
    assert "A 7" in {value.raw for value in values}
    shown = [v for v in values if v.thing == 1 and v.is_shown and v.kind == "money"]
    assert [(v.raw, v.value, v.unit, v.site) for v in shown] == [
        ("$ 10.50", "10.5", "USD", "shop.example")
    ]


def test_a_sqlite_file_holds_all_tables_and_is_searched(books: Store, tmp_path: Path) -> None:
    out = tmp_path / "books.sqlite"
    with out.open("wb") as stream:
        assert write_dataset(build_dataset(books, "book"), "things", "sqlite", stream) == 31
    with closing(sqlite3.connect(out)) as made:
        counts = [made.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
                  for name in ("things", "origins")]  # fmt: skip
        assert counts == [31, 61]
        (price,) = made.execute("SELECT price FROM things WHERE id = 1").fetchone()
        assert price == 10.5
        found = made.execute(
            "SELECT count(*) FROM things_fts WHERE things_fts MATCH 'cobalt'"
        ).fetchone()
        assert found == (5,)


def test_a_workbook_has_a_sheet_for_each_table_and_runs_nothing() -> None:
    store = make_store({"evil": [{"title": "=HYPERLINK(1)", "Author": "@SUM(1)"}]})
    out = BytesIO()
    assert write_dataset(build_dataset(store, "book"), "things", "xlsx", out) == 1
    with zipfile.ZipFile(out) as book:
        assert sum(name.startswith("xl/worksheets/sheet") for name in book.namelist()) == 4
        assert not any(b"<f>" in book.read(name) for name in book.namelist())


def test_csv_keeps_numbers_and_lines_up_with_its_header(books: Store) -> None:
    out = BytesIO()
    write_dataset(build_dataset(books, "book"), "things", "csv", out)
    rows = list(csv.DictReader(out.getvalue().decode().splitlines()))
    assert rows[0]["price"] == "10.5"
    assert rows[-1]["price"] == ""


def test_the_package_describes_every_column(books: Store) -> None:
    dataset = build_dataset(books, "book")
    out = BytesIO()
    write_dataset(dataset, "things", "jsonl", out)
    first = json.loads(out.getvalue().splitlines()[0])
    fields = describe_package(dataset)["resources"][0]["schema"]["fields"]
    assert [field["name"] for field in fields] == list(first)


def test_an_empty_store_gives_empty_tables() -> None:
    dataset = build_dataset(make_store({}), "book")
    assert [list(table.rows) for table in dataset.tables()] == [[], [], [], []]
    out = BytesIO()
    assert write_dataset(dataset, "things", "sqlite", out) == 0


def test_ratings_stand_on_the_scale_of_most() -> None:
    """`4.5 of 5` is 4.5, and 9 of 10 in another source the same; the texts stay."""
    shop = [
        {"title": title, "Rating": f"{1 + at % 5} of 5 stars"} for at, title in enumerate(TITLES)
    ]
    club = [{"title": f"{title} Inn", "Rating": f"{at % 10}/10"} for at, title in enumerate(TITLES)]
    dataset = build_dataset(make_store({"shop": shop, "club": club[:9]}), "hotel")
    (rating,) = [column for column in dataset.columns if column.kind == "rating"]
    assert rating.unit == "of 5"
    shown = {thing.name: getattr(thing, rating.name) for thing in dataset.things()}
    assert shown["Amber Fox"] == 5.0
    assert shown["Cobalt Moon Inn"] == 4.0
    raw = {value.raw for value in dataset.values() if value.column == rating.name}
    assert {"5 of 5 stars", "8/10"} <= raw
