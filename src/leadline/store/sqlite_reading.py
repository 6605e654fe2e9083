"""What a store file says when asked, where SQLite needs queries of its own."""
# ruff: noqa: S608 - the only words put into queries are column lists of store.rows

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from leadline.core.crawl import Candidate, CandidateId, Counts, SiteState, Waiting
from leadline.core.url import Site, Url, is_home_page, site_of
from leadline.frontier.seen_urls import text_hash
from leadline.store.damage import explain_sqlite, make_damage_error
from leadline.store.reading import LOOKUPS, Reader
from leadline.store.recovery import read_counts, read_waiting
from leadline.store.rows import STATE_COLUMNS, Row, state_of

CACHE_KIB = 16_384


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise explain_sqlite(path, error) from error
    except UnicodeDecodeError as error:
        raise make_damage_error(path, "its list of tables is unreadable") from error


class SqliteReader(Reader):
    """Read access to a store file."""

    place: Path

    def __init__(self, path: Path) -> None:
        self.place = path
        with translate_errors(path):
            self.connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=ro",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
            )
            self.connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")

    def candidate(self, url: Url) -> tuple[CandidateId, Candidate] | None:
        """The last candidate of a URL: looks through all hashes, 60 ms for 5 million."""
        key = np.uint64(text_hash(url))
        for first, cells in self.rows("SELECT first, hashes FROM arrivals ORDER BY first DESC"):
            for at in np.flatnonzero(np.frombuffer(cells, "<u8") == key).tolist()[::-1]:
                number = CandidateId(first + at)
                candidate = self.numbered_candidate(number)
                if candidate is not None and candidate.url == url:
                    return number, candidate
        return None

    def backlinks(self, target: Url, limit: int) -> list[Url]:
        """Looks through all sites, or all hashes, and then at each link it finds there."""
        if not is_home_page(target):
            numbers = self._find_numbers("hashes", "<u8", text_hash(target))
            return self._parents(numbers, "link.url = ?", target, limit)
        rows = self.all("SELECT id FROM sites WHERE site = ?", site_of(target))
        if not rows:
            return []
        (site,) = rows[0]
        return self._parents(
            self._find_numbers("sites", "<i4", site), "parent.site != ?", site, limit
        )

    def site(self, site: Site) -> SiteState:
        rows = self.all(
            f"SELECT {STATE_COLUMNS} FROM states"
            " WHERE site = (SELECT id FROM sites WHERE site = ?) ORDER BY seq DESC LIMIT 1",
            site,
        )
        return state_of(rows[0], site) if rows else SiteState(site)

    def counts(self) -> Counts:
        with translate_errors(self.place):
            return read_counts(self.connection)

    def count_waiting(self) -> Waiting:
        with translate_errors(self.place):
            return read_waiting(self.connection)

    def _find_numbers(self, column: str, cell: str, key: int) -> list[int]:
        """The candidates whose cell of a column of `arrivals` is `key`."""
        numbers: list[int] = []
        for first, cells in self.rows(f"SELECT first, {column} FROM arrivals ORDER BY first"):
            held = np.frombuffer(cells, cell)
            numbers += (np.flatnonzero(held == held.dtype.type(key)) + first).tolist()
        return numbers

    def _parents(self, numbers: list[int], claim: str, value: object, limit: int) -> list[Url]:
        """The pages on which these links stood and for which the claim holds."""
        found: dict[Url, None] = {}
        for start in range(0, len(numbers), LOOKUPS):
            asked = numbers[start : start + LOOKUPS]
            query = (
                "SELECT parent.url FROM urls AS link JOIN urls AS parent ON parent.id = link.parent"
                f" WHERE link.id IN ({', '.join('?' * len(asked))}) AND {claim} ORDER BY link.id"
            )
            found.update(dict.fromkeys(url for (url,) in self.all(query, *asked, value)))
            if len(found) >= limit:
                break
        return list(found)[:limit]

    def close(self) -> None:
        self.connection.close()

    def all(self, query: str, *values: object) -> list[Row]:
        try:
            return self.connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise explain_sqlite(self.place, error) from error

    def rows(self, query: str, *values: object) -> Iterator[Row]:
        with translate_errors(self.place):
            yield from self.connection.execute(query, values)
