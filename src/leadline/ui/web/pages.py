"""The dashboard's pages: each asks for a model and draws it. Nothing is decided here."""

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from leadline.ui.web.api.asking import Followed, Offset, Seen, Signature
from leadline.ui.web.api.reading import list_stores
from leadline.ui.web.drawing import Draw, PageRoute
from leadline.ui.web.errors import not_found
from leadline.ui.web.models import FormQuery, RecordSort, SiteQuery
from leadline.ui.web.presenting import both, both_rows, figures, queue_names, spaces
from leadline.ui.web.rendering import templates
from leadline.ui.web.seen.following import Following
from leadline.ui.web.views.comparison import compare
from leadline.ui.web.views.directory import directory
from leadline.ui.web.views.explanation import explanation
from leadline.ui.web.views.form import form_view
from leadline.ui.web.views.harvests import (
    find_harvest,
    harvest_list,
    harvest_view,
    query_list,
    record_list,
)
from leadline.ui.web.views.labels import label_list
from leadline.ui.web.views.learned import learned
from leadline.ui.web.views.orders import order_list
from leadline.ui.web.views.overview import overview, summary
from leadline.ui.web.views.sites import site_list

ROWS = 50
"""Of one page of a long list."""
FEW_ROWS = 20
"""Of one page where there are several lists."""

router = APIRouter(route_class=PageRoute, include_in_schema=False)


def install_pages(app: FastAPI) -> None:
    """Add the pages and what they are drawn with to the application."""
    app.state.templates = templates()
    app.include_router(router)


class Asked(dict[str, str]):
    """What an address asks for; '' for what it does not name."""

    def __missing__(self, _name: str) -> str:
        return ""


def asked(request: Request) -> Asked:
    """A field left empty in a form of HTML is sent, yet asks for nothing."""
    return Asked({name: value for name, value in request.query_params.items() if value})


@router.get("/")
def stores_page(request: Request, draw: Draw) -> Response:
    """All stores; with one only there is nothing to choose."""
    stores = list_stores(request)
    if len(stores) == 1:
        return RedirectResponse(f"/{quote(stores[0].name, safe='')}/")
    return draw.page("stores", None, stores=stores)


@router.get("/{store}/")
def overview_page(seen: Seen, draw: Draw) -> HTMLResponse:
    found = overview(seen)
    names = queue_names(found.samples)
    return draw.page("overview", found.store, overview=found, queue_names=names)


@router.get("/{store}/forms")
def directory_page(request: Request, seen: Seen, draw: Draw) -> HTMLResponse:
    told = asked(request)
    forms = directory(seen, FormQuery.model_validate(told))
    is_filtered = not set(told) <= {"sort", "offset", "limit"}
    return draw.page("directory", summary(seen), forms=forms, asked=told, is_filtered=is_filtered)


@router.get("/{store}/forms/{signature}")
def form_page(seen: Seen, draw: Draw, signature: Signature) -> HTMLResponse:
    at = seen.forms.with_beginning(signature)
    if at is None:
        raise not_found("there is no such form", signature, "see the directory for all of them")
    view = form_view(seen, at)
    return draw.page("form", summary(seen), view=view, form=view.summary)


@router.get("/{store}/harvests")
def harvests_page(request: Request, seen: Seen, draw: Draw, offset: Offset = 0) -> HTMLResponse:
    harvests = harvest_list(seen, offset, ROWS)
    return draw.page("harvests", summary(seen), harvests=harvests, asked=asked(request))


@router.get("/{store}/harvests/{signature}")
def harvest_page(
    request: Request,
    seen: Seen,
    draw: Draw,
    signature: Signature,
    queries: Offset = 0,
    records: Offset = 0,
    sort: RecordSort = "first",
) -> HTMLResponse:
    harvest = find_harvest(seen, signature)
    if harvest is None:
        raise not_found("this form was not harvested", signature, "run leadline harvest with it")
    return draw.page(
        "harvest",
        summary(seen),
        harvest=harvest_view(seen, harvest),
        queries=query_list(seen, harvest, queries, FEW_ROWS),
        records=record_list(seen, harvest, records, FEW_ROWS, sort),
        sort=sort,
        asked=asked(request),
    )


@router.get("/{store}/learned")
def learned_page(seen: Seen, draw: Draw) -> HTMLResponse:
    found = learned(seen)
    return draw.page("learned", summary(seen), learned=found, spaces=spaces(found))


@router.get("/{store}/sites")
def sites_page(request: Request, seen: Seen, draw: Draw) -> HTMLResponse:
    told = asked(request)
    sites = site_list(seen, SiteQuery.model_validate(told))
    return draw.page("sites", summary(seen), sites=sites, asked=told)


@router.get("/{store}/explain")
def explain_page(
    seen: Seen, draw: Draw, subject: Annotated[str, Query(max_length=4000)] = ""
) -> HTMLResponse:
    told = explanation(seen, subject) if subject.strip() else None
    return draw.page("explain", summary(seen), subject=subject.strip(), explanation=told)


@router.get("/{store}/labels")
def labels_page(request: Request, seen: Seen, draw: Draw, offset: Offset = 0) -> HTMLResponse:
    labels = label_list(seen, offset, ROWS)
    names = {one.subject: _name(seen, one.subject) for one in labels.items}
    told = asked(request)
    return draw.page("labels", summary(seen), labels=labels, names=names, asked=told)


def _name(seen: Following, subject: str) -> tuple[str, str]:
    """What a labelled form is called, and its site; nothing for a page, whose URL says both."""
    at = seen.forms.by_signature.get(subject)
    if at is None:
        return "", ""
    line = seen.forms.lines[at]
    return line.what, seen.sites.names[line.site]


@router.get("/{store}/control")
def control_page(seen: Seen, draw: Draw) -> HTMLResponse:
    found = overview(seen)
    orders = order_list(seen, 0, ROWS)
    return draw.page("control", found.store, budget=found.budget, orders=orders)


@router.get("/{store}/compare")
def compare_page(request: Request, store: Followed, draw: Draw, beside: str = "") -> HTMLResponse:
    """Beside the store that is named, or the first other one."""
    stores: dict[str, Following] = request.app.state.stores
    others = [name for name in stores if name != store.name]
    chosen = beside if beside in others else (others[0] if others else "")
    with store.looking() as seen:
        own = summary(seen)
    found = compare(store, stores[chosen]) if chosen else None
    shapes = {"both": both, "both_rows": both_rows, "figures": figures}
    facts = {name: shape(found) if found else None for name, shape in shapes.items()}
    return draw.page("compare", own, comparison=found, others=others, beside=chosen, **facts)
