"""In-site exploring: levels, stopping criteria, queries; and what is kept and carried over."""

import pytest

from leadline.core.crawl import Candidate, CandidateId, Priority, SiteState, Skip
from leadline.core.url import Site, Url
from leadline.strategies.smart import SmartCrawler, SmartCrawlerSettings
from tests.strategies.smart.sights import learn, seen, sight_of

HERE = Site("a.test")


def smart(**changes: object) -> SmartCrawler:
    settings = {"reverse_search": False, **changes}
    return SmartCrawler(SmartCrawlerSettings.model_validate(settings))


def inner(depth: int) -> Candidate:
    return Candidate(Url("http://a.test/x"), HERE, Priority(depth - 1, 0.0), depth, CandidateId(1))


def visit(strategy: SmartCrawler, depth: int, forms: int = 0) -> None:
    learn(strategy, sight_of("http://a.test/p", depth=depth, new_forms=forms))


def test_a_site_is_explored_level_by_level() -> None:
    strategy = smart()
    sight = seen(strategy, sight_of("http://a.test/1", [("http://a.test/2", "x")], depth=1))
    (verdict,) = strategy.rank(sight)
    assert isinstance(verdict, Priority)
    assert verdict.tier == 1


def test_sc1_links_that_lead_too_deep_are_not_followed() -> None:
    strategy = smart(max_depth=1)
    sight = seen(strategy, sight_of("http://a.test/1", [("http://a.test/2", "x")], depth=1))
    assert isinstance(strategy.rank(sight)[0], Skip)


@pytest.mark.parametrize(
    ("changes", "forms"),
    [({"pages_per_depth": 3}, 1), ({"forms_per_depth": 3}, 1), ({"barren_per_depth": 3}, 0)],
)
def test_sc2_to_sc4_end_one_depth_and_not_the_next(changes: dict[str, int], forms: int) -> None:
    strategy = smart(**changes)
    learn(strategy, sight_of("http://a.test/"))
    site = SiteState(HERE)
    for _ in range(2):
        visit(strategy, 1, forms)
    assert strategy.admit(inner(1), site) is None
    visit(strategy, 1, forms)
    assert isinstance(strategy.admit(inner(1), site), Skip)
    assert strategy.admit(inner(2), site) is None


def test_sc5_a_site_is_left_after_too_many_pages_without_a_form() -> None:
    strategy = smart(barren_pages=3)
    learn(strategy, sight_of("http://a.test/"))
    visit(strategy, 1)
    last = seen(strategy, sight_of("http://a.test/p", depth=1))
    assert isinstance(strategy.rank_site(last.site, last), Skip)
    with_form = seen(strategy, sight_of("http://a.test/p", depth=1, new_forms=1))
    assert isinstance(strategy.rank_site(with_form.site, with_form), Priority)


def test_a_site_whose_counters_were_lost_goes_on_from_what_the_store_knows() -> None:
    strategy = smart(barren_pages=10)
    sight = seen(strategy, sight_of("http://a.test/p", depth=1, pages=9))
    assert isinstance(strategy.rank_site(sight.site, sight), Priority)
    later = seen(strategy, sight_of("http://a.test/p", depth=1, pages=10))
    assert isinstance(strategy.rank_site(later.site, later), Skip)
    assert isinstance(strategy.rank_site(SiteState(HERE, pages=10)), Skip)


@pytest.mark.parametrize(("rule", "taken"), [("pattern", 3), ("path", 1), ("never", 5)])
def test_links_that_differ_in_their_query_only_are_as_good_as_a_few(rule: str, taken: int) -> None:
    strategy = smart(same_query=rule)
    links = [(f"http://a.test/view?id={n}", "x") for n in range(5)]
    sight = seen(strategy, sight_of("http://a.test/", links))
    assert sum(isinstance(verdict, Priority) for verdict in strategy.rank(sight)) == taken
    learn(strategy, sight)
    more = [("http://a.test/view?id=9", "x"), ("http://a.test/view?page=search", "x")]
    later = seen(strategy, sight_of("http://a.test/1", more, depth=1))
    again, other = (isinstance(verdict, Priority) for verdict in strategy.rank(later))
    assert again == (rule == "never")
    assert other == (rule != "path")


def test_a_page_with_many_links_gives_each_directory_its_share() -> None:
    links = [(f"http://a.test/books/{n}", "x") for n in range(40)]
    links += [(f"http://a.test/search/{n}", "x") for n in range(10)]
    sight = sight_of("http://a.test/", links)
    verdicts = smart(site_pages=10).rank(seen(smart(), sight))
    taken = [
        link.target
        for link, verdict in zip(sight.links, verdicts, strict=True)
        if isinstance(verdict, Priority)
    ]
    assert sum("search" in url for url in taken) == 2
    assert len(taken) == 10
    everything = smart(site_pages=10, link_tree=False).rank(seen(smart(), sight))
    assert all(isinstance(verdict, Priority) for verdict in everything)


def test_links_like_those_that_led_to_forms_come_first() -> None:
    strategy = smart(learn_forms=2)
    for n in range(2):
        form = sight_of(f"http://a{n}.test/adv/find", depth=1, new_forms=1, anchor="advanced find")
        learn(strategy, form)
    links = [("http://b.test/about", "company"), ("http://b.test/go", "advanced find")]
    far, near = strategy.rank(seen(strategy, sight_of("http://b.test/", links)))
    assert isinstance(near, Priority)
    assert isinstance(far, Priority)
    assert near.score > far.score
    plain = smart(learn_forms=2, link_ranking=False)
    plain.restore(strategy.state())
    scores = {
        v.score
        for v in plain.rank(seen(plain, sight_of("http://b.test/", links)))
        if isinstance(v, Priority)
    }
    assert scores == {0.0}


def test_without_adaptive_learning_nothing_is_ranked_again() -> None:
    strategy = smart(adaptive_learning=False, learn_forms=1, first_sites=1)
    assert not learn(strategy, sight_of("http://a.test/", new_forms=1))
    assert not strategy.iterations


def test_what_one_crawl_learned_starts_the_next() -> None:
    strategy = smart()
    learn(strategy, sight_of("http://hotel-one.test/", new_forms=1, anchor="cheap hotel"))
    strategy.start_anew()
    assert "hotel" in {term.word for term in strategy.iterations[0].tables.site_url}
    assert strategy.iterations[0].pages == 0
    again = sight_of("http://hotel-two.test/", [("http://hotel-one.test/", "hotel one")])
    (verdict,) = strategy.rank(seen(strategy, again))
    assert isinstance(verdict, Priority)
    assert verdict.score > 0


def test_a_prior_describes_every_context() -> None:
    tables = smart(prior="hotel flight").iterations[0].tables
    for terms in (tables.site_url, tables.site_around, tables.link_path, tables.link_anchor):
        assert {term.word for term in terms} == {"hotel", "flight"}


def test_the_state_stays_small() -> None:
    strategy = smart()
    for n in range(300):
        links = [(f"http://s{n}-{m}.test/", "some words of an anchor") for m in range(10)]
        learn(strategy, sight_of(f"http://d{n}.test/", links))
    assert len(strategy.state()) < 300 * 3_000
