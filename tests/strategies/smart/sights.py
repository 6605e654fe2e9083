"""Pages as a strategy sees them, made by hand."""

from collections.abc import Sequence

import numpy as np
from msgspec import structs

from leadline.core.crawl import (
    Candidate,
    CandidateId,
    JudgedForm,
    Judgement,
    PageView,
    Priority,
    SiteState,
    Visit,
)
from leadline.core.page import Form, Link, Page
from leadline.core.url import Url, site_of
from leadline.learn.link_features import link_rows
from leadline.page.words import PageWords
from leadline.strategies.smart import SmartCrawler
from leadline.strategies.smart.site_frontier import HIGH

Anchored = tuple[str, str]
"""The URL of a link and its anchor."""


def page_of(url: str, links: Sequence[Anchored]) -> Page:
    leaves = tuple(anchor for _, anchor in links) or ("nothing",)
    found = tuple(
        Link(Url(target), anchor, at, at, "body/p", at) for at, (target, anchor) in enumerate(links)
    )
    return Page(Url(url), "", leaves, found, ())


def sight_of(
    url: str,
    links: Sequence[Anchored] = (),
    *,
    relevance: float = 1.0,
    new_forms: int = 0,
    gain: int | None = None,
    site_forms: int | None = None,
    pages: int = 1,
    depth: int = 0,
    parent: int | None = 1,
    priority: Priority | None = None,
    anchor: str = "",
    has_form: bool = False,
) -> PageView:
    """The gain is the new forms unless it is given, as where forms are the goal."""
    page = page_of(url, links)
    here = site_of(page.url)
    form = Form(page.url, page.url, "get", ())
    forms = (JudgedForm(form, "f", 1.0, 1.0),) if has_form or new_forms else ()
    came_from = None if parent is None else CandidateId(parent)
    rank = priority or Priority(HIGH, 0.0)
    return PageView(
        id=CandidateId(2),
        candidate=Candidate(page.url, here, rank, depth, came_from, anchor),
        page=page,
        judgement=Judgement(relevance, forms),
        site=SiteState(here, pages, new_forms if site_forms is None else site_forms),
        links=page.links,
        sites=tuple(site_of(link.target) for link in page.links),
        repeats=(False,) * len(page.links),
        new_forms=new_forms,
        gain=new_forms if gain is None else gain,
    )


def seen(strategy: SmartCrawler, view: PageView) -> PageView:
    """With the features the engine would add."""
    rows = link_rows(strategy.features, PageWords(view.page), view.links)
    own = strategy.own_features(view)
    return structs.replace(view, features=np.hstack([rows, own]))


def learn(strategy: SmartCrawler, view: PageView) -> bool:
    shown = seen(strategy, view)
    visit = Visit(view.id, view.page.url, view.site.site, "page", 0.0, forms=view.new_forms)
    return strategy.learn(shown, visit)
