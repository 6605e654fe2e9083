"""What a harvest shows about the size of its source: caps, totals, sightings, as numbers that the
model weighs."""

import math
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

import xxhash

from leadline.core.harvest import Outcome
from leadline.harvester.coverage.estimators import (
    ESTIMATES,
    FLOOR,
    LEAST_SHARE,
    SightingCounts,
    Sightings,
    log_unseen,
)
from leadline.harvester.interface import Interface

_TIMES, _ROUND_TIMES, _ROUND = 3, 2, 50
"""Answers that must end at the same largest number before it is taken for a limit; fewer if that
is a multiple of fifty, as limits mostly are and sizes of answers seldom."""
_LEAST_RECORDS = 4
"""Records below which equal lengths of answers mean nothing."""
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
_AGREEING = 0.02
"""Sums over two menus that differ by no more are sums over the same records."""
_SAME_TOTALS = 3
"""Queries that name one and the same largest total: the source does not count further."""
_NONE_YET = 3.0
"""What may be missing, with 95 of 100 chances, of as many tries as found nothing missing."""
_UPPER_QUANTILE = 1.645
"""Standard deviations above the mean that 95 of 100 chances stay below."""
_NO_LISTING = 0.1
"""Share from which on an answer to nothing was the latest or the best records and not all: what
others show then says little about how many are missing."""
_FADING = 0.96
"""Weight of a query when the next one is counted: the last twenty-five count most."""
_LEAST_SHARE = 0.01
"""Shares below are taken for this one, so that logarithms stay in bounds."""
_OFTEN_MISSING = ("recaptures", "whole answers", "matches told", "largest total", "menus")
_ESTIMATES = (*ESTIMATES, "recaptures", "whole answers", "matches told")
_MISLED_BY_CAPS = ("Good-Turing", "Chao1", "ACE", "overlap", "halves", "recaptures", "matches told")
"""Estimates that cut answers mislead: the same records come first again and again."""


_KNOWN_AGAIN = 30
"""Records in a row that were held: with a tenth of a source missing one time in 25."""


