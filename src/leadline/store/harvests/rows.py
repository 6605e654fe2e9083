"""Between the words of a harvest and the rows of its tables."""

from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from leadline.core.harvest import (
    Cell,
    Harvest,
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
