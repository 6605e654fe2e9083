"""Ours: the link with the largest expected gain per request comes next.

    expected gain of a link = P(its site is on the topic)
                              x P(the site has a form that was not seen yet)
                              x P(the link leads to it)
                            + what its page is worth for the sites that it links to

    on the topic    of a site that was entered: the mean over its pages, of the critic's relevance
                    against that of the crawl's other sites, and of the topic's own words; before:
                    words of the topic in anchor, address, host and surroundings, the page that
                    links there, and what other links of that page turned out to be
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
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
import xxhash
from msgspec import Struct
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from leadline.core.crawl import (
    LIKELY,
    BacklinkQuery,
    Candidate,
    ExtraUrl,
    FeatureRows,
    LinkFeatures,
    PageView,
    Priority,
    SiteState,
    Skip,
    Visit,
)
from leadline.core.page import Link, Page
from leadline.core.ports import Scores
from leadline.core.url import (
    Site,
    Url,
    canonical,
    host_of,
    is_home_page,
    origin_of,
    path_of,
    registered_domain,
)
from leadline.learn.search_links import FEATURES, describe_links, family_of, open_link_weights
from leadline.strategies.base import BaseStrategy, make_knowledge
from leadline.strategies.gain.tables import (
    CellTable,
    Numbers,
    RowTable,
    SavedTable,
    WordWeights,
    sum_weights,
)
from leadline.strategies.gain.topic_words import TopicWords

SPEC = LinkFeatures(own=9)
_WORDS = SPEC.words
SITE, FAMILY, DOOR, TOPIC, KIND, DOMAIN, SOURCE, SECTION, HUB = range(_WORDS, SPEC.width)
"""Our cells: keys of site, family, domain and source page; log-odds in steps of 1 / _SCALE."""
INSIDE, SISTER, OTHER, HOME = 1, 2, 4, 8
"""Kinds of links: to the same host, to another host of its domain, to another site; a home page."""
_COMMON = [cell - _WORDS for cell in (SITE, FAMILY, DOMAIN, KIND)]
_SCALE = 256.0
SITES, PAGES = "sites", "pages"
"""Goals that are pursued otherwise than forms."""

# Priors. Where real data says nothing, they are round numbers, and were not chosen finer than by
# halves: worlds a and b (docs/worlds.md, seed 1 of each) differ less between neighbours than
# between topics.
_BASE = -3.5
"""Log-odds that a link with nothing to say leads to a form that its site has: 1 in 33. Of the
families of links on real pages, 1 in 140 leads to a search (docs/strategies/expected_gain.md), on
sites that may have none."""
_FORM_LEFT = 0.7
_AFTER_FORM = 0.4
"""What is left of the belief in another form when one was found: deep sites have 1.4 to 1.5
databases (Chang et al. 2004)."""
_LEAST_LEFT = 0.02
_HAZARD = 0.06
"""Every page without a form counts as if it had had at least this chance of one: 72 % of query
interfaces are at most three links deep (Chang et al. 2004), so some twenty pages say much."""
_HOME = 0.6
"""Of a home page, which may show the form, or lead to it and to further sites: a guess."""
_SEED_TOPIC = 0.8
"""Seeds are vouched for, but they may be portals."""
_UNKNOWN_TOPIC = -1.5
"""Log-odds that a site is on the topic to which an average page links."""
_SECTION = -3.0
"""Log-odds that a link inside a site leads to a section on the topic."""
_PER_WORD, _PER_WORD_AROUND = 1.5, 0.5
"""Log-odds for each word of the topic in anchor or address, and around the link."""
_MOST_WORDS = 3
"""Further words repeat what was said."""
_FROM_TOPIC_PAGE = 2.0
"""Log-odds between links of a page on the topic and of one that is not: a guess."""
_PRIOR_LINKS = 3.0
"""A source page's links count as so many that turned out as predicted."""
_NEW_SITE = 0.04
"""What a new site on the topic is worth, in forms."""
_SECTION_SITES, _LINK_PAGE_SITES, _ANY_SITES = 1.5, 1.2, 0.2
"""New sites on the topic expected on a topical section, a page of links, any other page."""
_MOST_SITES = 10.0
_LEARN_RATE = 0.1
_FAMILY_SIZE = -0.5
_FAMILY_VISITS = -1.0
_GROWTH = 0.03
"""Share of links met since the last ranking of all that waits: so ranking all takes a fixed number
of looks at each link, thirty, however long the crawl is."""
_MOST_FORMS = 500_000
_MOST_TEXTS = 20_000
"""Sites and leaves whose topic words are remembered: menus repeat."""
_SHORT_LEAF = 80
"""Characters; longer leaves seldom repeat."""
_WORDS_AROUND = 5
"""Words on each side of a link in which those of the topic are looked for."""
_MOVED = 0.05
"""Smaller changes of a waiting link's gain, as a share of it, leave it where it is: they are less
than the gain is known to, and each that counts has its site sorted anew."""
_NAMED_HUB = {"anchor: links": _LINK_PAGE_SITES, "address: links": _LINK_PAGE_SITES / 2}


