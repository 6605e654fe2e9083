"""From a phrase a person types to a topic: a shipped one if the phrase names it, else its words.

Called by the whole job (`leadline run "used cars"`), which knows nothing of the user's topic but
this phrase and perhaps some seeds.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import stopwordsiso
from msgspec import Struct

from leadline.errors import ConfigError
from leadline.page.words import Words, split_words, vocabulary
from leadline.topics.translation import Translation, read_translations
from leadline.topics.vocabulary import DOMAINS, LANGUAGES, read_vocabulary

NAMES: Mapping[str, tuple[str, ...]] = {
    "airfare": ("airfare", "flight"),
    "apartment": ("apartment", "flat"),
    "auto": ("car", "auto", "automobile", "vehicle"),
    "book": ("book",),
    "hotel": ("hotel",),
    "job": ("job", "vacancy"),
    "movie": ("movie", "film"),
    "music": ("music", "album", "song"),
    "people": ("people", "person"),
    "product": ("product",),
    "rental": ("car rental", "rental car", "car hire"),
    "route": ("route", "directions"),
}
"""What people call the records of each shipped topic, by general knowledge. Only these choose it:
other words of a topic (`library`, `price`, `dealer`) belong to many things."""
_FILLERS = frozenset(
    "search find database databases catalog catalogue catalogs catalogues directory directories "
    "portal portals site sites website websites online record records list lists listing listings "
    "data public all every".split()
)
"""Words by which people say that they want databases; they tell nothing of the topic."""

_STEMMED = (*LANGUAGES, "ru", "sv", "tr")


class PhraseTopic(Struct, frozen=True):
    """What a phrase stands for."""

    name: str
    """A shipped topic; '' if the phrase is a topic of its own."""
    words: tuple[str, ...]
    """The words that define a topic of its own; empty for a shipped one."""
    why: str
    """For people."""


def read_phrase(phrase: str) -> PhraseTopic:
    """Choose the topic of a phrase in any language that leadline knows words of.

    A shipped topic is chosen if all that the phrase says beside its name are words of that topic:
    `used cars` is `auto`, `toy cars` is not. Raises ConfigError for a phrase without words.

    >>> read_phrase("used cars").name
    'auto'
    >>> read_phrase("museum objects").words
    ('museum', 'objects')
    """
    words = [word for word in split_words(phrase) if not word.isdigit()]
    telling = [word for word in words if not _is_filler(word.casefold())] or words
    if not telling:
        raise ConfigError(
            f"the phrase {phrase!r} has no word: say what the databases are about, as in "
            '"museum objects"'
        )
    named = [topic for topic in DOMAINS if _names(topic, telling)]
    if named:
        # The longest name wins: a car rental is no car.
        best = max(named, key=lambda topic: _names(topic, telling))
        return PhraseTopic(best, (), f"{phrase!r} is the shipped topic {best}")
    return PhraseTopic(
        "", tuple(dict.fromkeys(telling)), f"{phrase!r} is no shipped topic: judged by its words"
    )


def _is_filler(word: str) -> bool:
    # English alone: `car` is a stop word in French, and short words are articles anywhere.
    is_short = word.isascii() and len(word) <= 2
    return is_short or word in _FILLERS or word in stopwordsiso.stopwords("en")


def _names(topic: str, words: Sequence[str]) -> int:
    """How many of the words name the topic, if all others are words of it; else 0."""
    stems = [_stem([word]) for word in words]
    longest = 0
    for name in _read_names(topic):
        if all(any(part & stem for stem in stems) for part in name):
            longest = max(longest, len(name))
    return longest if longest and all(stem & _read_known(topic) for stem in stems) else 0


@lru_cache(maxsize=32)
def _read_names(topic: str) -> tuple[tuple[frozenset[int], ...], ...]:
    """In all languages: the numbers of each word of each name."""
    names = list(NAMES[topic])
    names += [form for row in _translations(topic) if row.english in names for form in row.forms]
    return tuple(tuple(_stem([part]) for part in name.split()) for name in dict.fromkeys(names))


@lru_cache(maxsize=32)
def _read_known(topic: str) -> frozenset[int]:
    """The numbers of all words that the topic's pages and forms use."""
    read = read_vocabulary(topic)
    words = [word for table in (read.page, read.fields) for row in table.values() for word in row]
    translated = [form for row in _translations(topic) for form in row.forms]
    return _stem([*words, *translated]) | {
        number for name in _read_names(topic) for part in name for number in part
    }


def _translations(topic: str) -> list[Translation]:
    return [row for rows in read_translations().values() for row in rows if row.topic == topic]


def _stem(words: Sequence[str]) -> frozenset[int]:
    """Their numbers in the languages that stem words, so that `cars` and `car` are one."""
    numbers = (Words(words, vocabulary(language)).ids.tolist() for language in _STEMMED)
    return frozenset(number for each in numbers for number in each if number)
