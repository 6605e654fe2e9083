"""The receipt of a harvest: what was asked and told and collected, what stayed out of reach, and
what is believed of the source, with the evidence. For `leadline explain`."""

from collections.abc import Iterable

from msgspec import Struct

from leadline.core.crawl import Event
from leadline.core.harvest import Harvest, StoredQuery
from leadline.core.store import StoreView
from leadline.harvester.beliefs import Belief, SourceBeliefs
from leadline.harvester.coverage import Coverage
from leadline.harvester.session.stored_coverage import estimate_stored_coverage, interface_of

_MOST_SLICES = 200
"""Slices that are listed; further ones are added up in the last."""


class Slice(Struct, frozen=True):
    """A query that types no word: everything, or a choice of a menu or a range."""

    asked: str
    told: int | None
    """Matches as the source counts them; None where it does not."""
    collected: int
    is_cut: bool
    """The source has more than it showed."""


class Receipt(Struct, frozen=True):
    """What a harvest can account for."""

    reason: str
    queries: int
    requests: int
    records: int
    coverage: Coverage | None
    slices: tuple[Slice, ...]
    cut_queries: int
    """Queries that the source cut short."""
    unreachable: int
    """Records that slices which exclude each other hold beyond what they showed, at least: the most
    of any one control."""
    beliefs: tuple[Belief, ...]


def make_receipt(store: StoreView, harvest: Harvest) -> Receipt:
    """The coverage is that which the harvest itself printed last."""
    subject, interface = harvest.subject, interface_of(harvest)
    beliefs = SourceBeliefs(interface)
    slices: list[Slice] = []
    hidden: dict[str, int] = {}
    cut = 0
    boxes = {box.name for box in interface.boxes}
    fixed = dict(interface.fixed)
    for asked in store.harvests.queries(harvest.id):
        outcome = asked.outcome
        if outcome is None:
            continue
        beliefs.learn(outcome)
        cut += outcome.is_cut
        filled = {n: v for n, v in asked.query.values if v and fixed.get(n) != v}
        if asked.is_survey or boxes & filled.keys():
            continue
        slices.append(_make_slice(asked, filled, outcome.total))
        if len(filled) == 1 and outcome.is_cut:
            name = next(iter(filled))
            hidden[name] = hidden.get(name, 0) + max(0, outcome.matched - outcome.returned)
    beliefs.learn_all((), _events_of(store, subject.signature))
    tally = store.harvests.tally(harvest.id)
    return Receipt(
        harvest.reason,
        tally.queries,
        tally.requests,
        tally.records,
        estimate_stored_coverage(store.harvests, harvest),
        tuple(slices[:_MOST_SLICES]),
        cut,
        max(hidden.values(), default=0),
        tuple(beliefs.all()),
    )


def receipt_facts(receipt: Receipt) -> dict[str, object]:
    """For people, by name."""
    coverage = receipt.coverage
    facts: dict[str, object] = {
        "stopped": receipt.reason,
        "records": f"{receipt.records:,} by {receipt.queries:,} queries, "
        f"{receipt.requests:,} requests",
        "beliefs": [
            f"{one.name}: {one.value} ({one.chance:.0%}: {one.support:g} for, {one.against:g} "
            f"against{'; ' + one.why if one.why else ''})"
            for one in receipt.beliefs
        ],
        "slices": [
            f"{one.asked}: {one.collected:,} collected"
            + (f" of {one.told:,} told" if one.told is not None else "")
            + (", cut" if one.is_cut else "")
            for one in receipt.slices
        ],
        "cut queries": receipt.cut_queries,
        "out of reach": receipt.unreachable,
    }
    if coverage is not None:
        high = "?" if coverage.high is None else f"{coverage.high:,}"
        facts["covered"] = f"{coverage.share:.0%} of {coverage.low:,} to {high}; {coverage.why}"
    return {name: fact for name, fact in facts.items() if fact not in ("", [], 0)}


def _make_slice(asked: StoredQuery, filled: dict[str, str], total: int | None) -> Slice:
    outcome = asked.outcome
    text = " / ".join(f"{name}={value}" for name, value in filled.items()) or "everything"
    returned = outcome.returned if outcome else 0
    return Slice(text, total, returned, bool(outcome and outcome.is_cut))


def _events_of(store: StoreView, signature: str) -> Iterable[Event]:
    return (event for event in store.reader.events() if event.subject == signature)
