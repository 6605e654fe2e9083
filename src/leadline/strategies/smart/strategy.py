"""SmartCrawler: find sites first, then look for forms inside each.

F. Zhao, J. Zhou, C. Nie, H. Huang and H. Jin, "SmartCrawler: A Two-stage Crawler for
Efficiently Harvesting Deep-Web Interfaces", IEEE Transactions on Services Computing 2015.

    take the best site of the high queue; if that is empty, all of the low queue moves up
    fetch its home page; if that is off topic, drop the site
    explore the site level by level, best links first, until the stopping criteria SC1 to SC5:
        of each page, take of every directory its share of the links (the link tree)
    the sites it links to wait: in the high queue if it has forms, else in the low one,
        ranked by likeness to known deep sites (U, A, T) and by how many sites link to them
    every 50 deep sites or 100 forms: new feature sets, and all that waits is ranked again
    when fewer than 50 sites wait: ask who links to a known deep site (reverse search);
        center pages among the answers give their sites to the high queue

Departures, numbered as in docs/strategies/smartcrawler.md. E17, E18: the low queue holds what
relevant sites without forms link to; the source counts, not the target. A page's links are
queued when it is seen, not when its site is done; if the site brings a form later, they rise
with the next ranking. E19: links from other sites count a little (`other_weight`). E20: shares
are proportional, the merged node gets at least one. E22: all stopping criteria have values, and
questions are paid for. E23: links that differ in their query alone are one only beyond
`query_links`. The paper begins with features of an earlier training; without an earlier crawl
(`learn_from`) it learns here after `first_sites` deep sites and whenever they double, until
`learn_sites`. SC4 and SC5 count pages without a new form: a search box in the page frame would else
keep a site open for ever. The user vouches for seeds, so their sites are taken to be on topic.
Names are split by frequent words of anchors and surroundings too: by names alone, one of them must
be such a word. What is said of forms in ranking and learning holds for what counts for the goal
(`PageView.gain`). Ranks are renewed when a quarter more pages were seen, as links keep coming in.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import (
    BacklinkQuery,
    Candidate,
    ExtraUrl,
    FeatureRows,
    PageView,
    Priority,
    SiteState,
    Skip,
    Visit,
)
from leadline.core.ports import Scores
from leadline.core.url import Site, Url, site_of
from leadline.strategies.base import BaseStrategy
from leadline.strategies.smart.feature_sets import (
    ContextCounts,
    FeatureSetIteration,
    FeatureSets,
)
from leadline.strategies.smart.memory import (
    BACKLINK,
    OPEN,
    Exploration,
    QueueSizes,
    SmartCrawlerMemory,
    guess_exploration,
    has_form,
    has_gain,
    is_backlink,
    is_home,
    is_inside,
    is_seed,
    why_leave_depth,
    why_leave_site,
)
from leadline.strategies.smart.ranking import (
    SITE_CELLS,
    SPEC,
    InsideLinkRanker,
    SiteRanker,
    describe_feature_sets,
    rank_waiting,
)
from leadline.strategies.smart.settings import SCDISettings, SitewiseSettings, SmartCrawlerSettings
from leadline.strategies.smart.site_frontier import (
    HIGH,
    LOW,
    ReverseSearch,
    SiteEntry,
    SiteRanks,
    WaitingSite,
    find_site_entries,
    home_of,
    link_site_keys,
    other_sites,
    site_key,
)
from leadline.strategies.smart.site_links import InsideLinks, find_inside_links, rank_inside

ELSEWHERE = Skip("its site is entered at its home page")
OFF_TOPIC = Skip("the site it stands on is off topic")
OTHERS_ONLY = Skip("of a center page only other sites are wanted")
_SHARE = 20
"""If topic pages are the goal, a lesson also waits for a twentieth of those found before: topic
pages are common, and each lesson ranks everything that waits again."""


class LinkDecisions(NamedTuple):
    """What is decided about the links of one page."""

    verdicts: list[Priority | Skip]
    extra_urls: list[ExtraUrl]
    new: list[tuple[SiteEntry, Priority]]
    """Sites that this page is the first to link to."""
    found: Exploration
    """The counts of the page's own site, this page included."""


