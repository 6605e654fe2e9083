"""`leadline status` and `explain`: how far a crawl has come, and why it did what it did."""

from contextlib import closing
from typing import Any

from rich.table import Table

from leadline.config import settings_file
from leadline.config.runs import choose_store_path, resolve_settings
from leadline.core.page import Page
from leadline.core.servers import ServerSharing
from leadline.core.store import STOPPED, Team
from leadline.core.url import Url, canonical
from leadline.errors import ConfigError
from leadline.store.address import place_of
from leadline.store.care.checks import blame_damage
from leadline.ui.cli.examples import read_pages
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.live import sparkline
from leadline.ui.cli.output import print_json, print_text, say, show, table
from leadline.views.critic import Facts, StoreCritic, StoreRanking
from leadline.views.explanation import StoreLookup, explain
from leadline.views.harvests import HarvestStatus
from leadline.views.mirror.store import open_mirror
from leadline.views.overview import Status, read_status
from leadline.views.stores import open_to_read, saved_settings
from leadline.views.text import clean, shorten

_CURVE_POINTS = 60


def run_status(store: str | None, *, as_json: bool) -> Exit:
    """The whole command."""
    path = choose_store_path(store)
    with (
        blame_damage(path),
        closing(open_mirror(path, place_of(path))) as mirror,
        mirror.refresh(),
    ):
        status = read_status(mirror)
    if as_json:
        print_json(status)
    else:
        _print_status(status)
    return Exit.DONE


def _print_status(status: Status) -> None:
    counts, last = status.counts, status.curve[-1] if status.curve else None
    bars = sparkline([0, *(point.forms for point in status.curve)], _CURVE_POINTS + 1)
    visits = last.visits if last else 0
    rate = 100.0 * counts.forms / visits if visits else 0.0
    facts = [
        ("topic", f"{status.topic} (goal: {status.goal}, strategy: {status.strategy})"),
        ("last run", status.reason if status.state == STOPPED else status.state),
        ("pages", f"{counts.pages} of {counts.visits} visits, {counts.failed} failed"),
        ("forms", f"{counts.forms} relevant, {counts.searchable} searchable of any topic"),
        ("records", f"{status.records:,} of {_count_databases(status.harvests)}"),
        ("sites", f"{counts.deep_sites} with relevant forms, of {counts.sites} visited"),
        (
            "links",
            f"{counts.waiting} waiting, {counts.skipped} skipped, "
            f"{counts.passed_over} passed over, {counts.known} known",
        ),
        ("shared", _sharing_words(status.politeness.shared)),
        ("traffic", f"{counts.requests} requests, {counts.size_bytes / 1e6:.1f} MB"),
        ("found", f"{bars} {counts.forms} forms in {visits} visits, {rate:.1f} per 100"),
    ]
    team = status.team
    if team is not None:
        facts.append(("workers", _team_words(team)))
    quarantine = status.quarantine
    if quarantine.readers_lost:
        words = f"{quarantine.readers_lost} lost, {quarantine.pages} pages in quarantine"
        facts.append(("readers", words))
    show(table("", ("", ""), facts))
    show(table("\noutcomes", ("outcome", "#visits"), _largest_first(counts.outcomes)))
    left = {f"left: {reason}": number for reason, number in status.politeness.left.items()}
    states = {"open": status.politeness.open, **left}
    show(table("\nsites", ("state", "#sites"), _largest_first(states)))
    if status.traps:
        named = [(shorten(event.subject, 40), event.detail) for event in status.traps]
        show(table(f"\ntraps: {status.trap_count}, the latest", ("site", "what"), named))
    if quarantine.latest:
        pages = ((shorten(clean(page.subject), 60), page.detail) for page in quarantine.latest)
        show(table("\nin quarantine: not read again", ("page", "why"), pages))
    if team is not None and team.present:
        columns = ("worker", "last seen", "#on lease", "#visits")
        rows = ((w.name, f"{w.seen_s:.1f} s ago", w.out, w.visits) for w in team.present)
        show(table("\nworkers", columns, rows))
    if status.harvests:
        show(_harvest_table(status.harvests[::-1]))
    print_text()


def _count_databases(harvests: tuple[HarvestStatus, ...]) -> str:
    number = sum(row.records > 0 for row in harvests)
    return "1 database" if number == 1 else f"{number} databases"


def _sharing_words(shared: ServerSharing) -> str:
    if not shared.servers:
        return "no two sites share an address or a domain"
    return (
        f"{shared.sites} sites share {shared.servers} addresses or domains, "
        f"{shared.waiting} wait for their turn there"
    )


def _team_words(team: Team) -> str:
    gone = f", {len(team.gone)} gone" if team.gone else ""
    learner = f"learner {team.learner}" if team.learner else "no learner"
    return (
        f"{len(team.present)} at work{gone}; {learner}, model {team.model}, "
        f"{team.lessons} lessons to learn"
    )


def _harvest_table(rows: tuple[HarvestStatus, ...]) -> Table:
    columns = ("site", "form", "#queries", "#requests", "#records", "#held", "stopped")
    cells = (
        (
            *(shorten(row.site, 40), row.source, row.queries, row.requests, row.records),
            f"{row.coverage.share:.0%}" if row.coverage and row.coverage.high else "",
            row.reason or "running, or cut off",
        )
        for row in rows
    )
    return table("\nharvests", columns, cells)


def _largest_first(numbers: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(numbers.items(), key=lambda pair: (-pair[1], pair[0]))


def run_explain(store: str, subject: str, *, is_fetched: bool = False, as_json: bool) -> Exit:
    """The whole command."""
    with open_to_read(choose_store_path(store)) as opened:
        settings = saved_settings(opened)
        critic, ranking = StoreCritic.open(opened), StoreRanking.open(opened)
        facts = explain(opened, subject, critic, ranking, StoreLookup(opened))
    url = canonical(subject)
    if is_fetched and url is None:
        raise ConfigError(f"--fetch needs a URL: {subject!r} is none; write https://host/path")
    if is_fetched and url is not None:
        page = _fetch(url, settings)
        if page is None:
            return Exit.NOTHING_FETCHED
        facts = {**(facts or {"url": url}), "the page now": critic.explain_page(page)}
    if facts is None:
        say(
            f"leadline: {store} has never seen {subject!r}; "
            "give a URL, a site (host) or a form's signature from 'leadline forms'"
        )
        return Exit.NOT_KNOWN
    if as_json:
        print_json(facts)
    else:
        _print_facts(facts)
    return Exit.DONE


def _fetch(url: Url, settings: dict[str, Any]) -> Page | None:
    """The page as it is now, fetched politely; None, and a message, when that fails."""
    found = read_pages([url], resolve_settings(settings_file(None), {}, settings)[0])
    return found[0].page if found else None


def _print_facts(facts: Facts, indent: str = "") -> None:
    for name, fact in facts.items():
        if isinstance(fact, dict):
            print_text(f"{indent}{name}:")
            _print_facts(fact, f"{indent}  ")
        elif isinstance(fact, list):
            print_text(f"{indent}{name}:{'' if fact else ' none'}")
            _print_list(fact, f"{indent}  ")
        else:
            print_text(clean(f"{indent}{name}: {fact}"))


def _print_list(items: list[Any], indent: str) -> None:
    for number, item in enumerate(items, start=1):
        if isinstance(item, dict):
            print_text(f"{indent}{number}.")
            _print_facts(item, f"{indent}   ")
        else:
            print_text(clean(f"{indent}{number}. {item}"))
