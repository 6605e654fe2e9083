"""What a source lets be seen of an answer: records on a page, and records at most."""

from collections import Counter

from leadline.core.harvest import Outcome

_FIRST_SIZE = 10
_TIMES = 3
"""Answers that must end at the same largest number before it is taken for a limit."""
_REPEATED = 0.9
"""Of the places on full pages that different records fill, in answers without repetitions."""
_LEAST = 8
"""Records below which many answers agree by chance."""


class Limits:
    """Learns from every outcome. A limit that a page tells of counts at once, one that is only
    seen after some answers ended there."""

    def __init__(self) -> None:
        self._largest = 0
        """Records on one page."""
        self._is_turned = False
        self._cut: int | None = None
        self._returned: Counter[int] = Counter()
        self._pages: Counter[int] = Counter()

    @property
    def page_size(self) -> float:
        """Records on one page: ten, which most lists have at least, until a page was turned."""
        return float(max(1, self._largest) if self._is_turned else max(_FIRST_SIZE, self._largest))

    @property
    def cap(self) -> int | None:
        """Records of one answer at most; None when no end is known."""
        if self._cut is not None:
            return self._cut
        most = max(self._returned, default=0)
        if most >= _LEAST and self._returned[most] >= _TIMES:
            return most
        pages = max(self._pages, default=0)
        if pages > 1 and self._pages[pages] >= _TIMES:
            return most
        return None

    def is_over(self, outcome: Outcome) -> bool:
        """Whether there is more than the query could show."""
        cap = self.cap
        if outcome.is_cut:
            return True
        is_full = cap is not None and outcome.returned >= cap
        return is_full and (not outcome.is_total_exact or outcome.matched > outcome.returned)

    def is_shuffled(self, outcome: Outcome) -> bool:
        """Whether pages of the answer repeat records, so that others were never shown."""
        return outcome.returned < _REPEATED * (outcome.pages - 1) * self.page_size

    def matched(self, outcome: Outcome) -> float:
        """How many records match, as far as can be told."""
        listed = (outcome.pages - 0.5) * self.page_size if self.is_shuffled(outcome) else 0.0
        return max(float(outcome.matched), listed)

    def learn(self, outcome: Outcome) -> None:
        if not outcome.returned:
            return
        self._largest = max(self._largest, -(-outcome.returned // max(1, outcome.pages)))
        self._is_turned = self._is_turned or outcome.pages > 1
        if outcome.is_left:
            return
        if outcome.is_cut:
            self._cut = max(self._cut or 0, outcome.returned)
        elif not outcome.is_total_exact:
            self._returned[outcome.returned] += 1
            self._pages[outcome.pages] += 1
