"""Ask for the word with the highest Q-value: its own new records and those of the next best.

L. Jiang, Z. Wu, Q. Feng, J. Liu and Q. Zheng, "Efficient Deep Web Crawling Using Reinforcement
Learning", PAKDD 2010, Algorithm 1.

    count terms of the new records: TF, DF                                (steps 2-7)
    candidates C: the 500 terms with the highest residual IDF             (Eq. 9)
    size of each from executed queries: |R_i| = sum_j k(i, j) |R_j|       (Eq. 8)
        k = 0.2 linguistic + 0.2 HTML + 0.6 statistical kernel            (Eq. 10, 11)
    reward r_i = (|R_i| - DF_i) / |D|                                     (Eq. 4)
    Q_i = r_i + max_j [r_j + DF_j / |D| - |held u R_i| |R_j| / |D|^2]     (Eq. 14)
    ask for the candidate with the largest Q                              (step 12)

Readings. `literal` is the above. `corrected` divides Eq. 8 by the sum of the kernel, since a plain
sum grows with every query, and averages by how much answers differed from DF over the share held
rather than the answers themselves: words that look alike and stand alike are not equally frequent,
and their mean made the rarest words seem the most rewarding. It takes off the records that the
query is expected to bring again rather than DF, because interfaces that do not search all text
bring fewer; and has no negative rewards. Both count each new record
once and a term's first occurrence too, which lines 2-5 of the algorithm do not, and read the
union in Eq. 14 up to and with the candidate (Eq. 21 prints a set difference, which its own
derivation contradicts).

Departures: weights, kernel width, |D| and the first query are not given. Statistical features
are standardised logarithms with width 1. Part of speech is told apart by form alone (number,
capital, other), language by script; tag, attribute and depth are those of the place where a
record shows the term first. |D| is had from how often records came again (Lu and Li 2010). Queries
of the last 400 are generalised from. Longer steps than 1 apply Eq. 14 again to the next best.
"""

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from leadline.core.harvest import Outcome
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface
from leadline.harvester.match_rates import MatchRates, PriorTermCounts, TermSnapshot
from leadline.harvester.policies.base import CANDIDATES, Floats, Rows, WordPolicy
from leadline.harvester.terms import CAPITAL, DIGITS, ridf

_LAST = 400
_EXPONENT = 1.1
"""Of the overlap law for answers to queries: J. Lu and D. Li, Information Retrieval 13, 2010."""
_LEAST_SHARE = 0.01
"""Of a database that is taken to be held: the law says nothing while nothing comes twice."""
_FAINT = 0.02
"""Of the kernel that no surprise at all weighs, beside the surprises met."""