class CapDetector:
    """Finds out that a source shows no more than so many records of an answer, and which answers
    were capped. Learns from every outcome: a cap that follows from a printed total counts at once,
    one that is only observed after some answers ended there; answers that we left say nothing."""

    def __init__(self) -> None:
        self.answers = 0
        """Answers with records, read to their end."""
        self.most_matched = 0
        """Largest printed total of a capped answer."""
        self._printed: Counter[int] = Counter()
        """Capped answers with a larger printed total, by the records they showed."""
        self._unprinted: Counter[int] = Counter()
        """Answers without an exact total, by the records they showed."""
        self._full = 0
        """Largest answer that its exact total says was whole."""
        self._pages: Counter[int] = Counter()
        self._ends: Counter[int] = Counter()
        self._page_size = 0
        self._held = 0
        self.cap: int | None = None
        """Records of one answer at most; None if no cap is known."""

    @property
    def cut(self) -> int:
        """Answers known to have been cut so far."""
        cap = self.cap
        if cap is None:
            return 0
        ended = self._ends[self._last_page] if self._is_last_page() else 0
        full = sum(n for size, n in self._unprinted.items() if size >= cap)
        return self._printed.total() + max(full, ended)

    @property
    def cut_sizes(self) -> Counter[int]:
        """Records that answers showed which were cut, by a printed total or at the cap."""
        cap = self.cap or 0
        return self._printed + Counter({n: t for n, t in self._unprinted.items() if n >= cap > 0})

    @property
    def share(self) -> float:
        """Of the answers those that were cut."""
        return self.cut / self.answers if self.answers else 0.0

    def is_cut(self, outcome: Outcome) -> bool:
        """Whether more matched than the source let be seen."""
        if _is_surely_capped(outcome):
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
        is_printed = _is_surely_capped(outcome)
        # Where records come twice, an exact total says better what its pages showed.
        listed = outcome.matched if outcome.is_total_exact and not is_printed else outcome.returned
        self._page_size = max(self._page_size, -(-listed // max(1, outcome.pages)))
        if is_printed:
            self._printed[outcome.returned] += 1
            self._pages[outcome.pages] += 1
            self.most_matched = max(self.most_matched, outcome.matched)
        elif outcome.is_total_exact:
            self._full = max(self._full, outcome.returned)
        else:
            self._unprinted[outcome.returned] += 1
            self._ends[outcome.pages] += 1

    def _find(self) -> int | None:
        if self._printed:
            return self._in_pages(max(self._printed))
        most = max(self._unprinted, default=0)
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
        is_mixed = pages > 1 and self._printed[most] < self._pages[pages]
        return max(most, pages * self._page_size) if is_mixed else most

    def _is_end(self, most: int) -> bool:
        times = self._unprinted[most]
        wanted = _TIMES if most % _ROUND else _ROUND_TIMES
        if most < _LEAST_RECORDS or times < wanted:
            return False
        nearly = sum(n for size, n in self._unprinted.items() if 2 * size >= most)
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


def _is_surely_capped(outcome: Outcome) -> bool:
    """Whether its total says that more matched than was shown."""
    if outcome.total is None or outcome.is_total_exact:
        return outcome.is_cut
    return (
        outcome.is_cut
        and outcome.returned >= _LEAST_RECORDS
        and (outcome.total >= _SURELY_MORE * outcome.returned)
    )


class PrintedTotals:
    """Learns from every outcome that names an exact total, or was read to its end.

    A total of everything is believed until more than that is held, or until several queries name
    the same largest total: then totals are cut themselves.
    """

    def __init__(self, interface: Interface) -> None:
        self.largest = 0
        """Of any exact total: the database has at least as many."""
        self._largest_times = 0
        self._everything = 0
        self._known_again = 0
        """Records that came since the last new one."""
        self._listed = 0
        """Total of the largest answer that was read to its end."""
        self._fixed = dict(interface.fixed)
        self._choices = {menu.name: {c.value for c in menu.choices} for menu in interface.menus}
        self._offered = {*self._choices, *(e for s in interface.spans for e in (s.low, s.high))}
        self._matched: dict[str, dict[str, int]] = {name: {} for name in self._choices}
        self._is_sure = dict.fromkeys(self._choices, True)

    def learn(self, outcome: Outcome, *, is_cut: bool) -> None:
        asked = {n: v for n, v in outcome.query.values if v and self._fixed.get(n) != v}
        self._known_again = 0 if outcome.fresh else self._known_again + outcome.returned
        is_printed = outcome.total is not None and outcome.is_total_exact
        if is_printed:
            self._note_printed(outcome.matched)
            if not (is_cut or outcome.is_left):
                self._listed = max(self._listed, outcome.matched)
            self._everything = max(self._everything, outcome.matched if not asked else 0)
        if len(asked) == 1:
            ((name, value),) = asked.items()
            is_sure = is_printed or not (is_cut or outcome.is_left or outcome.total)
            self._note_choice(name, value, outcome.matched, is_sure=is_sure)

    def is_listed(self, told: int) -> bool:
        """Whether an answer of so many records was read to its end."""
        return self._listed >= told

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
        # A word that all records have names the total of everything as well: that many being held,
        # and nothing further coming, it was right.
        is_reached = held == self._everything and self._known_again >= _KNOWN_AGAIN
        if self._largest_times < _SAME_TOTALS or is_reached:
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


class FullListing:
    """An answer to a query that asks for nothing and was read to its end: whether it lists all
    there is, by what the answers after it brought. Learns from every outcome."""

    def __init__(self, interface: Interface) -> None:
        self._fixed = dict(interface.fixed)
        asked = (*interface.boxes, *interface.menus, *interface.spans)
        self._is_alone = interface.takes_empty and not asked
        self.is_read = False
        self.shown = 0
        """Records that later answers showed, each as often as it came."""
        self.fresh = 0
        """Of these, those that the listing had not."""

    def learn(self, outcome: Outcome, *, is_cut: bool) -> None:
        if self.is_read:
            self.shown += outcome.returned
            self.fresh += outcome.fresh
        elif outcome.returned and not (is_cut or outcome.is_left):
            self.is_read = all(self._fixed.get(n) == v for n, v in outcome.query.values if v)

    @property
    def is_all(self) -> bool:
        """Whether nothing else can be asked: what it shows is all that can be reached."""
        return self.is_read and self._is_alone

    @property
    def most_missing(self) -> float | None:
        """Share of what answers show that the listing may lack, with 95 of 100 chances; None if
        nothing was listed, or as much as may be missing that it is no listing."""
        if not self.is_read or not self.shown:
            return None
        share = (self.fresh + _UPPER_QUANTILE * math.sqrt(self.fresh) + _NONE_YET) / self.shown
        return share if share < _NO_LISTING else None


class FadedRatio:
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


class CoverageEvidence:
    """Takes in every outcome once, in order; the same outcomes give the same numbers."""

    def __init__(self, interface: Interface | None = None) -> None:
        self.held = 0
        self.sightings = 0
        self.queries = 0
        self.requests = 0
        self.empty = 0
        """Queries without any record."""
        self.caps = CapDetector()
        self.totals = PrintedTotals(interface or Interface())
        self.listing = FullListing(interface or Interface())
        self._seen = Sightings()
        self._again = FadedRatio()
        self._whole = FadedRatio()
        self._matches = FadedRatio()
        self._matching = FadedRatio(1.0)
        self._visible = FadedRatio(1.0)
        self._chosen = FadedRatio(1.0)
        self._fresh = FadedRatio()
        self._squared = FadedRatio()

    @property
    def counts(self) -> SightingCounts:
        return self._seen.counts(self.held, self.sightings)

    def learn(self, outcome: Outcome, keys: Iterable[int], held_matches: int | None = None) -> None:
        self.caps.learn(outcome)
        is_cut = self.caps.is_cut(outcome)
        self.totals.learn(outcome, is_cut=is_cut)
        self.listing.learn(outcome, is_cut=is_cut)
        if outcome.returned:
            self._compare_answer(outcome, held_matches, is_cut=is_cut)
        self._seen.add(keys, _choose_half(outcome))
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
        found["matches told"] = self._matches.value
        found["largest total"] = float(self.totals.largest) or None
        found["menus"] = self.totals.by_menu[0] or None
        most = held / LEAST_SHARE
        return {name: None if n is None else min(max(n, held), most) for name, n in found.items()}

    def _compare_answer(self, outcome: Outcome, held_matches: int | None, *, is_cut: bool) -> None:
        again = outcome.returned - outcome.fresh
        self._again.add(outcome.returned * self.held, again)
        self._fresh.add(outcome.fresh, outcome.returned)
        self._chosen.add(self.totals.is_by_choice(outcome) * outcome.returned, outcome.returned)
        self._squared.add(outcome.fresh**2 / outcome.returned, outcome.returned)
        self._visible.add(outcome.returned, max(outcome.matched, outcome.returned))
        is_whole = not is_cut and not outcome.is_left
        if is_whole:
            self._whole.add(outcome.returned * self.held, again)
        if held_matches is None or self.totals.is_by_choice(outcome):
            return
        if is_whole or outcome.total is not None:
            self._matches.add(outcome.matched * self.held, held_matches)
        if is_whole:
            self._matching.add(again, held_matches)

    def features(self) -> dict[str, float]:
        """The numbers that the model weighs; 0 stands for unknown."""
        held, sizes = float(max(self.held, 1)), self.sizes()
        found = {name: 0.0 if n is None else log_unseen(n, held) for name, n in sizes.items()}
        found |= {f"no {name}": float(sizes[name] is None) for name in _OFTEN_MISSING}
        told = sorted(found[name] for name in _ESTIMATES if sizes[name] is not None)
        found |= {"least": told[0], "median": told[len(told) // 2], "most": told[-1]}
        found |= self._describe_course(held)
        found |= {f"{name}, cut": found[name] * found["cut"] for name in _MISLED_BY_CAPS}
        return found

    def _describe_course(self, held: float) -> dict[str, float]:
        """How the harvest went, in numbers that hardly depend on how large the source is."""
        again, fresh = self._again.value, self._fresh.value
        whole = None if again is None else self._whole.value
        return {
            "chosen": self._chosen.value or 0.0,
            "menu": self.totals.by_menu[1],
            "cut": self.caps.share,
            "is cut": float(self.caps.cap is not None),
            "hidden": -math.log(max(_LEAST_SHARE, self._visible.value or 1.0)),
            "matching": math.log(min(1.0, max(_LEAST_SHARE, self._matching.value or 1.0))),
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


def _choose_half(outcome: Outcome) -> int:
    """0 or 1, by nothing but the query."""
    return xxhash.xxh3_64_intdigest(repr(outcome.query.values).encode()) & 1
