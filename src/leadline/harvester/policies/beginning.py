"""A policy that has found nothing yet gets general words to ask, whatever policy it is."""

from collections.abc import Iterator

from leadline.core.harvest import Choice, Outcome, Query, Reading
from leadline.core.ports import QueryPolicy
from leadline.harvester.general_words import general_words
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface
from leadline.harvester.policies.base import fits, query_of

_IN_VAIN = 6
"""Queries of the policy's own before it is helped: most sources know one of these words."""


class Beginning:
    """Asks as the policy inside does, and only as long as no record is held something else: after
    some queries in vain every second query is a general word, and all are when the policy has no
    more of its own. The policy learns from every outcome."""

    def __init__(self, policy: QueryPolicy, interface: Interface, holdings: Holdings) -> None:
        self.policy = policy
        self._interface = interface
        self._holdings = holdings
        self._asked: set[Query] = set()

    @property
    def name(self) -> str:
        return self.policy.name

    def choose(self) -> Choice | None:
        if len(self._holdings):
            return self.policy.choose()
        tries = len(self._asked)
        if tries >= _IN_VAIN and tries % 2 == 0:
            return self._general() or self.policy.choose()
        return self.policy.choose() or self._general()

    def goes_on(self, reading: Reading) -> bool:
        return self.policy.goes_on(reading)

    def learn(self, outcome: Outcome) -> None:
        if not len(self._holdings):
            self._asked.add(outcome.query)
        self.policy.learn(outcome)

    def _general(self) -> Choice | None:
        query = next((query for query in self._queries() if query not in self._asked), None)
        return None if query is None else Choice(query, 0.0, 1.0, "a word that most texts have")

    def _queries(self) -> Iterator[Query]:
        for box, word in general_words(self._interface):
            if fits(box, self._interface, word):
                yield query_of(self._interface, {box.name: word})
