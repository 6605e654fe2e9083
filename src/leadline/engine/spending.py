"""What a crawl has spent of its budget."""

from collections.abc import Callable

from leadline.core.crawl import Budget, Visit
from leadline.core.ports import Store
from leadline.engine import outcomes
from leadline.engine.asking import Asker
from leadline.engine.harvest.handover import Handover
from leadline.errors import RobotsDeniedError

_UNPAID = (RobotsDeniedError.kind, outcomes.PASSED_OVER)
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
        counts = store.counts()
        self._visits = counts.visits - sum(counts.outcomes.get(kind, 0) for kind in _UNPAID)
        self.forms = counts.forms
        self.size_bytes = 0

    def begin(self) -> None:
        """The run begins."""
        self._begun_at = self._now()

    def count(self, visit: Visit) -> None:
        self._visits += visit.outcome not in _UNPAID

    @property
    def own(self) -> int:
        """Visits and questions that count against the budget of pages."""
        return self._visits + self._asker.requests

    def why_over(self, budget: Budget) -> str:
        """Which budget is spent; '' while there is something left of each."""
        return budget.spent(
            pages=self.own + self._handover.requests,
            seconds=self._now() - self._begun_at,
            size_bytes=self.size_bytes,
            forms=self.forms,
        )
