"""When the next queries are not worth their cost, and why, in words with numbers."""

import math
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from leadline.core.harvest import Choice, Outcome
from leadline.harvester.coverage.gauge import Coverage

_LIKELY = 1.645
"""Standard deviations above the mean that 95 of 100 chances stay below."""
_NONE_YET = 3.0
"""What may still come, with 95 of 100 chances, where so far nothing came in as many queries."""
_FEWEST_QUERIES = 10
"""Below, one query's luck is no spread."""
_SURELY_MORE = 1.2
"""Times what is held that the low end of the interval must say to look back on more."""


class StoppingSettings(BaseModel):
    """When a harvest ends by itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    min_yield: float = Field(
        0.1,
        ge=0,
        description="New records a request below which a query is not worth asking. A tenth: ten "
        "requests for a record are ten times what fetching its own page would cost.",
    )
    min_gain: float = Field(
        0.01,
        ge=0,
        le=1,
        description="Share of the records held that the queries ahead must add.",
    )
    ahead: int = Field(50, ge=5, le=1_000, description="Queries looked ahead to.")
    patience: int = Field(
        100,
        ge=10,
        description="Requests looked back on before anything is said; twice as many while it is "
        "nearly sure that a sixth of the source is missing. Of 50, 80, 100 and 130 the one after "
        "which more patience gained nothing by the default policy.",
    )


class Forecast(NamedTuple):
    """New records of the queries ahead, as the latest queries went."""

    queries: int
    """That it is made from."""
    requests: int
    fresh: int
    highest: float
    """Of all queries ahead, with 95 of 100 chances."""
    highest_rate: float
    """A request, likewise."""
    kept_promise: float | None
    """New records for each that was expected; None where the policy expected nothing."""


class _Asked(NamedTuple):
    fresh: int
    requests: int
    expected: float
    """0 for no idea."""


class Stopping:
    """Takes in every query once it is over; `why_stop` is asked before the next.

    Nothing is said before patience has run out, but for one reason: everything that the source
    tells of is held. Told the same queries once more it says the same.
    """

    def __init__(self, settings: StoppingSettings | None = None) -> None:
        self.settings = settings or StoppingSettings()
        self._latest: deque[_Asked] = deque()
        self._requests = 0

    def learn(self, outcome: Outcome, expected: float = 0.0) -> None:
        """`expected` is the choice's `fresh`; 0 or not a number where the policy had no idea."""
        told = expected if math.isfinite(expected) and expected > 0 else 0.0
        self._latest.append(_Asked(outcome.fresh, max(1, outcome.requests), told))
        self._requests += max(1, outcome.requests)
        while self._is_enough(len(self._latest) - 1, self._requests - self._latest[0].requests, 2):
            self._requests -= self._latest.popleft().requests

    def forecast(self, times: int = 1) -> Forecast | None:
        """From the latest queries, as many as patience asks for; None while there are fewer."""
        rows: list[_Asked] = []
        requests = 0
        for row in reversed(self._latest):
            rows.append(row)
            requests += row.requests
            if self._is_enough(len(rows), requests, times):
                return _forecast(rows, self.settings.ahead)
        return None

    def why_stop(self, choice: Choice, coverage: Coverage) -> str:
        """The reason not to ask what the policy chose next; '' while it may be worth it."""
        if coverage.told is not None and coverage.held >= coverage.told:
            return f"all {coverage.told:,} records that the source tells of are held"
        forecast = self.forecast(2 if coverage.low > _SURELY_MORE * coverage.held else 1)
        if forecast is None:
            return ""
        return self._why_no_gain(forecast, coverage) or self._why_no_yield(forecast, choice)

    def _is_enough(self, queries: int, requests: int, times: int) -> bool:
        return queries >= times * _FEWEST_QUERIES and requests >= times * self.settings.patience

    def _why_no_gain(self, forecast: Forecast, coverage: Coverage) -> str:
        settings = self.settings
        wanted = settings.min_gain * coverage.held
        if forecast.highest >= wanted:
            return ""
        return (
            f"the last {forecast.queries} queries brought {forecast.fresh} new records; the next "
            f"{settings.ahead} will hardly bring more than {forecast.highest:.0f}, less than "
            f"{settings.min_gain:.0%} of the {coverage.held:,} held"
        )

    def _why_no_yield(self, forecast: Forecast, choice: Choice) -> str:
        least = self.settings.min_yield
        promised = _promised(forecast, choice)
        if forecast.highest_rate >= least or (promised is not None and promised >= least):
            return ""
        hoped = "" if promised is None else f", and the next promises {promised:.2f}"
        return (
            f"{forecast.fresh} new records in the last {forecast.requests} requests: at most "
            f"{forecast.highest_rate:.2f} a request{hoped}, less than {least:g}"
        )


def _forecast(rows: Sequence[_Asked], ahead: int) -> Forecast:
    queries, fresh = len(rows), sum(row.fresh for row in rows)
    requests = sum(row.requests for row in rows)
    mean, rate = fresh / queries, fresh / requests
    spread = sum((row.fresh - mean) ** 2 for row in rows) / (queries - 1)
    error = math.sqrt(spread * (ahead + ahead**2 / queries))
    rate_error = math.sqrt(sum((row.fresh - rate * row.requests) ** 2 for row in rows)) / requests
    expected = sum(row.expected for row in rows)
    brought = sum(row.fresh for row in rows if row.expected)
    return Forecast(
        queries,
        requests,
        fresh,
        max(ahead * mean + _LIKELY * error, _NONE_YET * ahead / queries),
        max(rate + _LIKELY * rate_error, _NONE_YET / requests),
        brought / expected if expected else None,
    )


def _promised(forecast: Forecast, choice: Choice) -> float | None:
    """New records a request of the next query, by how the policy's expectations held so far."""
    kept = forecast.kept_promise
    if kept is None or not (math.isfinite(choice.fresh) and choice.fresh > 0):
        return None
    return choice.fresh * min(1.0, kept) / max(1.0, choice.requests)
