"""What `expected_gain` believes of sites, families of links and words, and the gain that follows.

The strategy reads pages; here are only numbers by key, so that a million waiting links are weighed
in a few array steps.
"""

import math
from typing import NamedTuple

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
    CELLS,
    CellTable,
    Numbers,
    RowTable,
    SavedTable,
    WordWeights,
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
_MOST_ODDS = np.float32(30.0)

# Rows of log-odds while links are weighed: from which cell of a link, which learned words, and how
# far these may move them.
_ODDS = [cell - WORDS for cell in (DOOR, TOPIC, SECTION, HUB)]
_SECTIONS, _HUBS = 2, 3
_TOPIC_WORDS = 1
_LEARNED = [0, _TOPIC_WORDS, _TOPIC_WORDS, 2]
_LOW = np.array([[-3], [-3], [-3], [-2]], np.float32)
_HIGH = np.array([[3], [4], [5], [4]], np.float32)


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
        self.words = WordWeights(3, _LEARN_RATE if settings.learning else 0.0)
        """What words of links say: leads to a form, is on the topic, brings new sites."""

    # What links are worth

    def weigh(self, rows: FeatureRows) -> GainParts:
        own = np.ascontiguousarray(rows[:, WORDS:].T)
        site, family, kind = own[SITE - WORDS], own[FAMILY - WORDS], own[KIND - WORDS]
        learned = self.words.sum(rows[:, :WORDS])[_LEARNED]
        odds: Numbers = own[_ODDS].astype(np.float32) / np.float32(SCALE)
        odds += np.minimum(np.maximum(learned, _LOW), _HIGH)
        odds[_SECTIONS] += _SECTION
        doors, topics, sections = to_chances(odds[:_HUBS])
        sites, is_entered = self.sites.find(site)
        is_inside = (kind & INSIDE) > 0
        links = self._gather_evidence(own, topics, is_inside)
        means = sites[:, 1] / np.maximum(sites[:, 0], 1e-6)
        evidence = np.where(is_entered, means, links)
        on_topic = _judge_evidence(evidence, is_entered)
        cells = family & (CELLS - 1)
        visits = 1 + self._visits.cells.take(cells)
        gains = odds[_HUBS] + _SECTION_SITES * sections + self._gains.cells.take(cells)
        new_sites = np.where(is_inside, np.maximum(gains / visits, 0.0), 0.0)
        if self._settings.goal == PAGES:
            left = np.ones(len(rows), np.float32)
            leads = np.where(is_inside, _find_pages(evidence, odds[_SECTIONS]), evidence)
            score = leads.copy()
        else:
            left = sites[:, 2]
            if self._settings.families:
                doors /= np.sqrt(1 + self._sizes.cells.take(cells)) * visits
            is_home = (kind & HOME) > 0
            leads = np.where(is_home, np.maximum(doors, np.float32(HOME_LEADS)), doors)
            score = on_topic * left * leads
        if self._settings.new_sites:
            score += np.float32(_NEW_SITE) * new_sites * (_AFTER_FORM + on_topic)
        return GainParts(evidence, on_topic, left, leads, new_sites, score)

    def _gather_evidence(
        self, own: FeatureRows, topics: Numbers, is_inside: NDArray[np.bool_]
    ) -> Numbers:
        """What links say of their sites being on the topic."""
        domains, is_known = self.domains.find(own[DOMAIN - WORDS])
        is_sister = is_inside | ((own[KIND - WORDS] & SISTER) > 0)
        chances = np.where(is_known & is_sister, domains[:, 1] / domains[:, 0], topics)
        sources = self.sources.find(own[SOURCE - WORDS])[0]
        seen: Numbers = (_PRIOR_LINKS * chances + sources[:, 1]) / (_PRIOR_LINKS + sources[:, 0])
        return seen

    def find_section(self, row: FeatureRows) -> float:
        """The chance that a link inside a site leads to a section on the topic."""
        words = self.words.sum_one(_TOPIC_WORDS, row[0, :WORDS])
        odds = _SECTION + int(row[0, SECTION]) / SCALE + min(max(words, -3.0), 5.0)
        return 1 / (1 + math.exp(-min(max(odds, -30.0), 30.0)))

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
        cell = int(row[0, FAMILY]) & (CELLS - 1)
        self._visits.cells[cell] += 1.0
        self._gains.cells[cell] += sites

    # Its state

    def save(self) -> SavedBeliefs:
        return SavedBeliefs(
            [table.save() for table in self._row_tables()],
            [table.save() for table in self._cell_tables()],
            self.words.save(),
        )

    def load(self, saved: SavedBeliefs) -> None:
        for rows, kept in zip(self._row_tables(), saved.rows, strict=True):
            rows.load(kept)
        for cells, kept in zip(self._cell_tables(), saved.cells, strict=True):
            cells.load(kept)
        self.words.load(saved.words)

    def _row_tables(self) -> tuple[RowTable, ...]:
        return self.sites, self.domains, self.sources

    def _cell_tables(self) -> tuple[CellTable, ...]:
        return self._visits, self._sizes, self._gains, self._met


def to_log_odds(chance: float) -> float:
    chance = min(max(chance, 1e-3), 1 - 1e-3)
    return math.log(chance / (1 - chance))


def to_chances(odds: Numbers) -> Numbers:
    bounded = np.minimum(np.maximum(odds, -_MOST_ODDS), _MOST_ODDS)
    chances: Numbers = np.float32(1) / (np.float32(1) + np.exp(-bounded))
    return chances


def _judge_evidence(evidence: Numbers, is_entered: NDArray[np.bool_]) -> Numbers:
    """The chance that each site is on the topic."""
    known = np.minimum(np.maximum(evidence, np.float32(1e-3)), np.float32(1 - 1e-3))
    odds = np.log(known / (1 - known))
    (link_slope, link_shift), (slope, shift) = _OF_LINKS, _OF_PAGES
    return to_chances(np.where(is_entered, slope * odds + shift, link_slope * odds + link_shift))


def _find_pages(on_topic: Numbers, sections: Numbers) -> Numbers:
    """The chance that links inside sites lead to pages on the topic: the site's, moved by what
    the link says against an average link."""
    known = np.minimum(np.maximum(on_topic, np.float32(1e-3)), np.float32(1 - 1e-3))
    return to_chances(np.log(known / (1 - known)) + sections - np.float32(_SECTION))
