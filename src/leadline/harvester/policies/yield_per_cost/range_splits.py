"""Typed ranges cut in two where answers overflow, for records that do not show what the range is
about. No I/O.

C. Sheng, N. Zhang, Y. Tao and X. Jin, "Optimal Algorithms for Crawling a Hidden Database in the
Web", PVLDB 5, 2012: rank-shrink. Departure: the paper splits at the middle value of the records
shown; where records show no value, the middle of the range has to do, which takes as many more
queries as halving needs to reach the part that records lie in.
"""

from datetime import date

from msgspec import Struct

from leadline.harvester.interface import Span
from leadline.harvester.terms import amount_of

_DOMAINS = {
    "year": (1000, 2100),
    "number": (0, 1_000_000),
    "price": (0, 1_000_000),
    "date": (date(1900, 1, 1).toordinal(), date(2099, 12, 31).toordinal()),
}
"""What open ends stand for, wide enough for everything."""
_EVEN = 4
"""Ratio of the ends from which on a range of amounts is cut at its geometric middle: prices and
sizes lie at the lower end of what could be typed."""

Ends = tuple[int, int]
Values = tuple[tuple[str, str], ...]


class RangePart(Struct, frozen=True):
    """A part of a range to be asked for."""

    values: Values
    left: float
    """Records that its whole matches and did not show, as far as known, divided evenly."""


class RangeSplits:
    """Takes in every answer to a range alone, and proposes the parts of those that overflowed.

    Parts of one range do not overlap, and no range is split of which a part was asked for by
    other means: what lies beside that part is asked for first.
    """

    def __init__(self, span: Span) -> None:
        self._span = span
        self._domain = _DOMAINS.get(span.meaning.partition(":")[0])
        self._asked: dict[Ends, float] = {}
        """Ranges that were answered, with the matches that they did not show; 0 if they showed
        all."""
        self._empty: set[Ends] = set()
        """Those that match nothing."""

    @property
    def is_useful(self) -> bool:
        """Whether what to type is known: both ends are typed, and their kind is."""
        return self._domain is not None and not self._span.lows and not self._span.highs

    def learn(self, values: Values, hidden: float, *, is_empty: bool = False) -> None:
        """Takes in an answer; `hidden` are the matches that it did not show."""
        ends = self._read(dict(values))
        if ends is not None:
            self._asked[ends] = hidden
            if is_empty:
                self._empty.add(ends)

    def next_part(self) -> RangePart | None:
        """The part of the range that hides most; None if none overflows."""
        parts = [part for ends, hidden in self._asked.items() if hidden for part in self._cut(ends)]
        best = max(parts, key=lambda both: both[1], default=None)
        if best is None:
            return None
        (low, high), left = best
        values = ((self._span.low, self._write(low)), (self._span.high, self._write(high)))
        return RangePart(tuple(sorted(values)), left)

    def _cut(self, ends: Ends) -> list[tuple[Ends, float]]:
        """The parts of an overflowing range that were not asked for, with what each may hide."""
        low, high = ends
        inside = sorted(
            one for one in self._asked if one != ends and low <= one[0] and one[1] <= high
        )
        # What is empty at an edge is cut off: the rest would get the same answer as the whole.
        while inside and inside[0] in self._empty and inside[0][0] == low:
            low = inside.pop(0)[1] + 1
        while inside and inside[-1] in self._empty and inside[-1][1] == high:
            high = inside.pop()[0] - 1
        if not inside:
            middle = self._middle(low, high)
            parts = [(low, middle), (middle + 1, high)] if low < high else []
        else:
            parts, at = [], low
            for first, last in inside:
                if at < first:
                    parts.append((at, first - 1))
                at = max(at, last + 1)
            if at <= high:
                parts.append((at, high))
        return [(part, self._asked[ends] / len(parts)) for part in parts]

    def _middle(self, low: int, high: int) -> int:
        if self._span.meaning.partition(":")[0] in ("number", "price") and high > _EVEN * (low + 1):
            return min(high - 1, int(((low + 1) * (high + 1)) ** 0.5))
        return (low + high) // 2

    def _read(self, values: dict[str, str]) -> Ends | None:
        if self._domain is None:
            return None
        low = self._parse(values.get(self._span.low, ""), self._domain[0])
        high = self._parse(values.get(self._span.high, ""), self._domain[1])
        return None if low is None or high is None or low > high else (low, high)

    def _parse(self, text: str, default: int) -> int | None:
        if not text:
            return default
        if self._is_date:
            try:
                return date.fromisoformat(text).toordinal()
            except ValueError:
                return None
        amount = amount_of(text)
        return None if amount is None else int(amount.number)

    def _write(self, number: int) -> str:
        return date.fromordinal(number).isoformat() if self._is_date else str(number)

    @property
    def _is_date(self) -> bool:
        return self._span.meaning.partition(":")[0] == "date"
