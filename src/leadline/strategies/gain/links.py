"""How `expected_gain` describes a link in numbers that are kept with it while it waits."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import xxhash

from leadline.core.crawl import Candidate, FeatureRows, LinkFeatures, PageView
from leadline.core.url import Site, host_of, is_home_page, registered_domain
from leadline.learn.search_links import FEATURES, describe_links, family_of
from leadline.strategies.gain.topic_reader import PER_WORD, TopicReader
from leadline.strategies.tables import Numbers

SPEC = LinkFeatures(own=9)
WORDS = SPEC.words
"""Cells of words come first."""
SITE, FAMILY, DOOR, TOPIC, KIND, DOMAIN, SOURCE, SECTION, HUB = range(WORDS, SPEC.width)
"""Our cells: keys of site, family, domain and source page; log-odds in steps of 1 / SCALE."""
INSIDE, SISTER, OTHER, HOME = 1, 2, 4, 8
"""Kinds of links: to the same host, to another host of its domain, to another site; a home page."""
SCALE = 256.0
_COMMON = [cell - WORDS for cell in (SITE, FAMILY, DOMAIN, KIND)]

_BASE = -3.5
"""Log-odds that a link with nothing to say leads to a form that its site has: 1 in 33. Of the
families of links on real pages, 1 in 140 leads to a search (docs/strategies/expected_gain.md), on
sites that may have none."""
_UNKNOWN_TOPIC = -1.5
"""What a link says of a site of which nothing is known, on a page like others: a guess."""
LINK_PAGE_SITES, ANY_SITES = 1.2, 0.2
"""New sites on the topic expected on a page of links, and on any other page: guesses."""
_NAMED_HUB = {"anchor: links": LINK_PAGE_SITES, "address: links": LINK_PAGE_SITES / 2}
_MOST_SITES = 20_000
"""Sites whose names are remembered."""


class SiteNames(NamedTuple):
    """What a site's name says."""

    key: int
    domain: int
    words: int
    """Words of the topic in it."""


def make_key(text: str) -> int:
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) & 0x7FFF_FFFF or 1


@lru_cache(maxsize=50_000)
def site_key(site: Site) -> int:
    return make_key(host_of(site).removeprefix("www."))


@lru_cache(maxsize=50_000)
def domain_key(site: Site) -> int:
    return make_key(registered_domain(host_of(site)))


def read_row(candidate: Candidate) -> FeatureRows | None:
    """The features of a candidate; None of seeds, and of links found by another strategy."""
    row = np.frombuffer(candidate.features, np.dtype("<i4"))
    return row.astype(np.int32).reshape(1, -1) if len(row) == SPEC.width and row[SITE] else None


class LinkDescriber:
    """Writes a row for each link of a page, by the words of the topic and the model of links."""

    def __init__(self, reader: TopicReader, link_weights: Numbers) -> None:
        self._reader = reader
        self._link_weights = link_weights
        self._hub_weights = np.array([_NAMED_HUB.get(name, 0.0) for name in FEATURES], np.float32)
        self._names: dict[Site, SiteNames] = {}

    def describe(self, view: PageView, source_odds: float) -> FeatureRows:
        """`source_odds` is what standing on this page says of a link to another site."""
        rows = np.zeros((len(view.links), SPEC.own), np.int32)
        named = describe_links(view.links, view.repeats)
        here = self._describe_site(view.site.site)
        sites = [self._describe_site(site) for site in view.sites]
        cells = []
        for link, site in zip(view.links, sites, strict=True):
            kind = INSIDE if site is here else SISTER if site.domain == here.domain else OTHER
            kind |= HOME if is_home_page(link.target) else 0
            cells.append((site.key, make_key(family_of(link)), site.domain, kind))
        rows[:, _COMMON] = cells
        words = self._reader.weigh_links(view)
        is_inside = (rows[:, KIND - WORDS] & INSIDE) > 0
        # A section stands out among the links beside it: on a site about the topic none does.
        usual = float(words[is_inside].mean()) if is_inside.any() else 0.0
        about = words + [PER_WORD * site.words for site in sites]
        about += _UNKNOWN_TOPIC + source_odds
        rows[:, SECTION - WORDS] = np.where(is_inside, np.rint((words - usual) * SCALE), 0)
        rows[:, TOPIC - WORDS] = np.where(is_inside, 0, np.rint(about * SCALE))
        rows[:, SOURCE - WORDS] = np.where(is_inside, 0, make_key(view.page.url))
        rows[:, DOOR - WORDS] = np.rint((named @ self._link_weights + _BASE) * SCALE)
        rows[:, HUB - WORDS] = np.rint((named @ self._hub_weights + ANY_SITES) * SCALE)
        return rows

    def _describe_site(self, site: Site) -> SiteNames:
        names = self._names.get(site)
        if names is None:
            if len(self._names) >= _MOST_SITES:
                self._names.clear()
            words = self._reader.count_words(host_of(site))
            names = SiteNames(site_key(site), domain_key(site), words)
            self._names[site] = names
        return names
