"""What counts for each goal."""

import pytest

from leadline.core.crawl import Judgement
from leadline.engine.goals import gain, reward


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
    assert gain(goal, Judgement(relevance), new_forms, forms_before) == gained


def test_a_visit_is_worth_its_gain_but_a_topic_page_its_relevance() -> None:
    assert reward("forms", Judgement(0.9), 2) == 2.0
    assert reward("sites", Judgement(0.9), 0) == 0.0
    assert reward("pages", Judgement(0.7), 1) == 0.7
