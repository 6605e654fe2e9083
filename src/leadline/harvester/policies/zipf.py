"""Ask for the word whose size, by Zipf and Mandelbrot's law, exceeds most what is held of it.

A. Ntoulas, P. Zerfos and J. Cho, "Downloading Textual Hidden Web Content through Keyword
Queries", JCDL 2005; here as L. Jiang et al., PAKDD 2010, section 5, compare with it: `Zipf`.

    candidates: the 500 terms of acquired records with the highest residual IDF
    rank terms by the number of acquired records that have them, the first being 1
    fit |R| = alpha (rank + beta)^-gamma to the queries asked so far
    ask for the candidate with the largest |R| - DF

Departures: neither paper tells how the law is fitted; here least squares of log |R| for each of
some beta, and the best of them. Queries without results say nothing of the law and are left out.
Until three queries brought records |R| is DF over the share of records held, that is `gf`.
"""

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from leadline.core.harvest import Outcome
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface
from leadline.harvester.policies.base import CANDIDATES, Floats, Rows, WordPolicy

_BETAS = (0.0, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
_FEWEST = 3
_LAST = 400
"""Queries the law is fitted on."""
_STEEPEST = 3.0


class ZipfSettings(BaseModel):
    """Settings of `zipf`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    candidates: int = Field(CANDIDATES, ge=1, description="Words considered at a time.")


class Zipf(WordPolicy):
    """Sizes by rank."""

    name = "zipf"

    def __init__(
        self,
        settings: ZipfSettings,
        interface: Interface,
        holdings: Holdings,
        seed: int = 0,  # noqa: ARG002
    ) -> None:
        super().__init__(interface, holdings, settings.candidates)
        self._sizes: dict[str, int] = {}

    def learn(self, outcome: Outcome) -> None:
        super().learn(outcome)
        if outcome.matched:
            self._sizes[self.word_of(outcome)] = outcome.matched

    def scores(self, rows: Rows) -> Floats:
        df = self.holdings.terms.df
        numbers = self.holdings.terms.numbers
        known = [(numbers[w], size) for w, size in self._sizes.items() if w in numbers][-_LAST:]
        if len(known) < _FEWEST:
            return df[rows].astype(float)
        places = rank_terms(df)
        asked, sizes = (np.array(column) for column in zip(*known, strict=True))
        alpha, beta, gamma = fit_law(places[asked], sizes.astype(float))
        expected: Floats = alpha * (places[rows] + beta) ** -gamma - df[rows]
        return expected


def rank_terms(df: NDArray[np.int32]) -> Floats:
    """Of each term by its frequency, from 1 on; equal ones share the first of their places."""
    found: Floats = np.searchsorted(np.sort(-df), -df).astype(float) + 1.0
    return found


def fit_law(places: Floats, sizes: Floats) -> tuple[float, float, float]:
    """alpha, beta and gamma of the law."""
    logs, best = np.log(sizes), (np.inf, 1.0, 0.0, 0.0)
    for beta in _BETAS:
        x = -np.log(places + beta)
        spread = float(np.square(x - x.mean()).sum())
        slope = float(((x - x.mean()) * logs).sum()) / spread if spread > 0 else 0.0
        gamma = min(max(slope, 0.0), _STEEPEST)
        level = float((logs - gamma * x).mean())
        error = float(np.square(logs - level - gamma * x).sum())
        if error < best[0] - 1e-9:
            best = (error, float(np.exp(level)), beta, gamma)
    return best[1:]
