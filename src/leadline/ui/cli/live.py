"""Progress while a crawl or harvests run: a panel that redraws itself, plain lines, or nothing."""

import asyncio
import os
import sys
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct
from rich.live import Live
from rich.table import Table
from rich.text import Text

from leadline.core.crawl import Budget, Counts
from leadline.harvester.session.retries import HarvestBudget
from leadline.harvester.session.session import HarvestProgress as SessionProgress
from leadline.ui.cli.output import console, say
from leadline.ui.cli.signals import crawl_task
from leadline.views.text import shorten

PANEL_EVERY_S = 0.5
LINE_EVERY_S = 5.0
"""Lines stay in a log: fewer of them."""
RECENT_VISITS = 200
"""The rate of forms 'lately' looks back so far."""
_BARS = "▁▂▃▄▅▆▇█"
_CURVE_CELLS = 40
_KEPT_SAMPLES = 20_000
"""Of a run of a day, one every few seconds."""
_SOURCES_SHOWN = 8


class Showable(Protocol):
    """How something goes, at one moment: what a display shows."""

    def line(self) -> str:
        """All of it in one line, for logs."""
        ...

    def panel(self) -> Table:
        """The same, to be redrawn in place."""
        ...


class CrawlRates(Struct, frozen=True):
    """What the counts of a run, taken now and then, add up to."""

    counts: Counts
    pages_per_s: float
    per_hundred: float
    """Relevant forms per 100 visits, over all runs on the store."""
    per_hundred_lately: float
    left_s: float | None
    """Until the budget is spent at this pace; None when nothing limits it."""
    curve: str
    harvests: tuple[SessionProgress, ...] = ()
    """Those during the crawl."""
    is_paused: bool = False

    @property
    def pace(self) -> str:
        return "paused, 0" if self.is_paused else f"{self.pages_per_s:.1f}"

    def line(self) -> str:
        now = self.counts
        harvested = summarise_harvests(self.harvests)
        return (
            f"{now.pages:,} pages of {now.sites:,} sites, {self.pace} pages/s, "
            f"{now.failed:,} failed, {now.waiting:,} links waiting; "
            f"{now.forms:,} forms of the topic on {now.deep_sites:,} sites"
            f"{'; ' if harvested else ''}{harvested}; {clock(self.left_s)} left"
        )

    def panel(self) -> Table:
        now = self.counts
        cells = [
            ("pages", f"{now.pages:,}"),
            ("forms", f"{now.forms:,} of {now.searchable:,} searchable"),
            ("per 100", f"{self.per_hundred:.1f}, lately {self.per_hundred_lately:.1f}"),
            ("sites", f"{now.deep_sites:,} with forms of {now.sites:,}"),
            ("waiting", f"{now.waiting:,}"),
            ("pages/s", self.pace),
            ("failed", f"{now.failed:,}"),
            ("left", clock(self.left_s)),
        ]
        whole = Table.grid()
        whole.add_row(facts(cells))
        whole.add_row(Text.assemble(("forms ", "dim"), (self.curve, "green")))
        if self.harvests:
            whole.add_row(Text.assemble(("records ", "dim"), summarise_harvests(self.harvests)))
            most_first = sorted(self.harvests, key=lambda one: -one.tally.records)
            for one in most_first[:_SOURCES_SHOWN]:
                whole.add_row(Text(describe_session(one)))
        return whole


def describe_session(session: SessionProgress) -> str:
    """How one harvest goes, in a line."""
    coverage, tally = session.coverage, session.tally
    is_known = coverage is not None and coverage.high is not None
    covered = f", {coverage.share:.0%} covered" if coverage and is_known else ""
    rest = f", waiting: {shorten(session.pause_reason, 60)}" if session.pause_reason else ""
    return (
        f"  {shorten(session.site, 40)}: {tally.records:,} records in {tally.requests:,} requests"
        f"{covered}{rest}"
    )


