"""What is kept of a harvest: its source, its queries, their pages, the records."""

from typing import NewType

from msgspec import Struct

from leadline.core.harvest import Cell, NextPage, Outcome, Query, Record
from leadline.core.page import Form
from leadline.core.url import Site, Url

HarvestId = NewType("HarvestId", int)
"""A harvest's number in its store, from 1."""

OPEN = "open"
"""There may be more to ask: it runs, or was cut off, or its budget is spent."""
OVER = "over"
"""Nothing more is worth asking."""


class Subject(Struct, frozen=True):
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
    subject: Subject
    at: float
    """When it was begun."""
    state: str = OPEN
    reason: str = ""
    """Why it stopped; '' while it runs, or when it was cut off."""
    requests: int = 0
    """Spent on anything but pages of results: looking at the form, failures."""


class Asked(Struct, frozen=True):
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


class KeptRecord(Struct, frozen=True):
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


class Tally(Struct, frozen=True):
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
