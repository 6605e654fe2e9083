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
from typing import Any, NamedTuple

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
from leadline.learn.link_features import linear_scores
from leadline.learn.search_links import FEATURES, describe_links, family_of, open_link_weights
from leadline.page.words import words_around
from leadline.strategies.base import BaseStrategy, make_knowledge
from leadline.strategies.gain.tables import CellTable, Numbers, RowTable, SavedTable, WordWeights
from leadline.strategies.gain.topic_words import TopicWords

SPEC = LinkFeatures(own=9)
_WORDS = SPEC.words
SITE, FAMILY, DOOR, TOPIC, KIND, DOMAIN, SOURCE, SECTION, HUB = range(_WORDS, SPEC.width)
"""Our cells: keys of site, family, domain and source page; log-odds in steps of 1 / _SCALE."""
INSIDE, SISTER, OTHER, HOME = 1, 2, 4, 8
"""Kinds of links: to the same host, to another host of its domain, to another site; a home page."""
_SCALE = 256.0

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
_LINKS_PER_VISIT = 4_000
"""Waiting links that may be ranked again for each visit between two rankings."""
_MOST_FORMS = 500_000
_MOST_TEXTS = 20_000
"""Anchors and addresses whose topic words are remembered: menus repeat."""
_NAMED_HUB = {"anchor: links": _LINK_PAGE_SITES, "address: links": _LINK_PAGE_SITES / 2}


