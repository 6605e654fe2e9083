"""The pages of one answer, and what they add up to. No I/O."""

from leadline.core.harvest import (
    NOTHING,
    RECORD,
    REFUSED,
    RESULTS,
    UNCLEAR,
    Answer,
    Outcome,
    Reading,
    Turn,
)
from leadline.core.http import Request
from leadline.core.kept import Asked, ResultPage

_COMPARED = 3
"""Pages by which answers are compared. Where results are ranked by something other than the query
and totals are capped, first pages of frequent words are alike: 30 records in a row hardly ever."""
_SURELY_MORE = 0.9
"""A total that is only estimated must exceed what was shown by a tenth to mean a cap."""


class Pages:
    """Takes pages in their order until `end` says why there is no further one to ask for."""

    def __init__(self, asked: Asked, held_matches: int | None = None) -> None:
        self.asked = asked
        self.held_matches = held_matches
        """`count_held_matches` of the query before it was asked."""
        self.count = 0
        self.requests = 0
        """Spent on it, those in vain included."""
        self.turn: Turn | None = None
        """What to ask next; None before the first page."""
        self.end = ""
        self.is_mixed = False
        """A further page showed something of an earlier one: the order changes."""
        self.has_other_totals = False
        self.first: ResultPage | None = None
        self._keys: set[int] = set()
        self._beginning: tuple[int, ...] = ()
        self.beginnings: list[int] = []
        """What `likeness` was after each page that is compared."""
        self._shown = 0
        self._fresh = 0
        self._latest = 0
        """New records of the page that came last."""
        self._total: int | None = None
        self._is_total_exact = False
        self._requested: set[Request] = set()
        self._is_left = False
        self._is_closed = False

    @property
    def keys(self) -> frozenset[int]:
        """Hashes of the distinct records seen."""
        return frozenset(self._keys)

    @property
    def is_failed(self) -> bool:
        """Not even a first page could be had."""
        return self.first is None

    @property
    def is_comparable(self) -> bool:
        """Whether it is time to tell whether another answer is the same."""
        return self.count == _COMPARED

    @property
    def likeness(self) -> int:
        """The same for answers that are the same: by how they begin, and the total named first."""
        return hash((self._beginning, self.first and self.first.total))

    def add(self, page: ResultPage) -> None:
        """Take in the next page."""
        before = len(self._keys)
        self._keys.update(page.keys)
        is_repeat = bool(page.keys) and len(self._keys) == before
        self.is_mixed |= self.count > 0 and len(self._keys) < before + len(set(page.keys))
        self._add_total(page)
        self.first = self.first or page
        if self.count < _COMPARED:
            self._beginning += page.keys
            self.beginnings.append(self.likeness)
        self.count += 1
        self.requests += page.requests
        self._shown += len(page.keys)
        self._latest = page.fresh
        self._fresh += page.fresh
        self.turn = page.turn
        self.end = self._why_end(page, is_repeat=is_repeat)

    def leave(self, why: str) -> None:
        """Ask for no further page, though there may be one."""
        self._is_left = self._is_left or self.turn is not None
        self.end = why

    def fail(self, why: str) -> None:
        """The next page cannot be had."""
        self._is_left = True
        self.end = why

    def reading(self) -> Reading:
        """What came so far."""
        return Reading(
            self.asked.query,
            pages=self.count,
            requests=self.requests,
            returned=len(self._keys),
            fresh=self._fresh,
            latest=self._latest,
            total=self._total,
            is_total_exact=self._is_total_exact,
        )

    def outcome(self) -> Outcome:
        """What all of it brought."""
        if self.first is None:
            return Outcome(
                self.asked.query, UNCLEAR, requests=self.requests, is_left=True, why=self.end
            )
        return Outcome(
            query=self.asked.query,
            kind=self.first.kind,
            returned=len(self._keys),
            fresh=self._fresh,
            total=self._total,
            is_total_exact=self._is_total_exact,
            pages=self.count,
            requests=self.requests,
            is_cut=self._is_cut(),
            is_left=self._is_left,
            why=self.end if self.count > 1 or self._is_left else self.first.why,
        )

    def _add_total(self, page: ResultPage) -> None:
        if page.total is None:
            return
        self.has_other_totals |= self._total is not None and self._total != page.total
        if self._total is None or page.total > self._total:
            self._total, self._is_total_exact = page.total, page.is_total_exact

    def _why_end(self, page: ResultPage, *, is_repeat: bool) -> str:
        if page.kind not in (RESULTS, RECORD) and not page.keys:
            self._is_closed = self.count > 1 and page.kind == REFUSED
            return page.why or page.kind
        if is_repeat:
            return "a page of nothing but earlier records"
        if self.count > 1 and not page.keys:
            return "an empty page"
        if page.turn is None:
            return "the last page"
        if page.turn.request in self._requested:
            return "the next page was asked for already"
        self._requested.add(page.turn.request)
        if self.asked.max_pages is not None and self.count >= self.asked.max_pages:
            self._is_left = True
            return "as many pages as wanted"
        return ""

    def _is_cut(self) -> bool:
        """Whether the source has more matches than it shows."""
        if self._is_left or self.first is None or self.first.kind == NOTHING:
            return False
        if self._is_closed:
            return True
        least = 1.0 if self._is_total_exact else _SURELY_MORE
        return self._total is not None and self._shown < least * self._total


def page_of(answer: Answer, asked: Asked, number: int, at: float) -> ResultPage:
    """A page of an answer as it is kept."""
    return ResultPage(
        query=asked.number,
        number=number,
        at=at,
        kind=answer.kind,
        url=answer.url,
        requests=answer.requests,
        total=answer.total,
        is_total_exact=answer.is_total_exact,
        why=answer.why,
        turn=answer.turn,
    )
