"""The apprentice: what it learns from, and how it ranks."""

from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from leadline.config import load_config
from leadline.config.topic_strategy import make_crawl_strategy
from leadline.core.crawl import (
    Candidate,
    CandidateId,
    Judgement,
    PageView,
    Priority,
    SiteState,
    Skip,
    Visit,
)
from leadline.core.url import Site, Url, site_of
from leadline.errors import ConfigError
from leadline.learn.link_features import link_rows
from leadline.page import parse_page
from leadline.page.words import PageWords, words_around
from leadline.strategies.apprentice import Apprentice, write_apprentice
from leadline.strategies.apprentice_features import ApprenticeSettings, WaitingPairs

HERE = Site("a.test")
HTML = (
    "<html lang=en><p>lodging <a href=/hotel/{n}>hotel booking</a> nightly</p>"
    "<p>sports <a href=/news/{n}>football results</a> weekly</p>"
)
SMALL = {"batch_pages": 4, "least_examples": 2}


def apprentice(**settings: object) -> Apprentice:
    return Apprentice(ApprenticeSettings.model_validate({**SMALL, **settings}))


def seen(
    strategy: Apprentice,
    number: int = 0,
    relevance: float = 0.9,
    candidate: Candidate | None = None,
) -> PageView:
    url = Url(f"http://a.test/{number}")
    page = parse_page(HTML.format(n=number).encode(), url)
    found = candidate or Candidate(url, HERE, Priority(1, 0.5), parent=CandidateId(1))
    view = PageView(
        id=CandidateId(number + 2),
        candidate=found,
        page=page,
        judgement=Judgement(relevance),
        site=SiteState(HERE, pages=1),
        links=page.links,
        sites=tuple(site_of(link.target) for link in page.links),
        repeats=(False,) * len(page.links),
        features=link_rows(strategy.features, PageWords(page), page.links),
    )
    if strategy.features.own:
        own = strategy.own_features(view)
        view = structs.replace(view, features=np.hstack([view.features, own]))
    return view


def candidates(view: PageView) -> list[Candidate]:
    return [
        Candidate(
            link.target,
            HERE,
            Priority(1, 0.5, "its words"),
            parent=view.id,
            anchor=link.anchor,
            around="\t".join(" ".join(part) for part in words_around(view.page, link)),
            features=view.features[at].tobytes(),
        )
        for at, link in enumerate(view.links)
    ]


def visit(view: PageView, reward: float = 0.0) -> Visit:
    return Visit(
        view.id,
        view.candidate.url,
        HERE,
        "page",
        0.0,
        relevance=view.judgement.relevance,
        reward=reward,
    )


