"""Site locating: which sites wait, in which queue, ranked how."""

import numpy as np
import pytest

from leadline.core.crawl import BacklinkQuery, ExtraUrl, Priority, Skip
from leadline.core.url import Site, Url
from leadline.strategies import make_strategy
from leadline.strategies.smart import (
    SCDI,
    Sitewise,
    SitewiseSettings,
    SmartCrawler,
    SmartCrawlerSettings,
)
from leadline.strategies.smart.memory import BACKLINK
from leadline.strategies.smart.settings import SCDISettings
from leadline.strategies.smart.site_frontier import HIGH, LOW, PAUSE_PAGES, site_key
from tests.strategies.smart.sights import learn, seen, sight_of

OUT = [("http://b.test/deep/page", "cheap hotels"), ("http://c.test/", "rooms")]


def smart(**changes: object) -> SmartCrawler:
    return SmartCrawler(SmartCrawlerSettings.model_validate(changes))


def wishes_of(strategy: SmartCrawler, sight_links: object = OUT, **how: object) -> list[ExtraUrl]:
    sight = seen(strategy, sight_of("http://a.test/", sight_links, **how))  # type: ignore[arg-type]
    return [extra for extra in strategy.extra_urls(sight) if isinstance(extra, ExtraUrl)]


def test_a_site_is_entered_at_its_home_page() -> None:
    strategy = smart()
    sight = seen(strategy, sight_of("http://a.test/", OUT))
    deep, home = strategy.rank(sight)
    assert isinstance(deep, Skip)
    assert isinstance(home, Priority)
    extra = wishes_of(strategy)[0]
    assert (extra.url, extra.link) == ("http://b.test/", 0)
    assert len(wishes_of(strategy)) == 1


@pytest.mark.parametrize(
    ("relevance", "forms", "tier"), [(1.0, 1, HIGH), (1.0, 0, LOW), (0.0, 0, None)]
)
def test_the_source_decides_the_queue(relevance: float, forms: int, tier: int | None) -> None:
    extra_urls = wishes_of(smart(), relevance=relevance, site_forms=forms)
    assert [extra.priority.tier for extra in extra_urls] == ([] if tier is None else [tier])


def test_by_indentation_only_irrelevant_sites_feed_the_low_queue() -> None:
    strategy = smart(low_queue="irrelevant")
    assert not wishes_of(strategy)
    assert wishes_of(strategy, relevance=0.0)[0].priority.tier == LOW


def test_without_prioritising_there_is_one_queue() -> None:
    assert wishes_of(smart(prioritising=False))[0].priority.tier == HIGH


def test_when_the_high_queue_is_empty_all_of_low_moves_up() -> None:
    strategy = smart(reverse_search=False)
    links = [(f"http://s{n}.test/", "x") for n in range(3)]
    assert not learn(strategy, sight_of("http://a.test/", links, parent=None))
    sight = seen(strategy, sight_of("http://a.test/", links))
    taken = sight_of("http://s0.test/", relevance=0.0, priority=Priority(LOW, 0.0))
    assert learn(strategy, taken)
    tiers, scores = np.full(3, LOW, np.int32), np.zeros(3, np.float32)
    strategy.rescore(tiers, scores, sight.features)
    assert tiers.tolist() == [HIGH] * 3


def test_sites_rise_when_the_site_that_named_them_brings_a_form() -> None:
    strategy = smart(reverse_search=False, first_sites=1)
    links = [("http://b.test/", "x")]
    learn(strategy, sight_of("http://a.test/", links))
    found = sight_of("http://a.test/f", depth=1, new_forms=1, pages=2)
    assert learn(strategy, found)
    tiers, scores = np.full(1, LOW, np.int32), np.zeros(1, np.float32)
    strategy.rescore(tiers, scores, seen(strategy, sight_of("http://a.test/", links)).features)
    assert tiers.tolist() == [HIGH]


def test_sites_like_known_deep_sites_come_first() -> None:
    strategy = smart(first_sites=2, reverse_search=False)
    names = [f"http://best-hotel{n}.test/" for n in range(2)]
    deep = [sight_of(name, new_forms=1, anchor="hotel suites") for name in names]
    assert [learn(strategy, sight) for sight in deep] == [False, True]
    assert [term.word for term in strategy.iterations[0].tables.site_anchor] == ["hotel", "suites"]
    links = [("http://grandhotel.test/", "suites"), ("http://cars.test/", "used cars")]
    near, far = strategy.rank(seen(strategy, sight_of("http://z.test/", links)))
    assert isinstance(near, Priority)
    assert isinstance(far, Priority)
    assert near.score > far.score


