"""The pages of one answer and what they add up to, and what is odd about the answers of a source.
No I/O."""

from collections import deque

from leadline.core.harvest import (
    NOTHING,
    RECORD,
    REFUSED,
    RESULTS,
    SAME_AS_NONSENSE,
    UNCLEAR,
    Answer,
    NextPage,
    Outcome,
    Reading,
    ResultPage,
    StoredQuery,
)
from leadline.core.http import Request
from leadline.harvester.session.retries import GiveUpRules

_COMPARED = 3
"""Pages by which answers are compared. Where results are ranked by something other than the query
and totals are capped, first pages of frequent words are alike: 30 records in a row hardly ever."""
_SURELY_MORE = 0.9
"""A total that is only estimated must exceed what was shown by a tenth to mean a cap."""
_UNREAD = 0.02
"""Share of an exact total that may be missing without meaning a cap: a row that was not read, a
record listed twice. If it is a cap after all, it hides no more than that."""
MIXED = "the pages of one answer overlap: the order of results changes"
OTHER_TOTALS = "the pages of one answer name different totals"
_LATEST = 50
"""Requests that the recent yield is about."""


class AnswerPages:
    """Adds up the pages of one answer, in order, until `end` says why there is no further one."""

    def __init__(self, asked: StoredQuery) -> None:
        self.asked = asked
        self.count = 0
        self.requests = 0
        """Spent on the answer, failed ones included."""
        self.next_page: NextPage | None = None
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
        self._largest = 0
        """Records of the largest page."""
        self._fresh = 0
        self._latest = 0
        """New records of the page that came last."""
        self._fresh_before = 0
        """Records of a first page that the survey had brought, new at that time."""
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
        """Not even a first page could be fetched."""
        return self.first is None

    @property
    def is_comparable(self) -> bool:
        """Whether enough pages came to compare the answer with others."""
        return self.count == _COMPARED

    @property
    def likeness(self) -> int:
        """The same for answers that are the same: by how they begin, and the total named first."""
        return hash((self._beginning, self.first and self.first.total))

    def add(self, page: ResultPage) -> None:
        """Adds the next page."""
        before = len(self._keys)
        # A page that shows all before it and more is the same answer, grown.
        is_grown = 0 < before < len(set(page.keys)) and self._keys < set(page.keys)
        self._keys.update(page.keys)
        is_repeat = bool(page.keys) and len(self._keys) == before
        is_overlap = self.count > 0 and len(self._keys) < before + len(set(page.keys))
        self.is_mixed |= is_overlap and not is_grown
        self._add_total(page)
        self.first = self.first or page
        if self.count < _COMPARED:
            self._beginning += page.keys
            self.beginnings.append(self.likeness)
        self.count += 1
        self.requests += page.requests
        self._shown = len(page.keys) + (0 if is_grown else self._shown)
        self._largest = max(self._largest, len(page.keys))
        # A first page that the survey had is free and shows nothing new: that says nothing about
        # the pages behind it.
        is_known = self.count == 1 and not page.requests
        self._fresh_before = len(set(page.keys)) - page.fresh if is_known else self._fresh_before
        self._latest = len(set(page.keys)) if is_known else page.fresh
        self._fresh += page.fresh
        self.next_page = page.next_page
        self.end = self._why_end(page, is_repeat=is_repeat)

    def leave(self, why: str) -> None:
        """Asks for no further page, though there may be one."""
        self._is_left = self._is_left or self.next_page is not None
        self.end = why

    def fail(self, why: str) -> None:
        """The next page cannot be fetched."""
        self._is_left = True
        self.end = why

    def make_reading(self) -> Reading:
        """What came so far."""
        return Reading(
            self.asked.query,
            pages=self.count,
            requests=self.requests,
            returned=len(self._keys),
            fresh=self._fresh + self._fresh_before,
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
        if page.next_page is None:
            return "the last page"
        if page.next_page.request in self._requested:
            return "the next page was asked for already"
        self._requested.add(page.next_page.request)
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
        if self._total is None:
            return False
        if self.count > 1 and self.count * self._largest >= self._total:
            # As many pages as the total has were read: rows were missed, none was withheld.
            return self._shown < _SURELY_MORE * self._total
        least = 1 - _UNREAD if self._is_total_exact else _SURELY_MORE
        return self._shown < least * self._total


def make_result_page(answer: Answer, asked: StoredQuery, number: int, at: float) -> ResultPage:
    """A page of an answer as it is stored."""
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
        next_page=answer.next_page,
    )


