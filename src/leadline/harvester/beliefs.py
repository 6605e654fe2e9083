"""What a harvest believes of its source, with the evidence for and against each belief. No I/O.

A survey, a reader and a policy conclude much from little: that answers are capped, that the source
keeps us out, that a query lists everything. Each such conclusion is a hypothesis here, with counts
of what spoke for it and against it. Most evidence lies in the outcomes of queries, so a harvest
that runs, one that was resumed and a view of the store hold the same beliefs; what control queries
showed is kept as events (`doubt_event`), because no outcome tells it.
"""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from leadline.core.crawl import Event
from leadline.core.harvest import Outcome, StoredQuery
from leadline.harvester.coverage.evidence import CapDetector
from leadline.harvester.interface import Interface

CAP = "cap"
EVERYTHING = "everything"
TOTALS = "totals"
PAGE_SIZE = "page size"
KEYS = "keys"
ORDER = "order"
BLOCKED = "blocked"
LAYOUT = "layout"
QUERY = "query"
DOUBTED = "harvest-doubted"
"""Kind of the events that carry evidence from control queries."""
_FIELDS = 4
_NEAR = 1
"""Records by which a total may differ from what was shown and still be right: lists change."""


class Evidence(Struct, frozen=True):
    """One observation for (`support`) or against a belief."""

    belief: str
    support: float
    against: float
    why: str


class Belief(Struct, frozen=True):
    """A hypothesis about a source."""

    name: str
    value: str
    """What is believed, for people."""
    support: float = 0.0
    against: float = 0.0
    why: str = ""
    """The latest evidence from a control query, if any was asked for it."""

    @property
    def chance(self) -> float:
        """That it holds: the mean of a Beta distribution that began even.

        >>> Belief("cap", "100", support=3).chance
        0.8
        """
        return (1 + self.support) / (2 + self.support + self.against)

    @property
    def is_held(self) -> bool:
        """More speaks for it than against it."""
        return self.support > self.against


def doubt_event(at: float, signature: str, evidence: Evidence) -> Event:
    """Evidence as the store keeps it."""
    numbers = f"+{evidence.support:g} -{evidence.against:g}"
    return Event(at, DOUBTED, signature, f"{evidence.belief} {numbers}: {evidence.why}")


def read_doubt(event: Event) -> Evidence | None:
    """The evidence of an event; None for other events."""
    head, _, why = event.detail.partition(": ")
    belief, _, numbers = head.partition(" +")
    support, _, against = numbers.partition(" -")
    if event.kind != DOUBTED or not against:
        return None
    return Evidence(belief, float(support), float(against), why)


class SourceBeliefs:
    """Takes in every query of a harvest once it is over, and what control queries showed."""

    def __init__(self, interface: Interface | None = None) -> None:
        self._fixed = dict((interface or Interface()).fixed)
        self._caps = CapDetector()
        self._totals = [0, 0]
        self._listed: Outcome | None = None
        self._beyond = [0, 0]
        """Queries after everything was listed that brought nothing new, and something."""
        self._page_sizes: Counter[int] = Counter()
        self._pages: list[tuple[int, int]] = []
        self._again = 0
        self._answers = 0
        self._empty = 0
        self._said: dict[str, list[Evidence]] = {}

    def learn(self, outcome: Outcome) -> None:
        self._caps.learn(outcome)
        if not outcome.returned:
            self._empty += 1
            return
        self._answers += 1
        self._again += outcome.returned - outcome.fresh
        is_whole = not (outcome.is_left or self._caps.is_cut(outcome))
        if outcome.total is not None and outcome.is_total_exact and is_whole:
            is_right = abs(outcome.total - outcome.returned) <= _NEAR
            self._totals[0 if is_right else 1] += 1
        if outcome.pages > 1:
            size = -(-outcome.returned // outcome.pages)
            self._page_sizes[size] += 1
        self._learn_listing(outcome, is_whole=is_whole)

    def learn_all(self, asked: Iterable[StoredQuery], events: Iterable[Event] = ()) -> None:
        """Takes in a stored harvest."""
        for one in asked:
            if one.outcome is not None:
                self.learn(one.outcome)
        for event in events:
            if (evidence := read_doubt(event)) is not None:
                self.note(evidence)

    def note(self, evidence: Evidence) -> None:
        self._said.setdefault(evidence.belief, []).append(evidence)

    def __getitem__(self, name: str) -> Belief:
        """One belief; an even one if nothing was observed."""
        return next((one for one in self.all() if one.name == name), Belief(name, ""))

    def all(self) -> list[Belief]:
        """What there is evidence about, in a fixed order."""
        found = [belief for belief in self._derive() if belief.support or belief.against]
        names = [belief.name for belief in found]
        joined = [self._with_said(belief) for belief in found]
        values = {
            BLOCKED: "the source keeps us out",
            LAYOUT: "answers look as they did",
            KEYS: "a record has one key whenever it is shown",
        }
        others = [name for name in self._said if name not in names]
        return [*joined, *(self._with_said(Belief(name, values.get(name, ""))) for name in others)]

    def _with_said(self, belief: Belief) -> Belief:
        said = self._said.get(belief.name, [])
        return Belief(
            belief.name,
            belief.value,
            belief.support + sum(one.support for one in said),
            belief.against + sum(one.against for one in said),
            said[-1].why if said else belief.why,
        )

    def _derive(self) -> Iterable[Belief]:
        caps = self._caps
        if caps.cap is not None:
            # Answers that were cut elsewhere speak against one common end.
            at_end = sum(n for size, n in caps.cut_sizes.items() if size >= caps.cap)
            value = f"an answer ends after {caps.cap:,} records"
            yield Belief(CAP, value, at_end, caps.cut_sizes.total() - at_end)
        if self._listed is not None:
            value = f"a query that fills nothing lists all {self._listed.returned:,} records"
            yield Belief(EVERYTHING, value, self._beyond[0] + 1, self._beyond[1])
        yield Belief(TOTALS, "printed totals are right", self._totals[0], self._totals[1])
        if self._page_sizes:
            (size, times), *_ = self._page_sizes.most_common()
            others = self._page_sizes.total() - times
            yield Belief(PAGE_SIZE, f"a page has {size} records", times, others)
        yield Belief(KEYS, "a record has one key whenever it is shown", float(self._again > 0))
        value = "queries are looked up"
        yield Belief(QUERY, value, float(self._answers), 0.0)

    def _learn_listing(self, outcome: Outcome, *, is_whole: bool) -> None:
        asked = [n for n, v in outcome.query.values if v and self._fixed.get(n) != v]
        if not asked and is_whole:
            self._listed = outcome
        elif self._listed is not None:
            self._beyond[1 if outcome.fresh else 0] += 1
