"""What `expected_gain` believes of sites, families of links and words, and the gain that follows.

The strategy reads pages; here are only numbers by key, so that a million waiting links are weighed
in a few array steps.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.crawl import FeatureRows
from leadline.strategies.gain.links import (
    DOMAIN,
    DOOR,
    FAMILY,
    HOME,
    HUB,
    INSIDE,
    KIND,
    SCALE,
    SECTION,
    SISTER,
    SITE,
    SOURCE,
    TOPIC,
    WORDS,
)
from leadline.strategies.gain.settings import PAGES, SITES, ExpectedGainSettings
from leadline.strategies.tables import (
    CellTable,
    Numbers,
    RowTable,
    SavedTable,
    WordWeights,
    sum_weights,
)

# Priors. Where real data says nothing, they are round numbers, and were not chosen finer than by
# halves: worlds a and b (docs/worlds.md, seed 1 of each) differ less between neighbours than
# between topics.
_FORM_LEFT = 0.7
_AFTER_FORM = 0.4
"""What is left of the belief in another form when one was found: deep sites have 1.4 to 1.5
databases (Chang et al. 2004)."""
_LEAST_LEFT = 0.02
_HAZARD = 0.06
"""Every page without a form counts as if it had had at least this chance of one: 72 % of query
interfaces are at most three links deep (Chang et al. 2004), so some twenty pages say much."""
HOME_LEADS = 0.3
"""Of a home page: it may show the form, or lead to it. On the webs a and b 28 and 3 % of home pages
on the topic show one of the topic, in eight drawn profiles of the lab 1 to 13 %."""
_SECTION = -3.0
"""Log-odds that a link inside a site leads to a section on the topic."""
_PRIOR_LINKS = 3.0
"""A source page's links count as so many that turned out as predicted."""
_OF_LINKS, _OF_PAGES = (1.3, -0.9), (2.3, -0.9)
"""From what links say of a site that was not entered, and from the mean over the pages of one that
was, in log-odds, to the log-odds that it is on the topic: slope and shift. Fitted on crawls of ten
webs, seed 1 of each: slopes of links are 1.2 and 1.5 on a and b and 1.2 to 1.5 in eight drawn
profiles of the lab, of pages 1.9 and 2.7 on a and b, where sites are about one thing. Shifts
differ with how many of the sites met are on the topic: these are those of a and b."""
_NEW_SITE = 0.04
"""What a new site on the topic is worth, in forms."""
_SECTION_SITES = 1.5
"""New sites on the topic expected on a topical section."""
_MOST_SITES = 10.0
_LEARN_RATE = 0.1
_FAMILY_SIZE = -0.5
_FAMILY_VISITS = -1.0


class GainParts(NamedTuple):
    """What the expected gains of links are made of."""

    evidence: Numbers
    """What links and pages say of the site being on the topic: too timid for a chance."""
    on_topic: Numbers
    """The chance that the site is on the topic."""
    form_left: Numbers
    leads: Numbers
    sites: Numbers
    score: Numbers


class SavedBeliefs(Struct, frozen=True):
    """All tables."""

    rows: list[SavedTable]
    cells: list[SavedTable]
    words: list[tuple[SavedTable, SavedTable]]


