"""Puts harvests together from the settings: which forms, the source and policy of each, the run."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from functools import partial
from itertools import chain
from typing import Protocol

import msgspec
import uvloop
from msgspec import Struct, structs

from leadline.config import Config
from leadline.core.crawl import Event
from leadline.core.harvest import (
    NOTHING,
    OPEN,
    OVER,
    Answer,
    Harvest,
    HarvestCounts,
    HarvestId,
    HarvestSource,
    NextPage,
    Outcome,
    Query,
    Trail,
)
from leadline.core.http import Request
from leadline.core.page import TEMPLATE, Form, Page
from leadline.core.ports import Fetcher
from leadline.core.store import HarvestReader, HarvestRunStore, SessionStore, StoreReader
from leadline.core.url import AS_IT_IS, Site, Url, UrlJoiner, canonical, site_of
from leadline.crawler.harvests.crawl_harvests import make_source
from leadline.crawler.harvests.doors import (
    choose_words,
    group_doors,
    is_same_database,
    list_keys,
    make_peeks,
)
from leadline.crawler.harvests.look_around import find_answer_door, look_around
from leadline.crawler.network import add_archive, add_trials, make_fetcher, make_scope
from leadline.crawler.reader_losses import ReaderLosses
from leadline.crawler.search_descriptions import DESCRIPTION_TYPES
from leadline.crawler.store_calls import DirectCalls
from leadline.errors import ConfigError, FetchError, StoreLockedError, WrongTypeError
from leadline.forms.query import make_nonsense
from leadline.forms.searchable import open_searchable_judge
from leadline.forms.signature import signature
from leadline.forms.submit import order_forms, prepare, show_request, why_refused
from leadline.harvester.allocation import RequestAllocator
from leadline.harvester.answers.data_records import find_data_total
from leadline.harvester.answers.data_tree import read_data
from leadline.harvester.answers.reader import AnswerReader
from leadline.harvester.coverage import Coverage, CoverageMonitor, count_held_matches
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface
from leadline.harvester.paging import find_larger_size, find_next_page
from leadline.harvester.paging.data_pages import DataAnswer, find_next_data_page
from leadline.harvester.policies import make_policy
from leadline.harvester.reply import Reply
from leadline.harvester.session.pool import HarvestPool, SourceOpener
from leadline.harvester.session.retries import (
    BudgetedFetcher,
    GiveUpRules,
    HarvestBudget,
    RetryRules,
)
from leadline.harvester.session.session import OpenedSource, SessionPlan
from leadline.harvester.session.source import FormSubmitter, PagingFunctions, WebSource
from leadline.harvester.session.stored_coverage import estimate_stored_coverage
from leadline.harvester.session.stored_survey import StoredSurvey, read_site_words, run_survey
from leadline.harvester.settings import HarvestSettings
from leadline.harvester.survey.describe import describe_form
from leadline.harvester.survey.site_words import interleave_words
from leadline.harvester.survey.survey import survey_source
from leadline.page import parse_page
from leadline.page.opensearch import read_description
from leadline.page.templates import build_template_door, is_template
from leadline.store import is_crawled, open_harvests
from leadline.store.address import without_password
from leadline.store.care.checks import blame_damage

MakeOpener = Callable[[Config, SessionStore, Fetcher], SourceOpener]
OnPoolStart = Callable[[HarvestPool, HarvestRunStore], None]

ALL = "all"
"""Every stored form that a crawl would harvest."""
SAME_DATABASE = "the same database"
"""Reasons of forms that are not harvested, because another one opens onto the same, begin so."""
ANSWER_TYPES = (
    "application/json",
    "application/ld+json",
    "application/x-ndjson",
    "application/xml",
    "text/xml",
    "application/rss+xml",
    "application/atom+xml",
    "text/plain",
)
"""Content types of answers that are read beside those of pages."""
_MOST_DOORS = 3
"""Doors of one page that are compared."""
_ALIKE = 0.3
"""Difference of two probabilities of being searchable that the first answer may overturn."""
_VOUCHED = 1.0
"""Searchable, of a search that a person gave as such."""
_MOST_NAMED = 5
"""Forms named in the message that a prefix fits several."""
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Interface).decode
FIRST_QUERIES = 5
"""Queries of a form that a dry run shows. Later ones depend on answers."""


class FormSource(Protocol):
    """Where stored forms and harvests are found: any store, and any view of one."""

    @property
    def reader(self) -> StoreReader: ...

    @property
    def harvests(self) -> HarvestReader: ...


async def find_sources(
    wanted: str,
    store: FormSource,
    fetcher: Fetcher,
    config: Config,
    submitter: FormSubmitter | None = None,
) -> list[HarvestSource]:
    """Finds what to harvest: by signature, by the page that a form stands on, by the URL template
    of a search, or all of the store. With a `submitter` several forms of a page are compared by
    what they answer to a word.

    Raises ConfigError if nothing fits, FetchError for a page out of reach.
    """
    if is_template(wanted):
        return [_read_template(wanted, store, config)]
    if wanted != ALL and ("/" in wanted or "." in wanted):
        return [await _find_on_page(wanted, store, fetcher, config, submitter)]
    return find_stored_sources(wanted, store, config)


def find_stored_sources(wanted: str, store: FormSource, config: Config) -> list[HarvestSource]:
    """The same among what the store has. Raises ConfigError if nothing fits."""
    if wanted != ALL:
        return [_find_named(wanted, store)]
    found = [
        make_source(stored.judged)
        for stored in store.reader.forms()
        if stored.judged.relevant >= config.harvest.min_relevance
        and not why_refused(stored.judged.form, stored.judged.searchable, config.submit)
    ]
    if not found:
        raise ConfigError("the store has no relevant form that may be submitted; crawl for some")
    return found


def _find_named(wanted: str, store: FormSource) -> HarvestSource:
    harvested = (head.subject for head in store.harvests.all())
    found = (make_source(stored.judged) for stored in store.reader.forms())
    fitting: dict[str, HarvestSource] = {}
    for subject in chain(harvested, found):
        if subject.signature.startswith(wanted):
            fitting.setdefault(subject.signature, subject)
    if len(fitting) == 1:
        return next(iter(fitting.values()))
    if not fitting:
        raise ConfigError(
            f"no form {wanted!r} in the store; see leadline forms --all, or give a page's URL"
        )
    names = ", ".join(list(fitting)[:_MOST_NAMED])
    raise ConfigError(f"{len(fitting)} forms begin with {wanted!r}: {names}; write more of it")


async def _find_on_page(
    text: str,
    store: FormSource,
    fetcher: Fetcher,
    config: Config,
    submitter: FormSubmitter | None,
) -> HarvestSource:
    url = canonical(text if "://" in text else f"http://{text}", rules=config.urls.rules)
    if url is None:
        raise ConfigError(f"{text!r} is not an http(s) URL; write https://host/path")
    if reason := _why_left_to_crawl(store, site_of(url)):
        raise StoreLockedError(reason)
    types = config.web.accept_types
    accept = (*types, *DESCRIPTION_TYPES) if types else ()
    try:
        response = await fetcher.fetch(Request(url, accept=accept, is_meant=True))
    except WrongTypeError as error:
        # Data has no forms: its own address is the only door that it shows.
        if doors := find_answer_door(url, config):
            return doors[0]
        raise ConfigError(
            f"{url} is no page ({error.reason}), and nothing in its address is called like a "
            "query; write {query} where the words go: https://host/api?name={query}"
        ) from error
    kind = response.header("content-type")
    home = canonical("/", response.url)
    if home and (described := read_description(response.body, response.url, home, kind)):
        return choose_form(described, response.url, config)
    page = parse_page(response.body, response.url, kind, rules=config.urls.rules)
    found = await look_around(page, fetcher, config)
    if not found.doors:
        raise ConfigError(found.explain(response.url))
    if submitter is None or store.harvests.find(found.doors[0].signature) is not None:
        return found.doors[0]
    return await _choose_door(found.doors, submitter, fetcher, config)


async def _choose_door(
    doors: Sequence[HarvestSource], submitter: FormSubmitter, fetcher: Fetcher, config: Config
) -> HarvestSource:
    """The first door, if no other looks as much like a search; of several alike the one that
    answers a word of its page with most records."""
    best = doors[0]
    rivals = [one for one in doors[1:_MOST_DOORS] if best.searchable - one.searchable <= _ALIKE]
    if not rivals:
        return best
    counts = [await _count_shown(door, submitter, fetcher, config) for door in (best, *rivals)]
    return (best, *rivals)[counts.index(max(counts))]


async def _count_shown(
    door: HarvestSource, submitter: FormSubmitter, fetcher: Fetcher, config: Config
) -> int:
    """Records that a door shows for a word of its own page: one or two requests."""
    reader = AnswerReader(door.form)
    source = WebSource(
        *(door.form, door.searchable, fetcher, submitter, reader),
        PagingFunctions(find_page_after),
        settings=config.submit,
    )
    try:
        reply = await source.open()
        interface = describe_form(source.form, reply.page, config.topic.keywords)
        if not interface.boxes or not interface.words:
            return 0
        answer = await source.ask(interface.make_text_query(interface.words[0]))
    except FetchError:
        return 0
    return max(len(answer.records), answer.total or 0)


def _read_template(text: str, store: FormSource, config: Config) -> HarvestSource:
    """The search that a person describes by its address, with a place for the query."""
    address = text if "://" in text else f"http://{text}"
    home = canonical("/", address.partition("{")[0].partition("%s")[0])
    door = build_template_door(address, home, UrlJoiner(home, AS_IT_IS), TEMPLATE) if home else None
    if door is None or door.action is None:
        raise ConfigError(
            f"{text!r} is no search address; write https://host/path?q={{query}}, with {{query}} "
            "where the words stand, and not in the host or behind a #"
        )
    if reason := _why_left_to_crawl(store, site_of(door.action)):
        raise StoreLockedError(reason)
    # Whoever writes the address vouches that it searches; what is sent there is checked as ever.
    if why := why_refused(door, _VOUCHED, config.submit):
        raise ConfigError(f"{text!r} is not asked: {why}")
    return HarvestSource(signature(door), site_of(door.action), door, _VOUCHED)


def choose_form(forms: tuple[Form, ...], url: Url, config: Config) -> HarvestSource:
    """The best of a page's forms to ask. Raises ConfigError if none may be submitted."""
    judge = open_searchable_judge()
    refused = []
    for form in order_forms(forms, judge.chance):
        chance = judge.chance(form)
        why = why_refused(form, chance, config.submit)
        if not why:
            return HarvestSource(signature(form), site_of(form.action or form.page), form, chance)
        refused.append(why)
    why = f": {refused[0]}" if refused else ""
    raise ConfigError(f"none of the {len(forms)} forms on {url} may be submitted{why}")


