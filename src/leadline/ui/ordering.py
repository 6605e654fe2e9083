"""`leadline order`: tell a running crawl, or the next run on a store, what to do."""

import time

from msgspec import to_builtins

from leadline.config import read_seeds
from leadline.core.inbox import BUDGET, EXCLUDE, PAUSE, RESUME, SEEDS, STOP, Inbox, Order
from leadline.core.orders import budget_order, exclude_order, seeds_order
from leadline.errors import ConfigError
from leadline.store.address import place_of, shown
from leadline.store.inbox import open_inbox
from leadline.store.lock import is_locked
from leadline.ui.cli.options import OrderOptions
from leadline.ui.exits import Exit
from leadline.ui.opening import store_path
from leadline.ui.output import print_json, print_text

_LOOK_S = 0.1
"""Between two looks at what became of an order."""
_FOR_A_RUN = (PAUSE, RESUME, STOP)


def run_order(store: str, kind: str, names: tuple[str, ...], options: OrderOptions) -> Exit:
    """The whole command."""
    order = order_of(kind, names, options, time.time())
    path = store_path(store)
    desk = open_inbox(path)
    is_running = is_locked(place_of(path))
    if kind in _FOR_A_RUN and not is_running:
        raise ConfigError(f"nothing runs on {shown(path)}: there is nothing to {kind}")
    given = desk.give(order)
    if is_running:
        given = wait_for(desk, given, options.wait)
    if options.json:
        print_json(to_builtins(given))
    else:
        print_text(_in_words(given, is_running=is_running))
    return Exit.BAD_INPUT if given.outcome.startswith("refused") else Exit.DONE


def order_of(kind: str, names: tuple[str, ...], options: OrderOptions, at: float) -> Order:
    """What is meant. Raises ConfigError for what no order can be made of."""
    limits = options.limits()
    if names and kind not in (SEEDS, EXCLUDE):
        raise ConfigError(f"{kind} takes no names; {names[0]!r} is one too many")
    if limits and kind != BUDGET:
        raise ConfigError(f"--{next(iter(limits))} is for the order {BUDGET}, not for {kind}")
    if kind == BUDGET:
        return budget_order(at, **limits)
    if kind == SEEDS:
        return seeds_order(at, read_seeds(names))
    return exclude_order(at, names) if kind == EXCLUDE else Order(kind, at)


def wait_for(desk: Inbox, given: Order, patience_s: float) -> Order:
    """The order with its outcome, or without one when that takes too long."""
    deadline = time.monotonic() + patience_s
    while given.done_at is None and time.monotonic() < deadline:
        time.sleep(_LOOK_S)
        (given,) = desk.orders(given.id - 1, 1)
    return given


def _in_words(order: Order, *, is_running: bool) -> str:
    if order.done_at is not None:
        return order.outcome
    if is_running:
        return f"left as order {order.id}; the process that writes the store has not answered yet"
    return f"left as order {order.id}; nothing runs now, the next run obeys it"
