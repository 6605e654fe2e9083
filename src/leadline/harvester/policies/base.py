"""What policies have in common: single words typed into one box, and general words while no record
is held."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from leadline.core.harvest import Choice, Outcome, Query, Reading
from leadline.core.ports import QueryPolicy
from leadline.harvester.general_words import suggest_words
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Box, Interface
from leadline.harvester.terms import VALUE, ridf

Rows = NDArray[np.int64]
Floats = NDArray[np.float64]

CANDIDATES = 500
"""Words considered at a time: the number that the 2010 paper uses for all methods it compares."""
_VAIN_QUERIES = 6
"""Queries of the policy's own before it gets general words: most sources know one of its words."""


def query_of(interface: Interface, values: Mapping[str, str]) -> Query:
    """The query with these values and with what goes into every query of this form."""
    return Query(tuple(sorted((dict(interface.fixed) | dict(values)).items())))


def fits(box: Box, interface: Interface, word: str) -> bool:
    letters = sum(map(str.isalnum, word))
    return letters >= interface.min_length and (not box.max_length or len(word) <= box.max_length)


class WordPolicy(ABC):
    """Types single words into the first box: those of the form's page until records are held,
    then the best of `candidates` words with the highest residual IDF."""

    name: str

    def __init__(
        self, interface: Interface, holdings: Holdings, candidates: int = CANDIDATES
    ) -> None:
        self.interface = interface
        self.holdings = holdings
        self.most = candidates
        self.outcomes: list[Outcome] = []
        self._box = next(iter(interface.boxes), None)
        self._asked: dict[str, int] = {}

    def choose(self) -> Choice | None:
        if self._box is None:
            return None
        rows = self._candidates(self._box)
        if not len(rows):
            return self._first_word(self._box)
        scores = self.scores(rows)
        best = int(np.argmax(scores))
        word = self.holdings.terms.written[rows[best]]
        return self._choice(self._box, word, float(scores[best]), self.name)

    def goes_on(self, reading: Reading) -> bool:  # noqa: ARG002
        """Always: the papers of these policies treat an answer as one page."""
        return True

    def learn(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        word = self.word_of(outcome)
        if word:
            self._asked[word] = max(outcome.returned, self._asked.get(word, 0))

    @abstractmethod
    def scores(self, rows: Rows) -> Floats:
        """How good a query each of these terms is expected to be; the largest is asked."""

    def word_of(self, outcome: Outcome) -> str:
        """What was typed, in lower case."""
        name = self._box.name if self._box else ""
        return dict(outcome.query.values).get(name, "").lower()

    def asked_rows(self, words: Iterable[str] | None = None) -> Rows:
        """Rows of the words that were asked, as far as records hold them."""
        numbers = self.holdings.terms.numbers
        words = self._asked if words is None else words
        return np.array([numbers[word] for word in words if word in numbers], np.int64)

    def _candidates(self, box: Box) -> Rows:
        terms = self.holdings.terms
        is_open = (terms.length >= self.interface.min_length) & (terms.shape < VALUE)
        if box.max_length:
            is_open &= terms.length <= box.max_length
        is_open[self.asked_rows()] = False
        rows = np.flatnonzero(is_open)
        if len(rows) <= self.most:
            return rows
        values = ridf(terms.tf[rows], terms.df[rows], len(self.holdings))
        # Ties fall to the term met first, whatever numpy's partition does with them.
        order = np.lexsort((rows, -values))[: self.most]
        return np.sort(rows[order])

    def _first_word(self, box: Box) -> Choice | None:
        for word in self.interface.words:
            if word.lower() not in self._asked and fits(box, self.interface, word):
                return self._choice(box, word, 0.0, "a word of the form's page")
        return None

    def _choice(self, box: Box, word: str, score: float, why: str) -> Choice:
        return Choice(query_of(self.interface, {box.name: word}), max(0.0, score), 1.0, why)


class WithGeneralWords:
    """Asks what the policy inside chooses. As long as no record is held, every second query after
    the first few is a general word, and all are once the policy has no query of its own. The
    policy learns from every outcome."""

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
        if tries >= _VAIN_QUERIES and tries % 2 == 0:
            return self._choose_general_word() or self.policy.choose()
        return self.policy.choose() or self._choose_general_word()

    def goes_on(self, reading: Reading) -> bool:
        return self.policy.goes_on(reading)

    def learn(self, outcome: Outcome) -> None:
        if not len(self._holdings):
            self._asked.add(outcome.query)
        self.policy.learn(outcome)

    def _choose_general_word(self) -> Choice | None:
        query = next((query for query in self._general_queries() if query not in self._asked), None)
        return None if query is None else Choice(query, 0.0, 1.0, "a word that most texts have")

    def _general_queries(self) -> Iterator[Query]:
        for box, word in suggest_words(self._interface):
            if fits(box, self._interface, word):
                yield query_of(self._interface, {box.name: word})
