"""Progress while a crawl runs: a panel that redraws itself, plain lines, or nothing."""

import asyncio
import os
import sys
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct
from rich.live import Live
from rich.table import Table
from rich.text import Text

from leadline.core.crawl import Budget, Counts
from leadline.ui.output import console, say
from leadline.ui.steering import crawl_task

PANEL_EVERY_S = 0.5
LINE_EVERY_S = 5.0
RECENT_VISITS = 200
"""The harvest rate 'lately' looks back so far."""
_BARS = "▁▂▃▄▅▆▇█"
_CURVE_CELLS = 40
_KEPT_SAMPLES = 20_000


class Sample(Struct, frozen=True):
    """The counts at one moment."""

    at: float
    counts: Counts


class Rates(Struct, frozen=True):
    """What the samples of a run add up to."""

    counts: Counts
    pages_per_s: float
    per_hundred: float
    """Relevant forms per 100 visits, over the store's whole life."""
    per_hundred_lately: float
    left_s: float | None
    """Until the budget is spent at this pace; None when nothing limits it."""
    curve: str
    drawn: str = ""
    """What harvests beside the crawl have brought, in words; '' when there are none."""

    def line(self) -> str:
        """All of it in one line, for logs."""
        return line(self)

    def panel(self) -> Table:
        """The same, to be redrawn in place."""
        return panel(self)


class Progress:
    """Collects samples of one run and says how it goes. Does no I/O."""

    def __init__(self, budget: Callable[[], Budget], drawn: Callable[[], str] = str) -> None:
        """`budget` is the one in force; `drawn` tells what harvests beside the crawl brought."""
        self._budget = budget
        self._drawn = drawn
        self._samples: deque[Sample] = deque(maxlen=_KEPT_SAMPLES)
        self._first: Sample | None = None

    def add(self, sample: Sample) -> Rates:
        self._first = self._first or sample
        self._samples.append(sample)
        pace = _pace(self._first, sample, lambda counts: counts.visits)
        now = sample.counts
        return Rates(
            counts=now,
            pages_per_s=pace,
            per_hundred=100.0 * now.forms / now.visits if now.visits else 0.0,
            per_hundred_lately=self._lately(now),
            left_s=left_s(self._budget(), now.visits, sample.at - self._first.at, pace),
            curve=sparkline([s.counts.forms for s in self._samples]),
            drawn=self._drawn(),
        )

    def _lately(self, now: Counts) -> float:
        then = now
        for sample in reversed(self._samples):
            then = sample.counts
            if now.visits - then.visits >= RECENT_VISITS:
                break
        visits = now.visits - then.visits
        return 100.0 * (now.forms - then.forms) / visits if visits else 0.0


def _pace(first: Sample, last: Sample, amount: Callable[[Counts], int]) -> float:
    seconds = last.at - first.at
    return (amount(last.counts) - amount(first.counts)) / seconds if seconds > 0 else 0.0


def left_s(budget: Budget, visits: int, elapsed_s: float, pace: float) -> float | None:
    """Seconds until pages or time run out, whichever is first.

    >>> left_s(Budget(pages=100, seconds=60.0), visits=50, elapsed_s=5.0, pace=10.0)
    5.0
    """
    lefts: list[float] = []
    if budget.seconds is not None:
        lefts.append(max(0.0, budget.seconds - elapsed_s))
    if budget.pages is not None and pace > 0:
        lefts.append(max(0.0, (budget.pages - visits) / pace))
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


def line(rates: Rates) -> str:
    """All of it in one line, for logs."""
    now = rates.counts
    return (
        f"{now.pages} pages  {now.forms} forms ({now.searchable} searchable)  "
        f"{rates.per_hundred:.1f} per 100 ({rates.per_hundred_lately:.1f} lately)  "
        f"{now.deep_sites}/{now.sites} sites  {now.waiting} waiting  "
        f"{rates.pages_per_s:.1f} pages/s  {now.failed} errors  {clock(rates.left_s)} left"
        f"{'  ' if rates.drawn else ''}{rates.drawn}"
    )


def panel(rates: Rates) -> Table:
    """The same, to be redrawn in place."""
    now = rates.counts
    cells = [
        ("pages", f"{now.pages:,}"),
        ("forms", f"{now.forms:,} of {now.searchable:,} searchable"),
        ("per 100", f"{rates.per_hundred:.1f}, lately {rates.per_hundred_lately:.1f}"),
        ("sites", f"{now.deep_sites:,} with forms of {now.sites:,}"),
        ("waiting", f"{now.waiting:,}"),
        ("pages/s", f"{rates.pages_per_s:.1f}"),
        ("errors", f"{now.failed:,}"),
        ("left", clock(rates.left_s)),
    ]
    whole = Table.grid()
    whole.add_row(facts(cells))
    whole.add_row(Text.assemble(("harvest ", "dim"), (rates.curve, "green")))
    if rates.drawn:
        whole.add_row(Text.assemble(("drawn up ", "dim"), rates.drawn))
    return whole


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


class Shown(Protocol):
    """What a display shows: how something goes, at one moment."""

    def line(self) -> str: ...

    def panel(self) -> Table: ...


class Display(Protocol):
    """Shows rates, and takes words from others without breaking its picture."""

    every_s: float

    def show(self, rates: Shown) -> None: ...

    def say(self, text: str) -> None: ...

    def close(self) -> None: ...


class Panel:
    """Redraws itself on a terminal."""

    every_s = PANEL_EVERY_S

    def __init__(self) -> None:
        self._live = Live(console=console(sys.stderr), auto_refresh=False, transient=True)
        self._live.start()

    def show(self, rates: Shown) -> None:
        self._live.update(rates.panel(), refresh=True)

    def say(self, text: str) -> None:
        self._live.console.print(text)

    def close(self) -> None:
        self._live.stop()


class Lines:
    """A line every few seconds."""

    every_s = LINE_EVERY_S

    def show(self, rates: Shown) -> None:
        say(rates.line())

    def say(self, text: str) -> None:
        say(text)

    def close(self) -> None:
        """Nothing to take down."""


class Silence:
    """Shows nothing; words still get through."""

    every_s = 3_600.0

    def show(self, rates: Shown) -> None:
        """Nothing."""

    def say(self, text: str) -> None:
        say(text)

    def close(self) -> None:
        """Nothing to take down."""


def choose_display(*, is_quiet: bool, is_plain: bool) -> Display:
    """The panel only where it can be redrawn."""
    if is_quiet:
        return Silence()
    has_screen = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    return Panel() if has_screen and not is_plain else Lines()


class Watch:
    """Samples a running crawl in its own event loop, until the task it was begun in is over."""

    def __init__(self, display: Display, progress: Progress) -> None:
        self._display = display
        self._progress = progress

    def attach(self, counts: Callable[[], Counts]) -> None:
        """Begin. Called inside the crawl's own task, whose end closes the store."""
        keep_showing(self._display, lambda: self._progress.add(Sample(time.time(), counts())))


def keep_showing(display: Display, look: Callable[[], Shown]) -> None:
    """Look at once and then now and again, and show it, while the task this is called in lasts."""
    loop, task = asyncio.get_running_loop(), crawl_task()

    def tick() -> None:
        if task.done():
            return
        display.show(look())
        loop.call_later(display.every_s, tick)

    look()
    loop.call_later(min(1.0, display.every_s), tick)
