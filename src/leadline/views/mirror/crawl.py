"""Visits, sites and events of a store as columns of numbers.

A visit takes 50 bytes here and an event 22, so that a crawl of millions of pages fits in memory
and every figure of the dashboard is one pass over an array.
"""

import json
import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.change_feed import ChangeFeed, EventEntry, StateEntry, VisitColumns
from leadline.core.crawl import Event
from leadline.core.url import Site, Url
from leadline.frontier.seen_urls import text_hash

BATCH = 20_000
"""Visits or events read at a time."""
PAGE = "page"
PASSED_OVER = "passed-over"
"""A link that was looked at again and not worth a request: no visit."""
SAMPLE = "sample"
STARTED, STOPPED, FALLBACK = "started", "stopped", "fallback"
RUN_KINDS = frozenset({STARTED, STOPPED, "paused", "resumed"})
HARVEST_KINDS = "harvest-"
"""Kinds of events about harvests begin so; their subject is the form's signature."""
_FIRST_CELLS = 1024
_BLOCKS = 2_000
"""Blocks of arrivals read at a time."""
_SITE_COUNTS = ("pages", "forms", "searchable", "errors", "errors_in_a_row")


class NumberColumn:
    """An array with room at its end: appending costs the same at any length."""

    def __init__(self, kind: str) -> None:
        self._cells = np.zeros(_FIRST_CELLS, kind)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    @property
    def cells(self) -> NDArray[Any]:
        """All of them, to be read and changed in place until the next one is added."""
        return self._cells[: self._length]

    def extend(self, more: Iterable[float] | NDArray[Any]) -> None:
        found = np.asarray(more if isinstance(more, np.ndarray) else list(more), self._cells.dtype)
        self.grow_to(self._length + len(found))
        self._cells[self._length - len(found) : self._length] = found

    def grow_to(self, length: int) -> None:
        """Adds zeros until there are this many cells."""
        if length > len(self._cells):
            # Doubling, so that a million appends copy each cell about twice.
            room = np.zeros(max(length, 2 * len(self._cells)), self._cells.dtype)
            room[: self._length] = self._cells[: self._length]
            self._cells = room
        self._length = max(self._length, length)


class WordCodes:
    """Numbers for words of which there are few, in order of first appearance."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._numbers: dict[str, int] = {}

    def __getitem__(self, word: str) -> int:
        """The word's number; a new word gets the next one."""
        number = self._numbers.get(word)
        if number is None:
            number = self._numbers[word] = len(self.words)
            self.words.append(word)
        return number

    def find(self, word: str) -> int:
        """-1 for an unknown word."""
        return self._numbers.get(word, -1)


class VisitTable:
    """All visits so far, in order of recording."""

    def __init__(self) -> None:
        self.mark = 0
        self.outcome_names = WordCodes()
        self.marks = NumberColumn("i8")
        self.numbers = NumberColumn("i8")
        self.sites = NumberColumn("i4")
        self.outcomes = NumberColumn("i2")
        self.ats = NumberColumn("f8")
        self.forms = NumberColumn("i4")
        self.ends = NumberColumn("u8")
        """Hashes of the URLs that redirects led to; 0 without a redirect."""
        self.of_site = NumberColumn("i8")
        """How many each site got."""
        self.size_bytes = 0
        self.requests = 0

    def __len__(self) -> int:
        return len(self.marks)

    def catch_up(self, feed: ChangeFeed) -> None:
        while (found := feed.visits(self.mark, BATCH)).marks:
            self._append(found)

    @property
    def are_pages(self) -> NDArray[np.bool_]:
        is_page: NDArray[np.bool_] = self.outcomes.cells == self.outcome_names.find(PAGE)
        return is_page

    @property
    def are_visits(self) -> NDArray[np.bool_]:
        """Whether something was asked of the site."""
        is_visit: NDArray[np.bool_] = self.outcomes.cells != self.outcome_names.find(PASSED_OVER)
        return is_visit

    def count_outcomes(self) -> dict[str, int]:
        """Most first."""
        counted = np.bincount(self.outcomes.cells, minlength=len(self.outcome_names.words))
        pairs = zip(self.outcome_names.words, counted.tolist(), strict=True)
        return dict(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))

    def find_redirect_to(self, url: Url) -> int | None:
        """The mark of the first visit that was redirected there."""
        found = np.flatnonzero(self.ends.cells == np.uint64(text_hash(url)))
        return int(self.marks.cells[found[0]]) if len(found) else None

    def _append(self, found: VisitColumns) -> None:
        self.mark = found.marks[-1]
        self.marks.extend(found.marks)
        self.numbers.extend(found.numbers)
        sites = np.asarray(found.sites, "i4")
        self.sites.extend(sites)
        self.outcomes.extend([self.outcome_names[outcome] for outcome in found.outcomes])
        self.ats.extend(found.ats)
        self.forms.extend(found.forms)
        self.ends.extend([0 if end is None else text_hash(end) for end in found.ends])
        counted = np.bincount(sites)
        self.of_site.grow_to(len(counted))
        self.of_site.cells[: len(counted)] += counted
        self.size_bytes += sum(found.sizes)
        self.requests += sum(found.requests)


