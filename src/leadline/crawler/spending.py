"""What a crawl has spent of its budget."""

from collections.abc import Callable

from leadline.core.crawl import Budget, Visit
from leadline.core.ports import Store
from leadline.crawler.asking import Asker
from leadline.crawler.decisions import PASSED_OVER
from leadline.crawler.harvests.handover import Handover
from leadline.errors import RobotsDeniedError

_UNPAID = (RobotsDeniedError.kind, PASSED_OVER)
"""What robots.txt forbids or the strategy passes over costs the site nothing."""


class Spending:
    """Pages and forms are counted over all runs on the store, seconds and bytes in this one."""

    def __init__(
        self, store: Store, asker: Asker, handover: Handover, now: Callable[[], float]
    ) -> None:
        self._asker = asker
        self._handover = handover
        self._now = now
        self._begun_at = 0.0
        self._rests_since: float | None = None
        counts = store.counts()
        self._visits = counts.visits - sum(counts.outcomes.get(kind, 0) for kind in _UNPAID)
        self.forms = counts.forms
        self.size_bytes = 0

    def begin(self) -> float:
        """The run begins; when."""
        self._begun_at = self._now()
        return self._begun_at

    def rest(self, at: float) -> None:
        """The run is paused: seconds do not count until `go_on`."""
        self._rests_since = at

    def go_on(self, at: float) -> None:
        if self._rests_since is not None:
            self._begun_at += at - self._rests_since
            self._rests_since = None

    def count(self, visit: Visit) -> None:
        self._visits += visit.outcome not in _UNPAID

    @property
    def own(self) -> int:
        """Visits and questions that count against the budget of pages."""
        return self._visits + self._asker.requests

    def why_over(self, budget: Budget) -> str:
        """Which budget is spent; '' while there is something left of each."""
        until = self._now() if self._rests_since is None else self._rests_since
        return budget.spent(
            pages=self.own + self._handover.requests,
            seconds=until - self._begun_at,
            size_bytes=self.size_bytes,
            forms=self.forms,
        )