class Beliefs:
    """What is believed of sites, families and words; it moves with each page."""

    def __init__(self, settings: ExpectedGainSettings) -> None:
        self._settings = settings
        self._after_form = _LEAST_LEFT if settings.goal == SITES else _AFTER_FORM
        self.sites = RowTable((0.0, 0.0, _FORM_LEFT))
        """Weight of its pages, their sum of being on the topic, chance of a form left."""
        self.domains = RowTable((1.0, 0.3))
        """Weight and sum of being on the topic: as if one page with little of it had been seen."""
        self.sources = RowTable((0.0, 0.0))
        self._visits, self._sizes, self._gains = CellTable(), CellTable(), CellTable()
        """Of families of links: pages visited, links met, new sites found."""
        self._met = CellTable()
        rate = _LEARN_RATE if settings.learning else 0.0
        self.door_words, self.topic_words = WordWeights(rate), WordWeights(rate)
        self.hub_words = WordWeights(rate)

    # What links are worth

    def weigh(self, rows: FeatureRows) -> GainParts:
        door_words, topic_words, hub_words = sum_weights(self._word_tables(), rows[:, :WORDS])
        sections = _find_sections(rows, topic_words)
        evidence, is_entered = self._gather_evidence(rows, topic_words)
        on_topic = _judge_evidence(evidence, is_entered)
        is_inside = (rows[:, KIND] & INSIDE) > 0
        sites = np.where(is_inside, self._expect_sites(rows, hub_words, sections), 0.0)
        if self._settings.goal == PAGES:
            left = np.ones(len(rows), np.float32)
            leads = np.where(is_inside, _find_pages(evidence, sections), evidence)
            score = leads.copy()
        else:
            left = self.sites.find(rows[:, SITE])[0][:, 2]
            leads = self._find_doors(rows, door_words)
            score = on_topic * left * leads
        worth = _NEW_SITE if self._settings.new_sites else 0.0
        score += worth * sites * (_AFTER_FORM + on_topic)
        return GainParts(evidence, on_topic, left, leads, sites, score.astype(np.float32))

    def _gather_evidence(
        self, rows: FeatureRows, topic_words: Numbers
    ) -> tuple[Numbers, NDArray[np.bool_]]:
        """What is known of each link's site being on the topic, and whether it was entered."""
        chances = to_chances(rows[:, TOPIC] / np.float32(SCALE) + np.clip(topic_words, -3, 4))
        domains, is_known = self.domains.find(rows[:, DOMAIN])
        is_sister = (rows[:, KIND] & (SISTER | INSIDE)) > 0
        chances = np.where(is_known & is_sister, domains[:, 1] / domains[:, 0], chances)
        sources, is_known = self.sources.find(rows[:, SOURCE])
        seen = (_PRIOR_LINKS * chances + sources[:, 1]) / (_PRIOR_LINKS + sources[:, 0])
        chances = np.where(is_known, seen, chances)
        sites, is_entered = self.sites.find(rows[:, SITE])
        means = sites[:, 1] / np.maximum(sites[:, 0], 1e-6)
        return np.where(is_entered, means, chances).astype(np.float32), is_entered

    def _expect_sites(self, rows: FeatureRows, hub_words: Numbers, sections: Numbers) -> Numbers:
        """New sites on the topic that the pages of links inside sites bring."""
        prior = rows[:, HUB] / np.float32(SCALE) + np.clip(hub_words, -2, 4)
        prior += _SECTION_SITES * to_chances(sections)
        family = rows[:, FAMILY]
        mean = (prior + self._gains.get(family)) / (1 + self._visits.get(family))
        return np.maximum(mean, 0.0).astype(np.float32)

    def _find_doors(self, rows: FeatureRows, door_words: Numbers) -> Numbers:
        """The chance that each link leads to a form, if its site has one."""
        leads = to_chances(rows[:, DOOR] / np.float32(SCALE) + np.clip(door_words, -3, 3))
        if self._settings.families:
            family = rows[:, FAMILY]
            leads *= (1 + self._sizes.get(family)) ** np.float32(_FAMILY_SIZE)
            leads *= (1 + self._visits.get(family)) ** np.float32(_FAMILY_VISITS)
        is_home = (rows[:, KIND] & HOME) > 0
        return np.where(is_home, np.maximum(leads, np.float32(HOME_LEADS)), leads)

    def find_section(self, row: FeatureRows) -> float:
        """The chance that a link inside a site leads to a section on the topic."""
        (words,) = sum_weights((self.topic_words,), row[:, :WORDS])
        return float(to_chances(_find_sections(row, words))[0])

    # What pages teach

    def note_topic(
        self, site: int, domain: int, expected: float, topic: float, *, home: bool
    ) -> None:
        """A page of the site is on the topic with that chance; links said `expected` of it."""
        weight = 2.0 if home else 1.0
        row = self.sites.row(site)
        if not row[0]:
            # What links said of it counts as one page.
            row[:2] += (1.0, expected)
        row[:2] += (weight, weight * topic)
        self.domains.row(domain)[:] += (weight, weight * topic)

    def note_form(self, site: int, form: float, leads: float) -> float:
        """The belief in another form on the site, before this page; it is updated."""
        row = self.sites.row(site)
        left = float(row[2])
        if not self._settings.site_beliefs:
            return left
        tried = max(leads, _HAZARD)
        after = left * self._after_form if form else left * (1 - tried) / (1 - left * tried)
        row[2] = max(after, _LEAST_LEFT)
        return left

    def note_links(self, site: int, rows: FeatureRows, on_topic: Numbers) -> float:
        """How many new sites on the topic a page of that site links to."""
        self._met.put(np.array([site], np.int32), 1.0)
        if not len(rows):
            return 0.0
        keys = rows[:, SITE]
        self._sizes.add(rows[:, FAMILY], 1.0)
        is_new = (self._met.get(keys) == 0) & (keys != site)
        if not is_new.any():
            return 0.0
        best: dict[int, float] = {}
        for number, chance in zip(keys[is_new].tolist(), on_topic[is_new].tolist(), strict=True):
            best[number] = max(chance, best.get(number, 0.0))
        self._met.put(keys[is_new], 1.0)
        return min(sum(best.values()), _MOST_SITES)

    def note_family(self, row: FeatureRows, sites: float) -> None:
        """A page of the link's family was visited, and linked to so many new sites."""
        self._visits.add(row[:, FAMILY], 1.0)
        self._gains.add(row[:, FAMILY], sites)

    # Its state

    def save(self) -> SavedBeliefs:
        return SavedBeliefs(
            [table.save() for table in self._row_tables()],
            [table.save() for table in self._cell_tables()],
            [table.save() for table in self._word_tables()],
        )

    def load(self, saved: SavedBeliefs) -> None:
        for rows, kept in zip(self._row_tables(), saved.rows, strict=True):
            rows.load(kept)
        for cells, kept in zip(self._cell_tables(), saved.cells, strict=True):
            cells.load(kept)
        for words, pair in zip(self._word_tables(), saved.words, strict=True):
            words.load(pair)

    def _row_tables(self) -> tuple[RowTable, ...]:
        return self.sites, self.domains, self.sources

    def _cell_tables(self) -> tuple[CellTable, ...]:
        return self._visits, self._sizes, self._gains, self._met

    def _word_tables(self) -> tuple[WordWeights, WordWeights, WordWeights]:
        return self.door_words, self.topic_words, self.hub_words


