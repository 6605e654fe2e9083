"""`leadline store check`: whether a store file holds what was written into it.

Four looks, each at what the others cannot see: SQLite's own at the structure of its pages, the
log's checksums at what was not copied into the file yet, ours (store/sums.py) at the content of
rows, and the references between tables, which also tell of what is gone without a trace.
"""
# ruff: noqa: S608 - the only words put into queries are names of our own

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
from msgspec import MsgspecError, Struct

from leadline.core.secrets import find_secrets
from leadline.core.url import Site
from leadline.errors import (
    DamagedStoreError,
    LeaseLostError,
    StoreError,
    StoreLockedError,
    StoreUnreachableError,
    StoreVersionError,
)
from leadline.frontier.seen_urls import text_hash
from leadline.store.address import is_url
from leadline.store.care.wal import read_wal, wal_path
from leadline.store.damage import DAMAGE_SIGNS, explain_sqlite, find_file_fault, make_damage_error
from leadline.store.harvests.rows import (
    HARVEST_COLUMNS,
    OUTCOME_COLUMNS,
    PAGE_COLUMNS,
    QUERY_COLUMNS,
    RECORD_COLUMNS,
    harvest_of,
    page_of,
    query_of,
    record_of,
)
from leadline.store.lock import is_locked
from leadline.store.rows import FORM_COLUMNS, form_of
from leadline.store.schema import MIGRATIONS, WITH_HARVESTS, WITH_SUMS, WITH_TOPICS, check_version
from leadline.store.sums import SIGHTINGS, SUMMED, keyed_rows, read_sums, sum_of

MOST_FINDINGS = 20
"""Of one look: a damaged page gives hundreds that say the same."""
HEADER = b"SQLite format 3\0"


class Finding(Struct, frozen=True):
    """Something that is wrong."""

    where: str
    """The table, or the part of the file."""
    what: str


class StoreCheck(Struct, frozen=True):
    """What a check has come to."""

    store: str
    format: int
    rows: dict[str, int]
    """In each table."""
    summed: int
    """Rows with a checksum."""
    unsummed: int
    """Rows that an older leadline wrote, which have none."""
    damage: list[Finding]
    notes: list[Finding]
    """What is worth knowing and no damage."""


def check_file(path: Path) -> StoreCheck:
    """Everything that is wrong with a store file. Raises StoreError where nothing can be read."""
    fault = find_file_fault(path) or ("" if path.stat().st_size else "it is empty")
    if fault:
        raise StoreError(f"{path} cannot be checked: {fault}; name a store file")
    damage = list(_check_size(path))
    notes: list[Finding] = []
    if not is_locked(path):
        damage += _check_log(path)
    with closing(_open(path)) as connection:
        version = _read_version(connection, path)
        damage += _check_pages(connection)
        damage += _guard("schema", lambda: _check_schema(connection, version))
        rows = dict[str, int]()
        summed = unsummed = 0
        for kind in SUMMED:
            if not _has_table(connection, SUMMED[kind].table):
                continue
            found, counted = _check_sums(connection, kind, has_sums=version >= WITH_SUMS)
            damage += found
            rows[SUMMED[kind].table] = rows.get(SUMMED[kind].table, 0) + sum(counted)
            summed, unsummed = summed + counted[0], unsummed + counted[1]
        for name, look in _logical_checks(connection, version).items():
            damage += _guard(name, look)
        notes += _guard("saved", lambda: _check_secrets(connection))
    return StoreCheck(str(path), version, rows, summed, unsummed, damage, notes)


@contextmanager
def blame_damage(place: Path | str) -> Iterator[None]:
    """Whatever fails inside because the store file is damaged fails with the error that says so.

    Damage gets anywhere: a number that is none, a name that is not there. Rather than guarding each
    line that reads, the file is checked when something has failed that may come of it."""
    try:
        yield
    except (StoreLockedError, StoreVersionError, StoreUnreachableError, LeaseLostError):
        raise
    except DAMAGE_SIGNS as error:
        is_file = not is_url(place) and Path(place).is_file()
        found = find_damage(Path(place)) if is_file else None
        if found is None:
            raise
        raise found from error


