"""Published estimates of how many records there are, from how often each came, and the model that
corrects and joins them."""

import math
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct

RARE = 10
"""Sightings up to which a record counts as rarely seen: the cut of A. Chao and S.-M. Lee, Journal
of the American Statistical Association 87, 1992."""
MOST_COUNTED = 65_536
"""Records counted at most: 6 MB. Each frequency is then known to about a hundredth."""
_SECOND_HALF = 1 << 20
"""Sightings in the second half of the queries are counted in steps of this."""
OVERLAP = 1.1
"""Exponent of J. Lu and D. Li, "Estimating deep web data source size by capture-recapture method",
Information Retrieval 13, 2010, for records that differ in how easily they are matched."""
LEAST_SHARE = 1e-2
"""Least share of a database that is taken to be held: while nothing comes twice, any size is as
likely."""
FLOOR = 2e-3
"""Two of a thousand missing are as good as none."""
FILE = "model.json"
_MOSTLY_CHOSEN = 0.5
"""Share of the records that queries without typed words brought, from which on a harvest is by
choice."""
_CLEARLY_MORE = 1.05
"""Times what is held: nobody can be sure that less than a twentieth is missing rather than none."""


class SightingCounts(Struct, frozen=True):
    """Records by how often they came, as numbers of all records rather than of the sample."""

    held: float
    sightings: float
    times: tuple[float, ...]
    """Records seen once, twice, ... RARE times."""
    first: float
    """Records that queries of the first half brought."""
    second: float
    both: float

    @property
    def once(self) -> float:
        return self.times[0]

    @property
    def twice(self) -> float:
        return self.times[1]


