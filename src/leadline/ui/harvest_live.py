"""Progress while harvests run, shown like that of a crawl."""

from collections import deque
from collections.abc import Callable, Sequence

from msgspec import Struct
from rich.table import Table
from rich.text import Text

from leadline.harvester.session.limits import Limits
from leadline.harvester.session.session import Progress
from leadline.ui.live import clock, facts, sparkline
from leadline.ui.output import shorten

_KEPT_SAMPLES = 20_000
_SOURCES_SHOWN = 8


class Drawing(Struct, frozen=True):
    """How all harvests of a run go, at one moment."""

    sources: tuple[Progress, ...]
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
        return sum(source.lately for source in self.sources) / max(1, len(self.sources))

    @property
    def per_request(self) -> float:
        return self.records / self.requests if self.requests else 0.0

    @property
    def coverage(self) -> str:
        """As in `62 %`, or `-` when it cannot be told of every source."""
        told = [source.coverage for source in self.sources if source.coverage is not None]
        known = [coverage for coverage in told if coverage.high is not None]
        size = sum(coverage.size for coverage in known)
        if not size or len(known) < len(self.sources):
            return "-"
        return f"{100.0 * sum(coverage.held for coverage in known) / size:.0f} %"

    @property
    def resting(self) -> str:
        return next((source.resting for source in self.sources if source.resting), "")

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


class Drawings:
    """Collects samples of a run and says how it goes. Does no I/O."""

    def __init__(self, limits: Limits, now: Callable[[], float]) -> None:
        self._limits = limits
        self._now = now
        self._records: deque[int] = deque(maxlen=_KEPT_SAMPLES)
        self._first: tuple[float, int] | None = None

    def add(self, sources: Sequence[Progress]) -> Drawing:
        drawing = Drawing(tuple(sources))
        at = self._now()
        self._first = self._first or (at, drawing.requests)
        self._records.append(drawing.records)
        begun, before = self._first
        seconds = at - begun
        pace = (drawing.requests - before) / seconds if seconds > 0 else 0.0
        left = self._left_s(drawing, seconds, pace)
        return Drawing(drawing.sources, left, sparkline(list(self._records)))

    def _left_s(self, drawing: Drawing, seconds: float, pace: float) -> float | None:
        """Until requests or time run out, whichever is first."""
        lefts: list[float] = []
        if self._limits.seconds is not None:
            lefts.append(max(0.0, self._limits.seconds - seconds))
        if self._limits.requests is not None and pace > 0:
            most = self._limits.requests * len(drawing.sources)
            lefts.append(max(0.0, (most - drawing.requests) / pace))
        return min(lefts, default=None)


def in_words(sources: Sequence[Progress]) -> str:
    """Beside a crawl, in a few words; '' when nothing was harvested yet."""
    drawing = Drawing(tuple(sources))
    if not sources:
        return ""
    return f"{drawing.records} records of {len(sources)} forms in {drawing.requests} requests"