def find_damage(path: Path) -> DamagedStoreError | None:
    """The error of a damaged store; None if nothing is wrong with it."""
    try:
        found = check_file(path).damage
    except DamagedStoreError as error:
        return error
    except StoreError:
        return None
    if not found:
        return None
    return make_damage_error(path, f"{found[0].where}: {found[0].what}")


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None
    )
    # Text that is no text must not end the look at a whole table: it fails its checksum.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    return connection


def _read_version(connection: sqlite3.Connection, path: Path) -> int:
    try:
        # One moment of a file that may be written meanwhile.
        connection.execute("BEGIN")
        return check_version(connection, path)
    except sqlite3.Error as error:
        raise explain_sqlite(path, error) from error
    except UnicodeDecodeError as error:
        # SQLite's own message, about a table whose damaged name is no text.
        raise make_damage_error(path, "its list of tables is unreadable") from error


def _check_size(path: Path) -> Iterator[Finding]:
    with path.open("rb") as file:
        head = file.read(100)
    if not head.startswith(HEADER):
        raise make_damage_error(path, "its first bytes are not those of a SQLite file")
    size = int.from_bytes(head[16:18], "big")
    size = 1 << 16 if size == 1 else size
    held, told = path.stat().st_size, int.from_bytes(head[28:32], "big") * size
    if held < told and not wal_path(path).exists():
        yield Finding("file", f"it is cut: {held:,} of {told:,} bytes are there")


def _check_log(path: Path) -> Iterator[Finding]:
    log = read_wal(path)
    if log.fault:
        yield Finding("log", f"{wal_path(path)}: {log.fault}; what was only in it is lost")
    elif log.size_bytes and log.size_bytes < path.stat().st_size:
        # A store never shrinks: rows go, pages stay.
        yield Finding(
            "log",
            f"{wal_path(path)} is of another file: move it away, then check again",
        )
    elif log.unread:
        yield Finding(
            "log",
            f"{wal_path(path)} breaks off after {log.frames} pages; the last {log.unread} are lost",
        )


def _check_pages(connection: sqlite3.Connection) -> list[Finding]:
    query = f"PRAGMA integrity_check({MOST_FINDINGS})"
    try:
        lines = [str(row[0]) for row in connection.execute(query)]
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return [Finding("pages", str(error))]
    return [Finding("pages", line) for line in lines if line != "ok"]


def _check_schema(connection: sqlite3.Connection, version: int) -> Iterator[Finding]:
    with closing(sqlite3.connect(":memory:")) as fresh:
        fresh.executescript(";".join(MIGRATIONS[:version]))
        wanted = set(_read_schema(fresh))
    held = set(_read_schema(connection))
    for _, name, _, _ in sorted(wanted - held, key=str):
        yield Finding("schema", f"{name} is missing or not as format {version} has it")
    for kind, name, _, _ in sorted(held - wanted, key=str):
        if name not in {entry[1] for entry in wanted}:
            yield Finding("schema", f"there is a {kind} {name}, which is none of ours")


def _read_schema(connection: sqlite3.Connection) -> list[tuple[str, str, str, str]]:
    # ANALYZE and people's own indexes are not ours to complain of.
    query = (
        "SELECT type, name, tbl_name, sql FROM sqlite_schema"
        " WHERE name NOT LIKE 'sqlite_stat%' AND (type <> 'index' OR sql IS NULL)"
    )
    return connection.execute(query).fetchall()


def _has_table(connection: sqlite3.Connection, name: str) -> bool:
    query = "SELECT 1 FROM sqlite_schema WHERE name = ? AND type = 'table'"
    return connection.execute(query, (name,)).fetchone() is not None


