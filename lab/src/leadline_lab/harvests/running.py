"""One harvest: a policy against a source, until the requests are spent."""

from collections.abc import Callable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.harvest import Answer
from leadline.core.ports import QueryPolicy
from leadline.harvester.holdings import Holdings
from leadline_lab.databases import number_of_key
from leadline_lab.harvests.asking import LabSource
from leadline_lab.harvests.cases import Setting
from leadline_lab.harvests.reading import Read

MakePolicy = Callable[[Holdings], QueryPolicy]


class Curve(Struct, frozen=True):
    """What a harvest had of the reachable records, request by request and query by query."""

    reachable: int
    by_request: tuple[int, ...]
    """Reachable records held after each request of the budget; what was left unspent repeats the
    last number."""
    by_query: tuple[int, ...]
    """The same where the number of queries is limited."""
    spent: int
    """Requests."""

    @property
    def coverage(self) -> float:
        return self.by_request[-1] / self.reachable if self.reachable else 1.0

    @property
    def area(self) -> float:
        """Coverage averaged over the requests of the budget."""
        return _mean_share(self.by_request, self.reachable)

    @property
    def query_area(self) -> float:
        """Coverage averaged over the queries that were asked."""
        return _mean_share(self.by_query, self.reachable)


class _Tally:
    """Counts reachable records as they come in."""

    def __init__(self, setting: Setting, budget: int) -> None:
        self.budget = budget
        self.by_request: list[int] = []
        self.by_query: list[int] = []
        self._source = setting.index.source
        self._is_wanted: NDArray[np.bool_] = setting.is_reachable.copy()
        self._found = 0

    @property
    def left(self) -> int:
        return self.budget - len(self.by_request)

    def take(self, answer: Answer) -> None:
        for record in answer.records:
            number = number_of_key(self._source, record.key)
            if number is not None and self._is_wanted[number]:
                self._is_wanted[number] = False
                self._found += 1
        self.by_request.append(self._found)

    def curve(self, reachable: int, queries: int = 0) -> Curve:
        rest = (self._found,) * self.left
        unasked = (self._found,) * (queries - len(self.by_query))
        spent = len(self.by_request)
        return Curve(reachable, (*self.by_request, *rest), (*self.by_query, *unasked), spent)


def harvest(setting: Setting, make_policy: MakePolicy, budget: int, queries: int = 0) -> Curve:
    """Ask what the policy chooses until it stops or `budget` requests are spent, or
    `queries` asked, if not 0."""
    source = LabSource(setting.index, setting.form.bound)
    holdings = Holdings()
    policy = make_policy(holdings)
    tally = _Tally(setting, budget)
    most = queries or budget
    while tally.left and len(tally.by_query) < most and (choice := policy.choose()):
        read = Read(choice, holdings)
        for answer in read.pages(source, policy, tally.left):
            tally.take(answer)
        policy.learn(read.outcome())
        tally.by_query.append(tally.by_request[-1])
    return tally.curve(int(setting.is_reachable.sum()), queries)


def _mean_share(found: tuple[int, ...], reachable: int) -> float:
    if not reachable or not found:
        return 0.0
    return float(np.mean(found)) / reachable