def make_submitter(config: Config, fetcher: Fetcher, store: SessionStore) -> FormSubmitter:
    """Logs to the store, and takes answers that are data as well as pages."""
    types = config.web.accept_types
    return FormSubmitter(
        fetcher, store.note, time.time, accept=(*types, *ANSWER_TYPES) if types else ()
    )


def make_opener(config: Config, store: SessionStore, fetcher: Fetcher) -> SourceOpener:
    """Opens forms on the Web."""
    return FormOpener(config, store, fetcher).open


class FormOpener:
    """Surveys sources and makes their policies: the one place that joins asking and policies."""

    def __init__(self, config: Config, store: SessionStore, fetcher: Fetcher) -> None:
        self._config = config
        self._store = store
        self._fetcher = fetcher

    async def open(
        self, harvest: Harvest, why_stop: Callable[[], str], *, is_dry: bool = False
    ) -> OpenedSource | str:
        """Fetches the form's page, and surveys the source unless that was done."""
        settings = self._config.harvest
        # With the settings of this run: another policy continues from the same outcomes.
        subject = structs.replace(
            harvest.subject,
            policy=settings.policy,
            seed=settings.random_seed,
            settings=settings.model_dump_json().encode(),
        )
        if why := why_refused(subject.form, subject.searchable, self._config.submit):
            return f"refused: {why}"
        reader = AnswerReader(subject.form)
        if subject.reader:
            reader.restore(subject.reader)
        harvests = self._store.harvests
        fetcher: Fetcher = self._fetcher
        if not is_dry:
            most = settings.max_requests or None
            fetcher = BudgetedFetcher(fetcher, most, lambda: harvests.tally(harvest.id).requests)
        submitter = make_submitter(self._config, fetcher, self._store)
        source = WebSource(
            *(subject.form, subject.searchable, fetcher, submitter, reader),
            PagingFunctions(find_page_after, find_larger_size),
            settings=self._config.submit,
        )
        harvest = structs.replace(harvest, subject=subject)
        try:
            reply = await source.open()
        except FetchError as error:
            if not is_dry:
                spent = harvest.requests + error.requests
                self._store.harvests.keep(structs.replace(harvest, requests=spent))
            raise
        harvest = structs.replace(harvest, requests=harvest.requests + reply.response.requests)
        described = describe_form(source.form, reply.page, self._config.topic.keywords)
        if is_dry:
            return self._assemble(harvest, source, reader, described)
        survey = StoredSurvey(
            *(source, self._store, harvest),
            reader_state=reader.state,
            why_stop=lambda: why_stop() or source.why_scripted,
            now=time.time,
        )
        self._store.harvests.keep(harvest)
        if subject.interface:
            described = _decode(subject.interface)
        else:
            described = await self._survey(survey, source, described, reply.page, fetcher)
            if survey.stopped:
                return survey.stopped
        opened = self._assemble(survey.harvest, source, reader, described)
        relearn = partial(_relearn, source, reader, described)
        return structs.replace(opened, known=survey.known, relearn=relearn)

    async def _survey(
        self,
        survey: StoredSurvey,
        source: WebSource,
        described: Interface,
        page: Page,
        fetcher: Fetcher,
    ) -> Interface:
        """What the form can be asked, learned by asking; stored unless the survey had to stop. If
        it found nothing at all, words of the site are added."""
        steps = survey_source(described, survey.harvest.subject.signature, page.language)
        found = (await run_survey(survey, steps)).interface
        if not survey.stopped and not self._store.harvests.tally(survey.harvest.id).records:
            further = await read_site_words(source.form, page, fetcher, survey.spend)
            found = structs.replace(found, words=interleave_words(found.words, further))
        if not survey.stopped:
            packed = structs.replace(survey.harvest.subject, interface=_encode(found))
            survey.harvest = structs.replace(survey.harvest, subject=packed)
            self._store.harvests.keep(survey.harvest)
        return found

    def _assemble(
        self, harvest: Harvest, source: WebSource, reader: AnswerReader, interface: Interface
    ) -> OpenedSource:
        holdings, settings = Holdings(), self._config.harvest
        policy = make_policy(
            settings.policy, interface, holdings, settings=settings.own, seed=settings.random_seed
        )

        def sends(query: Query) -> str:
            values = dict(query.values)
            subject = harvest.subject
            return show_request(
                prepare(source.form, values, subject.searchable, self._config.submit)
            )

        return OpenedSource(
            harvest,
            source,
            policy,
            holdings,
            reader.state,
            monitor=CoverageMonitor(interface, settings.stopping),
            count_matches=lambda query: count_held_matches(holdings, interface, query),
            sends=sends,
            type_words=interface.make_text_query if interface.boxes else None,
        )


