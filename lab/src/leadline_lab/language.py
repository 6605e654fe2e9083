"""How pages of the lab are worded: urns of real words, and the way one site writes.

Real sites differ as much as topics do, and a classifier meets sites it was not
trained on. So a page is not drawn from its topic's words alone: a site knows only
some of them and has favourites of its own, and a page repeats a few of its own.
The shares are tuned until a classifier does as well as on real pages
(`lab.calibrate.hardness`).
"""

from functools import lru_cache
from itertools import pairwise

import numpy as np
import stopwordsiso

from leadline_lab.draw import key_of, numbers
from leadline_lab.phrases import (
    account_anchor,
    extension,
    generic_anchor,
    legal,
    navigation,
    parameter,
    path_word,
    search_anchor,
)
from leadline_lab.statistics import load
from leadline_lab.urn import URN_SHIFT, Cells, Urn

__all__ = [
    "Urn",
    "Voice",
    "account_anchor",
    "content_urn",
    "domain_urn",
    "extension",
    "general_urn",
    "generic_anchor",
    "legal",
    "navigation",
    "parameter",
    "path_word",
    "search_anchor",
    "topic_urn",
    "topics",
]

_SLOT_BITS = 11
_SLOTS = 1 << _SLOT_BITS
"""Words a site has at hand for a topic, common ones many times. Real sites of 40 pages have
900 to 5,300 different words; those beyond the slots are the pages' own."""
_SLOT_SHIFT = np.uint64(64 - _SLOT_BITS)
_MIDDLE = np.uint64(32)
_LOW = np.uint64(1023)
"""A draw picks a slot by its highest bits; its lowest ten decide what it is for."""

# Tuned together on the four verticals of SWDE: accuracy on unseen sites with half of the
# sites trained (0.992) and with one site trained for each vertical (0.963). Per mille.
TOPIC_SHARE = 850
"""Of a site's words for a topic, drawn from the topic's. Its stop words are among them."""
SITE_RANGE = (750, 1150)
"""How much of that share a site takes."""
PAGE_FADE = 600
"""Up to so many of its topic's words a page leaves unsaid for general ones."""
ECHO = 2
"""How often a site repeats a word it has taken up: with 1 it would differ less from others."""
HABIT_SHARE = 70
"""Of all words, favourites of the site whatever it writes about. Real templates make up half of
a page; menus and footers, which the site's frame brings, are most of that."""
HABITS = 24
OWN_SHARE = 60
"""Of all words, those that only this page repeats."""
FOREIGN_SHARE = 200
ENGLISH_SHARE = 80
"""In other languages than English: of a domain with words in the language, and of a topic that
has only English words. Guesses, there being too few real pages."""

TOPIC_FACTOR: dict[str, int] = {
    "campus": 430,
    "course": 450,
    "department": 530,
    "faculty": 430,
    "project": 300,
    "staff": 450,
    "student": 490,
}
"""Per mille of the topic share: tuned on the F1 of each class of WebKB. Topics without an entry
are worded as strongly as the verticals of SWDE."""
DRIFT: dict[str, tuple[int, tuple[str, ...]]] = {
    "campus": (
        770,
        ("course", "faculty", "student", "project", "project", "project", "department"),
    ),
}
"""Per mille of a topic's pages that are worded like pages of another one: what WebKB calls
`other` are mostly parts of courses, of projects and of people's pages."""


def _counts() -> dict[str, dict[str, int]]:
    counted: dict[str, dict[str, int]] = load("words")
    return counted


def topics() -> tuple[str, ...]:
    """All topics with English words, domains and background, in alphabetical order."""
    return tuple(name for name in _counts() if ":" not in name)


@lru_cache(maxsize=256)
def topic_urn(topic: str) -> Urn:
    """English words of pages about a topic, stop words included."""
    return Urn(_counts()[topic])


def general_urn(language: str) -> Urn:
    """Words of any page in a language; English where no words of it are known."""
    return topic_urn(_general(language))


def domain_urn(domain: str, language: str) -> Urn:
    """A domain's words in a language; the English ones where no words of it are known."""
    name = f"{domain}:{language}"
    return topic_urn(name if name in _counts() else domain)


@lru_cache(maxsize=256)
def content_urn(topic: str) -> Urn:
    """The words of `topic_urn` that say something: no stop words, none of one or two letters."""
    return Urn(_telling(topic))


def _general(language: str) -> str:
    name = f"general:{language}"
    return name if name in _counts() else "general:en"


@lru_cache(maxsize=256)
def _telling(topic: str) -> dict[str, int]:
    language = topic.partition(":")[2] or "en"
    stop = stopwordsiso.stopwords(language)
    counted = _counts()[topic]
    return {w: n for w, n in counted.items() if len(w) > 2 and w not in stop} or counted