def to_log_odds(chance: float) -> float:
    chance = min(max(chance, 1e-3), 1 - 1e-3)
    return math.log(chance / (1 - chance))


def to_chances(odds: NDArray[np.floating[Any]]) -> Numbers:
    chances: Numbers = (1 / (1 + np.exp(-np.clip(odds, -30, 30)))).astype(np.float32)
    return chances


def _judge_evidence(evidence: Numbers, is_entered: NDArray[np.bool_]) -> Numbers:
    """The chance that each site is on the topic."""
    known = np.clip(evidence, 1e-3, 1 - 1e-3)
    odds = np.log(known / (1 - known))
    (link_slope, link_shift), (slope, shift) = _OF_LINKS, _OF_PAGES
    return to_chances(np.where(is_entered, slope * odds + shift, link_slope * odds + link_shift))


def _find_sections(rows: FeatureRows, topic_words: Numbers) -> Numbers:
    """The log-odds that links inside sites lead to sections on the topic."""
    words = np.clip(topic_words, -3, 5)
    odds = _SECTION + rows[:, SECTION] / SCALE + words
    return odds.astype(np.float32)


def _find_pages(on_topic: Numbers, sections: Numbers) -> Numbers:
    """The chance that links inside sites lead to pages on the topic: the site's, moved by what
    the link says against an average link."""
    known = np.clip(on_topic, 1e-3, 1 - 1e-3)
    return to_chances(np.log(known / (1 - known)) + sections - np.float32(_SECTION))
