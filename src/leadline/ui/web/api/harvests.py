"""Routes that tell of harvests."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from leadline.ui.web.api.asking import ERRORS, Limit, Offset, Seen, Signature
from leadline.ui.web.errors import not_found
from leadline.ui.web.models import (
    HarvestSummary,
    HarvestView,
    Listing,
    QueryView,
    RecordSort,
    RecordView,
)
from leadline.ui.web.seen.harvests import HarvestSeen
from leadline.ui.web.views.harvests import (
    find_harvest,
    harvest_list,
    harvest_view,
    query_list,
    record_list,
)

router = APIRouter(responses=ERRORS, tags=["harvests"])


def _harvest(seen: Seen, signature: Signature) -> HarvestSeen:
    found = find_harvest(seen, signature)
    if found is None:
        todo = "see the list of harvests, or draw it up: leadline harvest FORM STORE"
        raise not_found("this form has no harvest", signature, todo)
    return found


Chosen = Annotated[HarvestSeen, Depends(_harvest)]


@router.get("/stores/{store}/harvests")
def list_harvests(seen: Seen, offset: Offset = 0, limit: Limit = 50) -> Listing[HarvestSummary]:
    """Harvests, the latest first."""
    return harvest_list(seen, offset, limit)


@router.get("/stores/{store}/harvests/{signature}")
def get_harvest(seen: Seen, harvest: Chosen) -> HarvestView:
    """How a harvest goes: coverage with its interval, caps, how often records were seen."""
    return harvest_view(seen, harvest)


@router.get("/stores/{store}/harvests/{signature}/queries")
def list_queries(
    seen: Seen,
    harvest: Chosen,
    offset: Offset = 0,
    limit: Limit = 50,
    latest: Annotated[bool, Query(description="The latest first.")] = False,
) -> Listing[QueryView]:
    """What was asked, in order, and what each query brought."""
    return query_list(seen, harvest, offset, limit, is_newest_first=latest)


@router.get("/stores/{store}/harvests/{signature}/records")
def list_records(
    seen: Seen,
    harvest: Chosen,
    offset: Offset = 0,
    limit: Limit = 50,
    sort: Annotated[RecordSort, Query(description="`most-seen`: duplicates first.")] = "first",
) -> Listing[RecordView]:
    """The records drawn up."""
    return record_list(seen, harvest, offset, limit, sort)
