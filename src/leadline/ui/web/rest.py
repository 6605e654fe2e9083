"""The REST API: everything that the dashboard shows, as JSON, and what people tell a crawl."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import FileResponse, StreamingResponse
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, Field, field_validator
from starlette.concurrency import run_in_threadpool

from leadline.config import BudgetSettings, settings_file
from leadline.config.runs import settle_harvest
from leadline.core.crawl import Event, SiteState
from leadline.core.inbox import Label, Order
from leadline.core.store import RunState
from leadline.crawler.asking import AskLimits
from leadline.forms.submit import why_refused
from leadline.records.asking import AnswerTable, Asker
from leadline.records.dataset import DataColumn
from leadline.records.things_file import ThingDetail, ThingQuery, ThingsFile, read_filters
from leadline.store.inbox import open_inbox
from leadline.ui.web.crawl_starter import CrawlStarter, HarvestStart
from leadline.ui.web.errors import ApiError, ErrorAnswer, not_found
from leadline.ui.web.schema import StoreRoute
from leadline.ui.web.things_cache import ThingsCache, ThingsState
from leadline.views import directory, explanation, harvests, inbox, learned, overview
from leadline.views.directory import DirectoryRow, FormDetail, FormQuery, SiteQuery
from leadline.views.explanation import Explanation
from leadline.views.harvests import (
    HarvestDetail,
    HarvestStatus,
    QueryRow,
    RecordRow,
    RecordSort,
    find_harvest,
)
from leadline.views.inbox import LabelRow
from leadline.views.learned import LearnedReport
from leadline.views.listing import LARGEST, MOST, Listing
from leadline.views.mirror.harvests import HarvestMirror
from leadline.views.mirror.store import StoreMirror
from leadline.views.overview import Comparison, Overview, Pulse, StoreSummary

API = "/api/v1"
START = "start"
"""An order that is carried out here: there is no crawl yet that could."""
EVERY_S = 1.0
HEARTBEAT_S = 15.0
"""Proxies close a connection that is silent for a minute."""
_MOST_BUDGET = 10**15
_MOST_REQUESTS = 10**9

Offset = Annotated[int, Query(ge=0, le=LARGEST, description="Leave out so many.")]
Limit = Annotated[int, Query(ge=1, le=MOST, description="Show at most so many.")]
Signature = Annotated[
    str, Path(min_length=1, max_length=64, description="A form's signature, or its beginning.")
]
StoreName = Annotated[str, Path(min_length=1, max_length=200, description="A store's name.")]
NamedStore = Annotated[str, Query(min_length=1, max_length=200, description="A store's name.")]
Responses = dict[int | str, dict[str, Any]]


def find_store(request: Request, store: StoreName) -> StoreMirror:
    """Raises ApiError for a store that is not served."""
    stores: dict[str, StoreMirror] = request.app.state.stores
    found = stores.get(store)
    if found is None:
        raise not_found("there is no such store", store, f"there are: {', '.join(stores)}")
    return found


ServedStore = Annotated[StoreMirror, Depends(find_store)]
"""As a parameter `mirror`, it is up to date; under another name it is as the last look left it."""


def _error_answers(told: dict[int, str]) -> Responses:
    return {status: {"model": ErrorAnswer, "description": why} for status, why in told.items()}


_ERRORS = _error_answers(
    {
        401: "A token is needed.",
        403: "The server is not known by this name, or another site's page asked.",
        404: "There is no such thing.",
        422: "What was sent cannot be read, or cannot be done.",
    }
)
_WRITE_ERRORS = _error_answers(
    {
        400: "The body is no JSON.",
        409: "Not at the moment.",
        413: "The body is too large.",
        415: "Only JSON is taken.",
    }
)
# Only for the schema: the access guard checks the token before any route is found.
_bearer = HTTPBearer(
    auto_error=False, description="Needed by servers that are reached from other machines."
)

router = APIRouter(
    prefix=API, route_class=StoreRoute, responses=_ERRORS, dependencies=[Depends(_bearer)]
)


@router.get("/stores", tags=["stores"])
def list_stores(request: Request) -> tuple[StoreSummary, ...]:
    """The stores that are served."""
    return summarize_stores(request)


def summarize_stores(request: Request) -> tuple[StoreSummary, ...]:
    stores: dict[str, StoreMirror] = request.app.state.stores
    found = []
    for mirror in stores.values():
        with mirror.refresh():
            found.append(overview.summarize(mirror))
    return tuple(found)


@router.get("/compare", tags=["stores"])
def compare_stores(request: Request, left: NamedStore, right: NamedStore) -> Comparison:
    """Two stores side by side."""
    return overview.compare_stores(find_store(request, left), find_store(request, right))


@router.get("/stores/{store}/overview", tags=["crawl"])
def get_overview(mirror: ServedStore) -> Overview:
    """How a crawl is doing: curve, rate, queues, speed, errors, politeness, runs."""
    return overview.read_overview(mirror)


@router.get("/stores/{store}/learned", tags=["crawl"])
def get_learned(mirror: ServedStore) -> LearnedReport:
    """What the crawler has learned: words by iteration, weights, ranked sites, calibration."""
    return learned.read_learned(mirror)


@router.get("/stores/{store}/sites", tags=["crawl"])
def list_sites(mirror: ServedStore, wanted: Annotated[SiteQuery, Query()]) -> Listing[SiteState]:
    """Sites that were asked something, one page of them."""
    return directory.list_sites(mirror, wanted)


@router.get("/stores/{store}/events", tags=["crawl"])
def list_events(
    mirror: ServedStore,
    offset: Offset = 0,
    limit: Limit = 50,
    kind: Annotated[str, Query(max_length=50, description="Only of this kind.")] = "",
) -> Listing[Event]:
    """What happened besides visits, the latest first; samples of queues only when asked for."""
    return overview.list_events(mirror, offset, limit, kind)


@router.get("/stores/{store}/explain", tags=["crawl"])
def explain(
    mirror: ServedStore,
    subject: Annotated[
        str,
        Query(min_length=1, max_length=4_000, description="A URL, a site, or a form's signature."),
    ],
) -> Explanation:
    """Why something was ranked, followed, skipped or accepted."""
    return explanation.explain_from_mirror(mirror, subject)


@router.get("/stores/{store}/forms", tags=["forms"])
def list_forms(mirror: ServedStore, wanted: Annotated[FormQuery, Query()]) -> Listing[DirectoryRow]:
    """The directory of databases found, one page of it."""
    return directory.list_forms(mirror, wanted)


@router.get("/stores/{store}/forms/{signature}", tags=["forms"])
def get_form(mirror: ServedStore, signature: Signature) -> FormDetail:
    """All about one form."""
    return directory.describe_form(mirror, find_form(mirror, signature))


def find_form(mirror: StoreMirror, signature: str) -> int:
    """The form's number in the mirror. Raises ApiError for one that was never met."""
    at = mirror.forms.find(signature)
    if at is None:
        raise not_found("no such form was met", signature, "see the directory for signatures")
    return at


