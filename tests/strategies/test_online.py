"""What is particular to anthelion, deepdeep, disco, sb and tres."""

import math
from dataclasses import dataclass, field

import numpy as np
import pytest
from msgspec import structs

from leadline.core.crawl import (
    BacklinkQuery,
    Candidate,
    CandidateId,
    PageView,
    Priority,
    SiteState,
    Skip,
    Visit,
)
from leadline.core.url import Site, Url, site_of
from leadline.strategies import make_strategy
from leadline.strategies.anthelion import Anthelion, HostBandit
from leadline.strategies.deepdeep import DeepDeep, name_grams
from leadline.strategies.disco import BACKLINK, FORWARD, KEYWORD, OPERATORS, Disco
from leadline.strategies.online import EXPLORED, OnlineStrategy, draw_uniform, site_cell
from leadline.strategies.sb import SBClassifier, TagPathGroups, project_path
from leadline.strategies.tres import Tres
from leadline.testing.strategy_laws import add_features
from tests.strategies.smart.sights import sight_of


@dataclass
class SmallWeb:
    """Feeds a strategy with pages whose links carry their features, as a crawl does."""

    strategy: OnlineStrategy
    number: int = 1
    waiting: dict[str, Candidate] = field(default_factory=dict)

    def visit(self, url: str, links: dict[str, str], **facts: float) -> PageView:
        """`links` are tag paths or anchors by URL; `facts` are `gain`, `relevance`."""
        gain = int(facts.get("gain", 0))
        view = sight_of(
            url,
            list(links.items()),
            gain=gain,
            relevance=facts.get("relevance", 0.5),
        )
        paths = tuple(
            structs.replace(link, tag_path=text) if "/" in text else link
            for link, text in zip(view.links, links.values(), strict=True)
        )
        page = structs.replace(view.page, links=paths)
        known = self.waiting.pop(url, view.candidate)
        self.number += 1
        view = structs.replace(
            view, id=CandidateId(self.number), page=page, links=paths, candidate=known
        )
        view = add_features(self.strategy, view)
        for link, rank, row in zip(
            view.links, self.strategy.rank(view), view.features, strict=True
        ):
            assert isinstance(rank, Priority)
            self.waiting[link.target] = Candidate(
                link.target, site_of(link.target), rank, 0, view.id, link.anchor, "",
                link.tag_path, row.astype("<i4").tobytes(),
            )  # fmt: skip
        self.strategy.learn(
            view, Visit(view.id, page.url, view.site.site, "page", 0.0, reward=gain)
        )
        return view

    def score(self, url: str) -> float:
        row = np.frombuffer(self.waiting[url].features, "<i4")[None]
        return float(self.strategy.place_rows(row)[1][0])


def test_chance_is_the_same_after_a_restart_and_differs_from_ranking_to_ranking() -> None:
    cells = np.arange(1, 2_001, dtype=np.int32)
    first, again, other = (draw_uniform(cells, number) for number in (1, 1, 2))
    assert (first == again).all()
    assert abs(float(np.corrcoef(first, other)[0, 1])) < 0.1
    assert first.mean() == pytest.approx(0.5, abs=0.03)


# Anthelion


@pytest.mark.parametrize(
    ("reward", "value"),
    [("success-rate", 3 / 6), ("negative-bad", -2), ("good-best", 3), ("best-score", 1)],
)
def test_a_host_is_worth_what_the_reward_function_says(reward: str, value: float) -> None:
    bandit, host = HostBandit(), site_cell(Site("a.test"))
    for worth in (1.0, 1.0, 0.0, 0.0):
        bandit.note_page(host, worth)
    found = bandit.values(np.array([host], np.int32), reward, 1)  # type: ignore[arg-type]
    assert found.tolist() == pytest.approx([value])


def test_thompson_draws_have_the_mean_of_beta() -> None:
    bandit, host = HostBandit(), site_cell(Site("a.test"))
    for _ in range(8):
        bandit.note_page(host, 1.0)
    one = np.array([host], np.int32)
    draws = [float(bandit.values(one, "thompson", number)[0]) for number in range(500)]
    assert np.mean(draws) == pytest.approx(9 / 10, abs=0.02)
    assert np.std(draws) == pytest.approx(math.sqrt(0.09 / 11), abs=0.03)


def test_links_of_a_host_that_brought_much_come_first_and_lambda_falls() -> None:
    strategy = make_strategy("anthelion")
    assert isinstance(strategy, Anthelion)
    web = SmallWeb(strategy)
    first = strategy.explore
    web.visit("http://seed.test/", {"http://good.test/1": "one", "http://bad.test/1": "one"})
    web.visit("http://good.test/1", {"http://good.test/2": "two"}, gain=1)
    web.visit("http://bad.test/1", {"http://bad.test/2": "two"})
    assert web.score("http://good.test/2") > web.score("http://bad.test/2")
    assert strategy.explore < first
    told = strategy.explain_rank(web.waiting["http://good.test/2"])
    assert any("1 good and 0 bad pages" in name for name, _ in told)


