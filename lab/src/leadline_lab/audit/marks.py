"""What a learner may go by: texts and numbers as marks that have no meaning of their own."""

import re
from collections.abc import Iterable

_digits = re.compile(r"\d+")
_classes = re.compile(r"""(?:class|id)=(?:"([^"]*)"|'([^']*)'|([^\s>]+))""")
_GRAMS = 3


def letters(text: str) -> tuple[str, ...]:
    """Pieces of up to three letters, those at each place, and the length."""
    grams = [text[at : at + n] for n in range(1, _GRAMS + 1) for at in range(len(text) - n + 1)]
    places = [f"{at}@{letter}" for at, letter in enumerate(text)]
    ends = [f"-{at}@{letter}" for at, letter in enumerate(reversed(text))]
    return (*grams, *places, *ends, f"length {len(text)}")


def number(text: str) -> tuple[str, ...]:
    """A number by its digits, its size in steps of an eighth, and what is left after division."""
    value = int(text)
    rests = [f"{value % n} of {n}" for n in (2, 3, 4, 5, 7, 8, 16)]
    return (*letters(text), size(value), f"hundreds {value // 100}", *rests)


def numbers_in(text: str) -> tuple[str, ...]:
    """Of every number in a text."""
    return tuple(mark for found in _digits.findall(text) for mark in number(found[:18]))


def size(value: int) -> str:
    """A size in steps of an eighth of its octave."""
    bits = value.bit_length()
    return f"size {bits} {value >> (bits - 4) if bits > 4 else value}"


def class_names(html: str) -> tuple[str, ...]:
    """Each class and id of a page once."""
    found = (word for parts in _classes.findall(html) for word in "".join(parts).split())
    return tuple(dict.fromkeys(found))


def shape(text: str, words: Iterable[str]) -> tuple[str, ...]:
    """A host name with its made-up part and its words blotted out."""
    for word in words:
        text = text.replace(word, "w")
    return (text,)
