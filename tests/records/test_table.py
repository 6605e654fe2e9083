"""Records of several sources become one typed table."""

from pathlib import Path

import pytest

from leadline.errors import ConfigError
from leadline.records.corrections import read_corrections
from leadline.records.table import build_table
from tests.records.made_harvests import make_store

ENGLISH = [
    {
        "title": f"Sea {n}",
        "Author": "Anna Smith",
        "Price": f"${n}.50",
        "Published": f"May {n}, 2010",
    }
    for n in range(1, 12)
]
GERMAN = [
    {
        "title": f"Meer {n}",
        "Autor": "Karl Maier",
        "Preis": f"{n},50 €",
        "Verlag": f"Haus {n} Verlag",
    }
    for n in range(1, 12)
]


def test_columns_of_two_languages_are_one_field() -> None:
    table = build_table(make_store({"one": ENGLISH, "two": GERMAN}), "book")
    rows = list(table.rows())
    assert len(rows) == 22
    prices = [row.first("price") for row in (rows[0], rows[11])]
    assert [(price.value, price.unit) for price in prices if price] == [(1.5, "USD"), (1.5, "EUR")]
    authors = [row.first("author") for row in (rows[0], rows[11])]
    assert [author.raw for author in authors if author] == ["Anna Smith", "Karl Maier"]
    assert [row.values["name"][0].raw for row in (rows[0], rows[11])] == ["Sea 1", "Meer 1"]


def test_a_match_says_why_and_how_sure_it_is() -> None:
    table = build_table(make_store({"one": ENGLISH}), "book")
    (published,) = [column for column in table.columns if column.name == "publication_date"]
    assert published.place == "Published"
    assert published.probability > 0.9
    assert "Published" in published.why


def test_a_row_says_where_it_comes_from() -> None:
    table = build_table(make_store({"one": ENGLISH}), "book")
    row = next(iter(table.rows()))
    assert (row.source, row.url, row.at) == ("one", "http://one.example/0", 102.0)


def test_what_fits_no_field_is_kept() -> None:
    rows = [{"title": "A", "div.zz/span.qq": f"thing {n}"} for n in range(5)]
    table = build_table(
        make_store({"one": [{**row, "title": f"A {n}"} for n, row in enumerate(rows)]}), "book"
    )
    row = next(iter(table.rows()))
    assert row.rest["div.zz/span.qq"][0].raw == "thing 0"


def test_a_topic_without_a_schema_gets_one_from_its_sources() -> None:
    rows = [
        {
            "title": f"Vase {n}",
            "Material": "clay",
            "Accession number": f"A{n}.12",
            "Kiln": f"north {n}",
        }
        for n in range(6)
    ]
    table = build_table(make_store({"one": rows}), "shelves of minerals")
    assert {"name", "material", "identifier", "kiln"} <= {field.name for field in table.fields}
    assert table.schema.is_induced


def test_what_a_person_decided_is_obeyed(tmp_path: Path) -> None:
    file = tmp_path / "columns.toml"
    file.write_text(
        '[pin]\n"one.example/Published" = "valid_through"\n[rename]\nauthor = "writer"\n'
        '[drop]\ncolumns = ["two/Verlag"]\n'
    )
    store = make_store({"one": ENGLISH, "two": GERMAN})
    table = build_table(store, "book", corrections=read_corrections(file))
    named = {(column.source, column.place): column for column in table.columns}
    assert named["one", "Published"].name == "valid_through"
    assert named["one", "Published"].probability == 1.0
    assert {named["one", "Author"].name, named["two", "Autor"].name} == {"writer"}
    assert named["two", "Verlag"].name == ""
    assert {"writer", "valid_through"} <= {field.name for field in table.fields}


def test_corrections_that_mean_nothing_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "columns.toml"
    file.write_text("[pins]\n")
    with pytest.raises(ConfigError, match="there are: pin, rename, merge, drop"):
        read_corrections(file)


def test_keys_of_data_are_labels_and_titles_with_years_are_names() -> None:
    films = [
        {"title": f"{name} ({1940 + n})", "actors": f"{name} Roe, Jane Doe", "id": str(n)}
        for n, name in enumerate(("Amber", "Cobalt", "Ochre", "Umber", "Sienna", "Indigo"))
    ]
    row = next(iter(build_table(make_store({"one": films}), "movie").rows()))
    assert [value.raw for value in row.values["name"]] == ["Amber (1940)"]
    assert [value.text for value in row.values["year"]] == ["1940"]
    assert [value.text for value in row.values["actor"]] == ["Amber Roe", "Jane Doe"]
    assert {value.raw for value in row.values["actor"]} == {"Amber Roe, Jane Doe"}


CASES = [
    {"title": f"{name} v. State", "January 2025": f"Jan. {n + 3}, 2025", "No.": f"10{n},339-7"}
    for n, name in enumerate(("Roe", "Doe", "Poe", "Low", "Kay", "Moe"))
]


def test_records_that_plainly_are_cases_have_the_schema_of_cases() -> None:
    row = next(iter(build_table(make_store({"one": CASES}), "things of all kinds").rows()))
    shown = [row.values[name][0].text for name in ("case_name", "decision_date", "docket_number")]
    assert shown == ["Roe v. State", "2025-01-03", "100,339-7"]


def test_a_table_without_a_head_goes_on_with_the_one_above() -> None:
    head = [
        {"Filed": f"2015-03-{n + 1:02}", "Judge": f"{name}", "Parties": f"{name} v. Roe"}
        for n, name in enumerate(("Amber", "Cobalt", "Ochre", "Umber", "Sienna", "Indigo"))
    ]
    below = [
        {"tr/td0": f"2014-04-{n + 1:02}", "tr/td1": f"{name}", "tr/td2": f"{name} v. Doe"}
        for n, name in enumerate(("Olive", "Plum", "Coral", "Hazel", "Pearl", "Slate"))
    ]
    rows = list(build_table(make_store({"one": [*head, *below]}), "court records").rows())
    assert rows[-1].values["decision_date"][0].text == "2014-04-06"
    assert rows[-1].values["judge"][0].text == "Slate"


def test_what_has_a_name_of_its_own_is_no_property_that_only_looks_like_it() -> None:
    rows = [{"title": f"Vase {n}", "Entropy": f"1.5311{n}907{n}5{n}2"} for n in range(8)]
    table = build_table(make_store({"one": rows}), "shelves of minerals")
    assert "entropy" in {field.name for field in table.fields}
    assert "phone" not in {field.name for field in table.fields}
