"""How a source takes queries, learned by asking as little as possible.

The survey is a generator: it yields a probe, is sent the answer, and returns what it learned. The
same answers in the same order lead to the same questions, so a survey that was interrupted is
resumed by sending it the answers once more. In order:

1. two nonsense strings: how the source says that it found nothing;
2. a word of its own page;
3. the empty query; if that brings nothing, a word that every text has; unless it lists everything,
   one or two further words of the page, and what matches most records where parts of words or
   wildcards do: the most frequent letter, and `*`;
4. if words brought nothing: a word of a record that something else brought; further controls,
   until some set of them is answered (the minimum executable pattern of Liu et al. 2009), what a
   refusing box may lack first; further words;
5. if the empty query is refused, how short a query may be;
6. unless the empty query lists everything, page by page: whether menus and ranges change the
   answer (templates, Madhavan et al. 2008);
7. whether what changes it brings other records, or only another order of them.

A lone box that finds something takes four to eight requests.
"""

from collections import Counter
from collections.abc import Generator, Hashable, Iterator, Mapping, Sequence
from itertools import chain
from math import comb
from typing import TypeVar

from msgspec import Struct, structs

from leadline.core.harvest import NOTHING, Answer, Record
from leadline.forms.query import make_nonsense
from leadline.harvester.interface import Box, Interface, Menu, Span
from leadline.harvester.survey.results import (
    ARRANGING,
    BROAD,
    EMPTY,
    NONSENSE,
    PATTERN,
    SHORT,
    STOP_WORD,
    TEMPLATE,
    WORD,
    ProbeAnswer,
    SurveyLog,
    SurveyProbe,
    SurveyResult,
    Values,
    count_matches,
    has_records,
    is_refusal,
    lists_everything,
    summarize_survey,
)
from leadline.page.words import split_words

T = TypeVar("T")
IdleSteps = Generator[SurveyProbe, Answer, set[str]]
"""Asks, and returns the names of the controls that bring no other records."""
SurveySteps = Generator[SurveyProbe, Answer, None]
"""Part of a survey."""

_SAMPLES: dict[str, tuple[str, ...]] = {
    "year": ("2015", "2008", "2001"),
    "number": ("1", "2", "10"),
    "price": ("100", "20", "500"),
    "date": ("2015-06-01", "2020-01-01"),
    "person": ("smith", "martin", "garcia"),
    "place:city": ("london", "paris", "berlin"),
    "place:country": ("france", "germany", "spain"),
    "place:region": ("california", "bayern", "ontario"),
    "place:zip": ("10001", "10115", "75001"),
    "place": ("london", "paris", "berlin"),
}
"""Common ones, by meaning; those of other boxes are words."""
_SPANS: dict[str, tuple[str, str]] = {
    "year": ("1900", "2100"),
    "number": ("0", "1000000"),
    "price": ("0", "1000000"),
    "date": ("1900-01-01", "2099-12-31"),
}
"""Wide enough to hold everything."""
_FAR: dict[str, tuple[tuple[str, str], ...]] = {
    "year": (("2198", "2199"), ("2196", "2197")),
    "number": (("8999998", "8999999"), ("8999996", "8999997")),
    "price": (("8999998", "8999999"), ("8999996", "8999997")),
    "date": (("2198-01-01", "2198-01-02"), ("2199-01-01", "2199-01-02")),
}
"""Ranges in which nothing lies."""
_STOP_WORDS = dict(
    line.split()
    for line in """
    en the|de der|fr les|es los|it che|pt para|nl het|sv och|da det|no det|fi ja|pl nie|cs jako
    |sk ako|hu hogy|ro pentru|tr bir|ru что|uk що|bg за|el και|hr kao|sl kot|id yang|vi các
    |ca els|et ning|lt kad|lv kas|he של|ar في|fa که
    """.replace("\n", "").split("|")
)
"""One word for each language that nearly every longer text has."""
LEAST_DISTINCT = 0.2
"""The paper's threshold."""
SURE = 0.95
"""Probability from which no more is asked."""
_LEAST_RECORDS = 3
"""Records of an answer that a menu is tried on: fewer may all fall under any choice."""
_MOST_MENUS = 8
_MOST_BOXES = 3
"""Menus, and boxes beside the main one, that are tried for bringing no other records."""
_ALIKE = 2
"""Choices far apart that get what no choice at all gets, after which a menu is taken not to narrow:
the evidence that is asked of menus beside a word, too."""
_TRIED = 4
"""Controls of one kind that are tried to find a pattern."""
_FURTHER_WORDS = 8
"""Words tried after all else: if its page says nothing about what a source holds, chance has to."""
_WILDCARD = "*"
"""Of Lucene and its kin, of Sphinx, of most search boxes that have one."""
_READ_WORDS = 200
"""Of a record, for the letters that it has."""
_SHORTEST = 2
"""Letters of the shortest word that is tried."""
_LEAST_WORD_CHARS = 4
"""Letters of words that are taken from records: shorter ones may be stop words."""


