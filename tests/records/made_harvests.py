"""Stores with harvests whose records are made up, for tests of tables."""

from collections.abc import Mapping, Sequence

from leadline.core.harvest import (
    RESULTS,
    Cell,
    HarvestSource,
    Query,
    Record,
    ResultPage,
    StoredQuery,
)
from leadline.core.page import Field, Form
from leadline.core.store import Store
from leadline.core.url import Site, Url
from leadline.store import open_store


def make_store(
    sources: Mapping[str, Sequence[Mapping[str, str]]], place: str = ":memory:"
) -> Store:
    """A harvest for each source; each record's cells by their place, its title under `title`."""
    store = open_store(place)
    for number, (source, rows) in enumerate(sources.items()):
        url = Url(f"http://{source}.example/search")
        form = Form(url, url, "get", (Field("q", "text"),), text="Search")
        subject = HarvestSource(source, Site(f"{source}.example"), form)
        head = store.harvests.begin(subject, 100.0 + number)
        store.harvests.begin_query(head.id, StoredQuery(1, Query.of(q="a"), 101.0))
        records = [_make_record(source, place, row) for place, row in enumerate(rows)]
        store.harvests.add_page(head.id, ResultPage(1, 1, 102.0, RESULTS, url), records)
    return store


def _make_record(source: str, number: int, row: Mapping[str, str]) -> Record:
    cells = tuple(Cell(place, text) for place, text in row.items() if place != "title")
    url = Url(f"http://{source}.example/{number}")
    return Record(str(url), row.get("title", ""), cells, url)