@lru_cache(maxsize=1024)
def _spoken(topic: str, language: str) -> tuple[Urn, Urn, int]:
    """What a topic is worded with: all its words, those that say something, their share."""
    name = f"{topic}:{language}"
    if language == "en":
        share = TOPIC_SHARE * TOPIC_FACTOR.get(topic, 1000) // 1000
        return topic_urn(topic), content_urn(topic), share
    if name in _counts():
        return topic_urn(name), topic_urn(name), FOREIGN_SHARE
    return content_urn(topic), content_urn(topic), ENGLISH_SHARE


class Voice:
    """The way one site writes. Equal languages and keys write the same words everywhere."""

    __slots__ = ("_content", "_general", "_habits", "_key", "_pools", "_share", "language")

    def __init__(self, language: str, key: int) -> None:
        self.language = language
        self._key = key_of(key, "voice")
        drawn = numbers(self._key, 1 + HABITS + _SLOTS // ECHO)
        low, high = SITE_RANGE
        self._share = low + (int(drawn[0]) * (high - low) >> 64)
        drawn = drawn[1:] >> URN_SHIFT
        self._content = content_urn(_general(language)).cells
        self._habits: Cells = self._content.take(drawn[:HABITS])
        self._general: Cells = general_urn(language).cells.take(drawn[HABITS:])
        self._pools: dict[tuple[str, int], tuple[Cells, int]] = {}

    def words(self, key: int, topic: str, n: int, strength: int = 1000) -> list[str]:
        """`n` words of the page of that key, which is about `topic`.

        `strength` is the per mille of the usual share of the topic's words: 0 for none.
        """
        if topic in DRIFT:
            topic = _drifted(key, topic)
        found: list[str] = self._worded(key, topic, n, strength).tolist()
        return found

    def sentences(self, key: int, topic: str, n: int, strength: int = 1000) -> list[str]:
        """`n` sentences of 6 to 18 words."""
        drawn = numbers(key_of(key, "sentences"), n).tolist()
        ends = np.cumsum([0, *(6 + (number * 13 >> 64) for number in drawn)]).tolist()
        words = self.words(key, topic, ends[-1], strength)
        spoken = (" ".join(words[a:b]) for a, b in pairwise(ends))
        return [said[0].upper() + said[1:] + "." for said in spoken]

    def title(self, key: int, topic: str, n: int = 4) -> str:
        """Up to `n` words that say something, the first of those the page of that key repeats."""
        own = dict.fromkeys(self._own(key, topic, 2 * n, 1000).tolist())
        return " ".join(word.capitalize() for word in list(own)[:n])

    def _worded(self, key: int, topic: str, n: int, strength: int) -> Cells:
        pool, said = self._pool(topic, strength)
        drawn = numbers(key_of(key, "words"), n + 1)
        fade = (int(drawn[n]) * PAGE_FADE >> 64) * 1024 // 1000
        drawn = drawn[:n]
        slots, middle, purpose = drawn >> _SLOT_SHIFT, drawn >> _MIDDLE, drawn & _LOW
        general = np.uint64(said) + middle % np.uint64(_SLOTS - said)
        is_faded = (slots < np.uint64(said)) & (purpose < np.uint64(fade))
        found: Cells = pool.take(np.where(is_faded, general, slots))
        places = np.flatnonzero(purpose >= np.uint64(1024 - OWN_SHARE * 1024 // 1000))
        own = self._own(key, topic, 4 + n // 24, strength)
        found[places] = own.take(middle[places] % np.uint64(len(own)))
        return found

    def _own(self, key: int, topic: str, n: int, strength: int) -> Cells:
        """Words that only this page of the site repeats, as much of its topic as the rest."""
        drawn = numbers(key_of(key, "own"), n)
        cells = drawn >> URN_SHIFT
        _, content, _ = _spoken(topic, self.language)
        is_topical = (drawn & _LOW) < np.uint64(self._topic_slots(topic, strength) // 2)
        found: Cells = np.where(is_topical, content.cells.take(cells), self._content.take(cells))
        return found

    def _topic_slots(self, topic: str, strength: int) -> int:
        _, _, share = _spoken(topic, self.language)
        return min(900, share * self._share * strength // 1_000_000) * _SLOTS // 1000

    def _pool(self, topic: str, strength: int) -> tuple[Cells, int]:
        """What the site words a topic with, the topic's own first, and how many these are."""
        found = self._pools.get((topic, strength))
        if found is None:
            found = self._pools[topic, strength] = self._mixed(topic, strength)
        return found

    def _mixed(self, topic: str, strength: int) -> tuple[Cells, int]:
        urn, _, _ = _spoken(topic, self.language)
        said = self._topic_slots(topic, strength)
        drawn = numbers(key_of(self._key, topic), said // ECHO + 1)
        topical = urn.cells.take(drawn >> URN_SHIFT).repeat(ECHO)[:said]
        habits = self._habits.repeat(HABIT_SHARE * _SLOTS // 1000 // HABITS)
        general = np.resize(self._general, _SLOTS - said - len(habits))
        return np.concatenate([topical, habits, general]), said


def _drifted(key: int, topic: str) -> str:
    share, others = DRIFT[topic]
    draw = key_of(key, "drift")
    return others[draw % len(others)] if (draw >> 32) * 1000 >> 32 < share else topic
