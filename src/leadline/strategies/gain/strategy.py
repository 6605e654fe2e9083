"""Ours: the link with the largest expected gain per request comes next.

    expected gain of a link = P(its site is on the topic)
                              x P(the site has a form that was not seen yet)
                              x P(the link leads to it)
                            + what its page is worth for the sites that it links to

    on the topic    of a site that was entered: from the mean over its pages, of the critic's
                    relevance and of the topic's own words; before: words of the topic in anchor,
                    address, host and surroundings, the page that links there, and what other links
                    of that page turned out to be
    form left       falls with each page without a new search form, and when one was found
    leads to it     the shipped model of links to searches (`learn.search_links`), corrected by the
                    words of links that were followed; less for links of large families, and for
                    families that were visited: one of each comes before the tenth of one
    worth           new sites, each by its chance of being on the topic, that links of this family
                    and with these words brought; topical sections of sites about other things

There are no thresholds, levels or fixed counts: a site is left when links elsewhere promise more.
It learns from every page on, and from scores, not from verdicts: a search form counts by its
probability of being one, because a critic may miss most forms of the topic.

The idea of a posterior per site times a chance per link is two-level marginal gain, as in
docs/strategies/expected_gain.md, which also has the ablations.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.crawl import (
    LIKELY,
    BacklinkQuery,
    Candidate,
    ExtraUrl,
    FeatureRows,
    Judgement,
    PageView,
    Priority,
    SiteState,
    Skip,
    Visit,
)
from leadline.core.page import Link
from leadline.core.ports import Scores
from leadline.core.url import Url, canonical, is_home_page, origin_of
from leadline.learn.search_links import FEATURES, describe_links, open_link_weights
from leadline.strategies.base import BaseStrategy, make_knowledge
from leadline.strategies.gain.beliefs import (
    HOME_LEADS,
    Beliefs,
    GainParts,
    SavedBeliefs,
    to_log_odds,
)
from leadline.strategies.gain.links import (
    INSIDE,
    KIND,
    SITE,
    SOURCE,
    SPEC,
    WORDS,
    LinkDescriber,
    domain_key,
    make_key,
    read_row,
    site_key,
)
from leadline.strategies.gain.settings import PAGES, ExpectedGainSettings
from leadline.strategies.gain.topic_reader import TopicReader

_SEED_TOPIC = 0.8
"""Seeds are vouched for, but they may be portals."""
_BY_CRITIC, _MOST_STRENGTH, _LEAST_STRENGTH, _BY_CRITIC_ALONE = 0.45, 3.0, 1.45, 0.6
"""Weight of the critic's log-odds beside words, the most that words count, what they must outweigh,
and the critic's weight without any: fitted on the pages of crawls of ten webs (a, b and eight drawn
profiles of the lab, seed 1). Measured against the middle of what a crawl meets, pages of nine of
the ten were judged worse, most of all where most sites met are on the topic."""
_FROM_TOPIC_PAGE = 2.0
"""Log-odds between links of a page on the topic and of one that is not: a guess."""
_GROWTH = 0.1
"""Share of links met since the last ranking of all that waits: so ranking all takes a fixed number
of looks at each link, ten, however long the crawl is."""
_PAGES_SHARE = 0.01
"""Of the pages read, as many at least lie between two rankings of what is wanted most."""
_MOST_FORMS = 500_000
_MOVED = 0.05
"""Smaller changes of a waiting link's gain, as a share of it, leave it where it is: they are less
than the gain is known to, and each that counts has its site sorted anew."""

_NEAR = 2.0
"""Between two rankings of all, links are ranked that are worth at least one in so many of what gets
a turn: what falls must fall at once, and what rises that far waits for the next ranking of all."""
_LEAST_TURNS, _MORE_TURNS = 128, 2
"""Sites of which the waiting links are sorted anew: more than have their turn until the next time,
which comes after hardly more pages than the last one did."""
_SITE_CELLS = 1 << 14


class PageGains(NamedTuple):
    """What a page's links were worth when they were ranked, and the link that led to it."""

    view: PageView
    links: GainParts
    row: FeatureRows | None
    own: GainParts | None
    """None of seeds, as their row."""


class GainCounts(Struct):
    """Counts of the crawl."""

    pages: int = 0
    since_ranking: int = 0
    links: int = 0
    """Met so far."""
    links_ranked: int = 0
    """Of these, before what waits was last ranked again."""
    interval: int = 0
    """Pages between the last two rankings."""


class SavedGain(SavedBeliefs, frozen=True):
    """Everything `expected_gain` remembers."""

    counts: GainCounts
    forms: list[int]