class CrawlProgress:
    """Collects the counts of one run and says how it goes. Does no I/O."""

    def __init__(
        self,
        budget: Callable[[], Budget],
        harvests: Callable[[], Sequence[SessionProgress]] = tuple,
        is_paused: Callable[[], bool] = bool,
    ) -> None:
        """`budget` is the one in force, which the harvests during the crawl share."""
        self._budget = budget
        self._harvests = harvests
        self._is_paused = is_paused
        self._samples: deque[Counts] = deque(maxlen=_KEPT_SAMPLES)
        self._first: tuple[float, int, int] | None = None
        """When the run began, and the visits and all requests that were spent by then."""

    def add(self, at: float, now: Counts) -> CrawlRates:
        """Take the counts of a moment."""
        harvests = tuple(self._harvests())
        spent = now.visits + sum(one.tally.requests for one in harvests)
        self._first = self._first or (at, now.visits, spent)
        self._samples.append(now)
        began, visits, before = self._first
        elapsed_s = at - began
        pace = (now.visits - visits) / elapsed_s if elapsed_s > 0 else 0.0
        spending = (spent - before) / elapsed_s if elapsed_s > 0 else 0.0
        return CrawlRates(
            counts=now,
            pages_per_s=pace,
            per_hundred=100.0 * now.forms / now.visits if now.visits else 0.0,
            per_hundred_lately=self._rate_lately(now),
            left_s=left_s(self._budget(), spent, elapsed_s, spending),
            curve=sparkline([counts.forms for counts in self._samples]),
            harvests=harvests,
            is_paused=self._is_paused(),
        )

    def _rate_lately(self, now: Counts) -> float:
        then = now
        for then in reversed(self._samples):
            if now.visits - then.visits >= RECENT_VISITS:
                break
        visits = now.visits - then.visits
        return 100.0 * (now.forms - then.forms) / visits if visits else 0.0


def left_s(budget: Budget, spent: int, elapsed_s: float, pace: float) -> float | None:
    """Seconds until pages or time run out, whichever is first. `spent` counts what the budget of
    pages pays for: visits, and requests of harvests during the crawl.

    >>> left_s(Budget(pages=100, seconds=60.0), spent=50, elapsed_s=5.0, pace=10.0)
    5.0
    """
    lefts: list[float] = []
    if budget.seconds is not None:
        lefts.append(max(0.0, budget.seconds - elapsed_s))
    if budget.pages is not None and pace > 0:
        lefts.append(max(0.0, (budget.pages - spent) / pace))
    return min(lefts, default=None)


