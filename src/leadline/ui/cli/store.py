"""`leadline order`, `export`, `db` and `backlinks import`: commands on a store as a whole."""

import sys
import time
from contextlib import closing
from pathlib import Path

from msgspec import to_builtins

from leadline.backlinks.graph_import import import_graph
from leadline.config import read_seeds
from leadline.config.runs import choose_store_path, open_to_read
from leadline.core.inbox import (
    BUDGET,
    EXCLUDE,
    PAUSE,
    RESUME,
    SEEDS,
    STOP,
    Inbox,
    Order,
    budget_order,
    exclude_order,
    seeds_order,
)
from leadline.errors import ConfigError, StoreLockedError
from leadline.records.export import (
    PAGES,
    TableName,
    choose_format,
    choose_table,
    export,
    write_table,
)
from leadline.store import check_psycopg
from leadline.store.address import (
    is_database,
    mask_password,
    place_of,
    quote_address,
    without_password,
)
from leadline.store.care.checks import blame_damage
from leadline.store.inbox import open_inbox
from leadline.store.lock import is_locked
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.options import OrderOptions
from leadline.ui.cli.output import print_json, print_text, say

_LOOK_S = 0.1
"""Between two looks at what became of an order."""
_NEEDS_A_RUN = (PAUSE, RESUME, STOP)


def run_order(store: str, kind: str, names: tuple[str, ...], options: OrderOptions) -> Exit:
    """The whole command."""
    order = make_order(kind, names, options, time.time())
    path = choose_store_path(store)
    with blame_damage(path):
        return _order(path, order, options)


def _order(path: str, order: Order, options: OrderOptions) -> Exit:
    kind = order.kind
    inbox = open_inbox(path)
    is_running = is_locked(place_of(path))
    if kind in _NEEDS_A_RUN and not is_running:
        raise ConfigError(f"nothing runs on {mask_password(path)}: there is nothing to {kind}")
    given = inbox.give(order)
    if is_running:
        given = wait_for(inbox, given, options.wait)
    if options.json:
        print_json(to_builtins(given))
    else:
        print_text(_describe(given, is_running=is_running))
    return Exit.BAD_INPUT if given.outcome.startswith("refused") else Exit.DONE


def make_order(kind: str, names: tuple[str, ...], options: OrderOptions, at: float) -> Order:
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


def wait_for(inbox: Inbox, given: Order, patience_s: float) -> Order:
    """The order with its outcome, or without one when that takes too long."""
    deadline = time.monotonic() + patience_s
    while given.done_at is None and time.monotonic() < deadline:
        time.sleep(_LOOK_S)
        (given,) = inbox.orders(given.id - 1, 1)
    return given


def _describe(order: Order, *, is_running: bool) -> str:
    if order.done_at is not None:
        return order.outcome
    if is_running:
        return f"stored as order {order.id}; the process that writes the store has not answered yet"
    return f"stored as order {order.id}; nothing runs now, the next run obeys it"


def run_init(url: str, *, as_json: bool) -> Exit:
    """Create the tables in an empty database."""
    return _prepare(url, is_new=True, as_json=as_json)


def run_migrate(url: str, *, as_json: bool) -> Exit:
    """Change the tables to this version's."""
    return _prepare(url, is_new=False, as_json=as_json)


def run_copy(source: str, target: str, *, as_json: bool) -> Exit:
    """Copy everything, and report each table."""
    from leadline.store.transfer.copying import copy_store

    def report_table(table: str, rows: int) -> None:
        if rows:
            say(f"{table}: {rows:,}")

    counts = copy_store(source, target, report_table)
    if as_json:
        print_json(counts)
    else:
        say(f"copied and counted: {mask_password(source)} to {mask_password(target)}")
        say(f"next:    leadline status {quote_address(target)}")
    return Exit.DONE


def _prepare(url: str, *, is_new: bool, as_json: bool) -> Exit:
    _check(url)
    from leadline.store.postgres.connection import connect
    from leadline.store.postgres.schema import MIGRATIONS, migrate, try_lock, version_of

    with closing(connect(url, is_bounded=False, name="leadline db")) as connection:
        before = version_of(connection, url)
        if is_new and before:
            raise ConfigError(
                f"{mask_password(url)} has a store already, of format {before};"
                " `leadline db migrate` brings it up to date"
            )
        if not is_new and not before:
            raise ConfigError(
                f"there is no store in {mask_password(url)}; `leadline db init` makes one"
            )
        if not try_lock(connection, is_shared=False):
            raise StoreLockedError(
                f"{mask_password(url)} is in use: stop what uses it, then try again"
            )
        migrate(connection, url)
    _print_format(url, before, len(MIGRATIONS), as_json=as_json)
    return Exit.DONE


def _check(url: str) -> None:
    if not is_database(url):
        raise ConfigError(
            f"{url!r} is no database's URL; write postgresql://user@host/name. A store file needs "
            "no init: a crawl makes it, and brings an older one up to date"
        )
    check_psycopg()


def _print_format(url: str, before: int, after: int, *, as_json: bool) -> None:
    if as_json:
        print_json({"store": without_password(url), "from": before, "to": after})
    elif before == after:
        say(f"{mask_password(url)} is up to date: format {after}")
    else:
        say(f"{mask_password(url)} has a store of format {after}")
        say(f"next:    leadline crawl TOPIC --seeds FILE --store {quote_address(url)}")


_MB = 1e6


def run_import(vertices: Path, edges: Path, out: Path, *, as_json: bool) -> Exit:
    begun = time.monotonic()
    say(f"reading {vertices} and {edges}; {out} is written at the end")
    imported = import_graph(vertices, edges, out)
    if as_json:
        print_json({"file": str(out), "graph": imported})
        return Exit.DONE
    print_text(
        f"{out}: {imported.hosts:,} hosts, {imported.links:,} links, "
        f"{imported.size_bytes / _MB:,.1f} MB, in {time.monotonic() - begun:.1f} s"
    )
    if imported.dropped:
        print_text(f"left out {imported.dropped:,} links of hosts that are not in {vertices}")
    return Exit.DONE


def run_export(
    store: str, out: str, *, what: TableName | None, archive: str, as_json: bool
) -> Exit:
    """The whole command."""
    if out == "-" and what != PAGES:
        with open_to_read(store) as opened:
            write_table(opened, what or choose_table(opened), "jsonl", sys.stdout.buffer)
        return Exit.DONE
    choose_format(out, what)
    with open_to_read(store) as opened:
        done = export(opened, out, what, archive)
    if as_json:
        print_json(done)
    else:
        say(f"{done.rows} {done.what} to {out}")
        if done.package:
            say(f"what its columns are: {done.package}")
    return Exit.DONE
