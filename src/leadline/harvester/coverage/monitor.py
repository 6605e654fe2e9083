"""How much of a database is held, and whether to continue: while a harvest runs, and from what the
store has of it afterwards."""

import math
from collections import deque
from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import NamedTuple

from msgspec import Struct, structs
from pydantic import BaseModel, ConfigDict, Field

from leadline.core.harvest import Choice, Outcome, Query, StoredQuery
from leadline.harvester.coverage.estimators import SizeModel, shipped_model
from leadline.harvester.coverage.evidence import CoverageEvidence
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface

_TOO_FEW, _TOO_FEW_ANSWERS = 10, 2
"""Records, and answers read to their end, below which no upper end is named."""
_UPPER_QUANTILE = 1.645
"""Standard deviations above the mean that 95 of 100 chances stay below."""
_NONE_YET = 3.0
"""What may still come, with 95 of 100 chances, if nothing came in as many queries so far."""
_FEWEST_QUERIES = 10
"""Below, the luck of one query is taken for spread."""
_SURELY_MORE = 1.2
"""Times what is held that the low end of the interval must be for patience to double."""


class Coverage(Struct, frozen=True):
    """How far a harvest has come, of the records that searching can reach."""

    held: int
    size: int
    """Records that searching can reach, the best guess."""
    low: int
    high: int | None
    """With 95 of 100 chances there are between `low` and `high`; None while too little came to
    name an upper end."""
    why: str = ""
    """What the guess rests on, and what a cap hides, for people."""
    cap: int | None = None
    """Records of one answer that the source shows at most."""
    cut: int = 0
    """Answers that were cut there."""
    told: int | None = None
    """Records in the database as the source itself says, whether or not they can be reached."""
    is_listed: bool = False
    """An answer that lists as many was read to its end."""
    most_missing: float | None = None
    """Share of what answers show that a listing of everything lacks at most; None if nothing was
    listed so, or something was missing in it."""

    @property
    def share(self) -> float:
        return self.held / self.size if self.size else 0.0

    def extend_to(self, records: int) -> "Coverage":
        """The same if more is held than the estimate covers: answers are learned from as a whole,
        and one of thousands of records may be under way."""
        if records <= self.held:
            return self
        high = self.high if self.high is not None and self.high >= records else None
        size, low = max(self.size, records), max(self.low, records)
        return structs.replace(self, held=records, size=size, low=low, high=high)


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