def sparkline(values: list[int], cells: int = _CURVE_CELLS) -> str:
    """A curve as one line of bars.

    >>> sparkline([0, 1, 2, 4, 7])
    '▁▂▃▅█'
    """
    if not values:
        return ""
    step = max(1, -(-len(values) // cells))
    thinned = values[::step]
    if thinned[-1] != values[-1]:
        thinned.append(values[-1])
    top = max(thinned) or 1
    return "".join(_BARS[min(7, 8 * value // (top + 1))] for value in thinned)


def clock(seconds: float | None) -> str:
    """As in `1:02:03`, or `-` for None.

    >>> clock(3723.2), clock(59), clock(None)
    ('1:02:03', '0:59', '-')
    """
    if seconds is None:
        return "-"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def facts(cells: list[tuple[str, str]]) -> Table:
    """Names and values, four pairs a row."""
    grid = Table.grid(padding=(0, 1))
    for _ in range(4):
        grid.add_column(style="dim", min_width=7)
        grid.add_column(style="bold", min_width=12)
    for start in range(0, len(cells), 4):
        row = cells[start : start + 4]
        grid.add_row(*(Text(text) for pair in row for text in pair))
    return grid


class Display(Protocol):
    """Shows progress, and prints messages without breaking its picture."""

    every_s: float

    def show(self, progress: Showable) -> None: ...

    def say(self, text: str) -> None: ...

    def close(self) -> None: ...


class PanelDisplay:
    """Redraws itself on a terminal."""

    every_s = PANEL_EVERY_S

    def __init__(self) -> None:
        self._live = Live(console=console(sys.stderr), auto_refresh=False, transient=True)
        self._live.start()

    def show(self, progress: Showable) -> None:
        self._live.update(progress.panel(), refresh=True)

    def say(self, text: str) -> None:
        self._live.console.print(text)

    def close(self) -> None:
        self._live.stop()


class LineDisplay:
    """A line every few seconds."""

    every_s = LINE_EVERY_S

    def show(self, progress: Showable) -> None:
        say(progress.line())

    def say(self, text: str) -> None:
        say(text)

    def close(self) -> None:
        """Nothing to take down."""


class SilentDisplay:
    """Shows nothing; words still get through."""

    every_s = 3_600.0

    def show(self, progress: Showable) -> None:
        """Nothing."""

    def say(self, text: str) -> None:
        say(text)

    def close(self) -> None:
        """Nothing to take down."""


def choose_display(*, is_quiet: bool, is_plain: bool) -> Display:
    """The panel only where it can be redrawn."""
    if is_quiet:
        return SilentDisplay()
    has_screen = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    return PanelDisplay() if has_screen and not is_plain else LineDisplay()


def keep_showing(display: Display, look: Callable[[], Showable]) -> None:
    """Look now and then, and show it, until the task that this is called in ends."""
    loop, task = asyncio.get_running_loop(), crawl_task()

    def tick() -> None:
        if task.done():
            return
        display.show(look())
        loop.call_later(display.every_s, tick)

    look()
    loop.call_later(min(1.0, display.every_s), tick)


class HarvestsSnapshot(Struct, frozen=True):
    """How all harvests of a run go, at one moment."""

    sources: tuple[SessionProgress, ...]
    left_s: float | None = None
    """Until the first budget is spent at this pace; None when nothing limits it."""
    curve: str = ""

    @property
    def queries(self) -> int:
        return sum(source.tally.queries for source in self.sources)

    @property
    def requests(self) -> int:
        return sum(source.tally.requests for source in self.sources)

    @property
    def records(self) -> int:
        return sum(source.tally.records for source in self.sources)

    @property
    def lately(self) -> float:
        """New records a request, the mean of all sources."""
        return sum(source.recent_yield for source in self.sources) / max(1, len(self.sources))

    @property
    def per_request(self) -> float:
        return self.records / self.requests if self.requests else 0.0

    @property
    def coverage(self) -> str:
        """As in `62 %`, or `-` when it is not known of every source."""
        all_ = [source.coverage for source in self.sources if source.coverage is not None]
        known = [coverage for coverage in all_ if coverage.high is not None]
        size = sum(coverage.size for coverage in known)
        if not size or len(known) < len(self.sources):
            return "-"
        return f"{100.0 * sum(coverage.held for coverage in known) / size:.0f} %"

    @property
    def resting(self) -> str:
        return next((source.pause_reason for source in self.sources if source.pause_reason), "")

    def line(self) -> str:
        """All of it in one line, for logs."""
        many = f"{len(self.sources)} sources  " if len(self.sources) > 1 else ""
        rest = f"  resting: {shorten(self.resting, 60)}" if self.resting else ""
        return (
            f"{many}{self.queries} queries  {self.requests} requests  {self.records} records  "
            f"{self.per_request:.2f} new a request ({self.lately:.2f} lately)  "
            f"{self.coverage} covered  {clock(self.left_s)} left{rest}"
        )

    def panel(self) -> Table:
        """The same, to be redrawn in place."""
        cells = [
            ("queries", f"{self.queries:,}"),
            ("requests", f"{self.requests:,}"),
            ("records", f"{self.records:,}"),
            ("covered", self.coverage),
            ("new/req", f"{self.per_request:.2f}, lately {self.lately:.2f}"),
            ("sources", f"{len(self.sources):,}"),
            ("left", clock(self.left_s)),
            ("", ""),
        ]
        whole = Table.grid()
        whole.add_row(facts(cells))
        whole.add_row(Text.assemble(("records ", "dim"), (self.curve, "green")))
        for source in self.sources[:_SOURCES_SHOWN] if len(self.sources) > 1 else ():
            whole.add_row(Text(f"{shorten(source.site, 40)}  {source.tally.records:,} records"))
        if self.resting:
            whole.add_row(Text(f"resting: {shorten(self.resting, 100)}"))
        return whole


class HarvestsProgress:
    """Collects how the harvests of a run go, and sums it up. Does no I/O."""

    def __init__(self, limits: HarvestBudget, now: Callable[[], float]) -> None:
        self._limits = limits
        self._now = now
        self._records: deque[int] = deque(maxlen=_KEPT_SAMPLES)
        self._first: tuple[float, int] | None = None

    def add(self, sources: Sequence[SessionProgress]) -> HarvestsSnapshot:
        snapshot = HarvestsSnapshot(tuple(sources))
        at = self._now()
        self._first = self._first or (at, snapshot.requests)
        self._records.append(snapshot.records)
        begun, before = self._first
        seconds = at - begun
        pace = (snapshot.requests - before) / seconds if seconds > 0 else 0.0
        left = self._left_s(snapshot, seconds, pace)
        return HarvestsSnapshot(snapshot.sources, left, sparkline(list(self._records)))

    def _left_s(self, snapshot: HarvestsSnapshot, seconds: float, pace: float) -> float | None:
        """Until requests or time run out, whichever is first."""
        lefts: list[float] = []
        if self._limits.seconds is not None:
            lefts.append(max(0.0, self._limits.seconds - seconds))
        if self._limits.requests is not None and pace > 0:
            most = self._limits.requests * len(snapshot.sources)
            lefts.append(max(0.0, (most - snapshot.requests) / pace))
        return min(lefts, default=None)


def summarise_harvests(sources: Sequence[SessionProgress]) -> str:
    """Harvests during a crawl in a few words; '' when nothing was harvested yet."""
    snapshot = HarvestsSnapshot(tuple(sources))
    if not sources:
        return ""
    databases = "1 database" if len(sources) == 1 else f"{len(sources)} databases"
    return f"{snapshot.records:,} records of {databases} in {snapshot.requests:,} requests"