class SurveyLimits(Struct, frozen=True):
    """What a survey may spend."""

    requests: int = 60
    """In all. Madhavan et al. found 100 to 500 submissions a form enough, for templates alone."""
    patterns: int = 16
    """Sets of controls tried until one is answered."""
    template: int = 6
    """Submissions of one template: the least number at which one answer to all is below 0.2."""
    templates: int = 3
    """Templates tried if words find something; if they do not, all are."""


_DEFAULTS = SurveyLimits()


def survey_source(
    interface: Interface, key: str, language: str = "", limits: SurveyLimits = _DEFAULTS
) -> Generator[SurveyProbe, Answer, SurveyResult]:
    """Surveys what the interface describes. `key` makes the nonsense, the same for the same form;
    `language` is that of the form's page."""
    words = interface.words or tuple(filter(None, [stop_word(language)]))
    log = SurveyLog(structs.replace(interface, words=words), key, limits.requests)
    yield from _ask_nonsense(log)
    yield from _ask_words(log, 1)
    yield from _ask_empty(log, language)
    if not lists_everything(log):
        yield from _ask_words(log, 3)
        yield from _ask_broad_queries(log)
    if not log.find_answers(WORD):
        yield from _ask_known_word(log)
    if not log.find_answers(WORD):
        yield from _ask_patterns(log, limits.patterns)
    yield from _ask_short_words(log)
    if _is_listing_begun(log):
        # Whoever reads on needs no menus, unless a cap shows up; then they are told by what they
        # bring.
        ignored = yield from find_idle_boxes(log)
        return summarize_survey(log, dict.fromkeys(sorted(ignored), False))
    templates = yield from _ask_templates(log, limits)
    idle = yield from _ask_idle_controls(log, templates)
    return summarize_survey(log, templates | dict.fromkeys(sorted(idle), False))


def _is_listing_begun(log: SurveyLog) -> bool:
    """Whether the empty query lists everything, page by page."""
    is_paged = any(answer.next_page is not None for _, answer in log.find_answers(EMPTY))
    return is_paged and lists_everything(log)


def _ask_nonsense(log: SurveyLog) -> SurveySteps:
    """Two strings; of a form without boxes ranges that nothing can lie in."""
    box = log.main
    if box is None:
        spans = log.interface.spans[:2]
        strange = [empty_range(span) for span in spans]
        strange += [{span.low: low, span.high: high} for span in spans for low, high in _far(span)]
    else:
        strange = [{box.name: make_nonsense(log.key, turn, box.max_length)} for turn in range(2)]
    for values in filter(None, strange):
        yield from log.ask(NONSENSE, values)


def _ask_words(log: SurveyLog, most: int) -> SurveySteps:
    """Two; a third when neither found anything."""
    box = log.main
    if box is None:
        return
    for turn, word in enumerate(choose_values(box, log.interface.words)[:most]):
        if turn < 2 or not log.find_answers(WORD):
            yield from log.ask(WORD, {box.name: word})


def _ask_broad_queries(log: SurveyLog) -> SurveySteps:
    """What matches most records of a source that looks for parts of words, or takes wildcards: one
    request each until one finds as much as any word. Whoever reads on has the source without
    guessing its words."""
    box = log.main
    letter = common_letters(log.find_answers(WORD, STOP_WORD), 1)
    if box is None or not letter:
        return
    # Where nothing is refused as too short, a letter is: how short a query may be is asked next.
    for value in (_WILDCARD,) if log.is_refused(EMPTY) else (letter, _WILDCARD):
        answer = yield from log.ask(BROAD, {box.name: value})
        most = max(count_matches(other) for _, other in log.find_answers(WORD, STOP_WORD))
        if answer is not None and has_records(answer) and count_matches(answer) >= most:
            return


def common_letters(shown: Sequence[ProbeAnswer], length: int) -> str:
    """The run of so many letters that most of the records shown have; '' if too few were."""
    texts = {
        record.key: " ".join((record.title, *(cell.text for cell in record.cells))).lower()
        for _, answer in shown
        for record in answer.records
    }
    if len(texts) < _LEAST_RECORDS:
        return ""
    counts: Counter[str] = Counter()
    for text in texts.values():
        runs = {
            word[at : at + length]
            for word in split_words(text)[:_READ_WORDS]
            for at in range(len(word) - length + 1)
        }
        counts.update(run for run in runs if run.isalpha())
    return min(counts, key=lambda run: (-counts[run], run), default="")