def test_a_page_that_counts_teaches_though_it_has_no_form() -> None:
    strategy = smart(first_sites=1, reverse_search=False)
    assert learn(strategy, sight_of("http://guide.test/", gain=1, anchor="hotel guide"))
    (learned,) = strategy.iterations
    assert [term.word for term in learned.tables.site_anchor] == ["guide", "hotel"]
    links = [("http://b.test/", "x")]
    more = sight_of("http://guide.test/p", links, depth=1, gain=1)
    (rank,) = strategy.rank(seen(strategy, more))
    assert isinstance(rank, Priority)
    assert rank.tier == HIGH


def test_a_form_that_does_not_count_teaches_nothing() -> None:
    strategy = smart(first_sites=1, reverse_search=False)
    learn(strategy, sight_of("http://a.test/", new_forms=1))
    inner = sight_of("http://a.test/find", depth=1, new_forms=1, gain=0, anchor="advanced find")
    learn(strategy, inner)
    assert not strategy.lessons.link_anchor.counts


def test_sitewise_ranks_all_sites_in_one_queue() -> None:
    sitewise = Sitewise(SitewiseSettings())
    for forms in (0, 1):
        (extra,) = wishes_of(sitewise, site_forms=forms)
        assert extra.priority.tier == HIGH
    assert wishes_of(sitewise, site_forms=1)[0].priority.score > 0
    parts = SitewiseSettings().model_dump()
    assert {**parts, "prioritising": True} == SmartCrawlerSettings().model_dump()


def test_sites_that_many_deep_sites_link_to_come_first() -> None:
    strategy = smart(first_sites=3, reverse_search=False)
    popular, other = ("http://popular.test/", "x"), ("http://other.test/", "x")
    for n, links in enumerate(([popular, other], [popular], [popular])):
        learn(strategy, sight_of(f"http://d{n}.test/", links, new_forms=1))
    tiers, scores = np.full(2, HIGH, np.int32), np.zeros(2, np.float32)
    rows = seen(strategy, sight_of("http://z.test/", [popular, other])).features
    strategy.rescore(tiers, scores, rows)
    assert scores[0] > scores[1]


def test_other_sites_count_nothing_in_the_literal_reading() -> None:
    literal = smart(other_weight=0.0)
    assert wishes_of(literal)[0].priority.score == 0.0
    assert wishes_of(smart())[0].priority.score > 0.0


def test_scdi_takes_sites_as_they_come() -> None:
    scdi = SCDI(SCDISettings())
    assert [extra.priority for extra in wishes_of(scdi, site_forms=0)] == [
        Priority(HIGH, 0.0, "first come")
    ]
    assert scdi.settings.barren_pages == SmartCrawlerSettings().barren_pages


def test_a_visited_site_waits_no_more() -> None:
    strategy = smart(reverse_search=False)
    learn(strategy, sight_of("http://a.test/", OUT))
    learn(strategy, sight_of("http://b.test/"))
    assert not wishes_of(strategy)
    home = sight_of("http://b.test/").candidate
    assert isinstance(strategy.admit(home, sight_of("http://b.test/").site), Skip)


def test_sites_that_should_have_come_before_are_taken_to_be_gone() -> None:
    strategy = smart(reverse_search=False, site_ranking=False)
    links = [(f"http://s{n}.test/", "x") for n in range(60)]
    learn(strategy, sight_of("http://a.test/", links[:50], site_forms=1))
    for n in range(300):
        learn(strategy, sight_of(f"http://a.test/{n}", depth=1, pages=2))
    learn(strategy, sight_of("http://a.test/z", links[50:], depth=1, pages=2, site_forms=1))
    learn(strategy, sight_of("http://s59.test/"))
    for n in range(9):
        learn(strategy, sight_of(f"http://a.test/y{n}", depth=1, pages=2))
    # The fifty of the first page should have been visited before the last of the second.
    assert strategy.queue_sizes[-1].high == 9


def test_the_home_page_decides_whether_a_site_is_explored() -> None:
    strategy = smart(reverse_search=False)
    off = seen(strategy, sight_of("http://a.test/", [("http://a.test/1", "x")], relevance=0.1))
    assert isinstance(strategy.rank_site(off.site, off), Skip)
    assert all(isinstance(verdict, Skip) for verdict in strategy.rank(off))
    with_form = seen(strategy, sight_of("http://a.test/", relevance=0.1, has_form=True))
    assert isinstance(strategy.rank_site(with_form.site, with_form), Priority)


