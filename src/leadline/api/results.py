"""`leadline.open_store`: what a crawl has found, to look at from a program or a notebook."""

import weakref
from html import escape
from pathlib import Path
from types import TracebackType
from typing import Any

from leadline.api.table import Table
from leadline.core.crawl import LIKELY, Counts, Event, SiteState, StoredForm, Visit
from leadline.core.kept import Tally
from leadline.core.store import StoreView
from leadline.errors import StoreError
from leadline.records.export import TableName, export
from leadline.store import open_store_view
from leadline.views.forms import FormRow, form_rows
from leadline.views.harvests import (
    HarvestRow,
    QueryRow,
    RecordRow,
    find_harvests,
    flat_records,
    harvest_rows,
    query_rows,
    record_rows,
)
from leadline.views.overview import site_rows, stop_reason
from leadline.views.stores import saved_settings, topic_of

STORE = "crawl.leadline"


def open_store(path: str | Path = STORE) -> "Results":
    """What the store at `path` holds, also while a crawl or a harvest writes it.

    Nothing is changed. Raises StoreError when there is no store, or none that can be read.
    """
    if not Path(path).is_file():
        raise StoreError(
            f"there is no store {path}; make one with: leadline.crawl(..., store={str(path)!r})"
        )
    return Results(open_store_view(path), str(path))


class Results:
    """A store opened to look at. Tables read it anew each time they are used."""

    def __init__(self, store: StoreView, path: str) -> None:
        self.path = path
        self.store = store
        """The port (`leadline.core.ports.Store`), for what the tables do not tell; read-only."""
        self._close = weakref.finalize(self, store.close)

    def forms(self, *, min_score: float = LIKELY, every: bool = False) -> Table[FormRow]:
        """The directory, best first; `every` also takes forms that are not relevant."""

        def rows() -> list[FormRow]:
            return form_rows(self.store, min_score=min_score, any_form=every)

        def is_wanted(stored: StoredForm) -> bool:
            return every or round(stored.judged.relevant, 4) >= min_score

        shown = ("site", "what", "fields", "score", "why", "page", "signature")
        return Table(
            "forms",
            FormRow,
            rows,
            lambda: sum(map(is_wanted, self.store.reader.forms())),
            shown=shown,
        )

    def records(self, form: str = "") -> Table[RecordRow]:
        """What was drawn up, in the order of first sight; of the form whose signature begins so,
        or of all. A data frame has a column for each place where records have text."""
        return Table(
            "records",
            RecordRow,
            lambda: record_rows(self.store, form),
            lambda: sum(tally.records for tally in self._tallies(form)),
            shown=("site", "title", "cells", "query", "url", "sightings"),
            flat=lambda: flat_records(self.store, form),
        )

    def queries(self, form: str = "") -> Table[QueryRow]:
        """What was asked, and what each query brought, in the order of asking."""
        return Table(
            "queries",
            QueryRow,
            lambda: query_rows(self.store, form),
            lambda: sum(tally.queries for tally in self._tallies(form)),
            shown=("site", "query", "kind", "returned", "fresh", "total", "requests", "why"),
        )

    def harvests(self) -> Table[HarvestRow]:
        """One row for each form that was asked."""
        return Table(
            "harvests",
            HarvestRow,
            lambda: harvest_rows(self.store),
            lambda: sum(1 for _ in self.store.harvests.all()),
        )

    def visits(self) -> Table[Visit]:
        """Every page asked for, in order, with what became of it."""
        return Table(
            "visits",
            Visit,
            self.store.reader.visits,
            lambda: self.store.reader.counts().visits,
            shown=("url", "outcome", "title", "relevance", "links", "forms", "reason"),
        )

    def sites(self) -> Table[SiteState]:
        """Visited sites, those with most forms first."""

        def count() -> int:
            return sum(bool(site.pages or site.errors) for site in self.store.reader.sites())

        return Table("sites", SiteState, lambda: site_rows(self.store), count)

    def events(self) -> Table[Event]:
        """What happened beside visits, in order."""
        events = self.store.reader.events
        return Table("events", Event, events, lambda: sum(1 for _ in events()))

    def export(self, out: str | Path, what: TableName | None = None) -> int:
        """Write forms, or `what` is named, to a path or a URL as s3://bucket/key; how many rows.

        The ending tells the format: .jsonl, .csv, .parquet, and .warc.gz for pages. Raises
        ConfigError.
        """
        return export(self.store, str(out), what).rows

    @property
    def counts(self) -> Counts:
        """How far the crawl has come."""
        return self.store.reader.counts()

    @property
    def settings(self) -> dict[str, Any]:
        """Those of the last run, by group."""
        return saved_settings(self.store)

    @property
    def stopped(self) -> str:
        """Why the last run ended."""
        return stop_reason(self.store)

    def close(self) -> None:
        """Tables of a closed store cannot be read. Happens by itself when nobody holds it."""
        self._close()

    def __enter__(self) -> "Results":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{self.path}: {', '.join(f'{number:,} {what}' for what, number in self._told())}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{what}</th><td>{number:,}</td></tr>" for what, number in self._told()
        )
        head = f"{escape(self.path)}: {escape(topic_of(self.store) or 'no topic')}"
        return f"<table><caption>{head}, {escape(self.stopped)}</caption>{rows}</table>"

    def _told(self) -> list[tuple[str, int]]:
        counts = self.store.reader.counts()
        return [
            ("relevant forms", counts.forms),
            ("visits", counts.visits),
            ("sites", counts.sites),
            ("records", len(self.records())),
            ("links waiting", counts.waiting),
        ]

    def _tallies(self, form: str) -> list[Tally]:
        return [self.store.harvests.tally(number) for number in find_harvests(self.store, form)]
