"""What a store is made of when it is carried from one place to another.

Rows of a table have the same columns wherever they come from; candidates are numbered from 1
without gaps, and the rank in force of each is told with it.
"""

from collections.abc import Iterator, Mapping
from typing import Protocol

from leadline.store.harvests.rows import (
    DETAIL_COLUMNS,
    HARVEST_COLUMNS,
    OUTCOME_COLUMNS,
    PAGE_COLUMNS,
    QUERY_COLUMNS,
    RECORD_COLUMNS,
)
from leadline.store.rows import (
    EVENT_COLUMNS,
    FORM_COLUMNS,
    STATE_COLUMNS,
    URL_COLUMNS,
    VISIT_COLUMNS,
    Row,
)

SITES, STATES, SITE_RANKS, URLS = "sites", "states", "site_ranks", "urls"
VISITS, FORMS = "visits", "forms"

COLUMNS: Mapping[str, str] = {
    SITES: "id, site",
    STATES: f"site, {STATE_COLUMNS}",
    SITE_RANKS: "site, tier, score",
    URLS: f"rank, {URL_COLUMNS}",
    VISITS: f"seq, {VISIT_COLUMNS}",
    FORMS: f"id, {FORM_COLUMNS}",
    "events": f"id, {EVENT_COLUMNS}",
    "saved": "key, value",
    "harvests": HARVEST_COLUMNS,
    "queries": f"{QUERY_COLUMNS}, {OUTCOME_COLUMNS}",
    "result_pages": f"seq, {PAGE_COLUMNS}",
    "records": f"id, {RECORD_COLUMNS}",
    "details": DETAIL_COLUMNS,
    "orders": "id, kind, at, detail, done_at, outcome",
    "labels": "id, what, subject, verdict, at, topic, before",
}
"""In the order in which they are carried."""

PLAIN: Mapping[str, str] = {
    VISITS: "seq",
    FORMS: "id",
    "events": "id",
    "saved": "key",
    "harvests": "id",
    "queries": "harvest, number",
    "result_pages": "seq",
    "records": "id",
    "details": "harvest, record",
    "orders": "id",
    "labels": "id",
}
"""Tables that are the same in every database, with the order of their rows."""


class TableSource(Protocol):
    """A store that is not written while it is read."""

    def rows(self, table: str) -> Iterator[Row]:
        """The rows of a table, of its COLUMNS, in order."""
        ...

    def count(self, table: str) -> int: ...

    def close(self) -> None: ...


class Sink(Protocol):
    """An empty store. Nothing of it is there before `finish`."""

    def write(self, table: str, rows: Iterator[Row]) -> int:
        """Append the rows; how many there were."""
        ...

    def count(self, table: str) -> int: ...

    def finish(self) -> None: ...

    def close(self) -> None:
        """Without `finish`, nothing stays behind."""
        ...