class CoverageMonitor:
    """Estimates coverage from the queries of one harvest, and says when to stop.

    `learn_query` gets every finished query once, in order, with values that the store has: a
    running harvest, a resumed one and the dashboard get the same coverage. Memory is bounded
    whatever the source: see `Sightings`.
    """

    def __init__(
        self,
        interface: Interface | None = None,
        settings: StoppingSettings | None = None,
        *,
        model: SizeModel | None = None,
    ) -> None:
        self.evidence = CoverageEvidence(interface)
        self._stopping = StoppingRule(settings)
        self._model = model or shipped_model()

    def learn(
        self,
        outcome: Outcome,
        keys: Iterable[int],
        held_matches: int | None = None,
        *,
        expected: float = 0.0,
        is_survey: bool = False,
    ) -> None:
        """Takes in a query. `keys` are 64-bit hashes of the distinct records that came,
        `held_matches` is `count_held_matches` of the query before it was asked, `expected` the new
        records that the policy expected. A survey's queries say nothing about the yield."""
        self.evidence.learn(outcome, keys, held_matches)
        if not is_survey:
            self._stopping.learn(outcome, expected)

    def learn_query(self, asked: StoredQuery, outcome: Outcome, keys: Iterable[int]) -> None:
        """Takes in a query as the store has it, with the keys of its pages."""
        self.learn(
            outcome,
            keys,
            asked.held_matches,
            expected=asked.fresh,
            is_survey=asked.is_survey,
        )

    def with_part(self, outcome: Outcome, keys: Iterable[int]) -> "CoverageMonitor":
        """A copy that has also learned from an answer that the end of a run cut short, so that
        the coverage shown is about all that is held. The next run reads the rest instead."""
        copied = deepcopy(self)
        copied.learn(structs.replace(outcome, is_left=True, is_cut=False), keys)
        return copied

    def why_stop(self, choice: Choice) -> str:
        """Why the query chosen next is not worth asking; '' while it may be."""
        return self._stopping.why_stop(choice, self.coverage())

    def coverage(self, records: int = 0) -> Coverage:
        """`records` are the distinct ones in the store: more than those of finished queries while
        an answer is read."""
        held, caps = self.evidence.held, self.evidence.caps
        told = self.evidence.totals.database(held)
        low, size, high = self._estimate_interval(told)
        found = Coverage(
            held,
            round(size),
            math.floor(low),
            None if high is None else math.ceil(high),
            _explain(self.evidence, told),
            caps.cap,
            caps.cut,
            told,
            told is not None and self.evidence.totals.is_listed(told),
            None if caps.cap is not None else self.evidence.listing.most_missing,
        )
        return found.extend_to(records)

    def _estimate_interval(self, told: int | None) -> tuple[float, float, float | None]:
        evidence = self.evidence
        held = float(evidence.held)
        if told is not None and evidence.caps.cap is None:
            return told, told, told
        if evidence.listing.is_all and evidence.caps.cap is None:
            return held, held, held
        if held < _TOO_FEW or evidence.caps.answers < _TOO_FEW_ANSWERS:
            return held, max(held, told or 0.0), told
        low, size, high = self._model.sizes(evidence.features(), evidence.held)
        if told is not None:
            # Some of the records that the source counts may be out of reach: then a low end above
            # the printed number says nothing.
            low, size, high = low if low < told else held, min(size, told), min(high, told)
        if evidence.caps.cap is None:
            # Answers that were left early would have shown as many.
            shown = evidence.totals.largest
            low, size, high = max(low, shown), max(size, shown), max(high, shown)
        missing = evidence.listing.most_missing
        if missing is not None and evidence.caps.cap is None:
            # Model and listing are judged apart: what the listing leaves possible is the less.
            high = max(low, min(high, held * (1 + missing)))
            size = min(size, high)
        return low, size, high


def _explain(evidence: CoverageEvidence, told: int | None) -> str:
    """What the estimate rests on, in one line."""
    held = max(1, evidence.held)
    said = [
        f"{evidence.queries:,} queries brought {evidence.held:,} records "
        f"{evidence.sightings / held:.1f} times each, {evidence.counts.once / held:.0%} of them "
        "once"
    ]
    if told is not None:
        said.append(f"the source tells of {told:,}")
    if evidence.listing.is_all:
        said.append("a list was read to its end, and nothing else can be asked")
    caps = evidence.caps
    if caps.cap is not None:
        beyond = f" of up to {caps.most_matched:,} matches" if caps.most_matched else ""
        said.append(
            f"answers end at {caps.cap:,} records, {caps.cut:,} of {caps.answers:,} were cut"
            f"{beyond}: what always ranks below is out of reach"
        )
    return "; ".join(said)


def count_held_matches(holdings: Holdings, interface: Interface, query: Query) -> int | None:
    """Of the records held those that show the one word that a query types; to be counted before the
    query is asked.

    None if it types nothing or several words, or chooses something besides. Beside the number of
    matches that the source prints, it tells the source's size even if a cap hides most of the
    answer.
    """
    fixed, boxes = dict(interface.fixed), {box.name for box in interface.boxes}
    asked = [(name, value) for name, value in query.values if value and fixed.get(name) != value]
    if len(asked) != 1 or asked[0][0] not in boxes or len(asked[0][1].split()) != 1:
        return None
    row = holdings.terms.numbers.get(asked[0][1].lower())
    return 0 if row is None else int(holdings.terms.df[row])


class YieldForecast(NamedTuple):
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


class PastQuery(NamedTuple):
    fresh: int
    requests: int
    expected: float
    """0 for no idea."""