async def _relearn(
    source: WebSource,
    reader: AnswerReader,
    interface: Interface,
) -> int:
    """Learns anew how the source answers: its form's page, and what nonsense gets; the requests
    that took. What the reader knew of the old layout is forgotten."""
    reader.restore(AnswerReader(source.form).state())
    spent = 0
    try:
        spent += (await source.open()).response.requests
        box = next(iter(interface.boxes), None)
        for turn in range(2 if box else 0):
            word = make_nonsense(f"anew {source.form.page}", turn, box.max_length if box else 0)
            spent += (await source.ask_nonsense(interface.make_text_query(word))).requests
    except FetchError as error:
        spent += error.requests
    return spent


def find_page_after(
    reply: Reply, query: Query, asked: Request, turn: NextPage | None, keys: Sequence[str]
) -> NextPage | None:
    trail = (turn.trail if turn is not None else Trail()).after(asked, keys)
    found = find_next_page(reply, query, asked, trail, len(keys))
    if found is not None:
        return found
    tree = read_data(reply.response.body, reply.response.header("content-type"))
    if tree is None:
        return None
    total = find_data_total(tree, len(keys))
    return find_next_data_page(DataAnswer(tree, asked, len(keys), total), trail)


class HarvestSummary(Struct, frozen=True):
    """What one harvest brought."""

    harvest: Harvest
    tally: HarvestCounts
    reason: str
    coverage: Coverage | None = None
    """None if nothing came, or nothing was asked in this run."""


