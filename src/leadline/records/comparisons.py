"""How values of records are written and compared when records are linked.

Each value becomes a short text once; pairs of texts are compared to levels, 0 the best. Called by
`records.linkage`.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from leadline.core.table import SchemaField, TypedValue

Levels = NDArray[np.int8]
Floats = NDArray[np.float64]
NAME, NUMBERS = "name", "numbers in the name"
"""Ways of comparing that no kind of value has by itself: numbers tell volumes and parts apart."""
MISSING = -1
"""The level of a pair of which one has no value."""
_LONGEST = 120
"""Characters compared of a text."""
_TEXT_STEPS = (99.9, 92.0, 80.0, 60.0)
"""Similarity in per cent from which a text is equal, nearly equal, similar, somewhat similar: steps
of a scale; what each is worth is learned."""
_SUBTITLE = 2
"""The level of names that are equal but for a subtitle."""
_AMOUNT_STEPS = (1e-6, 0.01, 0.1)
"""Relative differences of numbers, likewise."""
_PARTED = "\x1e"
"""Between a name and its subtitle."""
_FRAME_SHARE = 0.5
"""Of a source's names: a word in more of them belongs to the source (`buy now`), not to a name."""
_FRAME_ROWS = 20
_brackets = re.compile(r"\s*[(\[{].*?[)\]}]\s*")
_subtitle = re.compile(r"\s*(?:[:;|]\s|\s[-\u2013\u2014]\s)")
_digits = re.compile(r"(?<![^\W\d_])\d{1,3}(?!\d)")
_not_persons = re.compile(
    r"\bet\.? al\b\.?|\bu\.\s?a\.|\band others\b|\bund andere\b|\bи др\b\.?|"
    r"[,\s]\s*(?:jr|sr|ii|iii|ph\.?d|m\.?d)\b\.?|\(.*?\)|\b(?:by|von|par|por|di)\s(?=[^\W\d_])",
    re.I,
)
_year = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")
_words = re.compile(r"\w+")


class Way(NamedTuple):
    """How a field is compared."""

    read: Callable[[Sequence[TypedValue]], str]
    """Makes the text that is compared of a row's values."""
    compare: Callable[[Sequence[str], Sequence[str]], Levels]
    priors: tuple[float, ...]
    """What one knows before anything was seen: the share of pairs of one thing at each level."""


def _fall(levels: int, by: float = 0.5) -> tuple[float, ...]:
    """Shares that fall with each level: one thing mostly agrees."""
    shares = [by**level for level in range(levels)]
    return tuple(share / sum(shares) for share in shares)


# Reading values as short texts


def find_way(field: SchemaField, name: str) -> str:
    """How a field is compared; '' for one that says nothing of which thing it is."""
    if field.name == name:
        return NAME
    if field.kind in ("number", "money", "duration"):
        return "amount"
    if field.kind in ("person", "date", "rating"):
        return field.kind
    return "text" if field.kind in ("text", "category", "place", "identifier") else ""


def is_key(field: SchemaField) -> bool:
    return field.is_key or field.kind == "identifier"


def fold_text(text: str) -> str:
    """Letters and digits in lower case, without accents, words parted by one blank.

    >>> fold_text("L'Été  —  Camus!")
    'l ete camus'
    """
    plain = unicodedata.normalize("NFKD", text).casefold()
    kept = "".join(c for c in plain if not unicodedata.combining(c))
    return " ".join(_words.findall(kept))


def _name(values: Sequence[TypedValue]) -> str:
    """Without what stands in brackets (series, editions, years); its subtitle apart."""
    raw = values[0].raw if values else ""
    bare = _brackets.sub(" ", raw)
    bare = bare if _words.search(bare) else raw
    core, *rest = _subtitle.split(bare, maxsplit=1)
    parts = [fold_text(core)[:_LONGEST], *(fold_text(text)[:_LONGEST] for text in rest)]
    return _PARTED.join(filter(None, parts))


def join_name(name: str) -> str:
    """The words of a name, its subtitle included."""
    return name.replace(_PARTED, " ")


def read_core(name: str) -> str:
    """The name without its subtitle."""
    return name.partition(_PARTED)[0]


def find_name_numbers(values: Sequence[TypedValue]) -> str:
    """Of volumes and parts; years have more digits."""
    return " ".join(_digits.findall(values[0].raw)) if values else ""


def drop_frame(names: Sequence[str], sources: Sequence[int]) -> list[str]:
    """The names without words that a source puts into most of its names."""
    rows = Counter(sources)
    words: dict[int, Counter[str]] = {}
    for name, source in zip(names, sources, strict=True):
        words.setdefault(source, Counter()).update(set(name.replace(_PARTED, " ").split()))
    frames = {
        source: {word for word, n in found.items() if n > _FRAME_SHARE * rows[source]}
        for source, found in words.items()
        if rows[source] >= _FRAME_ROWS
    }
    kept = []
    for name, source in zip(names, sources, strict=True):
        frame = frames.get(source)
        if frame:
            parts = (
                " ".join(word for word in part.split() if word not in frame)
                for part in name.split(_PARTED)
            )
            name = _PARTED.join(filter(None, parts)) or name
        kept.append(name)
    return kept


def _persons(values: Sequence[TypedValue]) -> str:
    """Family names, sorted: first names are written in too many ways."""
    found = []
    for value in values:
        bare = _not_persons.sub(" ", value.raw)
        for one in re.split(r"[;&/]|\band\b|\bund\b|\bet\b|\by\b", bare):
            parts = [part for part in one.split(",") if part.strip()]
            # `Rowling, J. K.` is one person, `J. K. Rowling, Mary GrandPré` are two.
            is_turned = len(parts) == 2 and len(parts[0].split()) == 1
            for part in parts[:1] if is_turned else parts:
                words = fold_text(part).split()
                if words:
                    found.append(words[-1])
    return " ".join(sorted(set(found)))[:_LONGEST]