class ExpectedGainSettings(BaseModel):
    """Settings of `expected_gain`. The switches are for ablations."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    words: tuple[str, ...] = Field(
        (), description="Words of the topic, in any language; empty: those of the crawl's topic."
    )
    goal: Literal["forms", "sites", "pages"] = Field(
        "forms", description="What counts; that of the crawl unless given."
    )
    link_model: bool = Field(True, description="Begin with the shipped model of links to searches.")
    families: bool = Field(True, description="One link of each family before more of the same.")
    site_beliefs: bool = Field(True, description="Believe less in a site with each barren page.")
    new_sites: bool = Field(True, description="Value pages for the new sites that they link to.")
    learning: bool = Field(True, description="Learn words of links from what they led to.")
    home_first: bool = Field(True, description="Enter sites at their home page.")
    rank_every: int = Field(
        16, ge=1, description="Pages between two rankings of all that waits, at least."
    )


class GainParts(NamedTuple):
    """What the expected gains of links are made of."""

    on_topic: Numbers
    form_left: Numbers
    leads: Numbers
    sites: Numbers
    score: Numbers


LeafWords = tuple[tuple[str, ...], int]
"""The topic's words in a leaf of a page, and the number of all its words."""


class SiteNames(NamedTuple):
    """What a site's name says."""

    key: int
    domain: int
    words: int
    """Words of the topic in it."""


class PageTopic(NamedTuple):
    """Where words of the topic stand on a page."""

    page: Page
    strength: float
    """How much of them there is in title and text."""
    has_words: bool
    """Whether its text has one."""


class PageGains(NamedTuple):
    """What a page's links were worth when they were ranked, and the link that led to it."""

    view: PageView
    links: GainParts
    row: FeatureRows | None
    own: GainParts | None
    """None of seeds, as their row."""


class GainCounts(Struct):
    """Counts of the crawl, and the middle of what its sites look like."""

    pages: int = 0
    since_ranking: int = 0
    links: int = 0
    """Met so far."""
    links_ranked: int = 0
    """Of these, before what waits was last ranked again."""
    relevance: float = -1.0
    """Of the critic, in log-odds: about half of the sites have more."""
    words: float = 0.0
    """The same for words of the topic on a page."""


class SavedGain(Struct, frozen=True):
    """Everything `expected_gain` remembers."""

    counts: GainCounts
    forms: list[int]
    rows: list[SavedTable]
    cells: list[SavedTable]
    words: list[tuple[SavedTable, SavedTable]]


def _key(text: str) -> int:
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) & 0x7FFF_FFFF or 1


@lru_cache(maxsize=50_000)
def _site_key(site: Site) -> int:
    return _key(host_of(site).removeprefix("www."))


