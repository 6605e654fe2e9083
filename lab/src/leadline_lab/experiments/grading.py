"""Grades a crawl by the truth while it runs."""

from collections import Counter
from collections.abc import Callable

import msgspec
import xxhash
from msgspec import Struct

from leadline.core.crawl import Visit
from leadline.core.url import Site
from leadline.crawler.decisions import PASSED_OVER
from leadline.errors import RobotsDeniedError
from leadline_lab.experiments.worlds import PageTruth, Truth

_UNPAID = (RobotsDeniedError.kind, PASSED_OVER)
CHECKPOINTS = (1_000, 5_000, 10_000, 30_000, 100_000)
MOST_POINTS = 200

NEW_FORM = "new relevant form"
KNOWN_FORM = "known relevant form"
ON_TOPIC = "on topic, no form"
OFF_TOPIC = "off topic"
TRAP = "trap"
REPEAT = "repeated page"
ERROR = "error"
REDIRECTS = "redirect"
ROBOTS = "robots.txt"
SERVICES = "service"
USES = (
    NEW_FORM, KNOWN_FORM, ON_TOPIC, OFF_TOPIC, TRAP, REPEAT, ERROR, REDIRECTS, ROBOTS, SERVICES,
)  # fmt: skip
"""Where requests go, from the best use to the worst, then the unavoidable."""


class Point(Struct, frozen=True, array_like=True):
    """How far a crawl was after `pages` visits that were paid for."""

    pages: int = 0
    requests: int = 0
    forms: int = 0
    """Distinct relevant interfaces on pages read."""
    sites: int = 0
    """Distinct deep sites: sites on which such an interface was met."""
    searchable: int = 0
    """Distinct searchable interfaces of any domain."""
    on_topic: int = 0
    """Pages that are about the domain."""


class Grader:
    """Takes in visits one by one, in the order of the crawl."""

    def __init__(
        self,
        truth: Truth,
        domain: str,
        budget_pages: int,
        spent: Callable[[], int] | None = None,
        after_visit: Callable[[], None] = lambda: None,
    ) -> None:
        """`spent` says how many requests were made so far, those of services included; by default
        the visits' own are added up. `after_visit` is called when one was graded."""
        self.uses: Counter[str] = Counter()
        """Visits that got an answer, by what it was good for."""
        self.outcomes: Counter[str] = Counter()
        self.checkpoints: list[Point] = []
        self.gains: list[int] = []
        """Of each distinct relevant interface, in order: the requests after which it was met."""
        self._truth = truth
        self._domain = domain
        self._budget = budget_pages
        self._step = -(-budget_pages // (MOST_POINTS - 2))
        self._marks = {mark for mark in CHECKPOINTS if mark <= budget_pages} | {budget_pages}
        self._curve: list[Point] = [Point()]
        self._relevant: set[int] = set()
        self._searchable: set[int] = set()
        self._deep_sites: set[int] = set()
        self._hosts: Counter[Site] = Counter()
        self._pages = self._requests = self._on_topic = self._area = 0
        self._spent = spent or (lambda: self._requests)
        self._after_visit = after_visit
        self._trail = xxhash.xxh3_64()
        self._encode = msgspec.msgpack.Encoder().encode

    def grade(self, visit: Visit) -> None:
        """Count one visit by what its page really is."""
        self._trail.update(self._encode(visit))
        self.outcomes[visit.outcome] += 1
        self._requests += visit.requests
        self._hosts[visit.site] += 1
        if visit.status:
            self.uses[self._use(visit)] += 1
        if visit.outcome not in _UNPAID:
            self._pages += 1
            self._area += len(self._relevant)
            self._mark()
        self._after_visit()

    @property
    def now(self) -> Point:
        return Point(
            self._pages,
            self._requests,
            len(self._relevant),
            len(self._deep_sites),
            len(self._searchable),
            self._on_topic,
        )

    @property
    def curve(self) -> tuple[Point, ...]:
        """From nothing to now, at most MOST_POINTS."""
        last = () if self._curve[-1].pages == self._pages else (self.now,)
        return (*self._curve, *last)

    @property
    def area(self) -> float:
        """Mean of the distinct relevant interfaces over the whole budget of pages.

        A crawl that ended early keeps what it had.
        """
        rest = max(0, self._budget - self._pages)
        return (self._area + rest * len(self._relevant)) / max(self._budget, self._pages)

    @property
    def busiest_host(self) -> int:
        """Visits to the site that got most."""
        return max(self._hosts.values(), default=0)

    @property
    def trail(self) -> str:
        """A hash of every visit in order: equal for crawls that did the same."""
        return self._trail.hexdigest()

    def is_true(self, interface: int | None) -> bool:
        """Whether it is a relevant interface."""
        return interface is not None and self._domain in self._truth.domains_of(interface)

    def _use(self, visit: Visit) -> str:
        if visit.outcome == "duplicate":
            return REPEAT
        if visit.outcome != "page":
            return ERROR
        page = self._truth.page(visit.final_url or visit.url)
        is_on_topic = self._truth.is_relevant(page, self._domain)
        self._on_topic += is_on_topic
        relevant = [number for number in page.interfaces if self.is_true(number)]
        if self._take_in(page, relevant):
            return NEW_FORM
        if page.trap:
            return TRAP
        if relevant:
            return KNOWN_FORM
        return ON_TOPIC if is_on_topic else OFF_TOPIC

    def _take_in(self, page: PageTruth, relevant: list[int]) -> bool:
        """Whether a relevant interface was not met before."""
        before = len(self._relevant)
        self._searchable.update(page.interfaces)
        self._relevant.update(relevant)
        self.gains += [self._spent()] * (len(self._relevant) - before)
        if relevant:
            self._deep_sites.add(page.site)
        return len(self._relevant) > before

    def _mark(self) -> None:
        if self._pages % self._step == 0:
            self._curve.append(self.now)
        if self._pages in self._marks:
            self.checkpoints.append(self.now)
