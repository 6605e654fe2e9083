"""Finds out that a source shows no more than so many records of an answer, and which were cut."""

from collections import Counter

from leadline.core.harvest import Outcome

_TIMES, _ROUND_TIMES, _ROUND = 3, 2, 50
"""Answers that must end at the same largest number before it is taken for a limit; fewer if that
is a multiple of fifty, as limits mostly are and sizes of answers seldom."""
_LEAST = 4
"""Records below which nothing is read into it."""
_CLEARLY = 50
"""Records from which on three answers do not end at the same largest number by chance."""
_SHARE = 0.25
"""Below that, of the answers at least half as long: sizes of answers fall off such that a limit
gathers about as many answers as lie between it and its half, chance a few of a hundred."""
_SURELY_MORE = 2.0
"""Times what was shown: estimated totals are off by tens of percent, seldom by a factor of two."""
_MANY_PAGES, _PAGE_TIMES, _PAGE_SHARE = 4, 5, 0.5
"""The same for the last page where records come in another order each time: fewer pages, or fewer
answers, agree by chance."""


class Caps:
    """Learns from every outcome. A limit that totals tell of counts at once, one that is only seen
    after some answers ended there; answers that we left ourselves say nothing."""

    def __init__(self) -> None:
        self.answers = 0
        """With records, read to their end."""
        self.most_matched = 0
        """Of a cut answer, as printed."""
        self._told: Counter[int] = Counter()
        self._untold: Counter[int] = Counter()
        self._full = 0
        self._pages: Counter[int] = Counter()
        self._ends: Counter[int] = Counter()
        self._page_size = 0
        self._held = 0
        self.cap: int | None = None
        """Records of one answer at most; None when no end is known."""

    @property
    def cut(self) -> int:
        """Answers known to have been cut so far."""
        cap = self.cap
        if cap is None:
            return 0
        ended = self._ends[self._last_page] if self._is_last_page() else 0
        full = sum(n for size, n in self._untold.items() if size >= cap)
        return self._told.total() + max(full, ended)

    @property
    def share(self) -> float:
        """Of the answers those that were cut."""
        return self.cut / self.answers if self.answers else 0.0

    def is_cut(self, outcome: Outcome) -> bool:
        """Whether more matched than the source let be seen."""
        if _is_told(outcome):
            return True
        cap = self.cap
        if cap is None or outcome.is_left:
            return False
        is_at_end = self._is_last_page() and outcome.pages >= self._last_page
        if outcome.returned < cap and not is_at_end:
            return False
        return not outcome.is_total_exact or outcome.matched > outcome.returned

    def learn(self, outcome: Outcome) -> None:
        self._held += outcome.fresh
        self._note(outcome)
        self.cap = self._find()

    def _note(self, outcome: Outcome) -> None:
        if outcome.is_left or not outcome.returned:
            return
        self.answers += 1
        is_told = _is_told(outcome)
        # Where records come twice, an exact total says better what its pages showed.
        listed = outcome.matched if outcome.is_total_exact and not is_told else outcome.returned
        self._page_size = max(self._page_size, -(-listed // max(1, outcome.pages)))
        if is_told:
            self._told[outcome.returned] += 1
            self._pages[outcome.pages] += 1
            self.most_matched = max(self.most_matched, outcome.matched)
        elif outcome.is_total_exact:
            self._full = max(self._full, outcome.returned)
        else:
            self._untold[outcome.returned] += 1
            self._ends[outcome.pages] += 1

    def _find(self) -> int | None:
        if self._told:
            return self._in_pages(max(self._told))
        most = max(self._untold, default=0)
        # Answers that hold all there is end at the same number, too.
        if most < self._full or most >= self._held:
            return None
        if self._is_end(most):
            return most
        return self._last_page * self._page_size if self._is_last_page() else None

    def _in_pages(self, most: int) -> int:
        """Where the order changes from page to page, records come twice and answers that end on
        the same page have different numbers of them: then pages are counted."""
        pages = max(self._pages)
        is_mixed = pages > 1 and self._told[most] < self._pages[pages]
        return max(most, pages * self._page_size) if is_mixed else most

    def _is_end(self, most: int) -> bool:
        times = self._untold[most]
        wanted = _TIMES if most % _ROUND else _ROUND_TIMES
        if most < _LEAST or times < wanted:
            return False
        nearly = sum(n for size, n in self._untold.items() if 2 * size >= most)
        return most >= _CLEARLY or times >= _SHARE * nearly

    @property
    def _last_page(self) -> int:
        return max(self._ends, default=0)

    def _is_last_page(self) -> bool:
        last = self._last_page
        times = self._ends[last]
        if last < _MANY_PAGES or times < _PAGE_TIMES:
            return False
        return times >= _PAGE_SHARE * sum(n for page, n in self._ends.items() if 2 * page >= last)


def _is_told(outcome: Outcome) -> bool:
    """Whether its total says that more matched than was shown."""
    if outcome.total is None or outcome.is_total_exact:
        return outcome.is_cut
    return (
        outcome.is_cut
        and outcome.returned >= _LEAST
        and (outcome.total >= _SURELY_MORE * outcome.returned)
    )
