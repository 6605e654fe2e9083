"""One question to all databases that a store knows: each once, through its best form, politely.

`ask_databases` sends what `harvester.question_translation` decides, through the same gate, fetcher
and answer reader as a harvest. Nothing of an answer is stored; what is sent is logged in the store
as every submission is. A source that fails is an answer that says why.
"""

import asyncio
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct, structs

from leadline.config import Config
from leadline.core.harvest import (
    NOTHING,
    RECORD,
    REFUSED,
    RESULTS,
    UNCLEAR,
    Answer,
    HarvestSource,
    Query,
    Record,
)
from leadline.core.page import Form
from leadline.core.ports import Fetcher
from leadline.core.store import HarvestRunStore, SessionStore
from leadline.core.table import TopicSchema
from leadline.core.url import Url
from leadline.crawler.harvests.assembly import SAME_DATABASE, open_store_and_web
from leadline.crawler.harvests.crawl_harvests import make_source
from leadline.crawler.harvests.doors import group_doors
from leadline.crawler.harvests.source_choice import FormSource
from leadline.crawler.harvests.source_opener import find_page_after, make_submitter
from leadline.errors import BudgetSpentError, ConfigError, FetchError
from leadline.forms.form_data import is_typed
from leadline.forms.query import make_nonsense
from leadline.forms.submit import why_refused
from leadline.harvester.answers.reader import AnswerReader
from leadline.harvester.interface import Interface
from leadline.harvester.question import DatabaseQuestion
from leadline.harvester.question_translation import QuestionTranslation, translate_question
from leadline.harvester.reply import Reply
from leadline.harvester.session.retries import BudgetedFetcher
from leadline.harvester.session.source import PagingFunctions, WebSource

NOT_ASKED = "not asked"
"""The question cannot be put to the source, or may not be."""
FAILED = "failed"
"""The source was asked, and did not answer."""
_MOST_AT_ONCE = 32
"""Sources asked at the same time. They are different sites, and each has its own pauses."""
_decode = msgspec.msgpack.Decoder(Interface).decode


class AskLimits(Struct, frozen=True):
    """What a question may cost."""

    requests: int = 3
    """Of one source, the form's page, robots.txt and redirects included."""
    seconds: float = 60.0
    """Of all sources together, which are asked at the same time."""
    forms: tuple[str, ...] = ()
    """Signatures, or their beginnings, of the only forms to be asked; () for all."""

    def check(self) -> None:
        """Raises ConfigError for limits under which nothing can be asked."""
        if self.requests < 1:
            raise ConfigError(
                "at least one request of a source is needed; set requests to 1 to 100"
            )
        if not self.seconds > 0:
            raise ConfigError("seconds must be more than 0")


class SourceAnswer(Struct, frozen=True):
    """What one source said to a question."""

    source: HarvestSource
    translation: QuestionTranslation
    outcome: str
    """A kind of answer (`core.harvest.KINDS`), NOT_ASKED or FAILED."""
    records: tuple[Record, ...] = ()
    total: int | None = None
    """Matches as the source prints them."""
    url: Url = Url("")
    """Where the answer stands."""
    requests: int = 0
    seconds: float = 0.0
    is_cut: bool = False
    """The source has more than was fetched."""
    is_broader: bool = False
    """The question was put more broadly, because all of it brought nothing."""
    why: str = ""


def list_databases(store: FormSource, config: Config) -> list[list[HarvestSource]]:
    """The databases of a store that may be asked, each by its forms, the best one first."""
    found: dict[str, HarvestSource] = {}
    held = set()
    for head in store.harvests.all():
        found[head.subject.signature] = head.subject
        is_own = not head.reason.startswith(SAME_DATABASE)
        if is_own and store.harvests.tally(head.id).records:
            held.add(head.subject.signature)
    for stored in store.reader.forms():
        if stored.judged.relevant >= config.harvest.min_relevance:
            source = make_source(stored.judged)
            found.setdefault(source.signature, source)
    open_ones = (
        source
        for source in found.values()
        if not why_refused(source.form, source.searchable, config.submit)
    )
    return [one for doors in group_doors(open_ones) for one in _split_databases(doors, held)]