class SiteTable:
    """Every site met so far by its number, with its last state and rank."""

    def __init__(self) -> None:
        self.names: list[Site] = []
        self._numbers: dict[Site, int] = {}
        self.reasons = WordCodes()
        """Why sites are closed; the first one is '': open."""
        self.reasons[""]
        self.counts = {name: NumberColumn("i4") for name in _SITE_COUNTS}
        self.ready_at = NumberColumn("f8")
        self.delay_s = NumberColumn("f8")
        self.closed = NumberColumn("i2")
        self.tiers = NumberColumn("i4")
        """-1 for a site without a rank of its own."""
        self.scores = NumberColumn("f8")
        self.to_follow = NumberColumn("i8")
        """Candidates of each site that were not skipped."""
        self.known = 0
        self.skipped = 0
        self._name_ranks: NDArray[np.int64] = np.zeros(0, np.int64)
        self._state_mark = self._rank_mark = self._arrival_mark = 0

    def __len__(self) -> int:
        return len(self.names)

    def catch_up(self, feed: ChangeFeed) -> None:
        states, ranks = feed.states(self._state_mark), feed.ranks(self._rank_mark)
        self._count_arrivals(feed)
        # Names are read last: every number that was read before then has a name.
        self._add_names(feed.sites(len(self.names)))
        for entry in states:
            self._set_state(entry)
        for rank in ranks:
            self._rank_mark = max(self._rank_mark, rank.mark)
            self.tiers.cells[rank.site] = -1 if rank.rank is None else rank.rank.tier
            self.scores.cells[rank.site] = 0.0 if rank.rank is None else rank.rank.score

    def find(self, site: str) -> int | None:
        return self._numbers.get(Site(site))

    def name_ranks(self) -> NDArray[np.int64]:
        """The position of each site when all are sorted by name; sorted again only when sites
        were added."""
        if len(self._name_ranks) != len(self.names):
            order = sorted(range(len(self.names)), key=self.names.__getitem__)
            self._name_ranks = np.zeros(len(order), np.int64)
            self._name_ranks[order] = np.arange(len(order))
        return self._name_ranks

    def count_waiting(self, visited: NumberColumn) -> int:
        """Candidates neither visited nor skipped, on open sites."""
        left = self.to_follow.cells.copy()
        visited.grow_to(len(left))
        left -= visited.cells[: len(left)]
        return int(left[self.closed.cells == 0].sum())

    def _add_names(self, found: list[Site]) -> None:
        before = len(self.names)
        self.names += found
        self._numbers.update(zip(found, range(before, len(self.names)), strict=True))
        columns = (*self.counts.values(), self.ready_at, self.delay_s, self.closed)
        for column in (*columns, self.tiers, self.scores, self.to_follow):
            column.grow_to(len(self.names))
        self.tiers.cells[before:] = -1

    def _set_state(self, entry: StateEntry) -> None:
        state, at = entry.state, entry.site
        self._state_mark = max(self._state_mark, entry.mark)
        for name, column in self.counts.items():
            column.cells[at] = getattr(state, name)
        self.ready_at.cells[at] = state.ready_at
        self.delay_s.cells[at] = state.delay_s
        self.closed.cells[at] = self.reasons[without_numbers(state.closed)]

    def _count_arrivals(self, feed: ChangeFeed) -> None:
        while found := feed.arrivals(self._arrival_mark, _BLOCKS):
            for block in found:
                counted = np.bincount(block.sites[~block.are_skipped])
                self.to_follow.grow_to(len(counted))
                self.to_follow.cells[: len(counted)] += counted
                self.known += len(block.sites)
                self.skipped += int(np.count_nonzero(block.are_skipped))
            self._arrival_mark = found[-1].last