# deep-deep


def test_q_of_an_anchor_rises_with_what_lies_one_link_further_on() -> None:
    strategy = make_strategy("deepdeep", {"temperature": 0, "copy_pages": 1})
    assert isinstance(strategy, DeepDeep)
    web = SmallWeb(strategy)
    for n in range(30):
        here = f"http://s{n}.test"
        web.visit(f"{here}/", {f"{here}/a": "catalogue", f"{here}/b": "imprint"})
        web.visit(f"http://s{n}.test/a", {f"http://s{n}.test/c": "advanced search"})
        web.visit(f"http://s{n}.test/c", {}, gain=1)
        web.visit(f"http://s{n}.test/b", {})
    anchors = {"a": "catalogue", "b": "imprint", "c": "advanced search"}
    web.visit("http://t.test/", {f"http://t.test/{name}": text for name, text in anchors.items()})
    search, catalogue, imprint = (web.score(f"http://t.test/{name}") for name in "cab")
    assert search > catalogue > imprint
    assert catalogue < 0.9 * search


def test_letters_of_an_anchor_have_names() -> None:
    assert "anchor: 'sea'" in name_grams("Search").values()


def test_hosts_are_drawn_by_softmax() -> None:
    strategy = make_strategy("deepdeep", {"temperature": 0.5, "explore": 0})
    assert isinstance(strategy, DeepDeep)
    web = SmallWeb(strategy)
    web.visit("http://seed.test/", {f"http://h{n}.test/": "same" for n in range(50)})
    first = [web.score(url) for url in web.waiting]
    strategy.schedule.number += 1
    assert first != [web.score(url) for url in web.waiting]
    assert len(set(first)) == 50


# SB-CLASSIFIER


def test_tag_paths_that_are_alike_are_one_group() -> None:
    groups = TagPathGroups(0.75)
    menu = "body/div.page/div.main/div.left/div.menu/ul.nav/ul.sub/li"
    for number, path in enumerate((menu, f"{menu}.on", "body/table/tr/td/font"), start=1):
        groups.add(number, path)
    one, two, other, unknown = groups.find(np.array([1, 2, 3, 4], np.int32)).tolist()
    assert one == two != other
    assert unknown == 0
    _, values = project_path(menu)
    assert float((values**2).sum()) == pytest.approx(1, abs=1e-6)


def test_the_index_of_a_group_is_its_mean_and_the_bonus_of_the_paper() -> None:
    strategy = make_strategy("sb")
    assert isinstance(strategy, SBClassifier)
    web = SmallWeb(strategy)
    web.visit("http://a.test/", {"http://a.test/1": "body/div/x", "http://a.test/2": "body/p/b/i"})
    web.visit("http://a.test/1", {}, gain=1)
    web.visit("http://a.test/2", {})
    found, missed, untried = strategy.score_arms(np.array([1, 2, 3], np.int32)).tolist()
    bonus = 2 * math.sqrt(2) * math.sqrt(math.log(3))
    assert (found, missed) == pytest.approx((1 + bonus, bonus), rel=1e-5)
    assert untried > 100


def test_the_group_that_led_to_a_page_of_targets_is_rewarded_for_each_of_them() -> None:
    strategy = make_strategy("sb")
    assert isinstance(strategy, SBClassifier)
    web = SmallWeb(strategy)
    web.visit("http://a.test/", {"http://a.test/list": "body/nav/list", "http://a.test/x": "td/x"})
    web.visit("http://a.test/list", {f"http://a.test/{n}": "ul/li/deep" for n in range(3)})
    for n in range(3):
        web.visit(f"http://a.test/{n}", {}, gain=1)
    web.visit("http://a.test/x", {})
    web.visit("http://b.test/", {"http://b.test/1": "body/nav/list", "http://b.test/2": "td/x"})
    told = strategy.explain_rank(web.waiting["http://b.test/1"])
    assert told[0][0] == "links like body/nav/list: 3 found by 1 followed"
    assert web.score("http://b.test/1") > web.score("http://b.test/2") + 2


def test_a_site_is_left_early_when_its_last_pages_bring_nothing() -> None:
    strategy = make_strategy("sb", {"stop_slope": 0.1})
    web = SmallWeb(strategy)  # type: ignore[arg-type]
    state = SiteState(Site("a.test"), pages=60)
    assert strategy.rank_site(state) is None
    for n in range(60):
        web.visit(f"http://a.test/{n}", {})
    assert isinstance(strategy.rank_site(state), Skip)


# TRES


def test_the_leaf_with_topic_words_in_the_anchor_comes_first_when_they_led_to_finds() -> None:
    strategy = make_strategy("tres", {"words": ("hotel",), "explore": 0})
    assert isinstance(strategy, Tres)
    web = SmallWeb(strategy)
    for n in range(40):
        here = f"http://s{n}.test"
        web.visit(f"{here}/", {f"{here}/a": "hotels", f"{here}/b": "us"})
        web.visit(f"http://s{n}.test/a", {}, gain=1)
        web.visit(f"http://s{n}.test/b", {})
    web.visit("http://t.test/", {"http://t.test/a": "hotels", "http://t.test/b": "us"})
    assert web.score("http://t.test/a") > web.score("http://t.test/b") + 0.5
    told = strategy.explain_rank(web.waiting["http://t.test/a"])
    assert "topic words in the anchor >=" in told[0][0]


