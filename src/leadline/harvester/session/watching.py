"""Looks at the outcomes of queries, and says when it is time to stop and what is odd. No I/O."""

from collections import deque

from leadline.core.harvest import NOTHING, REFUSED, UNCLEAR, Outcome
from leadline.harvester.session.limits import Worth
from leadline.harvester.session.pages import Pages

MIXED = "the pages of one answer overlap: the order of results changes"
OTHER_TOTALS = "the pages of one answer name different totals"
_LATEST = 50
"""Requests that tell how it goes at the moment."""


class Watch:
    """Takes in every query once it is over. The same queries make the same words."""

    def __init__(self, worth: Worth) -> None:
        self._worth = worth
        self._lately: deque[tuple[int, int]] = deque()
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
        self._noted: set[str] = set()

    @property
    def lately(self) -> float:
        """New records a request, of the latest requests."""
        return self._fresh / self._requests if self._requests else 0.0

    def same_as(self, pages: Pages) -> int | None:
        """The query whose answer, read to its end, was the same; None when there is none."""
        return self._whole.get(pages.likeness) if pages.is_comparable else None

    def note_survey(self, outcome: Outcome) -> None:
        """Take in a query that only was to get to know the source."""
        self._tells_apart |= outcome.kind == NOTHING

    def note(self, pages: Pages, outcome: Outcome) -> list[str]:
        """Take in a query; what is odd about the source and was not said before."""
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
            self._tells_apart |= outcome.kind == NOTHING
            if not outcome.is_left:
                self._whole.setdefault(pages.likeness, pages.asked.number)
        remarks = {MIXED: pages.is_mixed, OTHER_TOTALS: pages.has_other_totals}
        fresh = [odd for odd, is_so in remarks.items() if is_so and odd not in self._noted]
        self._noted.update(fresh)
        return fresh

    def why_over(self) -> str:
        """The reason to stop, whatever would be asked next; '' when there is none."""
        worth = self._worth
        if self._failed >= worth.give_up_after:
            return f"gave up after {self._failed} failures in a row: {self._why}"
        if self._refused >= worth.refused_in_a_row:
            return f"no query is looked up, {self._refused} in a row: {self._why}"
        is_one = len(self._answers) == 1 and not self._tells_apart
        if is_one and self._answered >= worth.same_answers:
            return f"the source ignores the query: {self._answered} got the same records"
        return ""

    def _add_yield(self, fresh: int, requests: int) -> None:
        self._lately.append((fresh, requests))
        self._fresh += fresh
        self._requests += requests
        # The oldest go as soon as the others are enough.
        while self._requests - self._lately[0][1] >= _LATEST:
            fresh, requests = self._lately.popleft()
            self._fresh -= fresh
            self._requests -= requests
