"""Sounds a source while it is harvested: how much of it is held, and whether to go on."""

from collections.abc import Callable, Iterable

from leadline.core.harvest import Choice, Outcome, Query
from leadline.harvester.coverage.gauge import Coverage, Gauge
from leadline.harvester.coverage.stopping import Stopping, StoppingSettings
from leadline.harvester.interface import Interface


def _unknown(_query: Query) -> None:
    return None


class Sounding:
    """Takes in every query, `begin` before its first record is held and `end` after the last. Told
    the same queries in the same order it says the same."""

    def __init__(
        self,
        interface: Interface | None = None,
        settings: StoppingSettings | None = None,
        *,
        shown: Callable[[Query], int | None] = _unknown,
    ) -> None:
        """`shown` tells how many of the records held show what a query types."""
        self._gauge = Gauge(interface)
        self._stopping = Stopping(settings)
        self._shown = shown
        self._before: int | None = None

    def begin(self, query: Query) -> None:
        self._before = self._shown(query)

    def end(
        self,
        outcome: Outcome,
        keys: Iterable[int],
        expected: float = 0.0,
        *,
        is_survey: bool = False,
    ) -> None:
        """`keys` are hashes of the distinct records that came; `expected` the new ones that were
        expected. What a survey asks says nothing of how the harvest goes."""
        self._gauge.learn(outcome, keys, self._before)
        if not is_survey:
            self._stopping.learn(outcome, expected)

    def coverage(self) -> Coverage:
        return self._gauge.coverage()

    def why_stop(self, choice: Choice) -> str:
        """Why what was chosen next is not worth asking; '' while it may be."""
        return self._stopping.why_stop(choice, self.coverage())
