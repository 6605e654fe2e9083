"""How much of a database is held, told while a harvest runs."""

import math
from collections.abc import Iterable

from msgspec import Struct, structs

from leadline.core.harvest import Outcome
from leadline.harvester.coverage.evidence import Evidence
from leadline.harvester.coverage.model import SizeModel, shipped_model
from leadline.harvester.interface import Interface

_TOO_FEW, _TOO_FEW_ANSWERS = 10, 2
"""Records, and answers read to their end, below which no upper end is named."""


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

    @property
    def share(self) -> float:
        return self.held / self.size if self.size else 0.0

    def holding(self, records: int) -> "Coverage":
        """The same where more is held than the estimate knows of: answers are taken in whole, and
        one of thousands of records may be under way."""
        if records <= self.held:
            return self
        high = self.high if self.high is not None and self.high >= records else None
        size, low = max(self.size, records), max(self.low, records)
        return structs.replace(self, held=records, size=size, low=low, high=high)


class Gauge:
    """Takes in each query once, with the hashes of its records; told the same queries in the same
    order it says the same. Memory is bounded whatever the source: see `sightings`."""

    def __init__(
        self, interface: Interface | None = None, *, model: SizeModel | None = None
    ) -> None:
        self.evidence = Evidence(interface)
        self._model = model or shipped_model()

    def learn(self, outcome: Outcome, keys: Iterable[int], shown: int | None = None) -> None:
        """`keys` are 64-bit hashes (`frontier.sieve.text_hash`) of the distinct records that came;
        `shown` is `records_shown` of the query before it was asked."""
        self.evidence.learn(outcome, keys, shown)

    def coverage(self) -> Coverage:
        evidence = self.evidence
        held, caps = evidence.held, evidence.caps
        told = evidence.totals.database(held)
        low, size, high = self._interval(told)
        return Coverage(
            held,
            round(size),
            math.floor(low),
            None if high is None else math.ceil(high),
            _why(evidence, told),
            caps.cap,
            caps.cut,
            told,
        )

    def _interval(self, told: int | None) -> tuple[float, float, float | None]:
        evidence = self.evidence
        held = float(evidence.held)
        if told is not None and evidence.caps.cap is None:
            return told, told, told
        if held < _TOO_FEW or evidence.caps.answers < _TOO_FEW_ANSWERS:
            return held, max(held, told or 0.0), told
        low, size, high = self._model.sizes(evidence.features(), evidence.held)
        if told is not None:
            # What is told may be out of reach, so that a low end above it says nothing.
            low, size, high = low if low < told else held, min(size, told), min(high, told)
        if evidence.caps.cap is None:
            # Answers that were left would have shown as many.
            shown = evidence.totals.largest
            low, size, high = max(low, shown), max(size, shown), max(high, shown)
        return low, size, high


def _why(evidence: Evidence, told: int | None) -> str:
    """In one line."""
    said = [_seen(evidence)]
    if told is not None:
        said.append(f"the source tells of {told:,}")
    caps = evidence.caps
    if caps.cap is not None:
        beyond = f" of up to {caps.most_matched:,} matches" if caps.most_matched else ""
        said.append(
            f"answers end at {caps.cap:,} records, {caps.cut:,} of {caps.answers:,} were cut"
            f"{beyond}: what always ranks below is out of reach"
        )
    return "; ".join(said)


def _seen(evidence: Evidence) -> str:
    counts = evidence.counts
    once = counts.once / max(1, evidence.held)
    return (
        f"{evidence.queries:,} queries brought {evidence.held:,} records "
        f"{evidence.sightings / max(1, evidence.held):.1f} times each, {once:.0%} of them once"
    )
