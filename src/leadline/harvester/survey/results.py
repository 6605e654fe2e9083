"""What a survey asks and what it learns: the log of its queries, and how a source takes queries."""

from collections.abc import Generator, Iterator, Mapping, Sequence

from msgspec import Struct, structs

from leadline.core.harvest import BLOCKED, NOTHING, RECORD, REFUSED, RESULTS, Answer, Query
from leadline.harvester.interface import Box, Interface, SurveyedAnswer

Values = dict[str, str]
"""By control name."""
ProbeAnswer = tuple[Mapping[str, str], Answer]
"""What was filled in besides the fixed values, and the answer."""

NONSENSE = "nonsense"
WORD = "word"
EMPTY = "empty"
STOP_WORD = "stop word"
BROAD = "broad"
SHORT = "short"
PATTERN = "pattern"
TEMPLATE = "template"
ARRANGING = "arranging"
PURPOSES = (NONSENSE, WORD, EMPTY, STOP_WORD, BROAD, SHORT, PATTERN, TEMPLATE, ARRANGING)
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


class SurveyProbe(Struct, frozen=True):
    """One query of a survey, and what it is for."""

    query: Query
    purpose: str

    @property
    def is_nonsense(self) -> bool:
        """Whether nothing can match it: it shows how the source says so."""
        return self.purpose == NONSENSE


class SurveyFindings(Struct, frozen=True):
    """How a source takes queries, as far as it was asked."""

    is_executable: bool = False
    """Some set of controls is answered."""
    pattern: tuple[str, ...] = ()
    """The smallest such set that was tried."""
    empty: str = ""
    """Kind of the answer to a query that fills nothing; '' when it was not asked."""
    stop_word: str = ""
    """Kind of the answer to a word that every text has."""
    informative: tuple[str, ...] = ()
    """Controls whose choices get different answers."""
    uninformative: tuple[str, ...] = ()
    """Controls that bring no other records."""
    requests: int = 0
    summary: tuple[str, ...] = ()
    """All that was learned, for people."""
    is_blocked: bool = False
    """The source keeps us out; nothing more was asked."""


class SurveyResult(Struct, frozen=True):
    """An interface after asking, and what was learned besides."""

    interface: Interface
    findings: SurveyFindings


def has_records(answer: Answer | None) -> bool:
    """Whether records came back."""
    return answer is not None and answer.kind in (RESULTS, RECORD)


def is_refusal(answer: Answer | None) -> bool:
    return answer is not None and answer.kind == REFUSED


def count_matches(answer: Answer) -> int:
    """Records that match, as far as one page tells."""
    return max(answer.total or 0, len(answer.records))


ProbeSteps = Generator[SurveyProbe, Answer, Answer | None]
"""Yields one probe, is sent its answer, and returns it; None if nothing more may be asked."""


class SurveyLog:
    """What was asked, what came back, and what may still be spent. Asks no query twice, and none
    beyond the limit or after the source has shut us out."""

    def __init__(self, interface: Interface, key: str, limit: int) -> None:
        self.interface = interface
        self.key = key
        self.limit = limit
        self.fixed = dict(interface.fixed)
        """Goes into every query; grows by what turns out to be needed."""
        self.requests = 0
        self.asked: dict[Query, tuple[str, Mapping[str, str], Answer]] = {}
        """Purpose, values besides the fixed ones, and answer, in order."""
        self.blocked = ""

    @property
    def main(self) -> Box | None:
        return self.interface.boxes[0] if self.interface.boxes else None

    @property
    def is_over(self) -> bool:
        return bool(self.blocked) or self.requests >= self.limit

    def ask(self, purpose: str, values: Mapping[str, str]) -> ProbeSteps:
        """As `ProbeSteps`. A query asked before is answered from memory, and counts for the purpose
        it was asked for last."""
        query = Query(tuple(sorted({**self.fixed, **values}.items())))
        if query not in self.asked and self.is_over:
            return None
        answer = self.asked[query][2] if query in self.asked else None
        if answer is None:
            answer = yield SurveyProbe(query, purpose)
            self.requests += answer.requests
        self.asked[query] = purpose, values, answer
        if answer.kind == BLOCKED:
            self.blocked = answer.why or "the source keeps us out"
        return answer

    def answers(self, *purposes: str) -> Iterator[ProbeAnswer]:
        for purpose, values, answer in self.asked.values():
            if not purposes or purpose in purposes:
                yield values, answer

    def find_answers(self, *purposes: str) -> list[ProbeAnswer]:
        """What brought records, most first."""
        found = [
            (values, answer) for values, answer in self.answers(*purposes) if has_records(answer)
        ]
        return sorted(found, key=lambda both: -count_matches(both[1]))

    def is_refused(self, *purposes: str) -> bool:
        """Whether everything of that kind was refused."""
        answers = [answer for _, answer in self.answers(*purposes)]
        return bool(answers) and all(map(is_refusal, answers))


