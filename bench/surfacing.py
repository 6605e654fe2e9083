"""The comparison of L. Jiang et al., PAKDD 2010, on real tables behind the boxes that it supposes.

    python -m bench.surfacing --data FOLDER --records 5000 --queries 300
    python -m bench.surfacing --data FOLDER --tables reuters --askers "rl h=1" gf --pools 100 2000

Each table stands behind two boxes: one that searches a single field (a title, a name), and one that
searches all text but stop words, as full-text indexes do. What a policy learns from is either what
a list of results shows (the field and a line of the text) or the record's own page (all of it), and
the words that it considers are the best of so many. A query is one, however many pages its answer
has, and nothing is capped, as in the paper. Records beyond those asked for are left out by a hash.
The last line is one JSON object: for each setting and asker the area under coverage by queries,
coverage at the end, and queries that found nothing.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import stopwordsiso
import xxhash
from tests.realdata.conftest import find_data, read_rows

from leadline.core.harvest import NOTHING, RESULTS, Cell, Outcome, Record
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Box, Interface
from leadline.harvester.policies import make_policy
from leadline.page.words import split_words

STOP_WORDS = frozenset(stopwordsiso.stopwords("en"))
_LINE = 120
"""Letters of the text that a list of results shows."""
_RANK, _WORDS = 50, 5
"""Words to begin with, and how many are more frequent: a form's page shows words of what it is
about, and a first stop word would bring a third of a table before any policy chose."""
_FIELDS = {
    "debian": ("summary", ("name", "section", "description")),
    "movies": ("title", ("cast", "genres", "extract")),
    "reuters": ("title", ("topics", "places", "body")),
    "books": ("title", ("authors", "language_code", "original_publication_year")),
}
"""The field that a box searches, and the others of the table."""
ASKERS: dict[str, tuple[str, dict[str, object]]] = {
    "rl h=0": ("rl", {"steps": 0}),
    "rl h=1": ("rl", {"steps": 1}),
    "rl h=2": ("rl", {"steps": 2}),
    "rl literal h=0": ("rl", {"reading": "literal", "steps": 0}),
    "rl literal h=1": ("rl", {"reading": "literal", "steps": 1}),
    "rl literal h=2": ("rl", {"reading": "literal", "steps": 2}),
    "gf": ("gf", {}),
    "zipf": ("zipf", {}),
    "random": ("random", {}),
    "yield_per_cost": ("yield_per_cost", {}),
}
_UNPOOLED = ("yield_per_cost",)
"""Askers without a pool of so many words."""


class Table(NamedTuple):
    """Records, and which have each word in what a box searches."""

    shown: list[Record]
    by_word: dict[str, set[int]]
    words: tuple[str, ...]

    @property
    def reachable(self) -> int:
        return len(set().union(*self.by_word.values()))


def text_of(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value or "")


def make_table(
    rows: Iterable[dict[str, Any]], name: str, *, is_field: bool, is_page: bool
) -> Table:
    field, others = _FIELDS[name]
    shown: list[Record] = []
    index: dict[str, set[int]] = {}
    for number, row in enumerate(rows):
        title, rest = text_of(row.get(field)), [(one, text_of(row.get(one))) for one in others]
        cells = [Cell(one, text) for one, text in rest if text]
        if not is_page:
            cells = [Cell("line", " ".join(text for _, text in rest)[:_LINE])]
        shown.append(Record(str(number), "", (Cell(field, title), *cells)))
        words = split_words(title)
        if not is_field:
            words += [word for _, text in rest for word in split_words(text)]
            words = [word for word in words if word not in STOP_WORDS]
        for word in words:
            index.setdefault(word, set()).add(number)
    frequent = sorted(index, key=lambda word: (-len(index[word]), word))
    return Table(shown, index, tuple(frequent[_RANK : _RANK + _WORDS]))


def ask_queries(table: Table, asker: str, pool: int, queries: int) -> tuple[list[int], int]:
    """Reachable records held after each query, and queries without an answer."""
    name, settings = ASKERS[asker]
    own = settings if asker in _UNPOOLED or name == "random" else {**settings, "candidates": pool}
    holdings = Holdings()
    interface = Interface(boxes=(Box("q", "Search"),), words=table.words)
    policy = make_policy(name, interface, holdings, settings=own, seed=1)
    held: set[int] = set()
    course: list[int] = []
    empty = 0
    while len(course) < queries and (choice := policy.choose()) is not None:
        words = split_words(choice.query.text)
        parts = [table.by_word.get(word, set()) for word in words]
        found = set.intersection(*parts) if parts else set()
        fresh = sorted(found - held)
        holdings.add_all(table.shown[number] for number in fresh)
        held |= found
        empty += not found
        kind = RESULTS if found else NOTHING
        policy.learn(
            Outcome(choice.query, kind, len(found), len(fresh), len(found), True, requests=1)
        )
        course.append(len(held))
    return course + [len(held)] * (queries - len(course)), empty


def list_settings(given: argparse.Namespace) -> Iterator[tuple[str, bool, bool]]:
    for name in given.tables:
        for box in given.boxes:
            for document in given.documents:
                yield name, box == "field", document == "page"


def measure(given: argparse.Namespace) -> dict[str, Any]:
    folder = given.data or find_data()
    if folder is None:
        raise SystemExit("no real data: give --data FOLDER")
    found: dict[str, Any] = {}
    for name, is_field, is_page in list_settings(given):
        kept = (row for row in read_rows(folder, f"records/{name}") if _is_kept(row, given.share))
        rows = [row for row, _ in zip(kept, range(given.records), strict=False)]
        table = make_table(rows, name, is_field=is_field, is_page=is_page)
        setting = f"{name}, {'field' if is_field else 'text'}, {'page' if is_page else 'list'}"
        for asker in given.askers:
            for pool in given.pools[:1] if asker in _UNPOOLED else given.pools:
                began = time.process_time()
                course, empty = ask_queries(table, asker, pool, given.queries)
                one = {
                    "area": round(sum(course) / len(course) / table.reachable, 3),
                    "end": round(course[-1] / table.reachable, 3),
                    "empty": empty,
                    "cpu_s": round(time.process_time() - began, 1),
                }
                found[f"{setting}, {asker}, {pool}"] = one
                sys.stderr.write(f"{setting}, {asker}, {pool}: {json.dumps(one)}\n")
    return found


def _is_kept(row: dict[str, Any], share: float) -> bool:
    """By a hash: tables are sorted, and their first rows are all alike."""
    digest = xxhash.xxh3_64_intdigest(json.dumps(row, sort_keys=True).encode())
    return digest % 1_000 < 1_000 * share


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--tables", nargs="+", default=["debian", "movies", "reuters", "books"])
    parser.add_argument("--boxes", nargs="+", default=["field", "text"], choices=("field", "text"))
    documents = ("list", "page")
    parser.add_argument("--documents", nargs="+", default=["page"], choices=documents)
    parser.add_argument("--askers", nargs="+", default=list(ASKERS), choices=ASKERS)
    parser.add_argument("--pools", type=int, nargs="+", default=[500])
    parser.add_argument("--records", type=int, default=5_000)
    parser.add_argument("--share", type=float, default=0.3, help="Of the rows, taken from.")
    parser.add_argument("--queries", type=int, default=300)
    print(json.dumps(measure(parser.parse_args())))


if __name__ == "__main__":
    main()