def _check_sums(
    connection: sqlite3.Connection, kind: str, *, has_sums: bool
) -> tuple[list[Finding], tuple[int, int]]:
    """What is wrong, and how many rows have a checksum and how many none."""
    damage: list[Finding] = []
    summed = unsummed = 0
    try:
        sums = iter(read_sums(connection, kind) if has_sums else ())
        rows = keyed_rows(connection, kind)
        row = next(rows, None)
        for first, last, told in sums:
            while row is not None and row[0] < first:
                unsummed, row = unsummed + 1, next(rows, None)
            held = []
            while row is not None and row[0] <= last:
                held.append(row)
                row = next(rows, None)
            summed += len(held)
            if not held or sum_of(held) != told:
                where = f"row {first}" if first == last else f"rows {first} to {last}"
                damage.append(Finding(SUMMED[kind].table, f"{where} are not as they were written"))
        unsummed += sum(1 for _ in rows) + (row is not None)
    except (sqlite3.Error, TypeError, ValueError, OverflowError, MsgspecError) as error:
        damage.append(Finding(SUMMED[kind].table, f"cannot be read to its end: {error}"))
    return damage[:MOST_FINDINGS], (summed, unsummed)


def _guard(where: str, look: Callable[[], Iterator[Finding] | list[Finding]]) -> list[Finding]:
    """A look at values of which none can be trusted."""
    found: list[Finding] = []
    try:
        for finding in look():
            found.append(finding)
            if len(found) == MOST_FINDINGS:
                break
    except (sqlite3.Error, MsgspecError, ValueError, TypeError, LookupError, ArithmeticError) as e:
        found.append(Finding(where, f"cannot be understood: {e}"))
    return found


def _logical_checks(
    connection: sqlite3.Connection, version: int
) -> dict[str, Callable[[], Iterator[Finding]]]:
    looks: dict[str, Callable[[], Iterator[Finding]]] = {
        "arrivals": lambda: _check_arrivals(connection),
        "references": lambda: _check_references(connection, version),
        "forms": lambda: _check_forms(connection, version),
        "saved": lambda: _check_saved(connection),
    }
    if version >= WITH_HARVESTS:
        looks["harvests"] = lambda: _check_harvests(connection, version)
    return looks


def _check_arrivals(connection: sqlite3.Connection) -> Iterator[Finding]:
    """Each candidate has its cell in the columns that are read in bulk."""
    rows = iter(connection.execute("SELECT id, url, site FROM urls ORDER BY id"))
    expected = 1
    blocks = connection.execute("SELECT first, hashes, sites, ranks FROM arrivals ORDER BY first")
    for first, *cells in blocks.fetchall():
        hashes, sites, ranks = (
            np.frombuffer(cell, kind)
            for cell, kind in zip(cells, ("<u8", "<i4", "<i8"), strict=True)
        )
        if first != expected or not len(hashes) == len(sites) == len(ranks):
            yield Finding("arrivals", f"the block from {first} does not follow on {expected - 1}")
            return
        for at in range(len(hashes)):
            number, url, site = next(rows, (None, "", 0))
            if number != expected or text_hash(url) != hashes[at] or site != sites[at]:
                yield Finding("urls", f"candidate {expected} is not the one that was met")
                return
            expected += 1
    if next(rows, None) is not None:
        yield Finding("urls", f"there are candidates from {expected} on that never arrived")


_REFERENCES = (
    ("urls", "site", "sites", "id"),
    ("urls", "parent", "urls", "id"),
    ("visits", "id", "urls", "id"),
    ("visits", "site", "sites", "id"),
    ("forms", "visit", "urls", "id"),
    ("forms", "site", "sites", "id"),
    ("states", "site", "sites", "id"),
    ("site_ranks", "site", "sites", "id"),
)
_HARVEST_REFERENCES = (
    ("queries", "harvest", "harvests", "id"),
    ("result_pages", "harvest", "harvests", "id"),
    ("records", "harvest", "harvests", "id"),
    ("details", "record", "records", "id"),
)


