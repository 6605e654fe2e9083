"""`leadline db` and `backlinks import`: stores in databases, and the host graph of Common Crawl."""

import time
from contextlib import closing
from pathlib import Path

from leadline.backlinks.graph_import import import_graph
from leadline.errors import ConfigError, StoreLockedError
from leadline.store import check_psycopg
from leadline.store.address import is_database, shown, typed, without_password
from leadline.ui.exits import Exit
from leadline.ui.output import print_json, print_text, say


def run_init(url: str, *, as_json: bool) -> Exit:
    """Make the tables in an empty database."""
    return _prepare(url, is_new=True, as_json=as_json)


def run_migrate(url: str, *, as_json: bool) -> Exit:
    """Change the tables to this version's."""
    return _prepare(url, is_new=False, as_json=as_json)


def run_copy(source: str, target: str, *, as_json: bool) -> Exit:
    """Carry everything over, telling each table."""
    from leadline.store.transfer.copying import copy_store

    def tell(table: str, rows: int) -> None:
        if rows:
            say(f"{table}: {rows:,}")

    counts = copy_store(source, target, tell)
    if as_json:
        print_json(counts)
    else:
        say(f"copied and counted: {shown(source)} is now also {shown(target)}")
        say(f"next:    leadline status {typed(target)}")
    return Exit.DONE


def _prepare(url: str, *, is_new: bool, as_json: bool) -> Exit:
    _check(url)
    from leadline.store.postgres.connection import connect
    from leadline.store.postgres.schema import MIGRATIONS, migrate, try_lock, version_of

    with closing(connect(url, is_bounded=False, name="leadline db")) as connection:
        before = version_of(connection, url)
        if is_new and before:
            raise ConfigError(
                f"{shown(url)} has a store already, of format {before}; `leadline db migrate` "
                "brings it up to date"
            )
        if not is_new and not before:
            raise ConfigError(f"there is no store in {shown(url)}; `leadline db init` makes one")
        if not try_lock(connection, is_shared=False):
            raise StoreLockedError(f"{shown(url)} is in use: stop what uses it, then try again")
        migrate(connection, url)
    _tell(url, before, len(MIGRATIONS), as_json=as_json)
    return Exit.DONE


def _check(url: str) -> None:
    if not is_database(url):
        raise ConfigError(
            f"{url!r} is no database's URL; write postgresql://user@host/name. A store file needs "
            "no init: a crawl makes it, and brings an older one up to date"
        )
    check_psycopg()


def _tell(url: str, before: int, after: int, *, as_json: bool) -> None:
    if as_json:
        print_json({"store": without_password(url), "from": before, "to": after})
    elif before == after:
        say(f"{shown(url)} is up to date: format {after}")
    else:
        say(f"{shown(url)} has a store of format {after}")
        say(f"next:    leadline crawl TOPIC --seeds FILE --store {typed(url)}")


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
