"""Words of topics in languages of which no pages were at hand, by their English counterparts.

`topics/translations` has them, one file a topic and one of general concepts, written by hand. A
judge gives a translated word the weight of its English counterpart, a little less of it, and only
on pages in that language: so a word that means something else in another language does no harm.
"""

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

import numpy as np
from msgspec import Struct

from leadline.learn.linear import Platt
from leadline.learn.naive_bayes import LogOdds
from leadline.page.words import Words, vocabulary
from leadline.topics.vocabulary import DOMAINS, LANGUAGES

GENERAL = "general"
"""The table of concepts of no shipped topic, which topics from words need."""
_KEPT = 0.8
"""Of the weight of the English counterpart: a translation is not always the word a page has."""
_LEAST_OWN = 1.0
"""Of a topic's own words: English ones say less where they also mean something else (`book` a
room), which their translations mostly do not."""
_OF_PHRASE = 0.5
"""The words of a translation of several words are less telling one by one."""


class Translation(Struct, frozen=True):
    """An English word of a topic and what it is called in one language."""

    topic: str
    english: str
    forms: tuple[str, ...]


class TranslatedId(Struct, frozen=True):
    """The id of a translated word, and how much it has of its counterpart's weight."""

    number: int
    spelled: str
    topic: str
    english: str
    part: float


@lru_cache(maxsize=1)
def read_translations() -> Mapping[str, tuple[Translation, ...]]:
    """All tables, by language."""
    found: dict[str, list[Translation]] = {}
    for topic in (*DOMAINS, GENERAL):
        file = files("leadline.topics") / "translations" / f"{topic}.toml"
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        languages = table["languages"].split()
        for english, row in table["words"].items():
            for language, cell in zip(languages, row.split("|"), strict=True):
                forms = tuple(filter(None, cell.split("/")))
                found.setdefault(language, []).append(Translation(topic, english, forms))
    return {language: tuple(rows) for language, rows in found.items()}


@lru_cache(maxsize=1)
def read_calibrations() -> Mapping[str, Platt]:
    """By shipped topic: from a score by translated words to a probability.

    Fitted by `python -m tools.topic_training.translated` on English pages read by the translated
    concepts alone, as pages in other languages are.
    """
    file = files("leadline.topics") / "translations" / "calibration.json"
    return {name: Platt(*pair) for name, pair in json.loads(file.read_text()).items()}


def is_language_known(language: str) -> bool:
    """Whether shipped topics have words of that language; '' is a language nobody detected."""
    return language in ("", *LANGUAGES) or language in read_translations()


@lru_cache(maxsize=1)
def translated_languages() -> tuple[str, ...]:
    """Languages that are known by translations alone: not from pages or lists of their own."""
    return tuple(language for language in read_translations() if language not in LANGUAGES)


def is_translated(language: str) -> bool:
    """Whether a language is among them. Reads no table for the languages of most pages."""
    return language not in ("", *LANGUAGES) and language in read_translations()


@lru_cache(maxsize=64)
def number_translations(language: str) -> tuple[TranslatedId, ...]:
    """The translated words of a language by their ids; none for a language without a table."""
    known = vocabulary(language)
    found = []
    for row in read_translations().get(language, ()):
        for form in row.forms:
            numbers = [number for number in Words([form], known).ids.tolist() if number]
            is_phrase = len(form.split()) > 1
            part = _OF_PHRASE if is_phrase else 1.0
            found += [TranslatedId(n, form, row.topic, row.english, part) for n in numbers]
    return tuple(found)


def translate_odds(odds: LogOdds, topic: str, language: str) -> tuple[LogOdds, dict[int, str]]:
    """The weights of words on pages in that language, and how the translated ones are written.

    Words that the odds know already keep their weights: `isbn`, `hotel`, names.
    """
    english = dict(zip(odds.words.tolist(), odds.weights.tolist(), strict=True))
    weights: dict[int, list[float]] = {}
    spelled: dict[int, str] = {}
    for word in number_translations(language):
        if word.number in english and word.topic != topic:
            continue
        weight = _english_weight(word.english, english)
        if word.topic == topic:
            weight = max(weight, _LEAST_OWN)
        if weight:
            weights.setdefault(word.number, []).append(_KEPT * word.part * weight)
            spelled.setdefault(word.number, word.spelled)
    joined = english | {number: float(np.mean(parts)) for number, parts in weights.items()}
    words = np.array(sorted(joined), np.int32)
    values = np.array([joined[number] for number in words.tolist()], np.float32)
    return LogOdds(words, values), spelled


def _english_weight(english: str, weights: Mapping[int, float]) -> float:
    """The mean weight of those parts of an English counterpart that are known."""
    numbers = [vocabulary("en").word(part) for part in english.split("-")]
    known = [weights[number] for number in numbers if number in weights]
    return float(np.mean(known)) if known else 0.0


def find_concepts(words: Iterable[str]) -> frozenset[tuple[str, str]]:
    """The concepts that these words name in any language, as (topic, English word)."""
    stems = {vocabulary("en").stem(word.lower()) for word in words} - {""}
    exact = {word.lower() for word in words}
    return frozenset(
        (row.topic, row.english)
        for rows in read_translations().values()
        for row in rows
        if not exact.isdisjoint(row.forms) or _is_named(row.english, stems)
    )


def _is_named(english: str, stems: set[str]) -> bool:
    return vocabulary("en").stem(english) in stems


def translate_words(concepts: Iterable[tuple[str, str]], language: str) -> Sequence[TranslatedId]:
    """What these concepts are called in a language."""
    wanted = frozenset(concepts)
    return [w for w in number_translations(language) if (w.topic, w.english) in wanted]
