"""What a survey's answers add up to: the probed interface, and its manners in words."""

from collections.abc import Mapping, Sequence

from msgspec import structs

from leadline.core.harvest import NOTHING, RECORD, REFUSED, RESULTS
from leadline.harvester.interface import Box, Interface
from leadline.harvester.survey.inquiry import Inquiry
from leadline.harvester.survey.manners import (
    EMPTY,
    NONSENSE,
    PURPOSES,
    SHORT,
    STOP_WORD,
    WORD,
    Manners,
    Surveyed,
    finds,
    refuses,
    size_of,
)

_SERIOUS = tuple(purpose for purpose in PURPOSES if purpose != NONSENSE)
"""What nonsense brings proves nothing."""
_SAID_OF_EMPTY = {
    RESULTS: "an empty query brings records",
    RECORD: "an empty query brings one record",
    NOTHING: "an empty query finds nothing",
    REFUSED: "an empty query is refused",
}
_SAID_OF_STOP_WORD = {
    RESULTS: "words that every text has are looked up",
    NOTHING: "words that every text has find nothing",
    REFUSED: "words that every text has are refused",
}


def surveyed(inquiry: Inquiry, templates: Mapping[str, bool]) -> Surveyed:
    """`templates`: by the first control of each, whether it brings different records."""
    interface = _probed(inquiry, [name for name, is_told in templates.items() if not is_told])
    pattern = _pattern(interface.patterns, inquiry)
    manners = Manners(
        is_executable=bool(inquiry.finding(*_SERIOUS)) or _is_answered(inquiry),
        pattern=pattern,
        empty=_kind(inquiry, EMPTY),
        stop_word=_kind(inquiry, STOP_WORD),
        informative=tuple(name for name, is_told in templates.items() if is_told),
        uninformative=tuple(name for name, is_told in templates.items() if not is_told),
        requests=inquiry.requests,
        is_blocked=bool(inquiry.blocked),
    )
    told = _told(inquiry, interface, manners)
    return Surveyed(interface, structs.replace(manners, told=told))


def _probed(inquiry: Inquiry, idle: Sequence[str]) -> Interface:
    interface = inquiry.interface
    return structs.replace(
        interface,
        boxes=tuple(box for box in _boxes(inquiry) if box.name not in idle),
        menus=tuple(menu for menu in interface.menus if menu.name not in idle),
        spans=tuple(span for span in interface.spans if span.low not in idle),
        fixed=tuple(sorted(inquiry.fixed.items())),
        min_length=_min_length(inquiry),
        takes_empty=_lists_everything(inquiry),
        words=_words(inquiry),
        patterns=_patterns(inquiry),
    )


def _boxes(inquiry: Inquiry) -> tuple[Box, ...]:
    boxes = inquiry.interface.boxes
    return boxes[1:] if _is_box_useless(inquiry) else boxes


def _is_box_useless(inquiry: Inquiry) -> bool:
    """Whether all that was typed into the main box was refused, though something else is not."""
    return inquiry.is_refused(WORD) and bool(inquiry.finding(*_SERIOUS))


def _patterns(inquiry: Inquiry) -> tuple[tuple[str, ...], ...]:
    """Sets of controls that found something, the smallest first, of these the box for words."""
    box = inquiry.main.name if inquiry.main else ""
    found = dict.fromkeys(
        tuple(sorted(name for name, value in values.items() if value))
        for values, _ in inquiry.finding(*_SERIOUS)
    )
    return tuple(sorted(filter(None, found), key=lambda names: (len(names), box not in names)))


def _pattern(patterns: Sequence[tuple[str, ...]], inquiry: Inquiry) -> tuple[str, ...]:
    """Together with what must be fixed beside it."""
    before = dict(inquiry.interface.fixed)
    needed = [name for name in inquiry.fixed if name not in before]
    return tuple(dict.fromkeys((*patterns[0], *needed))) if patterns else ()


def _is_answered(inquiry: Inquiry) -> bool:
    """Whether queries are looked up though nothing was found; nonsense proves nothing."""
    kinds = {answer.kind for values, answer in inquiry.answers(WORD)}
    return NOTHING in kinds


def _min_length(inquiry: Inquiry) -> int:
    refused = [
        len(text)
        for values, answer in inquiry.answers(SHORT)
        if refuses(answer)
        for text in values.values()
    ]
    return max(refused) + 1 if refused else inquiry.interface.min_length


def _lists_everything(inquiry: Inquiry) -> bool:
    """Whether the empty query finds at least as much as any word, and nothing else is needed."""
    if {*inquiry.fixed} != {name for name, _ in inquiry.interface.fixed}:
        return False
    found = [size_of(answer) for _, answer in inquiry.finding(EMPTY)]
    others = [size_of(answer) for _, answer in inquiry.finding(WORD)]
    return bool(found) and found[0] >= max(others, default=1)


def _words(inquiry: Inquiry) -> tuple[str, ...]:
    """Those that found most first, then those not asked; without those that found nothing."""
    box = inquiry.main
    if box is None:
        return inquiry.interface.words
    found = [values[box.name] for values, _ in inquiry.finding(WORD, STOP_WORD)]
    asked = {values.get(box.name, "") for values, _ in inquiry.answers() if box.name in values}
    rest = [word for word in inquiry.interface.words if word not in asked]
    return tuple(dict.fromkeys([*found, *rest]))


def _kind(inquiry: Inquiry, purpose: str) -> str:
    return next((answer.kind for _, answer in inquiry.answers(purpose)), "")


def _told(inquiry: Inquiry, interface: Interface, manners: Manners) -> tuple[str, ...]:
    empty = _SAID_OF_EMPTY.get(manners.empty, "")
    if interface.takes_empty:
        empty = "an empty query lists everything"
    needed = sorted({*inquiry.fixed} - {name for name, _ in inquiry.interface.fixed})
    said = (
        f"kept out: {inquiry.blocked}" if inquiry.blocked else "",
        _said_of_pattern(manners),
        f"{', '.join(map(repr, needed))} must be filled in as well" if needed else "",
        "nonsense brings records too"
        if any(finds(a) for _, a in inquiry.answers(NONSENSE))
        else "",
        empty,
        _SAID_OF_STOP_WORD.get(manners.stop_word, ""),
        f"words need {interface.min_length} letters" if interface.min_length else "",
        *(f"the choices of {name!r} get different answers" for name in manners.informative),
        *(f"{name!r} brings no other records" for name in manners.uninformative),
    )
    return tuple(filter(None, said))


def _said_of_pattern(manners: Manners) -> str:
    if manners.pattern:
        return f"records come back when {' and '.join(map(repr, manners.pattern))} is filled in"
    if manners.is_executable:
        return "queries are looked up, but none has found anything"
    return "no set of controls that was tried is answered"
