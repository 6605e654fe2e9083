"""Tests again what a harvest says of its coverage: what to ask, and what the answers mean. No I/O.

A harvest estimates its coverage from the queries that it chose itself. A sample that it did not
choose tells more: words from the records of other sources, and of its own ones that it never asked
for. Queries that were answered before show whether the source still answers and keys still hold;
nonsense shows whether it looks anything up.
"""

import math
import random
from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct

from leadline.core.harvest import BLOCKED, REFUSED, UNCLEAR, Answer, Query

CONTROL, SAMPLE, NONSENSE = "control", "sample", "nonsense"
ANSWERED, COMPLETE, LOOKED_UP, KEPT_ONCE = "answered", "complete", "looked up", "kept once"
_CONTROLS, _NONSENSE = 5, 2
_LEAST_SAMPLE = 20
"""Records that random words must bring before their share says something."""
_LEAST_AGAIN = 0.5
"""Share of a control query's records that must still be shown: lists grow, and change order."""
_TWO_SIDED = 1.96
"""Standard errors of an interval that holds 95 times of 100."""
_MIN_WORD_CHARS = 4
_CLUSTER = 4.0
"""Records that share a word are often found or missed together: so many count as one piece of
evidence. Chosen to be careful; it widens an interval to twice its width."""


class Check(Struct, frozen=True):
    """A query to be asked."""

    kind: str
    query: Query
    keys: frozenset[int] = frozenset()
    """Hashes of the keys of the records that the same query brought before."""
    titles: frozenset[str] = frozenset()
    """The titles of these."""


class CheckResult(Struct, frozen=True):
    """What came to it."""

    check: Check
    kind: str
    """Of the answer."""
    shown: int = 0
    held: int = 0
    """Of those shown, what the harvest has."""
    again: int = 0
    """Of what the same query brought before, what was shown."""
    twins: int = 0
    """Records shown that are not held, though one of the same title came to the same query."""


class VerifiedClaim(Struct, frozen=True):
    """Something that a harvest says, after a test."""

    name: str
    has_held: bool | None
    """None if too little came to tell."""
    why: str


class Verification(Struct, frozen=True):
    """The test of one harvest."""

    form: str
    site: str
    records: int
    requests: int
    claims: tuple[VerifiedClaim, ...]
    share: float | None = None
    """Of the records that random words brought, what is held."""
    interval: tuple[float, float] | None = None


def choose_sample_words(
    texts: Iterable[str], asked: Collection[str], draw: random.Random, most: int
) -> list[str]:
    """Random words that were not asked for. Words in many texts are drawn more often, as by
    drawing a text and then a word."""
    found: dict[str, None] = {}
    known = {word.casefold() for word in asked}
    texts = list(texts)
    draw.shuffle(texts)
    for text in texts:
        words = [w for w in text.split() if len(w) >= _MIN_WORD_CHARS and w.isalpha()]
        words = [word for word in words if word.casefold() not in known]
        if words:
            found.setdefault(draw.choice(words).casefold())
        if len(found) >= most:
            break
    return list(found)


def order_checks(
    controls: Sequence[Check], samples: Sequence[Check], nonsense: Sequence[Check]
) -> Iterator[Check]:
    """What is cheap and decides most first; samples until the requests are spent."""
    yield from controls[:1]
    yield from nonsense[:1]
    yield from samples[:5]
    yield from controls[1:_CONTROLS]
    yield from nonsense[1:_NONSENSE]
    yield from samples[5:]


def judge_answer(
    check: Check, answer: Answer, hashes: Sequence[int], held: Collection[int]
) -> CheckResult:
    """`hashes` are those of the keys of the answer's records, `held` those of the harvest."""
    is_held = [key in held for key in hashes]
    fresh = [r.title for r, has in zip(answer.records, is_held, strict=True) if not has]
    twins = sum(title in check.titles for title in fresh if title)
    again = len(check.keys.intersection(hashes))
    return CheckResult(check, answer.kind, len(hashes), sum(is_held), again, twins)


