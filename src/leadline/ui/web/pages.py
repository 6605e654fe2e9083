"""The dashboard's pages: each asks for a model and draws it. Nothing is decided here."""

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from leadline.ui.web.api.asking import Seen
from leadline.ui.web.api.reading import list_stores
from leadline.ui.web.drawing import Draw, PageRoute
from leadline.ui.web.models import FormQuery
from leadline.ui.web.presenting import queue_names
from leadline.ui.web.rendering import templates
from leadline.ui.web.views.directory import directory
from leadline.ui.web.views.overview import overview, summary

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
        return RedirectResponse(f"/{stores[0].name}/")
    return draw.page("stores", None, stores=stores)


@router.get("/{store}/")
def overview_page(seen: Seen, draw: Draw) -> HTMLResponse:
    found = overview(seen)
    return draw.page(
        "overview", found.store, overview=found, queue_names=queue_names(found.samples)
    )


@router.get("/{store}/forms")
def directory_page(request: Request, seen: Seen, draw: Draw) -> HTMLResponse:
    told = asked(request)
    wanted = FormQuery.model_validate(told)
    is_filtered = not set(told) <= {"sort", "offset", "limit"}
    return draw.page(
        "directory",
        summary(seen),
        forms=directory(seen, wanted),
        asked=told,
        is_filtered=is_filtered,
    )
