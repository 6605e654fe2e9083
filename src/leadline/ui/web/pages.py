"""The dashboard's pages: each asks the read model for something and renders it with a template.

Everything is escaped: no text of a crawled page is ever taken for markup.
"""

import gzip
from collections.abc import Callable, Coroutine
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Depends, FastAPI, Header, Query, Request, Response
from fastapi import Path as PathParameter
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from pydantic import ValidationError

from leadline.errors import ConfigError, LeadlineError
from leadline.records.things_file import NUMERIC, ThingQuery, read_filters
from leadline.ui.web import filters
from leadline.ui.web.errors import ApiError, not_found
from leadline.ui.web.rest import (
    Limit,
    Offset,
    ServedStore,
    Signature,
    find_form,
    get_thing,
    look_at_things,
    summarize_stores,
)
from leadline.ui.web.schema import StoreRoute
from leadline.views.directory import FormQuery, SiteQuery, describe_form, list_forms, list_sites
from leadline.views.explanation import explain_from_mirror
from leadline.views.harvests import (
    RecordSort,
    describe_harvest,
    find_harvest,
    list_harvests,
    list_queries,
    list_records,
)
from leadline.views.inbox import list_labels, list_orders
from leadline.views.learned import read_learned
from leadline.views.listing import LARGEST
from leadline.views.mirror.store import StoreMirror
from leadline.views.overview import StoreSummary, compare_stores, read_overview, summarize

ROWS = 50
"""Of one page of a long list."""
FEW_ROWS = 20
"""Of one page with several lists."""
PLACES = (
    ("overview", "", "Overview"),
    ("directory", "forms", "Directory"),
    ("records", "records", "Records"),
    ("harvests", "harvests", "Harvests"),
    ("learned", "learned", "What it learned"),
    ("sites", "sites", "Sites"),
    ("explain", "explain", "Explain"),
    ("labels", "labels", "Labels"),
    ("control", "control", "Control"),
    ("compare", "compare", "Compare"),
)
"""Name, address and words of each page of a store."""
PLOTLY = "/assets/plotly.min.js"
_HERE = Path(__file__).parent
_INSIDE = {"form": "directory", "harvest": "harvests", "thing": "records"}
"""Pages that are reached from another one, which stays marked."""
_LIVE = frozenset({"overview", "control"})
"""Pages that update by themselves."""
_UNREADABLE, _UNAVAILABLE = 422, 503
_YEAR = "private, max-age=31536000, immutable"
_FILTERS = (
    *("count", "decimal", "percent", "duration", "size", "moment", "address", "thin"),
    *("largest_first", "reason", "order_detail", "plain", "run_starts", "queue_words"),
    *("group_events", "form_text", "host", "figure"),
)
_FUNCTIONS = ("plural", "width", "query_string")
_DOWNLOADS = (
    ("sqlite", "SQLite"),
    ("csv", "CSV"),
    ("parquet", "Parquet"),
    ("xlsx", "Excel"),
    ("jsonl", "JSON lines"),
)


class PageRenderer:
    """Renders the pages of one request."""

    def __init__(self, templates: Environment) -> None:
        self._templates = templates

    def page(self, name: str, store: StoreSummary | None, **facts: object) -> HTMLResponse:
        """The page `name` of a store, from the template of that name."""
        around = {
            "page": _INSIDE.get(name, name),
            "store": store,
            "places": PLACES,
            "is_live": name in _LIVE,
        }
        template = self._templates.get_template(f"{name}.html")
        return HTMLResponse(template.render(**around, **facts))

    def error(self, status: int, title: str, message: str) -> HTMLResponse:
        answer = self.page("error", None, title=title, message=message)
        answer.status_code = status
        return answer


def find_renderer(request: Request) -> PageRenderer:
    return PageRenderer(request.app.state.templates)


Renderer = Annotated[PageRenderer, Depends(find_renderer)]


