"""Orders to a crawl, and what became of them."""

import time
from collections.abc import Callable
from pathlib import Path

from leadline.core.inbox import BUDGET, EXCLUDE, SEEDS, Inbox, Order
from leadline.core.orders import budget_order, exclude_order, seeds_order
from leadline.core.url import canonical
from leadline.errors import ConfigError
from leadline.ui.web.models import Listing, OrderRequest, OrderView
from leadline.ui.web.seen.following import Following

START = "start"
"""An order that is obeyed here: there is no crawl yet that could."""


def order_list(seen: Following, offset: int, limit: int) -> Listing[OrderView]:
    """The latest first."""
    orders = seen.store.inbox.orders()[::-1]
    items = tuple(order_view(order) for order in orders[offset : offset + limit])
    return Listing(items=items, total=len(orders), offset=offset, limit=limit)


def order_view(order: Order) -> OrderView:
    return OrderView(
        id=order.id,
        kind=order.kind,
        detail=order.detail,
        at=order.at,
        done_at=order.done_at,
        outcome=order.outcome,
    )


def give_order(desk: Inbox, asked: OrderRequest, now: Callable[[], float] = time.time) -> OrderView:
    """Leave an order for the crawl that runs, or for the next one."""
    return order_view(desk.give(order_of(asked, now())))


def started(log: Path, now: Callable[[], float] = time.time) -> OrderView:
    """A start that was made."""
    at = now()
    outcome = f"started; what it says goes to {log.name} beside the store"
    return OrderView(id=0, kind=START, detail="", at=at, done_at=at, outcome=outcome)


def order_of(asked: OrderRequest, at: float) -> Order:
    """What is left on the desk. Raises ConfigError for an order that says nothing, or names what
    is no URL or site."""
    if asked.kind == BUDGET:
        told = asked.budget.model_dump(exclude_unset=True) if asked.budget else {}
        return budget_order(at, **{name: limit or None for name, limit in told.items()})
    if asked.kind == SEEDS:
        return seeds_order(at, [_url(text) for text in asked.urls])
    if asked.kind == EXCLUDE:
        return exclude_order(at, asked.sites)
    return Order(asked.kind, at)


def _url(text: str) -> str:
    """As it was given: the crawl has rules of its own for what of a URL counts."""
    if canonical(text) is None:
        raise ConfigError(f"seed {text[:200]!r} is not an http(s) URL; write https://host/path")
    return text