def test_known_deep_sites_are_asked_about_when_few_sites_wait() -> None:
    strategy = smart()
    first = seen(strategy, sight_of("http://a.test/", parent=None))
    questions = [extra for extra in strategy.extra_urls(first) if isinstance(extra, BacklinkQuery)]
    assert [question.url for question in questions] == ["http://a.test/"]
    learn(strategy, first)
    again = seen(strategy, sight_of("http://a.test/1", depth=1))
    assert strategy.extra_urls(again) == [questions[0]._replace(pages=1)]
    strategy.note_backlink_query(questions[0])
    assert not strategy.extra_urls(again)
    assert not smart(low_water=0).extra_urls(first)
    assert not smart(reverse_search=False).extra_urls(first)


def test_a_question_counts_once_though_several_tell_of_it() -> None:
    strategy = smart()
    for name in ("a", "b"):
        learn(strategy, sight_of(f"http://{name}.test/", parent=None))
    strategy.note_backlink_query(BacklinkQuery(Url("http://a.test/"), pages=1))
    for number in range(PAUSE_PAGES):
        inside = sight_of(f"http://a.test/{number}", depth=1)
        assert not strategy.extra_urls(seen(strategy, inside))
        learn(strategy, inside)
        strategy.note_backlink_query(BacklinkQuery(Url("http://a.test/"), pages=number))
    (next_one,) = strategy.extra_urls(seen(strategy, sight_of("http://a.test/x", depth=1)))
    assert isinstance(next_one, BacklinkQuery)
    assert next_one.url == "http://b.test/"


def test_an_answer_is_fetched_at_once_but_not_from_the_site_asked_about() -> None:
    strategy = smart()
    question = BacklinkQuery(Url("http://a.test/"))
    found = [Url("http://hub.test/links"), Url("http://a.test/about")]
    wanted, own = strategy.rank_backlinks(question, found)
    assert wanted == BACKLINK
    assert isinstance(own, Skip)


def test_only_center_pages_give_their_sites_to_the_high_queue() -> None:
    strategy = smart(center_sites=1)
    for name in ("a", "b"):
        learn(strategy, sight_of(f"http://{name}.test/", parent=None))
    links = [("http://a.test/", "one"), ("http://b.test/x", "two"), ("http://new.test/", "new")]
    how = {"parent": None, "priority": BACKLINK, "relevance": 0.0}
    center = seen(strategy, sight_of("http://hub.test/links", links, **how))  # type: ignore[arg-type]
    assert strategy.rank_site(center.site, center) is None
    verdict = strategy.rank(center)[2]
    assert isinstance(verdict, Priority)
    assert verdict.tier == HIGH
    learn(strategy, center)
    assert strategy.reverse.centers == 1
    other = seen(strategy, sight_of("http://hub2.test/", links[1:], **how))  # type: ignore[arg-type]
    assert all(isinstance(verdict, Skip) for verdict in strategy.rank(other))


def test_the_site_of_an_answer_with_a_form_is_wanted_too() -> None:
    strategy = smart()
    answer = sight_of("http://hub.test/x", parent=None, priority=BACKLINK, has_form=True)
    extra_urls = strategy.extra_urls(seen(strategy, answer))
    assert [extra.url for extra in extra_urls] == ["http://hub.test/"]


def test_reasons_name_the_words_that_make_a_site_like_others() -> None:
    strategy = smart(prior="hotel", reverse_search=False)
    sight = seen(strategy, sight_of("http://a.test/", [("http://inn.test/", "hotel")]))
    (priority,) = strategy.rank(sight)
    assert isinstance(priority, Priority)
    waiting = sight_of("http://inn.test/", anchor="hotel").candidate
    candidate = type(waiting)(
        waiting.url,
        Site("inn.test"),
        priority,
        0,
        waiting.parent,
        features=sight.features.tobytes(),
    )
    learn(strategy, sight)
    reasons = strategy.explain_rank(candidate)
    assert "anchor: hotel" in dict(reasons)
    assert sum(value for _, value in reasons) == pytest.approx(priority.score, rel=1e-4)


def test_both_are_registered() -> None:
    assert make_strategy("smartcrawler").name == "smartcrawler"
    assert make_strategy("scdi").name == "scdi"
    assert site_key(Site("a.test")) != 0
