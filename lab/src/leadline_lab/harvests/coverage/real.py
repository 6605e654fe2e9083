"""Real records behind a search engine that nobody here wrote: SQLite's full-text search.

The size model is fitted to sources of the lab; these have other texts, another index and another
ranking, and are never fitted to. Records are read from `*.jsonl.gz` in a folder of real data.
"""

import gzip
import json
import re
import sqlite3
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from pathlib import Path

from leadline.core.harvest import NOTHING, RESULTS, Answer, Cell, NextPage, Query, Record
from leadline.core.http import Request
from leadline.core.url import Url
from leadline.harvester.interface import Box, Interface
from leadline_lab.harvests.cases import Case, Kind
from leadline_lab.harvests.coverage.plan import DEFAULT
from leadline_lab.harvests.coverage.traces import Ground, Trace, TraceFolder, trace

_WORDS = re.compile(r"\w+").findall
_PAGE = 20
_SIZES = (1_000, 5_000)
_CAPS = (0, 100, 20)
_POLICIES = (DEFAULT, "random", "gf")
_MAX_CHARS = 600
"""Of a field: what a list of results shows."""
_FIRST_WORDS = ("the", "new", "of", "a", "in", "international")
_FIRST_SEED = 10_000
"""Far from the lab's."""


class RealSource:
    """A table of records, searched by SQLite with all words required; best matches first under a
    cap, in the order of the table otherwise."""

    def __init__(self, rows: list[dict[str, str]], *, cap: int, prints_total: bool) -> None:
        self._rows = rows
        self._cap = cap
        self._prints_total = prints_total
        self._fields = list(dict.fromkeys(name for row in rows for name in row))
        self._table = sqlite3.connect(":memory:")
        names = ", ".join(f'"{name}"' for name in self._fields)
        self._table.execute(f"create virtual table found using fts5({names})")
        marks = ", ".join("?" for _ in range(len(self._fields) + 1))
        self._table.executemany(
            f"insert into found(rowid, {names}) values ({marks})",  # noqa: S608
            (
                [number, *(row.get(name, "") for name in self._fields)]
                for number, row in _numbered(rows)
            ),
        )

    def answer(self, query: Query, page: int) -> Answer:
        words = _WORDS(dict(query.values).get("q", ""))
        found = self._matching(tuple(words)) if words else ()
        shown = found[: self._cap or None]
        listed = shown[(page - 1) * _PAGE : page * _PAGE]
        if not listed:
            return Answer(NOTHING)
        total = len(found) if self._prints_total else None
        turn = NextPage(Request(Url(f"http://real.test/?{page + 1}")), "number", page + 1)
        return Answer(
            RESULTS,
            tuple(self._record(number) for number in listed),
            total,
            is_total_exact=self._prints_total,
            next_page=turn if page * _PAGE < len(shown) else None,
        )

    @lru_cache(maxsize=8)  # noqa: B019
    def _matching(self, words: tuple[str, ...]) -> tuple[int, ...]:
        wanted = " AND ".join(f'"{word}"' for word in words)
        order = "rank, rowid" if self._cap else "rowid"
        asked = f"select rowid from found where found match ? order by {order}"  # noqa: S608
        return tuple(row[0] for row in self._table.execute(asked, (wanted,)))

    def _record(self, number: int) -> Record:
        row = self._rows[number - 1]
        cells = tuple(Cell(name, text) for name, text in row.items() if text)
        return Record(str(number), next(iter(row.values())), cells)


def real_traces(data: Path, folder: TraceFolder, requests: int) -> Iterator[Trace]:
    """Harvests of every table, cap and size, policies and totals in turns; kept as they end."""
    files = sorted((data / "records").glob("*.jsonl.gz"))
    kinds = product(files, _CAPS, _SIZES)
    for number, (file, cap, size) in enumerate(kinds):
        name = file.name.partition(".")[0]
        case = Case(
            Kind(form=name, cap=cap, ranking="relevance" if cap else "static"),
            _FIRST_SEED + number,
            size,
        )
        policy = _POLICIES[number % len(_POLICIES)]
        if folder.has(case, policy):
            continue
        rows = _rows(file, size)
        source = RealSource(rows, cap=cap, prints_total=number % 2 == 0)
        total = "exact" if number % 2 == 0 else "absent"
        interface = Interface(boxes=(Box("q"),), words=_FIRST_WORDS)
        kept = trace(
            source, Ground(case, interface, len(rows), len(rows), cap, total), policy, requests
        )
        folder.put(kept)
        yield kept


def _numbered(rows: list[dict[str, str]]) -> Iterator[tuple[int, dict[str, str]]]:
    return enumerate(rows, 1)


def _rows(file: Path, size: int) -> list[dict[str, str]]:
    """Every so many lines, so that the whole file is sampled."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        told = [line for line in lines if line.strip()]
    step = max(1, len(told) // size)
    return [_row(json.loads(line)) for line in told[::step][:size]]


def _row(told: dict[str, object]) -> dict[str, str]:
    return {
        name: (", ".join(map(str, value)) if isinstance(value, list) else str(value))[:_MAX_CHARS]
        for name, value in told.items()
    }