class QueueSample(Struct, frozen=True):
    """How much waited at one moment."""

    at: float
    visits: int
    queues: dict[str, int]
    """Waiting links, by tier or by queue of sites."""


class EventTable:
    """All events so far by their numbers; queue samples and starts and stops of runs as a whole."""

    def __init__(self) -> None:
        self.mark = 0
        self.kinds = WordCodes()
        self.marks = NumberColumn("i8")
        self.kind_codes = NumberColumn("i2")
        self.subjects = NumberColumn("u8")
        """Their hashes."""
        self.samples: list[QueueSample] = []
        self.runs: list[Event] = []
        """Those that begin, end, pause and resume runs."""

    def catch_up(self, feed: ChangeFeed) -> tuple[bool, set[str]]:
        """Whether visits vanished since the last call, and the forms whose harvests changed."""
        has_fallback, touched = False, set[str]()
        while found := feed.events(self.mark, BATCH):
            self._append(found)
            for entry in found:
                has_fallback |= entry.event.kind == FALLBACK
                if entry.event.kind.startswith(HARVEST_KINDS):
                    touched.add(entry.event.subject)
        return has_fallback, touched

    def find_latest(self, count: int, kind: str = "", before: int = 0) -> tuple[list[int], int]:
        """Marks of the latest ones, last first, without the last `before`; and how many there
        are. Without a `kind`, samples are left out: they are for charts."""
        marks, codes = self.marks.cells, self.kind_codes.cells
        is_wanted = codes == self.kinds.find(kind) if kind else codes != self.kinds.find(SAMPLE)
        fitting = marks[is_wanted]
        end = max(0, len(fitting) - before)
        return fitting[max(0, end - count) : end][::-1].tolist(), len(fitting)

    def find_about(self, subject: str) -> list[int]:
        """Marks of the events about a site, a URL or a form."""
        marks: list[int] = self.marks.cells[
            self.subjects.cells == np.uint64(text_hash(subject))
        ].tolist()
        return marks

    def _append(self, found: list[EventEntry]) -> None:
        self.mark = found[-1].mark
        self.marks.extend([entry.mark for entry in found])
        self.kind_codes.extend([self.kinds[entry.event.kind] for entry in found])
        self.subjects.extend([text_hash(entry.event.subject) for entry in found])
        for entry in found:
            if entry.event.kind == SAMPLE:
                sample = read_sample(entry.event)
                self.samples += [sample] if sample is not None else []
            elif entry.event.kind in RUN_KINDS:
                self.runs.append(entry.event)


def read_sample(event: Event) -> QueueSample | None:
    """What an event of kind `sample` says; None for one that this version cannot read."""
    try:
        detail = json.loads(event.detail)
        queues = {str(name): int(size) for name, size in detail["queues"].items()}
        visits = int(detail["visits"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return QueueSample(event.at, visits, queues) if math.isfinite(event.at) else None


def without_numbers(reason: str) -> str:
    """Reasons that differ only in a count become one.

    >>> without_numbers("gave up after 8 failures in a row")
    'gave up after N failures in a row'
    """
    return " ".join("N" if word.isdecimal() else word for word in reason.split())
