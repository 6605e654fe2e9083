"""Routes that tell of harvests."""

from typing import Annotated

from fastapi import APIRouter, Query

from leadline.ui.web.api.asking import ERRORS, Limit, LookingRoute, Offset, Seen, Signature
from leadline.ui.web.errors import not_found
from leadline.ui.web.models import (
    HarvestSummary,
    HarvestView,
    Listing,
    QueryView,
    RecordSort,
    RecordView,
)
from leadline.ui.web.seen.following import Following
from leadline.ui.web.seen.harvests import HarvestSeen
from leadline.ui.web.views.harvests import (
    find_harvest,
    harvest_list,
    harvest_view,
    query_list,
    record_list,
)

router = APIRouter(route_class=LookingRoute, responses=ERRORS, tags=["harvests"])


def chosen(seen: Following, signature: str) -> HarvestSeen:
    """Raises ApiError for a form without a harvest."""
    found = find_harvest(seen, signature)
    if found is None:
        todo = "see the list of harvests, or draw it up: leadline harvest FORM STORE"
        raise not_found("this form has no harvest", signature, todo)
    return found


@router.get("/stores/{store}/harvests")
def list_harvests(seen: Seen, offset: Offset = 0, limit: Limit = 50) -> Listing[HarvestSummary]:
    """Harvests, the latest first."""
    return harvest_list(seen, offset, limit)


@router.get("/stores/{store}/harvests/{signature}")
def get_harvest(seen: Seen, signature: Signature) -> HarvestView:
    """How a harvest goes: coverage with its interval, caps, how often records were seen."""
    return harvest_view(seen, chosen(seen, signature))


@router.get("/stores/{store}/harvests/{signature}/queries")
def list_queries(
    seen: Seen,
    signature: Signature,
    offset: Offset = 0,
    limit: Limit = 50,
    latest: Annotated[bool, Query(description="The latest first.")] = False,
) -> Listing[QueryView]:
    """What was asked, in order, and what each query brought."""
    return query_list(seen, chosen(seen, signature), offset, limit, is_newest_first=latest)


@router.get("/stores/{store}/harvests/{signature}/records")
def list_records(
    seen: Seen,
    signature: Signature,
    offset: Offset = 0,
    limit: Limit = 50,
    sort: Annotated[RecordSort, Query(description="`most-seen`: duplicates first.")] = "first",
) -> Listing[RecordView]:
    """The records drawn up."""
    return record_list(seen, chosen(seen, signature), offset, limit, sort)
