"""`leadline store salvage`: a new store of whatever can be read of a damaged file.

The rows are read page by page (pages.py), from the trees of their tables and from leaves that no
tree leads to any more. Then they are brought into a state in which a crawl and a harvest resume:
candidates and queries are numbered without gaps, what refers to a lost row is mended from what
else is known, or dropped and counted.
"""

import json
import math
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from leadline.core.url import Site, site_of
from leadline.errors import StoreError
from leadline.frontier.ranks import TIERS, rank_of
from leadline.frontier.seen_urls import text_hash
from leadline.store.care.backup import check_target
from leadline.store.care.checks import check_file
from leadline.store.care.pages import INDEX_INNER, INDEX_LEAF, TABLE_LEAF, PageFile, Row
from leadline.store.damage import find_file_fault, make_damage_error
from leadline.store.harvests.rows import harvest_of, page_of, query_of, record_of
from leadline.store.index import SKIPPED
from leadline.store.lock import WriteLock
from leadline.store.rows import form_of, score_of, to_signed
from leadline.store.schema import MIGRATIONS
from leadline.store.sums import SUMMED, sum_of
from leadline.store.transfer.sqlite import COLUMNS, SqliteSink

Rows = dict[str, list[Row]]
"""By table, of its columns as the newest format has them."""


class SalvagedTable(Struct, frozen=True):
    """What became of one table."""

    read: int
    """Rows that could be read."""
    kept: int
    """Rows of the new store: some may have been mended, or made again from others."""
    lost: int
    """Rows that are known to have been there and are not in the new store."""


class Salvage(Struct, frozen=True):
    """What was saved."""

    store: str
    new: str
    broken_pages: int
    tables: dict[str, SalvagedTable]


def salvage(source: Path, target: Path) -> Salvage:
    """Write what can be read of `source` into a new store at `target`.

    Raises StoreError if there is nothing to read. Nothing has the target's name before it is whole
    and was checked; the source is not changed.
    """
    fault = find_file_fault(source)
    if fault:
        raise StoreError(f"{source} cannot be salvaged: {fault}")
    check_target(target)
    lock = WriteLock(source)
    try:
        pages = PageFile(source)
        found = _read_tables(pages)
    finally:
        lock.release()
    if not any(found.values()):
        raise StoreError(
            f"nothing of {source} can be read: no page of it is one of a store; take a backup, or "
            "crawl again"
        )
    expected = _expect(found)
    kept = _Mender(found).mend()
    _write(kept, target)
    tables = {
        table: SalvagedTable(
            len(found.get(table, ())),
            len(kept[table]),
            max(0, expected.get(table, 0) - len(kept[table])),
        )
        for table in COLUMNS
    }
    return Salvage(str(source), str(target), len(pages.broken), tables)


def _write(kept: Rows, target: Path) -> None:
    draft = target.with_name(f"{target.name}.salvage")
    draft.unlink(missing_ok=True)
    with closing(SqliteSink(draft)) as sink:
        for table in COLUMNS:
            sink.write(table, iter(kept[table]))
        sink.finish()
    try:
        damage = check_file(draft).damage
        if damage:
            raise make_damage_error(draft, f"{damage[0].where}: {damage[0].what}")
        target.hardlink_to(draft)
    finally:
        for end in ("", "-wal", "-shm", ".lock"):
            draft.with_name(f"{draft.name}{end}").unlink(missing_ok=True)


# Reading