def _split_databases(
    doors: Sequence[HarvestSource], held: set[str]
) -> Iterator[list[HarvestSource]]:
    """Forms of one site are doors of one database, unless harvests found records behind several
    and did not find them to be the same."""
    own = [door for door in doors if door.signature in held]
    if len(own) < 2:
        yield list(doors)
        return
    yield [own[0], *(door for door in doors if door not in own)]
    yield from ([door] for door in own[1:])


def choose_databases(
    databases: Iterable[Sequence[HarvestSource]], wanted: Sequence[str]
) -> list[Sequence[HarvestSource]]:
    """Those with a form of these signatures. Raises ConfigError if one names none."""
    found: list[Sequence[HarvestSource]] = list(databases)
    if not wanted:
        return found
    chosen: list[Sequence[HarvestSource]] = []
    for name in wanted:
        doors = [door for one in found for door in one if door.signature.startswith(name)]
        if not doors:
            raise ConfigError(f"no form {name!r} may be asked; see leadline forms for signatures")
        chosen += [[door] for door in doors]
    return chosen


async def ask_databases(
    config: Config,
    question: DatabaseQuestion,
    schema: TopicSchema,
    limits: AskLimits,
) -> list[SourceAnswer]:
    """Asks all databases of the store that the settings name.

    Raises ConfigError if there is none, StoreError for the store.
    """
    limits.check()
    deadline = asyncio.get_running_loop().time() + limits.seconds
    gate = asyncio.Semaphore(_MOST_AT_ONCE)
    async with open_store_and_web(config) as (store, fetcher):
        databases = choose_databases(list_databases(store, config), limits.forms)
        if not databases:
            raise ConfigError("the store knows no database that may be asked; crawl for some")
        interfaces = _read_interfaces(store)

        async def ask_one(doors: Sequence[HarvestSource]) -> SourceAnswer:
            source, told = choose_door(doors, question, schema, interfaces)
            asked = _SourceQuestion(source, told, limits, config, store, fetcher)
            async with gate:
                return await asked.ask(deadline)

        return list(await asyncio.gather(*map(ask_one, databases)))


def _read_interfaces(store: HarvestRunStore) -> dict[str, Interface]:
    """What harvests learned about forms, by signature."""
    return {
        head.subject.signature: _decode(head.subject.interface)
        for head in store.harvests.all()
        if head.subject.interface
    }


def choose_door(
    doors: Sequence[HarvestSource],
    question: DatabaseQuestion,
    schema: TopicSchema,
    interfaces: Mapping[str, Interface],
) -> tuple[HarvestSource, QuestionTranslation]:
    """The form of a database that can be asked most of the question; the best one of equals."""
    told = [
        (door, translate_question(question, door.form, schema, interfaces.get(door.signature)))
        for door in doors
    ]
    return max(told, key=lambda one: one[1].weight)


