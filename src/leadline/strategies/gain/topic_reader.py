"""Where words of the topic stand: on pages, at links, and in the names of sites."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from leadline.core.crawl import PageView
from leadline.core.page import Link, Page
from leadline.core.url import path_of
from leadline.strategies.tables import Numbers
from leadline.strategies.topic_words import TopicWords

PER_WORD, _PER_WORD_AROUND = 1.5, 0.5
"""Log-odds for each word of the topic in anchor or address, and around the link: guesses."""
_MOST_WORDS = 3
"""Further words repeat what was said."""
_WORDS_AROUND = 5
"""Words on each side of a link in which those of the topic are looked for."""
_MOST_LEAVES = 20_000
"""Leaves whose topic words are remembered: menus repeat."""
_SHORT_LEAF = 80
"""Characters; longer leaves seldom repeat."""

LeafWords = tuple[tuple[str, ...], int]
"""The topic's words in a leaf of a page, and the number of all its words."""


class PageTopic(NamedTuple):
    """Where words of the topic stand on a page."""

    page: Page
    strength: float
    """How much of them there is in title and text."""
    has_words: bool
    """Whether its text has one."""


class TopicReader:
    """Looks for the topic's words, and remembers what short texts had."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = TopicWords(words)
        self.knows_words = bool(self._words.stems)
        self._leaves: dict[str, LeafWords] = {}
        self._page: PageTopic | None = None
        """The page that was read last: it is asked about several times."""

    def count_words(self, text: str) -> int:
        """Different words of the topic, up to three."""
        found = self._words.find(text)
        return min(len(set(found)), _MOST_WORDS) if found else 0

    def weigh_links(self, view: PageView) -> Numbers:
        """What the words of the topic at each link say, in log-odds."""
        if not self.knows_words:
            return np.zeros(len(view.links), np.float32)
        read, found = self.read_page(view.page), []
        for link in view.links:
            own = self.count_words(link.anchor or link.title)
            in_path = self._words.find_in_address(path_of(link.target))
            if in_path:
                own += min(len(set(in_path)), _MOST_WORDS)
            around = self._find_around(read, link) if read.has_words else ()
            found.append(PER_WORD * own + _PER_WORD_AROUND * min(len(around), _MOST_WORDS))
        return np.array(found, np.float32)

    def _find_around(self, read: PageTopic, link: Link) -> set[str]:
        """The topic's words among the nearest words before and after a link."""
        found: set[str] = set()
        texts = read.page.leaves
        for step in (-1, 1):
            place = link.first_leaf - 1 if step < 0 else link.last_leaf + 1
            left = _WORDS_AROUND
            while left > 0 and 0 <= place < len(texts):
                hits, words = self._read_leaf(texts[place])
                if hits and words > left:
                    leaf = texts[place]
                    near = leaf.rsplit(None, left)[-left:] if step < 0 else leaf.split()[:left]
                    hits = tuple(self._words.find(" ".join(near)))
                found.update(hits)
                left -= words
                place += step
        return found

    def read_page(self, page: Page) -> PageTopic:
        """Where the topic's words stand in the title and text of a page. Lessons of a team come
        without the text (`crawler.lessons`): then the anchors of its links stand for it."""
        if self._page is not None and self._page.page is page:
            return self._page
        text = "\n".join(page.leaves or [link.anchor for link in page.links])
        found = self._words.find(text)
        share = len(found) / (len(text) / 6 + 50)
        in_title = self._words.find(f"{page.title} {page.description}")
        different = len(set(found)) + len(set(in_title))
        strength = 0.5 * different + min(100 * share, 4.0)
        self._page = PageTopic(page, strength, bool(found))
        return self._page

    def _read_leaf(self, leaf: str) -> LeafWords:
        """The topic's words in a leaf, and how many words it has."""
        known = self._leaves.get(leaf)
        if known is not None:
            return known
        read = tuple(self._words.find(leaf)), len(leaf.split())
        if len(leaf) <= _SHORT_LEAF:
            if len(self._leaves) >= _MOST_LEAVES:
                self._leaves.clear()
            self._leaves[leaf] = read
        return read
