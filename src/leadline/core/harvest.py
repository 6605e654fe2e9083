"""What a harvest speaks of: queries, answers, records, readings, outcomes, choices."""

from collections.abc import Iterable

import xxhash
from msgspec import Struct

from leadline.core.http import Request
from leadline.core.url import Url

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
