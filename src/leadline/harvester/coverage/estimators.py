"""Published estimates of how many records there are, from how often each came.

All of them take sightings for independent and most take records for equally likely to come. Neither
holds for queries: `model` learns how far off each is.
"""

import math

from leadline.harvester.coverage.sightings import Counts

OVERLAP = 1.1
"""Exponent of J. Lu and D. Li, "Estimating deep web data source size by capture-recapture method",
Information Retrieval 13, 2010, for records that differ in how easily they are matched."""
LEAST_SHARE = 1e-2
"""Of a database that is taken to be held: while nothing comes twice, any size is as likely."""


def good_turing(counts: Counts) -> float:
    """The next sighting is of a record not seen before with chance f1 / n (I. J. Good, Biometrika
    40, 1953)."""
    return counts.held / _covered(counts.once, counts.sightings)


def chao1(counts: Counts) -> float:
    """A lower bound, bias-corrected (A. Chao, Scandinavian Journal of Statistics 11, 1984)."""
    unseen = counts.once * max(counts.once - 1, 0.0) / (2 * (counts.twice + 1))
    return min(counts.held + unseen, counts.held / LEAST_SHARE)


def chao1_interval(counts: Counts) -> tuple[float, float]:
    """Its own 95 % interval, log-normal (A. Chao, Biometrics 43, 1987); right where sightings are
    independent."""
    missing = chao1(counts) - counts.held
    if missing <= 0 or counts.twice <= 0:
        return counts.held, counts.held
    ratio = counts.once / counts.twice
    variance = counts.twice * (ratio**4 / 4 + ratio**3 + ratio**2 / 2)
    spread = math.exp(1.96 * math.sqrt(math.log(1 + variance / missing**2)))
    return counts.held + missing / spread, counts.held + missing * spread


def ace(counts: Counts) -> float:
    """Allows for records that come more easily than others (A. Chao and S.-M. Lee 1992, on records
    seen rarely only: A. Chao and M. C. K. Yang, Biometrika 80, 1993)."""
    rare = sum(counts.times)
    rare_sightings = sum(times * number for times, number in enumerate(counts.times, 1))
    covered = _covered(counts.once, rare_sightings)
    pairs = sum(times * (times - 1) * number for times, number in enumerate(counts.times, 1))
    spread = rare / covered * pairs / max(rare_sightings * (rare_sightings - 1), 1.0) - 1
    common = max(0.0, counts.held - rare)
    found = common + rare / covered + counts.once / covered * max(0.0, spread)
    return min(found, counts.held / LEAST_SHARE)


def overlap(counts: Counts) -> float:
    """From how often the average record came: P = 1 - OR ** -1.1 (Lu and Li 2010)."""
    rate = max(1.0, counts.sightings / max(counts.held, 1.0))
    covered: float = 1 - rate**-OVERLAP
    return counts.held / max(LEAST_SHARE, covered)


def halves(counts: Counts) -> float:
    """From the records that two halves of the queries share (D. G. Chapman, University of
    California Publications in Statistics 1, 1951)."""
    found = (counts.first + 1) * (counts.second + 1) / (counts.both + 1) - 1
    return min(max(found, counts.held), counts.held / LEAST_SHARE)


def _covered(once: float, sightings: float) -> float:
    return max(LEAST_SHARE, 1 - once / max(sightings, 1.0))


ESTIMATES = {
    "Good-Turing": good_turing,
    "Chao1": chao1,
    "ACE": ace,
    "overlap": overlap,
    "halves": halves,
}


FLOOR = 2e-3
"""Two of a thousand missing are as good as none."""


def unseen(size: float, held: float) -> float:
    """The logarithm of records not held for each that is held, the scale of all corrections: an
    error by the same factor is as bad when half is held as when nearly all is."""
    return math.log(max(0.0, size / max(held, 1.0) - 1) + FLOOR)
