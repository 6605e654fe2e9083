"""Between harvests and the rows of their tables, and how these are written to SQLite."""
# ruff: noqa: S608 - only words of our own are put into queries

import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct, structs

from leadline.core.harvest import (
    Cell,
    Harvest,
    HarvestCounts,
    HarvestId,
    HarvestSource,
    NextPage,
    Outcome,
    Query,
    Record,
    ResultPage,
    StoredQuery,
    StoredRecord,
)
from leadline.core.page import Form
from leadline.core.url import Url
from leadline.errors import StoreError
from leadline.frontier.seen_urls import SeenUrls, text_hashes
from leadline.store.sqlite_connection import insert

Row = tuple[Any, ...]

HARVEST_COLUMNS = (
    "id, signature, site, form, searchable, policy, seed, settings, interface, reader, "
    "at, state, reason, requests"
)
QUERY_COLUMNS = (
    "harvest, number, filled, at, fresh_expected, cost_expected, why, max_pages, is_survey, "
    "held_matches"
)
EARLIER_QUERY_COLUMNS = QUERY_COLUMNS.replace("held_matches", "NULL")
"""Of files that are older than that column."""
OUTCOME_COLUMNS = (
    "kind, returned, fresh, total, is_total_exact, pages, requests, is_cut, is_left, ended"
)
PAGE_COLUMNS = (
    "harvest, query, number, at, kind, url, requests, total, is_total_exact, why, turn, keys, fresh"
)
RECORD_COLUMNS = "harvest, hash, key, query, page, position, at, title, url, cells, sightings"
DETAIL_COLUMNS = "harvest, record, at, requests, cells"


class _Rest(Struct, frozen=True, array_like=True):
    """What of a record nobody looks for by SQL."""

    cells: tuple[Cell, ...]
    links: tuple[Url, ...] = ()
    images: tuple[Url, ...] = ()


_encode = msgspec.msgpack.Encoder().encode
_decode_form = msgspec.msgpack.Decoder(Form).decode
_decode_turn = msgspec.msgpack.Decoder(NextPage).decode
_decode_rest = msgspec.msgpack.Decoder(_Rest).decode
_decode_cells = msgspec.msgpack.Decoder(tuple[Cell, ...]).decode
_decode_filled = msgspec.json.Decoder(tuple[tuple[str, str], ...]).decode
_astuple = msgspec.structs.astuple


def harvest_row(harvest: Harvest) -> Row:
    signature, site, form, *rest = _astuple(harvest.subject)
    ending = harvest.at, harvest.state, harvest.reason, harvest.requests
    return (harvest.id, signature, site, _encode(form), *rest, *ending)


def harvest_of(row: Row) -> Harvest:
    number, signature, site, form, *rest, at, state, reason, requests = row
    subject = HarvestSource(signature, site, _decode_form(form), *rest)
    return Harvest(HarvestId(number), subject, at, state, reason, requests)


def query_row(harvest: HarvestId, asked: StoredQuery) -> Row:
    number, query, *rest, _ = _astuple(asked)
    return (harvest, number, msgspec.json.encode(query.values).decode(), *rest)


def query_of(row: Row) -> StoredQuery:
    """From QUERY_COLUMNS and OUTCOME_COLUMNS."""
    _, number, filled, at, fresh, requests, why, max_pages, is_survey, held, *ended = row
    query = Query(_decode_filled(filled))
    outcome = None if ended[0] is None else _outcome_of(query, ended)
    # SQLite keeps NaN, the expectation of who expects nothing, as NULL.
    fresh, requests = (float("nan") if n is None else n for n in (fresh, requests))
    rest = why, max_pages, bool(is_survey), held, outcome
    return StoredQuery(number, query, at, fresh, requests, *rest)


def outcome_row(outcome: Outcome) -> Row:
    return _astuple(outcome)[1:]


def _outcome_of(query: Query, row: list[Any]) -> Outcome:
    kind, returned, fresh, total, is_exact, pages, requests, is_cut, is_left, why = row
    counts = returned, fresh, total, bool(is_exact), pages, requests
    return Outcome(query, kind, *counts, bool(is_cut), bool(is_left), why)


def page_row(harvest: HarvestId, page: ResultPage) -> Row:
    *fields, turn, keys, fresh = _astuple(page)
    packed = None if turn is None else _encode(turn)
    return (harvest, *fields, packed, np.array(keys, "<u8").tobytes(), fresh)


def page_of(row: Row) -> ResultPage:
    _, query, number, at, kind, url, requests, total, is_exact, why, turn, keys, fresh = row
    return ResultPage(
        *(query, number, at, kind, url, requests, total, bool(is_exact), why),
        None if turn is None else _decode_turn(turn),
        tuple(np.frombuffer(keys, "<u8").tolist()),
        fresh,
    )


def record_row(kept: StoredRecord, key: int) -> Row:
    """`key` as `rows.signed` gives it."""
    record = kept.record
    rest = _encode(_Rest(record.cells, record.links, record.images))
    place = kept.query, kept.page, kept.position, kept.at
    return (kept.harvest, key, record.key, *place, record.title, record.url, rest, kept.sightings)


