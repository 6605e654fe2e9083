"""`leadline store check`, `backup` and `salvage`."""

from pathlib import Path

from leadline.errors import ConfigError
from leadline.store.address import is_url, mask_password, quote_address
from leadline.store.care.backup import back_up, check_target
from leadline.store.care.checks import StoreCheck, check_file
from leadline.store.care.salvage import salvage
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.output import print_json, print_text, say, show, table


def run_check(path: Path, *, as_json: bool) -> Exit:
    """The whole command."""
    _check_is_file(path, "check")
    checked = check_file(path)
    if as_json:
        print_json(checked)
    else:
        _print_check(checked)
    if not checked.damage:
        return Exit.DONE
    name = quote_address(path)
    say(f"next:    leadline store salvage {name} NEW  |  or take the last backup of it")
    return Exit.STORE


def run_backup(source: str, target: Path, *, as_json: bool) -> Exit:
    """The whole command."""
    if is_url(source):
        return _copy_database(source, target, as_json=as_json)
    checked = back_up(Path(source), target)
    if as_json:
        print_json(checked)
    else:
        say(f"copied and checked: {source} to {target}, {sum(checked.rows.values()):,} rows")
    return Exit.DONE


def run_salvage(damaged: Path, new: Path, *, as_json: bool) -> Exit:
    """The whole command."""
    _check_is_file(damaged, "salvage")
    saved = salvage(damaged, new)
    if as_json:
        print_json(saved)
        return Exit.DONE
    rows = ((name, t.read, t.kept, t.lost) for name, t in saved.tables.items() if t.read or t.lost)
    show(table("", ("table", "#rows read", "#kept", "#lost"), rows))
    say(f"{saved.broken_pages} pages of {damaged} could not be read, wholly or in part")
    name = quote_address(new)
    say(f"next:    leadline status {name}  |  leadline crawl --store {name}")
    return Exit.DONE


def _copy_database(source: str, target: Path, *, as_json: bool) -> Exit:
    from leadline.store.transfer.copying import copy_store

    check_target(target)
    counts = copy_store(source, str(target))
    if as_json:
        print_json({"store": str(target), "rows": counts})
    else:
        say(
            f"copied and counted: {mask_password(source)} to {target},"
            f" {sum(counts.values()):,} rows"
        )
    return Exit.DONE


def _check_is_file(path: Path, verb: str) -> None:
    # A path has lost one of the two slashes of a URL.
    if ":/" in str(path):
        raise ConfigError(
            f"leadline store {verb} is for store files; PostgreSQL looks after its own: see SHOW "
            "data_checksums, pg_amcheck and pg_dump, or copy it: leadline store backup URL FILE"
        )


def _print_check(checked: StoreCheck) -> None:
    rows = sum(checked.rows.values())
    for finding in checked.damage:
        print_text(f"damaged: {finding.where}: {finding.what}")
    for note in checked.notes:
        print_text(f"note: {note.where}: {note.what}")
    if not checked.summed and rows:
        print_text("note: an older leadline wrote it: it has no checksums, only gross damage shows")
    elif checked.unsummed:
        print_text(f"note: {checked.unsummed:,} rows of an older leadline have no checksums")
    if not checked.damage:
        print_text(f"{checked.store} is sound: {rows:,} rows, {checked.summed:,} with checksums")
