"""Laws every exporter obeys. A new exporter is tested by being in EXPORTERS."""

import csv
from collections.abc import Iterable
from functools import partial
from io import BytesIO, StringIO
from typing import Any, BinaryIO

import msgspec
import pytest

from leadline.records.exporters import EXPORTERS, BaseExporter, CsvExporter, make_exporter
from leadline.testing import LawBrokenError, check_exporter
from leadline.testing.critic_laws import LAW_ROWS, LawRow


@pytest.mark.parametrize("name", sorted(EXPORTERS))
def test_an_exporter_keeps_all_laws(name: str) -> None:
    check_exporter(partial(make_exporter, name))


class Closing(BaseExporter):
    """Closes what it did not open."""

    def write(self, rows: Iterable[Any], kind: type[Any], out: BinaryIO) -> int:  # noqa: ARG002
        count = sum(bool(out.write(msgspec.json.encode(row))) for row in rows)
        out.close()
        return count


def test_one_that_breaks_a_law_is_told_which() -> None:
    with pytest.raises(LawBrokenError, match="the stream is left open"):
        check_exporter(Closing)


def test_lists_become_one_cell_of_words() -> None:
    out = BytesIO()
    CsvExporter().write(LAW_ROWS, LawRow, out)
    rows = list(csv.DictReader(StringIO(out.getvalue().decode(), newline="")))
    assert [row["tags"] for row in rows] == ["", "a; b;c", "", ""]
    assert rows[2]["name"] == "'=1+1"