def find_begun_harvest(mirror: StoreMirror, signature: str) -> HarvestMirror:
    """Raises ApiError for a form without a harvest."""
    found = find_harvest(mirror, signature)
    if found is None:
        todo = "see the list of harvests, or begin one: leadline harvest FORM STORE"
        raise not_found("this form has no harvest", signature, todo)
    return found


@router.get("/stores/{store}/harvests", tags=["harvests"])
def list_harvests(
    mirror: ServedStore, offset: Offset = 0, limit: Limit = 50
) -> Listing[HarvestStatus]:
    """Harvests, the latest first."""
    return harvests.list_harvests(mirror, offset, limit)


class HarvestRequest(BaseModel):
    """Which records are to be extracted."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    form: str = Field(min_length=1, max_length=64, description="A form's signature.")
    requests: int = Field(
        200, ge=1, le=_MOST_REQUESTS, description="That it may send, beside those sent so far."
    )


@router.post("/stores/{store}/harvests", responses=_WRITE_ERRORS, tags=["steering"])
def start_harvest(request: Request, store: ServedStore, asked: HarvestRequest) -> HarvestStart:
    """Extract the records behind a form, in a process of its own, with the settings of the store's
    last run.

    It resumes where an earlier harvest of the form stopped. A form that must not be submitted is
    refused with the reason. `run` tells how it fares.
    """
    with store.refresh():
        judged = directory.find_judged(store, find_form(store, asked.form))
        harvest = find_harvest(store, judged.signature)
        done = harvest.requests if harvest else 0
    config = settle_harvest(settings_file(None), {"store.path": str(store.path)})
    if why := why_refused(judged.form, judged.searchable, config.submit):
        raise ApiError(
            409, f"the form is not submitted: {why}", judged.signature, "see its page for its parts"
        )
    starter: CrawlStarter = request.app.state.starter
    return starter.start_harvest(store.path, judged.signature, done + asked.requests)


@router.get("/stores/{store}/harvests/{signature}/run", tags=["harvests"])
def get_harvest_run(request: Request, mirror: ServedStore, signature: Signature) -> HarvestStart:
    """Whether the harvest of a form that was started here still runs, and what it said last."""
    starter: CrawlStarter = request.app.state.starter
    found = starter.find_harvest(mirror.path, signature)
    if found is None:
        raise not_found("no harvest of this form was started here", signature, "start one")
    return found


@router.get("/stores/{store}/harvests/{signature}", tags=["harvests"])
def get_harvest(mirror: ServedStore, signature: Signature) -> HarvestDetail:
    """How a harvest is doing: coverage with its interval, caps, how often records were seen."""
    return harvests.describe_harvest(mirror, find_begun_harvest(mirror, signature))


@router.get("/stores/{store}/harvests/{signature}/queries", tags=["harvests"])
def list_queries(
    mirror: ServedStore,
    signature: Signature,
    offset: Offset = 0,
    limit: Limit = 50,
    latest: Annotated[bool, Query(description="The latest first.")] = False,
) -> Listing[QueryRow]:
    """What was asked, in order, and what each query brought."""
    harvest = find_begun_harvest(mirror, signature)
    return harvests.list_queries(mirror, harvest, offset, limit, is_newest_first=latest)


@router.get("/stores/{store}/harvests/{signature}/records", tags=["harvests"])
def list_records(
    mirror: ServedStore,
    signature: Signature,
    offset: Offset = 0,
    limit: Limit = 50,
    sort: Annotated[RecordSort, Query(description="`most-seen`: duplicates first.")] = "first",
) -> Listing[RecordRow]:
    """The records of a harvest."""
    harvest = find_begun_harvest(mirror, signature)
    return harvests.list_records(mirror, harvest, offset, limit, sort)


class ThingsPage(Listing[dict[str, Any]], frozen=True):
    """One page of the table of things: each once, from all sources."""

    columns: tuple[DataColumn, ...]
    """Those of the topic; `id`, `sources` and `conflicts` are in every row besides."""
    table: ThingsState
    """As of when it is."""


def look_at_things(request: Request, store: StoreMirror) -> tuple[ThingsFile | None, ThingsState]:
    """The table as it was last made; a look has it made if there is none or it is old."""
    with store.refresh():
        records = sum(one.records for one in store.harvests.by_id.values())
    cache: ThingsCache = request.app.state.things
    return cache.look(store.path, records)


def find_things(request: Request, store: StoreMirror) -> ThingsFile:
    """Raises ApiError while there is no table."""
    file, state = look_at_things(request, store)
    if file is None:
        todo = "harvest a form" if state.state == "empty" else "ask again in a moment"
        raise not_found("there is no table of records yet", state.said or state.state, todo)
    return file


@router.get("/stores/{store}/things", tags=["records"])
def list_things(
    request: Request,
    store: ServedStore,
    q: Annotated[str, Query(max_length=500, description="Beginnings of words.")] = "",
    sort: Annotated[
        str, Query(max_length=200, description="A column; `-year`: the largest first.")
    ] = "",
    offset: Offset = 0,
    limit: Limit = 50,
) -> ThingsPage:
    """The records of all sources as one table, each thing once, one page of it.

    Columns are filtered by parameters named after them: `title.has=dune`, `year.from=1960`,
    `year.to=1969`, `sources.from=2`, `conflicts.is=yes`. The table is made in the background:
    `table.state` is `making` before the first one, and `table.newer` counts records that
    came since.
    """
    file, state = look_at_things(request, store)
    if file is None:
        return ThingsPage((), 0, offset, limit, (), state)
    filters = read_filters(request.query_params)
    found = file.find(ThingQuery(q, sort, filters, offset, limit))
    return ThingsPage(found.items, found.total, offset, limit, file.columns, state)


_BYTES = "application/octet-stream"
FormatName = Annotated[
    str, Path(max_length=20, description="sqlite, csv, parquet, xlsx, jsonl, or a plug-in's.")
]


@router.get(
    "/stores/{store}/things/download/{format_name}",
    responses={200: {"description": "The whole table as a file.", "content": {_BYTES: {}}}},
    tags=["records"],
)
def download_things(request: Request, store: ServedStore, format_name: FormatName) -> FileResponse:
    """The whole table as a file, as `leadline export` writes it."""
    cache: ThingsCache = request.app.state.things
    file = find_things(request, store)
    return FileResponse(
        cache.write(file, format_name),
        media_type=_BYTES,
        filename=f"{store.name}.things.{format_name}",
    )


@router.get("/stores/{store}/things/{number}", tags=["records"])
def get_thing(
    request: Request,
    store: ServedStore,
    number: Annotated[int, Path(ge=0, le=LARGEST, description="Its id.")],
) -> ThingDetail:
    """A thing with every value of every source, which are shown, and where they are from."""
    found = find_things(request, store).describe(number)
    if found is None:
        raise not_found("there is no such thing", str(number), "see the table for ids")
    return found


class LabelRequest(BaseModel):
    """A person's verdict on a form or page."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    what: Literal["form", "page"]
    subject: str = Field(min_length=1, max_length=4000)
    verdict: Literal["right", "wrong", "none"] = Field(description="none takes a label back.")


