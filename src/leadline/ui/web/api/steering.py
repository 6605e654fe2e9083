"""Routes by which people tell a crawl something: labels and orders."""

from fastapi import APIRouter, Request

from leadline.store.inbox import open_inbox
from leadline.ui.web.api.asking import ERRORS, WRITING, Followed, Limit, LookingRoute, Offset, Seen
from leadline.ui.web.errors import ApiError, not_found
from leadline.ui.web.models import LabelRequest, LabelView, Listing, OrderRequest, OrderView
from leadline.ui.web.seen.following import Following
from leadline.ui.web.starting import Starter
from leadline.ui.web.views.labels import give_label, label_list
from leadline.ui.web.views.orders import START, give_order, order_list, started

router = APIRouter(route_class=LookingRoute, responses=ERRORS, tags=["steering"])


@router.get("/stores/{store}/labels")
def list_labels(seen: Seen, offset: Offset = 0, limit: Limit = 50) -> Listing[LabelView]:
    """The labels in force, the latest first, with scores before and after learning from them."""
    return label_list(seen, offset, limit)


@router.post("/stores/{store}/labels", responses=WRITING)
def give_a_label(seen: Seen, asked: LabelRequest) -> LabelView:
    """Call a form or page right or wrong, or take that back."""
    given = give_label(seen, open_inbox(seen.path), asked)
    if given is None:
        todo = "give a form's signature, or the URL of a page that was visited"
        raise not_found(f"no such {asked.what} was met", asked.subject[:200], todo)
    return given


@router.get("/stores/{store}/orders")
def list_orders(seen: Seen, offset: Offset = 0, limit: Limit = 50) -> Listing[OrderView]:
    """Orders to the crawl, the latest first, and what became of them."""
    return order_list(seen, offset, limit)


@router.post("/stores/{store}/orders", responses=WRITING)
def give_an_order(request: Request, store: Followed, asked: OrderRequest) -> OrderView:
    """Start, pause, resume or stop the crawl, change budgets, add seeds, exclude sites.

    `start` goes on with the store in a process of its own, with what its last run was told. All
    others wait at the store's desk for the crawl that runs, which looks there twice a second;
    budgets, seeds and sites also wait for the next one.
    """
    if asked.kind == START:
        return _start(store, request.app.state.starter)
    return give_order(open_inbox(store.path), asked)


def _start(store: Following, starter: Starter) -> OrderView:
    with store.looking() as seen:
        has_settings = bool(seen.settings)
    if not has_settings:
        raise ApiError(
            409,
            "this store was never crawled: there are no settings to go on with",
            store.name,
            "crawl it once: leadline crawl TOPIC --seeds ... --store ...",
        )
    return started(starter.start(store.path))
