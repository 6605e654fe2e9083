"""The dashboard's pages: each asks for a model and draws it. Nothing is decided here."""

from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, RedirectResponse
from fastapi.routing import APIRoute
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment
from pydantic import ValidationError

from leadline.errors import LeadlineError
from leadline.ui.web.api.asking import Seen
from leadline.ui.web.api.reading import list_stores
from leadline.ui.web.errors import ApiError
from leadline.ui.web.models import FormQuery, Overview, StoreSummary
from leadline.ui.web.rendering import STATIC, drawing
from leadline.ui.web.views.directory import directory
from leadline.ui.web.views.overview import overview, summary

PLACES = (
    ("overview", "", "Overview"),
    ("directory", "forms", "Directory"),
    ("harvests", "harvests", "Harvests"),
    ("learned", "learned", "What it learned"),
    ("sites", "sites", "Sites"),
    ("explain", "explain", "Explain"),
    ("labels", "labels", "Labels"),
    ("control", "control", "Control"),
    ("compare", "compare", "Compare"),
)
"""Name, address and words of each page of a store."""
_UNREADABLE = 422
router = APIRouter(include_in_schema=False)


def install_pages(app: FastAPI) -> None:
    """Add the pages and what they are drawn with to the application."""
    app.state.drawing = drawing()
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.include_router(router)
