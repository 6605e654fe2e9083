"""What a crawl may spend: by its saved settings, and by what people said since."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from leadline.core.inbox import Order

NAMES = ("pages", "seconds", "bytes", "forms")


def budget_in_force(
    settings: Mapping[str, Any], orders: Iterable[Order]
) -> dict[str, float | None]:
    """None: without limit. `orders` are those not obeyed yet, in the order of giving."""
    saved = settings.get("budget", {})
    budget: dict[str, float | None] = {name: saved.get(name) or None for name in NAMES}
    for order in orders:
        budget.update({name: limit or None for name, limit in _told(order).items()})
    return budget


def _told(order: Order) -> dict[str, float | None]:
    """What an order says of budgets; nothing when it cannot be read."""
    try:
        told = json.loads(order.detail)
    except ValueError:
        return {}
    if not isinstance(told, dict):
        return {}
    return {
        name: limit
        for name, limit in told.items()
        if name in NAMES and (limit is None or isinstance(limit, int | float))
    }