def judge_results(
    results: Sequence[CheckResult], told: tuple[float, float] | None
) -> tuple[tuple[VerifiedClaim, ...], float | None, tuple[float, float] | None]:
    """The claims with their verdicts; the share held of a random sample, and its interval. `told`:
    the least and the largest share that the harvest's own interval allows."""
    by_kind = {
        kind: [one for one in results if one.check.kind == kind]
        for kind in (CONTROL, SAMPLE, NONSENSE)
    }
    shown = sum(one.shown for one in by_kind[SAMPLE])
    held = sum(one.held for one in by_kind[SAMPLE])
    share = held / shown if shown else None
    interval = find_interval(held, shown) if shown >= _LEAST_SAMPLE else None
    claims = (
        _judge_controls(by_kind[CONTROL]),
        _judge_keys(by_kind[CONTROL]),
        _judge_nonsense(by_kind[NONSENSE]),
        _judge_coverage(len(by_kind[SAMPLE]), shown, held, interval, told),
    )
    return claims, share, interval


def find_interval(held: int, shown: int) -> tuple[float, float]:
    """Where the share held lies 95 times of 100 (Wilson), records of one word counted together.

    >>> [round(end, 2) for end in find_interval(90, 100)]
    [0.72, 0.97]
    >>> find_interval(378, 378)[1]
    1.0
    """
    count, share, z = shown / _CLUSTER, held / shown, _TWO_SIDED
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    half *= z / (1 + z * z / count)
    # All of them is compared with all that there is: a rounding error must not tell them apart.
    return max(0.0, middle - half), 1.0 if held == shown else min(1.0, middle + half)


def _judge_controls(results: Sequence[CheckResult]) -> VerifiedClaim:
    before = sum(len(one.check.keys) for one in results)
    again = sum(one.again for one in results)
    closed = [one for one in results if one.kind in (BLOCKED, REFUSED, UNCLEAR)]
    if not before:
        return VerifiedClaim(ANSWERED, None, "no query is known to be answered")
    if len(closed) == len(results):
        return VerifiedClaim(ANSWERED, False, f"{len(results)} known queries are {closed[0].kind}")
    why = f"{again} of {before} records of {len(results)} known queries are shown again"
    return VerifiedClaim(ANSWERED, again >= _LEAST_AGAIN * before, why)


def _judge_keys(results: Sequence[CheckResult]) -> VerifiedClaim:
    twins, again = sum(one.twins for one in results), sum(one.again for one in results)
    if not twins and not again:
        return VerifiedClaim(KEPT_ONCE, None, "nothing was shown again")
    why = f"{again} records shown again have their key, {twins} come with another one"
    return VerifiedClaim(KEPT_ONCE, twins <= again / 10, why)


def _judge_nonsense(results: Sequence[CheckResult]) -> VerifiedClaim:
    if not results:
        return VerifiedClaim(LOOKED_UP, None, "nonsense was not asked")
    found = sum(one.shown > 0 for one in results)
    why = f"{found} of {len(results)} words that do not exist find something"
    return VerifiedClaim(LOOKED_UP, found < len(results), why)


def _judge_coverage(
    words: int,
    shown: int,
    held: int,
    interval: tuple[float, float] | None,
    told: tuple[float, float] | None,
) -> VerifiedClaim:
    why = f"{held} of {shown} records that {words} random words bring are held"
    if interval is None or told is None:
        return VerifiedClaim(COMPLETE, None, f"{why}: too few to compare")
    low, high = told
    # Words bring what many words bring: the sample may show more of what is held, hardly less.
    why = (
        f"{why} ({interval[0]:.0%} to {interval[1]:.0%}); the harvest says {low:.0%} to {high:.0%}"
    )
    return VerifiedClaim(COMPLETE, interval[1] >= low, why)