def follow(strategy: Apprentice, pages: int = 8) -> list[bool]:
    """Hotel links lead to relevant pages and news links do not; what `learn` said each time."""
    said = []
    for number in range(pages // 2):
        for relevance, link in zip((0.9, 0.1), candidates(seen(strategy, number)), strict=True):
            view = seen(strategy, 100 + number, relevance, link)
            said.append(strategy.learn(view, visit(view, reward=relevance)))
    return said


def scores(strategy: Apprentice, relevance: float = 0.9) -> list[float]:
    verdicts = strategy.rank(seen(strategy, 50, relevance))
    assert all(isinstance(verdict, Priority) for verdict in verdicts)
    return [verdict.score for verdict in verdicts if isinstance(verdict, Priority)]


def test_before_the_first_lesson_links_rank_by_their_page() -> None:
    assert scores(apprentice(), relevance=0.75) == [0.75, 0.75]


def test_after_a_lesson_links_rank_by_their_words() -> None:
    strategy = apprentice()
    follow(strategy)
    hotel, news = scores(strategy)
    assert hotel > 0 > news


def test_lessons_come_by_batches_and_rank_the_frontier_again() -> None:
    strategy = apprentice()
    assert follow(strategy) == [False, False, False, True] * 2
    features = seen(strategy).features
    tiers, waiting = np.array([1, 1], np.int32), np.zeros(2, np.float32)
    strategy.rescore(tiers, waiting, features)
    assert waiting.tolist() == pytest.approx(scores(strategy))


def test_batches_grow_with_the_crawl() -> None:
    strategy = apprentice()
    lessons = np.flatnonzero(follow(strategy, 240)) + 1
    gaps = np.diff(lessons).tolist()
    assert gaps == sorted(gaps)
    assert gaps[0] == 4
    assert 5 < gaps[-1] <= 12


def test_seeds_stay_before_all_links() -> None:
    strategy = apprentice()
    follow(strategy)
    tiers, waiting = np.array([0, 1], np.int32), np.array([1.0, 1.0], np.float32)
    strategy.rescore(tiers, waiting, seen(strategy).features)
    assert tiers.tolist() == [0, 1]
    assert waiting[0] == 1.0
    assert waiting[1] != 1.0


def test_it_waits_for_examples_of_both_classes() -> None:
    strategy = apprentice(least_examples=20)
    assert not any(follow(strategy))
    assert scores(strategy, relevance=0.75) == [0.75, 0.75]


def test_links_of_off_topic_pages_are_followed_only_without_a_threshold() -> None:
    assert all(isinstance(v, Skip) for v in apprentice().rank(seen(apprentice(), relevance=0.2)))
    assert scores(apprentice(threshold=0), relevance=0.2) == [0.2, 0.2]


def test_a_seed_teaches_nothing_about_links() -> None:
    strategy = apprentice(batch_pages=1, least_examples=1)
    seed = Candidate(Url("http://a.test/"), HERE, Priority(0, 1.0))
    strategy.learn(seen(strategy, candidate=seed), visit(seen(strategy, candidate=seed)))
    assert strategy.learner.bayes.links.tolist() == [0, 0]


def test_a_bag_of_words_cannot_tell_neighbours_apart_and_offsets_can() -> None:
    for is_bag in (False, True):
        strategy = apprentice(bag_of_words=is_bag)
        follow(strategy)
        hotel, news = scores(strategy)
        assert (hotel == pytest.approx(news)) is is_bag


def test_watching_learns_and_ranks_as_baseline() -> None:
    strategy = apprentice(mode="watching")
    assert not any(follow(strategy))
    assert strategy.learner.odds is not None
    assert scores(strategy, relevance=0.75) == [0.75, 0.75]


def test_the_reward_teaches_where_it_is_asked_for() -> None:
    strategy = apprentice(learns_from="reward")
    for at, link in enumerate(candidates(seen(strategy)) * 2):
        view = seen(strategy, 10 + at, 0.9, link)
        strategy.learn(view, visit(view, reward=float(at % 2)))
    hotel, news = scores(strategy)
    assert news > hotel


def test_halves_of_equal_size_part_labels_that_are_all_high() -> None:
    strategy = apprentice(split="median")
    for at, link in enumerate(candidates(seen(strategy)) * 4):
        view = seen(strategy, 10 + at, (0.95, 0.75)[at % 2], link)
        strategy.learn(view, visit(view))
    assert strategy.learner.bayes.links.tolist() == [4, 4]


@pytest.mark.parametrize("own", ["class_feature", "co_citation"])
def test_features_beside_words_count(own: str) -> None:
    strategy = apprentice(**{own: True})
    follow(strategy)
    assert seen(strategy).features.shape == (2, strategy.features.width)
    assert strategy.features.own
    heir = apprentice(**{own: True})
    heir.restore(strategy.state())
    assert (seen(heir).features == seen(strategy).features).all()


def test_co_citation_tells_what_the_neighbours_were() -> None:
    strategy = apprentice(co_citation=True)
    before = seen(strategy, 3).features
    hotel, _ = candidates(seen(strategy, 3))
    view = seen(strategy, 4, 0.9, hotel)
    strategy.learn(view, visit(view))
    changed = seen(strategy, 3).features != before
    assert changed.sum() == 1
    assert changed[1].any()


def test_a_batch_under_way_survives() -> None:
    strategy, heir = apprentice(), apprentice()
    follow(strategy, 6)
    heir.restore(strategy.state())
    assert follow(heir, 2) == [False, True]
    assert heir.learner.bayes.links.tolist() == [4, 4]


def test_a_model_is_used_as_it_is_offline_and_taught_on_otherwise(tmp_path: Path) -> None:
    teacher = apprentice(mode="watching")
    follow(teacher)
    write_apprentice(tmp_path, teacher.learner.bayes, teacher.settings, ("a test",))
    offline = apprentice(mode="offline", model=str(tmp_path))
    both = apprentice(mode="offline-online", model=str(tmp_path))
    assert scores(offline) == scores(both)
    assert not any(follow(offline))
    assert any(follow(both))
    assert offline.learner.bayes.links.tolist() == [4, 4]
    assert both.learner.bayes.links.tolist() == [8, 8]


def test_a_model_of_other_features_is_refused(tmp_path: Path) -> None:
    teacher = apprentice(d_max=3)
    write_apprentice(tmp_path, teacher.learner.bayes, teacher.settings, ("a test",))
    with pytest.raises(ConfigError, match="d_max = 3"):
        apprentice(mode="offline", model=str(tmp_path))
    with pytest.raises(ConfigError, match="cannot be read"):
        apprentice(mode="offline", model=str(tmp_path / "none"))


def test_offline_it_needs_a_model_or_an_earlier_crawl() -> None:
    settings = {"strategy.name": "apprentice", "strategy.mode": "offline"}
    with pytest.raises(ConfigError, match="learn_from"):
        make_crawl_strategy(load_config(settings=settings)[0], "apprentice")


def show_known(view: PageView) -> PageView:
    """The view, whose links lead to pages that are known already."""
    return structs.replace(
        view,
        known_links=view.links,
        known_features=view.features,
        links=(),
        sites=(),
        repeats=(),
        features=view.features[:0],
    )


def test_every_link_to_a_page_is_an_example_of_it() -> None:
    strategy = apprentice(batch_pages=10_000)
    first = seen(strategy, 0)
    for link in first.links:
        at = structs.replace(first.candidate, url=link.target, features=b"")
        page = structs.replace(first, candidate=at, judgement=Judgement(0.9), links=(), sites=())
        page = structs.replace(page, repeats=(), features=first.features[:0])
        # Met before its page is visited, and once more after it.
        strategy.learn(show_known(first), visit(first))
        strategy.learn(page, visit(page))
    strategy.learn(show_known(first), visit(first))
    strategy.learner.take_lesson()
    examples = int(strategy.learner.bayes.links.sum())
    n = len(first.links)
    # Of n links: each k-th was met k times before its page was visited, and n + 1 - k times after.
    assert examples == n * (n + 1)
    heir = apprentice(batch_pages=10_000)
    heir.restore(strategy.state())
    assert (heir.learner.bayes.counts == strategy.learner.bayes.counts).all()


def test_waiting_pairs_are_bounded_and_survive() -> None:
    pairs = WaitingPairs(2)
    row = np.array([1, 2], "<i4").tobytes()
    for number in range(6_000):
        for _ in range(3):
            pairs.add(Url(f"http://a.test/{number}"), row)
    assert not pairs.take(Url("http://a.test/0"))
    heir = WaitingPairs(2)
    heir.restore(pairs.state())
    assert heir.take(Url("http://a.test/5999")) == [row] * 3
    assert heir.take(Url("http://a.test/5999")) == []


def test_reasons_name_words_with_their_offsets_and_add_up() -> None:
    strategy = apprentice()
    follow(strategy)
    hotel, _ = candidates(seen(strategy, 50))
    reasons = dict(strategy.explain_rank(hotel))
    assert {"hotel @0", "booking @0", "lodging @-1", "nightly @1"} <= set(reasons)
    assert sum(reasons.values()) == pytest.approx(scores(strategy)[0], rel=1e-4)
    assert strategy.explain_rank(structs.replace(hotel, features=b"")) == [("its words", 0.5)]
