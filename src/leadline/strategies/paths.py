"""The links on the way to what was looked for, by level: classifiers of levels learn from them.

`ache` keeps those of its own crawl, `ffc` those of an earlier one that it is taught by.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import xxhash
from msgspec import Struct

from leadline.core.crawl import Candidate, PageView
from leadline.core.url import Url
from leadline.learn.link_features import LinkTerm, Terms, candidate_terms
from leadline.learn.link_levels import LinkLesson

MOST_LINKS = 1_000
"""Links kept of each level, the latest ones. FFC learned from some 200."""
MOST_OTHERS = 1_000
"""Links kept that lead to no form."""


class PathLink(Struct, frozen=True, array_like=True):
    """A link on the way to a form."""

    number: int
    """A hash of its URL."""
    level: int
    terms: tuple[LinkTerm, ...]


class SavedPaths(Struct, frozen=True):
    """A path repository as the state holds it."""

    links: list[PathLink] = []
    others: list[tuple[int, bytes]] = []


class PathRepository:
    """The links that led to forms, and a sample of links that did not: what ACHE learns from.

    Bounded. The same visits in the same order give the same contents. A link has the least of the
    levels that it was met with. The links on no path are sampled by the lowest hashes, which any
    link is as likely to have as any other.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._links: dict[int, PathLink] = {}
        self._others: dict[int, bytes] = {}

    def begin_with(self, lesson: LinkLesson) -> None:
        """Start with what another classifier was learned from; paths replace it."""
        # Numbers below 0 are no hashes, so no link of the crawl overwrites these.
        number = 0
        for level in sorted(lesson.levels):
            for terms in lesson.levels[level]:
                number -= 1
                self._links[number] = PathLink(number, level, terms)
        for row in lesson.others[:MOST_OTHERS]:
            self._others[_hash(row.tobytes())] = row.tobytes()

    def add_path(self, path: Sequence[Candidate], languages: Sequence[str]) -> None:
        """A path to a form, the link to the form's page first."""
        for level, candidate in enumerate(path, start=1):
            number = _hash(candidate.url.encode())
            self._others.pop(number, None)
            known = self._links.get(number)
            terms = candidate_terms(candidate, self._width, languages)
            if terms and (known is None or level < known.level):
                self._links[number] = PathLink(number, level, terms)

    def add_other(self, url: Url, features: bytes) -> None:
        """A link that has brought no form so far."""
        number = _hash(url.encode())
        if not features or number in self._links:
            return
        self._others[number] = features[: 4 * self._width]
        if len(self._others) > 2 * MOST_OTHERS:
            self._others = dict(self._sample_others())

    def add_page(self, view: PageView) -> None:
        """Whatever a visited page has to teach."""
        if view.path:
            # Candidates do not keep the language of the page they stood on: guess that of the
            # page they led to, then English.
            self.add_path(view.path, (view.page.language, "en"))
        elif not view.new_forms:
            self.add_other(view.candidate.url, view.candidate.features)
        if view.links:
            # One link of each page, drawn by its id, so that a resumed crawl draws the same ones.
            drawn = view.id % len(view.links)
            self.add_other(view.links[drawn].target, view.features[drawn].tobytes())

    def make_lesson(self) -> LinkLesson:
        """Everything there is to learn from; what is too old is dropped."""
        latest = self._latest_links()
        self._links = {link.number: link for link in latest}
        levels: dict[int, list[Terms]] = {}
        for link in latest:
            levels.setdefault(link.level, []).append(link.terms)
        rows = b"".join(row for _, row in self._sample_others())
        others = np.frombuffer(rows, np.dtype("<i4")).astype(np.int32).reshape(-1, self._width)
        return LinkLesson(levels, others)

    def save(self) -> SavedPaths:
        return SavedPaths(self._latest_links(), self._sample_others())

    def restore(self, saved: SavedPaths) -> None:
        self._links = {link.number: link for link in saved.links}
        self._others = dict(saved.others)

    def _latest_links(self) -> list[PathLink]:
        """The latest links of each level, in the order in which they were found."""
        counts: Counter[int] = Counter()
        latest: list[PathLink] = []
        for link in reversed(self._links.values()):
            counts[link.level] += 1
            if counts[link.level] <= MOST_LINKS:
                latest.append(link)
        return latest[::-1]

    def _sample_others(self) -> list[tuple[int, bytes]]:
        return sorted(self._others.items())[:MOST_OTHERS]


def _hash(text: bytes) -> int:
    # 63 bits: msgpack and numpy take it for a signed integer.
    return xxhash.xxh3_64_intdigest(text) >> 1
