"""What a store file says when asked. Used by the store that writes and the one that reads."""
# ruff: noqa: S608 - the only words put into queries are column lists of store.rows

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from leadline.core.crawl import (
    Candidate,
    CandidateId,
    Event,
    SiteState,
    Skipped,
    StoredForm,
    Visit,
)
from leadline.core.url import Site, Url, is_home_page, site_of
from leadline.errors import StoreError
from leadline.frontier.sieve import text_hash
from leadline.store.rows import (
    EVENT_COLUMNS,
    FORM_COLUMNS,
    SITE_AT,
    STATE_COLUMNS,
    URL_COLUMNS,
    VISIT_COLUMNS,
    Row,
    candidate_of,
    event_of,
    form_of,
    score_of,
    signed,
    state_of,
    visit_of,
)

PAGE_ROWS = 1_000
"""Rows read at a time: no transaction stays open while a caller thinks."""
LOOKUPS = 500
"""Rows looked up by number in one statement."""
CACHE_KIB = 16_384

_SITE = "(SELECT site FROM sites AS s WHERE s.id = t.site)"


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise unreadable(path, error) from error


def unreadable(path: Path, error: sqlite3.Error) -> StoreError:
    return StoreError(f"{path} cannot be read: {error}")


class Reader:
    """Read access to a store file. Sees what is committed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with translated(path):
            self.connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=ro",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
            )
            self.connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")

    def url_row(self, number: CandidateId) -> Row | None:
        """A candidate's row, for who knows the site of its number."""
        rows = self.all(f"SELECT {URL_COLUMNS} FROM urls WHERE id = ?", number)
        return rows[0] if rows else None

    def candidate(self, number: CandidateId) -> Candidate | None:
        row = self.url_row(number)
        if row is None:
            return None
        (site,) = self.all("SELECT site FROM sites WHERE id = ?", row[SITE_AT])
        return candidate_of(row, site[0])

    def find(self, url: Url) -> tuple[CandidateId, Candidate] | None:
        """The last candidate of a URL: looks through all hashes, 60 ms for 5 million."""
        key = np.uint64(text_hash(url))
        for first, cells in self.rows("SELECT first, hashes FROM arrivals ORDER BY first DESC"):
            for at in np.flatnonzero(np.frombuffer(cells, "<u8") == key).tolist()[::-1]:
                number = CandidateId(first + at)
                candidate = self.candidate(number)
                if candidate is not None and candidate.url == url:
                    return number, candidate
        return None

    def linking(self, target: Url, limit: int) -> list[Url]:
        """Looks through all sites, or all hashes, and then at each link it finds there."""
        if not is_home_page(target):
            numbers = self._met("hashes", "<u8", text_hash(target))
            return self._parents(numbers, "link.url = ?", target, limit)
        rows = self.all("SELECT id FROM sites WHERE site = ?", site_of(target))
        if not rows:
            return []
        (site,) = rows[0]
        return self._parents(self._met("sites", "<i4", site), "parent.site != ?", site, limit)

    def features(self, numbers: list[int]) -> dict[int, bytes]:
        """The features of many candidates."""
        found: dict[int, bytes] = {}
        for start in range(0, len(numbers), LOOKUPS):
            asked = numbers[start : start + LOOKUPS]
            places = ", ".join("?" * len(asked))
            found.update(self.all(f"SELECT id, features FROM urls WHERE id IN ({places})", *asked))
        return found

    def visit(self, number: CandidateId) -> Visit | None:
        rows = self.all(f"SELECT {VISIT_COLUMNS}, {_SITE} FROM visits AS t WHERE id = ?", number)
        return visit_of(rows[0][:-1], rows[0][-1]) if rows else None

    def visits(self, since: CandidateId | None) -> Iterator[Visit]:
        """In order of recording; nothing when `since` was not recorded."""
        after = 0
        if since is not None:
            rows = self.all("SELECT seq FROM visits WHERE id = ?", since)
            if not rows:
                return
            after = rows[0][0]
        for row in self._paged("visits", "seq", f"{VISIT_COLUMNS}, {_SITE}", after):
            yield visit_of(row[:-1], row[-1])

    def skipped(self) -> Iterator[Skipped]:
        """In order of arrival; seeds are never skipped."""
        link = ", ".join(f"t.{name}" for name in URL_COLUMNS.split(", "))
        parents = "JOIN urls AS p ON p.id = t.parent JOIN visits AS v ON v.id = t.parent"
        query = f"SELECT {link}, {_SITE}, v.relevance, p.site, p.depth FROM urls AS t {parents}"
        for row in self.rows(f"{query} WHERE t.skip != '' ORDER BY t.id"):
            *columns, site, relevance, from_site, depth = row
            candidate = candidate_of(tuple(columns), site)
            is_inside = columns[SITE_AT] == from_site
            depth = depth + 1 if is_inside else 0
            yield Skipped(replace(candidate, depth=depth), score_of(relevance))

    def forms(self) -> Iterator[StoredForm]:
        for row in self._paged("forms", "id", f"{FORM_COLUMNS}, {_SITE}"):
            yield form_of(row[:-1], row[-1])

    def sites(self) -> Iterator[SiteState]:
        for row in self.rows(f"SELECT {STATE_COLUMNS}, site FROM site_states ORDER BY id"):
            yield state_of(row[:-1], row[-1])

    def events(self) -> Iterator[Event]:
        return map(event_of, self._paged("events", "id", EVENT_COLUMNS))

    def saved(self, key: str) -> bytes | None:
        rows = self.all("SELECT value FROM saved WHERE key = ?", key)
        return rows[0][0] if rows else None

    def site(self, site: Site) -> SiteState:
        rows = self.all(
            f"SELECT {STATE_COLUMNS} FROM states"
            " WHERE site = (SELECT id FROM sites WHERE site = ?) ORDER BY seq DESC LIMIT 1",
            site,
        )
        return state_of(rows[0], site) if rows else SiteState(site)

    def knows(self, url: Url) -> bool:
        """Whether the URL was put or is a redirect's end."""
        is_end = self.all("SELECT 1 FROM visits WHERE final_url = ? LIMIT 1", url)
        return bool(is_end) or self.find(url) is not None

    def has_form(self, signature: str) -> bool:
        return bool(self.all("SELECT 1 FROM forms WHERE signature = ?", signature))

    def has_digest(self, site: Site, digest: int) -> bool:
        query = (
            f"SELECT 1 FROM visits AS t WHERE digest = ? AND digest != 0 AND {_SITE} = ? LIMIT 1"
        )
        return bool(self.all(query, signed(digest), site))

    def _met(self, column: str, cell: str, key: int) -> list[int]:
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
            raise unreadable(self.path, error) from error

    def rows(self, query: str, *values: object) -> Iterator[Row]:
        with translated(self.path):
            yield from self.connection.execute(query, values)

    def _paged(self, table: str, key: str, columns: str, after: int = 0) -> Iterator[Row]:
        query = f"SELECT {key}, {columns} FROM {table} AS t WHERE {key} > ? ORDER BY {key} LIMIT ?"
        while rows := self.all(query, after, PAGE_ROWS):
            yield from (row[1:] for row in rows)
            after = rows[-1][0]
