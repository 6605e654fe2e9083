"""The words a user gives for a topic, as evidence about pages, hosts and forms.

A word says as much as it is rarer on pages in general (the shipped background) than on pages about
a thing that has such a name. Words are looked for in the page's language: as the user wrote them,
and as the tables of translations call the same thing; all names of one thing count once.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import exp, log

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.page.words import WordIds, Words, form_vocabulary, split_words, vocabulary
from leadline.topics.background import shipped_background
from leadline.topics.translation import (
    find_concepts,
    number_translations,
    read_translations,
)
from leadline.topics.vocabulary import DOMAINS, LANGUAGES, read_vocabulary

# The next five describe pages in general, not the pages of some web: they were set from what they
# mean and tried on real pages (SWDE, tools.topic_training) and on webs of three makers.
_TOPICAL_RATE = 0.01
"""How often a page about a thing names it: once in a hundred words that are no stop words."""
_RARE = 5e-5
"""The rate of words that the background does not know, or knows as rarer."""
_SHAPE = 0.5
"""Of the distribution of a word's rate over pages: those that have it tend to repeat it."""
_USED = 0.3
"""Share of a user's words that a page about the topic speaks of."""
_MOST_OF_WORD = 2.5
"""Log-odds that one word may add: a page about something else may name it in passing."""
_OF_TITLE = 1.5
"""Log-odds of a word in a title, beside its mention: even words that are common on pages name in a
title what a page is about."""
_MOST_OF_PAGE = 6.0
_OF_HOST = 2.0
"""Log-odds for a site whose host is named by one of the words."""
_HOST_CHARS = 4
"""Shorter words stand in the names of hosts by chance."""
_MOST_OF_FIELD = 2.0
"""Log-odds of a word in a form: strong words of the shipped judges of forms add 1.5 to 3."""

_Rates = NDArray[np.float64]


class WantedNames(Struct, frozen=True, eq=False):
    """The words in one language: what they are looked for by."""

    ids: WordIds
    """Of all parts of all names, in rising order."""
    names: tuple[tuple[int, tuple[int, ...], float], ...]
    """Of each: the number of the thing, the places of its parts among `ids`, and its rate on
    pages in general."""


class WantedWords:
    """What a user wrote. Picklable; makes its tables for a language when it meets that language."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self._named: dict[str, WantedNames] = {}

    def weigh_page(self, body: WordIds, title: WordIds, language: str) -> float | None:
        """The log-odds that a page is about the topic, by these words, before any prior; None for
        a language in which none of them has a name."""
        known, size = self.names_in(language), len(body) + len(title)
        if not known.names:
            return None
        if not size:
            return -_MOST_OF_PAGE
        in_title = _count(known.ids, title)
        counts = _count(known.ids, body) + in_title
        mentions = np.zeros(len(self._things))
        titled = np.zeros(len(self._things), np.bool_)
        rates = np.zeros(len(self._things))
        is_named = np.zeros(len(self._things), np.bool_)
        for thing, places, rate in known.names:
            is_named[thing] = True
            rates[thing] = max(rates[thing], rate)
            mentions[thing] = max(mentions[thing], min(counts[place] for place in places))
            titled[thing] |= all(in_title[place] for place in places)
        said = _weigh_mentions(mentions[is_named], rates[is_named], size).sum()
        said += _OF_TITLE * titled.sum()
        return float(np.clip(said, -_MOST_OF_PAGE, _MOST_OF_PAGE))

    def weigh_host(self, host: str) -> float:
        """The log-odds that the host's name adds."""
        labels = split_words(host.lower().removeprefix("www.").rpartition(".")[0])
        is_named = any(word in label for word in self._host_words for label in labels)
        return _OF_HOST if is_named else 0.0

    def weigh_form(self, ids: WordIds) -> tuple[float, int]:
        """The log-odds that the words of a form add, and how many of the things it names. Words
        that forms of many domains have (`title`) say less."""
        found = self._form_ids.keys() & ids.tolist()
        things = {self._form_ids[number] for number in found}
        return sum(self._field_weights[thing] for thing in things), len(things)

    def name_form_words(self, ids: WordIds) -> list[tuple[str, float]]:
        """Which of the words stand in the form, and what each adds."""
        found = {self._form_ids[n] for n in self._form_ids.keys() & ids.tolist()}
        return [(self._things[thing][0], self._field_weights[thing]) for thing in sorted(found)]

    def name_page_words(
        self, body: WordIds, title: WordIds, language: str
    ) -> list[tuple[str, float]]:
        """Which of the words stand on the page, and how often."""
        known = self.names_in(language)
        counts = _count(known.ids, body) + _count(known.ids, title)
        found: dict[str, float] = {}
        for thing, places, _ in known.names:
            count = float(min(counts[place] for place in places))
            if count:
                name = self._things[thing][0]
                found[name] = max(found.get(name, 0.0), count)
        return sorted(found.items(), key=lambda each: (-each[1], each[0]))

    @cached_property
    def _things(self) -> tuple[tuple[str, ...], ...]:
        """Words by what they name: those that the tables of translations call the same."""
        found: dict[object, list[str]] = {}
        for word in self.words:
            concepts = _choose_concepts(word)
            found.setdefault(concepts[0] if concepts else word.lower(), []).append(word)
        return tuple(tuple(words) for words in found.values())

    @cached_property
    def _concepts(self) -> tuple[frozenset[tuple[str, str]], ...]:
        return tuple(
            frozenset(one for word in words for one in _choose_concepts(word))
            for words in self._things
        )

    def names_in(self, language: str) -> WantedNames:
        """By the numbers that words have on pages in that language."""
        if language not in self._named:
            self._named[language] = _find_names(
                [
                    (thing, parts)
                    for thing, words in enumerate(self._things)
                    for parts in {
                        *self._number_own(words, language),
                        *self._number_translated(thing, language),
                    }
                ],
                language,
            )
        return self._named[language]

    def _number_own(self, words: Sequence[str], language: str) -> Iterator[tuple[int, ...]]:
        for word in words:
            parts = tuple(n for n in Words([word], vocabulary(language)).ids.tolist() if n)
            if parts:
                yield parts

    def _number_translated(self, thing: int, language: str) -> Iterator[tuple[int, ...]]:
        wanted = self._concepts[thing]
        for word in number_translations(language):
            if (word.topic, word.english) in wanted and word.part == 1.0:
                yield (word.number,)

    @cached_property
    def _form_ids(self) -> dict[int, int]:
        """The numbers of all parts of names in all languages: forms are short, and what stands in
        them is not always in the language of their page."""
        found: dict[int, int] = {}
        for language in dict.fromkeys(("en", *LANGUAGES, *read_translations())):
            for thing, words in enumerate(self._things):
                numbers = [n for parts in self._number_translated(thing, language) for n in parts]
                for word in words:
                    numbers += form_vocabulary(language).ids_of_short(word).tolist()
                for number in numbers:
                    if number:
                        found.setdefault(number, thing)
        return found

    @cached_property
    def _field_weights(self) -> tuple[float, ...]:
        return tuple(_weigh_field(words) for words in self._things)

    @cached_property
    def _host_words(self) -> tuple[str, ...]:
        parts = (part for word in self.words for part in split_words(word))
        return tuple(dict.fromkeys(part for part in parts if len(part) >= _HOST_CHARS))


