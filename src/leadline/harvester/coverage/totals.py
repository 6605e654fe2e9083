"""What the numbers printed on result pages say of the whole database."""

from itertools import pairwise

from leadline.core.harvest import Outcome
from leadline.harvester.interface import Interface

_AGREEING = 0.02
"""Sums over two menus that differ by no more are sums over the same records."""
_SAME_TOTALS = 3
"""Queries that name one and the same largest total: the source does not count further."""


class Totals:
    """Learns from every outcome that names an exact total, or was read to its end.

    A total of everything is believed until more than that is held, or until several queries name
    the same largest total: then totals are cut themselves.
    """

    def __init__(self, interface: Interface) -> None:
        self.largest = 0
        """Of any exact total: the database has at least as many."""
        self._largest_times = 0
        self._everything = 0
        self._fixed = dict(interface.fixed)
        self._choices = {menu.name: {c.value for c in menu.choices} for menu in interface.menus}
        self._offered = {*self._choices, *(e for s in interface.spans for e in (s.low, s.high))}
        self._matched: dict[str, dict[str, int]] = {name: {} for name in self._choices}
        self._is_sure = dict.fromkeys(self._choices, True)

    def learn(self, outcome: Outcome, *, is_cut: bool) -> None:
        asked = {n: v for n, v in outcome.query.values if v and self._fixed.get(n) != v}
        is_printed = outcome.total is not None and outcome.is_total_exact
        if is_printed:
            self._note_printed(outcome.matched)
            self._everything = max(self._everything, outcome.matched if not asked else 0)
        if len(asked) == 1:
            ((name, value),) = asked.items()
            is_sure = is_printed or not (is_cut or outcome.is_left or outcome.total)
            self._note_choice(name, value, outcome.matched, is_sure=is_sure)

    def is_by_choice(self, outcome: Outcome) -> bool:
        """Whether it chose among what the form offers, and typed nothing."""
        asked = [n for n, v in outcome.query.values if v and self._fixed.get(n) != v]
        return bool(asked) and all(name in self._offered for name in asked)

    @property
    def menu_sums(self) -> list[int]:
        """Of menus whose choices were all asked for alone and wholly counted, rising; the choices
        may overlap, or leave records out."""
        sums = (
            sum(matched.values())
            for name, matched in self._matched.items()
            if len(matched) == len(self._choices[name]) > 1 and self._is_sure[name]
        )
        return sorted(found for found in sums if found)

    @property
    def by_menu(self) -> tuple[float, float]:
        """Records by the choices of one menu, those not asked for taken to be like the others,
        and the share of its choices that were; (0, 0) where no menu was asked by itself."""
        done = [
            (len(matched) / len(self._choices[name]), sum(matched.values()))
            for name, matched in self._matched.items()
            if len(self._choices[name]) > 1 and len(matched) > 1
        ]
        share, found = max(done, default=(0.0, 0))
        return (found / share, share) if found else (0.0, 0.0)

    def database(self, held: int) -> int | None:
        """Records there are, where the source says so: to a query for everything, or alike by
        the choices of two menus. None when it does not, or says less than is held."""
        sums = self.menu_sums
        agreeing = [high for low, high in pairwise(sums) if _agree(low, high)]
        told = max(agreeing, default=0)
        if self._largest_times < _SAME_TOTALS:
            told = self._everything or told
        return told if told and told >= held else None

    def _note_printed(self, matched: int) -> None:
        if matched > self.largest:
            self.largest, self._largest_times = matched, 0
        self._largest_times += matched == self.largest

    def _note_choice(self, name: str, value: str, matched: int, *, is_sure: bool) -> None:
        if value in self._choices.get(name, ()):
            self._matched[name][value] = matched
            self._is_sure[name] &= is_sure


def _agree(low: int, high: int) -> bool:
    return high - low <= _AGREEING * high