class RlSettings(BaseModel):
    """Settings of `rl`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reading: str = Field(
        "corrected", pattern="^(literal|corrected)$", description="`literal` or `corrected`."
    )
    steps: int = Field(1, ge=0, le=10, description="Queries looked ahead to: the step length h.")
    candidates: int = Field(CANDIDATES, ge=1, description="Words considered at a time.")
    linguistic: float = Field(0.2, ge=0, le=1, description="Weight of the linguistic kernel.")
    html: float = Field(0.2, ge=0, le=1, description="Weight of the HTML kernel.")
    statistical: float = Field(0.6, ge=0, le=1, description="Weight of the statistical kernel.")
    width: float = Field(1.0, gt=0, description="Of the Gaussian kernel, in standard deviations.")


class Rl(WordPolicy):
    """Sizes from like queries, and a look ahead."""

    name = "rl"

    def __init__(
        self,
        settings: RlSettings,
        interface: Interface,
        holdings: Holdings,
        seed: int = 0,  # noqa: ARG002
    ) -> None:
        super().__init__(interface, holdings, settings.candidates)
        self.settings = settings
        self._sizes: dict[str, int] = {}
        self._surprise: dict[str, float] = {}
        """Logarithms of what answers had, by what DF had said of them."""
        self._database = 1.0
        self._returned = 0
        self._before = TermSnapshot(holdings)
        self._matching = MatchRates()

    @property
    def database(self) -> float:
        """Its size, as far as can be told."""
        overlap = max(1.0, self._returned / max(1, len(self.holdings)))
        return len(self.holdings) / max(_LEAST_SHARE, 1 - float(overlap**-_EXPONENT))

    def learn(self, outcome: Outcome) -> None:
        super().learn(outcome)
        word = self.word_of(outcome)
        self._sizes[word] = outcome.returned
        self._returned += outcome.returned
        counted = self._before.counts(word, len(self.holdings) - outcome.fresh)
        if counted and not (outcome.is_cut or outcome.is_left):
            self._learn_size(word, outcome, counted)
        self._before.update()
        self._database = self.database

    def _learn_size(self, word: str, outcome: Outcome, counted: PriorTermCounts) -> None:
        known = self._matching.estimate_known(counted.by_place[np.newaxis], np.array([counted.df]))
        if counted.records:
            guess = float(known[0]) * self._database / counted.records
            self._surprise[word] = float(np.log((outcome.returned + 1) / (guess + 1)))
        again = outcome.returned - outcome.fresh
        self._matching.learn(counted.by_place, counted.df, again)

    def scores(self, rows: Rows) -> Floats:
        terms, database = self.holdings.terms, max(self.database, 1.0)
        df = terms.df[rows].astype(float)
        known = df
        if self.settings.reading == "corrected":
            known = self._matching.estimate_known(terms.df_by_place[rows], df)
        sizes = self._expect_sizes(rows, known, database)
        if self.settings.reading == "corrected":
            sizes = np.maximum(sizes, known)
        return q_values(sizes, known, len(self.holdings), database, self.settings.steps)

    def _expect_sizes(self, rows: Rows, known: Floats, database: float) -> Floats:
        """Eq. 8."""
        is_literal = self.settings.reading == "literal"
        told = self._sizes if is_literal else self._surprise
        numbers = self.holdings.terms.numbers
        done = [(numbers[word], value) for word, value in told.items() if word in numbers][-_LAST:]
        guess = known * database / max(1, len(self.holdings))
        if not done:
            return known if is_literal else guess
        executed = np.array([row for row, _ in done], np.int64)
        values = np.array([value for _, value in done], float)
        kernel = self._kernel(rows, executed)
        if is_literal:
            literal: Floats = kernel @ values
            return literal
        surprise = (kernel @ values) / (kernel.sum(axis=1) + _FAINT)
        found: Floats = guess * np.exp(surprise)
        return found

    def _kernel(self, rows: Rows, executed: Rows) -> Floats:
        """Eq. 11."""
        both = np.concatenate((rows, executed))
        at = len(rows)
        settings = self.settings
        statistics = self._statistics(both)
        gaps = _gaps(statistics[:at], statistics[at:])
        kernel: Floats = settings.statistical * np.exp(-gaps / (2 * settings.width**2))
        kernel += settings.linguistic * _same(self._linguistic(both), at)
        kernel += settings.html * _same(self._html(both), at)
        return kernel

    def _statistics(self, rows: Rows) -> Floats:
        terms = self.holdings.terms
        tf, df = terms.tf[rows], terms.df[rows]
        columns = np.column_stack((np.log1p(tf), np.log1p(df), ridf(tf, df, len(self.holdings))))
        spread = columns.std(axis=0)
        found: Floats = (columns - columns.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        return found

    def _linguistic(self, rows: Rows) -> NDArray[np.int64]:
        terms = self.holdings.terms
        speech = terms.shape[rows] & (DIGITS | CAPITAL)
        return np.column_stack((speech, terms.length[rows], terms.script[rows])).astype(np.int64)

    def _html(self, rows: Rows) -> NDArray[np.int64]:
        places = self.holdings.terms.first_place[rows].astype(np.int64)
        depths = np.array([place.count("/") for place in self.holdings.places] or [0])
        return np.column_stack((places, depths[places]))


def q_values(sizes: Floats, known: Floats, held: int, database: float, steps: int = 1) -> Floats:
    """Eq. 14 for every action; with 0 steps the rewards of Eq. 4.

    What follows is independent of what is held, as the paper has it, so that the future reward of
    j after i is |R_j| / |D| times the share that neither has: the best j is the largest one.
    """
    rewards: Floats = (sizes - known) / database
    values, covered = rewards.copy(), held / database + rewards
    shares = sizes / database
    order = np.argsort(-shares, kind="stable")
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    for step in range(min(steps, len(order) - 1)):
        is_above = places <= step
        largest = shares[order[np.where(is_above, step + 1, step)]]
        smallest = shares[order[np.where(places >= len(order) - 1 - step, -2 - step, -1 - step)]]
        left = 1 - covered
        future = np.where(left >= 0, largest, smallest) * left
        values, covered = values + future, covered + future
    return values


def _gaps(first: Floats, second: Floats) -> Floats:
    """Squared distances of all rows of one table from all of another."""
    found = np.square(first).sum(axis=1)[:, None] + np.square(second).sum(axis=1)[None, :]
    gaps: Floats = np.maximum(found - 2 * first @ second.T, 0.0)
    return gaps


def _same(features: NDArray[np.int64], at: int) -> Floats:
    """The share of discrete features in which the first `at` agree with the others."""
    columns = features.T
    found = np.zeros((at, len(features) - at))
    for column in columns:
        found += column[:at, None] == column[None, at:]
    return found / len(columns)