class HarvestResult(Struct, frozen=True):
    """How a run ended."""

    harvests: tuple[HarvestSummary, ...]
    store: str
    """Path of the store."""
    stopped: str = ""
    """Why all of them were told to stop; '' if they were not."""

    @property
    def drawn(self) -> tuple[HarvestSummary, ...]:
        """`harvests`, as programs written for earlier versions call them."""
        return self.harvests


def make_plan(settings: HarvestSettings) -> SessionPlan:
    """The settings of one session."""
    budget = HarvestBudget(
        settings.max_requests or None,
        settings.max_queries or None,
        settings.max_records or None,
        settings.max_seconds or None,
    )
    give_up = GiveUpRules(settings.max_failed_queries)
    retries = RetryRules(
        settings.max_tries,
        settings.max_blocked_tries,
        settings.retry_pause_s,
        settings.max_pause_s,
    )
    return SessionPlan(budget, give_up, retries)


def make_pool(
    config: Config, store: SessionStore, fetcher: Fetcher, opener: MakeOpener = make_opener
) -> HarvestPool:
    """Harvests forms with the crawl's own store and fetcher."""
    settings = config.harvest
    most = settings.max_total_requests or None
    has_common_budget = most is not None or (settings.during_crawl and config.budget.pages)
    is_competing = has_common_budget and settings.allocation == "yield"
    if most is not None:
        harvests = store.harvests
        used = sum(harvests.tally(head.id).requests for head in harvests.all())
        fetcher = BudgetedFetcher(fetcher, max(0, most - used), lambda: 0)
    pool = HarvestPool(
        store,
        fetcher,
        opener(config, store, fetcher),
        make_plan(config.harvest),
        concurrency=config.harvest.concurrency,
        with_details=config.harvest.details,
        now=time.time,
    )
    pool.max_requests = most
    if is_competing:
        pool.allocator = RequestAllocator(random.Random(settings.random_seed))
    return pool


