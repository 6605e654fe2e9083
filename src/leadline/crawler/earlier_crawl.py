"""Teaches a strategy what an earlier crawl saw, so that a crawl does not begin with nothing.

`strategy.learn_from` names the store of that crawl. All strategies are taught by the same visits:
each sees them as pages of its own crawl, with the features of links that it asks for, learns as
it would have learned, and then forgets the sites and queues of that crawl
(`Strategy.start_anew`).
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from msgspec import Struct, structs

from leadline.config import Config
from leadline.config.topic_strategy import make_crawl_strategy
from leadline.core.crawl import (
    LIKELY,
    Candidate,
    CandidateId,
    FeatureRows,
    JudgedForm,
    Judgement,
    PageView,
    Priority,
    SiteState,
    Visit,
)
from leadline.core.page import Link, Page
from leadline.core.ports import Strategy
from leadline.core.secrets import mask_text
from leadline.core.store import StoreView
from leadline.core.url import Site
from leadline.crawler.decisions import PAGE, count_gain, reward_visit
from leadline.errors import ConfigError
from leadline.learn.link_features import link_rows
from leadline.page.words import PageWords
from leadline.store import has_store, open_store_view
from leadline.strategies.base import can_learn

MOST_VISITS = 20_000
"""Visits that are taught, the first of the crawl: strategies have settled long before."""


class PastVisit(Struct, frozen=True):
    """A page that the earlier crawl visited."""

    visit: Visit
    candidate: Candidate
    forms: tuple[JudgedForm, ...]


def make_taught_strategy(config: Config, name: str) -> Strategy:
    """The strategy of that name, taught if it is the one of the settings and they name an earlier
    crawl. Raises ConfigError or StoreError."""
    strategy = make_crawl_strategy(config, name)
    place = config.strategy.learn_from
    if place and name == config.strategy.name:
        learn_from_store(strategy, place, config.strategy.goal)
    return strategy


def learn_from_store(strategy: Strategy, place: str, goal: str) -> None:
    """Teach a strategy by the crawl in the store at `place`. Raises ConfigError or StoreError."""
    if not can_learn(strategy):
        return
    if not has_store(place):
        raise ConfigError(
            f"strategy.learn_from: there is no store {mask_text(place)}; give the one of an "
            "earlier crawl"
        )
    view = open_store_view(place)
    try:
        past = read_past_visits(view)
        # Features are those of the strategy that crawled; of the same one they are exact.
        keeps_features = view.load(f"strategy:{strategy.name}") is not None
    finally:
        view.close()
    if not past:
        raise ConfigError(f"strategy.learn_from: the crawl in {place} visited no page yet")
    teach_past_visits(strategy, past, goal, keeps_features=keeps_features)


def read_past_visits(store: StoreView, most: int = MOST_VISITS) -> list[PastVisit]:
    """The first pages of a crawl with the links that led there, in order."""
    forms: dict[CandidateId, list[JudgedForm]] = defaultdict(list)
    for form in store.reader.forms():
        forms[form.visit].append(form.judged)
    past: list[PastVisit] = []
    for visit in store.reader.visits():
        path = store.pages.path(visit.id, 1) if visit.outcome == PAGE else []
        if path:
            past.append(PastVisit(visit, path[-1], tuple(forms.get(visit.id, ()))))
        if len(past) >= most:
            break
    return past


def teach_past_visits(
    strategy: Strategy, past: Sequence[PastVisit], goal: str, *, keeps_features: bool = False
) -> None:
    """Let a strategy learn these visits as if they were its own, and begin anew."""
    followed: dict[CandidateId, list[PastVisit]] = defaultdict(list)
    for one in past:
        if one.candidate.parent is not None:
            followed[one.candidate.parent].append(one)
    width = strategy.features.width if strategy.features is not None else 0
    strategy.start_lessons()
    features: dict[CandidateId, Candidate] = {}
    """Candidates with the features that this strategy asks for."""
    sites: dict[Site, SiteState] = {}
    for one in past:
        own = features.get(one.visit.id, structs.replace(one.candidate, features=b""))
        site = _count_page(sites.get(own.site, SiteState(own.site)), one)
        before = sites.get(own.site, SiteState(own.site)).forms
        sites[own.site] = site
        judgement = Judgement(one.visit.relevance, one.forms)
        gain = count_gain(goal, judgement, one.visit.forms, before)
        visit = structs.replace(one.visit, reward=reward_visit(goal, judgement, gain))
        view = _show_page(strategy, one, own, site, gain, followed.get(one.visit.id, ()))
        ranks = strategy.rank(view)
        for number, child in enumerate(followed.get(one.visit.id, ())):
            made = view.features[number].astype("<i4").tobytes() if width else b""
            if keeps_features and len(child.candidate.features) == 4 * width:
                made = child.candidate.features
            rank = ranks[number] if isinstance(ranks[number], Priority) else None
            features[child.visit.id] = structs.replace(
                child.candidate, features=made, priority=rank or child.candidate.priority
            )
        if gain and strategy.path_length:
            path = _walk_back(own, features, strategy.path_length)
            view = structs.replace(view, path=path)
        strategy.learn(view, visit)
    strategy.start_anew()


def _count_page(site: SiteState, one: PastVisit) -> SiteState:
    searchable = sum(form.searchable >= LIKELY for form in one.forms)
    return structs.replace(
        site,
        pages=site.pages + 1,
        forms=site.forms + one.visit.forms,
        searchable=site.searchable + searchable,
    )


def _show_page(
    strategy: Strategy,
    one: PastVisit,
    candidate: Candidate,
    site: SiteState,
    gain: int,
    followed: Sequence[PastVisit],
) -> PageView:
    """A page with the links that were followed from it. What else it held is not in the store."""
    visit = one.visit
    links = tuple(
        Link(child.candidate.url, child.candidate.anchor, 1, 1, child.candidate.tag_path, number)
        for number, child in enumerate(followed)
    )
    leaves = (visit.title, *(link.anchor for link in links))
    view = PageView(
        id=visit.id,
        candidate=candidate,
        page=Page(visit.final_url or visit.url, visit.title, leaves, links, (), visit.language),
        judgement=Judgement(visit.relevance, one.forms),
        site=site,
        links=links,
        sites=tuple(child.candidate.site for child in followed),
        repeats=(False,) * len(links),
        new_forms=visit.forms,
        gain=gain,
    )
    spec = strategy.features
    if spec is None:
        return view
    rows = [_make_row(strategy, child.candidate, visit.language) for child in followed]
    features = np.vstack(rows) if rows else np.zeros((0, spec.words), np.int32)
    view = structs.replace(view, features=features)
    if spec.own:
        own = strategy.own_features(view)
        view = structs.replace(view, features=np.hstack([features, own]))
    return view


def _make_row(strategy: Strategy, candidate: Candidate, language: str) -> FeatureRows:
    """The words of one link as features. A store keeps the words around a link without their
    places: they count as those of the leaf before it and of the leaf after it."""
    if strategy.features is None:
        return np.zeros((1, 0), np.int32)
    before, _, after = candidate.around.partition("\t")
    link = Link(candidate.url, candidate.anchor, 1, 1, candidate.tag_path, 0)
    page = Page(candidate.url, "", (before, candidate.anchor, after), (link,), (), language)
    return link_rows(strategy.features, PageWords(page), (link,))


def _walk_back(
    own: Candidate, features: dict[CandidateId, Candidate], length: int
) -> tuple[Candidate, ...]:
    """The candidates that were followed to a page, its own first."""
    path = [own]
    while len(path) < length:
        parent = path[-1].parent
        if parent is None or parent not in features:
            break
        path.append(features[parent])
    return tuple(path)
