"""What `leadline.open_store` shows."""

import sys
from pathlib import Path

import pandas
import pytest

import leadline
from leadline.errors import ConfigError
from leadline.views.forms import FormRow
from tests.api.bookshop import HARM

TABLES = ("forms", "records", "queries", "harvests", "visits", "sites", "events")
each_table = pytest.mark.parametrize("name", TABLES)


def table_of(opened: leadline.Results, name: str) -> "leadline.Table[FormRow]":
    table: leadline.Table[FormRow] = getattr(opened, name)()
    return table


@each_table
def test_a_table_counts_what_it_gives(opened: leadline.Results, name: str) -> None:
    table = table_of(opened, name)
    rows = list(table)
    assert len(table) == len(rows) > 0
    assert [table[0], table[-1]] == [rows[0], rows[-1]]
    assert table[1:3] == rows[1:3]
    assert table.head(2) == rows[:2]
    assert f"{name}: {len(rows)} rows of" in repr(table)


@each_table
def test_a_table_becomes_dicts_and_a_data_frame(opened: leadline.Results, name: str) -> None:
    table = table_of(opened, name)
    frame = table.to_pandas()
    assert len(frame) == len(table.to_dicts()) == len(table)
    assert set(table.columns) - {"cells"} <= set(frame.columns)
    if "at" in frame:
        assert isinstance(frame["at"].dtype, pandas.DatetimeTZDtype)


def test_records_get_a_column_for_each_place(opened: leadline.Results) -> None:
    frame = opened.records().to_pandas()
    texts = " ".join(frame.filter(like="cell:").astype(str).to_numpy().ravel())
    assert "The oak book" in " ".join(frame["title"]) + texts


def test_forms_of_a_data_frame_name_their_controls(opened: leadline.Results) -> None:
    fields = opened.forms().to_pandas()["fields"][0]
    assert any("Author or title" in field for field in fields)


def test_only_relevant_forms_unless_all_are_wanted(opened: leadline.Results) -> None:
    assert all(row.score >= 0.5 for row in opened.forms())
    assert len(opened.forms(min_score=1.1)) == len(list(opened.forms(min_score=1.1))) == 0
    assert len(opened.forms(every=True)) >= len(opened.forms())


@each_table
def test_what_pages_say_cannot_script_a_notebook(opened: leadline.Results, name: str) -> None:
    shown = table_of(opened, name)._repr_html_()
    assert "<script" not in shown
    assert "<table>" in shown


def test_hostile_texts_are_shown_as_they_are(opened: leadline.Results) -> None:
    assert HARM in opened.visits()[0].title
    assert "&lt;script&gt;" in opened.visits()._repr_html_()


def test_long_tables_show_their_beginning(opened: leadline.Results) -> None:
    shown = opened.records()._repr_html_()
    assert shown.count("<tr>") == 21
    assert f"the first 20 of {len(opened.records())} records" in shown


def test_a_position_that_is_not_there(opened: leadline.Results) -> None:
    for position in (10_000, -10_000):
        with pytest.raises(IndexError, match=f"there is none at {position}"):
            opened.forms()[position]


def test_a_store_tells_itself_in_a_line_and_in_a_notebook(
    opened: leadline.Results, path: Path
) -> None:
    assert str(path) in repr(opened)
    assert "1 relevant forms" in repr(opened)
    assert "book" in opened._repr_html_()
    assert opened.counts.forms == 1
    assert opened.stopped in opened._repr_html_()


def test_a_form_that_was_not_harvested(opened: leadline.Results) -> None:
    with pytest.raises(ConfigError, match="no harvest of a form 'zz'"):
        len(opened.records("zz"))


def test_without_pandas_the_extra_is_named(
    opened: leadline.Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ConfigError, match=r"pip install 'leadline\[pandas\]'"):
        opened.forms().to_pandas()


def test_an_empty_table_has_its_columns(way: dict[str, object], tmp_path: Path) -> None:
    store = tmp_path / "a.leadline"
    leadline.crawl("hotel", "http://bookshop.test/about", store=store, pages=1, settings=way)
    with leadline.open_store(store) as opened:
        assert list(opened.forms().to_pandas().columns) == list(opened.forms().columns)
        assert opened.records().to_pandas().empty
        assert opened.records().to_dicts() == []


def test_nothing_can_be_changed(opened: leadline.Results) -> None:
    for name in ("links", "run", "save", "note"):
        assert not hasattr(opened.store, name)


def test_results_are_exported(opened: leadline.Results, tmp_path: Path) -> None:
    out = tmp_path / "records.csv"
    assert opened.export(out, "records") == len(opened.records())
    assert len(pandas.read_csv(out)) == len(opened.records())
