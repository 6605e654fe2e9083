"""What a record's own page says, as cells."""

from hypothesis import given
from hypothesis import strategies as some

from leadline.core.harvest import Cell
from leadline.core.http import Response
from leadline.core.url import Url
from leadline.harvester.answers.records import DETAIL_PREFIX, read_detail_cells
from leadline.harvester.reply import reply_of


def cells_of(body: str | bytes) -> tuple[Cell, ...]:
    raw = body.encode() if isinstance(body, str) else body
    headers = (("content-type", "text/html; charset=utf-8"),)
    return read_detail_cells(reply_of(Response(Url("http://a.test/r/1"), 200, headers, raw, 1.0)))


def test_values_are_named_by_their_labels() -> None:
    body = "<table><tr><th>Year:<td>1950<tr><th>Place<td>Oslo</table><dl><dt>By<dd>Ann<dd>Bo</dl>"
    named = {cell.place: cell.text for cell in cells_of(body)}
    assert named[f"{DETAIL_PREFIX}Year"] == "1950"
    assert named[f"{DETAIL_PREFIX}Place"] == "Oslo"
    assert [c.text for c in cells_of(body) if c.place == f"{DETAIL_PREFIX}By"] == ["Ann", "Bo"]


def test_other_text_is_named_by_its_tag_path() -> None:
    assert Cell(f"{DETAIL_PREFIX}div/h1", "A title") in cells_of("<div><h1>A title</h1></div>")


def test_a_page_without_end_is_cut() -> None:
    cells = cells_of("<p>word" * 5_000)
    assert len(cells) <= 1_000
    (whole,) = cells_of("<p>" + "word " * 100_000)
    assert len(whole.text) <= 100_000


@given(some.binary(max_size=300))
def test_any_bytes_give_cells(body: bytes) -> None:
    assert all(cell.place.startswith(DETAIL_PREFIX) and cell.text for cell in cells_of(body))
