"""How a source takes queries, learned by asking as little as possible.

The survey is a generator: it yields a probe, is sent the answer, and returns what it learned. The
same answers in the same order lead to the same questions, so one that was interrupted is taken up
by sending it the answers once more. In order:

1. two nonsense strings: how the source says that it found nothing;
2. two or three words of its own page;
3. the empty query; where that brings nothing, a word that every text has;
4. if words brought nothing: a word of a record that something else brought; further controls,
   until some set of them is answered (the minimum executable pattern of Liu et al. 2009), what a
   refusing box may lack first; further words;
5. where the empty query is refused, how short a query may be;
6. whether menus and ranges change the answer (templates, Madhavan et al. 2008);
7. whether what changes it brings other records, or only another order of them.

A lone box that finds something takes five or six requests.
"""

from collections.abc import Generator, Iterator, Sequence
from itertools import chain

from msgspec import Struct, structs

from leadline.core.harvest import Answer, Record
from leadline.forms.query import nonsense
from leadline.harvester.interface import Interface, Menu
from leadline.harvester.survey.arranging import Found, idle_boxes, idle_menus
from leadline.harvester.survey.findings import surveyed
from leadline.harvester.survey.inquiry import Inquiry
from leadline.harvester.survey.manners import (
    EMPTY,
    NONSENSE,
    PATTERN,
    SHORT,
    STOP_WORD,
    TEMPLATE,
    WORD,
    Probe,
    Surveyed,
    Values,
    finds,
    refuses,
)
from leadline.harvester.survey.samples import (
    empty_span,
    parts_of,
    stop_word,
    values_for,
    whole_span,
)
from leadline.harvester.survey.templates import Distinctness, spread
from leadline.page.words import split_words

Steps = Generator[Probe, Answer, None]
"""Part of a survey."""


class SurveyLimits(Struct, frozen=True):
    """What a survey may spend."""

    requests: int = 60
    """In all. Madhavan et al. found 100 to 500 submissions a form enough, for templates alone."""
    patterns: int = 16
    """Sets of controls tried until one is answered."""
    template: int = 6
    """Submissions of one template: the least number at which one answer to all is below 0.2."""
    templates: int = 3
    """Templates tried where words find something; where they do not, all are."""


_DEFAULTS = SurveyLimits()
_TRIED = 4
"""Controls of one kind that are tried to find a pattern."""
_FURTHER_WORDS = 8
"""Tried after all else: a source whose page says nothing of what it holds is found by chance."""
_SHORTEST = 2
_LEAST_WORD_CHARS = 4


def survey(
    interface: Interface, key: str, language: str = "", limits: SurveyLimits = _DEFAULTS
) -> Generator[Probe, Answer, Surveyed]:
    """Asks what is described. `key` makes the nonsense, the same for the same form; `language`
    is that of the form's page."""
    words = interface.words or tuple(filter(None, [stop_word(language)]))
    inquiry = Inquiry(structs.replace(interface, words=words), key, limits.requests)
    yield from _nonsense(inquiry)
    yield from _words(inquiry)
    yield from _empty(inquiry, language)
    if not inquiry.finding(WORD):
        yield from _known_word(inquiry)
    if not inquiry.finding(WORD):
        yield from _patterns(inquiry, limits.patterns)
    yield from _shortest(inquiry)
    templates = yield from _templates(inquiry, limits)
    idle = yield from _idle(inquiry, templates)
    return surveyed(inquiry, templates | dict.fromkeys(sorted(idle), False))


def _nonsense(inquiry: Inquiry) -> Steps:
    """Two strings; of a form without boxes a range that ends before it begins."""
    box = inquiry.main
    if box is None:
        strange = [empty_span(span) for span in inquiry.interface.spans[:2]]
    else:
        strange = [{box.name: nonsense(inquiry.key, turn, box.max_length)} for turn in range(2)]
    for values in filter(None, strange):
        yield from inquiry.ask(NONSENSE, values)


def _words(inquiry: Inquiry) -> Steps:
    """Two; a third when neither found anything."""
    box = inquiry.main
    if box is None:
        return
    for turn, word in enumerate(values_for(box, inquiry.interface.words)[:3]):
        if turn < 2 or not inquiry.finding(WORD):
            yield from inquiry.ask(WORD, {box.name: word})


def _patterns(inquiry: Inquiry, most: int) -> Steps:
    """Sets of controls by turns until one finds something; then the box with what it found."""
    for turn, values in enumerate(_sets_of_controls(inquiry)):
        if turn >= most or inquiry.is_over:
            return
        answer = yield from inquiry.ask(PATTERN, values)
        if finds(answer) and answer is not None:
            yield from _box_again(inquiry, values, answer)
            return


