"""Controls that bring no other records: they put the answer into another order or shape, or are
passed over unless something else is filled in.

No words tell this in all languages, answers do: the same records for a word with a choice of the
menu and without it, or, where an answer has many pages, the same exact total. A box beside the
main one is passed over where nonsense in it gets what the empty query gets.
"""

from collections.abc import Generator, Mapping, Sequence

from leadline.core.harvest import NOTHING, Answer
from leadline.forms.query import nonsense
from leadline.harvester.interface import Menu
from leadline.harvester.survey.inquiry import Inquiry
from leadline.harvester.survey.manners import ARRANGING, EMPTY, TEMPLATE, WORD, Probe, finds

Found = Generator[Probe, Answer, set[str]]
"""Asks, and returns the names of the controls that bring no other records."""
_LEAST = 3
"""Records of an answer that a menu is tried on: fewer may all fall under any choice."""
_MOST_MENUS = 8
_MOST_BOXES = 3


def idle_menus(inquiry: Inquiry, menus: Sequence[Menu]) -> Found:
    """Two requests for each that only arranges, one for others, none where it was seen before."""
    base = _base(inquiry)
    found: set[str] = set()
    if base is None:
        return found
    for menu in [menu for menu in menus if not _narrows(inquiry, menu)][:_MOST_MENUS]:
        if (yield from _arranges(inquiry, base, menu)):
            found.add(menu.name)
    return found


def idle_boxes(inquiry: Inquiry) -> Found:
    """One request for each box beside the main one, where the empty query brings records."""
    found: set[str] = set()
    empty = next(iter(inquiry.finding(EMPTY)), None)
    if empty is None:
        return found
    for box in inquiry.interface.boxes[1 : _MOST_BOXES + 1]:
        strange = nonsense(inquiry.key, 0, box.max_length)
        answer = yield from inquiry.ask(ARRANGING, {box.name: strange})
        if answer is not None and are_same(empty[1], answer):
            found.add(box.name)
    return found


def _base(inquiry: Inquiry) -> tuple[Mapping[str, str], Answer] | None:
    """The smallest answer that can be compared: one whole page, else an exact total."""
    answers = [(v, a) for v, a in inquiry.finding(WORD, EMPTY) if len(a.records) >= _LEAST]
    whole = [(values, answer) for values, answer in answers if _is_whole(answer)]
    counted = [(values, answer) for values, answer in answers if _counted(answer)]
    return next(reversed(whole or counted), None)


def _arranges(
    inquiry: Inquiry, base: tuple[Mapping[str, str], Answer], menu: Menu
) -> Generator[Probe, Answer, bool]:
    values, before = base
    filled = {name: value for name, value in values.items() if value}
    for choice in dict.fromkeys((menu.choices[0], menu.choices[-1])) if menu.choices else ():
        answer = yield from inquiry.ask(ARRANGING, {**filled, menu.name: choice.value})
        if answer is None or not are_same(before, answer):
            return False
    return bool(menu.choices)


def _narrows(inquiry: Inquiry, menu: Menu) -> bool:
    """Whether its choices alone found different numbers of records, or one of them nothing."""
    alone = [a for values, a in inquiry.answers(TEMPLATE) if [*values] == [menu.name]]
    totals = {answer.total for answer in alone if _counted(answer)}
    is_mixed = any(map(finds, alone)) and any(answer.kind == NOTHING for answer in alone)
    return len(totals) > 1 or is_mixed


def are_same(one: Answer, other: Answer) -> bool:
    """Whether two answers are known to have the same records, in whatever order."""
    if not finds(one) or not finds(other):
        return False
    are_alike = {record.key for record in one.records} == {record.key for record in other.records}
    if _is_whole(one) and _is_whole(other):
        return are_alike
    # A first page of many that stays as it is, in whatever order, was hardly narrowed.
    is_first_kept = are_alike and len(one.records) >= _LEAST
    is_exact = _counted(one) and _counted(other)
    return one.total == other.total and (is_exact or is_first_kept)


def _is_whole(answer: Answer) -> bool:
    return answer.turn is None and (answer.total or 0) <= len(answer.records)


def _counted(answer: Answer) -> bool:
    return answer.is_total_exact and finds(answer)
