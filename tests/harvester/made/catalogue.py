"""A small catalogue made up for tests: its items, and which of them are in a record."""

import random
import re
from collections.abc import Collection, Iterable

from msgspec import Struct

from leadline.core.harvest import Record

_THINGS = (
    "lamp chair clock bowl mirror bridge ship coin letter map violin garden basket kettle bell "
    "window tower saddle carpet engine plough lantern drum vase brooch candle ladder anchor"
).split()
_WAYS = (
    "red blue old small wooden iron silver painted broken carved round heavy early late northern "
    "southern glass copper folded striped golden plain royal rural narrow tall"
).split()
_NOUNS = (
    "harbour winter market river school family museum village church forest railway island mill "
    "castle farmer sailor doctor teacher merchant weaver baker stone paper cotton leather wool "
    "music summer morning evening journey wedding storm valley mountain orchard kitchen station "
    "theatre factory cellar meadow bishop soldier captain painter printer potter miller smith"
).split()
_VERBS = "made found sold kept drawn built lost given mended bought shown stored cast woven".split()
KINDS = ("furniture", "tools", "prints", "textiles", "jewellery")
_PLACES = "Northwick Easton Southam Weston Midford Langley Ashby Thornton".split()
_MARK = re.compile(r"(?:\bNo\.? ?|/items?/|[?&;](?:id|nr|rec)=|\bitem-)0*(\d{1,5})\b")


class Item(Struct, frozen=True):
    """One thing of the catalogue; `mark` names it in texts."""

    number: int
    title: str
    text: str
    kind: str
    place: str
    year: int

    @property
    def mark(self) -> str:
        return f"No. {self.number:04}"

    @property
    def day(self) -> str:
        """A date in its year."""
        return f"{self.year}-{self.number % 12 + 1:02}-{self.number % 28 + 1:02}"

    @property
    def words(self) -> str:
        return f"{self.title} {self.text} {self.kind} {self.place}".lower()


def make_items(count: int, seed: int = 1) -> tuple[Item, ...]:
    """The same for the same seed; numbers from 1."""
    draw = random.Random(seed)
    return tuple(_make_item(draw, number) for number in range(1, count + 1))


def _make_item(draw: random.Random, number: int) -> Item:
    thing, place = draw.choice(_THINGS), draw.choice(_PLACES)
    title = f"{draw.choice(_WAYS).capitalize()} {thing} of the {draw.choice(_NOUNS)}"
    first, second, third, last = draw.sample(_NOUNS, 4)
    text = (
        f"A {draw.choice(_WAYS)} {thing} {draw.choice(_VERBS)} near the {first} by a {second}, "
        f"{draw.choice(_VERBS)} for the {third} and {draw.choice(_VERBS)} in the {last}."
    )
    return Item(number, title, text, draw.choice(KINDS), place, draw.randint(1850, 1999))


def name_record(record: Record, numbers: Collection[int]) -> int:
    """The number of the item that the record is; 0 if it is none."""
    texts = (record.url or "", *record.links, record.title, *(c.text for c in record.cells))
    marks = (int(found[1]) for text in texts for found in _MARK.finditer(text))
    return next((number for number in marks if number in numbers), 0)


def judge_records(records: Iterable[Record], numbers: Collection[int]) -> tuple[set[int], int]:
    """Items held, and records that are none or one held already."""
    held: set[int] = set()
    false = 0
    for record in records:
        number = name_record(record, numbers)
        false += not number or number in held
        held |= {number} - {0}
    return held, false
