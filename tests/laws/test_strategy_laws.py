"""Laws every strategy obeys. A new strategy is tested by being in STRATEGIES."""

import json
import pickle

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from leadline.core.crawl import (
    Candidate,
    CandidateId,
    Judgement,
    Priority,
    Question,
    Sight,
    SiteState,
    Skip,
    Visit,
)
from leadline.core.learned import Learned
from leadline.core.page import Link, Page
from leadline.core.ports import Strategy
from leadline.core.url import Site, Url, site_of
from leadline.learn.features import link_rows
from leadline.page.words import PageWords
from leadline.strategies import STRATEGIES, make_strategy

each_strategy = pytest.mark.parametrize("name", sorted(STRATEGIES))
words = st.sampled_from("search books cheap hotel flights home about jobs".split())


@st.composite
def sights(draw: st.DrawFn) -> Sight:
    leaves = tuple(draw(st.lists(words, min_size=1, max_size=12)))
    count = draw(st.integers(0, len(leaves)))
    hosts = draw(st.lists(st.sampled_from(["a.test", "b.test"]), min_size=count, max_size=count))
    links = tuple(
        Link(Url(f"http://{host}/{leaf}/{n}"), leaf, n, n, "body/p", n)
        for n, (host, leaf) in enumerate(zip(hosts, leaves, strict=False))
    )
    url = Url("http://a.test/")
    relevance = draw(st.floats(0, 1))
    depth = draw(st.integers(0, 6))
    return Sight(
        id=CandidateId(draw(st.integers(1, 10**9))),
        candidate=Candidate(url, Site("a.test"), Priority(0, 1.0), depth, CandidateId(1)),
        page=Page(url, "t", leaves, links, ()),
        judgement=Judgement(relevance),
        site=SiteState(
            Site("a.test"), pages=draw(st.integers(1, 200)), forms=draw(st.integers(0, 9))
        ),
        links=links,
        sites=tuple(site_of(link.target) for link in links),
        repeats=(False,) * len(links),
        new_forms=draw(st.integers(0, 2)),
        gain=draw(st.integers(0, 2)),
    )


def seen_by(strategy: Strategy, sight: Sight) -> Sight:
    if strategy.features is None:
        return sight
    rows = link_rows(strategy.features, PageWords(sight.page), sight.links)
    seen = structs.replace(sight, features=rows)
    if not strategy.features.own:
        return seen
    own = strategy.own_features(seen)
    assert own.shape == (len(sight.links), strategy.features.own)
    return structs.replace(seen, features=np.hstack([rows, own]))


def visit_of(sight: Sight) -> Visit:
    return Visit(sight.id, sight.page.url, sight.site.site, "page", 0.0, reward=float(sight.gain))


@each_strategy
@given(sight=sights())
def test_gives_one_verdict_per_link(name: str, sight: Sight) -> None:
    strategy = make_strategy(name)
    verdicts = strategy.rank(seen_by(strategy, sight))
    assert len(verdicts) == len(sight.links)
    for verdict in verdicts:
        assert verdict.why
        if isinstance(verdict, Priority):
            assert 0 <= verdict.tier < 65536
            assert np.isfinite(verdict.score)


@each_strategy
@given(sight=sights())
def test_ranking_does_not_teach(name: str, sight: Sight) -> None:
    strategy = make_strategy(name)
    before = strategy.state()
    seen = seen_by(strategy, sight)
    first, wished = list(strategy.rank(seen)), list(strategy.wishes(seen))
    assert list(strategy.rank(seen_by(strategy, sight))) == first
    assert list(strategy.wishes(seen)) == wished
    strategy.rank_site(sight.site, seen)
    strategy.rank_site(sight.site)
    strategy.admit(sight.candidate, sight.site)
    strategy.reasons(sight.candidate)
    assert strategy.state() == before


@each_strategy
@given(sight=sights(), found=st.lists(st.sampled_from(["http://c.test/", "http://d.test/x"])))
def test_gives_one_verdict_per_page_that_links_there(
    name: str, sight: Sight, found: list[str]
) -> None:
    strategy = make_strategy(name)
    strategy.learn(seen_by(strategy, sight), visit_of(sight))
    verdicts = strategy.rank_answer(Question(sight.page.url), [Url(url) for url in found])
    assert len(verdicts) == len(found)
    assert all(verdict.why for verdict in verdicts)


@each_strategy
@given(lessons=st.lists(sights(), max_size=5), sight=sights())
def test_what_was_learned_survives(name: str, lessons: list[Sight], sight: Sight) -> None:
    strategy = make_strategy(name)
    for lesson in lessons:
        strategy.learn(seen_by(strategy, lesson), visit_of(lesson))
    heir = make_strategy(name)
    heir.restore(strategy.state())
    clone = pickle.loads(pickle.dumps(strategy))
    seen = seen_by(strategy, sight)
    expected = list(strategy.rank(seen))
    for other in (heir, clone):
        assert list(other.rank(seen_by(other, sight))) == expected
        assert list(other.wishes(seen)) == list(strategy.wishes(seen))
        assert other.rank_site(sight.site, seen) == strategy.rank_site(sight.site, seen)
        assert other.admit(sight.candidate, sight.site) == strategy.admit(
            sight.candidate, sight.site
        )
        assert other.reasons(sight.candidate) == strategy.reasons(sight.candidate)


@each_strategy
@given(lessons=st.lists(sights(), min_size=1, max_size=5))
def test_waiting_links_are_ranked_again_within_bounds(name: str, lessons: list[Sight]) -> None:
    strategy = make_strategy(name)
    if strategy.features is None:
        return
    rows = []
    for lesson in lessons:
        seen = seen_by(strategy, lesson)
        strategy.learn(seen, visit_of(lesson))
        rows.append(seen.features)
    features = np.concatenate(rows)
    tiers, scores = np.zeros(len(features), np.int32), np.zeros(len(features), np.float32)
    strategy.rescore(tiers, scores, features)
    assert ((tiers >= 0) & (tiers < 65536)).all()
    assert np.isfinite(scores).all()


@each_strategy
@given(lessons=st.lists(sights(), max_size=5))
def test_what_was_learned_is_told_in_one_shape(name: str, lessons: list[Sight]) -> None:
    strategy = make_strategy(name)
    for lesson in lessons:
        strategy.learn(seen_by(strategy, lesson), visit_of(lesson))
    said = strategy.learned()
    assert json.loads(json.dumps(said)) == said
    learned = msgspec.convert(said, Learned)
    assert learned.notes or (learned.iterations and learned.weights)
    assert [each.number for each in learned.iterations] == [*range(1, len(learned.iterations) + 1)]
    for model in learned.weights.values():
        sizes = [abs(weight) for _, weight in model]
        assert sizes == sorted(sizes, reverse=True)
    heir = make_strategy(name)
    heir.restore(strategy.state())
    assert heir.learned() == said


@each_strategy
def test_a_site_is_left_only_with_a_reason(name: str) -> None:
    verdict = make_strategy(name).rank_site(SiteState(Site("a.test"), pages=10**6, forms=10**6))
    assert not isinstance(verdict, Skip) or verdict.why