class SmartCrawler(BaseStrategy):
    """Two stages: ranked sites first, then ranked links inside each; asks who links to sites."""

    name = "smartcrawler"
    features = SPEC

    def __init__(self, settings: SmartCrawlerSettings) -> None:
        self.settings = settings
        self._memory = SmartCrawlerMemory()
        if settings.prior:
            self._memory.lessons.add_prior(settings.prior)
            self._memory.learn(self._choose_feature_sets())
        self._prepare()

    def start_anew(self) -> None:
        lessons, has_found = self._memory.lessons, bool(self._memory.gain)
        self._memory = SmartCrawlerMemory(lessons=lessons, has_knowledge=has_found)
        if has_found or self.settings.prior:
            self._memory.learn(self._choose_feature_sets())
        self._prepare()

    def _prepare(self) -> None:
        """Make the rankers from what the memory holds."""
        self._sites = SiteRanker(self._memory.tables, self.settings.alpha)
        self._links = InsideLinkRanker(self._memory.tables)
        self._site_ranks: SiteRanks | None = None
        self._last: tuple[PageView, LinkDecisions] | None = None

    def describe_knowledge(self) -> dict[str, Any]:
        """The feature sets of each lesson, the queue sizes over time, and the results of reverse
        search."""
        return {
            **describe_feature_sets(self.iterations, self._memory.tables, self.settings),
            "queue_sizes": msgspec.to_builtins(self.queue_sizes),
            "reverse": self.reverse.describe(),
        }

    def name_queues(self, tiers: Mapping[int, int]) -> dict[str, int]:
        """Links inside sites have the same tiers as the site queues, so tiers do not tell them
        apart: the site frontier does."""
        frontier = self._memory.frontier
        sites = (
            {"high sites": len(frontier.high), "low sites": len(frontier.low)}
            if self.settings.prioritising
            else {"sites": len(frontier)}
        )
        return {**sites, "links inside sites": max(0, sum(tiers.values()) - len(frontier))}

    @property
    def queue_sizes(self) -> list[QueueSizes]:
        """How many sites waited in the course of the crawl (the paper's Fig. 9)."""
        return list(self._memory.sizes)

    @property
    def iterations(self) -> list[FeatureSetIteration]:
        """The feature sets after each learning (the paper's Table 5)."""
        return list(self._memory.iterations)

    @property
    def lessons(self) -> ContextCounts:
        """The words of all deep sites and links to forms met so far."""
        return self._memory.lessons

    @property
    def reverse(self) -> ReverseSearch:
        """How many backlink queries were sent, and what they brought (the paper's Table 4)."""
        return self._memory.reverse

    def own_features(self, view: PageView) -> FeatureRows:
        return np.array(link_site_keys(view), np.int32).reshape(len(view.links), 1)

    def rank(self, view: PageView) -> Sequence[Priority | Skip]:
        return self._decide_once(view).verdicts

    def extra_urls(self, view: PageView) -> Sequence[ExtraUrl | BacklinkQuery]:
        query = self._next_query(view)
        return [*self._decide_once(view).extra_urls, *([query] if query else [])]

    def note_backlink_query(self, query: BacklinkQuery) -> None:
        self._memory.reverse.note_query(query)

    def rank_backlinks(
        self, query: BacklinkQuery, found: Sequence[Url]
    ) -> Sequence[Priority | Skip]:
        linked = site_of(query.url)
        verdicts = [
            Skip("a page of the site asked about") if site_of(url) == linked else BACKLINK
            for url in found
        ]
        wanted = sum(verdict is BACKLINK for verdict in verdicts)
        self._memory.reverse.found += wanted
        if not wanted:
            # There are no pages to wait for, so the next query may follow at once.
            self._memory.reverse.next_at = self._memory.pages
        return verdicts

    def rank_site(self, site: SiteState, view: PageView | None = None) -> Priority | Skip | None:
        if view is None:
            found = self._memory.open.get(site.site) or guess_exploration(site)
            why = why_leave_site(found, self.settings)
            return Skip(why) if why else None
        if is_backlink(view.candidate):
            return None
        if not self._is_explored(view):
            # Other pages of the site may be center pages, so it is left open for them.
            return None if self.settings.reverse_search else Skip("its home page is off topic")
        why = why_leave_site(self._decide_once(view).found, self.settings)
        return Skip(why) if why else OPEN

    def site_ranks(self) -> Iterable[tuple[Site, Priority]]:
        frontier = self._memory.frontier
        for tier, queue in ((HIGH, frontier.high), (LOW, frontier.low)):
            for waiting in queue.values():
                yield waiting.site, Priority(tier, waiting.score, "site rank")

    def admit(self, candidate: Candidate, site: SiteState) -> Skip | None:  # noqa: ARG002
        if is_inside(candidate):
            found = self._memory.open.get(candidate.site)
            why = why_leave_depth(found, candidate.depth, self.settings) if found else ""
            return Skip(why) if why else None
        if is_home(candidate) and site_key(candidate.site) in self._memory.visited:
            return Skip("its site was entered before")
        return None

    def learn(self, view: PageView, visit: Visit) -> bool:  # noqa: ARG002
        memory, decisions = self._memory, self._decide_once(view)
        self._last = None
        memory.pages += 1
        memory.enter(view.candidate)
        found = decisions.found
        memory.take_gain(view, found)
        self._queue_sites(view, decisions)
        if not is_backlink(view.candidate) and self._is_explored(view):
            memory.explore(view.site.site, None if why_leave_site(found, self.settings) else found)
        memory.sample()
        return self._update_ranks(view.candidate)

    def rescore(self, tiers: NDArray[np.int32], scores: Scores, features: FeatureRows) -> None:
        if self._site_ranks is None:
            self._site_ranks = self._memory.frontier.make_site_ranks()
        own = features[:, -1]
        if not len(self._memory.frontier.low):
            # Sites beyond MOST_SITES are not remembered; they move up with the others.
            tiers[(own != 0) & (tiers == LOW)] = HIGH
        self._site_ranks.apply(tiers, scores, own)
        if self.settings.link_ranking:
            # Seeds and pages found by reverse search have no words; they keep their place.
            is_link = (own == 0) & features.any(axis=1)
            scores[is_link] = self._links.ranks(features[is_link])

    def explain_rank(self, candidate: Candidate) -> list[tuple[str, float]]:
        row = np.frombuffer(candidate.features, "<i4").astype(np.int32)
        if len(row) != SPEC.width:
            return super().explain_rank(candidate)
        if is_inside(candidate) and self.settings.link_ranking:
            return [(f"depth {candidate.depth}", 0.0), *self._links.reasons(row)]
        if is_home(candidate) and self.settings.site_ranking:
            waiting = self._memory.frontier.get(site_key(candidate.site))
            frequency = self._frequency(waiting.sources) if waiting else 0.0
            return self._sites.reasons(candidate.site, row[SITE_CELLS], frequency)
        return super().explain_rank(candidate)

    def state(self) -> bytes:
        return msgspec.msgpack.encode(self._memory)

    def restore(self, state: bytes) -> None:
        self._memory = msgspec.msgpack.decode(state, type=SmartCrawlerMemory)
        self._prepare()

    def _decide_once(self, view: PageView) -> LinkDecisions:
        """What is decided about a page, computed once: `rank`, `extra_urls`, `rank_site` and
        `learn` all need it."""
        if self._last is None or self._last[0] is not view:
            self._last = view, self._decide(view)
        return self._last[1]

    def _decide(self, view: PageView) -> LinkDecisions:
        memory, candidate, here = self._memory, view.candidate, view.site
        tier = self._choose_queue(view)
        verdicts: list[Priority | Skip] = [ELSEWHERE if tier else OFF_TOPIC] * len(view.links)
        inside = self._rank_inside(view)
        for number, verdict in inside.verdicts.items():
            verdicts[number] = verdict
        before = memory.open.get(here.site)
        if before is None and is_inside(candidate):
            # The counts of its site were dropped: too many sites were open at the same time.
            found = guess_exploration(here)
        else:
            entered = Exploration(anchor=candidate.anchor, around=candidate.around)
            found = (before or entered).after(candidate.depth, view.new_forms)
        found = found.with_queries(inside.queries)
        if not tier:
            return LinkDecisions(verdicts, [], [], found)
        fresh = [entry for entry in find_site_entries(view) if not memory.is_met(entry.key)]
        new = list(zip(fresh, self._rank_entries(view, fresh, tier), strict=True))
        for entry, priority in new:
            if entry.is_home:
                verdicts[entry.number] = priority
        extra_urls = [
            ExtraUrl(entry.home, rank, entry.number) for entry, rank in new if not entry.is_home
        ]
        if is_backlink(candidate) and has_gain(view) and not memory.is_met(site_key(here.site)):
            # A page found by reverse search has a form itself: its site is deep, and not entered.
            own = Priority(HIGH, self.settings.deep_weight, "has a form")
            extra_urls.insert(0, ExtraUrl(home_of(view.page.url), own))
        return LinkDecisions(verdicts, extra_urls, new, found)

    def _choose_queue(self, view: PageView) -> int:
        """The queue of the sites that a page links to (Alg. 2, lines 10-19); 0: none."""
        if is_backlink(view.candidate):
            known = self._memory.reverse.links_to_known(view.page)
            is_center = has_gain(view) or known > self.settings.center_sites
            return HIGH if is_center else 0
        is_relevant = self._is_explored(view)
        if not self.settings.prioritising:
            return HIGH if is_relevant else 0
        if is_relevant and self._is_deep(view):
            return HIGH
        return LOW if is_relevant == (self.settings.low_queue == "formless") else 0

    def _is_explored(self, view: PageView) -> bool:
        """Whether the page's site is on topic, by its home page."""
        candidate = view.candidate
        return (
            is_inside(candidate)
            or is_seed(candidate)
            or candidate.site in self._memory.open
            or view.judgement.relevance >= self.settings.threshold
            or has_form(view.judgement)
        )

    def _is_deep(self, view: PageView) -> bool:
        """Whether the page's site brought anything for the goal, here or before."""
        here = view.site
        return bool(here.forms or view.gain) or site_key(here.site) in self._memory.deep

    def _rank_entries(
        self, view: PageView, entries: Sequence[SiteEntry], tier: int
    ) -> list[Priority]:
        if not self.settings.site_ranking:
            return [Priority(tier, 0.0, "first come")] * len(entries)
        if not entries:
            return []
        rows = view.features[[entry.number for entry in entries]][:, SITE_CELLS]
        # So far only this page's site is known to link to them.
        frequency = self.settings.deep_weight if self._is_deep(view) else self.settings.other_weight
        frequencies = np.full(len(entries), frequency, np.float32)
        ranks = self._sites.ranks([entry.site for entry in entries], rows, frequencies)
        return [Priority(tier, rank, "site rank") for rank in ranks.tolist()]

    def _rank_inside(self, view: PageView) -> InsideLinks:
        """Verdicts on the links that stay on the page's site."""
        if is_backlink(view.candidate):
            return InsideLinks(dict.fromkeys(find_inside_links(view), OTHERS_ONLY), {})
        if not self._is_explored(view):
            return InsideLinks(dict.fromkeys(find_inside_links(view), OFF_TOPIC), {})
        found = self._memory.open.get(view.site.site)
        return rank_inside(view, self._links, found.queries if found else {}, self.settings)

    def _next_query(self, view: PageView) -> BacklinkQuery | None:
        """A backlink query if few sites wait (Alg. 1)."""
        memory, candidate = self._memory, view.candidate
        is_low = len(memory.frontier) < self.settings.low_water
        if not (self.settings.reverse_search and is_low) or is_backlink(candidate):
            return None
        seed = candidate.url if is_seed(candidate) else None
        return memory.reverse.next_query(memory.pages, seed)

    def _queue_sites(self, view: PageView, decisions: LinkDecisions) -> None:
        """Let the new sites wait, and count this site as a source of those that wait already."""
        memory, source = self._memory, site_key(view.site.site)
        if decisions.new and is_backlink(view.candidate):
            memory.reverse.centers += 1
            memory.reverse.sites += len(decisions.new)
        for key in other_sites(view.page):
            memory.frontier.link(key, source)
        for entry, priority in decisions.new:
            words = view.features[entry.number, SITE_CELLS].tobytes()
            waiting = WaitingSite(entry.site, priority.score, memory.pages, words, [source])
            memory.frontier.enter(entry.key, priority.tier, waiting)

    def _update_ranks(self, candidate: Candidate) -> bool:
        """Rank the waiting sites again if the high queue is empty, enough was found since the last
        lesson, or the ranks are old. Returns whether it did."""
        memory = self._memory
        # A site of the low queue is visited only if the high queue has nothing ready.
        is_last = is_home(candidate) and candidate.priority.tier == LOW
        is_empty = is_last and bool(memory.frontier.low) and memory.may_move()
        if is_empty:
            memory.frontier.move_up()
            memory.moved_at = memory.pages
        is_due = self.settings.adaptive_learning and self._is_lesson_due()
        if is_due:
            memory.learn(self._choose_feature_sets())
        is_stale = self.settings.site_ranking and memory.is_ranking_stale()
        if not (is_empty or is_due or is_stale):
            return False
        self._prepare()
        memory.ranked_at = memory.pages
        if self.settings.prioritising:
            memory.frontier.promote(memory.deep)
        if self.settings.site_ranking and len(memory.frontier):
            rank_waiting(memory.frontier, self._sites, self._frequency)
        return True

    def _is_lesson_due(self) -> bool:
        """By the paper's thresholds; while there are few deep sites, whenever they double."""
        memory, settings = self._memory, self.settings
        known = len(memory.deep) - memory.new_sites
        # With the knowledge of an earlier crawl there is no need to learn early.
        most = settings.learn_sites if memory.has_knowledge else max(settings.first_sites, known)
        is_due = memory.new_sites >= min(most, settings.learn_sites)
        return is_due or memory.new_gain >= settings.learn_forms + memory.formless // _SHARE

    def _choose_feature_sets(self) -> FeatureSets:
        settings = self.settings
        return self._memory.lessons.tables(settings.features, is_splitting=settings.url_splitting)

    def _frequency(self, sources: Sequence[int]) -> float:
        """SF of Eq. 6."""
        deep = sum(map(self._memory.deep.__contains__, sources))
        other = len(sources) - deep
        return self.settings.deep_weight * deep + self.settings.other_weight * other


class SCDI(SmartCrawler):
    """SmartCrawler's two stages and stopping criteria without any of its other parts.

    The paper's yardstick: one queue, first come first served; nothing is ranked, learned, shared
    out or searched in reverse.
    """

    name = "scdi"

    def __init__(self, settings: SCDISettings) -> None:
        super().__init__(settings)


class Sitewise(SmartCrawler):
    """SmartCrawler's two stages with one queue of sites.

    Ours: all sites that relevant sites link to wait in one queue, so that a fitting site never
    waits behind unfitting ones (docs/strategies/sitewise.md).
    """

    name = "sitewise"

    def __init__(self, settings: SitewiseSettings) -> None:
        super().__init__(settings)
