"""Queries asked to test a belief about a source instead of for their records.

Two conclusions would end or waste a harvest if one odd page led to them: that the source keeps us
out, and that words which find nothing match nothing although the site changed its pages. Both are
tested by asking once more what the source answered before. What it brings is not stored as an
answer: it was counted when it was asked for its own sake.
"""

from collections.abc import Awaitable, Callable

from msgspec import Struct

from leadline.core.harvest import RECORD, RESULTS, Answer, Outcome, Query
from leadline.harvester import beliefs
from leadline.harvester.beliefs import Evidence
from leadline.harvester.session.answer_pages import AnswerPages

_SURPRISE = 0.01
"""Chance of so many queries in a row without a record, if as many found something as before, below
which the layout is tested. As likely as a site that changes its pages during one of a hundred
harvests."""
_LEAST_EMPTY = 3
"""Queries in a row that say anything: the chance is looked at after each query, and two words in a
row that nothing has are common where words are chosen for being rare."""
CHANGED = "changed"
"""Stop reasons of harvests whose source no longer shows what it showed begin so."""

Ask = Callable[[Query], Awaitable[Answer | None]]
"""Asks the source; None if it cannot be asked at the moment."""
Relearn = Callable[[], Awaitable[int]]
"""Learns anew how answers are read, from the form's page and what nonsense gets; the requests that
took."""


class KnownQuery(Struct, frozen=True):
    """A query that was answered with records."""

    query: Query
    keys: frozenset[int]
    """Hashes of the keys of these."""


class ControlQueries:
    """Keeps a query that is known to be answered, and tests beliefs by it.

    Depends on the queries of the harvest and their order alone, so a resumed harvest doubts when
    the first run would have.
    """

    def __init__(self) -> None:
        self._known: KnownQuery | None = None
        self._hits = 0
        self._tries = 0
        """Queries that were answered, the latest run of vain ones left out; `_hits` found
        something."""
        self._empty = 0

    def learn(self, pages: AnswerPages, outcome: Outcome) -> None:
        """Takes in a query that is over."""
        if outcome.returned and pages.first is not None:
            self._hits += 1
            self._tries += 1 + self._empty
            self._empty = 0
            self._known = KnownQuery(outcome.query, pages.keys)
        elif not pages.is_failed:
            self._empty += 1

    @property
    def is_alarmed(self) -> bool:
        """Whether so many queries found nothing that the layout should be tested."""
        hit_rate = (self._hits + 1) / (self._tries + 2)
        is_row = self._known is not None and self._empty >= _LEAST_EMPTY
        return is_row and (1 - hit_rate) ** self._empty < _SURPRISE

    def rest(self) -> None:
        """Takes the layout for tested: the latest vain queries count as such from here on."""
        self._tries += self._empty
        self._empty = 0

    async def test_block(self, pages: AnswerPages, why: str, ask: Ask) -> Evidence | None:
        """Asks for something that was answered before, after a page of an answer was blocked; None
        if nothing is known to be answered."""
        query, known = pages.asked.query, self._known
        if pages.keys and (known is None or known.query == query):
            # Its own first page was answered.
            known = KnownQuery(query, pages.keys)
        if known is None or (known.query == query and not pages.keys):
            return None
        answer = await ask(known.query)
        if answer is not None and answer.kind in (RESULTS, RECORD):
            said = f"{query.text!r} got {why!r}, while {known.query.text!r} is answered"
            return Evidence(beliefs.BLOCKED, 0, 1, said)
        return Evidence(beliefs.BLOCKED, 1, 0, f"{known.query.text!r} is kept out as well: {why}")

    async def test_layout(self, ask: Ask, key_hash: Callable[[str], int]) -> Evidence | None:
        """Asks once more what was answered before, after several queries found nothing."""
        known, empty = self._known, self._empty
        if known is None:
            return None
        answer = await ask(known.query)
        if answer is None:
            return None
        self.rest()
        if any(key_hash(record.key) in known.keys for record in answer.records):
            said = f"after {empty} queries without a record {known.query.text!r} is found as before"
            return Evidence(beliefs.LAYOUT, 1, 0, said)
        said = f"{known.query.text!r} brought {len(known.keys)} records and brings none of them now"
        return Evidence(beliefs.LAYOUT, 0, 1, said)