class ExpectedGainSettings(BaseModel):
    """Settings of `expected_gain`. The switches are for ablations."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    words: tuple[str, ...] = Field(
        (), description="Words of the topic, in any language; empty: those of the crawl's topic."
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


class GainCounts(Struct):
    """Counts of the crawl, and the middle of what its sites look like."""

    pages: int = 0
    since_ranking: int = 0
    links: int = 0
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

    def __init__(self, settings: ExpectedGainSettings) -> None:
        self.settings = settings
        self._topic_words = TopicWords(settings.words)
        self._word_counts: dict[str, int] = {}
        weights = open_link_weights()
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
        here, my_domain = view.site.site, _domain_key(view.site.site)
        words = np.array([self._count_link_words(view.page, link) for link in view.links])
        is_inside = np.array([site == here for site in view.sites])
        # A section stands out among the links beside it: on a site about the topic none does.
        usual = float(words[is_inside].mean()) if is_inside.any() else 0.0
        source_topic = self._judge_source(view)
        source = _key(view.page.url)
        for row, link, site, link_words in zip(rows, view.links, view.sites, words, strict=True):
            domain = _domain_key(site)
            kind = INSIDE if site == here else SISTER if domain == my_domain else OTHER
            host_words = _PER_WORD * self._count_words(host_of(site))
            about = _UNKNOWN_TOPIC + source_topic + host_words + link_words
            row[SITE - _WORDS] = _site_key(site)
            row[FAMILY - _WORDS] = _key(family_of(link))
            row[DOMAIN - _WORDS] = domain
            row[KIND - _WORDS] = kind | (HOME if is_home_page(link.target) else 0)
            if kind == INSIDE:
                row[SECTION - _WORDS] = round((link_words - usual) * _SCALE)
            else:
                row[TOPIC - _WORDS] = round(about * _SCALE)
                row[SOURCE - _WORDS] = source
        rows[:, DOOR - _WORDS] = np.round((named @ self._link_weights + _BASE) * _SCALE)
        rows[:, HUB - _WORDS] = np.round((named @ self._hub_weights + _ANY_SITES) * _SCALE)
        return rows

    def _count_words(self, text: str) -> int:
        """Different words of the topic, up to three."""
        count = self._word_counts.get(text)
        if count is None:
            if len(self._word_counts) >= _MOST_TEXTS:
                self._word_counts.clear()
            count = min(len(set(self._topic_words.find(text))), _MOST_WORDS)
            self._word_counts[text] = count
        return count

    def _count_link_words(self, page: Page, link: Link) -> float:
        """What the words of the topic at a link say, in log-odds."""
        if not self._topic_words.stems:
            return 0.0
        own = self._count_words(link.anchor or link.title) + self._count_words(path_of(link.target))
        before, after = words_around(page, link)
        around = self._count_words(" ".join([*before[-5:], *after[:5]]))
        return _PER_WORD * own + _PER_WORD_AROUND * around

    def _judge_source(self, view: PageView) -> float:
        """What standing on this page says of a link to another site, in log-odds."""
        known = self._sites.peek(_site_key(view.site.site))
        here = self._judge_page(view)
        about = (here + float(known[1] / known[0])) / 2 if known[0] else here
        row = _read_row(view.candidate)
        if row is not None:
            about = max(about, float(_chance(self._find_sections(row))[0]))
        return _FROM_TOPIC_PAGE * (about - 0.3)

    def _judge_page(self, view: PageView) -> float:
        """The chance that a page is on the topic, against what the crawl has met: a critic may
        take half of the Web for its topic."""
        counts = self._counts
        by_critic = _log_odds(view.judgement.relevance) - max(0.0, counts.relevance + 1.0)
        odds = 0.5 * by_critic
        if self._topic_words.stems:
            odds += self._count_page_words(view.page) - counts.words - 1.0
        else:
            odds += 0.5 * by_critic
        chance = 1 / (1 + math.exp(-min(max(odds, -30.0), 30.0)))
        return max(chance, _SEED_TOPIC) if view.candidate.parent is None else chance

    def _count_page_words(self, page: Page) -> float:
        """How much of the topic's words a page has in its title and text. Lessons of a team come
        without the text (`crawler.lessons`): then the anchors of its links stand for it."""
        title = f"{page.title} {page.description}"
        text = "\n".join(page.leaves or [link.anchor for link in page.links])
        found = self._topic_words.find(text)
        share = len(found) / (len(text) / 6 + 50)
        different = len(set(found)) + len(set(self._topic_words.find(title)))
        return 0.5 * different + min(100 * share, 4.0)

    # What links are worth

    def _find_sections(self, rows: FeatureRows) -> Numbers:
        words = np.clip(linear_scores(self._topic_links.weights.cells, rows[:, :_WORDS]), -3, 5)
        odds = _SECTION + rows[:, SECTION] / _SCALE + words
        return odds.astype(np.float32)

    def _expect_sites(self, rows: FeatureRows) -> Numbers:
        """New sites on the topic that the pages of links inside sites bring."""
        words = linear_scores(self._hub_words.weights.cells, rows[:, :_WORDS])
        prior = rows[:, HUB] / np.float32(_SCALE) + np.clip(words, -2, 4)
        prior += _SECTION_SITES * _chance(self._find_sections(rows))
        family = rows[:, FAMILY]
        mean = (prior + self._gains.get(family)) / (1 + self._visits.get(family))
        return np.maximum(mean, 0.0).astype(np.float32)

    def _estimate_topic(self, rows: FeatureRows) -> Numbers:
        """The chance that each link's site is on the topic."""
        words = np.clip(linear_scores(self._topic_links.weights.cells, rows[:, :_WORDS]), -3, 4)
        chances = _chance(rows[:, TOPIC] / _SCALE + words)
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
        words = np.clip(linear_scores(self._door_words.weights.cells, rows[:, :_WORDS]), -3, 3)
        leads = _chance(rows[:, DOOR] / _SCALE + words)
        if self.settings.families:
            family = rows[:, FAMILY]
            leads *= (1 + self._sizes.get(family)) ** np.float32(_FAMILY_SIZE)
            leads *= (1 + self._visits.get(family)) ** np.float32(_FAMILY_VISITS)
        is_home = (rows[:, KIND] & HOME) > 0
        leads = np.where(is_home, np.maximum(leads, _HOME), leads)
        on_topic = self._estimate_topic(rows)
        left = self._sites.find(rows[:, SITE])[0][:, 2]
        sites = np.where((rows[:, KIND] & INSIDE) > 0, self._expect_sites(rows), 0.0)
        worth = _NEW_SITE if self.settings.new_sites else 0.0
        score = on_topic * left * leads + worth * sites * (_AFTER_FORM + on_topic)
        return GainParts(on_topic, left, leads, sites, score.astype(np.float32))

    def rank(self, view: PageView) -> Sequence[Priority | Skip]:
        if not view.links:
            return []
        parts = self._weigh(view.features)
        rows = zip(*(column.tolist() for column in parts), strict=True)
        return [
            Priority(
                0, score, f"on topic {topic:.2f}, form left {left:.2f}, leads to it {leads:.3f}"
            )
            for topic, left, leads, _, score in rows
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
        numbers = [*homes.values()]
        rows = view.features[numbers].copy()
        rows[:, KIND] |= HOME
        found: list[ExtraUrl | BacklinkQuery] = []
        for number, score in zip(numbers, self._weigh(rows).score.tolist(), strict=True):
            home = _find_home(view.links[number].target)
            if home is not None:
                found.append(ExtraUrl(home, Priority(0, score, "its site's home page"), number))
        return found

    def rank_site(self, site: SiteState, view: PageView | None = None) -> Priority | Skip | None:
        if view is None and not site.pages and site.errors > 1:
            return Skip(f"none of {site.errors} pages could be fetched")
        return None

    def rescore(self, tiers: NDArray[np.int32], scores: Scores, features: FeatureRows) -> None:  # noqa: ARG002
        # Seeds have no features and keep their place.
        is_link = features[:, SITE] != 0
        if is_link.any():
            scores[is_link] = self._weigh(features[is_link]).score

    # What pages teach

    def learn(self, view: PageView, visit: Visit) -> bool:  # noqa: ARG002
        counts, key = self._counts, _site_key(view.site.site)
        row = _read_row(view.candidate)
        parts = self._weigh(row) if row is not None else None
        leads = float(parts.leads[0]) if parts else _HOME
        expected = float(parts.on_topic[0]) if parts else _SEED_TOPIC
        is_first = key not in self._sites
        if is_first and view.candidate.parent is not None:
            self._note_middle(view)
        topic = self._judge_page(view)
        self._note_topic(view, key, expected, topic)
        form = self._find_new_form(view, key)
        left = self._note_form(key, form, leads)
        sites = self._note_new_sites(view, key)
        if row is not None:
            if is_first and row[0, SOURCE]:
                self._sources.row(int(row[0, SOURCE]))[:] += (1.0, topic)
            weight = 1.0 if form else expected * left
            words = row[0, :_WORDS]
            self._door_words.learn(words, (form - leads) * weight)
            self._topic_links.learn(words, topic - expected)
            if row[0, KIND] & INSIDE:
                error = sites - float(self._expect_sites(row)[0])
                self._hub_words.learn(words, min(max(error, -2.0), 4.0))
            self._visits.add(row[:, FAMILY], 1.0)
            self._gains.add(row[:, FAMILY], sites)
        counts.pages += 1
        counts.links += len(view.links)
        counts.since_ranking += 1
        # Ranking all that waits costs the more the more waits.
        if counts.since_ranking < max(self.settings.rank_every, counts.links // _LINKS_PER_VISIT):
            return False
        counts.since_ranking = 0
        return True

    def _note_middle(self, view: PageView) -> None:
        """Move the middles towards this site's first page, less the more sites were seen."""
        counts = self._counts
        step = 4.0 / (len(self._sites) + 8)
        by_critic = _log_odds(view.judgement.relevance)
        counts.relevance += math.copysign(step, by_critic - counts.relevance)
        if self._topic_words.stems:
            counts.words += math.copysign(step, self._count_page_words(view.page) - counts.words)

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
        after = left * _AFTER_FORM if form else left * (1 - tried) / (1 - left * tried)
        site[2] = max(after, _LEAST_LEFT)
        return left

    def _note_new_sites(self, view: PageView, key: int) -> float:
        """How many new sites on the topic the page links to."""
        self._met.cells[key & (len(self._met.cells) - 1)] = 1.0
        if not view.links:
            return 0.0
        keys = view.features[:, SITE]
        self._sizes.add(view.features[:, FAMILY], 1.0)
        is_new = (self._met.get(keys) == 0) & (keys != key)
        if not is_new.any():
            return 0.0
        chances = self._estimate_topic(view.features[is_new])
        best: dict[int, float] = {}
        for number, chance in zip(keys[is_new].tolist(), chances.tolist(), strict=True):
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

    def _word_tables(self) -> tuple[WordWeights, ...]:
        return self._door_words, self._topic_links, self._hub_words


def _read_row(candidate: Candidate) -> FeatureRows | None:
    """The features of a candidate; None of seeds, and of links found by another strategy."""
    row = np.frombuffer(candidate.features, np.dtype("<i4"))
    return row.astype(np.int32).reshape(1, -1) if len(row) == SPEC.width and row[SITE] else None


def _find_home(url: Url) -> Url | None:
    return canonical(f"{origin_of(url)}/")