@router.get("/stores/{store}/labels", tags=["steering"])
def list_labels(mirror: ServedStore, offset: Offset = 0, limit: Limit = 50) -> Listing[LabelRow]:
    """The labels in force, the latest first, with scores before and after learning from them."""
    return inbox.list_labels(mirror, offset, limit)


@router.post("/stores/{store}/labels", responses=_WRITE_ERRORS, tags=["steering"])
def give_a_label(mirror: ServedStore, asked: LabelRequest) -> LabelRow:
    """Call a form or page right or wrong, or take that back."""
    label = Label(asked.what, asked.subject, asked.verdict, time.time())
    given = inbox.give_label(mirror, open_inbox(mirror.path), label)
    if given is None:
        todo = "give a form's signature, or the URL of a page that was visited"
        raise not_found(f"no such {asked.what} was met", asked.subject[:200], todo)
    return given


class BudgetRequest(BudgetSettings):
    """New limits; what is not named stays as it is, 0 or null is without limit."""

    @field_validator("*", mode="before")
    @classmethod
    def _no_limit(cls, value: object) -> object:
        return 0 if value is None else value

    @field_validator("*")
    @classmethod
    def _check_bound(cls, value: float) -> float:
        # SQLite counts to 9e18, and sums of budgets must stay below.
        if value > _MOST_BUDGET:
            raise ValueError(f"at most {_MOST_BUDGET}")
        return value


