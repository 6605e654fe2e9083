"""Where words of the topic stand: on pages, at links, and in the names of sites."""

from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

from leadline.core.crawl import PageView
from leadline.core.page import Link, Page
from leadline.core.url import path_of
from leadline.learn.search_words import fold
from leadline.strategies.topic_words import TopicWords

PER_WORD, _PER_WORD_AROUND = 1.5, 0.5
"""Log-odds for each word of the topic in anchor or address, and around the link: guesses."""
_MOST_WORDS = 3
"""Further words repeat what was said."""
_WORDS_AROUND = 5
"""Words on each side of a link in which those of the topic are looked for."""
_LEAVES_AROUND = 2 * _WORDS_AROUND
"""Beyond so many leaves no word is near, even if some leaves between have none."""
_SHORT_LEAF = 80
"""Characters; longer leaves seldom repeat."""
_MOST_TEXTS = 20_000
"""Short texts and folders whose topic words are remembered: menus repeat."""
_SEPARATOR = "\x1f"
"""Between leaves: no text has it, and no word spans it."""

LeafWords = tuple[tuple[str, ...], int]
"""The topic's words in a leaf of a page, and the number of all its words."""


class PageTopic(NamedTuple):
    """Where words of the topic stand on a page."""

    page: Page
    strength: float
    """How much of them there is in title and text."""
    places: list[int]
    """Of the leaves of its text that have one, in order."""


class TopicReader:
    """Looks for the topic's words, and remembers what anchors and folders had."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = TopicWords(words)
        self.knows_words = bool(self._words.stems)
        self._leaves: dict[str, LeafWords] = {}
        self._counts: dict[str, int] = {}
        """How many words of the topic anchors and the names of sites have."""
        self._folders: dict[str, frozenset[str]] = {}
        """The topic's words in paths without their last step."""
        self._page: PageTopic | None = None
        """The page that was read last: it is asked about several times."""

    def count_words(self, text: str) -> int:
        """Different words of the topic, up to three."""
        known = self._counts.get(text)
        if known is None:
            known = min(len(set(self._words.find(text))), _MOST_WORDS)
            if len(self._counts) >= _MOST_TEXTS:
                self._counts.clear()
            self._counts[text] = known
        return known

    def weigh_links(self, view: PageView) -> list[float]:
        """What the words of the topic at each link say, in log-odds."""
        if not self.knows_words:
            return [0.0] * len(view.links)
        read, found = self.read_page(view.page), []
        for link in view.links:
            own = self.count_words(link.anchor or link.title)
            own += self._count_in_path(path_of(link.target))
            around = len(self._find_around(read, link)) if read.places else 0
            found.append(PER_WORD * own + _PER_WORD_AROUND * min(around, _MOST_WORDS))
        return found

    def _count_in_path(self, path: str) -> int:
        """Different words of the topic in path and query, up to three."""
        at = path.rfind("/") + 1
        folders, found = self._folders.get(path[:at]), self._words.find(path[at:])
        if folders is None:
            if len(self._folders) >= _MOST_TEXTS:
                self._folders.clear()
            folders = self._folders[path[:at]] = frozenset(self._words.find(path[:at]))
        if not folders and not found:
            return 0
        return min(len(folders.union(found)), _MOST_WORDS)

    def _find_around(self, read: PageTopic, link: Link) -> set[str]:
        """The topic's words among the nearest words before and after a link."""
        found: set[str] = set()
        places, texts = read.places, read.page.leaves
        nearest = bisect_left(places, link.first_leaf - _LEAVES_AROUND)
        if nearest == len(places) or places[nearest] > link.last_leaf + _LEAVES_AROUND:
            return found
        for step in (-1, 1):
            place = link.first_leaf - 1 if step < 0 else link.last_leaf + 1
            left = _WORDS_AROUND
            while left > 0 and 0 <= place < len(texts):
                hits, words = self._read_leaf(texts[place])
                if hits and words > left:
                    leaf = texts[place].split()
                    hits = tuple(
                        self._words.find(" ".join(leaf[-left:] if step < 0 else leaf[:left]))
                    )
                found.update(hits)
                left -= words
                place += step
        return found

    def _read_leaf(self, leaf: str) -> LeafWords:
        """The topic's words in a leaf, and how many words it has."""
        known = self._leaves.get(leaf)
        if known is None:
            known = tuple(self._words.find(leaf)), len(leaf.split())
            if len(leaf) <= _SHORT_LEAF:
                if len(self._leaves) >= _MOST_TEXTS:
                    self._leaves.clear()
                self._leaves[leaf] = known
        return known

    def read_page(self, page: Page) -> PageTopic:
        """Where the topic's words stand in the title and text of a page. Lessons of a team come
        without the text (`crawler.lessons`): then the anchors of its links stand for it."""
        if self._page is not None and self._page.page is page:
            return self._page
        text = _SEPARATOR.join(page.leaves or [link.anchor for link in page.links])
        folded = fold(text)
        found = self._words.find_places(folded)
        places: list[int] = []
        place = start = 0
        for _, at in found if page.leaves else ():
            place += folded.count(_SEPARATOR, start, at)
            start = at
            if not places or places[-1] != place:
                places.append(place)
        in_title = self._words.find(f"{page.title} {page.description}")
        different = len({stem for stem, _ in found}) + len(set(in_title))
        share = len(found) / (len(text) / 6 + 50)
        strength = 0.5 * different + min(100 * share, 4.0)
        self._page = PageTopic(page, strength, places)
        return self._page