@lru_cache(maxsize=50_000)
def _domain_key(site: Site) -> int:
    return _key(registered_domain(host_of(site)))


def _log_odds(chance: float) -> float:
    chance = min(max(chance, 1e-3), 1 - 1e-3)
    return math.log(chance / (1 - chance))


def _chance(odds: NDArray[np.floating[Any]]) -> Numbers:
    chances: Numbers = (1 / (1 + np.exp(-np.clip(odds, -30, 30)))).astype(np.float32)
    return chances


class ExpectedGainStrategy(BaseStrategy):
    """Ranks links by the new forms that they are expected to bring, and learns from each page."""

    name = "expected_gain"
    features = SPEC
    keeps_all_links = True

    def __init__(self, settings: ExpectedGainSettings) -> None:
        self.settings = settings
        self._topic_words = TopicWords(settings.words)
        self._site_names: dict[Site, SiteNames] = {}
        self._leaves: dict[str, LeafWords] = {}
        self._page: PageTopic | None = None
        """The page that was read last: it is asked about several times."""
        self._weighed: PageGains | None = None
        """Of the page that was ranked last."""
        weights = open_link_weights()
        self._after_form = _LEAST_LEFT if settings.goal == SITES else _AFTER_FORM
        self._link_weights = weights if settings.link_model else np.zeros_like(weights)
        self._hub_weights = np.array([_NAMED_HUB.get(name, 0.0) for name in FEATURES], np.float32)
        self._counts = GainCounts()
        self._forms: dict[int, None] = {}
        """Keys of the search forms met, each with its site."""
        self._sites = RowTable((0.0, 0.0, _FORM_LEFT))
        """Weight of its pages, their sum of being on the topic, chance of a form left."""
        self._domains = RowTable((1.0, 0.3))
        """Weight and sum of being on the topic: as if one page with little of it had been seen."""
        self._sources = RowTable((0.0, 0.0))
        self._visits, self._sizes, self._gains = CellTable(), CellTable(), CellTable()
        """Of families of links: pages visited, links met, new sites found."""
        self._met = CellTable()
        rate = _LEARN_RATE if settings.learning else 0.0
        self._door_words, self._topic_links = WordWeights(rate), WordWeights(rate)
        self._hub_words = WordWeights(rate)

    # What links look like

    def own_features(self, view: PageView) -> FeatureRows:
        rows = np.zeros((len(view.links), SPEC.own), np.int32)
        if not view.links:
            return rows
        named = describe_links(view.links, view.repeats)
        here = self._describe_site(view.site.site)
        sites = [self._describe_site(site) for site in view.sites]
        cells = []
        for link, site in zip(view.links, sites, strict=True):
            kind = INSIDE if site is here else SISTER if site.domain == here.domain else OTHER
            kind |= HOME if is_home_page(link.target) else 0
            cells.append((site.key, _key(family_of(link)), site.domain, kind))
        rows[:, _COMMON] = cells
        words = self._weigh_link_words(view)
        is_inside = (rows[:, KIND - _WORDS] & INSIDE) > 0
        # A section stands out among the links beside it: on a site about the topic none does.
        usual = float(words[is_inside].mean()) if is_inside.any() else 0.0
        about = words + [_PER_WORD * site.words for site in sites]
        about += _UNKNOWN_TOPIC + self._judge_source(view)
        rows[:, SECTION - _WORDS] = np.where(is_inside, np.round((words - usual) * _SCALE), 0)
        rows[:, TOPIC - _WORDS] = np.where(is_inside, 0, np.round(about * _SCALE))
        rows[:, SOURCE - _WORDS] = np.where(is_inside, 0, _key(view.page.url))
        rows[:, DOOR - _WORDS] = np.round((named @ self._link_weights + _BASE) * _SCALE)
        rows[:, HUB - _WORDS] = np.round((named @ self._hub_weights + _ANY_SITES) * _SCALE)
        return rows

    def _describe_site(self, site: Site) -> SiteNames:
        names = self._site_names.get(site)
        if names is None:
            if len(self._site_names) >= _MOST_TEXTS:
                self._site_names.clear()
            words = self._count_words(host_of(site))
            names = SiteNames(_site_key(site), _domain_key(site), words)
            self._site_names[site] = names
        return names

    def _count_words(self, text: str) -> int:
        """Different words of the topic, up to three."""
        found = self._topic_words.find(text)
        return min(len(set(found)), _MOST_WORDS) if found else 0

    def _weigh_link_words(self, view: PageView) -> Numbers:
        """What the words of the topic at each link say, in log-odds."""
        if not self._topic_words.stems:
            return np.zeros(len(view.links), np.float32)
        read, found = self._read_page(view.page), []
        for link in view.links:
            own = self._count_words(link.anchor or link.title)
            in_path = self._topic_words.find_in_address(path_of(link.target))
            if in_path:
                own += min(len(set(in_path)), _MOST_WORDS)
            around = self._find_around(read, link) if read.has_words else ()
            found.append(_PER_WORD * own + _PER_WORD_AROUND * min(len(around), _MOST_WORDS))
        return np.array(found, np.float32)

    def _find_around(self, read: PageTopic, link: Link) -> set[str]:
        """The topic's words among the nearest words before and after a link."""
        found: set[str] = set()
        texts = read.page.leaves
        for step in (-1, 1):
            place = link.first_leaf - 1 if step < 0 else link.last_leaf + 1
            left = _WORDS_AROUND
            while left > 0 and 0 <= place < len(texts):
                hits, words = self._read_leaf(texts[place])
                if hits and words > left:
                    leaf = texts[place]
                    near = leaf.rsplit(None, left)[-left:] if step < 0 else leaf.split()[:left]
                    hits = tuple(self._topic_words.find(" ".join(near)))
                found.update(hits)
                left -= words
                place += step
        return found

    def _judge_source(self, view: PageView) -> float:
        """What standing on this page says of a link to another site, in log-odds."""
        known = self._sites.peek(_site_key(view.site.site))
        here = self._judge_page(view)
        about = (here + float(known[1] / known[0])) / 2 if known[0] else here
        row = _read_row(view.candidate)
        if row is not None:
            (words,) = sum_weights((self._topic_links,), row[:, :_WORDS])
            about = max(about, float(_chance(_find_sections(row, words))[0]))
        return _FROM_TOPIC_PAGE * (about - 0.3)

    def _judge_page(self, view: PageView) -> float:
        """The chance that a page is on the topic, against what the crawl has met: a critic may
        take half of the Web for its topic."""
        counts = self._counts
        by_critic = _log_odds(view.judgement.relevance) - max(0.0, counts.relevance + 1.0)
        odds = 0.5 * by_critic
        if self._topic_words.stems:
            odds += self._read_page(view.page).strength - counts.words - 1.0
        else:
            odds += 0.5 * by_critic
        chance = 1 / (1 + math.exp(-min(max(odds, -30.0), 30.0)))
        return max(chance, _SEED_TOPIC) if view.candidate.parent is None else chance

    def _read_page(self, page: Page) -> PageTopic:
        """Where the topic's words stand in the title and text of a page. Lessons of a team come
        without the text (`crawler.lessons`): then the anchors of its links stand for it."""
        if self._page is not None and self._page.page is page:
            return self._page
        text = "\n".join(page.leaves or [link.anchor for link in page.links])
        found = self._topic_words.find(text)
        share = len(found) / (len(text) / 6 + 50)
        in_title = self._topic_words.find(f"{page.title} {page.description}")
        different = len(set(found)) + len(set(in_title))
        strength = 0.5 * different + min(100 * share, 4.0)
        self._page = PageTopic(page, strength, bool(found))
        return self._page

    def _read_leaf(self, leaf: str) -> LeafWords:
        """The topic's words in a leaf, and how many words it has."""
        known = self._leaves.get(leaf)
        if known is not None:
            return known
        read = tuple(self._topic_words.find(leaf)), len(leaf.split())
        if len(leaf) <= _SHORT_LEAF:
            if len(self._leaves) >= _MOST_TEXTS:
                self._leaves.clear()
            self._leaves[leaf] = read
        return read

    # What links are worth

    def _expect_sites(self, rows: FeatureRows, hub_words: Numbers, sections: Numbers) -> Numbers:
        """New sites on the topic that the pages of links inside sites bring."""
        prior = rows[:, HUB] / np.float32(_SCALE) + np.clip(hub_words, -2, 4)
        prior += _SECTION_SITES * _chance(sections)
        family = rows[:, FAMILY]
        mean = (prior + self._gains.get(family)) / (1 + self._visits.get(family))
        return np.maximum(mean, 0.0).astype(np.float32)

    def _estimate_topic(self, rows: FeatureRows, topic_words: Numbers) -> Numbers:
        """The chance that each link's site is on the topic."""
        chances = _chance(rows[:, TOPIC] / np.float32(_SCALE) + np.clip(topic_words, -3, 4))
        domains, is_known = self._domains.find(rows[:, DOMAIN])
        is_sister = (rows[:, KIND] & (SISTER | INSIDE)) > 0
        chances = np.where(is_known & is_sister, domains[:, 1] / domains[:, 0], chances)
        sources, is_known = self._sources.find(rows[:, SOURCE])
        seen = (_PRIOR_LINKS * chances + sources[:, 1]) / (_PRIOR_LINKS + sources[:, 0])
        chances = np.where(is_known, seen, chances)
        sites, is_entered = self._sites.find(rows[:, SITE])
        means = sites[:, 1] / np.maximum(sites[:, 0], 1e-6)
        return np.where(is_entered, means, chances).astype(np.float32)

    def _weigh(self, rows: FeatureRows) -> GainParts:
        door_words, topic_words, hub_words = sum_weights(self._word_tables(), rows[:, :_WORDS])
        sections = _find_sections(rows, topic_words)
        on_topic = self._estimate_topic(rows, topic_words)
        is_inside = (rows[:, KIND] & INSIDE) > 0
        sites = np.where(is_inside, self._expect_sites(rows, hub_words, sections), 0.0)
        if self.settings.goal == PAGES:
            left = np.ones(len(rows), np.float32)
            leads = np.where(is_inside, _find_pages(on_topic, sections), on_topic)
            score = leads.copy()
        else:
            left = self._sites.find(rows[:, SITE])[0][:, 2]
            leads = self._find_doors(rows, door_words)
            score = on_topic * left * leads
        worth = _NEW_SITE if self.settings.new_sites else 0.0
        score += worth * sites * (_AFTER_FORM + on_topic)
        return GainParts(on_topic, left, leads, sites, score.astype(np.float32))

    def _find_doors(self, rows: FeatureRows, door_words: Numbers) -> Numbers:
        """The chance that each link leads to a form, if its site has one."""
        leads = _chance(rows[:, DOOR] / np.float32(_SCALE) + np.clip(door_words, -3, 3))
        if self.settings.families:
            family = rows[:, FAMILY]
            leads *= (1 + self._sizes.get(family)) ** np.float32(_FAMILY_SIZE)
            leads *= (1 + self._visits.get(family)) ** np.float32(_FAMILY_VISITS)
        is_home = (rows[:, KIND] & HOME) > 0
        return np.where(is_home, np.maximum(leads, np.float32(_HOME)), leads)

    def _weigh_page(self, view: PageView) -> PageGains:
        """A page is ranked and learned from before another one teaches anything."""
        if self._weighed is not None and self._weighed.view is view:
            return self._weighed
        row = _read_row(view.candidate)
        parts = self._weigh(view.features if row is None else np.vstack([view.features, row]))
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
            Priority(0, score, said % (topic, left, leads)) for topic, left, leads, _, score in rows
        ]

    def extra_urls(self, view: PageView) -> Sequence[ExtraUrl | BacklinkQuery]:
        """The home pages of sites that are met for the first time by another page."""
        if not self.settings.home_first:
            return []
        homes: dict[int, int] = {}
        for number, (link, site) in enumerate(zip(view.links, view.sites, strict=True)):
            key = _site_key(site)
            is_new = site != view.site.site and key not in self._sites and key not in homes
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
                    leads = max(float(parts.leads[number]), _HOME)
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
            before, now = scores[is_link], self._weigh(rows).score
            has_moved = np.abs(now - before) > _MOVED * before
            scores[is_link] = np.where(has_moved, now, before)

    # What pages teach

    def learn(self, view: PageView, visit: Visit) -> bool:  # noqa: ARG002
        counts, key = self._counts, _site_key(view.site.site)
        gains = self._weigh_page(view)
        row, parts = gains.row, gains.own
        leads = float(parts.leads[0]) if parts else _HOME
        expected = float(parts.on_topic[0]) if parts else _SEED_TOPIC
        is_first = key not in self._sites
        if is_first and view.candidate.parent is not None:
            self._note_middle(view)
        topic = self._judge_page(view)
        self._note_topic(view, key, expected, topic)
        form = self._find_new_form(view, key)
        left = self._note_form(key, form, leads)
        sites = self._note_new_sites(view, key, gains.links.on_topic)
        if row is not None:
            if is_first and row[0, SOURCE]:
                self._sources.row(int(row[0, SOURCE]))[:] += (1.0, topic)
            weight = 1.0 if form else expected * left
            words = row[0, :_WORDS]
            if self.settings.goal != PAGES:
                self._door_words.learn(words, (form - leads) * weight)
            self._topic_links.learn(words, topic - expected)
            if row[0, KIND] & INSIDE and parts is not None:
                error = sites - float(parts.sites[0])
                self._hub_words.learn(words, min(max(error, -2.0), 4.0))
            self._visits.add(row[:, FAMILY], 1.0)
            self._gains.add(row[:, FAMILY], sites)
        self._weighed = None
        counts.pages += 1
        counts.links += len(view.links)
        counts.since_ranking += 1
        is_due = counts.links > (1 + _GROWTH) * counts.links_ranked
        if counts.since_ranking < self.settings.rank_every or not is_due:
            return False
        counts.since_ranking, counts.links_ranked = 0, counts.links
        return True

    def _note_middle(self, view: PageView) -> None:
        """Move the middles towards this site's first page, less the more sites were seen."""
        counts = self._counts
        step = 4.0 / (len(self._sites) + 8)
        by_critic = _log_odds(view.judgement.relevance)
        counts.relevance += math.copysign(step, by_critic - counts.relevance)
        if self._topic_words.stems:
            strength = self._read_page(view.page).strength
            counts.words += math.copysign(step, strength - counts.words)

    def _note_topic(self, view: PageView, key: int, expected: float, topic: float) -> None:
        weight = 2.0 if is_home_page(view.page.url) else 1.0
        site = self._sites.row(key)
        if not site[0]:
            # What links said of it counts as one page.
            site[:2] += (1.0, expected)
        site[:2] += (weight, weight * topic)
        self._domains.row(_domain_key(view.site.site))[:] += (weight, weight * topic)

    def _find_new_form(self, view: PageView, key: int) -> float:
        """The chance that the page has a search form that its site did not show before; 0: none."""
        best = 0.0
        for judged in view.judgement.forms:
            form = _key(f"{key} {judged.signature}")
            if judged.searchable >= LIKELY and form not in self._forms:
                self._forms[form] = None
                best = max(best, judged.searchable)
        while len(self._forms) > _MOST_FORMS:
            del self._forms[next(iter(self._forms))]
        return best

    def _note_form(self, key: int, form: float, leads: float) -> float:
        """The belief in another form on the site, before this page; it is updated."""
        site = self._sites.row(key)
        left = float(site[2])
        if not self.settings.site_beliefs:
            return left
        tried = max(leads, _HAZARD)
        after = left * self._after_form if form else left * (1 - tried) / (1 - left * tried)
        site[2] = max(after, _LEAST_LEFT)
        return left

    def _note_new_sites(self, view: PageView, key: int, on_topic: Numbers) -> float:
        """How many new sites on the topic the page links to."""
        self._met.cells[key & (len(self._met.cells) - 1)] = 1.0
        if not view.links:
            return 0.0
        keys = view.features[:, SITE]
        self._sizes.add(view.features[:, FAMILY], 1.0)
        is_new = (self._met.get(keys) == 0) & (keys != key)
        if not is_new.any():
            return 0.0
        best: dict[int, float] = {}
        for number, chance in zip(keys[is_new].tolist(), on_topic[is_new].tolist(), strict=True):
            best[number] = max(chance, best.get(number, 0.0))
        self._met.cells[keys[is_new] & (len(self._met.cells) - 1)] = 1.0
        return min(sum(best.values()), _MOST_SITES)

    # What people are told

    def explain_rank(self, candidate: Candidate) -> list[tuple[str, float]]:
        row = _read_row(candidate)
        if row is None:
            return super().explain_rank(candidate)
        parts = self._weigh(row)
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
        saved = SavedGain(
            self._counts,
            [*self._forms],
            [table.save() for table in self._row_tables()],
            [table.save() for table in self._cell_tables()],
            [table.save() for table in self._word_tables()],
        )
        return msgspec.msgpack.encode(saved)

    def restore(self, state: bytes) -> None:
        saved = msgspec.msgpack.decode(state, type=SavedGain)
        self._counts, self._forms = saved.counts, dict.fromkeys(saved.forms)
        for rows, kept in zip(self._row_tables(), saved.rows, strict=True):
            rows.load(kept)
        for cells, kept in zip(self._cell_tables(), saved.cells, strict=True):
            cells.load(kept)
        for words, pair in zip(self._word_tables(), saved.words, strict=True):
            words.load(pair)

    def _row_tables(self) -> tuple[RowTable, ...]:
        return self._sites, self._domains, self._sources

    def _cell_tables(self) -> tuple[CellTable, ...]:
        return self._visits, self._sizes, self._gains, self._met

    def _word_tables(self) -> tuple[WordWeights, WordWeights, WordWeights]:
        return self._door_words, self._topic_links, self._hub_words


def _read_row(candidate: Candidate) -> FeatureRows | None:
    """The features of a candidate; None of seeds, and of links found by another strategy."""
    row = np.frombuffer(candidate.features, np.dtype("<i4"))
    return row.astype(np.int32).reshape(1, -1) if len(row) == SPEC.width and row[SITE] else None


def _find_sections(rows: FeatureRows, topic_words: Numbers) -> Numbers:
    """The log-odds that links inside sites lead to sections on the topic."""
    words = np.clip(topic_words, -3, 5)
    odds = _SECTION + rows[:, SECTION] / _SCALE + words
    return odds.astype(np.float32)


def _find_pages(on_topic: Numbers, sections: Numbers) -> Numbers:
    """The chance that links inside sites lead to pages on the topic: the site's, moved by what
    the link says against an average link."""
    known = np.clip(on_topic, 1e-3, 1 - 1e-3)
    return _chance(np.log(known / (1 - known)) + sections - np.float32(_SECTION))


def _find_home(url: Url) -> Url | None:
    return canonical(f"{origin_of(url)}/")
