"""Asks a source what a survey wants to know."""

from collections.abc import Callable, Generator
from typing import Protocol

from msgspec import structs

from leadline.core.harvest import BLOCKED, UNCLEAR, Answer, Query
from leadline.errors import (
    AddressRefusedError,
    FetchError,
    OutOfScopeError,
    RobotsDeniedError,
    SiteBusyError,
)
from leadline.harvester.survey.results import SurveyProbe, SurveyResult

_CLOSED = (RobotsDeniedError, AddressRefusedError, OutOfScopeError)
"""Failures that any further query would meet as well."""


_MOST_FAILURES = 3
"""In a row, after which a source is left alone."""


class Surveyable(Protocol):
    """A source that also takes queries that nothing can match."""

    async def ask(self, query: Query) -> Answer: ...

    async def ask_nonsense(self, query: Query) -> Answer: ...


def _heed_nothing(_probe: SurveyProbe, _answer: Answer) -> None:
    pass


async def run_survey(
    source: Surveyable,
    steps: Generator[SurveyProbe, Answer, SurveyResult],
    heed: Callable[[SurveyProbe, Answer], None] = _heed_nothing,
) -> SurveyResult:
    """Ask until nothing more needs to be known; `heed` is told each answer, records and all.

    Raises SiteBusyError when the source wants to be left alone: what `heed` was told can be sent
    to another survey of the same interface, which goes on from there.
    """
    failures = 0
    try:
        probe = next(steps)
        while True:
            answer, has_failed = await _asked(source, probe)
            failures = failures + 1 if has_failed else 0
            if failures == _MOST_FAILURES:
                answer = structs.replace(answer, kind=BLOCKED)
            heed(probe, answer)
            probe = steps.send(answer)
    except StopIteration as end:
        found: SurveyResult = end.value
        return found


async def _asked(source: Surveyable, probe: SurveyProbe) -> tuple[Answer, bool]:
    """The answer, and whether it stands for none at all."""
    try:
        ask = source.ask_nonsense if probe.is_nonsense else source.ask
        return await ask(probe.query), False
    except SiteBusyError:
        raise
    except FetchError as error:
        kind = BLOCKED if isinstance(error, _CLOSED) else UNCLEAR
        return Answer(kind, requests=error.requests, why=error.reason), True