def harvest_forms(
    config: Config,
    wanted: str,
    on_start: OnPoolStart | None = None,
    opener: MakeOpener = make_opener,
) -> HarvestResult:
    """Harvests a form (signature or page), or `all`, to the end.

    Raises ConfigError, StoreError, and FetchError if the form's page cannot be fetched.
    """
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(harvest_forms_async(config, wanted, on_start, opener))


async def harvest_forms_async(
    config: Config,
    wanted: str,
    on_start: OnPoolStart | None = None,
    opener: MakeOpener = make_opener,
) -> HarvestResult:
    """The same inside a running event loop. `on_start` gets the harvests to watch or steer."""
    async with open_store_and_web(config) as (store, fetcher):
        pool = make_pool(config, store, fetcher, opener)
        pool.why_not = partial(_why_left_to_crawl, store)
        if on_start is not None:
            on_start(pool, store)
        try:
            submitter = make_submitter(config, fetcher, store)
            sources = await find_sources(wanted, store, fetcher, config, submitter)
            for best, *others in group_doors(sources):
                pool.offer(best)
                first = best
                for other in others:
                    compare = partial(_compare_doors, pool, store, config, first, other)
                    pool.offer(other, compare)
                    first = other
            await pool.finish()
        finally:
            await pool.finish(at_once=True)
        return _summarize(pool, store, config)


async def _compare_doors(
    pool: HarvestPool,
    store: HarvestRunStore,
    config: Config,
    first: HarvestSource,
    other: HarvestSource,
) -> str:
    """Waits for the harvest of a site's earlier door, and asks the other what that found. Why the
    other is not harvested, or ''."""
    await pool.wait_for(first.signature)
    begun = [head for head in store.harvests.all() if head.subject.site == other.site]
    if pool.stopped or any(head.subject.signature == other.signature for head in begun):
        return ""
    held = {head.id: list_keys(store, head.id) for head in begun}
    rich = max(begun, key=lambda head: len(held[head.id]), default=None)
    if rich is None:
        return ""
    head = store.harvests.begin(other, time.time())
    try:
        answers, spent = await _peek(config, store, pool.fetcher, head, rich)
    except FetchError as error:
        answers, spent = [], error.requests
    head = structs.replace(head, requests=spent)
    is_same = is_same_database(answers, set().union(*held.values()))
    why = f"{SAME_DATABASE} as form {rich.subject.signature}" if is_same else ""
    store.harvests.keep(structs.replace(head, reason=why, state=OVER if why else OPEN))
    if why:
        store.note(Event(time.time(), "harvest-stopped", other.signature, why))
    return why