def _ask_patterns(log: SurveyLog, most: int) -> SurveySteps:
    """Sets of controls by turns until one finds something; then the box with what it found."""
    for turn, values in enumerate(_list_patterns(log)):
        if turn >= most or log.is_over:
            return
        answer = yield from log.ask(PATTERN, values)
        if has_records(answer) and answer is not None:
            yield from _ask_box_again(log, values, answer)
            return


def _list_patterns(log: SurveyLog) -> Iterator[Values]:
    """Few controls before many; what a refusing box may lack first."""
    interface, box = log.interface, log.main
    words = choose_values(box, interface.words) if box else []
    chosen = [{menu.name: menu.choices[0].value} for menu in interface.menus if menu.choices]
    others = [
        {other.name: value}
        for other in interface.boxes[1 : _TRIED + 1]
        for value in choose_values(other, interface.words)[:1]
    ]
    together = {name: value for one in chosen for name, value in one.items()}
    if box and words and log.is_refused(WORD):
        typed = {box.name: words[0]}
        for further in (*chosen[:_TRIED], *others):
            yield {**typed, **further}
        yield {**typed, **together}
    spans = filter(None, map(widest_range, interface.spans[:_TRIED]))
    yield from chain(chosen[:_TRIED], others, spans)
    if len(together) > 1:
        yield together
    if box:
        yield from ({box.name: word} for word in words[3 : 3 + _FURTHER_WORDS])


def _ask_box_again(log: SurveyLog, values: Values, answer: Answer) -> SurveySteps:
    """Asks the box for a word of a record, alone and beside what brought the record. What the box
    lacks goes into every further query, and nonsense is asked once more with it."""
    box = log.main
    known = {*values.values()}
    word = next((word for word in record_words(answer.records) if word not in known), "")
    if box is None or not word:
        return
    lacking = {name: value for name, value in values.items() if name != box.name}
    if box.name not in values:
        alone = yield from log.ask(WORD, {box.name: word})
        beside = (
            None
            if has_records(alone)
            else (yield from log.ask(PATTERN, {box.name: word, **lacking}))
        )
        lacking = lacking if has_records(beside) else {}
    if lacking:
        log.fixed |= lacking
        yield from _ask_nonsense(log)
        yield from log.ask(WORD, {box.name: word})


def record_words(records: Sequence[Record]) -> Iterator[str]:
    """Longer words of records, in their order."""
    for record in records:
        for text in (record.title, *(cell.text for cell in record.cells)):
            yield from (w for w in split_words(text) if len(w) >= _LEAST_WORD_CHARS and w.isalpha())


def _ask_empty(log: SurveyLog, language: str) -> SurveySteps:
    box = log.main
    answer = yield from log.ask(EMPTY, {box.name: ""} if box else {})
    word = stop_word(language)
    if word and box and not has_records(answer):
        yield from log.ask(STOP_WORD, {box.name: word})


def _ask_known_word(log: SurveyLog) -> SurveySteps:
    """A word of what the source showed for something else."""
    box = log.main
    shown = (answer.records for _, answer in log.find_answers(EMPTY, STOP_WORD))
    word = next((word for records in shown for word in record_words(records)), "")
    if box is not None and word:
        yield from log.ask(WORD, {box.name: word})


def _ask_short_words(log: SurveyLog) -> SurveySteps:
    """Where nothing is too short, how long is long enough: two letters that most records have, and
    longer beginnings of a word that is known to find something."""
    found = log.find_answers(WORD)
    box = log.main
    if box is None or not found or not log.is_refused(EMPTY):
        return
    word = min((values[box.name] for values, _ in found), key=len)
    for length in range(_SHORTEST, len(word)):
        # If parts of words are found, those of most records bring more than others.
        part = common_letters(found, length) if length == _SHORTEST else ""
        answer = yield from log.ask(SHORT, {box.name: part or word[:length]})
        if not is_refusal(answer):
            return


