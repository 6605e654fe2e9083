"""How long a page of the table of records takes.

    python -m bench.records_page                       100,000 things
    python -m bench.records_page --records 1000000

The table is made up: seven columns, a tenth of the things in several sources. The application is
asked in this process without a socket, one address after the other: `first` is when nothing of it
is remembered yet, `then` the median of the next ones. The last line is JSON.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from tests.records.made_harvests import make_store

from leadline.records.dataset import (
    COLUMNS,
    ORIGINS,
    THINGS,
    VALUES,
    DataColumn,
    Origin,
    OriginValue,
    make_thing_type,
)
from leadline.records.exporters import ExportedTable, SqliteExporter
from leadline.records.things_file import FILE, index_things
from leadline.ui.web.app import make_app
from leadline.ui.web.things_cache import ThingsCache

LIMIT_MS = 300.0
_TIMES = 5
_WORDS = 30_000
_KINDS = (
    ("name", "text", "text", ""),
    ("author", "person", "list", ""),
    ("publisher", "text", "text", ""),
    ("publication_date", "date", "text", ""),
    ("pages", "number", "integer", ""),
    ("price", "money", "number", "EUR"),
    ("url", "url", "text", ""),
)
_COLUMNS = tuple(
    DataColumn(name, kind, written, unit, "", 1.0, 0, 1.0, (), "")
    for name, kind, written, unit in _KINDS
)
_TEXT = "z1"
"""The most frequent word: half of all names have it."""
ASKED = {
    "first page": "",
    "page in the middle": "offset={half}",
    "last page": "offset={last}",
    "by a number, middle": "sort=-price&offset={half}",
    "by a text, middle": "sort=name&offset={half}",
    "rare words": "q=z2999+z3",
    "a frequent word, by price, middle": f"q={_TEXT}&sort=-price&offset={{quarter}}",
    "part of a text": "name.has=z49&sort=name",
    "part of a frequent text": f"name.has={_TEXT}&sort=price",
    "numbers between": "pages.from=100&pages.to=600&sort=-pages",
    "dates between": "publication_date.from=1950&publication_date.to=2005-06&sort=name",
    "all of it": f"q={_TEXT}&price.from=10&pages.to=900&sources.from=1&sort=-publication_date",
    "conflicts": "conflicts.is=yes",
}


class MadeUp:
    """Makes a table of so many things."""

    def __init__(self, records: int) -> None:
        self._records = records

    def __call__(self, place: Path | str, folder: Path) -> None:  # noqa: ARG002
        kind = make_thing_type(_COLUMNS)
        with (folder / FILE).open("wb") as out:
            tables = [
                ExportedTable(THINGS, kind, self._things(kind), is_searched=True),
                ExportedTable(ORIGINS, Origin, self._origins()),
                ExportedTable(VALUES, OriginValue, self._values()),
                ExportedTable(COLUMNS, DataColumn, _COLUMNS),
            ]
            SqliteExporter().write_tables(tables, out)
        index_things(folder)

    def stop(self) -> None:
        """It ends by itself."""

    def _things(self, kind: Any) -> Iterator[Any]:
        rng = np.random.default_rng(1)
        for start in range(0, self._records, 10_000):
            words = np.minimum(rng.zipf(1.4, (10_000, 8)), _WORDS)
            numbers = rng.random((10_000, 4))
            for at in range(min(10_000, self._records - start)):
                w, (a, b, c, d) = [f"z{n}" for n in words[at].tolist()], numbers[at].tolist()
                date = f"{1900 + int(120 * a)}-{1 + int(12 * b):02}-{1 + int(28 * c):02}"
                name, author = " ".join(w[:5]), (f"{w[5]} {w[6]}",)
                site = f"https://s{int(40 * d)}.example/{start + at}"
                cells = (name, author, w[7], date, int(1000 * b), round(100 * c, 2), site)
                conflicts = ("price",) if d < 0.01 else ()
                yield kind(start + at + 1, *cells, 1 + (d < 0.1), conflicts)

    def _origins(self) -> Iterator[Origin]:
        for n in range(1, self._records + 1):
            where = "s.example", "form", n, f"https://s.example/{n}"
            yield Origin(n, *where, "2026-01-01T00:00:00", 1.0)

    def _values(self) -> Iterator[OriginValue]:
        for n in range(1, self._records + 1):
            said = "3.5", "EUR", "money", "3,50 €", True, "s.example", n, "https://s.example/"
            yield OriginValue(n, "price", *said)


async def measure(records: int, folder: Path) -> dict[str, Any]:
    path = folder / "made.leadline"
    make_store({"shop": [{"title": "a"}]}, str(path)).close()
    cache = ThingsCache(MadeUp(records))
    begun = time.perf_counter()
    cache.look(path, 1)
    cache.wait()
    made_s = time.perf_counter() - begun
    app = make_app({"made": path}, things=cache)
    places = {"half": records // 2, "quarter": records // 8, "last": records - 10}
    found: dict[str, list[float]] = {}
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        for name, query in ASKED.items():
            taken = []
            for _ in range(_TIMES + 1):
                begun = time.perf_counter()
                answer = await client.get(f"/made/records?{query.format(**places)}")
                taken.append(round(1000 * (time.perf_counter() - begun), 1))
                answer.raise_for_status()
            found[name] = [taken[0], statistics.median(taken[1:])]
            print(f"{found[name][0]:8.1f} {found[name][1]:8.1f} ms  {name}")
        begun = time.perf_counter()
        (await client.get(f"/made/records/{records // 2}")).raise_for_status()
        found["where a thing comes from"] = [round(1000 * (time.perf_counter() - begun), 1)] * 2
    file, _ = cache.look(path, 1)
    assert file is not None
    size_mb = round(file.path.stat().st_size / 1e6)
    for mirror in app.state.stores.values():
        mirror.close()
    cache.close()
    slowest = max(found, key=lambda name: found[name][0])
    return {
        "records": records,
        "made_s": round(made_s, 1),
        "size_mb": size_mb,
        "slowest": slowest,
        "first_max_ms": found[slowest][0],
        "then_max_ms": max(then for _, then in found.values()),
        "is_within_limit": found[slowest][0] < LIMIT_MS,
        "ms": found,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measure(options.records, Path(folder)))))


if __name__ == "__main__":
    main()
