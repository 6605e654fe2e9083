"""What a harvest speaks of, asked or stored: queries, answers, records, outcomes, choices."""

from collections.abc import Iterable
from typing import NewType

import xxhash
from msgspec import Struct

from leadline.core.http import Request
from leadline.core.page import Form
from leadline.core.url import Site, Url

RESULTS = "results"
"""A list of records."""
RECORD = "record"
"""One record's own page: an exact match led straight to it."""
NOTHING = "nothing"
"""The source says that it found nothing, in its words or with a status."""
REFUSED = "refused"
"""The query was not looked up: too short, something missing, the form once more, an error."""
BLOCKED = "blocked"
"""The source keeps us out: a login, a proof of being human, too many requests."""
UNCLEAR = "unclear"
"""None of these could be told."""
KINDS = (RESULTS, RECORD, NOTHING, REFUSED, BLOCKED, UNCLEAR)
SAME_AS_NONSENSE = "the same records as a nonsense word gets"
"""Why an answer is nothing although it lists records: no word says that nothing was found."""


class Query(Struct, frozen=True):
    """Values for some controls of a form; all others keep what the page gives them."""

    values: tuple[tuple[str, str], ...]
    """Control name and value, in the order of the names: equal queries are equal."""

    @classmethod
    def of(cls, **values: str) -> "Query":
        return cls(tuple(sorted(values.items())))

    @property
    def text(self) -> str:
        """For people: the values alone."""
        return " / ".join(value for _, value in self.values)


class Cell(Struct, frozen=True, gc=False):
    """One piece of text of a record."""

    place: str
    """Where it stands, the same in all records of the source: its column or label where the page
    names one, else its tag path inside the record."""
    text: str


class Record(Struct, frozen=True):
    """One result, as the list of results shows it."""

    key: str
    """The same for the same record, whatever the query; different for different records."""
    title: str
    cells: tuple[Cell, ...]
    url: Url | None = None
    """Its own page."""
    links: tuple[Url, ...] = ()
    images: tuple[Url, ...] = ()


class Trail(Struct, frozen=True):
    """The pages of one answer that were asked for, in order, as digests: small, and storable."""

    asked: tuple[int, ...] = ()
    """One digest for each request."""
    shown: tuple[int, ...] = ()
    """One digest for the records of each page that had any."""
    number: int = 0
    """Of the page asked for last, from 1; 0 when it cannot be told."""

    def after(self, request: Request, keys: Iterable[str] = ()) -> "Trail":
        """With one more page and the keys of its records; the same page twice is one page."""
        digest, records = digest_of(request), digest_of_keys(keys)
        is_new = digest not in self.asked
        asked = (*self.asked, digest) if is_new else self.asked
        shown = (*self.shown, records) if records not in (0, *self.shown) else self.shown
        return Trail(asked, shown, self.number + is_new)

    def was_asked(self, request: Request) -> bool:
        return digest_of(request) in self.asked

    def repeats(self, keys: Iterable[str]) -> bool:
        """Whether these are the records of an earlier page, in whatever order: the answer goes
        round, or shows a page once more past its end."""
        return digest_of_keys(keys) in self.shown


def digest_of(request: Request) -> int:
    """The same for requests that ask for the same."""
    asked = f"{request.method} {request.url} ".encode("utf-8", "replace")
    return xxhash.xxh3_64_intdigest(asked + request.body)


def digest_of_keys(keys: Iterable[str]) -> int:
    """Of a set of record keys; 0 for none."""
    distinct = sorted(set(keys))
    text = "\n".join(distinct).encode("utf-8", "replace")
    return xxhash.xxh3_64_intdigest(text) if distinct else 0


class NextPage(Struct, frozen=True):
    """The next page of an answer: what to ask for it."""

    request: Request
    way: str
    """`link`, `number`, `offset`, `keyset`, `post`, `button`: for people."""
    number: int = 0
    """Of the page it leads to, from 1; 0 when it cannot be told."""
    trail: Trail = Trail()
    """The pages before the one it leads to."""


class Answer(Struct, frozen=True):
    """One page of what a source says to a query."""

    kind: str
    records: tuple[Record, ...] = ()
    total: int | None = None
    """Matches as printed on the page; None when there is no such number."""
    is_total_exact: bool = False
    next_page: NextPage | None = None
    """The next page; None on the last one."""
    requests: int = 1
    url: Url = Url("")
    why: str = ""
    """What told its kind, for people."""


