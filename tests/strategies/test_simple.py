"""What each of the simple strategies does."""

import pytest
from pydantic import ValidationError

from leadline.core.crawl import (
    Candidate,
    CandidateId,
    Judgement,
    PageView,
    Priority,
    SiteState,
    Skip,
)
from leadline.core.page import Link, Page
from leadline.core.url import Site, Url, site_of
from leadline.strategies import make_strategy

HERE = Site("a.test")


def view(*, relevance: float = 0.9, depth: int = 0, parent: int | None = 1) -> PageView:
    urls = [Url("http://a.test/1"), Url("http://b.test/2")]
    links = tuple(Link(url, "x", 0, 0, "body", n) for n, url in enumerate(urls))
    home = Url("http://a.test/")
    return PageView(
        id=CandidateId(2),
        candidate=Candidate(
            home, HERE, Priority(0, 1.0), depth, None if parent is None else CandidateId(parent)
        ),
        page=Page(home, "", ("x",), links, ()),
        judgement=Judgement(relevance),
        site=SiteState(HERE, pages=1),
        links=links,
        sites=tuple(site_of(url) for url in urls),
        repeats=(False, False),
    )


def test_baseline_ranks_links_by_the_relevance_of_their_page() -> None:
    verdicts = make_strategy("baseline").rank(view(relevance=0.8))
    assert [v.score for v in verdicts if isinstance(v, Priority)] == [0.8, 0.8]


def test_baseline_does_not_follow_links_of_off_topic_pages_except_seeds() -> None:
    strategy = make_strategy("baseline")
    assert all(isinstance(v, Skip) for v in strategy.rank(view(relevance=0.1)))
    assert all(isinstance(v, Priority) for v in strategy.rank(view(relevance=0.1, parent=None)))


def test_baseline_sc_leaves_a_site_after_enough_forms_or_pages() -> None:
    strategy = make_strategy("baseline_sc", {"max_forms": 2, "max_pages": 10})
    assert strategy.rank_site(SiteState(HERE, pages=9, forms=1)) is None
    assert isinstance(strategy.rank_site(SiteState(HERE, pages=9, forms=2)), Skip)
    assert isinstance(strategy.rank_site(SiteState(HERE, pages=10)), Skip)


def test_fixed_depth_stops_at_its_depth_but_enters_other_sites() -> None:
    inner, outer = make_strategy("fixed_depth").rank(view(depth=3))
    assert isinstance(inner, Skip)
    assert isinstance(outer, Priority)
    inner, _ = make_strategy("fixed_depth", {"depth": 4}).rank(view(depth=3))
    assert isinstance(inner, Priority)


def test_fixed_depth_does_not_follow_links_of_off_topic_pages_unless_told_to() -> None:
    off_topic = view(relevance=0.1)
    assert all(isinstance(v, Skip) for v in make_strategy("fixed_depth").rank(off_topic))
    all_sites = make_strategy("fixed_depth", {"threshold": 0})
    assert all(isinstance(v, Priority) for v in all_sites.rank(off_topic))


def test_random_order_depends_on_the_seed_alone() -> None:
    one, again, other = (make_strategy("random", {"seed": n}).rank(view()) for n in (1, 1, 2))
    assert one == again
    assert one != other


def test_a_strategy_refuses_settings_it_does_not_know() -> None:
    with pytest.raises(ValidationError):
        make_strategy("baseline", {"treshold": 0.4})