def _layouts() -> dict[str, tuple[list[str], str, bool, list[str]]]:
    """Of each table its columns, the one that is the row's number, whether it has none, and the
    types of the columns."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        fresh.executescript(";".join(MIGRATIONS))
        layouts = {}
        for name, sql in fresh.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'"):
            about = fresh.execute(f"PRAGMA table_info({name})").fetchall()
            keys = [row[1] for row in about if row[5] and row[2] == "INTEGER"]
            is_keyless = sql.rstrip().endswith("WITHOUT ROWID")
            number = keys[0] if len(keys) == 1 and not is_keyless else ""
            columns, types = [row[1] for row in about], [row[2] for row in about]
            layouts[name] = (columns, number, is_keyless, types)
    return layouts


def _read_tables(pages: PageFile) -> dict[str, list[dict[str, Any]]]:
    """The rows of each table, by names of columns."""
    layouts = _layouts()
    free, roots = pages.free_pages(), _roots(pages)
    found: dict[str, dict[Any, dict[str, Any]]] = {name: {} for name in layouts}
    used: set[int] = set()
    for name, root in roots.items():
        if name in layouts:
            numbers = pages.tree(root)
            used.update(numbers)
            for number in numbers:
                _take(pages, number, name, layouts[name], found[name])
    # Leaves that nothing leads to: an inner page is lost, or the list of tables is.
    for number in range(2, pages.count + 1):
        if number in used or number in free:
            continue
        if pages.kind(number) not in (TABLE_LEAF, INDEX_LEAF, INDEX_INNER):
            continue
        guess = _guess(pages, number, layouts, roots)
        if guess:
            _take(pages, number, guess, layouts[guess], found[guess])
    return {name: list(rows.values()) for name, rows in found.items()}


def _roots(pages: PageFile) -> dict[str, int]:
    roots = {}
    for number in pages.tree(1):
        for cell in pages.cells(number):
            match cell.values:
                case ("table", str(name), _, int(root), str()):
                    roots[name] = root
    return roots


def _take(
    pages: PageFile,
    number: int,
    name: str,
    layout: tuple[list[str], str, bool, list[str]],
    rows: dict[Any, dict[str, Any]],
) -> None:
    columns, key, is_keyless, _ = layout
    for cell in pages.cells(number):
        if (cell.rowid is None) != is_keyless:
            continue
        if not _fits(cell.values, layout):
            pages.broken.add(number)
            continue
        # Columns that a later format has added are not in rows written before.
        row = dict(zip(columns, cell.values, strict=False))
        if key:
            row[key] = cell.rowid
        mark: Any = cell.rowid if cell.rowid is not None else cell.values[:2]
        rows.setdefault((name, mark), row)


_TYPES: dict[str, Any] = {"INTEGER": int, "TEXT": str, "BLOB": bytes, "REAL": (int, float)}


def _fits(values: Row, layout: tuple[list[str], str, bool, list[str]]) -> bool:
    columns, key, _, types = layout
    name_count = len(columns)
    least = name_count - (1 if columns[-1] in ("held_matches", "topic") else 0)
    if not least <= len(values) <= name_count:
        return False
    for column, kind, value in zip(columns, types, values, strict=False):
        if value is not None and not isinstance(value, _TYPES[kind]):
            return False
        if value is not None and column == key:
            return False
    return True


def _guess(
    pages: PageFile,
    number: int,
    layouts: Mapping[str, tuple[list[str], str, bool, list[str]]],
    roots: Mapping[str, int],
) -> str:
    """The one table whose rows look like those on the page; '' if it is none or any of several."""
    cells = list(pages.cells(number))
    if not cells:
        return ""
    fitting = [
        name
        for name, layout in layouts.items()
        if all((c.rowid is None) == layout[2] and _fits(c.values, layout) for c in cells)
        and _has_sense(name, cells[0].values)
    ]
    # Where all tables are known, a page that fits none of them is one of an index.
    return fitting[0] if len(fitting) == 1 and (roots or cells[0].rowid is not None) else ""


def _has_sense(name: str, values: Row) -> bool:
    """Tells apart tables with the same columns."""
    if name == "sites":
        return isinstance(values[1], str)
    if name == "lessons":
        return isinstance(values[1], bytes)
    if name == "sums":
        return values[0] in SUMMED or values[0] == "sightings"
    if name in ("saved",):
        return isinstance(values[0], str)
    return None not in values[1:2]


def _expect(found: Mapping[str, list[dict[str, Any]]]) -> Counter[str]:
    """How many rows there were, by their numbers and by the sums of what was written."""
    ends = Counter[str]()
    for name, key in (("urls", "id"), ("visits", "seq"), ("events", "id"), ("records", "id")):
        ends[name] = max((row[key] for row in found[name]), default=0)
    ends["sites"] = max((row["id"] + 1 for row in found["sites"]), default=0)
    for block in found["arrivals"]:
        ends["urls"] = max(ends["urls"], block["first"] - 1 + len(block["hashes"]) // 8)
    rows: Counter[str] = Counter()
    for row in found["sums"]:
        kind = row["kind"]
        if kind in SUMMED and not SUMMED[kind].is_range:
            rows[SUMMED[kind].table] += 1
        elif kind in ("urls", "events", "records", "sites"):
            ends[kind] = max(ends[kind], row["last"] + (kind == "sites"))
    return ends | rows


# Mending


class _Mender:
    """Rows of a damaged store as those of a whole one."""

    def __init__(self, found: dict[str, list[dict[str, Any]]]) -> None:
        self._found = found
        self._kept: Rows = {table: [] for table in COLUMNS}
        self._ids: dict[int, int] = {}
        """The new numbers of candidates by their old ones."""
        self._sites: dict[int, str] = {}
        """The names of sites by their numbers."""

    def mend(self) -> Rows:
        self._mend_candidates()
        self._mend_sites()
        self._mend_forms()
        self._mend_saved()
        for table in ("events", "orders", "labels"):
            rows = (row for row in self._found[table] if _is_whole(row, table))
            self._put(table, sorted(rows, key=lambda row: row["id"]))
        for harvest in sorted(self._found["harvests"], key=lambda row: row["id"]):
            if _can(harvest_of, self._tuple("harvests", harvest)):
                self._put("harvests", [harvest])
                self._mend_harvest(harvest["id"])
        return self._kept

    def _put(self, table: str, rows: Iterable[Mapping[str, Any]]) -> None:
        self._kept[table] += [self._tuple(table, row) for row in rows]

    def _tuple(self, table: str, row: Mapping[str, Any]) -> Row:
        return tuple(row.get(column) for column in COLUMNS[table].split(", "))

    def _mend_candidates(self) -> None:
        urls = {row["id"]: row for row in self._found["urls"] if row["url"]}
        visits = sorted(self._found["visits"], key=lambda row: row["seq"])
        visits = [row for row in visits if row["url"] and _is_whole(row, "visits")]
        for visit in visits:
            urls.setdefault(visit["id"], _candidate_of(visit))
        self._sites = _name_sites(self._found["sites"], [*urls.values(), *visits])
        numbers = {name: number for number, name in self._sites.items()}
        self._ids = {old: new for new, old in enumerate(sorted(urls), start=1)}
        ranks = self._ranks()
        for old, new in self._ids.items():
            row = urls[old]
            rank = ranks.get(old)
            # A flipped byte may have made any number of it.
            tier = min(max(row["tier"], 0), TIERS - 1)
            if rank is None:
                rank = SKIPPED if row["skip"] else rank_of(tier, score_of(row["score"]))
            parent = self._ids.get(row["parent"])
            site = numbers[site_of(row["url"])]
            filled = {**row, "id": new, "tier": tier, "rank": rank, "parent": parent}
            self._put("urls", [{**filled, "site": site}])
        once = {visit["id"]: visit for visit in visits}
        for visit in once.values():
            moved = {"id": self._ids[visit["id"]], "site": numbers[site_of(visit["url"])]}
            self._put("visits", [{**visit, **moved}])

    def _ranks(self) -> dict[int, int]:
        """Of blocks that are as they were written: a rank that is not may be anything."""
        sums = {
            row["first"]: row["sum"] for row in self._found["sums"] if row["kind"] == "arrivals"
        }
        ranks: dict[int, int] = {}
        for row in self._found["arrivals"]:
            block = row["first"], row["hashes"], row["sites"], row["ranks"]
            if row["first"] in sums and sums[row["first"]] != sum_of([block]):
                continue
            held = np.frombuffer(row["ranks"][: len(row["ranks"]) // 8 * 8], "<i8").tolist()
            ranks.update(enumerate(held, start=row["first"]))
        return ranks

    def _mend_sites(self) -> None:
        for number in range(max(self._sites, default=-1) + 1):
            # A name that nobody has: the number of every later site depends on it.
            name = self._sites.get(number) or f"lost-{number}.invalid"
            self._kept["sites"].append((number, name))
        known = range(len(self._kept["sites"]))
        states = {row["site"]: row for row in sorted(self._found["states"], key=_seq)}
        self._put("states", (row for row in states.values() if row["site"] in known))
        ranks = {row["site"]: row for row in sorted(self._found["site_ranks"], key=_seq)}
        self._put("site_ranks", (row for row in ranks.values() if row["site"] in known))

    def _mend_forms(self) -> None:
        first_of = {row[3]: row[1] for row in reversed(self._kept["visits"])}
        for row in sorted(self._found["forms"], key=lambda row: row["id"]):
            row.setdefault("topic", "")
            visit = self._ids.get(row["visit"], first_of.get(row["site"]))
            if row["site"] not in self._sites:
                continue
            filled = self._tuple("forms", {**row, "visit": visit})
            if visit is not None and _can(lambda cells: form_of(cells[1:], Site("")), filled):
                self._kept["forms"].append(filled)

    def _mend_saved(self) -> None:
        """What was learned counts only as it was written: half of it would mislead."""
        sums = {row["first"]: row["sum"] for row in self._found["sums"] if row["kind"] == "saved"}
        for row in sorted(self._found["saved"], key=lambda row: str(row["key"])):
            key, value = row["key"], row["value"]
            number = to_signed(text_hash(key))
            if number in sums and sums[number] != sum_of([(number, key, value)]):
                continue
            if key == "config" and not _can(json.loads, value):
                continue
            self._kept["saved"].append((key, value))

    def _mend_harvest(self, harvest: int) -> None:
        queries = self._whole("queries", harvest, lambda row: query_of(row), "number")
        records = self._whole("records", harvest, lambda row: record_of(row[1:]), "id")
        pages = self._whole("result_pages", harvest, lambda row: page_of(row[1:]), "seq")
        numbers = {row["number"]: new for new, row in enumerate(queries, start=1)}
        self._put("queries", ({**row, "number": numbers[row["number"]]} for row in queries))
        records = [row for row in records if row["query"] in numbers]
        # A damaged key would be another record to whoever meets it again.
        records = [row for row in records if to_signed(text_hash(row["key"])) == row["hash"]]
        records = list({row["hash"]: row for row in records}.values())
        held = {row["hash"] for row in records}
        shown = {(row["query"], row["number"]): row for row in pages if row["query"] in numbers}
        first_on: dict[tuple[int, int], list[dict[str, Any]]] = {}
        for row in records:
            first_on.setdefault((row["query"], row["page"]), []).append(row)
        for place, fresh in first_on.items():
            shown.setdefault(place, _page_of_records(harvest, place, fresh))
        self._put_pages(shown, first_on, held, numbers)

    def _put_pages(
        self,
        shown: dict[tuple[int, int], dict[str, Any]],
        first_on: Mapping[tuple[int, int], list[dict[str, Any]]],
        held: set[int],
        numbers: Mapping[int, int],
    ) -> None:
        """Pages show the records that are left, and records are numbered as pages showed them."""
        met = Counter[int]()
        rows: list[dict[str, Any]] = []
        new_numbers: dict[int, int] = {}
        for place in sorted(shown):
            page, fresh = shown[place], sorted(first_on.get(place, ()), key=lambda r: r["position"])
            keys = [to_signed(key) for key in np.frombuffer(page["keys"], "<u8").tolist()]
            keys = [key for key in keys if key in held]
            keys += [row["hash"] for row in fresh if row["hash"] not in keys]
            met.update(keys)
            packed = np.array(keys, "<i8").tobytes()
            number = len(self._kept["result_pages"]) + 1
            filled = {**page, "seq": number, "query": numbers[place[0]], "keys": packed}
            self._put("result_pages", [{**filled, "fresh": len(fresh)}])
            rows += fresh
        for row in rows:
            number = len(self._kept["records"]) + 1
            new_numbers[row["id"]] = number
            filled = {**row, "id": number, "query": numbers[row["query"]]}
            self._put("records", [{**filled, "sightings": met[row["hash"]]}])
        details = [row for row in self._found["details"] if row["record"] in new_numbers]
        details = [row for row in details if _is_whole(row, "details")]
        moved = ({**row, "record": new_numbers[row["record"]]} for row in details)
        self._put("details", sorted(moved, key=lambda row: row["record"]))

    def _whole(
        self, table: str, harvest: int, read: Callable[[Row], object], key: str
    ) -> list[dict[str, Any]]:
        rows = [row for row in self._found[table] if row["harvest"] == harvest]
        rows = [
            row for row in rows if _is_whole(row, table) and _can(read, self._tuple(table, row))
        ]
        return sorted(rows, key=lambda row: row[key])


_MAY_LACK = frozenset(
    {"final_url", "relevance", "reward", "done_at", "before", "held_matches", "total", "url"}
    | {"fresh_expected", "cost_expected", "max_pages", "kind", "returned", "fresh", "pages"}
    | {"is_total_exact", "requests", "is_cut", "is_left", "ended", "turn", "searchable", "topic"}
)


def _is_whole(row: Mapping[str, Any], table: str) -> bool:
    """Whether nothing is missing that has to be there."""
    needed = (name for name in COLUMNS[table].split(", ") if name not in _MAY_LACK)
    return all(row.get(name) is not None for name in needed)


def _can(read: Callable[[Any], object], value: Any) -> bool:
    with suppress(msgspec.MsgspecError, ValueError, TypeError, LookupError):
        read(value)
        return True
    return False


def _name_sites(
    sites: Iterable[Mapping[str, Any]], urls: Collection[Mapping[str, Any]]
) -> dict[int, str]:
    """The names of sites by their numbers, so that each name has one and every URL's is there.

    A flipped byte may have changed a number or a name anywhere, also to a number of many digits, so
    that neither is believed alone: what most URLs of a number say counts more than the site's row.
    """
    known = {row["id"]: row["site"] for row in sites if row["site"]}
    said: dict[int, Counter[str]] = {}
    for row in urls:
        said.setdefault(row["site"], Counter())[site_of(row["url"])] += 1
    # Numbers are dense; rows may be lost, but not so many that it pays to keep their gaps.
    most = 2 * (len(known) + len(urls)) + 1_000
    names: dict[int, str] = {}
    taken: dict[str, int] = {}
    for number in sorted({*known, *said}):
        votes = said.get(number, Counter())
        name = known.get(number, "")
        if votes and name not in votes:
            name = votes.most_common(1)[0][0]
        if name and 0 <= number < most and name not in taken:
            names[number], taken[name] = name, number
    for row in urls:
        name = site_of(row["url"])
        if name not in taken:
            taken[name] = number = max(names, default=-1) + 1
            names[number] = name
    return names


def _candidate_of(visit: Mapping[str, Any]) -> dict[str, Any]:
    """A candidate whose row is lost and which was visited."""
    return {
        "id": visit["id"],
        "url": visit["url"],
        "site": visit["site"],
        "tier": 0,
        "score": math.nan,
        "why": "salvaged: only its visit was left",
        "depth": 0,
        "parent": None,
        "anchor": "",
        "around": "",
        "tag_path": "",
        "features": b"",
        "skip": "",
    }


def _page_of_records(
    harvest: int, place: tuple[int, int], fresh: list[dict[str, Any]]
) -> dict[str, Any]:
    """A result page that is lost, by the records that were first seen on it."""
    return {
        "harvest": harvest,
        "query": place[0],
        "number": place[1],
        "at": fresh[0]["at"],
        "kind": "records",
        "url": "",
        "requests": 1,
        "total": None,
        "is_total_exact": 0,
        "why": "salvaged: only its records were left",
        "turn": None,
        "keys": b"",
        "fresh": len(fresh),
    }


def _seq(row: Mapping[str, Any]) -> int:
    return int(row["seq"])
