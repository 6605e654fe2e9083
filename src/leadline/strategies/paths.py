"""What ACHE learns from: links on the way to relevant forms, and links on no such way."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import xxhash
from msgspec import Struct

from leadline.core.crawl import Candidate
from leadline.core.url import Url
from leadline.learn.link_levels import Lesson
from leadline.learn.link_terms import LinkTerm, Terms, candidate_terms

MOST_LINKS = 1_000
"""Of each level, the latest ones: FFC learned from some 200."""
MOST_OTHERS = 1_000
"""Links on no way to a form."""

Number = int
"""A hash of a link's URL."""


class PathLink(Struct, frozen=True, array_like=True):
    """A link on the way to a form."""

    number: Number
    level: int
    terms: tuple[LinkTerm, ...]


class SavedPaths(Struct, frozen=True):
    """The repository as it is written."""

    links: list[PathLink] = []
    others: list[tuple[Number, bytes]] = []


class PathRepository:
    """The repository of paths. Bounded; the same visits in the same order, the same contents.

    A link has the least of the levels it was met with. Of links on no path a sample is kept: those
    with the lowest hashes, which any link is as likely to have as any other.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._links: dict[Number, PathLink] = {}
        self._others: dict[Number, bytes] = {}

    def begin_with(self, lesson: Lesson) -> None:
        """Take over what a classifier was learned from; it gives way as paths are found."""
        number = 0
        for level in sorted(lesson.levels):
            for terms in lesson.levels[level]:
                number -= 1
                self._links[number] = PathLink(number, level, terms)
        for row in lesson.others[:MOST_OTHERS]:
            self._others[_number(row.tobytes())] = row.tobytes()

    def add_path(self, path: Sequence[Candidate], languages: Sequence[str]) -> None:
        """A path to a form, the link to its page first."""
        for level, candidate in enumerate(path, start=1):
            number = _number(candidate.url.encode())
            self._others.pop(number, None)
            known = self._links.get(number)
            terms = candidate_terms(candidate, self._width, languages)
            if terms and (known is None or level < known.level):
                self._links[number] = PathLink(number, level, terms)

    def add_other(self, url: Url, features: bytes) -> None:
        """A link that brought no form so far."""
        number = _number(url.encode())
        if not features or number in self._links:
            return
        self._others[number] = features[: 4 * self._width]
        if len(self._others) > 2 * MOST_OTHERS:
            self._others = dict(self._sample())

    def lesson(self) -> Lesson:
        """What there is to learn from now."""
        latest = self._latest()
        self._links = {link.number: link for link in latest}
        levels: dict[int, list[Terms]] = {}
        for link in latest:
            levels.setdefault(link.level, []).append(link.terms)
        rows = b"".join(row for _, row in self._sample())
        others = np.frombuffer(rows, np.dtype("<i4")).astype(np.int32).reshape(-1, self._width)
        return Lesson(levels, others)

    def save(self) -> SavedPaths:
        return SavedPaths(self._latest(), self._sample())

    def restore(self, kept: SavedPaths) -> None:
        self._links = {link.number: link for link in kept.links}
        self._others = dict(kept.others)

    def _latest(self) -> list[PathLink]:
        """The latest links of each level."""
        met: Counter[int] = Counter()
        kept: list[PathLink] = []
        for link in reversed(self._links.values()):
            met[link.level] += 1
            if met[link.level] <= MOST_LINKS:
                kept.append(link)
        return kept[::-1]

    def _sample(self) -> list[tuple[Number, bytes]]:
        return sorted(self._others.items())[:MOST_OTHERS]


def _number(of: bytes) -> Number:
    return xxhash.xxh3_64_intdigest(of) >> 1