def _check_references(connection: sqlite3.Connection, version: int) -> Iterator[Finding]:
    more = _HARVEST_REFERENCES if version >= WITH_HARVESTS else ()
    for table, column, target, key in (*_REFERENCES, *more):
        (lost,) = connection.execute(
            f"SELECT count(*) FROM {table} WHERE {column} IS NOT NULL"
            f" AND {column} NOT IN (SELECT {key} FROM {target})"
        ).fetchone()
        if lost:
            yield Finding(table, f"{lost} rows name a row of {target} that is not there")
    if version >= WITH_HARVESTS:
        (lost,) = connection.execute(
            "SELECT count(*) FROM result_pages AS p WHERE NOT EXISTS (SELECT 1 FROM queries AS q"
            " WHERE q.harvest = p.harvest AND q.number = p.query)"
        ).fetchone()
        if lost:
            yield Finding("result_pages", f"{lost} are of queries that are not there")


def _check_forms(connection: sqlite3.Connection, version: int) -> Iterator[Finding]:
    columns = FORM_COLUMNS if version >= WITH_TOPICS else FORM_COLUMNS.replace("topic", "''")
    met = 0
    for row in connection.execute(f"SELECT {columns} FROM forms ORDER BY id"):
        form = form_of(row, Site(""))
        met += form.sightings
        if form.judged.signature != row[0]:
            yield Finding("forms", f"form {row[0]} is another form inside")
    if version >= WITH_SUMS and read_sums(connection, SIGHTINGS) != [(0, 0, met)]:
        yield Finding("forms", "they were not met as often as they say")


def _check_saved(connection: sqlite3.Connection) -> Iterator[Finding]:
    for key, value in connection.execute("SELECT key, value FROM saved WHERE key = 'config'"):
        try:
            json.loads(value)
        except ValueError as error:
            yield Finding("saved", f"{key} is no JSON: {error}")


def _check_harvests(connection: sqlite3.Connection, version: int) -> Iterator[Finding]:
    held = QUERY_COLUMNS if version >= 5 else QUERY_COLUMNS.replace("held_matches", "NULL")
    for row in connection.execute(f"SELECT {HARVEST_COLUMNS} FROM harvests ORDER BY id"):
        harvest = harvest_of(row)
        asked = connection.execute(
            f"SELECT {held}, {OUTCOME_COLUMNS} FROM queries WHERE harvest = ? ORDER BY number",
            (harvest.id,),
        )
        numbers = [query_of(query).number for query in asked]
        if numbers != list(range(1, len(numbers) + 1)):
            yield Finding("queries", f"harvest {harvest.id} lacks some of its queries")
        yield from _check_records(connection, harvest.id)


def _check_records(connection: sqlite3.Connection, harvest: int) -> Iterator[Finding]:
    """What result pages showed is what records say of how often they were met."""
    met: dict[int, int] = {}
    fresh = 0
    pages = connection.execute(
        f"SELECT {PAGE_COLUMNS} FROM result_pages WHERE harvest = ? ORDER BY seq", (harvest,)
    )
    for page in map(page_of, pages):
        fresh += page.fresh
        for key in page.keys:
            met[key] = met.get(key, 0) + 1
    held = 0
    for row in connection.execute(
        f"SELECT {RECORD_COLUMNS} FROM records WHERE harvest = ? ORDER BY id", (harvest,)
    ):
        record, held = record_of(row), held + 1
        if met.get(text_hash(record.key)) != row[-1]:
            yield Finding("records", f"{record.key!r} was not met {row[-1]} times")
    if held != fresh or held != len(met):
        yield Finding("records", f"harvest {harvest} has {held} of {len(met)} records it showed")


def _check_secrets(connection: sqlite3.Connection) -> Iterator[Finding]:
    for (value,) in connection.execute("SELECT value FROM saved WHERE key = 'config'"):
        for name in find_secrets(json.loads(value)):
            yield Finding(
                "saved",
                f"the settings of the last run hold a password ({name}), kept by an older "
                "leadline: change it, and crawl into a new store or resume once, then VACUUM",
            )
