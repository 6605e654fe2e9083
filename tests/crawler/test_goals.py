"""What counts for each goal."""

import pytest

from leadline.core.crawl import Judgement, SiteState
from leadline.core.url import Site
from leadline.crawler.decisions import count_gain, reward_visit, why_done


@pytest.mark.parametrize(
    ("goal", "relevance", "new_forms", "forms_before", "gained"),
    [
        ("forms", 0.1, 3, 2, 3),
        ("forms", 0.9, 0, 2, 0),
        ("sites", 0.1, 3, 0, 1),
        ("sites", 0.9, 3, 1, 0),
        ("sites", 0.9, 0, 0, 0),
        ("pages", 0.5, 0, 0, 1),
        ("pages", 0.4, 3, 0, 0),
    ],
)
def test_a_page_counts_by_the_goal(
    goal: str, relevance: float, new_forms: int, forms_before: int, gained: int
) -> None:
    assert count_gain(goal, Judgement(relevance), new_forms, forms_before) == gained


def test_a_visit_is_worth_its_gain_but_a_topic_page_its_relevance() -> None:
    assert reward_visit("forms", Judgement(0.9), 2) == 2.0
    assert reward_visit("sites", Judgement(0.9), 0) == 0.0
    assert reward_visit("pages", Judgement(0.7), 1) == 0.7


def test_where_sites_are_the_goal_one_with_a_form_is_read_a_little_for_its_links() -> None:
    early = SiteState(Site("a.test"), pages=1, forms=1)
    late = SiteState(Site("a.test"), pages=8, forms=1)
    assert not why_done("sites", early)
    assert why_done("sites", late)
    assert not why_done("sites", SiteState(Site("a.test"), pages=50))
    assert not why_done("forms", late)
    assert not why_done("pages", late)
