"""The shipped background: shares that add up, and pages invented from them."""

import numpy as np
import pytest

from leadline.topics.background import (
    CAMPUS,
    ENCYCLOPEDIA,
    Background,
    PageInventor,
    estimate_languages,
    find_similar_domains,
    shipped_background,
    weigh_words,
)
from leadline.topics.vocabulary import DOMAINS, LANGUAGES


@pytest.fixture(scope="module")
def background() -> Background:
    return shipped_background()


def test_shares_of_every_mixture_add_up_to_nearly_one(background: Background) -> None:
    """What is missing are rare words, which are not kept."""
    mixtures = [background.mixture(), background.without(DOMAINS).mixture()]
    mixtures += [background.topic(name) for name in DOMAINS]
    mixtures += [background.share(label) for label in ("web:en", "web:de", ENCYCLOPEDIA, CAMPUS)]
    assert all(0.9 < shares.sum() < 1.001 for shares in mixtures)


def test_words_are_spelled_and_rise(background: Background) -> None:
    assert (np.diff(background.words) > 0).all()
    assert len(background.spelled) == len(background.words)
    assert all(background.spelled)


def test_a_left_out_domain_leaves_its_words_out(background: Background) -> None:
    place = background.spelled.index("paperback")
    assert background.without(["book"]).mixture()[place] < 0.2 * background.mixture()[place]


def test_the_same_seed_invents_the_same_pages(background: Background) -> None:
    one, other = (PageInventor.of(background, 3).draw_other(6) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_invented_pages_of_a_domain_are_taken_for_it(background: Background) -> None:
    odds = weigh_words("hotel", background)
    about = [odds.score(ids) for ids in PageInventor.of(background, 5).draw_about("hotel", 30)]
    beside = [
        odds.score(ids) for ids in PageInventor.of(background.without(["hotel"]), 5).draw_other(30)
    ]
    assert np.median(about) > np.quantile(beside, 0.9)


def test_pages_that_touch_a_topic_lie_between(background: Background) -> None:
    odds, others = weigh_words("hotel", background), background.without(["hotel"])
    topic = background.domain("hotel", "en")
    inventor = PageInventor.of(others, 5)
    touching = np.median([odds.score(ids) for ids in inventor.draw_touching(topic, 30)])
    beside = np.median([odds.score(ids) for ids in inventor.draw_other(30)])
    about = np.median(
        [odds.score(ids) for ids in PageInventor.of(background, 5).draw_about("hotel", 30)]
    )
    assert beside < touching < about


def test_languages_are_told_by_general_words(background: Background) -> None:
    inventor = PageInventor.of(background, 7)
    pages = [inventor.page([(1.0, background.share("web:de"))]) for _ in range(4)]
    found = estimate_languages(pages, background)
    assert max(found, key=found.__getitem__) == "de"
    assert sum(found.values()) == pytest.approx(1)
    assert set(found) == set(LANGUAGES)


def test_examples_of_a_known_domain_are_recognised(background: Background) -> None:
    pages = PageInventor.of(background, 9).draw_about("music", 10)
    assert find_similar_domains(pages, background) == ["music"]
    general = PageInventor.of(background.without(DOMAINS), 9).draw_other(10)
    assert find_similar_domains(general, background) == []
