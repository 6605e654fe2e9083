"""Brings a harvest back to where its store left it."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol

from leadline.core.harvest import Query, Record
from leadline.core.kept import Harvest, ResultPage
from leadline.core.ports import Harvests, QueryPolicy
from leadline.harvester.coverage import CoverageMonitor
from leadline.harvester.session.pages import Pages
from leadline.harvester.session.watching import Watch

_BREATH_PAGES = 50
"""Others in the event loop get their turn after so many."""


class Holdings(Protocol):
    """What was acquired, as policies see it. Knows records by their keys, and takes each once."""

    def add_all(self, records: Iterable[Record]) -> int:
        """How many of them are new."""
        ...


class Learners(NamedTuple):
    """All that is told everything once more."""

    holdings: Holdings
    policy: QueryPolicy
    monitor: CoverageMonitor
    watch: Watch
    count_matches: Callable[[Query], int | None]


async def take_up(harvests: Harvests, harvest: Harvest, learners: Learners) -> Pages | None:
    """Tell everything once more in its order; the answer that was not read to its end, if any.

    Of a survey only the records are told: a policy learns from its own queries.
    """
    holdings, policy, monitor, watch, count_matches = learners
    told = _Told(harvests.pages(harvest.id))
    for asked in harvests.queries(harvest.id):
        pages = Pages(asked, count_matches(asked.query))
        for page, records in told.of_query(asked.number):
            holdings.add_all(records)
            pages.add(page)
            if told.count % _BREATH_PAGES == 0:
                await asyncio.sleep(0)
        if asked.outcome is None:
            return pages
        expected, is_survey = asked.fresh, asked.is_survey
        monitor.learn(
            asked.outcome, pages.keys, pages.held_matches, expected=expected, is_survey=is_survey
        )
        if is_survey:
            watch.note_survey(asked.outcome)
            continue
        watch.note(pages, asked.outcome)
        policy.learn(asked.outcome)
    return None


class _Told:
    """Pages in order, handed out query by query."""

    def __init__(self, pages: Iterator[tuple[ResultPage, list[Record]]]) -> None:
        self._pages = pages
        self._next = next(pages, None)
        self.count = 0

    def of_query(self, number: int) -> Iterator[tuple[ResultPage, list[Record]]]:
        while self._next is not None and self._next[0].query == number:
            yield self._next
            self.count += 1
            self._next = next(self._pages, None)