def summarize_survey(log: SurveyLog, templates: Mapping[str, bool]) -> SurveyResult:
    """`templates`: by the first control of each, whether it brings different records."""
    idle = tuple(name for name, is_informative in templates.items() if not is_informative)
    serious = log.find_answers(*_SERIOUS)
    interface = _make_interface(log, idle, serious)
    before = dict(log.interface.fixed)
    needed = [name for name in log.fixed if name not in before]
    patterns = interface.patterns
    # Queries are looked up even if nothing was found; what nonsense gets proves nothing.
    is_answered = any(answer.kind == NOTHING for _, answer in log.answers(WORD))
    findings = SurveyFindings(
        is_executable=bool(serious) or is_answered,
        pattern=tuple(dict.fromkeys((*patterns[0], *needed))) if patterns else (),
        empty=_kind_of(log, EMPTY),
        stop_word=_kind_of(log, STOP_WORD),
        informative=tuple(name for name, is_informative in templates.items() if is_informative),
        uninformative=idle,
        requests=log.requests,
        is_blocked=bool(log.blocked),
    )
    summary = _explain_findings(log, interface, findings, sorted(needed))
    return SurveyResult(interface, structs.replace(findings, summary=summary))


def _make_interface(
    log: SurveyLog, idle: Sequence[str], serious: Sequence[ProbeAnswer]
) -> Interface:
    """The interface with what was learned; `serious` are answers with records, nonsense aside."""
    interface = log.interface
    # All that was typed into the main box was refused, and something else was not.
    is_box_useless = log.is_refused(WORD) and bool(serious)
    boxes = interface.boxes[1:] if is_box_useless else interface.boxes
    too_short = [
        len(text)
        for values, answer in log.answers(SHORT)
        if is_refusal(answer)
        for text in values.values()
    ]
    box = log.main.name if log.main else ""
    broad = [answer for _, answer in log.find_answers(STOP_WORD, BROAD, SHORT)]
    patterns = dict.fromkeys(
        tuple(sorted(name for name, value in values.items() if value)) for values, _ in serious
    )
    return structs.replace(
        interface,
        boxes=tuple(box for box in boxes if box.name not in idle),
        menus=tuple(menu for menu in interface.menus if menu.name not in idle),
        spans=tuple(span for span in interface.spans if span.low not in idle),
        fixed=tuple(sorted(log.fixed.items())),
        min_length=max(too_short) + 1 if too_short else interface.min_length,
        takes_empty=lists_everything(log),
        words=_working_words(log),
        # The smallest first, of equally small ones that with the main box.
        patterns=tuple(
            sorted(filter(None, patterns), key=lambda names: (len(names), box not in names))
        ),
        surveyed=tuple(
            SurveyedAnswer(
                tuple(sorted((name, value) for name, value in values.items() if value)),
                len(answer.records),
                answer.total if answer.is_total_exact else None,
                answer.next_page is not None,
                is_broad=any(answer is other for other in broad),
            )
            for values, answer in serious
            if not set(values) & set(idle)
        ),
    )


def lists_everything(log: SurveyLog) -> bool:
    """Whether the empty query finds at least as much as any word, and nothing else is needed."""
    if {*log.fixed} != {name for name, _ in log.interface.fixed}:
        return False
    found = [count_matches(answer) for _, answer in log.find_answers(EMPTY)]
    others = [count_matches(answer) for _, answer in log.find_answers(WORD)]
    return bool(found) and found[0] >= max(others, default=1)


def _working_words(log: SurveyLog) -> tuple[str, ...]:
    """Words that found most first, then those not asked; without those that found nothing."""
    box = log.main
    if box is None:
        return log.interface.words
    found = [values[box.name] for values, _ in log.find_answers(WORD, STOP_WORD)]
    asked = {values.get(box.name, "") for values, _ in log.answers() if box.name in values}
    rest = [word for word in log.interface.words if word not in asked]
    return tuple(dict.fromkeys([*found, *rest]))


def _kind_of(log: SurveyLog, purpose: str) -> str:
    return next((answer.kind for _, answer in log.answers(purpose)), "")


def _explain_findings(
    log: SurveyLog, interface: Interface, findings: SurveyFindings, needed: Sequence[str]
) -> tuple[str, ...]:
    pattern = "no set of controls that was tried is answered"
    if findings.pattern:
        pattern = f"records come back when {' and '.join(map(repr, findings.pattern))} is filled in"
    elif findings.is_executable:
        pattern = "queries are looked up, but none has found anything"
    empty = _SAID_OF_EMPTY.get(findings.empty, "")
    if interface.takes_empty:
        empty = "an empty query lists everything"
    is_nonsense_found = any(has_records(answer) for _, answer in log.answers(NONSENSE))
    said = (
        f"kept out: {log.blocked}" if log.blocked else "",
        pattern,
        f"{', '.join(map(repr, needed))} must be filled in as well" if needed else "",
        "nonsense brings records too" if is_nonsense_found else "",
        empty,
        _SAID_OF_STOP_WORD.get(findings.stop_word, ""),
        f"words need {interface.min_length} letters" if interface.min_length else "",
        *(f"the choices of {name!r} get different answers" for name in findings.informative),
        *(f"{name!r} brings no other records" for name in findings.uninformative),
    )
    return tuple(filter(None, said))