class PageRoute(StoreRoute):
    """A route whose errors are pages too: people do not read JSON."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()

        async def answer_with_pages(request: Request) -> Response:
            renderer = find_renderer(request)
            try:
                return await answer(request)
            except ApiError as error:
                facts = error.facts
                title = facts.what[:1].upper() + facts.what[1:]
                message = "; ".join(filter(None, (facts.which, facts.todo)))
                return renderer.error(error.status, title, message)
            except (RequestValidationError, ValidationError) as error:
                faults = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
                return renderer.error(_UNREADABLE, "This cannot be asked", "; ".join(faults))
            except ConfigError as error:
                return renderer.error(_UNREADABLE, "This cannot be asked", str(error))
            except LeadlineError as error:
                return renderer.error(_UNAVAILABLE, "Not at the moment", str(error))

        return answer_with_pages


router = APIRouter(route_class=PageRoute, include_in_schema=False)
assets = APIRouter(include_in_schema=False)


def install_pages(app: FastAPI) -> None:
    """Adds the pages, their templates, scripts and styles to the application."""
    app.state.templates = make_templates()
    # Before the pages, whose first part of an address is any store's name.
    app.include_router(assets)
    app.mount("/static", _RevalidatedFiles(directory=_HERE / "static"), name="static")
    app.include_router(router)


def make_templates() -> Environment:
    """The templates with their filters. A missing name is an error, not a gap."""
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {name: getattr(filters, name) for name in _FILTERS}
    made.globals |= {name: getattr(filters, name) for name in _FUNCTIONS}
    made.filters["abs"] = abs
    made.globals["plotly_address"] = plotly_address()
    return made


def plotly_address() -> str:
    """With its version, so that browsers keep it until there is another one."""
    return f"{PLOTLY}?v={version('plotly')}"


@assets.get(PLOTLY)
def plotly_script(
    v: Annotated[str, Query(max_length=20)] = "",
    accept_encoding: Annotated[str, Header()] = "",
) -> Response:
    """Plotly's own script from its wheel, compressed if the browser can read that."""
    headers = {"Cache-Control": _YEAR if v == version("plotly") else "no-cache"}
    headers["Vary"] = "Accept-Encoding"
    script = _read_plotly()
    # 1.5 MB instead of 4.8 MB, compressed once per process.
    if "gzip" in accept_encoding:
        headers["Content-Encoding"] = "gzip"
        script = _compress_plotly()
    return Response(script, media_type="text/javascript", headers=headers)


@cache
def _read_plotly() -> bytes:
    return files("plotly").joinpath("package_data", "plotly.min.js").read_bytes()


@cache
def _compress_plotly() -> bytes:
    return gzip.compress(_read_plotly(), 6, mtime=0)


class _RevalidatedFiles(StaticFiles):
    """Browsers keep a file and ask whether it changed."""

    def file_response(self, *arguments: object, **more: object) -> Response:
        answer = super().file_response(*arguments, **more)  # type: ignore[arg-type]
        answer.headers["Cache-Control"] = "no-cache"
        return answer


class AskedQuery(dict[str, str]):
    """What an address asks for; '' for what it does not name."""

    def __missing__(self, _name: str) -> str:
        return ""


def read_query(request: Request) -> AskedQuery:
    """A field left empty in an HTML form is sent, yet asks for nothing."""
    return AskedQuery({name: value for name, value in request.query_params.items() if value})


@router.get("/")
def stores_page(request: Request, renderer: Renderer) -> Response:
    """All stores; with only one there is nothing to choose."""
    stores = summarize_stores(request)
    if len(stores) == 1:
        return RedirectResponse(f"/{quote(stores[0].name, safe='')}/")
    return renderer.page("stores", None, stores=stores)


@router.get("/{store}/")
def overview_page(mirror: ServedStore, renderer: Renderer) -> HTMLResponse:
    found = read_overview(mirror)
    names = filters.queue_names(found.samples)
    return renderer.page("overview", found, overview=found, queue_names=names)


@router.get("/{store}/forms")
def directory_page(request: Request, mirror: ServedStore, renderer: Renderer) -> HTMLResponse:
    asked = read_query(request)
    return renderer.page(
        "directory",
        summarize(mirror),
        forms=list_forms(mirror, FormQuery.model_validate(asked)),
        asked=asked,
        is_filtered=not set(asked) <= {"sort", "offset", "limit"},
    )


@router.get("/{store}/forms/{signature}")
def form_page(
    request: Request, mirror: ServedStore, renderer: Renderer, signature: Signature
) -> HTMLResponse:
    form = describe_form(mirror, find_form(mirror, signature))
    run = request.app.state.starter.find_harvest(mirror.path, form.signature)
    return renderer.page("form", summarize(mirror), form=form, run=run)


@router.get("/{store}/records")
def records_page(
    request: Request,
    store: ServedStore,
    renderer: Renderer,
    q: Annotated[str, Query(max_length=500)] = "",
    sort: Annotated[str, Query(max_length=200)] = "",
    offset: Offset = 0,
    limit: Limit = ROWS,
) -> HTMLResponse:
    file, table = look_at_things(request, store)
    asked = read_query(request)
    wanted = ThingQuery(q, sort, read_filters(asked), offset, limit)
    with store.refresh():
        own = summarize(store)
    return renderer.page(
        "records",
        own,
        things=file.find(wanted) if file else None,
        columns=file.columns if file else (),
        currencies={one.name: file.currency_of(one) for one in file.columns} if file else {},
        count=file.count if file else 0,
        table=table,
        asked=asked,
        filters=wanted.filters,
        downloads=_DOWNLOADS,
        numeric=NUMERIC,
    )


