"""All that SmartCrawler remembers: bounded, and written out as one message."""

from msgspec import Struct, field

from leadline.core.crawl import Candidate, PageView
from leadline.core.url import Site
from leadline.strategies.smart.exploring import MOST_OPEN, Exploration
from leadline.strategies.smart.learner import ContextCounts, FeatureSetIteration, FeatureSets
from leadline.strategies.smart.reverse import ReverseSearch
from leadline.strategies.smart.roles import is_answer, is_home, is_inside, is_seed
from leadline.strategies.smart.site_frontier import SiteFrontier, site_key

MOST_VISITED = 1 << 18
"""Sites remembered as visited or as deep. What is forgotten may be counted as waiting again."""
MOST_ITERATIONS = 100
"""FeatureSets kept: the first, and the last ones."""
MOST_SAMPLES = 400
"""Points of the curve of queue sizes; with more, every second goes."""


_MOVE_PAUSE = 50
"""Pages between two moves of the low queue: each ranks everything that waits again."""
_STALE = 1.25
"""Ranks are stale when so many times the pages were seen: new links to a site raise it, and the
number of rankings still grows with the logarithm of the pages only."""
_STALE_PAGES = 100
"""But never after fewer pages than these."""


class QueueSizes(Struct, frozen=True, array_like=True):
    """How many sites waited when so many pages had been seen."""

    pages: int
    high: int
    low: int


class SmartCrawlerMemory(Struct, rename={"gain": "forms", "new_gain": "new_forms"}):
    """The state of a crawl by SmartCrawler."""

    pages: int = 0
    """Seen so far."""
    frontier: SiteFrontier = field(default_factory=SiteFrontier)
    visited: dict[int, int] = {}
    """Sites whose home page was seen, and when."""
    deep: dict[int, int] = {}
    """Sites that brought anything for the goal (a relevant form, or a topic page), and when."""
    open: dict[Site, Exploration] = {}
    """Sites being explored, the one seen last at the end."""
    reverse: ReverseSearch = field(default_factory=ReverseSearch)
    lessons: ContextCounts = field(default_factory=ContextCounts)
    tables: FeatureSets = FeatureSets()
    new_sites: int = 0
    """Deep sites since it learned last."""
    new_gain: int = 0
    """What counted for the goal since it learned last: relevant forms, if forms are it."""
    gain: int = 0
    """The same, in all."""
    formless: int = 0
    """Pages that counted without a new form: 0 unless pages are the goal."""
    moved_at: int = 0
    """Pages seen when the low queue was last moved up."""
    ranked_at: int = 0
    """Pages seen when all sites that wait were last ranked."""
    iterations: list[FeatureSetIteration] = []
    sizes: list[QueueSizes] = []
    sample_step: int = 10
    """Pages between two samples of the queue sizes."""

    def explore(self, site: Site, exploration: Exploration | None) -> None:
        """Keep what was found on a site; None: it is left."""
        self.open.pop(site, None)
        if exploration is not None:
            self.open[site] = exploration
        if len(self.open) > MOST_OPEN:
            del self.open[next(iter(self.open))]

    def is_met(self, key: int) -> bool:
        """Whether a site waits or was visited."""
        return key in self.frontier or key in self.visited

    def may_move(self) -> bool:
        """Whether the low queue was not moved up just before."""
        return not self.moved_at or self.pages >= self.moved_at + _MOVE_PAUSE

    def is_ranking_stale(self) -> bool:
        return self.pages >= max(_STALE * self.ranked_at, self.ranked_at + _STALE_PAGES)

    def enter(self, candidate: Candidate) -> None:
        """Take the site of a home page that was seen out of the queue it was in."""
        if is_seed(candidate):
            self.reverse.add_known(candidate.url)
        if is_seed(candidate) or is_home(candidate):
            key = site_key(candidate.site)
            _remember(self.visited, key, self.pages)
            self.frontier.leave(key, candidate.priority, self.pages)

    def take_gain(self, view: PageView, found: Exploration) -> None:
        """Learn from a page that counts for the goal, and from its site if that is the first."""
        candidate, language = view.candidate, view.page.language
        key = site_key(view.site.site)
        if not view.gain:
            return
        self.gain += view.gain
        self.new_gain += view.gain
        self.formless += not view.new_forms
        if key not in self.deep:
            _remember(self.deep, key, self.pages)
            self.new_sites += 1
            self.reverse.add_known(candidate.url)
            # An answer was not found by a link that was seen, so nothing describes it.
            words = ("", "") if is_answer(candidate) else (found.anchor, found.around)
            self.lessons.add_site(view.site.site, *words, language)
        if is_inside(candidate):
            self.lessons.add_link(candidate, language)

    def sample(self) -> None:
        """Note how many sites wait, if it is time."""
        if self.pages % self.sample_step:
            return
        frontier = self.frontier
        self.sizes.append(QueueSizes(self.pages, len(frontier.high), len(frontier.low)))
        if len(self.sizes) > MOST_SAMPLES:
            del self.sizes[::2]
            self.sample_step *= 2

    def learn(self, tables: FeatureSets) -> None:
        """Take new tables into use."""
        self.tables, self.new_sites, self.new_gain = tables, 0, 0
        self.iterations.append(FeatureSetIteration(self.pages, len(self.deep), self.gain, tables))
        if len(self.iterations) > MOST_ITERATIONS:
            del self.iterations[1]


def _remember(keys: dict[int, int], key: int, pages: int) -> None:
    keys[key] = pages
    if len(keys) > MOST_VISITED:
        del keys[next(iter(keys))]
