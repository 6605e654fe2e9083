"""A source that invents its records is suspected soon; honest ones never are."""

import asyncio
from collections.abc import Sequence

import pytest

from leadline.core.harvest import OVER, Query, Record
from leadline.core.ports import Source
from leadline.harvester.coverage import CoverageMonitor
from leadline.harvester.coverage.monitor import count_held_matches
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Box, Interface
from leadline.harvester.policies import make_policy
from leadline.harvester.session.retries import HarvestBudget
from leadline.harvester.session.session import HarvestSession, OpenedSource, SessionPlan
from leadline.harvester.session.suspicion import Suspicion
from leadline.store.memory import MemoryStore
from leadline.views.harvests import record_rows
from leadline_lab.harvests.asking import LabSource
from leadline_lab.harvests.cases import Case, Kind, made
from tests.harvester.session.sources import INVENTORS, WORDS, Shelf, record
from tests.store.harvest_samples import subject

TYPED = Interface(boxes=(Box("q"),), words=WORDS)


def harvest(source: Source, interface: Interface, requests: int) -> tuple[str, MemoryStore]:
    """By the default policy; why it stopped."""

    async def run() -> tuple[str, MemoryStore]:
        store, holdings = MemoryStore(), Holdings()
        opened = OpenedSource(
            store.harvests.begin(subject(), 1.0),
            source,
            make_policy("yield_per_cost", interface, holdings),
            holdings,
            monitor=CoverageMonitor(interface),
            count_matches=lambda query: count_held_matches(holdings, interface, query),
            type_words=interface.make_text_query,
        )
        return await HarvestSession(
            store, opened, SessionPlan(HarvestBudget(requests))
        ).run(), store

    return asyncio.run(run())


@pytest.mark.parametrize("name", INVENTORS)
def test_an_inventor_is_suspected_within_50_requests(name: str) -> None:
    reason, store = harvest(INVENTORS[name](), TYPED, 1_000)
    assert reason.startswith("suspected: the source seems to invent its records")
    head = store.harvests.find(subject().signature)
    assert head is not None
    assert (head.state, head.reason) == (OVER, reason)
    assert store.harvests.tally(head.id).requests <= 50
    assert [e.detail for e in store.reader.events() if e.kind == "harvest-suspected"] == [reason]


def test_its_records_are_kept_and_marked() -> None:
    _, store = harvest(INVENTORS["ordinary words"](), TYPED, 1_000)
    rows = list(record_rows(store))
    assert len(rows) >= 300
    assert all(row.is_suspicious for row in rows)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("semantics", ["and", "or"])
def test_an_honest_database_is_not_suspected(seed: int, semantics: str) -> None:
    setting = made(Case(Kind(semantics=semantics), seed, 2_000))
    source = LabSource(setting.index, setting.form.bound)
    reason, store = harvest(source, setting.interface, 60)
    assert not reason.startswith("suspected")
    assert not any(row.is_suspicious for row in record_rows(store))


class EndlessShelf(Shelf):
    """One long answer to anything that exists, as a list of everything is; nothing to nonsense."""

    def found(self, query: Query) -> list[Record]:
        words = query.text.split()
        if len(words) == 1 and words[0] in WORDS:
            return list(self.records)
        return [one for one in self.records if one.title == query.text]


def test_a_long_list_of_records_that_come_once_is_examined_and_trusted() -> None:
    many: Sequence[Record] = [record(number) for number in range(3_000)]
    shelf = EndlessShelf(many)
    reason, store = harvest(shelf, TYPED, 200)
    assert not reason.startswith("suspected")
    head = store.harvests.find(subject().signature)
    assert head is not None
    # Requests that are no pages of results: the controls, a handful each of a few times.
    assert 0 < head.requests <= 28


def test_a_trusted_source_is_examined_a_few_times_at_most() -> None:
    suspicion, held, times = Suspicion(), 0, 0
    while held < 100_000:
        held += 100
        if suspicion.is_due(held, held):
            times += 1
            suspicion.make_controls(held)
            assert not suspicion.judge([])
    assert times == 4


def test_sources_whose_records_come_again_are_never_examined() -> None:
    assert not any(Suspicion().is_due(held, held + held // 100) for held in range(100, 50_000, 100))


def test_answers_with_more_than_the_source_says_are_cause_for_doubt() -> None:
    suspicion = Suspicion()
    for _ in range(3):
        assert not suspicion.is_due(60, 60)
        suspicion.note_answer(30, 10, is_exact=True)
    assert suspicion.is_due(60, 60)
