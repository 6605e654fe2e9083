"""Orders to a crawl, and what became of them."""

import json
import time
from collections.abc import Callable
from pathlib import Path

from leadline.core.desk import BUDGET, EXCLUDE, SEEDS, Desk, Order
from leadline.core.url import canonical
from leadline.errors import ConfigError
from leadline.ui.web.models import Listing, OrderRequest, OrderView
from leadline.ui.web.seen.following import Following

START = "start"
"""An order that is obeyed here: there is no crawl yet that could."""


def order_list(seen: Following, offset: int, limit: int) -> Listing[OrderView]:
    """The latest first."""
    orders = seen.store.desk.orders()[::-1]
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


def give_order(desk: Desk, asked: OrderRequest, now: Callable[[], float] = time.time) -> OrderView:
    """Leave an order for the crawl that runs, or for the next one."""
    return order_view(desk.give(Order(asked.kind, now(), detail_of(asked))))


def started(log: Path, now: Callable[[], float] = time.time) -> OrderView:
    """A start that was made."""
    at = now()
    outcome = f"started; what it says goes to {log.name} beside the store"
    return OrderView(id=0, kind=START, detail="", at=at, done_at=at, outcome=outcome)


def detail_of(asked: OrderRequest) -> str:
    """What an order says besides its kind, as JSON. Raises ConfigError when that is missing, or
    is no URL or site."""
    if asked.kind == BUDGET:
        told = asked.budget.model_dump(exclude_unset=True) if asked.budget else {}
        return json.dumps(_some(told, "budget", "name pages, seconds, bytes or forms"))
    if asked.kind == SEEDS:
        return json.dumps(_some([_url(text) for text in asked.urls], "urls", "name some"))
    if asked.kind == EXCLUDE:
        return json.dumps(_some([_site(text) for text in asked.sites], "sites", "name some"))
    return ""


def _some(told: object, name: str, todo: str) -> object:
    if not told:
        raise ConfigError(f"the order says nothing in {name!r}: {todo}")
    return told


def _url(text: str) -> str:
    url = canonical(text)
    if url is None:
        raise ConfigError(f"seed {text[:200]!r} is not an http(s) URL; write https://host/path")
    return url


def _site(text: str) -> str:
    site = text.strip().lower()
    if not site or canonical(f"http://{site}/") is None or "/" in site:
        raise ConfigError(f"{text[:200]!r} is no site; write its host, as in www.example.org")
    return site