class ExpectedGainStrategy(BaseStrategy):
    """Ranks links by the new forms that they are expected to bring, and learns from each page."""

    name = "expected_gain"
    features = SPEC
    keeps_all_links = True

    def __init__(self, settings: ExpectedGainSettings) -> None:
        self.settings = settings
        weights = open_link_weights()
        self._link_weights = weights if settings.link_model else np.zeros_like(weights)
        self._reader = TopicReader(settings.words)
        self._describer = LinkDescriber(self._reader, self._link_weights)
        self._beliefs = Beliefs(settings)
        self._counts = GainCounts()
        self._forms: dict[int, None] = {}
        """Keys of the search forms met, each with its site."""
        self._weighed: PageGains | None = None
        """Of the page that was ranked last."""
        self._is_all_due = True
        """Whether all that waits is to be ranked, not only what is wanted most."""
        self._horizon = 0.0
        self._judged: tuple[Judgement | None, float] = None, 0.0
        """How far the page that was judged last is on the topic."""

    # What links look like

    def own_features(self, view: PageView) -> FeatureRows:
        if not view.links:
            return np.zeros((0, SPEC.own), np.int32)
        return self._describer.describe(view, self._judge_source(view))

    def _judge_source(self, view: PageView) -> float:
        """What standing on this page says of a link to another site, in log-odds."""
        known = self._beliefs.sites.peek(site_key(view.site.site))
        here = self._judge_page(view)
        about = (here + float(known[1] / known[0])) / 2 if known[0] else here
        row = read_row(view.candidate)
        if row is not None:
            about = max(about, self._beliefs.find_section(row))
        return _FROM_TOPIC_PAGE * (about - 0.3)

    def _judge_page(self, view: PageView) -> float:
        """The chance that a page is on the topic, by the critic and by the topic's words."""
        judgement, chance = self._judged
        # A page's links are described before it is learned from.
        if judgement is not view.judgement:
            chance = self._judge_anew(view)
            self._judged = view.judgement, chance
        return chance

    def _judge_anew(self, view: PageView) -> float:
        odds = _BY_CRITIC_ALONE * to_log_odds(view.judgement.relevance)
        if self._reader.knows_words:
            strength = self._reader.read_page(view.page).strength
            odds = _BY_CRITIC * to_log_odds(view.judgement.relevance) + min(
                strength, _MOST_STRENGTH
            )
            odds -= _LEAST_STRENGTH
        chance = 1 / (1 + math.exp(-min(max(odds, -30.0), 30.0)))
        return max(chance, _SEED_TOPIC) if view.candidate.parent is None else chance

    # What links are worth

    def _weigh_page(self, view: PageView) -> PageGains:
        """A page is ranked and learned from before another one teaches anything."""
        if self._weighed is not None and self._weighed.view is view:
            return self._weighed
        row = read_row(view.candidate)
        parts = self._beliefs.weigh(
            view.features if row is None else np.vstack([view.features, row])
        )
        count = len(view.links)
        links = GainParts(*(column[:count] for column in parts))
        own = None
        if row is not None:
            own = GainParts(*(column[count:] for column in parts))
        self._weighed = PageGains(view, links, row, own)
        return self._weighed

    def rank(self, view: PageView) -> Sequence[Priority | Skip]:
        if not view.links:
            return []
        rows = zip(*(column.tolist() for column in self._weigh_page(view).links), strict=True)
        said = "on topic %.2f, form left %.2f, leads to it %.3f"
        return [
            Priority(0, score, said % (topic, left, leads))
            for _, topic, left, leads, _, score in rows
        ]

    def extra_urls(self, view: PageView) -> Sequence[ExtraUrl | BacklinkQuery]:
        """The home pages of sites that are met for the first time by another page."""
        if not self.settings.home_first:
            return []
        homes: dict[int, int] = {}
        for number, (link, site) in enumerate(zip(view.links, view.sites, strict=True)):
            key = site_key(site)
            is_new = site != view.site.site and key not in self._beliefs.sites and key not in homes
            if is_new and not is_home_page(link.target):
                homes[key] = number
        if not homes:
            return []
        parts = self._weigh_page(view).links
        found: list[ExtraUrl | BacklinkQuery] = []
        for number in homes.values():
            home = _find_home(view.links[number].target)
            if home is not None:
                score = float(parts.score[number])
                if self.settings.goal != PAGES:
                    leads = max(float(parts.leads[number]), HOME_LEADS)
                    score = float(parts.on_topic[number] * parts.form_left[number]) * leads
                found.append(ExtraUrl(home, Priority(0, score, "its site's home page"), number))
        return found

    def rank_site(self, site: SiteState, view: PageView | None = None) -> Priority | Skip | None:
        if view is None and not site.pages and site.errors > 1:
            return Skip(f"none of {site.errors} pages could be fetched")
        return None

    def rescore(self, tiers: NDArray[np.int32], scores: Scores, features: FeatureRows) -> None:  # noqa: ARG002
        # Seeds have no features and keep their place.
        is_link = features[:, SITE] != 0
        rows = features if is_link.all() else features[is_link]
        if len(rows):
            before, now = scores[is_link], self._beliefs.weigh(rows).score
            has_moved = np.abs(now - before) > _MOVED * before
            self._horizon = self._find_horizon(rows[:, SITE], now)
            has_moved &= np.maximum(before, now) >= self._horizon
            scores[is_link] = np.where(has_moved, now, before)

    def _find_horizon(self, sites: FeatureRows, scores: Scores) -> float:
        """What the best link of a site must be worth to have its turn before all that waits is
        ranked again; links below it are not worth sorting anew."""
        best = np.zeros(_SITE_CELLS, np.float32)
        # Sites that share a cell count as one, which puts the horizon farther off.
        np.maximum.at(best, sites & (_SITE_CELLS - 1), scores)
        turns = _LEAST_TURNS + _MORE_TURNS * self._counts.interval
        heads = best[best > 0]
        return float(np.partition(heads, -turns)[-turns]) if turns < len(heads) else 0.0

    # What pages teach

    def learn(self, view: PageView, visit: Visit) -> bool:  # noqa: ARG002
        counts, beliefs = self._counts, self._beliefs
        site, domain = site_key(view.site.site), domain_key(view.site.site)
        gains = self._weigh_page(view)
        row, parts = gains.row, gains.own
        leads = float(parts.leads[0]) if parts else HOME_LEADS
        expected = float(parts.evidence[0]) if parts else _SEED_TOPIC
        is_first = site not in beliefs.sites
        topic = self._judge_page(view)
        beliefs.note_topic(site, domain, expected, topic, home=is_home_page(view.page.url))
        form = self._find_new_form(view, site)
        left = beliefs.note_form(site, form, leads)
        sites = beliefs.note_links(site, view.features, gains.links.on_topic)
        if row is not None and parts is not None:
            if is_first and row[0, SOURCE]:
                beliefs.sources.row(int(row[0, SOURCE]))[:] += (1.0, topic)
            weight = 1.0 if form else float(parts.on_topic[0]) * left
            doors = (form - leads) * weight if self.settings.goal != PAGES else 0.0
            hubs = 0.0
            if row[0, KIND] & INSIDE:
                hubs = min(max(sites - float(parts.sites[0]), -2.0), 4.0)
            beliefs.words.learn(row[0, :WORDS], (doors, topic - expected, hubs))
            beliefs.note_family(row, sites)
        self._weighed = None
        counts.pages += 1
        counts.links += len(view.links)
        counts.since_ranking += 1
        if counts.since_ranking < max(self.settings.rank_every, _PAGES_SHARE * counts.pages):
            return False
        counts.interval, counts.since_ranking = counts.since_ranking, 0
        self._is_all_due = counts.links > (1 + _GROWTH) * counts.links_ranked
        if self._is_all_due:
            counts.links_ranked = counts.links
        return True

    @property
    def least_ranked(self) -> float:
        """Without a horizon, as after a restart, all are ranked."""
        return -math.inf if self._is_all_due or not self._horizon else self._horizon / _NEAR

    def _find_new_form(self, view: PageView, key: int) -> float:
        """The chance that the page has a search form that its site did not show before; 0: none."""
        best = 0.0
        for judged in view.judgement.forms:
            form = make_key(f"{key} {judged.signature}")
            if judged.searchable >= LIKELY and form not in self._forms:
                self._forms[form] = None
                best = max(best, judged.searchable)
        while len(self._forms) > _MOST_FORMS:
            del self._forms[next(iter(self._forms))]
        return best

    # What people are told

    def explain_rank(self, candidate: Candidate) -> list[tuple[str, float]]:
        row = read_row(candidate)
        if row is None:
            return super().explain_rank(candidate)
        parts = self._beliefs.weigh(row)
        found = [
            ("its site is on the topic", float(parts.on_topic[0])),
            ("its site has a form that was not seen", float(parts.form_left[0])),
            ("the link leads to it", float(parts.leads[0])),
            ("new sites that its page links to", float(parts.sites[0])),
        ]
        link = Link(candidate.url, candidate.anchor, 0, 0, candidate.tag_path, 0)
        on = np.flatnonzero(describe_links([link], [False])[0])
        named = [(FEATURES[number], float(self._link_weights[number])) for number in on]
        return found + sorted(named, key=lambda pair: (-abs(pair[1]), pair[0]))

    def describe_knowledge(self) -> dict[str, Any]:
        """The weights of the shipped model; what words of links add is kept by number only."""
        weights = zip(FEATURES, self._link_weights.tolist(), strict=True)
        note = "it learns with every page; the words that it learned are kept as numbers only"
        return make_knowledge([], {"links to a search form": weights}, note)

    # Its state

    def state(self) -> bytes:
        kept = self._beliefs.save()
        saved = SavedGain(kept.rows, kept.cells, kept.words, self._counts, [*self._forms])
        return msgspec.msgpack.encode(saved)

    def restore(self, state: bytes) -> None:
        saved = msgspec.msgpack.decode(state, type=SavedGain)
        self._counts, self._forms = saved.counts, dict.fromkeys(saved.forms)
        self._beliefs.load(saved)


def _find_home(url: Url) -> Url | None:
    return canonical(f"{origin_of(url)}/")