class Outcome(Struct, frozen=True):
    """What all pages of one query brought."""

    query: Query
    kind: str
    """Of its first page."""
    returned: int = 0
    """Distinct records seen."""
    fresh: int = 0
    """Those not held before."""
    total: int | None = None
    is_total_exact: bool = False
    pages: int = 0
    requests: int = 0
    is_cut: bool = False
    """There is more that this query cannot show: the source's cap, not our choice, ended it."""
    is_left: bool = False
    """There is more, and we stopped turning pages."""
    why: str = ""

    @property
    def matched(self) -> int:
        """How many records match, as far as can be told."""
        return max(self.returned, self.total or 0)


class Reading(Struct, frozen=True):
    """What the pages of an answer brought that were read so far, while there are more."""

    query: Query
    pages: int
    requests: int
    returned: int
    """Distinct records seen."""
    fresh: int
    """Those not held before."""
    latest: int
    """Those of the page read last."""
    total: int | None = None
    is_total_exact: bool = False


class Choice(Struct, frozen=True):
    """The next query, and what is expected of it."""

    query: Query
    fresh: float
    """New records expected."""
    requests: float
    """Requests it is expected to take."""
    why: str = ""
    max_pages: int | None = None
    """Where to stop turning pages; None: at the end."""


HarvestId = NewType("HarvestId", int)
"""A harvest's number in its store, from 1."""

OPEN = "open"
"""There may be more to ask: it runs, or was cut off, or its budget is spent."""
OVER = "over"
"""Nothing more is worth asking."""


class HarvestSource(Struct, frozen=True):
    """What is harvested, and how."""

    signature: str
    """Of the form; a store has one harvest of it."""
    site: Site
    form: Form
    searchable: float = 1.0
    policy: str = ""
    seed: int = 0
    settings: bytes = b""
    """As JSON."""
    interface: bytes = b""
    """What can be asked, as whoever opened the source wrote it."""
    reader: bytes = b""
    """What was learned about reading its answers, likewise."""


class Harvest(Struct, frozen=True):
    """One source being drawn up."""

    id: HarvestId
    subject: HarvestSource
    at: float
    """When it was begun."""
    state: str = OPEN
    reason: str = ""
    """Why it stopped; '' while it runs, or when it was cut off."""
    requests: int = 0
    """Spent on anything but pages of results: looking at the form, failures."""


class StoredQuery(Struct, frozen=True):
    """A query that was chosen."""

    number: int
    """In its harvest, from 1."""
    query: Query
    at: float
    fresh: float = 0.0
    """New records expected."""
    requests: float = 0.0
    """Requests expected."""
    why: str = ""
    max_pages: int | None = None
    is_survey: bool = False
    """Asked to get to know the source, by no policy. Only its first page is had."""
    held_matches: int | None = None
    """Records held before the query that show the one word it types: by these and the matches that
    the source counts, its size is estimated. None if it types no single word, or nobody counted."""
    outcome: Outcome | None = None
    """None while pages may be missing."""


class ResultPage(Struct, frozen=True):
    """One page of an answer, without its records."""

    query: int
    number: int
    """In its answer, from 1."""
    at: float
    kind: str
    url: Url = Url("")
    requests: int = 1
    total: int | None = None
    is_total_exact: bool = False
    why: str = ""
    next_page: NextPage | None = None
    """What to ask next; None on the last page, and once the next one is kept."""
    keys: tuple[int, ...] = ()
    """The hash of each record's key, in the order of the page."""
    fresh: int = 0
    """How many of them were not held before."""


class StoredRecord(Struct, frozen=True):
    """A record where it was first seen."""

    harvest: HarvestId
    number: int
    """In its store, rising in the order of first sight; gaps are possible."""
    record: Record
    query: int
    page: int
    position: int
    """On its page, from 1."""
    at: float
    sightings: int = 1
    detail: tuple[Cell, ...] = ()
    """The text of its own page, where that was fetched."""


class HarvestCounts(Struct, frozen=True):
    """How far a harvest has come."""

    queries: int = 0
    pages: int = 0
    requests: int = 0
    """All of them: pages, details, and those of `Harvest.requests`."""
    records: int = 0
    """Distinct ones."""
    sightings: int = 0
    """Records seen, repeats included."""
    details: int = 0
    """Own pages of records that were fetched, or tried."""