class StoppingRule:
    """Takes in every query once it is over; `why_stop` is asked before the next.

    Nothing is said before patience has run out, but for two reasons: everything that the source
    tells of is held, or a listing of everything was tested by enough other answers. Told the same
    queries once more it says the same.
    """

    def __init__(self, settings: StoppingSettings | None = None) -> None:
        self.settings = settings or StoppingSettings()
        self._latest: deque[PastQuery] = deque()
        self._requests = 0

    def learn(self, outcome: Outcome, expected: float = 0.0) -> None:
        """`expected` is the choice's `fresh`; 0 or not a number where the policy had no idea."""
        told = expected if math.isfinite(expected) and expected > 0 else 0.0
        self._latest.append(PastQuery(outcome.fresh, max(1, outcome.requests), told))
        self._requests += max(1, outcome.requests)
        while self._is_enough(len(self._latest) - 1, self._requests - self._latest[0].requests, 2):
            self._requests -= self._latest.popleft().requests

    def forecast(self, times: int = 1) -> YieldForecast | None:
        """From the latest queries, as many as patience asks for; None while there are fewer."""
        rows: list[PastQuery] = []
        requests = 0
        for row in reversed(self._latest):
            rows.append(row)
            requests += row.requests
            if self._is_enough(len(rows), requests, times):
                return _make_forecast(rows, self.settings.ahead)
        return None

    def why_stop(self, choice: Choice, coverage: Coverage) -> str:
        """The reason not to ask what the policy chose next; '' while it may be worth it."""
        told, held = coverage.told, coverage.held
        if told is not None and held >= told:
            return f"all {told:,} records that the source tells of are held"
        if told is not None and coverage.is_listed and told - held < self.settings.min_gain * held:
            return (
                f"{held:,} of the {told:,} records that the source tells of are held, and the "
                f"answer that lists them all was read to its end"
            )
        missing = coverage.most_missing
        if missing is not None and missing < self.settings.min_gain:
            return (
                f"the answer that lists everything was read to its end, and what other answers "
                f"showed leaves no room for {self.settings.min_gain:.0%} more"
            )
        forecast = self.forecast(2 if coverage.low > _SURELY_MORE * coverage.held else 1)
        if forecast is None:
            return ""
        return self._why_no_gain(forecast, coverage) or self._why_no_yield(forecast, choice)

    def _is_enough(self, queries: int, requests: int, times: int) -> bool:
        return queries >= times * _FEWEST_QUERIES and requests >= times * self.settings.patience

    def _why_no_gain(self, forecast: YieldForecast, coverage: Coverage) -> str:
        settings = self.settings
        wanted = settings.min_gain * coverage.held
        if forecast.highest >= wanted:
            return ""
        return (
            f"the last {forecast.queries} queries brought {forecast.fresh} new records; the next "
            f"{settings.ahead} will hardly bring more than {forecast.highest:.0f}, less than "
            f"{settings.min_gain:.0%} of the {coverage.held:,} held"
        )

    def _why_no_yield(self, forecast: YieldForecast, choice: Choice) -> str:
        least = self.settings.min_yield
        promised = _promised_yield(forecast, choice)
        if forecast.highest_rate >= least or (promised is not None and promised >= least):
            return ""
        hoped = "" if promised is None else f", and the next promises {promised:.2f}"
        return (
            f"{forecast.fresh} new records in the last {forecast.requests} requests: at most "
            f"{forecast.highest_rate:.2f} a request{hoped}, less than {least:g}"
        )


def _make_forecast(rows: Sequence[PastQuery], ahead: int) -> YieldForecast:
    queries, fresh = len(rows), sum(row.fresh for row in rows)
    requests = sum(row.requests for row in rows)
    mean, rate = fresh / queries, fresh / requests
    spread = sum((row.fresh - mean) ** 2 for row in rows) / (queries - 1)
    error = math.sqrt(spread * (ahead + ahead**2 / queries))
    rate_error = math.sqrt(sum((row.fresh - rate * row.requests) ** 2 for row in rows)) / requests
    expected = sum(row.expected for row in rows)
    brought = sum(row.fresh for row in rows if row.expected)
    return YieldForecast(
        queries,
        requests,
        fresh,
        max(ahead * mean + _UPPER_QUANTILE * error, _NONE_YET * ahead / queries),
        max(rate + _UPPER_QUANTILE * rate_error, _NONE_YET / requests),
        brought / expected if expected else None,
    )


def _promised_yield(forecast: YieldForecast, choice: Choice) -> float | None:
    """New records a request of the next query, by how the policy's expectations held so far."""
    kept = forecast.kept_promise
    if kept is None or not (math.isfinite(choice.fresh) and choice.fresh > 0):
        return None
    return choice.fresh * min(1.0, kept) / max(1.0, choice.requests)
