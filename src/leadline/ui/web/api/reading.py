"""Routes that tell how a crawl goes and what it found."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from leadline.ui.web.api.asking import ERRORS, Limit, Offset, Seen, Signature, followed
from leadline.ui.web.errors import not_found
from leadline.ui.web.models import (
    Comparison,
    EventRow,
    Explanation,
    FormQuery,
    FormSummary,
    FormView,
    Learned,
    Listing,
    Overview,
    SiteQuery,
    SiteView,
    StoreSummary,
)
from leadline.ui.web.seen.following import Following
from leadline.ui.web.views.comparison import compare
from leadline.ui.web.views.directory import directory
from leadline.ui.web.views.explanation import explanation
from leadline.ui.web.views.form import form_view
from leadline.ui.web.views.learned import learned
from leadline.ui.web.views.overview import event_rows, overview, summary
from leadline.ui.web.views.sites import site_list

router = APIRouter(responses=ERRORS)

Name = Annotated[str, Query(min_length=1, max_length=200, description="A store's name.")]


@router.get("/stores", tags=["stores"])
def list_stores(request: Request) -> tuple[StoreSummary, ...]:
    """The stores that are served."""
    stores: dict[str, Following] = request.app.state.stores
    found = []
    for one in stores.values():
        with one.looking() as seen:
            found.append(summary(seen))
    return tuple(found)


@router.get("/compare", tags=["stores"])
def compare_stores(request: Request, left: Name, right: Name) -> Comparison:
    """Two stores side by side."""
    return compare(followed(request, left), followed(request, right))


@router.get("/stores/{store}/overview", tags=["crawl"])
def get_overview(seen: Seen) -> Overview:
    """How a crawl goes: curve, rate, queues, speed, errors, manners, runs."""
    return overview(seen)


@router.get("/stores/{store}/learned", tags=["crawl"])
def get_learned(seen: Seen) -> Learned:
    """What the crawler has learned: words by iteration, weights, ranked sites, calibration."""
    return learned(seen)


@router.get("/stores/{store}/sites", tags=["crawl"])
def list_sites(seen: Seen, wanted: Annotated[SiteQuery, Query()]) -> Listing[SiteView]:
    """Sites that were asked something, one page of them."""
    return site_list(seen, wanted)


@router.get("/stores/{store}/events", tags=["crawl"])
def list_events(
    seen: Seen,
    offset: Offset = 0,
    limit: Limit = 50,
    kind: Annotated[str, Query(max_length=50, description="Only of this kind.")] = "",
) -> Listing[EventRow]:
    """What happened besides visits, the latest first; samples of queues only when asked for."""
    marks, total = seen.events.latest(limit, kind, offset)
    items = tuple(event_rows(seen, marks))
    return Listing(items=items, total=total, offset=offset, limit=limit)


@router.get("/stores/{store}/explain", tags=["crawl"])
def explain(
    seen: Seen,
    subject: Annotated[
        str,
        Query(min_length=1, max_length=4_000, description="A URL, a site, or a form's signature."),
    ],
) -> Explanation:
    """Why something was ranked, followed, skipped or accepted."""
    return explanation(seen, subject)


@router.get("/stores/{store}/forms", tags=["forms"])
def list_forms(seen: Seen, wanted: Annotated[FormQuery, Query()]) -> Listing[FormSummary]:
    """The directory of databases found, one page of it."""
    return directory(seen, wanted)


@router.get("/stores/{store}/forms/{signature}", tags=["forms"])
def get_form(seen: Seen, signature: Signature) -> FormView:
    """All about one form."""
    return form_view(seen, form_number(seen, signature))


def form_number(seen: Following, signature: str) -> int:
    """Where a form stands in what was read. Raises ApiError for one that was never met."""
    at = seen.forms.with_beginning(signature)
    if at is None:
        raise not_found("no such form was met", signature, "see the directory for signatures")
    return at