def _sets_of_controls(inquiry: Inquiry) -> Iterator[Values]:
    """Few controls before many; what a refusing box may lack first."""
    interface, box = inquiry.interface, inquiry.main
    words = values_for(box, interface.words) if box else []
    chosen = [{menu.name: menu.choices[0].value} for menu in interface.menus if menu.choices]
    others = [
        {other.name: value}
        for other in interface.boxes[1 : _TRIED + 1]
        for value in values_for(other, interface.words)[:1]
    ]
    together = {name: value for one in chosen for name, value in one.items()}
    if box and words and inquiry.is_refused(WORD):
        typed = {box.name: words[0]}
        for further in (*chosen[:_TRIED], *others):
            yield {**typed, **further}
        yield {**typed, **together}
    spans = filter(None, map(whole_span, interface.spans[:_TRIED]))
    yield from chain(chosen[:_TRIED], others, spans)
    if len(together) > 1:
        yield together
    if box:
        yield from ({box.name: word} for word in words[3 : 3 + _FURTHER_WORDS])


def _box_again(inquiry: Inquiry, values: Values, answer: Answer) -> Steps:
    """Asks the box for a word of a record, alone and beside what brought the record. What the box
    lacks goes into every further query, and nonsense is asked once more with it."""
    box = inquiry.main
    known = {*values.values()}
    word = next((word for word in words_of(answer.records) if word not in known), "")
    if box is None or not word:
        return
    lacking = {name: value for name, value in values.items() if name != box.name}
    if box.name not in values:
        alone = yield from inquiry.ask(WORD, {box.name: word})
        beside = (
            None if finds(alone) else (yield from inquiry.ask(PATTERN, {box.name: word, **lacking}))
        )
        lacking = lacking if finds(beside) else {}
    if lacking:
        inquiry.fixed |= lacking
        yield from _nonsense(inquiry)
        yield from inquiry.ask(WORD, {box.name: word})


def words_of(records: Sequence[Record]) -> Iterator[str]:
    """Longer words of records, in their order."""
    for record in records:
        for text in (record.title, *(cell.text for cell in record.cells)):
            yield from (w for w in split_words(text) if len(w) >= _LEAST_WORD_CHARS and w.isalpha())


def _empty(inquiry: Inquiry, language: str) -> Steps:
    box = inquiry.main
    answer = yield from inquiry.ask(EMPTY, {box.name: ""} if box else {})
    word = stop_word(language)
    if word and box and not finds(answer):
        yield from inquiry.ask(STOP_WORD, {box.name: word})


def _known_word(inquiry: Inquiry) -> Steps:
    """A word of what the source showed for something else."""
    box = inquiry.main
    shown = (answer.records for _, answer in inquiry.finding(EMPTY, STOP_WORD))
    word = next((word for records in shown for word in words_of(records)), "")
    if box is not None and word:
        yield from inquiry.ask(WORD, {box.name: word})


def _shortest(inquiry: Inquiry) -> Steps:
    """Where nothing is too short, how long is long enough: beginnings of a word that is known to
    find something, two letters and more."""
    found = inquiry.finding(WORD)
    box = inquiry.main
    if box is None or not found or not inquiry.is_refused(EMPTY):
        return
    word = min((values[box.name] for values, _ in found), key=len)
    for length in range(_SHORTEST, len(word)):
        answer = yield from inquiry.ask(SHORT, {box.name: word[:length]})
        if not refuses(answer):
            return


def _templates(inquiry: Inquiry, limits: SurveyLimits) -> Generator[Probe, Answer, dict[str, bool]]:
    """By the first of each template's controls, whether it is informative."""
    found: dict[str, bool] = {}
    most = limits.templates if inquiry.finding(WORD) else limits.requests
    for name, submissions in _submissions(inquiry.interface)[:most]:
        distinct = Distinctness(min(limits.template, len(submissions)))
        for values in spread(submissions, limits.template):
            answer = yield from inquiry.ask(TEMPLATE, values)
            if answer is None or refuses(answer):
                break
            distinct.add(answer)
            if distinct.verdict is not None:
                found[name] = distinct.verdict
                break
    return found


def _idle(inquiry: Inquiry, templates: dict[str, bool]) -> Found:
    """Controls besides those known to be idle that bring no other records."""
    menus = [menu for menu in inquiry.interface.menus if templates.get(menu.name, True)]
    return (yield from idle_menus(inquiry, menus)) | (yield from idle_boxes(inquiry))


def _submissions(interface: Interface) -> list[tuple[str, list[Values]]]:
    """What would be sent of each menu and range that offers several things."""
    menus = [(menu.name, _choices(menu)) for menu in interface.menus]
    spans = [(span.low, parts_of(span)) for span in interface.spans]
    return [(name, submissions) for name, submissions in (*menus, *spans) if len(submissions) > 1]


def _choices(menu: Menu) -> list[Values]:
    return [{menu.name: choice.value} for choice in menu.choices]