def record_of(row: Row) -> Record:
    """From RECORD_COLUMNS, with or without the id before them."""
    key, *_, title, url, cells, _ = row[-9:]
    rest = _decode_rest(cells)
    return Record(key, title, rest.cells, url, rest.links, rest.images)


def kept_of(row: Row) -> StoredRecord:
    """From the id, RECORD_COLUMNS and the cells of its detail."""
    number, harvest, _, _, query, page, position, at, _, _, _, sightings, detail = row
    cells = () if detail is None else _decode_cells(detail)
    place = query, page, position, at, sightings
    return StoredRecord(HarvestId(harvest), number, record_of(row[:-1]), *place, cells)


def detail_row(
    harvest: HarvestId, record: int, cells: tuple[Cell, ...], requests: int, at: float
) -> Row:
    return (harvest, record, at, requests, _encode(cells))


@dataclass(slots=True, eq=False)
class HarvestBatch:
    """Everything recorded of harvests since the last transaction."""

    heads: dict[HarvestId, Harvest] = field(default_factory=dict)
    queries: list[Row] = field(default_factory=list)
    pages: list[Row] = field(default_factory=list)
    records: list[Row] = field(default_factory=list)
    sightings: Counter[tuple[HarvestId, int]] = field(default_factory=Counter)
    """Of records met before, by harvest and signed hash."""
    outcomes: dict[tuple[HarvestId, int], Outcome] = field(default_factory=dict)
    """By harvest and number of the query."""
    details: list[Row] = field(default_factory=list)


def write_harvests(connection: sqlite3.Connection, batch: HarvestBatch) -> None:
    """Inside the transaction of the whole batch."""
    heads = [harvest_row(harvest) for harvest in batch.heads.values()]
    insert(connection, "harvests", HARVEST_COLUMNS, heads, "INSERT OR REPLACE")
    insert(connection, "queries", QUERY_COLUMNS, batch.queries)
    insert(connection, "result_pages", PAGE_COLUMNS, batch.pages)
    # A turn tells the way that led to it: kept for every page, it would grow with their square.
    connection.executemany(
        "UPDATE result_pages SET turn = NULL WHERE harvest = ? AND query = ? AND number = ?",
        [(harvest, query, number - 1) for harvest, query, number, *_ in batch.pages if number > 1],
    )
    insert(connection, "records", RECORD_COLUMNS, batch.records)
    connection.executemany(
        "UPDATE records SET sightings = sightings + ? WHERE harvest = ? AND hash = ?",
        [(times, *record) for record, times in batch.sightings.items()],
    )
    places = ", ".join(f"{column} = ?" for column in OUTCOME_COLUMNS.split(", "))
    connection.executemany(
        f"UPDATE queries SET {places} WHERE harvest = ? AND number = ?",
        [(*outcome_row(outcome), *query) for query, outcome in batch.outcomes.items()],
    )
    insert(connection, "details", DETAIL_COLUMNS, batch.details)


BEFORE_ALL = (0, 0)


@dataclass(slots=True)
class Account:
    """Takes 16 to 32 bytes a record."""

    keys: SeenUrls = field(default_factory=SeenUrls)
    last: tuple[int, int] = BEFORE_ALL
    """Query and number of the last page."""
    tally: HarvestCounts = field(default_factory=HarvestCounts)

    def admit(self, page: ResultPage, records: Sequence[Record]) -> tuple[ResultPage, list[bool]]:
        """The page with its keys, and which of its records are new; they are known from here on."""
        if (page.query, page.number) <= self.last:
            raise StoreError(f"page {page.number} of query {page.query} is recorded already")
        hashes = text_hashes([record.key for record in records])
        are_new = self.keys.add(hashes)
        self.last = page.query, page.number
        self.tally = structs.replace(
            self.tally,
            pages=self.tally.pages + 1,
            requests=self.tally.requests + page.requests,
            records=self.tally.records + sum(are_new),
            sightings=self.tally.sightings + len(records),
        )
        return structs.replace(page, keys=tuple(hashes), fresh=sum(are_new)), are_new

    def count_query(self, number: int) -> None:
        if number != self.tally.queries + 1:
            raise StoreError(f"query {number} does not follow on {self.tally.queries}")
        self.tally = structs.replace(self.tally, queries=self.tally.queries + 1)

    def count_detail(self, requests: int) -> None:
        self.tally = structs.replace(
            self.tally, details=self.tally.details + 1, requests=self.tally.requests + requests
        )

    def count_requests(self, more: int) -> None:
        self.tally = structs.replace(self.tally, requests=self.tally.requests + more)


def with_reader(head: Harvest, reader: bytes | None) -> Harvest:
    """The harvest with what is known about reading its answers; None: as before."""
    if reader is None:
        return head
    return structs.replace(head, subject=structs.replace(head.subject, reader=reader))
