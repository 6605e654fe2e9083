"""Several harvests at a time over real HTTP, with details, surveys and dry runs."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from leadline.config import Config, load_config
from leadline.core.harvest import (
    BLOCKED,
    NOTHING,
    OPEN,
    RESULTS,
    Answer,
    Cell,
    Harvest,
    HarvestSource,
    Query,
)
from leadline.core.ports import Fetcher
from leadline.core.store import SessionStore
from leadline.core.url import Site
from leadline.crawler.harvests.assembly import harvest_forms_async, plan_first_requests
from leadline.crawler.harvests.crawl_harvests import make_source
from leadline.errors import ConfigError, ConnectionFailedError
from leadline.harvester.session.pool import HarvestPool, SourceOpener
from leadline.harvester.session.retries import HarvestBudget
from leadline.harvester.session.session import NOTHING_LEFT, OpenedSource, SessionPlan
from leadline.harvester.session.stored_survey import StoredSurvey
from leadline.store import open_store, open_store_view
from leadline.store.memory import MemoryStore
from leadline.web.archive import ReplayFetcher
from tests.harvester.session.http_shelf import HOME, HttpShelf, ShelfSite, opening
from tests.harvester.session.sources import (
    WORDS,
    Held,
    InOrder,
    Shelf,
    TroubledShelf,
    blocked,
    record,
)
from tests.store import samples
from tests.store.harvest_samples import subject
from tests.store.samples import candidate, judged, state, visit


@pytest.fixture
async def site() -> AsyncIterator[ShelfSite]:
    async with ShelfSite(Shelf()) as served:
        yield served


@pytest.fixture
def config(site: ShelfSite, tmp_path: Path) -> Callable[..., Config]:
    def make(**changes: Any) -> Config:
        settings = {
            "web.resolve": {"*": site.address},
            "politeness.delay_s": 0.0,
            "harvest.min_yield": 0.0,
            "store.path": str(tmp_path / "a.leadline"),
        }
        named = {name.replace("__", "."): value for name, value in changes.items()}
        return load_config(settings={**settings, **named})[0]

    return make


async def test_the_best_form_of_a_page_is_harvested_and_goes_on(
    config: Callable[..., Config], site: ShelfSite
) -> None:
    first = await harvest_forms_async(config(harvest__max_requests=12), HOME, opener=opening())
    assert [drawn.reason for drawn in first.harvests] == ["budget: requests"]
    (drawn,) = first.harvests
    name = drawn.harvest.subject.signature
    second = await harvest_forms_async(config(), name[:6], opener=opening())
    (ended,) = second.harvests
    assert (ended.reason, ended.tally.records) == (NOTHING_LEFT, 199)
    assert len(site.log) == len(set(site.log)) == ended.tally.requests


async def test_what_cannot_be_meant_is_told(config: Callable[..., Config]) -> None:
    for wanted, why in (
        ("abcdef", "no form 'abcdef'"),
        ("all", "no relevant form"),
        ("http://", "not an http"),
    ):
        with pytest.raises(ConfigError, match=why):
            await harvest_forms_async(config(), wanted, opener=opening())


async def test_a_beginning_that_fits_two_forms_is_not_enough(
    config: Callable[..., Config],
) -> None:
    store = open_store(config().store.path)
    for name in ("abc1", "abc2"):
        store.harvests.begin(subject(name), 1.0)
    store.close()
    with pytest.raises(ConfigError, match="2 forms begin with 'abc': abc1, abc2"):
        await harvest_forms_async(config(), "abc", opener=opening())


async def test_forms_of_the_directory_that_ask_one_search_are_harvested_once(
    config: Callable[..., Config],
) -> None:
    store = open_store(config().store.path)
    store.links.put([candidate(1)])
    (lease,) = samples.take(store, 1)
    forms = [judged("one"), judged("two"), judged("off topic", relevant=0.1)]
    samples.record(store, visit(lease), state(lease), forms=forms)
    store.close()
    result = await harvest_forms_async(config(), "all", opener=opening(WORDS[:2]))
    assert [drawn.harvest.subject.signature for drawn in result.harvests] == ["one"]
    assert [drawn.tally.records for drawn in result.harvests] == [150]


async def test_own_pages_of_records_are_fetched_once(
    config: Callable[..., Config], site: ShelfSite
) -> None:
    limited = config(harvest__details=True, harvest__max_requests=10)
    await harvest_forms_async(limited, HOME, opener=opening(WORDS[:1]))
    result = await harvest_forms_async(
        config(harvest__details=True), HOME, opener=opening(WORDS[:1])
    )
    (drawn,) = result.harvests
    assert (drawn.tally.records, drawn.tally.details) == (100, 100)
    assert len(site.log) == len(set(site.log)) == drawn.tally.requests == 110
    store = open_store_view(config().store.path)
    first = next(store.harvests.records())
    store.close()
    assert Cell("detail:Leaves", "10") in first.detail
    assert Cell("detail:name", "Record 1") in first.detail


async def test_what_was_fetched_can_be_archived(
    config: Callable[..., Config], tmp_path: Path
) -> None:
    archived = config(archive__folder=str(tmp_path / "warc"))
    await harvest_forms_async(archived, HOME, opener=opening(WORDS[:1]))
    replay = ReplayFetcher((tmp_path / "warc").glob("*.warc.gz"))
    answer = await HttpShelf(replay).ask(Query.of(q=WORDS[0]))
    assert len(answer.records) == 10


async def test_a_dry_run_tells_the_first_queries_and_sends_none(
    config: Callable[..., Config], site: ShelfSite
) -> None:
    told = await plan_first_requests(config(), HOME, opener=opening())
    assert [sending.query for sending in told] == list(WORDS[:5])
    assert told[0].request == f"GET {HOME}find?q=alder"
    assert site.log == []


class _Rig:
    """Harvests of shelves in memory, whose opener can be made to fail."""

    def __init__(self, at_once: int = 8, limits: HarvestBudget | None = None) -> None:
        self.store = MemoryStore()
        self.trouble: ConnectionFailedError | str | None = None
        self.most = self.open = 0
        self.harvester = HarvestPool(
            self.store,
            ReplayFetcher(()),
            self._open,
            SessionPlan(limits or HarvestBudget()),
            concurrency=at_once,
            with_details=False,
            now=itertools.count(1_000.0).__next__,
        )

    async def _open(
        self,
        harvest: Harvest,
        why_stop: Callable[[], str],  # noqa: ARG002
        *,
        is_dry: bool = False,  # noqa: ARG002
    ) -> OpenedSource | str:
        if isinstance(self.trouble, str):
            return self.trouble
        if self.trouble is not None:
            raise self.trouble
        return OpenedSource(harvest, _Counting(self), InOrder(WORDS[:3]), Held())

    async def harvest(self, number: int) -> dict[str, str]:
        for name in range(number):
            assert self.harvester.offer(_subject(f"form {name}"))
        await self.harvester.finish()
        return self.harvester.reasons


class _Counting(Shelf):
    """Knows how many of its kind are asked at the same time."""

    def __init__(self, rig: _Rig) -> None:
        super().__init__()
        self._rig = rig

    async def ask(self, query: Query) -> Answer:
        self._rig.open += 1
        self._rig.most = max(self._rig.most, self._rig.open)
        await asyncio.sleep(0.001)
        self._rig.open -= 1
        return await super().ask(query)


def _subject(name: str) -> HarvestSource:
    return HarvestSource(name, Site("shelf.test"), judged(name).form)


async def test_several_are_harvested_at_a_time_and_no_more() -> None:
    rig = _Rig(at_once=3)
    reasons = await rig.harvest(7)
    assert list(reasons.values()) == [NOTHING_LEFT] * 7
    assert rig.most == 3
    assert [rig.store.harvests.tally(h.id).records for h in rig.store.harvests.all()] == [175] * 7
    assert not rig.harvester.is_busy
    assert rig.harvester.requests == 7 * 30


async def test_a_form_is_harvested_once() -> None:
    rig = _Rig()
    assert rig.harvester.offer(_subject("a"))
    assert not rig.harvester.offer(_subject("a"))
    await rig.harvester.finish()


async def test_a_source_that_cannot_be_opened_says_why_and_may_be_tried_again() -> None:
    rig = _Rig()
    rig.trouble = ConnectionFailedError(HOME, "no such host")
    (reason,) = (await rig.harvest(1)).values()
    assert reason == "blocked: its page could not be had: no such host"
    (head,) = rig.store.harvests.all()
    assert (head.state, head.reason) == (OPEN, reason)


async def test_told_to_stop_all_of_them_do() -> None:
    rig = _Rig(at_once=2)
    for name in "abc":
        rig.harvester.offer(_subject(name))
    while not rig.harvester.sessions():  # noqa: ASYNC110 (a few turns of the loop)
        await asyncio.sleep(0)
    rig.harvester.stop("terminated")
    await rig.harvester.finish()
    assert set(rig.harvester.reasons.values()) == {"terminated"}


async def test_what_a_survey_asked_is_not_asked_again() -> None:
    store, shelf = MemoryStore(), _Surveyed()
    head = store.harvests.begin(_subject("a"), 1.0)
    first = _survey(shelf, store, head)
    assert (await first.ask_nonsense(Query.of(q="xyz"))).kind == NOTHING
    found = await first.ask(Query.of(q="alder"))
    assert (found.kind, len(found.records)) == (RESULTS, 10)
    again = _survey(shelf, store, head)
    assert await again.ask(Query.of(q="alder")) == found
    assert len(shelf.log) == 2
    asked = list(store.harvests.queries(head.id))
    assert [a.is_survey for a in asked] == [True, True]
    assert asked[1].outcome is not None
    assert asked[1].outcome.is_left
    (told,) = store.harvests.all()
    assert told.subject.reader == b"2 learned"


async def test_a_survey_that_is_told_to_stop_is_kept_out() -> None:
    store, shelf = MemoryStore(), _Surveyed()
    head = store.harvests.begin(_subject("a"), 1.0)
    survey = _survey(shelf, store, head, why_stop=lambda: "budget: pages")
    assert (await survey.ask(Query.of(q="alder"))).kind == BLOCKED
    assert survey.stopped == "budget: pages"
    assert shelf.log == []


async def test_a_survey_that_is_blocked_keeps_no_query() -> None:
    store = MemoryStore()
    head = store.harvests.begin(_subject("a"), 1.0)
    survey = _survey(_Surveyed(troubles={1: blocked("a login")}), store, head)
    await survey.ask(Query.of(q="alder"))
    assert survey.stopped == "blocked: a login"
    assert list(store.harvests.queries(head.id)) == []
    assert survey.harvest.requests == 1


class _Surveyed(TroubledShelf):
    async def ask_nonsense(self, query: Query) -> Answer:
        return await self.ask(query)

    def learned(self) -> bytes:
        return f"{len(self.log)} learned".encode()


def _survey(
    shelf: _Surveyed, store: SessionStore, head: Harvest, why_stop: Callable[[], str] = str
) -> StoredSurvey:
    return StoredSurvey(
        shelf, store, head, reader_state=shelf.learned, why_stop=why_stop, now=lambda: 5.0
    )


async def test_a_first_page_that_a_survey_brought_is_not_sent_for_again(
    config: Callable[..., Config], site: ShelfSite
) -> None:
    def opener_of(_config: Config, store: SessionStore, fetcher: Fetcher) -> SourceOpener:
        async def open_form(
            harvest: Harvest,
            why_stop: Callable[[], str],
            *,
            is_dry: bool = False,  # noqa: ARG001
        ) -> OpenedSource | str:
            source = HttpShelf(fetcher)
            survey = StoredSurvey(
                source, store, harvest, reader_state=bytes, why_stop=why_stop, now=lambda: 5.0
            )
            await survey.ask(Query.of(q="birch"))
            asking = survey.harvest, source, InOrder(WORDS), Held()
            return OpenedSource(*asking, known=survey.known)

        return open_form

    await harvest_forms_async(config(), HOME, opener=opener_of)
    (drawn,) = (await harvest_forms_async(config(), HOME, opener=opener_of)).harvests
    assert drawn.tally.records == 199
    assert len(site.log) == len(set(site.log)) == drawn.tally.requests


def test_a_judged_form_becomes_a_subject() -> None:
    found = make_source(judged("abc"))
    assert (found.signature, found.site, found.searchable) == ("abc", "s0.test", 0.95)
    assert record(3).cells[0].text == "alder birch"