async def _peek(
    config: Config, store: SessionStore, fetcher: Fetcher, head: Harvest, known: Harvest
) -> tuple[list[Answer], int]:
    """What a form answers to words that an earlier harvest found something by, and the requests."""
    form = head.subject.form
    reader = AnswerReader(form)
    if known.subject.reader:
        # Read as the earlier one was: keys can be compared.
        reader.restore(known.subject.reader)
    source = WebSource(
        *(form, head.subject.searchable, fetcher),
        *(make_submitter(config, fetcher, store), reader, PagingFunctions(find_page_after)),
        settings=config.submit,
    )
    reply = await source.open()
    spent, answers = reply.response.requests, list[Answer]()
    interface = describe_form(source.form, reply.page)
    for query in make_peeks(interface, choose_words(store, known.id)):
        answer = await source.ask(query)
        spent += answer.requests
        answers.append(answer)
        if answer.records:
            break
    return answers, spent


@asynccontextmanager
async def open_store_and_web(config: Config) -> AsyncIterator[tuple[HarvestRunStore, Fetcher]]:
    """The store and the Web, both closed at the end."""
    with blame_damage(config.store.path), closing(open_harvests(config.store.path)) as store:
        scope = make_scope(config, [])

        def why_not(url: Url) -> str:
            return scope.why_not(url) or _why_left_to_crawl(store, site_of(url))

        losses = ReaderLosses(store, DirectCalls(), time.time)
        http = add_archive(config, make_fetcher(config, store, why_not))
        fetcher = add_trials(config, http, losses)
        try:
            yield store, fetcher
        finally:
            await fetcher.close()


def _why_left_to_crawl(store: FormSource, site: Site) -> str:
    """Why a site is not asked while a crawl runs on the same store; '' if it may be.

    Two processes know nothing of each other's requests: a site that the crawl may ask is the
    crawl's, so that it is still asked once at a time. Sites that the crawl has left are free."""
    if not is_crawled(store) or store.reader.site(site).closed:
        return ""
    return (
        f"blocked: a crawl on this store may ask {site}; wait until it has left the site or ended"
    )


def _summarize(pool: HarvestPool, store: HarvestRunStore, config: Config) -> HarvestResult:
    heads = {name: store.harvests.find(name) for name in pool.reasons}
    covered = {session.harvest.id: session.progress.coverage for session in pool.sessions()}
    harvests = tuple(
        HarvestSummary(
            head,
            store.harvests.tally(head.id),
            pool.reasons[name],
            # A harvest that ended while its form was surveyed had no session.
            covered.get(head.id) or estimate_stored_coverage(store.harvests, head),
        )
        for name, head in heads.items()
        if head is not None
    )
    return HarvestResult(harvests, without_password(config.store.path), pool.stopped)


class PlannedRequest(Struct, frozen=True):
    """A query, and exactly what would be sent for it."""

    form: str
    query: str
    fresh: float
    why: str
    request: str


async def plan_first_requests(
    config: Config, wanted: str, opener: MakeOpener = make_opener
) -> list[PlannedRequest]:
    """The first queries of each form that is meant, as if every one found nothing. Fetches the
    pages of forms, submits nothing."""
    planned: list[PlannedRequest] = []
    async with open_store_and_web(config) as (store, fetcher):
        open_form = opener(config, store, fetcher)
        for subject in await find_sources(wanted, store, fetcher, config):
            harvest = Harvest(HarvestId(0), subject, 0.0)
            opened = await open_form(harvest, str, is_dry=True)
            if isinstance(opened, str):
                planned.append(PlannedRequest(subject.signature, "", 0.0, opened, "nothing"))
            else:
                planned += _plan_requests(opened)
    return planned


def _plan_requests(opened: OpenedSource) -> list[PlannedRequest]:
    planned: list[PlannedRequest] = []
    while len(planned) < FIRST_QUERIES and (choice := opened.policy.choose()) is not None:
        opened.policy.learn(Outcome(choice.query, NOTHING))
        request = opened.sends(choice.query)
        name = opened.harvest.subject.signature
        planned.append(PlannedRequest(name, choice.query.text, choice.fresh, choice.why, request))
    return planned