def _ask_templates(
    log: SurveyLog, limits: SurveyLimits
) -> Generator[SurveyProbe, Answer, dict[str, bool]]:
    """By the first of each template's controls, whether it is informative."""
    found: dict[str, bool] = {}
    most = limits.templates if log.find_answers(WORD) else limits.requests
    everything = next((answer for _, answer in log.find_answers(EMPTY)), None)
    for name, submissions in _list_submissions(log.interface)[:most]:
        distinct = Distinctness(min(limits.template, len(submissions)))
        alike = 0
        for values in spread_out(submissions, limits.template):
            answer = yield from log.ask(TEMPLATE, values)
            if answer is None or is_refusal(answer):
                break
            alike += everything is not None and are_same(everything, answer)
            if alike == _ALIKE:
                found[name] = False
                break
            distinct.add(answer)
            if distinct.verdict is not None:
                found[name] = distinct.verdict
                break
    return found


def _ask_idle_controls(log: SurveyLog, templates: dict[str, bool]) -> IdleSteps:
    """Controls besides those known to be idle that bring no other records."""
    menus = [menu for menu in log.interface.menus if templates.get(menu.name, True)]
    return (yield from find_idle_menus(log, menus)) | (yield from find_idle_boxes(log))


def _list_submissions(interface: Interface) -> list[tuple[str, list[Values]]]:
    """What would be sent of each menu and range that offers several things."""
    menus = [(menu.name, _menu_submissions(menu)) for menu in interface.menus]
    spans = [(span.low, range_halves(span)) for span in interface.spans]
    return [(name, submissions) for name, submissions in (*menus, *spans) if len(submissions) > 1]


def _menu_submissions(menu: Menu) -> list[Values]:
    return [{menu.name: choice.value} for choice in menu.choices]


class Distinctness:
    """Counts how many of the answers to one template differ: whether its choices are worth asking.

    Madhavan, Ko, Kot, Ganapathy, Rasmussen, Halevy, "Google's Deep-Web crawl" (PVLDB 2008): a query
    template, that is a set of controls to fill, is informative if the answers to its submissions
    are distinct in at least a fifth of the cases.

    Departures: submissions are judged one after the other, so that two different answers mostly
    suffice; answers are told apart by their records instead of a signature of the page's text; a
    refusal counts as no answer at all.
    """

    def __init__(self, most: int) -> None:
        """After `most` answers the share decides alone."""
        self._most = most
        self._seen: set[Hashable] = set()
        self._answers = 0

    def add(self, answer: Answer) -> None:
        self._answers += 1
        self._seen.add(answer_signature(answer))

    @property
    def verdict(self) -> bool | None:
        """None while it is undecided. One and the same answer to all is never informative."""
        if self._answers >= self._most:
            return len(self._seen) > 1 and len(self._seen) >= LEAST_DISTINCT * self._answers
        chance = chance_of_distinct(len(self._seen) - 1, self._answers - len(self._seen))
        if self._answers < 2 or 1 - SURE < chance < SURE:
            return None
        return chance >= SURE


def answer_signature(answer: Answer) -> Hashable:
    """Equal for answers with the same records, in whatever order."""
    return frozenset(record.key for record in answer.records) or answer.kind


def chance_of_distinct(fresh: int, repeated: int, least: float = LEAST_DISTINCT) -> float:
    """The chance that at least this share of further answers is new, if all shares were equally
    likely before the first.

    The upper tail of a Beta distribution with whole parameters, which is a sum of binomials.

    >>> round(chance_of_distinct(1, 0), 2), round(chance_of_distinct(0, 5), 2)
    (0.96, 0.26)
    """
    n = fresh + repeated + 1
    return sum(comb(n, k) * least**k * (1 - least) ** (n - k) for k in range(fresh + 1))


def spread_out(things: Sequence[T], most: int) -> list[T]:
    """Up to `most` of them, far from each other first: the first, the last, the middle ..."""
    if len(things) <= 2:
        return list(things[:most])
    places = [0, len(things) - 1]
    step = len(things)
    while len(places) < min(most, len(things)) and step > 1:
        step = (step + 1) // 2
        places += [place for place in range(step, len(things), step) if place not in places]
    return [things[place] for place in places[:most]]


def find_idle_menus(log: SurveyLog, menus: Sequence[Menu]) -> IdleSteps:
    """Menus that only put the answer into another order or shape.

    No words tell this in all languages, answers do: the same records for a word with a choice of
    the menu and without it, or, if an answer has many pages, the same exact total. Takes two
    requests for each menu that only arranges, one for others, none if it was seen before.
    """
    base = _choose_base(log)
    found: set[str] = set()
    if base is None:
        return found
    for menu in [menu for menu in menus if not _is_narrowing(log, menu)][:_MOST_MENUS]:
        if (yield from _only_arranges(log, base, menu)):
            found.add(menu.name)
    return found


