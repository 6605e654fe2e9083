"""`leadline status`: how far a crawl has come."""

from collections import Counter
from contextlib import closing

from msgspec import Struct

from leadline.core import running
from leadline.core.crawl import Counts
from leadline.core.ports import Store
from leadline.core.running import NEVER, STOPPED, state_of
from leadline.core.shared import Team, Worker
from leadline.store.address import place_of
from leadline.store.catalogue import open_catalogue
from leadline.store.lock import is_locked
from leadline.ui.exits import Exit
from leadline.ui.live import sparkline
from leadline.ui.opening import looking_at, saved_settings, store_path
from leadline.ui.output import print_json, print_text, show, table
from leadline.ui.record_rows import HarvestRow, harvest_rows, harvest_table
from leadline.ui.rows import Point, harvest_curve, stop_reason

_CURVE_POINTS = 60


class Status(Struct, frozen=True):
    """What `status` shows."""

    topic: str
    strategy: str
    goal: str
    stopped: str
    counts: Counts
    sites: dict[str, int]
    """How many sites are in which state."""
    curve: list[Point]
    harvests: list[HarvestRow] = []
    state: str = NEVER
    """Of the crawl: running, paused, stopping, stopped, cut off."""
    team: Team | None = None
    """Of a crawl by several workers."""


def run_status(store: str | None, *, as_json: bool) -> Exit:
    """The whole command."""
    place = place_of(store_path(store))
    with looking_at(store) as opened, closing(open_catalogue(place)) as catalogue:
        status = read_status(opened, is_written=is_locked(place), team=catalogue.team())
    if as_json:
        print_json(status)
    else:
        _print(status)
    return Exit.DONE


def read_status(store: Store, *, is_written: bool = False, team: Team | None = None) -> Status:
    """Everything at one moment, of a store that some process writes or none."""
    settings = saved_settings(store)
    strategy = settings.get("strategy", {})
    return Status(
        topic=settings.get("topic", {}).get("name", ""),
        strategy=strategy.get("name", ""),
        goal=strategy.get("goal", ""),
        stopped=stop_reason(store),
        counts=store.counts(),
        sites=_sites_by_state(store),
        curve=harvest_curve((visit.forms for visit in store.visits()), _CURVE_POINTS),
        harvests=harvest_rows(store),
        state=state_of(store.load(running.KEY), is_written=is_written).state,
        team=team,
    )


def _sites_by_state(store: Store) -> dict[str, int]:
    states: Counter[str] = Counter()
    for site in store.sites():
        if site.closed:
            states[f"left: {_without_numbers(site.closed)}"] += 1
        else:
            states["open"] += 1
    return dict(states.most_common())


def _without_numbers(reason: str) -> str:
    """Reasons that differ only in a count are one.

    >>> _without_numbers("gave up after 8 failures in a row")
    'gave up after N failures in a row'
    """
    return " ".join("N" if word.isdecimal() else word for word in reason.split())


def _print(status: Status) -> None:
    counts = status.counts
    facts = [
        ("topic", f"{status.topic} (goal: {status.goal}, strategy: {status.strategy})"),
        ("last run", status.stopped if status.state in (NEVER, STOPPED) else status.state),
        ("pages", f"{counts.pages} of {counts.visits} visits, {counts.failed} failed"),
        ("forms", f"{counts.forms} relevant, {counts.searchable} searchable of any topic"),
        ("sites", f"{counts.deep_sites} with relevant forms, of {counts.sites} visited"),
        ("links", f"{counts.waiting} waiting, {counts.skipped} skipped, {counts.known} known"),
        ("traffic", f"{counts.requests} requests, {counts.size_bytes / 1e6:.1f} MB"),
        ("harvest", _curve(status.curve)),
    ]
    if status.team is not None:
        facts.append(("workers", _team(status.team)))
    show(table("", ("", ""), facts))
    show(table("\noutcomes", ("outcome", "#visits"), _falling(counts.outcomes)))
    show(table("\nsites", ("state", "#sites"), _falling(status.sites)))
    if status.team is not None and status.team.present:
        columns = ("worker", "heard of", "#on lease", "#visits")
        show(table("\nworkers", columns, map(_worker, status.team.present)))
    if status.harvests:
        show(harvest_table("\nharvests", status.harvests))
    print_text()


def _team(team: Team) -> str:
    gone = f", {len(team.gone)} gone" if team.gone else ""
    learner = f"learner {team.learner}" if team.learner else "no learner"
    return (
        f"{len(team.present)} at work{gone}; {learner}, model {team.model}, "
        f"{team.lessons} lessons to learn"
    )


def _worker(one: Worker) -> tuple[str, str, int, int]:
    return one.name, f"{one.seen_s:.1f} s ago", one.out, one.visits


def _curve(points: list[Point]) -> str:
    last = points[-1]
    rate = 100.0 * last.forms / last.visits if last.visits else 0.0
    bars = sparkline([point.forms for point in points], _CURVE_POINTS + 1)
    return f"{bars} {last.forms} forms in {last.visits} visits, {rate:.1f} per 100"


def _falling(numbers: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(numbers.items(), key=lambda pair: (-pair[1], pair[0]))
