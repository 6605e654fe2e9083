"""What a store says when asked. Used by the store that writes and the one that reads."""
# ruff: noqa: S608 - the only words put into queries are column lists of store.rows

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from leadline.core.crawl import (
    Candidate,
    CandidateId,
    Counts,
    Event,
    SiteState,
    Skipped,
    StoredForm,
    Visit,
    Waiting,
)
from leadline.core.store import RunState
from leadline.core.url import Site, Url
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
    state_of,
    to_signed,
    visit_of,
)

RUN_KEY = "run"
"""Under which a store keeps the state of its last run."""


class RunRecord(RunState, frozen=True):
    """What is kept of a run under RUN_KEY."""

    spent: int | None = None
    """Requests that were no visits; None in a store of an older version."""


OLD_SPENT_KEY = "asked"
"""Where older versions kept how many requests backlink queries took."""


def decode_run(saved: bytes | None) -> RunState:
    """What is saved under RUN_KEY."""
    return RunState() if saved is None else msgspec.json.decode(saved, type=RunState)


PAGE_ROWS = 1_000
"""Rows read at a time: no transaction stays open while a caller thinks."""
LOOKUPS = 500
"""Rows looked up by number in one statement."""

_SITE = "(SELECT site FROM sites AS s WHERE s.id = t.site)"


class Reader(ABC):
    """Read access to the tables of a store, whatever database keeps them. Sees what is committed.

    Queries are written as SQLite has them, with `?` for values.
    """

    place: Path | str
    """How the store is called in messages."""
    topic_column = "{}.topic"
    """Of a form, in SQL, with the name of its table to be filled in."""

    @abstractmethod
    def all(self, query: str, *values: object) -> list[Row]: ...

    @abstractmethod
    def rows(self, query: str, *values: object) -> Iterator[Row]:
        """The same, one by one."""

    @abstractmethod
    def candidate(self, url: Url) -> tuple[CandidateId, Candidate] | None:
        """The last candidate of a URL."""

    @abstractmethod
    def backlinks(self, target: Url, limit: int) -> list[Url]: ...

    @abstractmethod
    def site(self, site: Site) -> SiteState: ...

    @abstractmethod
    def counts(self) -> Counts:
        """Counts without a index: for those who only look."""

    @abstractmethod
    def count_waiting(self) -> Waiting:
        """What waits, without a frontier: leases are not known, so every site is taken to be
        free."""

    @abstractmethod
    def close(self) -> None: ...

    def url_row(self, number: CandidateId) -> Row | None:
        """A candidate's row, for who knows the site of its number."""
        rows = self.all(f"SELECT {URL_COLUMNS} FROM urls WHERE id = ?", number)
        return rows[0] if rows else None

    def numbered_candidate(self, number: CandidateId) -> Candidate | None:
        row = self.url_row(number)
        if row is None:
            return None
        (site,) = self.all("SELECT site FROM sites WHERE id = ?", row[SITE_AT])
        return candidate_of(row, site[0])

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

    def visits(self, since: CandidateId | None = None) -> Iterator[Visit]:
        """In order of recording; nothing when `since` was not recorded."""
        after = 0
        if since is not None:
            rows = self.all("SELECT seq FROM visits WHERE id = ?", since)
            if not rows:
                return
            after = rows[0][0]
        for row in self._read_pages("visits", "seq", f"{VISIT_COLUMNS}, {_SITE}", after):
            yield visit_of(row[:-1], row[-1])

    def skipped_links(self) -> Iterator[Skipped]:
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
        columns = FORM_COLUMNS.removesuffix("topic") + self.topic_column.format("t")
        for row in self._read_pages("forms", "id", f"{columns}, {_SITE}"):
            yield form_of(row[:-1], row[-1])

    def forms_signed(self, signatures: Sequence[str]) -> list[StoredForm]:
        """The forms of these signatures that there are."""
        columns = FORM_COLUMNS.removesuffix("topic") + self.topic_column.format("t")
        query = f"SELECT {columns}, {_SITE} FROM forms AS t WHERE signature = ?"
        rows = [row for one in signatures for row in self.all(query, one)]
        return [form_of(row[:-1], row[-1]) for row in rows]

    def sites(self) -> Iterator[SiteState]:
        for row in self.rows(f"SELECT {STATE_COLUMNS}, site FROM site_states ORDER BY id"):
            yield state_of(row[:-1], row[-1])

    def events(self) -> Iterator[Event]:
        return map(event_of, self._read_pages("events", "id", EVENT_COLUMNS))

    def read_saved(self, key: str) -> bytes | None:
        rows = self.all("SELECT value FROM saved WHERE key = ?", key)
        return rows[0][0] if rows else None

    def are_known(self, urls: Sequence[Url]) -> list[bool]:
        return [self._knows(url) for url in urls]

    def have_forms(self, signatures: Sequence[str]) -> list[bool]:
        query = "SELECT 1 FROM forms WHERE signature = ?"
        return [bool(self.all(query, signature)) for signature in signatures]

    def have_digests(self, texts: Sequence[tuple[Site, int]]) -> list[bool]:
        query = (
            f"SELECT 1 FROM visits AS t WHERE digest = ? AND digest != 0 AND {_SITE} = ? LIMIT 1"
        )
        return [bool(self.all(query, to_signed(digest), site)) for site, digest in texts]

    def path(self, visit: CandidateId, length: int | None = None) -> list[Candidate]:
        return walk_back(visit, self.numbered_candidate, length)

    def run(self) -> RunState:
        return decode_run(self.read_saved(RUN_KEY))

    def _knows(self, url: Url) -> bool:
        """Whether the URL was put or is a redirect's end."""
        is_end = self.all("SELECT 1 FROM visits WHERE final_url = ? LIMIT 1", url)
        return bool(is_end) or self.candidate(url) is not None

    def _read_pages(self, table: str, key: str, columns: str, after: int = 0) -> Iterator[Row]:
        query = f"SELECT {key}, {columns} FROM {table} AS t WHERE {key} > ? ORDER BY {key} LIMIT ?"
        while rows := self.all(query, after, PAGE_ROWS):
            yield from (row[1:] for row in rows)
            after = rows[-1][0]


def walk_back(
    number: CandidateId,
    find: Callable[[CandidateId], Candidate | None],
    length: int | None = None,
) -> list[Candidate]:
    """The last `length` candidates from a seed to `number`; [] when it is unknown."""
    steps: list[Candidate] = []
    at: CandidateId | None = number
    while at is not None and len(steps) != length and (candidate := find(at)) is not None:
        steps.append(candidate)
        # A parent was visited before its links arrived, so numbers only fall.
        is_earlier = candidate.parent is not None and candidate.parent < at
        at = candidate.parent if is_earlier else None
    return steps[::-1]
