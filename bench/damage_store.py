"""How much of the damage that a disk does to a store file does `leadline store check` notice?

    python bench/damage_store.py                 2,000 flips, some minutes
    python bench/damage_store.py --flips 200     quicker

A store of a real crawl and a harvest (tests/store/damaged.py) gets one other byte at a random place
of a page that is in use, again and again, always from the whole file. A flip counts if it changes
content: what a scan of all tables, the list of tables or the format gives is another, or cannot be
read. The others fell on room that no row uses, on an index, or on numbers that SQLite ignores.
Each damaged file is then salvaged too. The last line is JSON.
"""

import argparse
import json
import random
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

import msgspec
import xxhash
from tests.store.damaged import copy_store, crawl_store, flip_byte
from tests.ui import small_web

from leadline.errors import StoreError
from leadline.store.care.checks import check_file
from leadline.store.care.salvage import salvage


def digest_content(path: Path) -> int | None:
    """Of everything a reader gets; None if it cannot be read."""
    query = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    held: list[object] = []
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        connection.text_factory = bytes
        try:
            for pragma in ("user_version", "application_id"):
                held += connection.execute(f"PRAGMA {pragma}").fetchall()
            held += connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema")
            for (name,) in connection.execute(query).fetchall():
                table = name.decode()
                if table != "sums":
                    held += connection.execute(f"SELECT * FROM {table} NOT INDEXED")
            return xxhash.xxh3_64_intdigest(msgspec.msgpack.encode(held))
        except (sqlite3.Error, UnicodeDecodeError):
            return None


def is_noticed(path: Path) -> bool:
    try:
        return bool(check_file(path).damage)
    except StoreError:
        return True


def salvage_share(path: Path, rows: int) -> float:
    """The share of rows that are in the salvaged store."""
    target = path.with_name("salvaged.leadline")
    target.unlink(missing_ok=True)
    try:
        tables = salvage(path, target).tables
    except StoreError:
        return 0.0
    return min(1.0, sum(table.kept for table in tables.values()) / rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--flips", type=int, default=2_000)
    parser.add_argument("--pages", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    small_web.LATENCY_S = (0.0, 0.0)
    dice = random.Random(options.seed)
    changed = noticed = elsewhere = elsewhere_noticed = 0
    shares: list[float] = []
    missed: list[int] = []
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole" / "crawl.leadline"
        whole.parent.mkdir()
        with small_web.serving() as port:
            crawl_store(whole, port, options.pages)
        assert not is_noticed(whole)
        content = digest_content(whole)
        target = Path(folder) / "whole.leadline"
        rows = sum(table.kept for table in salvage(whole, target).tables.values())
        begun = time.monotonic()
        check_file(whole)
        check_s = time.monotonic() - begun
        for _ in range(options.flips):
            path = copy_store(whole, Path(folder))
            at = flip_byte(path, dice)
            is_seen = is_noticed(path)
            if digest_content(path) == content:
                elsewhere, elsewhere_noticed = elsewhere + 1, elsewhere_noticed + is_seen
                continue
            changed, noticed = changed + 1, noticed + is_seen
            shares.append(salvage_share(path, rows))
            if not is_seen:
                missed.append(at)
        figures = {
            "flips": options.flips,
            "changed_content": changed,
            "noticed": noticed,
            "noticed_share": round(noticed / changed, 4),
            "missed_at": missed,
            "no_content": elsewhere,
            "no_content_noticed": elsewhere_noticed,
            "salvaged_rows_mean": round(sum(shares) / len(shares), 4),
            "salvaged_rows_least": round(min(shares), 4),
            "store_bytes": whole.stat().st_size,
            "check_s": round(check_s, 3),
        }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
