"""The loop of a harvest, on sources that keep their records in memory."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from msgspec import structs

from leadline.core.harvest import OPEN, OVER, RESULTS, Answer, Cell, Harvest, Record
from leadline.core.ports import Source
from leadline.core.store import Store
from leadline.errors import BadResponseError, ConnectionFailedError, FetchError, RobotsDeniedError
from leadline.harvester.coverage import CoverageMonitor, StoppingSettings
from leadline.harvester.session.answer_pages import MIXED, OTHER_TOTALS
from leadline.harvester.session.retries import HarvestBudget, RetryRules
from leadline.harvester.session.session import (
    NOTHING_LEFT,
    HarvestSession,
    OpenedSource,
    SessionPlan,
)
from leadline.store.memory import MemoryStore
from tests.harvester.session.sources import (
    WORDS,
    CutShelf,
    Held,
    IgnoringShelf,
    InOrder,
    LoopingShelf,
    Shelf,
    ShufflingShelf,
    TroubledShelf,
    blocked,
    busy,
    matching,
    record,
    refused,
    straight_to,
)
from tests.store.harvest_samples import subject

URL = "http://shelf.test/"
LASTING = StoppingSettings(min_yield=0.0, min_gain=0.0)
"""Nothing ends a harvest that is not over."""
SOON = StoppingSettings(ahead=40, patience=40)
"""Never too little."""


class Rig:
    """A session with a clock of its own, which only pauses move."""

    def __init__(
        self,
        source: Source,
        *,
        policy: InOrder | None = None,
        store: Store | None = None,
        plan: SessionPlan | None = None,
        why_stop: Callable[[], str] = str,
        stopping: StoppingSettings = LASTING,
    ) -> None:
        self.source = source
        self.store = store or MemoryStore()
        self.policy = policy or InOrder()
        self.held = Held()
        self.pauses: list[float] = []
        self.clock = 1_000.0
        harvests = self.store.harvests
        head = harvests.find(subject().signature) or harvests.begin(subject(), self.clock)
        monitor = CoverageMonitor(settings=stopping)
        opened = OpenedSource(head, source, self.policy, self.held, monitor=monitor)
        self.session = HarvestSession(
            self.store,
            opened,
            plan or SessionPlan(),
            why_stop=why_stop,
            now=lambda: self.clock,
            sleep=self._sleep,
        )

    async def _sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.clock += seconds

    @property
    def head(self) -> Harvest:
        return next(self.store.harvests.all())

    @property
    def numbers(self) -> list[str]:
        """Titles of the records kept, in their order."""
        return [kept.record.title for kept in self.store.harvests.records()]

    @property
    def words(self) -> list[str]:
        return [asked.query.text for asked in self.store.harvests.queries(self.head.id)]

    @property
    def noted(self) -> list[str]:
        return [
            event.detail for event in self.store.reader.events() if event.kind == "harvest-noted"
        ]


def reachable(records: Sequence[str] = ()) -> set[str]:
    return set(records) or {f"record {number}" for number in range(1, 200)}


async def test_everything_is_asked_paged_kept_and_learned() -> None:
    rig = Rig(shelf := Shelf())
    assert await rig.session.run() == NOTHING_LEFT
    assert set(rig.numbers) == reachable()
    assert list(rig.held.keys) == [kept.record.key for kept in rig.store.harvests.records()]
    assert len(shelf.log) == len(set(shelf.log)) == rig.session.progress.tally.requests
    first = rig.policy.learned[0]
    assert (first.kind, first.returned, first.fresh, first.total) == (RESULTS, 100, 100, 100)
    assert (first.pages, first.requests, first.is_cut, first.is_left) == (10, 10, False, False)
    assert sum(outcome.fresh for outcome in rig.policy.learned) == 199
    assert [
        asked.outcome for asked in rig.store.harvests.queries(rig.head.id)
    ] == rig.policy.learned
    assert (rig.head.state, rig.head.reason) == (OVER, NOTHING_LEFT)
    kinds = [event.kind for event in rig.store.reader.events()]
    assert kinds == ["harvest-started", "harvest-stopped"]


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (HarvestBudget(requests=7), "budget: requests"),
        (HarvestBudget(queries=2), "budget: queries"),
        (HarvestBudget(records=35), "budget: records"),
        (HarvestBudget(seconds=0), "budget: seconds"),
    ],
)
async def test_a_budget_is_kept_and_a_higher_one_goes_on(
    limits: HarvestBudget, reason: str
) -> None:
    store, shelf = MemoryStore(), Shelf()
    rig = Rig(shelf, store=store, plan=SessionPlan(limits))
    assert await rig.session.run() == reason
    tally = rig.session.progress.tally
    assert tally.requests <= (limits.requests or 30)
    assert tally.queries == (limits.queries or tally.queries)
    if limits.queries:
        assert all(asked.outcome for asked in rig.store.harvests.queries(rig.head.id))
    assert tally.records <= (limits.records or 150) + shelf.page_size
    assert rig.head.state == OPEN
    again = Rig(shelf, store=store)
    assert await again.session.run() == NOTHING_LEFT
    assert set(again.numbers) == reachable()
    assert len(shelf.log) == len(set(shelf.log))


@pytest.mark.parametrize("requests", [1, 3, 7])
async def test_coverage_is_about_all_that_is_held_when_an_answer_is_cut_short(
    requests: int,
) -> None:
    rig = Rig(Shelf(), plan=SessionPlan(HarvestBudget(requests=requests)))
    assert await rig.session.run() == "budget: requests"
    progress = rig.session.progress
    assert progress.coverage is not None
    assert progress.coverage.held == progress.tally.records
    assert progress.coverage.held <= progress.coverage.low <= progress.coverage.size


@settings(max_examples=40, deadline=None)
@given(some.lists(some.integers(1, 40), max_size=6), some.sampled_from((0, 3)))
def test_a_harvest_in_pieces_is_the_harvest_in_one(stops: list[int], least: int) -> None:
    async def run() -> None:
        whole = Rig(Shelf(), policy=InOrder(least=least))
        await whole.session.run()
        store, shelf, spent = MemoryStore(), Shelf(), 0
        for requests in stops:
            spent += requests
            policy, plan = InOrder(least=least), SessionPlan(HarvestBudget(spent))
            await Rig(shelf, policy=policy, store=store, plan=plan).session.run()
        rig = Rig(shelf, policy=InOrder(least=least), store=store)
        await rig.session.run()
        assert shelf.log == whole.source.log  # type: ignore[attr-defined]
        assert rig.policy.learned == whole.policy.learned
        assert list(rig.held.keys) == list(whole.held.keys)
        assert list(store.harvests.records()) == list(whole.store.harvests.records())

    asyncio.run(run())


async def test_a_cap_is_told_and_is_not_our_choice() -> None:
    rig = Rig(Shelf(cap=30))
    await rig.session.run()
    outcome = rig.policy.learned[0]
    assert (outcome.returned, outcome.total, outcome.matched) == (30, 100, 100)
    assert (outcome.is_cut, outcome.is_left) == (True, False)


async def test_pages_that_go_round_end_after_the_first_repetition() -> None:
    rig = Rig(shelf := LoopingShelf(), policy=InOrder(WORDS[:1]))
    await rig.session.run()
    assert len(shelf.log) == 11
    (outcome,) = rig.policy.learned
    assert (outcome.returned, outcome.pages, outcome.why) == (
        100,
        11,
        "a page of nothing but earlier records",
    )


@pytest.mark.parametrize("tells_total", [True, False])
async def test_a_source_that_ignores_the_query_is_left(tells_total: bool) -> None:
    rig = Rig(shelf := IgnoringShelf(tells_total=tells_total))
    reason = await rig.session.run()
    assert reason == "the source ignores the query: 5 got the same records"
    assert set(rig.numbers) == {f"record {number}" for number in range(200)}
    assert len(shelf.log) == 20 + 4 * 3  # the other queries cost three pages each
    assert rig.policy.learned[1].is_left
    assert rig.head.state == OVER


async def test_a_source_that_ignores_the_query_is_seen_by_first_pages_alone() -> None:
    rig = Rig(shelf := IgnoringShelf(), policy=InOrder(least=1))
    reason = await rig.session.run()
    assert reason == "the source ignores the query: 5 got the same records"
    assert len(shelf.log) == 20 + 4


async def test_an_answer_is_left_when_the_policy_says_so() -> None:
    rig = Rig(Shelf(), policy=InOrder(least=8))
    await rig.session.run()
    first, second, *_ = rig.policy.learned
    assert (first.returned, first.is_left) == (100, False)
    assert (second.pages, second.is_left, second.is_cut) == (1, True, False)
    assert second.why == "the next page is not worth its request"


async def test_answers_that_only_begin_alike_are_read_on() -> None:
    """Ranked by something other than the query, frequent words share their first pages."""
    common = ("the", "of", "and", "in", "to", "a")
    shelf = Shelf([_wordy(number, common) for number in range(200)])
    rig = Rig(shelf, policy=InOrder(common))
    assert await rig.session.run() == NOTHING_LEFT
    assert len(rig.numbers) == 200


def _wordy(number: int, common: Sequence[str]) -> Record:
    """The first 25 have every word, the others one each."""
    words = common if number < 25 else common[number % len(common) :][:1]
    return structs.replace(record(number), cells=(Cell("words", " ".join(words)),))


async def test_changing_orders_and_totals_are_noted_once() -> None:
    rig = Rig(ShufflingShelf())
    assert await rig.session.run() == NOTHING_LEFT
    assert sorted(rig.noted) == sorted([MIXED, OTHER_TOTALS])
    assert len(rig.numbers) == len(set(rig.numbers)) > 150


async def test_a_harvest_ends_when_the_latest_queries_brought_nothing() -> None:
    words = [*WORDS, *(f"unknown {number}" for number in range(100))]
    for fresh in (0.001, float("nan")):
        rig = Rig(Shelf(), policy=InOrder(words, fresh=fresh), stopping=SOON)
        reason = await rig.session.run()
        assert "new records in the last" in reason
        assert set(rig.numbers) == reachable()


async def test_what_is_held_is_told_with_an_interval() -> None:
    rig = Rig(Shelf())
    await rig.session.run()
    coverage = rig.session.progress.coverage
    assert coverage is not None
    assert coverage.held == len(rig.numbers)
    assert coverage.low <= coverage.size
    assert coverage.high is None or coverage.size <= coverage.high


async def test_a_blocked_source_is_asked_again_later_and_then_left() -> None:
    troubles: dict[int, FetchError | Answer] = dict.fromkeys(range(13, 99), blocked("a login"))
    rig = Rig(shelf := TroubledShelf(troubles=troubles))
    assert await rig.session.run() == "blocked: a login"
    assert rig.pauses == [30.0]
    # The second try, and one for a query that was answered before.
    assert len(shelf.log) == 15 == rig.session.progress.tally.requests
    assert len(rig.numbers) == 100 + 5 + 5  # two pages of the second query, half of them new
    assert rig.head.state == OPEN
    # Let in again, the harvest goes on with the page that it did not get.
    again = Rig(shelf, store=rig.store)
    shelf.troubles = {}
    assert await again.session.run() == NOTHING_LEFT
    assert set(again.numbers) == reachable()
    asked = [entry for entry in shelf.log if not entry.startswith("trouble")]
    assert len(asked) == len(set(asked))


async def test_rate_limits_slow_the_harvest_down() -> None:
    rig = Rig(shelf := TroubledShelf(troubles={3: busy(90.0), 4: busy(), 20: busy()}))
    assert await rig.session.run() == NOTHING_LEFT
    assert rig.pauses == [90.0, 60.0, 30.0]
    assert set(rig.numbers) == reachable()
    assert rig.session.progress.tally.requests == len(shelf.log)
    paused = [event.detail for event in rig.store.reader.events() if event.kind == "harvest-paused"]
    assert paused[0] == "90 s: blocked: status 429"


async def test_a_site_that_asks_for_a_long_rest_is_left_for_this_run() -> None:
    rig = Rig(TroubledShelf(troubles={3: busy(7_200.0)}))
    assert await rig.session.run() == "blocked: status 429; come back in 7200 s"
    assert rig.pauses == []
    assert len(rig.numbers) == 20


async def test_what_robots_txt_forbids_is_not_tried_again() -> None:
    error = RobotsDeniedError(URL, "robots.txt forbids it")
    rig = Rig(shelf := TroubledShelf(troubles={1: error}))
    assert await rig.session.run() == "blocked: robots.txt forbids it"
    assert len(shelf.log) == 1


async def test_a_query_that_fails_for_good_is_passed_over() -> None:
    rig = Rig(TroubledShelf(troubles={11: BadResponseError(URL, "no HTTP")}))
    assert await rig.session.run() == NOTHING_LEFT
    lost = rig.policy.learned[1]
    assert (lost.pages, lost.requests, lost.is_left, lost.why) == (0, 1, True, "no HTTP")
    assert rig.words == list(WORDS)


async def test_too_many_failures_in_a_row_end_the_run() -> None:
    down = ConnectionFailedError(URL, "refused")
    waits = RetryRules(tries=2, pause_s=5.0)
    rig = Rig(
        shelf := TroubledShelf(troubles=dict.fromkeys(range(11, 99), down)),
        plan=SessionPlan(retries=waits),
    )
    assert await rig.session.run() == "gave up after 5 failures in a row: refused"
    assert len(shelf.log) == 10 + 5 * 2
    assert len(rig.numbers) == 100
    assert rig.head.state == OPEN


async def test_a_source_that_takes_no_query_is_left() -> None:
    words = [f"word {number}" for number in range(99)]
    troubles: dict[int, FetchError | Answer] = dict.fromkeys(range(1, 99), refused())
    rig = Rig(TroubledShelf(troubles=troubles), policy=InOrder(words))
    assert await rig.session.run() == "no query is looked up, 20 in a row: too short"


async def test_pages_cut_in_half_bring_what_they_show() -> None:
    rig = Rig(CutShelf())
    assert await rig.session.run() == NOTHING_LEFT
    assert 0 < len(rig.numbers) == len(set(rig.numbers)) <= 5 * len(WORDS)
    assert all(outcome.is_cut for outcome in rig.policy.learned if outcome.returned)


async def test_an_answer_that_is_one_record_is_kept() -> None:
    rig = Rig(TroubledShelf(troubles={1: straight_to(777)}), policy=InOrder(WORDS[:1]))
    await rig.session.run()
    assert rig.numbers == ["record 777"]


async def test_a_reason_from_outside_stops_it() -> None:
    shelf = Shelf()
    rig = Rig(shelf, why_stop=lambda: "budget: pages" if len(shelf.log) >= 3 else "")
    assert await rig.session.run() == "budget: pages"
    assert len(shelf.log) == 3


async def test_told_to_stop_it_ends_its_pause() -> None:
    rig = Rig(TroubledShelf(troubles={2: busy()}))

    async def never(_seconds: float) -> None:
        rig.session.stop()
        await asyncio.Event().wait()

    rig.session._sleep = never
    assert await rig.session.run() == "interrupted"
    assert len(rig.numbers) == 10


async def test_a_pause_is_no_longer_than_the_time_left() -> None:
    plan = SessionPlan(HarvestBudget(seconds=12.0))
    rig = Rig(TroubledShelf(troubles={2: busy()}), plan=plan)
    assert await rig.session.run() == "budget: seconds"
    assert rig.pauses == [12.0]


async def test_no_more_pages_than_the_policy_wants() -> None:
    store = MemoryStore()
    rig = Rig(Shelf(), store=store, policy=_Short())
    await rig.session.run()
    (outcome,) = rig.policy.learned
    assert (outcome.pages, outcome.is_left, outcome.is_cut) == (2, True, False)


class _Short(InOrder):
    def __init__(self) -> None:
        super().__init__(WORDS[:1])

    def choose(self):  # type: ignore[no-untyped-def]
        choice = super().choose()
        return choice and type(choice)(choice.query, 1.0, 1.0, "", max_pages=2)


def test_records_of_the_shelf_match_their_words() -> None:
    assert len(matching("alder", [record(number) for number in range(200)])) == 100
    counted = Counter(len(record(number).cells[0].text.split()) for number in range(8))
    assert counted == {0: 1, 1: 3, 2: 3, 3: 1}
