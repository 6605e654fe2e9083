"""One odd page is no proof: what is believed of a source is tested before it is acted on."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from msgspec import structs

from leadline.core.harvest import (
    NOTHING,
    RESULTS,
    Answer,
    Choice,
    NextPage,
    Outcome,
    Query,
    ResultPage,
    StoredQuery,
)
from leadline.core.http import Request
from leadline.core.store import Store
from leadline.core.url import Url
from leadline.harvester import beliefs
from leadline.harvester.beliefs import Belief, Evidence, SourceBeliefs, doubt_event, read_doubt
from leadline.harvester.coverage import CoverageMonitor
from leadline.harvester.session.answer_pages import AnswerPages
from leadline.harvester.session.session import (
    NOTHING_LEFT,
    HarvestSession,
    OpenedSource,
    SessionPlan,
)
from leadline.store.memory import MemoryStore
from tests.harvester.session.sources import Held, InOrder, Shelf, blocked, record
from tests.harvester.session.test_session import LASTING, Rig, reachable
from tests.store.harvest_samples import subject

_REQUEST = Request(Url("http://shelf.test/?page=2"))
_ASKED = StoredQuery(1, Query.of(q="x"), 0.0)
_PAGE = ResultPage(1, 1, 0.0, RESULTS, is_total_exact=True)


def beliefs_of(store: Store) -> SourceBeliefs:
    head = next(store.harvests.all())
    found = SourceBeliefs()
    found.learn_all(store.harvests.queries(head.id), store.reader.events())
    return found


@dataclass
class HelpfulShelf(Shelf):
    """Shows its help page, which speaks of a quota, for one word, however often it is asked."""

    odd: str = "cedar"

    def _page(self, query: Query, number: int) -> Answer:
        if query.text == self.odd:
            self.log.append(f"help for {query.text}")
            return blocked("it says 'quota'")
        return super()._page(query, number)


async def test_one_page_that_speaks_of_a_ban_ends_one_query_and_not_the_harvest() -> None:
    rig = Rig(HelpfulShelf())
    assert await rig.session.run() == NOTHING_LEFT
    assert len(rig.numbers) > 0.9 * len(reachable())
    held = beliefs_of(rig.store)[beliefs.BLOCKED]
    assert held.against == 1
    assert not held.is_held
    assert "is answered" in held.why


async def test_a_deep_page_that_is_kept_out_ends_one_answer() -> None:
    class Shallow(Shelf):
        def _page(self, query: Query, number: int) -> Answer:
            if number > 3:
                self.log.append(f"{query.text} {number}")
                return blocked("too deep")
            return super()._page(query, number)

    rig = Rig(Shallow())
    assert await rig.session.run() == NOTHING_LEFT
    deep = [one.outcome for one in rig.store.harvests.queries(rig.head.id) if one.outcome]
    assert [outcome.is_cut for outcome in deep if outcome.returned >= 30] == [True] * len(
        [outcome for outcome in deep if outcome.returned >= 30]
    )


@dataclass
class ChangingShelf(Shelf):
    """From some request on its pages are of another layout, which only a reader that learned it
    anew can read."""

    changes_at: int = 12
    is_learned: bool = False
    learned: list[int] = field(default_factory=list)

    def _page(self, query: Query, number: int) -> Answer:
        answer = super()._page(query, number)
        if len(self.log) <= self.changes_at or self.is_learned:
            return answer
        return Answer(NOTHING, url=answer.url)

    async def relearn(self) -> int:
        self.is_learned = True
        self.learned.append(len(self.log))
        return 3


def session_of(
    source: Shelf, store: MemoryStore, relearn: Callable[[], Awaitable[int]] | None = None
) -> HarvestSession:
    head = store.harvests.begin(structs.replace(subject(), interface=b""), 0.0)
    opened = OpenedSource(
        head, source, InOrder(), Held(), monitor=CoverageMonitor(settings=LASTING), relearn=relearn
    )
    return HarvestSession(store, opened, SessionPlan(), now=lambda: 0.0)


async def test_a_layout_that_changes_in_mid_harvest_raises_an_alarm_and_is_learned_anew() -> None:
    store, shelf = MemoryStore(), ChangingShelf()
    reason = await session_of(shelf, store, shelf.relearn).run()
    assert reason == NOTHING_LEFT
    assert shelf.learned
    assert "harvest-alarmed" in [event.kind for event in store.reader.events()]
    held = beliefs_of(store)[beliefs.LAYOUT]
    assert (held.support, held.against) == (1, 1)
    # The queries in between are lost, no others.
    assert len([*store.harvests.records()]) > 150


async def test_a_source_that_shows_nothing_any_more_is_never_taken_for_exhausted() -> None:
    store = MemoryStore()
    reason = await session_of(ChangingShelf(), store).run()
    assert reason.startswith("changed: ")
    (head,) = store.harvests.all()
    assert head.state == "open"


def read(pages: list[int], total: int) -> Outcome:
    """The outcome of pages with so many records each, the rest of the numbers unread."""
    shelf = AnswerPages(_ASKED)
    key = 0
    for number, count in enumerate(pages, start=1):
        keys = tuple(range(key, key + count))
        key += count
        request = Request(Url(f"http://shelf.test/?page={number + 1}"))
        turn = NextPage(request, "link", number + 1) if number < len(pages) else None
        shelf.add(
            structs.replace(
                _PAGE, number=number, keys=keys, fresh=count, total=total, next_page=turn
            )
        )
    return shelf.outcome()


def test_one_row_that_was_not_read_is_no_cap() -> None:
    assert not read([4_253], 4_257).is_cut
    assert read([100], 4_257).is_cut


def test_pages_as_many_as_the_total_has_were_all_read() -> None:
    assert not read([10, 8, 9], 30).is_cut
    assert read([10, 10, 10], 50).is_cut


def test_a_first_page_that_the_survey_had_does_not_speak_against_the_pages_behind_it() -> None:
    pages = AnswerPages(_ASKED)
    turn = NextPage(_REQUEST, "link", 2)
    keys = tuple(range(10))
    pages.add(structs.replace(_PAGE, keys=keys, fresh=0, requests=0, next_page=turn))
    assert (pages.make_reading().latest, pages.make_reading().fresh) == (10, 10)
    assert pages.outcome().fresh == 0


def test_a_harvest_that_holds_all_but_a_few_of_what_was_listed_ends() -> None:
    monitor = CoverageMonitor()
    listing = Outcome(Query(()), RESULTS, 4_253, 4_253, 4_257, True, 86, 86)
    monitor.learn(listing, range(4_253))
    assert "4,253 of the 4,257" in monitor.why_stop(Choice(Query.of(q="x"), 5.0, 1.0))
    left = CoverageMonitor()
    left.learn(structs.replace(listing, is_left=True), range(4_253))
    assert not left.why_stop(Choice(Query.of(q="x"), 5.0, 1.0))


def test_evidence_survives_the_store() -> None:
    evidence = Evidence(beliefs.BLOCKED, 0, 1, "'x': got '+1 -2: odd', while 'y' is answered")
    assert read_doubt(doubt_event(1.0, "abc", evidence)) == evidence


def test_beliefs_weigh_what_speaks_for_and_against_them() -> None:
    found = SourceBeliefs()
    for number in range(5):
        found.learn(Outcome(Query.of(q=str(number)), RESULTS, 100, 100, 500, True, 10, 10, True))
    cap = found[beliefs.CAP]
    assert (cap.support, cap.against, cap.is_held) == (5, 0, True)
    assert "100" in cap.value
    found.learn(Outcome(Query.of(q="more"), RESULTS, 180, 180, 500, True, 18, 18, True))
    assert not found[beliefs.CAP].is_held
    assert Belief("any", "").chance == 0.5


def test_a_page_that_shows_all_before_it_is_the_same_answer_grown() -> None:
    pages = AnswerPages(structs.replace(_ASKED, max_pages=None))
    for number, size in enumerate((10, 20, 40, 43), start=1):
        page = structs.replace(
            _PAGE,
            number=number,
            keys=tuple(range(size)),
            fresh=size - (0, 10, 20, 40)[number - 1],
            next_page=NextPage(Request(Url(f"http://shelf.test/?n={number}")), "link")
            if number < 4
            else None,
            requests=1,
            total=43,
        )
        pages.add(page)
    outcome = pages.outcome()
    assert (outcome.returned, outcome.fresh, outcome.is_cut) == (43, 43, False)
    assert not pages.is_mixed


@dataclass
class GrowingShelf(Shelf):
    """Gets a record at the head of its list with every request: what was last on a page is first on
    the next one."""

    def _page(self, query: Query, number: int) -> Answer:
        answer = super()._page(query, number)
        if len(self.log) <= 100:
            self.records = (record(1_000 + len(self.log)), *self.records)
        return answer


async def test_a_list_that_grows_while_it_is_read_is_read_to_its_end() -> None:
    store, shelf = MemoryStore(), GrowingShelf()
    reason = await session_of(shelf, store).run()
    assert reason == NOTHING_LEFT
    numbers = {one.record.title for one in store.harvests.records()}
    assert {one.title for one in Shelf().records if one.cells[0].text} <= numbers
    assert "changed" not in reason
    assert beliefs_of(store)[beliefs.KEYS].is_held
