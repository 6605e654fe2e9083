"""All that a harvest shows of the size of its source, put into numbers that models weigh."""

import math
from collections.abc import Iterable

import xxhash

from leadline.core.harvest import Outcome
from leadline.harvester.coverage.caps import Caps
from leadline.harvester.coverage.estimators import ESTIMATES, FLOOR, LEAST_SHARE, unseen
from leadline.harvester.coverage.sightings import Counts, Sightings
from leadline.harvester.coverage.totals import Totals
from leadline.harvester.interface import Interface

_FADING = 0.96
"""Of a query when the next one is counted: those of the last twenty-five tell how it goes."""
_LEAST = 0.01
"""Shares below are taken for this one, so that logarithms stay in bounds."""
_OFTEN_UNTOLD = ("recaptures", "whole answers", "matches told", "largest total", "menus")
_ESTIMATES = (*ESTIMATES, "recaptures", "whole answers", "matches told")
_CUT_MATTERS = ("Good-Turing", "Chao1", "ACE", "overlap", "halves", "recaptures", "matches told")
"""Estimates that cut answers mislead: the same records come first again and again."""


class Faded:
    """A ratio of sums in which older terms count less."""

    def __init__(self, fading: float = _FADING) -> None:
        self._fading = fading
        self._above = 0.0
        self._below = 0.0

    @property
    def value(self) -> float | None:
        return self._above / self._below if self._below > 0 else None

    def add(self, above: float, below: float) -> None:
        self._above = self._above * self._fading + above
        self._below = self._below * self._fading + below


class Evidence:
    """Takes in every outcome once, in order; the same outcomes give the same numbers."""

    def __init__(self, interface: Interface | None = None) -> None:
        self.held = 0
        self.sightings = 0
        self.queries = 0
        self.requests = 0
        self.empty = 0
        """Queries without any record."""
        self.caps = Caps()
        self.totals = Totals(interface or Interface())
        self._seen = Sightings()
        self._again = Faded()
        self._whole = Faded()
        self._shown = Faded()
        self._matching = Faded(1.0)
        self._visible = Faded(1.0)
        self._chosen = Faded(1.0)
        self._fresh = Faded()
        self._squared = Faded()

    @property
    def counts(self) -> Counts:
        return self._seen.counts(self.held, self.sightings)

    def learn(self, outcome: Outcome, keys: Iterable[int], shown: int | None = None) -> None:
        self.caps.learn(outcome)
        is_cut = self.caps.is_cut(outcome)
        self.totals.learn(outcome, is_cut=is_cut)
        if outcome.returned:
            self._compare(outcome, shown, is_cut=is_cut)
        self._seen.take(keys, _half(outcome))
        self.held += outcome.fresh
        self.sightings += outcome.returned
        self.queries += 1
        self.requests += outcome.requests
        self.empty += not outcome.returned

    def sizes(self) -> dict[str, float | None]:
        """Each estimate by its name; None where there is nothing to make it from."""
        counts, held = self.counts, max(self.held, 1)
        found: dict[str, float | None] = {name: of(counts) for name, of in ESTIMATES.items()}
        found["recaptures"] = self._again.value
        found["whole answers"] = self._whole.value
        found["matches told"] = self._shown.value
        found["largest total"] = float(self.totals.largest) or None
        found["menus"] = self.totals.by_menu[0] or None
        most = held / LEAST_SHARE
        return {name: None if n is None else min(max(n, held), most) for name, n in found.items()}

    def _compare(self, outcome: Outcome, shown: int | None, *, is_cut: bool) -> None:
        again = outcome.returned - outcome.fresh
        self._again.add(outcome.returned * self.held, again)
        self._fresh.add(outcome.fresh, outcome.returned)
        self._chosen.add(self.totals.is_by_choice(outcome) * outcome.returned, outcome.returned)
        self._squared.add(outcome.fresh**2 / outcome.returned, outcome.returned)
        self._visible.add(outcome.returned, max(outcome.matched, outcome.returned))
        if not is_cut and not outcome.is_left:
            self._whole.add(outcome.returned * self.held, again)
        if shown is not None and not self.totals.is_by_choice(outcome):
            self._compare_shown(outcome, shown, is_whole=not is_cut and not outcome.is_left)

    def _compare_shown(self, outcome: Outcome, shown: int, *, is_whole: bool) -> None:
        if is_whole or outcome.total is not None:
            self._shown.add(outcome.matched * self.held, shown)
        if is_whole:
            self._matching.add(outcome.returned - outcome.fresh, shown)

    def features(self) -> dict[str, float]:
        """What models weigh; 0 stands for what cannot be told."""
        held, sizes = float(max(self.held, 1)), self.sizes()
        found = {name: 0.0 if n is None else unseen(n, held) for name, n in sizes.items()}
        found |= {f"no {name}": float(sizes[name] is None) for name in _OFTEN_UNTOLD}
        told = sorted(found[name] for name in _ESTIMATES if sizes[name] is not None)
        found |= {"least": told[0], "median": told[len(told) // 2], "most": told[-1]}
        found |= self._ways(held)
        found |= {f"{name}, cut": found[name] * found["cut"] for name in _CUT_MATTERS}
        return found

    def _ways(self, held: float) -> dict[str, float]:
        """How the harvest went, in numbers that hardly depend on how large the source is."""
        again, fresh = self._again.value, self._fresh.value
        whole = None if again is None else self._whole.value
        return {
            "chosen": self._chosen.value or 0.0,
            "menu": self.totals.by_menu[1],
            "cut": self.caps.share,
            "is cut": float(self.caps.cap is not None),
            "hidden": -math.log(max(_LEAST, self._visible.value or 1.0)),
            "matching": math.log(min(1.0, max(_LEAST, self._matching.value or 1.0))),
            "fresh": math.log((fresh or 0.0) + FLOOR),
            "scatter": self._scatter(fresh),
            "drift": 0.0 if not again or not whole else math.log(again / whole),
            "queries": math.log(max(1, self.queries)),
            "empty": self.empty / max(1, self.queries),
            "rate": math.log(max(1.0, self.sightings / held)),
            "answer": math.log(max(1.0, self.sightings / max(1, self.queries))),
            "once": self.counts.once / held,
        }

    def _scatter(self, fresh: float | None) -> float:
        """How much the share of new records differs from query to query: much where a source
        has parts with words of their own."""
        squared = self._squared.value
        if squared is None or fresh is None or not 0 < fresh < 1:
            return 0.0
        return math.sqrt(max(0.0, squared - fresh**2) / (fresh * (1 - fresh)))


def _half(outcome: Outcome) -> int:
    """0 or 1, by nothing but the query."""
    return xxhash.xxh3_64_intdigest(repr(outcome.query.values).encode()) & 1
