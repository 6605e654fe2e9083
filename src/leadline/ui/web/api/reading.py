"""Routes that only tell."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from leadline.ui.web.api.asking import ERRORS, Seen
from leadline.ui.web.models import FormQuery, FormSummary, Listing, Overview, StoreSummary
from leadline.ui.web.seen.following import Following
from leadline.ui.web.views.directory import directory
from leadline.ui.web.views.overview import overview, summary

router = APIRouter(responses=ERRORS)  # type: ignore[arg-type]


@router.get("/stores")
def list_stores(request: Request) -> tuple[StoreSummary, ...]:
    """The stores that are served."""
    stores: dict[str, Following] = request.app.state.stores
    found = []
    for one in stores.values():
        with one.looking() as seen:
            found.append(summary(seen))
    return tuple(found)


@router.get("/stores/{store}/overview")
def get_overview(seen: Seen) -> Overview:
    """How a crawl goes: curve, rate, queues, speed, errors, manners, runs."""
    return overview(seen)


@router.get("/stores/{store}/forms")
def list_forms(seen: Seen, wanted: Annotated[FormQuery, Query()]) -> Listing[FormSummary]:
    """The directory of databases found, one page of it."""
    return directory(seen, wanted)
