"""How `expected_gain` describes a link in numbers that are kept with it while it waits."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import xxhash

from leadline.core.crawl import Candidate, FeatureRows, LinkFeatures, PageView
from leadline.core.page import Link
from leadline.core.url import Site, host_of, is_home_page, registered_domain
from leadline.learn.search_links import (
    FEATURES,
    REPEATED,
    number_anchor,
    number_place,
    read_address,
)
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


class PartWeight(NamedTuple):
    """What a part of a link says, in log-odds."""

    door: float
    hubs: float


class LinkDescriber:
    """Writes a row for each link of a page, by the words of the topic and the model of links.

    A page has few links, so numbers are cheaper than arrays of them. What anchors, places and
    addresses of one kind add up to is remembered.
    """

    def __init__(self, reader: TopicReader, link_weights: Numbers) -> None:
        self._reader = reader
        self._link_weights = link_weights.tolist()
        self._hub_weights = [_NAMED_HUB.get(name, 0.0) for name in FEATURES]
        self._names: dict[Site, SiteNames] = {}
        self._sums: dict[tuple[int, ...], PartWeight] = {}

    def describe(self, view: PageView, source_odds: float) -> FeatureRows:
        """`source_odds` is what standing on this page says of a link to another site."""
        here = self._describe_site(view.site.site)
        sites = [self._describe_site(site) for site in view.sites]
        words = self._reader.weigh_links(view)
        # A section stands out among the links beside it: on a site about the topic none does.
        inside = [said for said, site in zip(words, sites, strict=True) if site is here]
        usual = sum(inside) / len(inside) if inside else 0.0
        known = _UNKNOWN_TOPIC + source_odds
        source = make_key(view.page.url)
        rows = []
        for link, site, is_repeated, said in zip(
            view.links, sites, view.repeats, words, strict=True
        ):
            address = read_address(link.target)
            family = make_key(f"{address.shape} {link.tag_path}")
            door, hubs = self._weigh_parts(link, address.numbers, is_repeated=is_repeated)
            kind = HOME if is_home_page(link.target) else 0
            if site is here:
                section, about = round((said - usual) * SCALE), (0, INSIDE | kind, site.domain, 0)
            else:
                topic = round((said + PER_WORD * site.words + known) * SCALE)
                kind |= SISTER if site.domain == here.domain else OTHER
                section, about = 0, (topic, kind, site.domain, source)
            rows.append((site.key, family, door, *about, section, hubs))
        return np.array(rows, np.int32)

    def _weigh_parts(
        self, link: Link, address: tuple[int, ...], *, is_repeated: bool
    ) -> tuple[int, int]:
        """What the model of links, and what is known of pages of links, say of a link."""
        anchor = self._sum_up(number_anchor(link.anchor))
        path, place = self._sum_up(address), self._sum_up(number_place(link.tag_path))
        door = _BASE + anchor.door + path.door + place.door
        if is_repeated:
            door += self._link_weights[REPEATED]
        hubs = ANY_SITES + anchor.hubs + path.hubs + place.hubs
        return round(door * SCALE), round(hubs * SCALE)

    def _sum_up(self, numbers: tuple[int, ...]) -> PartWeight:
        known = self._sums.get(numbers)
        if known is None:
            door = sum(self._link_weights[number] for number in numbers)
            hubs = sum(self._hub_weights[number] for number in numbers)
            known = self._sums[numbers] = PartWeight(door, hubs)
        return known

    def _describe_site(self, site: Site) -> SiteNames:
        names = self._names.get(site)
        if names is None:
            if len(self._names) >= _MOST_SITES:
                self._names.clear()
            words = self._reader.count_words(host_of(site))
            names = SiteNames(site_key(site), domain_key(site), words)
            self._names[site] = names
        return names