@router.get("/{store}/records/{number}")
def thing_page(
    request: Request,
    store: ServedStore,
    renderer: Renderer,
    number: Annotated[int, PathParameter(ge=0, le=LARGEST)],
) -> HTMLResponse:
    found = get_thing(request, store, number)
    with store.refresh():
        own = summarize(store)
    return renderer.page("thing", own, found=found)


@router.get("/{store}/harvests")
def harvests_page(
    request: Request, mirror: ServedStore, renderer: Renderer, offset: Offset = 0
) -> HTMLResponse:
    harvests = list_harvests(mirror, offset, ROWS)
    asked = read_query(request)
    return renderer.page("harvests", summarize(mirror), harvests=harvests, asked=asked)


@router.get("/{store}/harvests/{signature}")
def harvest_page(
    request: Request,
    mirror: ServedStore,
    renderer: Renderer,
    signature: Signature,
    queries: Offset = 0,
    records: Offset = 0,
    sort: RecordSort = "first",
) -> HTMLResponse:
    harvest = find_harvest(mirror, signature)
    if harvest is None:
        raise not_found("this form was not harvested", signature, "run leadline harvest with it")
    return renderer.page(
        "harvest",
        summarize(mirror),
        harvest=describe_harvest(mirror, harvest),
        queries=list_queries(mirror, harvest, queries, FEW_ROWS),
        records=list_records(mirror, harvest, records, FEW_ROWS, sort),
        sort=sort,
        asked=read_query(request),
    )


@router.get("/{store}/learned")
def learned_page(mirror: ServedStore, renderer: Renderer) -> HTMLResponse:
    found = read_learned(mirror)
    places = filters.word_places(found)
    return renderer.page("learned", summarize(mirror), learned=found, word_places=places)


@router.get("/{store}/sites")
def sites_page(request: Request, mirror: ServedStore, renderer: Renderer) -> HTMLResponse:
    asked = read_query(request)
    sites = list_sites(mirror, SiteQuery.model_validate(asked))
    return renderer.page("sites", summarize(mirror), sites=sites, asked=asked)


@router.get("/{store}/explain")
def explain_page(
    mirror: ServedStore, renderer: Renderer, subject: Annotated[str, Query(max_length=4000)] = ""
) -> HTMLResponse:
    found = explain_from_mirror(mirror, subject) if subject.strip() else None
    return renderer.page("explain", summarize(mirror), subject=subject.strip(), explanation=found)


@router.get("/{store}/labels")
def labels_page(
    request: Request, mirror: ServedStore, renderer: Renderer, offset: Offset = 0
) -> HTMLResponse:
    labels = list_labels(mirror, offset, ROWS)
    names = {one.subject: _find_name(mirror, one.subject) for one in labels.items}
    asked = read_query(request)
    return renderer.page("labels", summarize(mirror), labels=labels, names=names, asked=asked)


def _find_name(mirror: StoreMirror, subject: str) -> tuple[str, str]:
    """The title and the site of a labelled form; nothing for a page, whose URL says both."""
    at = mirror.forms.by_signature.get(subject)
    if at is None:
        return "", ""
    line = mirror.forms.lines[at]
    return line.what, mirror.sites.names[line.site]


@router.get("/{store}/control")
def control_page(mirror: ServedStore, renderer: Renderer) -> HTMLResponse:
    found = read_overview(mirror)
    orders = list_orders(mirror, 0, ROWS)
    return renderer.page("control", found, budget=found.budget, orders=orders)


@router.get("/{store}/compare")
def compare_page(
    request: Request, store: ServedStore, renderer: Renderer, beside: str = ""
) -> HTMLResponse:
    """Beside the store that is named, or the first other one."""
    stores: dict[str, StoreMirror] = request.app.state.stores
    others = [name for name in stores if name != store.name]
    chosen = beside if beside in others else (others[0] if others else "")
    with store.refresh():
        own = summarize(store)
    found = compare_stores(store, stores[chosen]) if chosen else None
    return renderer.page(
        "compare",
        own,
        comparison=found,
        others=others,
        beside=chosen,
        curves=filters.curves_of(found) if found else None,
        rows=filters.compare_curves(found) if found else None,
        figures=filters.compare_figures(found) if found else None,
    )
