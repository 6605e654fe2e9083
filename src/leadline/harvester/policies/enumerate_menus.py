"""Ask for every choice of a form's menus, and for two or more at once where one shows too little.

C. Sheng, N. Zhang, Y. Tao and X. Jin, "Optimal Algorithms for Crawling a Hidden Database in the
Web", PVLDB 5, 2012: slice cover.

    take the menu with the most choices; ask for each of its choices
    a choice with more results than the source shows is asked for once more with each choice of
        the next menu, and so on
    when the first menu is done, begin again with the next: choices may leave records out

Departures: the paper's slices are single conditions looked up beforehand; here an answer that was
not cut off is never refined, which asks no more queries. Ranges are cut into the steps that the
form offers. Typed boxes are left alone.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from pydantic import BaseModel, ConfigDict, Field

from leadline.core.harvest import Choice, Outcome, Query, Reading
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface, Span
from leadline.harvester.policies.answer_limits import AnswerLimits
from leadline.harvester.policies.base import query_of

MenuValues = Mapping[str, str]


class EnumerateSettings(BaseModel):
    """Settings of `enumerate`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    depth: int = Field(4, ge=1, le=10, description="Menus chosen from in one query, at most.")


class EnumerateMenus:
    """All choices, one after another."""

    name = "enumerate"

    def __init__(
        self,
        settings: EnumerateSettings,
        interface: Interface,
        holdings: Holdings,  # noqa: ARG002
        seed: int = 0,  # noqa: ARG002
    ) -> None:
        self.interface = interface
        self._depth = settings.depth
        self._asked: dict[Query, Outcome] = {}
        self._limits = AnswerLimits()
        self._menus = sorted(_list_conditions(interface), key=len, reverse=True)
        self._next: Choice | None = None

    def choose(self) -> Choice | None:
        if self._next is None:
            self._next = next(self._open(), None)
        return self._next

    def goes_on(self, reading: Reading) -> bool:  # noqa: ARG002
        """Always: choices exclude each other, so all that comes is new."""
        return True

    def learn(self, outcome: Outcome) -> None:
        self._asked[outcome.query] = outcome
        self._limits.learn(outcome)
        self._next = None

    def _open(self) -> Iterator[Choice]:
        """What is still to be asked, in order."""
        if self.interface.takes_empty:
            yield from self._offer_unasked({})
        for first in range(len(self._menus)):
            yield from self._below({}, [first, *(n for n in range(len(self._menus)) if n != first)])

    def _below(self, chosen: MenuValues, menus: list[int]) -> Iterator[Choice]:
        if not menus or len(chosen) >= self._depth:
            return
        for condition in self._menus[menus[0]]:
            values = {**chosen, **condition}
            yield from self._offer_unasked(values)
            outcome = self._asked.get(query_of(self.interface, values))
            if outcome and self._limits.is_over(outcome):
                yield from self._below(values, menus[1:])

    def _offer_unasked(self, values: MenuValues) -> Iterator[Choice]:
        query = query_of(self.interface, values)
        if query not in self._asked:
            yield Choice(query, 0.0, 1.0, "the next choice")


def _list_conditions(interface: Interface) -> Iterator[list[MenuValues]]:
    for menu in interface.menus:
        yield [{menu.name: choice.value} for choice in menu.choices]
    for span in interface.spans:
        steps = list(_range_steps(span))
        if steps:
            yield steps


def _range_steps(span: Span) -> Iterator[MenuValues]:
    """Ranges from each step to the next one, the ends open."""
    if not span.lows or not span.highs:
        return
    ends = [high for high in span.highs if high in span.lows]
    if not ends:
        return
    yield {span.high: ends[0]}
    for low, high in pairwise(ends):
        yield {span.low: low, span.high: high}
    yield {span.low: ends[-1]}
