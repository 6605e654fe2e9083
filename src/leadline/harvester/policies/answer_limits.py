"""What a source shows of an answer: records on a page, and records at most."""

from collections import Counter

from leadline.core.harvest import Outcome

_FIRST_SIZE = 10
"""Records on a page before a second page was seen: most lists have at least ten."""
_TIMES = 3
"""Answers that must end at the same largest number before it is taken for a limit."""
_REPEATED = 0.9
"""Share of the places on full pages that distinct records fill if an answer repeats none."""
_SEEN = 2
"""Answers with repetitions after which a source is taken to shuffle: one may be an accident."""
_LEAST = 8
"""Records below which many answers agree by chance."""
_FAR_OFF = 2.0
"""Times what was shown that an estimated total must be to count: few are so far off."""


class AnswerLimits:
    """Learns from every outcome. A limit that follows from a printed total counts at once; one
    that is only observed counts after some answers ended there."""

    def __init__(self) -> None:
        self._largest = 0
        """Records on one page."""
        self.longest = 0
        """Records of one answer."""
        self._is_turned = False
        self._shuffled = 0
        """Answers that repeated records."""
        self._cut: int | None = None
        self._returned: Counter[int] = Counter()
        self._pages: Counter[int] = Counter()

    @property
    def page_size(self) -> float:
        """Records on one page; at least ten until an answer had a second page."""
        return float(max(1, self._largest) if self._is_turned else max(_FIRST_SIZE, self._largest))

    @property
    def cap(self) -> int | None:
        """Records of one answer at most; None when no end is known."""
        if self._cut is not None:
            return self._cut
        most = max(self._returned, default=0)
        if self._last_page and self.shuffles:
            return int(self._last_page * self.page_size)
        is_repeated = most >= _LEAST and self._returned[most] >= _TIMES
        return most if is_repeated or self._last_page else None

    @property
    def _last_page(self) -> int:
        """The page on which many answers end and after which none has another; 0 if unknown."""
        last = max(self._pages, default=0)
        return last if last > 1 and self._pages[last] >= _TIMES else 0

    def is_over(self, outcome: Outcome) -> bool:
        """Whether there is more than the query could show."""
        cap = self.cap
        if _is_surely_cut(outcome):
            return True
        if cap is not None and outcome.is_left and outcome.is_total_exact:
            return outcome.matched > cap
        is_full = cap is not None and outcome.returned >= cap
        if self._last_page and self.is_shuffled(outcome):
            is_full = outcome.pages >= self._last_page
        return is_full and (not outcome.is_total_exact or outcome.matched > outcome.returned)

    def ends_early(self, outcome: Outcome) -> bool:
        """Whether other answers had more pages, so that this one was shown whole. For an answer
        that ends on the last page of all and repeats records this is unknown."""
        return outcome.pages < max(self._pages, default=0)

    def is_shuffled(self, outcome: Outcome) -> bool:
        """Whether pages of the answer repeat records, so that others were never shown."""
        return outcome.returned < _REPEATED * (outcome.pages - 1) * self.page_size

    @property
    def shuffles(self) -> bool:
        """Whether the source orders records anew for every page."""
        return self._shuffled >= _SEEN

    def count_matches(self, outcome: Outcome) -> float:
        """How many records match, as far as known."""
        listed = (outcome.pages - 0.5) * self.page_size if self.is_shuffled(outcome) else 0.0
        return max(float(outcome.matched), listed)

    def learn_page(self, shown: int, *, has_more: bool) -> None:
        """Takes in a first page of which no outcome tells."""
        self._largest = max(self._largest, shown)
        self._is_turned = self._is_turned or has_more

    def learn(self, outcome: Outcome) -> None:
        if not outcome.returned:
            return
        self._largest = max(self._largest, -(-outcome.returned // max(1, outcome.pages)))
        self.longest = max(self.longest, outcome.returned)
        self._is_turned = self._is_turned or outcome.pages > 1
        self._shuffled += self.is_shuffled(outcome)
        if outcome.is_left:
            return
        if _is_surely_cut(outcome):
            self._cut = max(self._cut or 0, outcome.returned)
        elif not outcome.is_total_exact:
            self._returned[outcome.returned] += 1
            self._pages[outcome.pages] += 1


def _is_surely_cut(outcome: Outcome) -> bool:
    """Whether the printed total says that more matched, and not by a rough estimate."""
    is_rough = outcome.total is not None and not outcome.is_total_exact
    return outcome.is_cut and not (is_rough and outcome.matched < _FAR_OFF * outcome.returned)
