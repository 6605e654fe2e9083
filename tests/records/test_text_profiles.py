"""Columns that nothing names are told by columns of other sources with texts like theirs."""

import numpy as np

from leadline.records.table import build_table
from leadline.records.text_profiles import rate_likeness, read_profiles
from tests.records.made_harvests import make_store

ENGINES = [f"{n}.{n % 9}L V{n % 4 + 4} DOHC 24 valves" for n in range(1, 9)]
TOWNS = ["Salem", "Troy", "Boise", "Waco", "Ely", "Reno", "Bend", "Butte"]


def test_what_shares_words_with_a_field_is_most_alike() -> None:
    columns = [ENGINES, TOWNS, ENGINES[::-1], [f"{n} hours" for n in range(8)]]
    sources = ["one", "one", "two", "two"]
    likeness = rate_likeness(read_profiles(columns), sources, {"engine": [0]})["engine"]
    assert int(np.argmax(likeness)) == 2
    assert likeness[0] == 0.0  # a column is no evidence for its own source


def test_too_few_texts_have_no_profile() -> None:
    assert not read_profiles([["one", "two"]]).any()


def test_an_unnamed_column_is_told_by_another_source() -> None:
    named = [{"title": f"Car {n}", "Engine": text} for n, text in enumerate(ENGINES)]
    bare = [{"title": f"Auto {n}", "td7": text} for n, text in enumerate(ENGINES)]
    table = build_table(make_store({"one": named, "two": bare}), "auto")
    (column,) = [one for one in table.columns if one.source == "two" and one.name == "engine"]
    assert column.place == "td7"
