"""What the attributes of records can hold, and which record holds what.

A kind of value is a row of entries, each with a text, and a rule that gives
every record the codes of its entries. Code 0 is the empty entry.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from datetime import date
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from leadline_lab.databases.chance import Places, below, draws, shuffled, skewed, zipf
from leadline_lab.databases.kinds import Source
from leadline_lab.databases.lexicon import Codes, Lexicon
from leadline_lab.databases.names import names, places
from leadline_lab.draw import Draw, Numbers, Shuffle, key_of
from leadline_lab.schema import Attribute

Amounts = NDArray[np.int64]

WORD_KINDS = ("title", "text", "person", "place")
"""Kinds that are searched by words; the others by value."""
_LENGTHS = {"title": (3, 8), "text": (10, 32)}
_FIRST_YEAR, _YEARS = 1950, 76
_FIRST_DAY, _DAYS = date(2016, 1, 1).toordinal(), 3650
_ANY_PRICE = (5, 900)
_ANY_NUMBER = (1, 500)
_STEPS = 600
_SMALL = 12
"""Numbers up to here are counted one by one; above, choices are only steps between them."""
_MAX_ENTRIES = 60_000
_GIVEN, _FAMILIES = 300, 3_000
_PARTS = {"last": "last", "surname": "last", "first": "first", "given": "first"}
"""Attributes that hold one part of a name."""


class Entries(ABC):
    """The values of one attribute of one source, for any of its records.

    `amounts` holds a number for each code, rising with the code, for kinds
    that have an order; else it is empty.
    """

    width = 1
    amounts: Amounts = np.zeros(0, np.int64)
    between = " "

    def __init__(self, source: Source, attribute: Attribute) -> None:
        self.source = source
        self.attribute = attribute
        self.key = key_of(source.key, "attribute", attribute.name)

    @abstractmethod
    def __len__(self) -> int:
        """Entries, the empty one included."""

    @abstractmethod
    def entry(self, code: int) -> str: ...

    @abstractmethod
    def codes(self, records: Places) -> Codes:
        """A row of `width` codes for each record, empty ones last."""

    def text(self, codes: Sequence[int]) -> str:
        return self.between.join(self.entry(code) for code in codes if code)


class WordEntries(Entries):
    """A title or a text: words of the lexicon, of the record's island if there are islands."""

    def __init__(self, source: Source, attribute: Attribute, lexicon: Lexicon) -> None:
        super().__init__(source, attribute)
        self.words = lexicon.words
        self._lexicon = lexicon
        self._shortest, self.width = _LENGTHS[attribute.kind]

    def __len__(self) -> int:
        return len(self.words)

    def entry(self, code: int) -> str:
        return self.words[code]

    def codes(self, records: Places) -> Codes:
        drawn = draws(self.key, records, self.width // 4 + 1)
        slots = drawn[:, 1:].astype("<u8").view("<u2")
        behaviour = self.source.behaviour
        if behaviour.islands:
            shape = behaviour.islands, behaviour.bridge_per_mille
            codes = self._lexicon.take_from(island_of(self.source, records), slots, shape)
        else:
            codes = self._lexicon.take(slots)
        lengths = self._shortest + below(drawn[:, 0], self.width - self._shortest + 1)
        codes[np.arange(self.width) >= lengths[:, None]] = 0
        return codes

    def text(self, codes: Sequence[int]) -> str:
        words = [self.words[code] for code in codes if code]
        if self.attribute.kind == "title":
            return " ".join(map(_capital, words))
        return " ".join((_capital(words[0]), *words[1:])) + "."


class PersonEntries(Entries):
    """One person or two, the popular ones much more often than the others.

    Where records have a last or a first name apart, all names are of one person.
    """

    width = 2
    between = "; "

    def __init__(self, source: Source, attribute: Attribute) -> None:
        super().__init__(source, attribute)
        self._people = min(_MAX_ENTRIES, max(60, source.size // 3))
        self._is_alone = any(a.name in _PARTS for a in source.schema.attributes)
        order = "last first" if Draw(key_of(source.key, "order")).chance(350) else "both"
        self._part = _PARTS.get(attribute.name, order)
        if self._is_alone and (attribute.name in _PARTS or attribute.name == "name"):
            self.key = key_of(source.key, "person")

    def __len__(self) -> int:
        return self._people + 1

    def entry(self, code: int) -> str:
        if not code:
            return ""
        chance = key_of(self.key, code)
        popular = (chance & 0xFFFF) * (chance >> 16 & 0xFFFF)
        given = names("given", _GIVEN)[popular * _GIVEN >> 32]
        family = names("family", _FAMILIES)[(chance >> 32) * _FAMILIES >> 32]
        if self._part == "both":
            return f"{given} {family}"
        return {"last": family, "first": given}.get(self._part, f"{family}, {given}")

    def codes(self, records: Places) -> Codes:
        drawn = draws(self.key, records, 3)
        codes = 1 + _zipf_of_island(self.source, drawn[:, :2], self._people, records)
        codes[:, 1][self._is_alone | (below(drawn[:, 2], 10) < 7)] = 0
        return codes.astype(np.uint16)


class ListEntries(Entries):
    """Entries of a list; `rule` turns draws into places in it."""

    def __init__(
        self,
        source: Source,
        attribute: Attribute,
        texts: Sequence[str],
        amounts: Amounts | None = None,
        rule: Callable[[Numbers, int], Places] = below,
    ) -> None:
        super().__init__(source, attribute)
        self._texts = texts
        self._rule = rule
        if amounts is not None:
            self.amounts = amounts

    def __len__(self) -> int:
        return len(self._texts) + 1

    def entry(self, code: int) -> str:
        return self._texts[code - 1] if code else ""

    def codes(self, records: Places) -> Codes:
        codes = 1 + self._rule(draws(self.key, records), len(self._texts))
        return codes.astype(np.uint16)


class ChoiceEntries(ListEntries):
    """Places or categories: some far more common than others, others in each source."""

    def codes(self, records: Places) -> Codes:
        drawn = draws(self.key, records)
        size = len(self._texts)
        if self.attribute.kind == "place":
            ranks = _zipf_of_island(self.source, drawn, size, records)
        else:
            ranks = zipf(drawn, size)
            if self.source.behaviour.islands:
                ranks = (ranks + island_of(self.source, records)[:, None]) % size
        order = Shuffle(key_of(self.key, "order"), size)
        return (1 + shuffled(order, ranks)).astype(np.uint16)


def island_of(source: Source, records: Places) -> Places:
    """The cluster of each record, some larger than others."""
    drawn = draws(key_of(source.key, "island"), records)[:, 0]
    return skewed(drawn, source.behaviour.islands)


def codes_numbers(source: Source, attribute: Attribute, records: Places) -> NDArray[np.int64]:
    """The number that each record has for a code: as many digits as all others, no two alike."""
    key = key_of(source.key, "code", attribute.name)
    first, step = 9_780_000_000_000, 97
    if attribute.name != "isbn":
        first = 10 ** Draw(key).between(6, 9)
        step = max(1, 9 * first // source.size)
    return first + shuffled(Shuffle(key, source.size), records) * step


def entries_of(source: Source, attribute: Attribute, lexicon: Lexicon) -> Entries:
    """Raises KeyError for an unknown kind; codes have no entries."""
    if attribute.kind in _LENGTHS:
        return WordEntries(source, attribute, lexicon)
    if attribute.kind == "person":
        return PersonEntries(source, attribute)
    return _LISTS[attribute.kind](source, attribute)


def _zipf_of_island(source: Source, drawn: Numbers, size: int, records: Places) -> Places:
    """Places in a list that is dealt out among the islands, if there are any."""
    islands = source.behaviour.islands
    if not islands or size < 2 * islands:
        return zipf(drawn, size)
    return zipf(drawn, size // islands) * islands + island_of(source, records)[:, None]


def _place(source: Source, attribute: Attribute) -> Entries:
    return ChoiceEntries(source, attribute, attribute.choices or places())


def _category(source: Source, attribute: Attribute) -> Entries:
    return ChoiceEntries(source, attribute, attribute.choices or ("Standard", "Special", "Other"))


def _year(source: Source, attribute: Attribute) -> Entries:
    return ListEntries(source, attribute, *_whole(_FIRST_YEAR, _FIRST_YEAR + _YEARS), _late)


def _price(source: Source, attribute: Attribute) -> Entries:
    draw = Draw(key_of(source.key, "prices"))
    cents, sign = draw.pick((0, 0, 50, 95, 99)), draw.pick(("$", "$", "€", "£", ""))
    low, high = _ends(attribute, _ANY_PRICE)
    return ListEntries(source, attribute, *_prices(low, high, cents, sign))


def _number(source: Source, attribute: Attribute) -> Entries:
    low, high = _ends(attribute, _ANY_NUMBER)
    return ListEntries(source, attribute, *_whole(low, high + 1), skewed)


def _ends(attribute: Attribute, otherwise: tuple[int, int]) -> tuple[int, int]:
    """Lowest and highest, around the steps that forms offer."""
    steps = [int(text) for text in attribute.choices if text.isascii() and text.isdigit()]
    if not steps:
        return otherwise
    if attribute.kind == "number" and max(steps) <= _SMALL:
        return min(steps), max(steps)
    return max(1, min(steps) // 2), max(steps) * 3 // 2


def _date(source: Source, attribute: Attribute) -> Entries:
    return ListEntries(source, attribute, *_days())


Row = tuple[tuple[str, ...], Amounts]
"""Texts of the entries from code 1 on, and amounts from code 0 on."""


@lru_cache(maxsize=32)
def _whole(low: int, end: int) -> Row:
    row = range(low, end, max(1, (end - low) // 2000))
    return tuple(map(str, row)), np.array((low - 1, *row), np.int64)


@lru_cache(maxsize=128)
def _prices(low: int, high: int, cents: int, sign: str) -> Row:
    steps = (low + (high - low) * step**3 // _STEPS**3 for step in range(_STEPS))
    coins = list(dict.fromkeys(steps))
    texts = tuple(f"{sign}{coin}.{cents:02d}" for coin in coins)
    return texts, np.array((0, *coins), np.int64) * 100 + cents


@lru_cache(maxsize=1)
def _days() -> Row:
    days = range(_FIRST_DAY, _FIRST_DAY + _DAYS)
    texts = tuple(date.fromordinal(day).isoformat() for day in days)
    return texts, np.array((_FIRST_DAY - 1, *days), np.int64)


def _capital(word: str) -> str:
    """As it begins a title, unless it could not be found again: small letters without large
    ones stay."""
    capital = word[:1].upper() + word[1:]
    return capital if capital.lower() == word else word


def _late(drawn: Numbers, n: int) -> Places:
    return n - 1 - skewed(drawn, n)


_LISTS: dict[str, Callable[[Source, Attribute], Entries]] = {
    "place": _place, "category": _category, "year": _year, "price": _price,
    "number": _number, "date": _date,
}  # fmt: skip