class AnswerWatch:
    """Looks at every finished query, and says when a source is not worth asking and what is odd
    about it. Depends on nothing but the queries and their order."""

    def __init__(self, rules: GiveUpRules) -> None:
        self._rules = rules
        self._latest_queries: deque[tuple[int, int]] = deque()
        """New records and requests of the latest queries."""
        self._fresh = 0
        self._requests = 0
        self._failed = 0
        self._refused = 0
        self._why = ""
        self._answers: set[int] = set()
        """Different ones, by their likeness."""
        self._beginnings: set[int] = set()
        """Of answers, page by page: one that was left early may be as another one."""
        self._whole: dict[int, int] = {}
        """The first query that got an answer which was read to its end."""
        self._tells_apart = False
        """Something found nothing: the query is looked at."""
        self._answered = 0
        self._finds = False
        """A query brought records."""
        self._same_as_nonsense = 0
        """Queries that got the records that nonsense gets."""
        self._noted: set[str] = set()

    @property
    def recent_yield(self) -> float:
        """New records per request, of the latest requests."""
        return self._fresh / self._requests if self._requests else 0.0

    def same_as(self, pages: AnswerPages) -> int | None:
        """The query whose answer, read to its end, was the same; None when there is none."""
        return self._whole.get(pages.likeness) if pages.is_comparable else None

    def note_survey(self, outcome: Outcome) -> None:
        """Takes in a query of a survey."""
        self._note_kind(outcome)

    def _note_kind(self, outcome: Outcome) -> None:
        is_same = outcome.kind == NOTHING and outcome.why == SAME_AS_NONSENSE
        self._same_as_nonsense += is_same
        self._tells_apart |= outcome.kind == NOTHING and not is_same
        self._finds |= outcome.returned > 0

    def note(self, pages: AnswerPages, outcome: Outcome) -> list[str]:
        """Takes in a query; what is odd about the source and was not said before."""
        self._why = outcome.why
        self._add_yield(outcome.fresh, outcome.requests)
        self._failed = self._failed + 1 if pages.is_failed else 0
        is_refused = outcome.kind in (REFUSED, UNCLEAR) and not outcome.returned
        self._refused = self._refused + 1 if is_refused and not pages.is_failed else 0
        if pages.first is not None and not is_refused:
            self._answered += 1
            if pages.likeness not in self._beginnings:
                self._answers.add(pages.likeness)
            self._beginnings.update(pages.beginnings)
            self._note_kind(outcome)
            if not outcome.is_left:
                self._whole.setdefault(pages.likeness, pages.asked.number)
        remarks = {MIXED: pages.is_mixed, OTHER_TOTALS: pages.has_other_totals}
        fresh = [odd for odd, is_so in remarks.items() if is_so and odd not in self._noted]
        self._noted.update(fresh)
        return fresh

    def why_over(self) -> str:
        """The reason to stop, whatever would be asked next; '' when there is none."""
        rules = self._rules
        if self._failed >= rules.give_up_after:
            return f"gave up after {self._failed} failures in a row: {self._why}"
        if self._refused >= rules.refused_in_a_row:
            return f"no query is looked up, {self._refused} in a row: {self._why}"
        is_deaf = not self._tells_apart and not self._finds
        if is_deaf and self._same_as_nonsense >= rules.same_answers:
            count = self._same_as_nonsense
            return f"the source ignores the query: {count} got the records that nonsense gets"
        is_one = len(self._answers) == 1 and not self._tells_apart
        if is_one and self._answered >= rules.same_answers:
            return f"the source ignores the query: {self._answered} got the same records"
        return ""

    def _add_yield(self, fresh: int, requests: int) -> None:
        self._latest_queries.append((fresh, requests))
        self._fresh += fresh
        self._requests += requests
        # The oldest go as soon as the others are enough.
        while self._requests - self._latest_queries[0][1] >= _LATEST:
            fresh, requests = self._latest_queries.popleft()
            self._fresh -= fresh
            self._requests -= requests
