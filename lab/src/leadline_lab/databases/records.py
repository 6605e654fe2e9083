"""The records of a source, each computed from its number alone."""

import re

import numpy as np
from msgspec import Struct

from leadline_lab.databases.chance import Places, draws, skewed
from leadline_lab.databases.kinds import Source, held
from leadline_lab.databases.lexicon import Lexicon
from leadline_lab.databases.values import codes_numbers, entries_of
from leadline_lab.draw import Shuffle, key_of
from leadline_lab.schema import Attribute

TYPES = 3
"""Of records in a source that mixes them: the schema's own, articles, profiles of people."""
_key = re.compile(r"[0-9]{1,12}").fullmatch
_FIRST_KEY = 1000


class Record(Struct, frozen=True):
    number: int
    values: dict[str, str]
    """By attribute name, in the schema's order."""

    @property
    def title(self) -> str:
        """What it is listed under."""
        return next(iter(self.values.values()))


def record(source: Source, lexicon: Lexicon, number: int) -> Record:
    return records(source, lexicon, (number,))[0]


def records(source: Source, lexicon: Lexicon, numbers: tuple[int, ...]) -> list[Record]:
    """Several at once; numbers from 0 to size - 1."""
    attributes = held(source.schema)
    places = np.array(numbers, np.int64)
    columns = (_texts(source, attribute, lexicon, places) for attribute in attributes)
    names = [a.name for a in attributes]
    return [
        Record(number, dict(zip(names, row, strict=True)))
        for number, *row in zip(numbers, *columns, strict=True)
    ]


def titles(source: Source, lexicon: Lexicon, numbers: tuple[int, ...]) -> list[str]:
    """What records are listed under."""
    return _texts(source, held(source.schema)[0], lexicon, np.array(numbers, np.int64))


def _texts(source: Source, attribute: Attribute, lexicon: Lexicon, places: Places) -> list[str]:
    if attribute.kind == "code":
        return [str(number) for number in codes_numbers(source, attribute, places).tolist()]
    entries = entries_of(source, attribute, lexicon)
    return [entries.text(row) for row in entries.codes(places).tolist()]


def type_of(source: Source, number: int) -> int:
    """0 for the schema's own; 1 and 2 only in a source that mixes types."""
    if not source.behaviour.mixes_types:
        return 0
    drawn = draws(key_of(source.key, "type"), np.array([number], np.int64))
    return int(skewed(drawn, TYPES)[0, 0])


def key_of_record(source: Source, number: int) -> str:
    """The record's name in URLs; says nothing about number, values or rank."""
    return str(_FIRST_KEY + _shuffle(source).back(number))


def number_of_key(source: Source, key: str) -> int | None:
    """The record of that name, None when there is none."""
    if not _key(key):
        return None
    place = int(key) - _FIRST_KEY
    return _shuffle(source).at(place) if 0 <= place < source.size else None


def _shuffle(source: Source) -> Shuffle:
    return Shuffle(key_of(source.key, "record key"), source.size)
