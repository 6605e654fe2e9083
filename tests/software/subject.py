"""A running application as a subject of measurement: where to start, and the truth about it."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from msgspec import Struct

from leadline.core.harvest import Record
from tests.software.application import Row


class Subject(Struct, frozen=True):
    """One that runs."""

    start: str
    """What is given to `leadline harvest`: a page, or the template of a search."""
    names: frozenset[str]
    """All records that its search can find."""
    name_of: Callable[[str], str]
    """The name of the record that an address belongs to; '' for others."""
    log: Path
    page_size: int
    """Records on a page of its results, at most."""
    cap: int | None = None
    """Records of one answer at most."""

    def name_record(self, record: Record) -> str:
        """The first of its addresses that names one of the records; '' if none does."""
        addresses = (record.url, *record.links) if record.url else record.links
        return next((name for one in addresses if (name := self.name_of(one)) in self.names), "")


StartSubject = Callable[[Iterable[Row], Path], AbstractContextManager[Subject]]


def text_of(row: Row) -> tuple[str, str]:
    """A title and a text of a row of any collection."""
    title = str(row.get("title") or row.get("summary") or row.get("name"))
    text = row.get("body") or row.get("description") or row.get("extract") or ""
    return title, str(text)


def numbered(rows: Iterable[Row]) -> Iterator[tuple[int, str, str]]:
    """Number from 1, title and text."""
    for number, row in enumerate(rows, start=1):
        title, text = text_of(row)
        yield number, " ".join(title.split()), text
