"""One set of stopping criteria for all strategies."""

from leadline.core.crawl import SiteState, Skip
from leadline.core.url import Site
from leadline_lab.experiments.lab_web import open_lab_world
from leadline_lab.experiments.trial import BIASED, COMMON, Contender, Trial, make_contender

WORLD, _ = open_lab_world("small", 1)


def test_a_manner_is_told_apart_from_a_name() -> None:
    assert (Contender("common:scdi").kind, Contender("common:scdi").manner) == ("scdi", COMMON)
    assert Contender("biased:ffc").manner == BIASED
    assert Contender("biased:ffc").is_trained
    assert (Contender("oracle:greedy").kind, Contender("oracle:greedy").manner) == (
        "oracle:greedy",
        "",
    )


def test_every_strategy_leaves_sites_by_the_common_criteria() -> None:
    for name in ("apprentice", "scdi", "smartcrawler"):
        strategy = make_contender(
            Trial(Contender(f"common:{name}"), "small", 1, "book", 100), WORLD.truth
        )
        assert strategy.name == name
        enough = SiteState(Site("a.test"), pages=7, forms=5)
        assert strategy.rank_site(enough) == Skip("5 distinct forms found")
        many = SiteState(Site("a.test"), pages=100)
        assert isinstance(strategy.rank_site(many), Skip)
        barren = SiteState(Site("a.test"), pages=99)
        assert not isinstance(strategy.rank_site(barren), Skip)


def test_own_criteria_stay_where_nothing_else_is_asked_for() -> None:
    barren = SiteState(Site("a.test"), pages=40)
    strategy = make_contender(Trial(Contender("scdi"), "small", 1, "book", 100), WORLD.truth)
    assert isinstance(strategy.rank_site(barren), Skip)
