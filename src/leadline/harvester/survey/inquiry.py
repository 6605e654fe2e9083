"""The record of a survey: what was asked, what came back, what may still be spent."""

from collections.abc import Generator, Iterator, Mapping

from leadline.core.harvest import BLOCKED, NOTHING, Answer, Query
from leadline.harvester.interface import Box, Interface
from leadline.harvester.survey.manners import Probe, finds, refuses, size_of

Asking = Generator[Probe, Answer, Answer | None]
"""Yields one probe, is sent its answer, and returns it; None when nothing more may be asked."""


class Inquiry:
    """Asks no query twice, and none after the limit or a closed door."""

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

    def ask(self, purpose: str, values: Mapping[str, str]) -> Asking:
        """As `Asking`. What was asked before is answered from memory, and counts for what it is
        asked for last."""
        query = Query(tuple(sorted({**self.fixed, **values}.items())))
        if query not in self.asked and self.is_over:
            return None
        answer = self.asked[query][2] if query in self.asked else None
        if answer is None:
            answer = yield Probe(query, purpose)
            self.requests += answer.requests
        self.asked[query] = purpose, values, answer
        if answer.kind == BLOCKED:
            self.blocked = answer.why or "the source keeps us out"
        return answer

    def answers(self, *purposes: str) -> Iterator[tuple[Mapping[str, str], Answer]]:
        for purpose, values, answer in self.asked.values():
            if not purposes or purpose in purposes:
                yield values, answer

    def finding(self, *purposes: str) -> list[tuple[Mapping[str, str], Answer]]:
        """What brought records, most first."""
        found = [(values, answer) for values, answer in self.answers(*purposes) if finds(answer)]
        return sorted(found, key=lambda both: -size_of(both[1]))

    def is_refused(self, *purposes: str) -> bool:
        """Whether everything of that kind was refused."""
        answers = [answer for _, answer in self.answers(*purposes)]
        return bool(answers) and all(map(refuses, answers))

    def is_looked_up(self, *purposes: str) -> bool:
        """Whether something was looked up, found or not."""
        return any(finds(a) or a.kind == NOTHING for _, a in self.answers(*purposes))