class Sightings:
    """Counts how often each record came, on a bounded, even sample. All records are counted until
    they are too many, then those whose hash ends in one more zero bit: which ones depends on
    nothing but the hashes."""

    def __init__(self, most: int = MOST_COUNTED) -> None:
        self._most = most
        self._mask = 0
        self._seen: dict[int, int] = {}
        self._times = [0] * (RARE + 2)
        self._in_half = [0, 0]
        self._in_both = 0

    def add(self, keys: Iterable[int], half: int) -> None:
        """Counts the distinct records of one query, by 64-bit hashes; `half` is 0 or 1."""
        mask, seen = self._mask, self._seen
        step = _SECOND_HALF if half else 1
        for key in keys:
            if not key & mask:
                before = seen.get(key, 0)
                seen[key] = before + step
                self._count(before, half)
        while len(seen) > self._most:
            self._thin()

    def counts(self, held: float, sightings: float) -> SightingCounts:
        """The counts scaled to so many records and sightings."""
        scale = held / len(self._seen) if self._seen else 0.0
        return SightingCounts(
            held,
            sightings,
            tuple(scale * number for number in self._times[1 : RARE + 1]),
            scale * self._in_half[0],
            scale * self._in_half[1],
            scale * self._in_both,
        )

    def _count(self, before: int, half: int) -> None:
        first, second = before % _SECOND_HALF, before // _SECOND_HALF
        times = min(first + second, RARE + 1)
        self._times[times] -= 1 if before else 0
        self._times[min(times + 1, RARE + 1)] += 1
        own, other = (second, first) if half else (first, second)
        if not own:
            self._in_half[half] += 1
            self._in_both += 1 if other else 0

    def _thin(self) -> None:
        self._mask = self._mask << 1 | 1
        kept = {key: times for key, times in self._seen.items() if not key & self._mask}
        self._seen.clear()
        self._seen.update(kept)
        numbers = [(packed % _SECOND_HALF, packed // _SECOND_HALF) for packed in kept.values()]
        self._times = [0] * (RARE + 2)
        for first, second in numbers:
            self._times[min(first + second, RARE + 1)] += 1
        self._in_half = [sum(a > 0 for a, _ in numbers), sum(b > 0 for _, b in numbers)]
        self._in_both = sum(a > 0 and b > 0 for a, b in numbers)


# The estimates below take sightings to be independent, and most of them take all records to be
# equally likely to come. Neither holds for queries: `SizeModel` has learned how far off each is.


def estimate_good_turing(counts: SightingCounts) -> float:
    """The next sighting is of a record not seen before with chance f1 / n (I. J. Good, Biometrika
    40, 1953)."""
    return counts.held / _sample_coverage(counts.once, counts.sightings)


def estimate_chao1(counts: SightingCounts) -> float:
    """A lower bound, bias-corrected (A. Chao, Scandinavian Journal of Statistics 11, 1984)."""
    unseen = counts.once * max(counts.once - 1, 0.0) / (2 * (counts.twice + 1))
    return min(counts.held + unseen, counts.held / LEAST_SHARE)


def chao1_interval(counts: SightingCounts) -> tuple[float, float]:
    """Its own 95 % interval, log-normal (A. Chao, Biometrics 43, 1987); right where sightings are
    independent."""
    missing = estimate_chao1(counts) - counts.held
    if missing <= 0 or counts.twice <= 0:
        return counts.held, counts.held
    ratio = counts.once / counts.twice
    variance = counts.twice * (ratio**4 / 4 + ratio**3 + ratio**2 / 2)
    spread = math.exp(1.96 * math.sqrt(math.log(1 + variance / missing**2)))
    return counts.held + missing / spread, counts.held + missing * spread


def estimate_ace(counts: SightingCounts) -> float:
    """Allows for records that come more easily than others (A. Chao and S.-M. Lee 1992, on records
    seen rarely only: A. Chao and M. C. K. Yang, Biometrika 80, 1993)."""
    rare = sum(counts.times)
    rare_sightings = sum(times * number for times, number in enumerate(counts.times, 1))
    covered = _sample_coverage(counts.once, rare_sightings)
    pairs = sum(times * (times - 1) * number for times, number in enumerate(counts.times, 1))
    spread = rare / covered * pairs / max(rare_sightings * (rare_sightings - 1), 1.0) - 1
    common = max(0.0, counts.held - rare)
    found = common + rare / covered + counts.once / covered * max(0.0, spread)
    return min(found, counts.held / LEAST_SHARE)


def estimate_overlap(counts: SightingCounts) -> float:
    """From how often the average record came: P = 1 - OR ** -1.1 (Lu and Li 2010)."""
    rate = max(1.0, counts.sightings / max(counts.held, 1.0))
    covered: float = 1 - rate**-OVERLAP
    return counts.held / max(LEAST_SHARE, covered)


def estimate_halves(counts: SightingCounts) -> float:
    """From the records that two halves of the queries share (D. G. Chapman, University of
    California Publications in Statistics 1, 1951)."""
    found = (counts.first + 1) * (counts.second + 1) / (counts.both + 1) - 1
    return min(max(found, counts.held), counts.held / LEAST_SHARE)


def _sample_coverage(once: float, sightings: float) -> float:
    return max(LEAST_SHARE, 1 - once / max(sightings, 1.0))


ESTIMATES = {
    "Good-Turing": estimate_good_turing,
    "Chao1": estimate_chao1,
    "ACE": estimate_ace,
    "overlap": estimate_overlap,
    "halves": estimate_halves,
}


def log_unseen(size: float, held: float) -> float:
    """The logarithm of records not held for each that is held, the scale of all corrections: an
    error by the same factor is as bad when half is held as when nearly all is."""
    return math.log(max(0.0, size / max(held, 1.0) - 1) + FLOOR)


class LinearEstimate(Struct, frozen=True):
    """A linear function of features by name."""

    constant: float
    weights: dict[str, float]

    def at(self, features: Mapping[str, float]) -> float:
        return self.constant + sum(w * features[name] for name, w in self.weights.items())


class IntervalEstimate(Struct, frozen=True):
    """Low end, middle and high end, as logarithms of the records not held per record held."""

    low: LinearEstimate
    middle: LinearEstimate
    high: LinearEstimate
    bounds: dict[str, tuple[float, float]] = {}
    """What was seen of each feature: beyond, nothing was learned, and the nearer bound is taken."""

    def within(self, features: Mapping[str, float]) -> dict[str, float]:
        bounds = self.bounds
        return {name: min(max(features[name], low), high) for name, (low, high) in bounds.items()}


class SizeModel(Struct, frozen=True):
    """Estimates how many records there are, from `CoverageEvidence.features`.

    Each published estimate is off by a factor that depends on how a harvest went. Linear functions
    of the evidence, one each for the middle and the ends of the interval, were fitted to harvests
    of the lab's sources by `python -m leadline_lab.harvests.coverage FOLDER --fit`, which wrote the
    file that is read here; the ends were then moved apart until they held on sources not fitted
    to. Harvests that mostly choose from menus have functions of their own: choices exclude each
    other, so that nothing comes twice and estimates made of repetitions mean something else.
    """

    words: IntervalEstimate
    choices: IntervalEstimate
    about: dict[str, str] = {}
    """How it was fitted, for people."""

    def sizes(self, features: Mapping[str, float], held: int) -> tuple[float, float, float]:
        """Records there are: at least, probably, at most; never fewer than are held.

        The low end is not above the least single estimate: where one says that all is held, it
        may be right.
        """
        lines = self.choices if is_by_choice(features) else self.words
        seen = lines.within(features)
        middle = lines.middle.at(seen)
        low = min(middle, lines.low.at(seen), features["least"])
        high = max(middle, lines.high.at(seen))
        least = _size_from(low, held)
        return (
            least if least >= _CLEARLY_MORE * held else held,
            _size_from(middle, held),
            _size_from(high, held),
        )


def is_by_choice(features: Mapping[str, float]) -> bool:
    return features["chosen"] >= _MOSTLY_CHOSEN


def _size_from(unseen: float, held: int) -> float:
    return held * (1 + max(0.0, math.exp(min(unseen, 20.0)) - FLOOR))


@cache
def shipped_model() -> SizeModel:
    packed = resources.files("leadline.harvester.coverage").joinpath(FILE).read_bytes()
    return msgspec.json.decode(packed, type=SizeModel)