def _choose_concepts(word: str) -> list[tuple[str, str]]:
    """What a word names in the tables of translations. The same stem may mean several things
    (`book`, `booking`): then the nearest in spelling is meant."""
    if " " in word.strip():
        return []
    found = sorted(find_concepts([word]) or _find_inflected(word))
    spelled = [one for one in found if one[1] == word.lower()]
    shortest = min((len(english) for _, english in found), default=0)
    return spelled or [one for one in found if len(one[1]) == shortest]


def _find_inflected(word: str) -> set[tuple[str, str]]:
    """The same for a word of another language in a form that the tables do not have: `livres`."""
    return {
        (one.topic, one.english)
        for language in read_translations()
        for number in Words([word], vocabulary(language)).ids.tolist()
        for one in number_translations(language)
        if number and one.number == number and one.part == 1.0 and len(word) >= _HOST_CHARS
    }


def _count(ids: WordIds, row: WordIds) -> NDArray[np.int64]:
    """How often each of the ids stands in the row."""
    if not len(ids):
        return np.zeros(0, np.int64)
    places = ids.searchsorted(row)
    return np.bincount(places[ids.take(places, mode="clip") == row], minlength=len(ids))


def _weigh_mentions(mentions: _Rates, rates: _Rates, size: int) -> _Rates:
    """The log-odds of each thing: its mentions are negative binomial, with the same shape on
    pages about the topic and on others, so that their ratio is simple."""
    topical, other = size * _TOPICAL_RATE, size * np.maximum(rates, _RARE)
    # n mentions count for 1 + log(n): a writer chooses a word once and then repeats it.
    counted = np.where(mentions > 0, 1 + np.log(np.maximum(mentions, 1)), 0.0)
    odds = _SHAPE * np.log((_SHAPE + other) / (_SHAPE + topical)) + counted * (
        np.log(topical / (_SHAPE + topical)) - np.log(other / (_SHAPE + other))
    )
    mixed: _Rates = np.log(1 - _USED + _USED * np.exp(np.minimum(odds, 10.0)))
    bounded: _Rates = np.minimum(mixed, _MOST_OF_WORD)
    return bounded


def _find_names(names: Sequence[tuple[int, tuple[int, ...]]], language: str) -> WantedNames:
    ids = np.array(sorted({number for _, parts in names for number in parts}), np.int32)
    place = {number: at for at, number in enumerate(ids.tolist())}
    rates = _general_rates(ids, language)
    return WantedNames(
        ids,
        tuple(
            (thing, tuple(place[n] for n in parts), min(rates[place[n]] for n in parts))
            for thing, parts in names
        ),
    )


def _general_rates(ids: WordIds, language: str) -> list[float]:
    """Of pages about nothing in particular in that language; 0 where nothing is known."""
    known, label = shipped_background(), f"web:{language if language in LANGUAGES else 'en'}"
    row = known.rows[label]
    shares = dict(zip(known.words[row.places].tolist(), row.shares.tolist(), strict=True))
    return [float(shares.get(number, 0.0)) for number in ids.tolist()]


def _weigh_field(words: Sequence[str]) -> float:
    """A word that one domain of forms asks for says much, one that half of them ask for little."""
    numbers = {n for word in words for n in Words([word], form_vocabulary("en")).ids.tolist()}
    domains = sum(not numbers.isdisjoint(_fields_of(name)) for name in DOMAINS)
    return min(_MOST_OF_FIELD, log((len(DOMAINS) + 1) / (domains + 1)))


def _fields_of(domain: str) -> set[int]:
    asked = " ".join(read_vocabulary(domain).fields["en"])
    found: set[int] = set(Words([asked], form_vocabulary("en")).ids.tolist())
    return found


def join_odds(odds: float) -> float:
    """A probability."""
    return 1 / (1 + exp(-min(max(odds, -40.0), 40.0)))
