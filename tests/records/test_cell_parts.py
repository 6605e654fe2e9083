"""Texts that hold several things are read apart, under the fields of their topic."""

import pytest

from leadline.core.harvest import Record
from leadline.core.url import Url
from leadline.records.cell_parts import CellReader, find_case_name, find_parts, find_separator
from leadline.records.table import build_table, find_document
from tests.records.made_harvests import make_store

WHOLE = [
    {"title": f"Case No. {n}-0775: Oliver Roe v. State Bank {n} (May {n}, 2011)"}
    for n in range(11, 23)
]
FIELDS = ("case_name", "docket_number", "decision_date")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("People of Guam, Plaintiff-Appellee, v. Ben Roe , Defendant-Appellant, 2026 Guam 4, "
         "CRA24-004, May 29, 2026", "People of Guam v. Ben Roe"),
        ("20-1046: SENCO TOOLS INC v. ITC [OPINION], Precedential", "SENCO TOOLS INC v. ITC"),
        ("House, LLC v. Services, Inc. (AC 24-P-171) (September 10, 2025)",
         "House, LLC v. Services, Inc."),
        ("In re Adoption of J.D.", "In re Adoption of J.D."),
        ("Dupont c. Martin, 12 mars 2019", "Dupont c. Martin"),
    ],
)  # fmt: skip
def test_a_case_is_named_without_numbers_dates_and_parts_played(text: str, name: str) -> None:
    assert find_case_name(text) == name


def test_titles_that_hold_name_number_and_date_fill_three_columns() -> None:
    table = build_table(make_store({"court": WHOLE}), "court records")
    row = next(iter(table.rows()))
    assert row.values["case_name"][0].raw == "Oliver Roe v. State Bank 11"
    assert row.values["docket_number"][0].raw == "11-0775"
    assert row.values["decision_date"][0].value == "2011-05-11"


def test_a_column_of_its_own_comes_before_a_part_of_a_text() -> None:
    rows = [{**row, "Docket number": f"A-{n}", "Decided": "3 June 2012"}
            for n, row in enumerate(WHOLE, start=100)]  # fmt: skip
    row = next(iter(build_table(make_store({"court": rows}), "court records").rows()))
    assert row.values["docket_number"][0].raw == "A-100"
    assert row.values["decision_date"][0].value == "2012-06-03"


def test_cells_of_one_place_are_told_apart_by_what_they_hold() -> None:
    rows = [[("td", f"No. 20{n}-17"), ("td", "Roe v. Wade"), ("td", "Judge Doe")] for n in range(9)]
    parts = find_parts(rows, FIELDS)
    read = dict(CellReader(parts).read(rows[0]))
    assert read["td#docket_number"] == "200-17"
    assert read["td#case_name"] == "Roe v. Wade"


def test_things_that_are_no_cases_are_not_read_apart() -> None:
    rows = [[("title", f"Camera X-{n}000 (May {n}, 2011)")] for n in range(1, 9)]
    assert find_parts(rows, ()) == []


def test_a_link_to_a_file_is_the_document_of_a_record() -> None:
    page, file = Url("http://court.example/case/7"), Url("http://court.example/get/opinion7.PDF")
    assert find_document(Record("7", "Roe", (), page, (file,))) == file
    assert find_document(Record("7", "Roe", (), page)) is None


def test_items_of_two_kinds_in_one_list_fill_one_column() -> None:
    signed = [{"title": "Order", "Parties": f"Roe v. Bank {n}"} for n in range(6)]
    bare = [{"title": "Order", "td4": f"Doe v. Town {n}"} for n in range(6)]
    rows = list(build_table(make_store({"court": signed + bare}), "court records").rows())
    assert rows[0].values["case_name"][0].raw == "Roe v. Bank 0"
    assert rows[-1].values["case_name"][0].raw == "Doe v. Town 5"


def test_where_cases_are_named_a_name_without_parties_is_one_too() -> None:
    rows = [{"title": f"Roe v. Bank {n}, 2025 ND {n}"} for n in range(100, 108)]
    rows.append({"title": "Reciprocal Discipline of Doe 2025 ND 118"})
    *_, last = build_table(make_store({"court": rows}), "court records").rows()
    assert last.values["case_name"][0].raw == "Reciprocal Discipline of Doe"
    assert last.values["citation"][0].raw == "2025 ND 118"


@pytest.mark.parametrize(
    ("texts", "kind", "separator"),
    [
        (["Ursula Roe, Jane Doe", "Ann Roe, Ben Doe, Max Poe", "Kay Low"], "person", ","),
        (["Roe, Ursula", "Doe, Jane", "Poe, Max"], "person", ""),
        (["Roe, Ursula; Doe, Jane", "Poe, Max; Low, Kay"], "person", ";"),
        (["Comedy, Drama", "Drama, War", "War, Comedy", "Comedy"], "category", ","),
        (["Spa | Pool", "Pool | Parking", "Parking | Spa", "Spa | Pool"], "text", "|"),
        (["A house, with stairs", "The sea, and a boat", "Trees, in rows"], "text", ""),
    ],
)
def test_texts_are_parted_where_they_are_lists(texts: list[str], kind: str, separator: str) -> None:
    assert find_separator(texts, kind) == separator
