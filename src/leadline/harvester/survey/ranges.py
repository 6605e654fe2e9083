"""Which two controls are the ends of one range: by their words, their names, what they offer."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from leadline.core.page import Field, Form
from leadline.forms.entries import is_typed
from leadline.forms.hazard_words import matcher
from leadline.forms.hazards import control_text, spoken
from leadline.forms.meaning import Meaning, Pair, pairs
from leadline.harvester.survey.open_choices import real_choices
from leadline.page.words import split_words

_NEAR = 2
"""Controls from one end of an unnamed range to the other."""
_DAYS = frozenset({"date", "datetime-local", "week", "month"})
_END_WORDS = frozenset(
    {("min", "max"), ("from", "to"), ("lo", "hi"), ("low", "high"), ("start", "end")}
    | {("begin", "end"), ("lower", "upper"), ("after", "before")}
    | {("von", "bis"), ("ab", "bis"), ("desde", "hasta"), ("van", "tot")}
    | {("od", "do"), ("fra", "til"), ("gte", "lte"), ("gt", "lt"), ("minimum", "maximum")}
)
"""Pieces of names that tell the two ends."""
_says_amount = matcher(
    r"\b(?:min|max)\b|minim|maxim|at (?:least|most)|mindest|hochst|al menos|almeno",
    r"au (?:moins|plus)",
    r"не менее|не более|以上|以下|이상|이하",
)
_LEAST_RANGED = 3
"""Amounts that two lists must have in common to be the ends of one range."""


def ends_in(
    form: Form, meant: Sequence[Meaning], may_end: Callable[[int], bool]
) -> list[tuple[int, int]]:
    """Ranges by their words, then two neighbours that are as alike as two ends. Ways between two
    places are none: each is asked for alone."""
    found = [
        (pair.low, pair.high)
        for pair in pairs(form, meant)
        if may_end(pair.low) and may_end(pair.high) and not _is_way(form, pair)
    ]
    taken = {end for ends in found for end in ends}
    seen = [n for n, field in enumerate(form.fields) if field.kind != "hidden"]
    for low, high in pairwise(n for n in seen if may_end(n)):
        both = form.fields[low], form.fields[high]
        is_told = _are_ends(meant[low], meant[high]) and _are_neighbours(*both)
        if not taken & {low, high} and (is_told or _are_range(*both, meant[low])):
            found.append((low, high))
            taken |= {low, high}
    return sorted(found)


def _is_way(form: Form, pair: Pair) -> bool:
    """Whether a pair leads from one place to another: it speaks of no amounts."""
    texts = (control_text(form.fields[number]) for number in (pair.low, pair.high))
    return pair.kind == "place" and not any(map(_says_amount, texts))


def _are_ends(low: Meaning, high: Meaning) -> bool:
    """Whether two controls ask for the two ends of the same, whatever they are called."""
    return low.kind == high.kind != "place" and (low.end, high.end) == ("from", "to")


def _are_neighbours(low: Field, high: Field) -> bool:
    is_alike = low.kind == high.kind or (is_typed(low) and is_typed(high))
    return is_alike and high.position - low.position <= _NEAR


def _names_ends(low: Field, high: Field) -> bool:
    """Whether two names differ in nothing but the ends they tell: `from_issue`, `to_issue`."""
    names = spoken(low.name).split(), spoken(high.name).split()
    differing = [both for both in zip(*names, strict=False) if both[0] != both[1]]
    is_whole = len(names[0]) == len(names[1]) > 1
    return is_whole and len(differing) == 1 and differing[0] in _END_WORDS


def _are_range(low: Field, high: Field, meaning: Meaning) -> bool:
    if not _are_neighbours(low, high) or meaning.kind == "place":
        return False
    if _names_ends(low, high):
        return True
    return low.kind == high.kind and not _are_told_apart(low, high) and _offer_range(low, high)


def _are_told_apart(low: Field, high: Field) -> bool:
    """Whether both have labels, and these have no word in common."""
    labels = [split_words(f.label) if f.label_source != "name" else [] for f in (low, high)]
    return all(labels) and not {*labels[0]} & {*labels[1]}


def _offer_range(low: Field, high: Field) -> bool:
    """Whether two lists offer the same amounts, or two boxes take nothing but days."""
    if low.kind != "select":
        return low.kind in _DAYS
    lows, highs = ({o.value for o in real_choices(field)} for field in (low, high))
    both = lows & highs
    are_amounts = all(any(map(str.isdigit, value)) for value in both)
    return len(both) >= _LEAST_RANGED and 3 * len(both) >= 2 * len(lows | highs) and are_amounts