class OrderRequest(BaseModel):
    """What a crawl is to do."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["start", "pause", "resume", "stop", "budget", "seeds", "exclude"]
    budget: BudgetRequest | None = Field(None, description="For `budget`.")
    urls: tuple[str, ...] = Field((), max_length=10_000, description="For `seeds`.")
    sites: tuple[str, ...] = Field((), max_length=10_000, description="For `exclude`.")

    def order(self, at: float) -> Order:
        """Raises ConfigError for an order that says nothing, or names what is no URL or site."""
        limits = self.budget.model_dump(exclude_unset=True) if self.budget else {}
        return inbox.make_order(self.kind, at, (*self.urls, *self.sites), limits)


@router.get("/stores/{store}/orders", tags=["steering"])
def list_orders(mirror: ServedStore, offset: Offset = 0, limit: Limit = 50) -> Listing[Order]:
    """Orders to the crawl, the latest first, and what became of them."""
    return inbox.list_orders(mirror, offset, limit)


@router.post("/stores/{store}/orders", responses=_WRITE_ERRORS, tags=["steering"])
def give_an_order(request: Request, store: ServedStore, asked: OrderRequest) -> Order:
    """Start, pause, resume or stop the crawl, change budgets, add seeds, exclude sites.

    `start` resumes the crawl of the store in a process of its own, with the settings of its last
    run. All others wait in the store's inbox for the crawl that runs, which looks there twice a
    second; budgets, seeds and sites also wait for the next one.
    """
    if asked.kind == START:
        return _start(store, request.app.state.starter)
    return open_inbox(store.path).give(asked.order(time.time()))


def _start(store: StoreMirror, starter: CrawlStarter) -> Order:
    if not store.settings:
        raise ApiError(
            409,
            "this store was never crawled: there are no settings to resume with",
            store.name,
            "crawl it once: leadline crawl TOPIC --seeds ... --store ...",
        )
    log, at = starter.start(store.path), time.time()
    outcome = f"started; its output goes to {log.name} beside the store"
    return Order(START, at, done_at=at, outcome=outcome)


class AskRequest(BaseModel):
    """A question to the databases of a store."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    words: str = Field("", max_length=1_000, description="Words to look for.")
    fields: dict[str, str] = Field(
        default_factory=dict,
        max_length=50,
        description='Conditions by field: {"author": "Le Guin", "year": "1990..2000", '
        '"price": "<=20"}.',
    )
    requests: int = Field(3, ge=1, le=100, description="Of one source, at most.")
    seconds: float = Field(60.0, gt=0, le=600, description="Of the whole question, at most.")
    forms: tuple[str, ...] = Field(
        (), max_length=1_000, description="Signatures of the only forms to be asked."
    )