def find_idle_boxes(log: SurveyLog) -> IdleSteps:
    """Boxes that are ignored unless something else is filled in: nonsense in them gets what the
    empty query gets. One request for each box beside the main one, if the empty query brings
    records."""
    found: set[str] = set()
    empty = next(iter(log.find_answers(EMPTY)), None)
    if empty is None:
        return found
    for box in log.interface.boxes[1 : _MOST_BOXES + 1]:
        strange = make_nonsense(log.key, 0, box.max_length)
        answer = yield from log.ask(ARRANGING, {box.name: strange})
        if answer is not None and are_same(empty[1], answer):
            found.add(box.name)
    return found


def _choose_base(log: SurveyLog) -> tuple[Mapping[str, str], Answer] | None:
    """The smallest answer that can be compared: one whole page, else an exact total."""
    answers = [(v, a) for v, a in log.find_answers(WORD, EMPTY) if len(a.records) >= _LEAST_RECORDS]
    whole = [(values, answer) for values, answer in answers if _is_whole(answer)]
    counted = [(values, answer) for values, answer in answers if _has_exact_total(answer)]
    return next(reversed(whole or counted), None)


def _only_arranges(
    log: SurveyLog, base: tuple[Mapping[str, str], Answer], menu: Menu
) -> Generator[SurveyProbe, Answer, bool]:
    values, before = base
    filled = {name: value for name, value in values.items() if value}
    for choice in dict.fromkeys((menu.choices[0], menu.choices[-1])) if menu.choices else ():
        answer = yield from log.ask(ARRANGING, {**filled, menu.name: choice.value})
        if answer is None or not are_same(before, answer):
            return False
    return bool(menu.choices)


def _is_narrowing(log: SurveyLog, menu: Menu) -> bool:
    """Whether its choices alone found different numbers of records, or one of them nothing."""
    alone = [a for values, a in log.answers(TEMPLATE) if [*values] == [menu.name]]
    totals = {answer.total for answer in alone if _has_exact_total(answer)}
    is_mixed = any(map(has_records, alone)) and any(answer.kind == NOTHING for answer in alone)
    return len(totals) > 1 or is_mixed


def are_same(one: Answer, other: Answer) -> bool:
    """Whether two answers are known to have the same records, in whatever order."""
    if not has_records(one) or not has_records(other):
        return False
    are_alike = {record.key for record in one.records} == {record.key for record in other.records}
    if _is_whole(one) and _is_whole(other):
        return are_alike
    # A first page of many that stays as it is, in whatever order, was hardly narrowed.
    is_first_same = are_alike and len(one.records) >= _LEAST_RECORDS
    is_exact = _has_exact_total(one) and _has_exact_total(other)
    return one.total == other.total and (is_exact or is_first_same)


def _is_whole(answer: Answer) -> bool:
    return answer.next_page is None and (answer.total or 0) <= len(answer.records)


def _has_exact_total(answer: Answer) -> bool:
    return answer.is_total_exact and has_records(answer)


def choose_values(box: Box, words: Sequence[str]) -> list[str]:
    """What to type into a box, best first."""
    kind, _, part = box.meaning.partition(":")
    typical = _SAMPLES.get(f"{kind}:{part}") or _SAMPLES.get(kind, ())
    return [*typical, *words]


def widest_range(span: Span) -> dict[str, str] | None:
    """The widest range; None where what to type is not known."""
    if span.lows and span.highs:
        return {span.low: span.lows[0], span.high: span.highs[-1]}
    ends = _SPANS.get(span.meaning.partition(":")[0])
    return {span.low: ends[0], span.high: ends[1]} if ends else None


def range_halves(span: Span) -> list[dict[str, str]]:
    """Two halves of a range that is chosen from lists; nothing for one that is typed."""
    if len(span.lows) < 2 or len(span.highs) < 2:
        return []
    half = len(span.highs) // 2
    low = {span.low: span.lows[0], span.high: span.highs[max(half - 1, 0)]}
    return [low, {span.low: span.lows[len(span.lows) // 2], span.high: span.highs[-1]}]


def empty_range(span: Span) -> dict[str, str] | None:
    """A range that ends before it begins: nothing can match it."""
    if len(span.lows) < 2 or len(span.highs) < 2:
        return None
    return {span.low: span.lows[-1], span.high: span.highs[0]}


def _far(span: Span) -> Sequence[tuple[str, str]]:
    """Narrow ranges of a typed one, where nothing lies: farther than the widest one that is asked.
    Ends in the wrong order will not do here, because some sites change them round."""
    return () if span.lows or span.highs else _FAR.get(span.meaning.partition(":")[0], ())


def stop_word(language: str) -> str:
    """A word that nearly every text of the language has; '' for languages without one here."""
    return _STOP_WORDS.get(language, "")
