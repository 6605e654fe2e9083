"""How much a link looks like a command to do something to a thing, rather than a page about it.

Lists of verbs end; what commands look like goes on: a word behind or before an id that the link's
own text agrees with, the endings of verbs, names and values of parameters. The weights of pieces
of words and of such shapes are learned by `tools.command_training` from links of real pages, which
show something, and from commands written in many languages.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources
from zlib import crc32

from leadline.core import command_words as known
from leadline.core.address_words import (
    is_identifier,
    list_parameters,
    match_identifier,
    split_segments,
    split_words,
)

BUCKETS = 1 << 15
"""Weights; features share them by their hashes. Twice as many told no more."""
SCALE = 24
"""A weight of 1 is stored as this, in a byte."""
LEAST_SCORE = 3.5
"""From `tools.command_training`: 0.05 % of links of real hosts left out reach it."""
_MOST_WORDS = 5
"""Texts of more words are titles; so are parts of addresses of more than `_MOST_PART_WORDS`."""
_MOST_PART_WORDS = 3
_MOST_VALUE_CHARS = 40
_AGREED_LETTERS = 4
"""`Swap this shift` agrees with /shift/91/swapping."""
_STEM_LETTERS = 5
_has_digit = re.compile(r"\d").search
# A segment that may be one word with a digit: what has a hyphen or an underscore between two
# letters or digits is several. What is not plain ASCII is looked at in full.
_may_hold_id = re.compile(
    r"[^\x00-\x7f]|%|(?:^|/)(?=[^/\d]*\d)(?![^/]*[A-Za-z0-9][-_][A-Za-z0-9])"
).search
_SWITCHES = ("1", "yes", "true", "on")
Parts = list[tuple[str, tuple[str, ...]]]


def score_command(path: str, query: str, text: str) -> float:
    """0 or less for a link that shows something, as far as its address and its text tell; also for
    one whose address names no thing, and for one without words.

    >>> score_command("/shift/91/swap", "", "Swap") > score_command("/film/91/cast", "", "Cast")
    True
    """
    shapes, words = _describe(path, query, text)
    weights = _weights()
    score = sum(weights[_place(shape)] for shape in shapes)
    return (score + sum(_weigh_word(role, word) for role, word in words)) / SCALE


def find_features(path: str, query: str, text: str) -> list[int]:
    """Places of the weights that add up to the score; none if the link is not judged."""
    shapes, words = _describe(path, query, text)
    found = [_place(shape) for shape in shapes]
    for role, word in words:
        found += _place_pieces(role, word)
    return found


def _describe(path: str, query: str, text: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Shapes of the link, and words with the roles in which their pieces count."""
    # Most links end here.
    words = split_words(text) if _may_hold_id(path) or _has_digit(query) else ()
    if not 0 < len(words) <= _MOST_WORDS:
        return [], []
    segments = split_segments(path)
    pairs = list_parameters(query)
    has_id_value = any(match_identifier(value.lower()) for _, value in pairs)
    if not has_id_value and not any(map(is_identifier, segments)):
        return [], []
    parts = _find_parts(segments, pairs)
    shapes = _describe_shape(segments, pairs, parts, words)
    roles = [("address", word) for _, part in parts for word in part]
    roles += [("text", word) for word in words]
    return shapes, [*roles, ("first", words[0]), ("last", words[-1])]


def _find_parts(segments: Sequence[tuple[str, ...]], pairs: Sequence[tuple[str, str]]) -> Parts:
    """Short parts of an address that could say what to do, with where they stand."""
    found: Parts = []
    if segments:
        last = segments[-1]
        before = segments[-2] if len(segments) > 1 else ()
        if not is_identifier(last):
            found.append(("behind an id" if is_identifier(before) else "at the end", last))
        elif before:
            found.append(("before an id", before))
    for name, value in pairs:
        if name.lower() in known.SEARCH_NAMES:
            continue
        if value in _SWITCHES:
            found.append(("switch", split_words(name)))
        elif len(value) <= _MOST_VALUE_CHARS and not match_identifier(value.lower()):
            found.append(("value", split_words(value)))
    return [(place, part) for place, part in found if 0 < len(part) <= _MOST_PART_WORDS]


def _describe_shape(
    segments: Sequence[tuple[str, ...]],
    pairs: Sequence[tuple[str, str]],
    parts: Parts,
    words: Sequence[str],
) -> list[str]:
    stems = {word[:_AGREED_LETTERS] for word in words if len(word) >= _AGREED_LETTERS - 1}
    agreed = [
        place for place, part in parts if any(word[:_AGREED_LETTERS] in stems for word in part)
    ]
    is_title = any(len(segment) > _MOST_PART_WORDS for segment in segments)
    has_id_value = any(match_identifier(value.lower()) for _, value in pairs)
    return [
        "any link",
        f"{len(words)} words",
        f"{min(len(segments), _MOST_WORDS)} segments",
        f"{min(len(pairs), _MOST_WORDS)} parameters",
        f"id as a value: {has_id_value}",
        f"a title: {is_title}",
        *(f"{place}, {len(part)} words" for place, part in parts),
        *(f"{place}, agreed" for place in agreed),
        "agreed" if agreed else "not agreed",
        *(f"parameter {name.lower()[:12]}" for name, _ in pairs),
    ]


@lru_cache(maxsize=16_384)
def _weigh_word(role: str, word: str) -> int:
    weights = _weights()
    return sum(weights[place] for place in _place_pieces(role, word))


def _place_pieces(role: str, word: str) -> set[int]:
    """The word, its beginning, and its pieces of two to four letters."""
    closed = f"<{word}>"
    pieces = [closed[at : at + size] for size in (2, 3, 4) for at in range(len(closed) - size + 1)]
    return {_place(f"{role} {piece}") for piece in (*pieces, closed, closed[:_STEM_LETTERS])}


def _place(feature: str) -> int:
    return crc32(feature.encode()) % BUCKETS


@cache
def _weights() -> memoryview:
    stored = resources.files("leadline.core").joinpath("command_weights.bin").read_bytes()
    return memoryview(stored).cast("b")