@router.post("/stores/{store}/ask", responses=_WRITE_ERRORS, tags=["records"])
def ask_databases(request: Request, store: ServedStore, asked: AskRequest) -> AnswerTable:
    """One question to all databases of the store, each once: the answers as one typed table.

    Which control got what, and what could not be asked, is said for each source. Every submission
    is logged in the store.
    """
    config = settle_harvest(None, {"store.path": str(store.path)})
    limits = AskLimits(asked.requests, asked.seconds, asked.forms)
    texts = [asked.words] if asked.words.strip() else []
    asker: Asker = request.app.state.asker
    return asyncio.run(asker(config, texts, asked.fields, limits))


class EventStream(StreamingResponse):
    media_type = "text/event-stream"


@router.get("/stores/{store}/pulse", tags=["crawl"])
def get_pulse(mirror: ServedStore) -> Pulse:
    """The few figures that change while a crawl runs, once; `stream` sends them as they change."""
    return overview.read_pulse(mirror)


@router.get(
    "/stores/{store}/stream",
    response_class=EventStream,
    responses={200: {"description": "Events named `change`, whose data is a Pulse as JSON."}},
    tags=["crawl"],
)
async def stream_changes(request: Request, store: ServedStore) -> EventStream:
    """A `change` event at once and then about every second while something changes; it ends when
    the client goes."""
    # nginx would hold events back until a buffer is full.
    changes = watch_store(store, request.app.state.ending.is_set)
    return EventStream(changes, headers={"X-Accel-Buffering": "no"})


Moment = tuple[tuple[int, ...], RunState]


async def watch_store(
    mirror: StoreMirror,
    is_ending: Callable[[], bool],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    tick: Callable[[], float] = time.monotonic,
) -> AsyncGenerator[str, None]:
    """Server-sent events as text, until the server ends."""
    last: Moment | None = None
    sent_at = tick()
    while not is_ending():
        moment, pulse = await run_in_threadpool(_read_change, mirror, last)
        if pulse is not None:
            yield f"event: change\ndata: {msgspec.json.encode(pulse).decode()}\n\n"
            last, sent_at = moment, tick()
        elif tick() - sent_at >= HEARTBEAT_S:
            yield ": still here\n\n"
            sent_at = tick()
        await sleep(EVERY_S)


def _read_change(mirror: StoreMirror, last: Moment | None) -> tuple[Moment, Pulse | None]:
    with mirror.refresh():
        moment = mirror.version, overview.run_state(mirror)
        return moment, overview.read_pulse(mirror) if moment != last else None
