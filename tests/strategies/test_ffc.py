"""FFC: queues by level, two frontiers, batches."""

from pathlib import Path

import numpy as np
import pytest
from msgspec import structs
from pydantic import ValidationError

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
from leadline.learn.link_features import PageLinks, link_rows
from leadline.learn.link_levels import (
    LINK_MODEL,
    LinkLesson,
    LinkModel,
    learn_levels,
    write_link_model,
)
from leadline.learn.link_selection import Selection
from leadline.learn.model_files import Manifest
from leadline.page import parse_page
from leadline.page.words import PageWords
from leadline.store.memory import MemoryStore
from leadline.strategies import make_strategy
from leadline.strategies.ffc import FEATURES, Ffc, FfcSettings
from tests.store.samples import record, rescore, take

HERE = Url("http://a.test/")


def page_links(*anchors: str) -> PageLinks:
    html = "".join(f"<a href=/{n}/x>{anchor}</a><hr>" for n, anchor in enumerate(anchors))
    return PageLinks(parse_page(f"<html lang=en>{html}".encode(), HERE), FEATURES)


def taught() -> LinkModel:
    near = [page_links("search hotels").terms(0)] * 30
    far = [page_links("browse catalog").terms(0)] * 30
    others = np.concatenate([page_links("privacy policy").rows] * 40)
    lesson = LinkLesson({1: near, 2: far}, others)
    return LinkModel(learn_levels(lesson, Selection()), lesson)


def make(**settings: object) -> Ffc:
    return Ffc(FfcSettings.model_validate(settings), taught())


def view(
    strategy: Ffc, anchors: list[str], number: int = 2, tier: int = 0, **changes: object
) -> PageView:
    html = "".join(
        f"<a href=http://s{number}-{n}.test/x>{anchor}</a><hr>" for n, anchor in enumerate(anchors)
    )
    page = parse_page(f"<html lang=en>{html}".encode(), HERE)
    seen = PageView(
        id=CandidateId(number),
        candidate=Candidate(HERE, Site("a.test"), Priority(tier, 1.0), 3, CandidateId(1)),
        page=page,
        judgement=Judgement(0.9),
        site=SiteState(Site("a.test"), pages=1),
        links=page.links,
        sites=tuple(site_of(link.target) for link in page.links),
        repeats=(False,) * len(page.links),
        features=link_rows(FEATURES, PageWords(page), page.links),
    )
    seen = structs.replace(seen, **changes)
    return structs.replace(seen, features=np.hstack([seen.features, strategy.own_features(seen)]))


def visit(seen: PageView) -> Visit:
    return Visit(seen.id, HERE, Site("a.test"), "page", 0.0)


def follow(strategy: Ffc, store: MemoryStore, seen: PageView) -> None:
    """What the engine does with a page, fetching left out."""
    verdicts = strategy.rank(seen)
    store.links.put(
        Candidate(link.target, site, verdict, features=row.tobytes())
        for link, site, verdict, row in zip(
            seen.links, seen.sites, verdicts, seen.features, strict=True
        )
        if isinstance(verdict, Priority)
    )
    if strategy.learn(seen, visit(seen)):
        rescore(store, strategy.rescore)


def pop(store: MemoryStore) -> tuple[str, int]:
    """Take the next link, and close its visit."""
    (lease,) = take(store, 1)
    candidate = lease.candidate
    closed = Visit(lease.id, candidate.url, candidate.site, "page", 0.0)
    record(store, closed, SiteState(candidate.site, pages=1))
    return candidate.url, candidate.priority.tier


def test_links_wait_in_the_queue_of_their_level() -> None:
    strategy = make(levels=2)
    seen = view(strategy, ["search hotels", "browse catalog", "privacy policy"])
    tiers = [verdict.tier for verdict in strategy.rank(seen) if isinstance(verdict, Priority)]
    assert tiers == [3, 4, 5]


def test_a_sure_link_of_level_2_never_goes_before_a_doubtful_one_of_level_1() -> None:
    store = MemoryStore(FEATURES.width)
    level_1, level_2 = Priority(0, 0.4), Priority(1, 0.99)
    store.links.put([Candidate(Url("http://two.test/"), Site("two.test"), level_2)])
    store.links.put([Candidate(Url("http://one.test/"), Site("one.test"), level_1)])
    strategy = make(levels=2, batch=10)
    follow(strategy, store, view(strategy, ["browse catalog"], tier=3))
    popped = [pop(store) for _ in range(3)]
    assert popped[0] == ("http://one.test/", 0)
    assert [tier for _, tier in popped] == [0, 1, 1]