def _date(values: Sequence[TypedValue]) -> str:
    """ISO as exactly as it is known, else its year."""
    if not values:
        return ""
    if isinstance(values[0].value, str):
        return values[0].value
    year = _year.search(values[0].raw)
    return year[0] if year else ""


def _amount(values: Sequence[TypedValue]) -> str:
    numbers = [v.value for v in values if isinstance(v.value, int | float)]
    return f"{float(numbers[0]):.10g}" if numbers else ""


def _scale_rating(values: Sequence[TypedValue]) -> str:
    """The share of the best: sources rate on different scales. A number without a scale says
    nothing."""
    for value in values:
        best = value.unit.removeprefix("of ")
        if isinstance(value.value, int | float) and best.isdecimal():
            return f"{value.value / int(best):.10g}"
    return ""


def _text(values: Sequence[TypedValue]) -> str:
    # Items of one text have the whole of it as their raw text.
    raws = dict.fromkeys(value.raw for value in values)
    return " ".join(fold_text(raw[: 2 * _LONGEST]) for raw in raws)[:_LONGEST]


# Comparing texts of pairs


def _compare_names(left: Sequence[str], right: Sequence[str]) -> Levels:
    """Equal, nearly, equal but for a subtitle that one lacks, similar, somewhat, different."""
    from rapidfuzz import fuzz

    ours, theirs = ([name.replace(_PARTED, " ") for name in names] for names in (left, right))
    levels = _text_levels(_similarity(ours, theirs, fuzz.token_sort_ratio))
    levels[levels >= _SUBTITLE] += 1
    for at in np.flatnonzero(levels > _SUBTITLE).tolist():
        (a, _, more), (b, _, other) = left[at].partition(_PARTED), right[at].partition(_PARTED)
        if not (more and other) and fuzz.token_sort_ratio(a, b) >= _TEXT_STEPS[1]:
            levels[at] = _SUBTITLE
    # Volumes of one series have names that differ in one letter and are different things.
    for at in np.flatnonzero(levels <= _SUBTITLE).tolist():
        one, two = set(_digits.findall(ours[at])), set(_digits.findall(theirs[at]))
        if not (one <= two or two <= one):
            levels[at] = _SUBTITLE + 2
    return _mask_missing(levels, left, right)


def _compare_sets(left: Sequence[str], right: Sequence[str]) -> Levels:
    """Equal, one within the other, different."""
    levels = np.full(len(left), 2, np.int8)
    for at, (a, b) in enumerate(zip(left, right, strict=True)):
        if a == b:
            levels[at] = 0
        elif (ours := set(a.split())) and (theirs := set(b.split())):
            levels[at] = 1 if ours <= theirs or theirs <= ours else 2
    return _mask_missing(levels, left, right)


def _compare_texts(left: Sequence[str], right: Sequence[str]) -> Levels:
    from rapidfuzz import fuzz

    return _mask_missing(_text_levels(_similarity(left, right, fuzz.token_set_ratio)), left, right)


def _similarity(left: Sequence[str], right: Sequence[str], scorer: Any) -> Floats:
    from rapidfuzz.process import cpdist

    found: Floats = cpdist(left, right, scorer=scorer, dtype=np.float32).astype(float)
    return found


def _text_levels(similarity: Floats) -> Levels:
    steps = np.array(_TEXT_STEPS)
    levels: Levels = (similarity[:, None] < steps[None, :]).sum(axis=1).astype(np.int8)
    return levels


def _compare_dates(left: Sequence[str], right: Sequence[str]) -> Levels:
    """Equal as exactly as both are known, the same year, one year apart, further apart."""
    levels = np.full(len(left), 3, np.int8)
    for at, (a, b) in enumerate(zip(left, right, strict=True)):
        if not a or not b:
            levels[at] = MISSING
        elif a.startswith(b) or b.startswith(a):
            levels[at] = 0
        elif a[:4] == b[:4]:
            levels[at] = 1
        elif a[:4].isdigit() and b[:4].isdigit() and abs(int(a[:4]) - int(b[:4])) == 1:
            levels[at] = 2
    return levels


def _compare_amounts(left: Sequence[str], right: Sequence[str]) -> Levels:
    a, b = (np.array([float(t) if t else np.nan for t in texts]) for texts in (left, right))
    with np.errstate(invalid="ignore"):
        largest = np.maximum(np.maximum(np.abs(a), np.abs(b)), 1e-12)
        apart = np.abs(a - b) / largest
    levels: Levels = (apart[:, None] > np.array(_AMOUNT_STEPS)[None, :]).sum(axis=1).astype(np.int8)
    return _mask_missing(levels, left, right)


def _mask_missing(levels: Levels, left: Sequence[str], right: Sequence[str]) -> Levels:
    lacks = np.array([not a or not b for a, b in zip(left, right, strict=True)], bool)
    levels[lacks] = MISSING
    return levels


WAYS: Mapping[str, Way] = {
    NAME: Way(_name, _compare_names, _fall(6)),
    # Volume 1 is hardly ever volume 2.
    NUMBERS: Way(find_name_numbers, _compare_sets, _fall(3, 0.1)),
    "person": Way(_persons, _compare_texts, _fall(5)),
    "date": Way(_date, _compare_dates, _fall(4)),
    "amount": Way(_amount, _compare_amounts, _fall(4)),
    "rating": Way(_scale_rating, _compare_amounts, _fall(4)),
    "text": Way(_text, _compare_texts, _fall(5)),
}
"""How fields are compared, by what `find_way` says of them."""