def test_the_way_to_a_link_is_remembered() -> None:
    strategy = make_strategy("tres")
    assert isinstance(strategy, Tres)
    web = SmallWeb(strategy)
    web.visit("http://a.test/", {"http://a.test/1": "one"}, relevance=0.9)
    web.visit("http://a.test/1", {"http://a.test/2": "two"}, relevance=0.1)
    row = np.frombuffer(web.waiting["http://a.test/2"].features, "<i4")[None]
    numbers = strategy.describe_rows(row)[0].tolist()
    assert numbers[:3] == pytest.approx([0.1, 0.5, 1])


# DISCO


def test_operators_are_chosen_by_ucb1() -> None:
    strategy = make_strategy("disco")
    assert isinstance(strategy, Disco)
    arms = strategy._disco.arms
    for operator in (FORWARD, BACKLINK, KEYWORD, 3):
        arms[operator].pages = 10
    arms[FORWARD].gained = 5.0
    scored = strategy.score_operators()
    assert scored[0].operator == FORWARD
    assert scored[0].bound == pytest.approx(0.5 + math.sqrt(2 * math.log(41) / 10))


def test_an_operator_that_nobody_answers_sleeps() -> None:
    strategy = make_strategy("disco", {"words": ("hotel",)})
    assert isinstance(strategy, Disco)
    web = SmallWeb(strategy)
    asked, queries = set(), list[object]()
    for n in range(80):
        view = web.visit(f"http://s{n}.test/", {}, relevance=0.9)
        queries = [*strategy.extra_urls(view)]
        asked |= {bool(one.words) for one in queries if isinstance(one, BacklinkQuery)}
    assert asked == {False, True}
    assert strategy._disco.arms[BACKLINK].is_asleep
    assert strategy._disco.arms[KEYWORD].is_asleep
    assert not queries


def test_a_relevant_site_is_asked_about_once_and_its_answers_are_credited() -> None:
    strategy = make_strategy("disco")
    assert isinstance(strategy, Disco)
    web = SmallWeb(strategy)
    view = web.visit("http://a.test/", {}, relevance=0.9)
    (query,) = strategy.extra_urls(view)
    assert isinstance(query, BacklinkQuery)
    assert query.url == "http://a.test/"
    strategy.note_backlink_query(query)
    assert not any(
        isinstance(one, BacklinkQuery) and one.url == query.url for one in strategy.extra_urls(view)
    )
    hub = Url("http://hub.test/")
    (rank,) = strategy.rank_backlinks(query, [hub])
    assert isinstance(rank, Priority)
    web.waiting[hub] = Candidate(hub, site_of(hub), rank, anchor="links to http://a.test/")
    web.visit(hub, {"http://b.test/": "sister"})
    assert strategy._disco.arms[BACKLINK].pages == 2
    told = strategy.explain_rank(web.waiting["http://b.test/"])
    assert "operator related" in told[0][0]


def test_what_is_found_inside_a_site_is_credited_to_the_operator_that_named_it() -> None:
    strategy = make_strategy("disco")
    assert isinstance(strategy, Disco)
    web = SmallWeb(strategy)
    web.visit("http://a.test/", {"http://b.test/": "out"}, relevance=0.9)
    web.visit("http://b.test/", {"http://b.test/1": "in"}, relevance=0.0)
    web.visit("http://b.test/1", {}, gain=1, relevance=0.0)
    assert strategy._disco.arms[FORWARD].gained == pytest.approx(1.0)
    assert dict(strategy.describe_weights()["operators"]).keys() <= {
        f"operator: {name}" for name in OPERATORS
    }


@pytest.mark.parametrize("name", ["anthelion", "deepdeep", "tres"])
def test_a_share_of_the_links_is_tried_at_random(name: str) -> None:
    setting = {"explore": 0.5} | ({"half_pages": 0} if name == "anthelion" else {})
    strategy = make_strategy(name, setting)
    web = SmallWeb(strategy)  # type: ignore[arg-type]
    for n in range(20):
        web.visit(f"http://s{n}.test/", {f"http://h{n}.test/{k}": "link" for k in range(20)})
    tiers = []
    for number in range(20):
        strategy.schedule.number = number  # type: ignore[attr-defined]
        rows = np.array([np.frombuffer(one.features, "<i4") for one in web.waiting.values()])
        tiers.append((strategy.place_rows(rows)[0] == EXPLORED).sum())  # type: ignore[attr-defined]
    # Half of the 16 pages until the next ranking.
    assert np.mean(tiers) == pytest.approx(8, abs=2.5)