class _SourceQuestion:
    """One question to one source; used once. Keeps what came, for when the time is over."""

    def __init__(
        self,
        source: HarvestSource,
        translation: QuestionTranslation,
        limits: AskLimits,
        config: Config,
        store: SessionStore,
        fetcher: Fetcher,
    ) -> None:
        self._source = source
        self._told = translation
        self._most = limits.requests
        self._records: dict[str, Record] = {}
        self._first: Answer | None = None
        self._spent = 0
        self._is_cut = False
        self._is_broader = False
        # One answer is all there is to learn from: that it shows the form once more is no refusal.
        self._reader = _LastReplyReader(AnswerReader(source.form, is_form_expected=True))
        if source.reader:
            self._reader.inner.restore(source.reader)
        budgeted = BudgetedFetcher(fetcher, limits.requests, lambda: 0)
        self._web = WebSource(
            *(source.form, source.searchable, budgeted),
            *(make_submitter(config, budgeted, store), self._reader),
            PagingFunctions(find_page_after),
            settings=config.submit,
        )

    async def ask(self, deadline: float) -> SourceAnswer:
        """Raises nothing but what a broken store raises."""
        if not self._told.values:
            return SourceAnswer(self._source, self._told, NOT_ASKED, why="; ".join(self._told.why))
        begun, why = time.monotonic(), ""
        try:
            async with asyncio.timeout_at(deadline):
                await self._ask()
        except TimeoutError:
            why = "the time for the question was over"
        except BudgetSpentError:
            why = f"{self._most} requests were not enough; --requests sets more"
        except FetchError as error:
            self._spent += error.requests
            why = f"{error.kind}: {error.reason}"
        first = self._first
        return SourceAnswer(
            *(self._source, self._told, first.kind if first else FAILED),
            records=tuple(self._records.values()),
            total=first.total if first else None,
            url=first.url if first else Url(""),
            requests=self._spent,
            seconds=round(time.monotonic() - begun, 3),
            is_cut=self._is_cut or bool(why and self._records),
            is_broader=self._is_broader,
            why=why or (first.why if first and first.kind not in (RESULTS, RECORD) else ""),
        )

    async def _ask(self) -> None:
        if _needs_page(self._source.form):
            self._spent += (await self._web.open()).response.requests
        query = Query(self._told.values)
        answer = await self._send(query)
        if answer.kind == UNCLEAR and self._is_left:
            answer = await self._compare_with_nonsense(query, answer)
        if answer.kind in (NOTHING, UNCLEAR, REFUSED) and self._told.broader and self._is_left:
            query, self._is_broader = Query(self._told.broader), True
            answer = await self._send(query)
        while answer.next_page is not None:
            if not self._is_left:
                self._is_cut = True
                return
            answer = await self._web.fetch_next_page(query, answer.next_page)
            self._take(answer)

    async def _compare_with_nonsense(self, query: Query, answer: Answer) -> Answer:
        """The same answer, read once more when it is known what a search for nothing gets: of a
        source never asked before, one record looks like no list."""
        nonsense = make_nonsense_query(self._web.form, query)
        last = self._reader.last
        if nonsense is None or last is None:
            return answer
        self._spent += (await self._web.ask_nonsense(nonsense)).requests
        read = self._reader.read(query, last)
        self._first = structs.replace(read, requests=0, url=answer.url)
        self._take(self._first)
        return self._first

    @property
    def _is_left(self) -> bool:
        return self._spent < self._most

    async def _send(self, query: Query) -> Answer:
        self._first = answer = await self._web.ask(query)
        self._take(answer)
        return answer

    def _take(self, answer: Answer) -> None:
        self._spent += answer.requests
        for record in answer.records:
            self._records.setdefault(record.key, record)


class _LastReplyReader:
    """Reads replies, and keeps the last one that was an answer."""

    def __init__(self, inner: AnswerReader) -> None:
        self.inner = inner
        self.last: Reply | None = None

    def take_nonsense(self, query: Query, reply: Reply) -> None:
        self.inner.take_nonsense(query, reply)

    def read(self, query: Query, reply: Reply) -> Answer:
        self.last = reply
        return self.inner.read(query, reply)


def make_nonsense_query(form: Form, query: Query) -> Query | None:
    """The query with nonsense in place of what it types; None if it types nothing."""
    boxes = {field.name: field for field in form.fields if is_typed(field)}
    typed = {name: boxes[name] for name, value in query.values if value and name in boxes}
    wordy = [name for name, field in typed.items() if field.kind in ("text", "search")]
    if not wordy:
        return None
    nonsense = make_nonsense(form.page, 0, typed[wordy[0]].max_length)
    return Query(tuple((n, nonsense if n == wordy[0] else v) for n, v in query.values))


def _needs_page(form: Form) -> bool:
    """Whether the form's page must be fetched first, for cookies and values that grow old. A search
    that is nothing but its address needs neither."""
    return form.method != "get" or any(field.kind == "hidden" for field in form.fields)
