"""What a policy is told of a lab form: what probing a real one would find out."""

from leadline.harvester.interface import Box, Interface, Menu, MenuChoice, Span
from leadline.page.words import split_words
from leadline_lab.databases import EVERYWHERE, Source
from leadline_lab.draw import key_of, numbers
from leadline_lab.interfaces import SearchForm
from leadline_lab.language import topic_urn
from leadline_lab.markup.model import Control

_PAGE_WORDS = 24
"""Of a form's page that a crawler would try first."""
_WORDS_FIRST = ("title", "text", "person", "place", "category")
_LISTS = ("select", "radio")


def interface_of(source: Source, form: SearchForm) -> Interface:
    """Boxes, menus and spans under the names and labels that the form gives them."""
    controls = {control.name: control for control in form.model.controls}
    bound = {name: to for name, to in form.bound.items() if name in controls}
    spans = _spans(bound, controls)
    ends = {end for span in spans for end in (span.low, span.high)}
    alone = [name for name in bound if name not in ends]
    kinds = {a.name: a.kind for a in source.schema.attributes} | {EVERYWHERE: ""}
    boxes = [
        Box(name, _label(controls[name]), kinds[bound[name].partition(":")[0]])
        for name in alone
        if not controls[name].options and controls[name].kind != "checkbox"
    ]
    behaviour = source.behaviour
    return Interface(
        boxes=tuple(sorted(boxes, key=_order)),
        menus=tuple(_menu(controls[name]) for name in alone if _is_menu(controls[name])),
        spans=spans,
        min_length=behaviour.min_length,
        takes_empty=behaviour.empty_query == "all",
        words=_page_words(source, form),
        language=source.language,
    )


def _order(box: Box) -> int:
    """The box for anything first, then those for words, then those for numbers and codes."""
    if not box.meaning:
        return -1
    return _WORDS_FIRST.index(box.meaning) if box.meaning in _WORDS_FIRST else len(_WORDS_FIRST)


def _label(control: Control) -> str:
    """What stands beside the control or inside it."""
    return control.label or control.placeholder


def _is_menu(control: Control) -> bool:
    return bool(control.options) or control.kind == "checkbox"


def _menu(control: Control) -> Menu:
    if control.kind == "checkbox":
        return Menu(control.name, (MenuChoice(control.value, control.value),), _label(control))
    choices = tuple(MenuChoice(value, text) for value, text in control.options[1:])
    return Menu(control.name, choices, _label(control))


def _spans(bound: dict[str, str], controls: dict[str, Control]) -> tuple[Span, ...]:
    high_of = {to.removesuffix(":max"): name for name, to in bound.items() if to.endswith(":max")}
    spans = []
    for low, to in bound.items():
        high = high_of.get(to.removesuffix(":min")) if to.endswith(":min") else None
        if high:
            lows, highs = _rising(controls[low]), _rising(controls[high])
            spans.append(Span(low, high, lows, highs, _label(controls[low])))
    return tuple(spans)


def _rising(control: Control) -> tuple[str, ...]:
    offered = [value for value, _ in control.options[1:]] if control.kind in _LISTS else []
    return tuple(sorted(offered, key=lambda value: (len(value), value)))


def _page_words(source: Source, form: SearchForm) -> tuple[str, ...]:
    """Words of the labels, and some that the site writes about its topic."""
    labels = [_label(control) for control in form.model.controls]
    drawn = topic_urn(source.schema.domain).take(
        numbers(key_of(source.key, "page words"), _PAGE_WORDS)
    )
    found = split_words(" ".join((*drawn, *labels)))
    return tuple(dict.fromkeys(word for word in found if len(word) > 2))