def test_links_found_now_wait_until_the_batch_is_empty() -> None:
    strategy = make(levels=2, batch=2)
    store = MemoryStore(FEATURES.width)
    follow(strategy, store, view(strategy, ["browse catalog"] * 3, number=2, tier=3))
    _, tier = pop(store)
    assert tier == 1
    follow(strategy, store, view(strategy, ["search hotels"], number=3, tier=tier))
    second, tier = pop(store)
    assert (second, tier) == ("http://s2-1.test/x", 1)
    follow(strategy, store, view(strategy, [], number=4, tier=tier))
    third, tier = pop(store)
    assert (third, tier) == ("http://s3-0.test/x", 3)
    follow(strategy, store, view(strategy, [], number=5, tier=tier))
    assert pop(store) == ("http://s2-2.test/x", 1)


def test_only_so_many_links_are_moved_and_the_most_relevant_ones() -> None:
    strategy = make(levels=2, batch=3)
    store = MemoryStore(FEATURES.width)
    anchors = ["privacy policy", "browse catalog", "search hotels"] * 2
    follow(strategy, store, view(strategy, anchors, tier=3))
    assert [pop(store)[1] for _ in anchors] == [0, 0, 1, 4, 5, 5]


def test_while_sites_rest_nothing_is_moved_until_half_a_batch_was_visited() -> None:
    strategy = make(levels=2, batch=8)
    seen = view(strategy, ["browse catalog"] * 20, tier=3)
    assert strategy.learn(seen, visit(seen))
    tiers, scores = np.full(20, 3, np.int32), np.ones(20, np.float32)
    strategy.rescore(tiers, scores, seen.features)
    assert np.count_nonzero(tiers == 0) == 8
    assert [strategy.learn(seen, visit(seen)) for _ in range(4)] == [False, False, False, True]
    strategy.rescore(tiers, scores, seen.features)
    assert np.count_nonzero(tiers == 0) == 8


def test_links_of_pages_near_the_root_count_more() -> None:
    strategy = make()
    near = view(strategy, ["search"], candidate=Candidate(HERE, Site("a.test"), Priority(0, 1.0)))
    far = view(strategy, ["search"])
    (first,), (second,) = strategy.rank(near), strategy.rank(far)
    assert isinstance(first, Priority)
    assert isinstance(second, Priority)
    assert first.score == pytest.approx(1.2 * second.score)


def test_links_of_off_topic_pages_are_passed_over_except_those_of_seeds() -> None:
    strategy = make()
    off_topic = view(strategy, ["search"], judgement=Judgement(0.2))
    assert all(isinstance(verdict, Skip) for verdict in strategy.rank(off_topic))
    seed = Candidate(HERE, Site("a.test"), Priority(0, 1.0))
    vouched = view(strategy, ["search"], judgement=Judgement(0.2), candidate=seed)
    assert all(isinstance(verdict, Priority) for verdict in strategy.rank(vouched))


def test_a_site_is_left_after_enough_forms_or_pages() -> None:
    strategy = make(max_forms=2, max_pages=10)
    assert strategy.rank_site(SiteState(Site("a.test"), pages=9, forms=1)) is None
    assert isinstance(strategy.rank_site(SiteState(Site("a.test"), forms=2)), Skip)


def test_the_literal_reading_sends_every_link_to_some_form() -> None:
    strategy = make(levels=2, reading="literal")
    verdicts = strategy.rank(view(strategy, ["privacy policy", "search hotels"]))
    assert {verdict.tier for verdict in verdicts if isinstance(verdict, Priority)} <= {3, 4}


def test_reasons_are_the_words_of_the_link() -> None:
    strategy = make(levels=2)
    seen = view(strategy, ["search hotels"])
    (verdict,) = strategy.rank(seen)
    assert isinstance(verdict, Priority)
    candidate = Candidate(
        seen.links[0].target, seen.sites[0], verdict, features=seen.features[0].tobytes()
    )
    first, *words = strategy.explain_rank(candidate)
    assert first[0].startswith("level 1")
    assert {name for name, _ in words} == {"anchor: search", "anchor: hotel"}
    assert all(weight > 0 for _, weight in words)


def test_a_trained_folder_is_used_by_name(tmp_path: Path) -> None:
    write_link_model(tmp_path, taught(), Manifest(LINK_MODEL, ("here",), ""))
    strategy = make_strategy("ffc", {"model": str(tmp_path), "levels": 2})
    assert isinstance(strategy, Ffc)
    seen = view(strategy, ["search hotels", "browse catalog"])
    assert list(strategy.rank(seen)) == list(make(levels=2).rank(seen))


def test_the_words_of_a_topic_will_do_without_training() -> None:
    strategy = make_strategy("ffc", {"model": "hotel"})
    assert isinstance(strategy, Ffc)
    (wanted,) = strategy.rank(view(strategy, ["hotel reservations"]))
    (other,) = strategy.rank(view(strategy, ["privacy policy"]))
    assert isinstance(wanted, Priority)
    assert isinstance(other, Priority)
    assert (wanted.tier, other.tier) == (4, 7)


def test_a_model_that_does_not_exist_is_refused_with_what_to_do() -> None:
    with pytest.raises(ValidationError, match="leadline train links"):
        make_strategy("ffc", {"model": "nothing-here"})
