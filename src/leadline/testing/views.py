"""Made-up views of pages, to show to strategies."""

from collections.abc import Sequence
from random import Random

import numpy as np
from msgspec import structs

from leadline.core.crawl import (
    Candidate,
    CandidateId,
    Judgement,
    PageView,
    Priority,
    SiteState,
    Visit,
)
from leadline.core.page import Link, Page
from leadline.core.ports import Strategy
from leadline.core.url import Site, Url, site_of
from leadline.learn.link_features import link_rows
from leadline.page.words import PageWords
from leadline.testing.laws import must

WORDS = tuple("search books cheap hotel flights home about jobs".split())
HOSTS = ("a.test", "b.test")
_MOST_LEAVES = 12


def sight_of(
    leaves: Sequence[str], hosts: Sequence[str], relevance: float, number: int = 1, **counts: int
) -> PageView:
    """Of a page with these texts, the first of which are links to these hosts. `counts` are
    `depth`, `pages` and `forms` of the site, `new_forms` and `gain`."""
    links = tuple(
        Link(Url(f"http://{host}/{leaf}/{n}"), leaf, n, n, "body/p", n)
        for n, (host, leaf) in enumerate(zip(hosts, leaves, strict=False))
    )
    url, site = Url("http://a.test/"), Site("a.test")
    return PageView(
        id=CandidateId(number),
        candidate=Candidate(url, site, Priority(0, 1.0), counts.get("depth", 0), CandidateId(1)),
        page=Page(url, "t", tuple(leaves), links, ()),
        judgement=Judgement(relevance),
        site=SiteState(site, pages=counts.get("pages", 1), forms=counts.get("forms", 0)),
        links=links,
        sites=tuple(site_of(link.target) for link in links),
        repeats=(False,) * len(links),
        new_forms=counts.get("new_forms", 0),
        gain=counts.get("gain", 0),
    )


def some_sight(chance: Random) -> PageView:
    """One of very many."""
    leaves = chance.choices(WORDS, k=chance.randint(1, _MOST_LEAVES))
    return sight_of(
        leaves,
        chance.choices(HOSTS, k=chance.randint(0, len(leaves))),
        chance.choice((0.0, 1.0, chance.random())),
        chance.randint(1, 10**9),
        depth=chance.randint(0, 6),
        pages=chance.randint(1, 200),
        forms=chance.randint(0, 9),
        new_forms=chance.randint(0, 2),
        gain=chance.randint(0, 2),
    )


def seen_by(strategy: Strategy, view: PageView) -> PageView:
    """The view with the features that the strategy asks for."""
    if strategy.features is None:
        return view
    rows = link_rows(strategy.features, PageWords(view.page), view.links)
    seen = structs.replace(view, features=rows)
    if not strategy.features.own:
        return seen
    own = strategy.own_features(seen)
    wanted = (len(view.links), strategy.features.own)
    must(own.shape == wanted, f"own_features has the shape {wanted}", f"it is {own.shape}")
    return structs.replace(seen, features=np.hstack([rows, own]))


def visit_of(view: PageView) -> Visit:
    """The visit that brought it."""
    return Visit(view.id, view.page.url, view.site.site, "page", 0.0, reward=float(view.gain))
