"""`leadline status`: how far a crawl has come."""

from contextlib import closing

from rich.table import Table

from leadline.core.running import STOPPED
from leadline.core.shared import Team
from leadline.store.address import place_of
from leadline.ui.cli.live import sparkline
from leadline.ui.exits import Exit
from leadline.ui.opening import store_path
from leadline.ui.output import print_json, print_text, shorten, show, table
from leadline.views.harvests import HarvestStatus
from leadline.views.mirror.store import open_mirror
from leadline.views.overview import Status, read_status

_CURVE_POINTS = 60


def run_status(store: str | None, *, as_json: bool) -> Exit:
    """The whole command."""
    path = store_path(store)
    with closing(open_mirror(path, place_of(path))) as mirror, mirror.refresh():
        status = read_status(mirror)
    if as_json:
        print_json(status)
    else:
        _print(status)
    return Exit.DONE


def _print(status: Status) -> None:
    counts, last = status.counts, status.curve[-1] if status.curve else None
    bars = sparkline([0, *(point.forms for point in status.curve)], _CURVE_POINTS + 1)
    visits = last.visits if last else 0
    rate = 100.0 * counts.forms / visits if visits else 0.0
    facts = [
        ("topic", f"{status.topic} (goal: {status.goal}, strategy: {status.strategy})"),
        ("last run", status.reason if status.state == STOPPED else status.state),
        ("pages", f"{counts.pages} of {counts.visits} visits, {counts.failed} failed"),
        ("forms", f"{counts.forms} relevant, {counts.searchable} searchable of any topic"),
        ("sites", f"{counts.deep_sites} with relevant forms, of {counts.sites} visited"),
        ("links", f"{counts.waiting} waiting, {counts.skipped} skipped, {counts.known} known"),
        ("traffic", f"{counts.requests} requests, {counts.size_bytes / 1e6:.1f} MB"),
        ("harvest", f"{bars} {counts.forms} forms in {visits} visits, {rate:.1f} per 100"),
    ]
    team = status.team
    if team is not None:
        facts.append(("workers", _team_words(team)))
    show(table("", ("", ""), facts))
    show(table("\noutcomes", ("outcome", "#visits"), _largest_first(counts.outcomes)))
    left = {f"left: {reason}": number for reason, number in status.politeness.left.items()}
    states = {"open": status.politeness.open, **left}
    show(table("\nsites", ("state", "#sites"), _largest_first(states)))
    if team is not None and team.present:
        columns = ("worker", "last seen", "#on lease", "#visits")
        rows = ((w.name, f"{w.seen_s:.1f} s ago", w.out, w.visits) for w in team.present)
        show(table("\nworkers", columns, rows))
    if status.harvests:
        show(_harvest_table(status.harvests[::-1]))
    print_text()


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
