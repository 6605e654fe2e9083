"""What SmartCrawler remembers: the pages of each open site by depth, and all that it has learned.

Bounded, and saved as one message. A site is left by the stopping criteria SC1 to SC5, which are
decided here from the counts.
"""

import re

import xxhash
from msgspec import Struct, field, structs

from leadline.core.crawl import LIKELY, Candidate, Judgement, PageView, Priority, SiteState
from leadline.core.url import Site, Url
from leadline.strategies.smart.feature_sets import ContextCounts, FeatureSetIteration, FeatureSets
from leadline.strategies.smart.settings import SmartCrawlerSettings
from leadline.strategies.smart.site_frontier import ReverseSearch, SiteFrontier, site_key

BACKLINK = Priority(0, 2.0, "may be a center page")
"""The priority of a page found by reverse search: before anything else, so that Alg. 1 ends."""
OPEN = Priority(0, 1.5, "its site is being explored")
"""The rank of a site that was entered: before seeds, which have tier 0 and score 1."""
MOST_OPEN = 2_000
"""Open sites whose counts are kept: far more than are visited at the same time."""
MOST_PATTERNS = 1_000
"""Query patterns counted on one site; further ones are not deduplicated."""
_values = re.compile("=[^&]*")
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


def is_inside(candidate: Candidate) -> bool:
    """Whether it was found on a page of its own site."""
    return candidate.depth > 0


def is_backlink(candidate: Candidate) -> bool:
    """Whether reverse search found it."""
    return candidate.parent is None and candidate.priority.score >= BACKLINK.score


def is_seed(candidate: Candidate) -> bool:
    return candidate.parent is None and not is_backlink(candidate)


def is_home(candidate: Candidate) -> bool:
    """Whether it stands for a site to be entered, and not for a page inside one."""
    return candidate.parent is not None and not is_inside(candidate)


def has_form(judgement: Judgement) -> bool:
    """Whether the page has a relevant form, new or not."""
    return any(form.relevant >= LIKELY for form in judgement.forms)


def has_gain(view: PageView) -> bool:
    """Whether the page has a relevant form, or brings what else is the goal."""
    return view.gain > 0 or has_form(view.judgement)


class Exploration(Struct, frozen=True):
    """The counts of a site being explored, by depth; its home page has depth 0."""

    pages: tuple[int, ...] = ()
    forms: tuple[int, ...] = ()
    """Distinct relevant forms first seen there."""
    barren: tuple[int, ...] = ()
    """Pages that brought none."""
    anchor: str = ""
    around: str = ""
    """The words of the link by which the site was entered."""
    queries: dict[int, int] = {}
    """Links followed so far, by query pattern."""

    def after(self, depth: int, forms: int) -> "Exploration":
        """With one more page."""
        return structs.replace(
            self,
            pages=_raise_at(self.pages, depth, 1),
            forms=_raise_at(self.forms, depth, forms),
            barren=_raise_at(self.barren, depth, int(forms == 0)),
        )

    def with_queries(self, taken: dict[int, int]) -> "Exploration":
        """With more links counted."""
        if not taken:
            return self
        queries = {**self.queries}
        for pattern, count in taken.items():
            if pattern in queries or len(queries) < MOST_PATTERNS:
                queries[pattern] = queries.get(pattern, 0) + count
        return structs.replace(self, queries=queries)


def guess_exploration(site: SiteState) -> Exploration:
    """The counts of a site that were dropped, guessed from its totals: all at depth 0."""
    barren = max(0, site.pages - site.forms)
    return Exploration((site.pages,), (site.forms,), (barren,))


def why_leave_site(found: Exploration, limits: SmartCrawlerSettings) -> str:
    """The reason to leave the site, or ''."""
    barren, pages = sum(found.barren), sum(found.pages)
    if barren >= limits.barren_pages:
        return f"{barren} pages brought no new form (SC5)"
    if pages >= limits.site_pages:
        return f"{pages} pages visited"
    return ""


def why_leave_depth(found: Exploration, depth: int, limits: SmartCrawlerSettings) -> str:
    """The reason to visit no more pages of that depth, or ''."""
    pages, forms, barren = (_at(row, depth) for row in (found.pages, found.forms, found.barren))
    if pages >= limits.pages_per_depth:
        return f"{pages} pages visited at depth {depth} (SC2)"
    if forms >= limits.forms_per_depth:
        return f"{forms} forms found at depth {depth} (SC3)"
    if barren >= limits.barren_per_depth:
        return f"{barren} pages without a new form at depth {depth} (SC4)"
    return ""


def query_pattern(url: Url, *, by_path: bool) -> int:
    """The same for URLs that differ in the values of their query only."""
    path, _, query = url.partition("?")
    names = "" if by_path else _values.sub("", query)
    return xxhash.xxh3_64_intdigest(f"{path}?{names}".encode()) >> 1


def _at(row: tuple[int, ...], depth: int) -> int:
    return row[depth] if depth < len(row) else 0


def _raise_at(row: tuple[int, ...], depth: int, by: int) -> tuple[int, ...]:
    longer = row + (0,) * (depth + 1 - len(row))
    return (*longer[:depth], longer[depth] + by, *longer[depth + 1 :])


class QueueSizes(Struct, frozen=True, array_like=True):
    """How many sites waited when so many pages had been seen."""

    pages: int
    high: int
    low: int


class SmartCrawlerMemory(Struct, rename={"gain": "forms", "new_gain": "new_forms"}):
    """The state of a crawl by SmartCrawler."""

    pages: int = 0
    """Seen so far."""
    has_knowledge: bool = False
    """Whether an earlier crawl taught it."""
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
            words = ("", "") if is_backlink(candidate) else (found.anchor, found.around)
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
