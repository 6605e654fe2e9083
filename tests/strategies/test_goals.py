"""What strategies learn depends on the goal, in whole crawls of a small world."""

import pytest

from leadline.strategies import make_strategy
from tests.strategies.smart.test_crawl import crawl, store_for

PAGES = 120
LEARNERS: dict[str, dict[str, object]] = {
    "ache": {"every_forms": 10},
    "expected_gain": {},
    "apprentice": {"learns_from": "reward", "batch_pages": 20, "least_examples": 1},
    "sitewise": {"first_sites": 1},
    "smartcrawler": {"first_sites": 1},
}


def learned_for(goal: str, name: str) -> bytes:
    own = {"goal": goal} if name == "expected_gain" else {}
    strategy = make_strategy(name, LEARNERS[name] | own)
    crawl(store_for(strategy), strategy, PAGES, goal=goal)
    return strategy.state()


@pytest.mark.parametrize("name", LEARNERS)
def test_the_goal_decides_what_is_learned(name: str) -> None:
    for_forms, for_pages, for_sites = (learned_for(g, name) for g in ("forms", "pages", "sites"))
    assert len({for_forms, for_pages, for_sites}) == 3
    assert learned_for("pages", name) == for_pages


def test_where_sites_are_the_goal_a_site_is_left_soon_after_its_first_form() -> None:
    left = []
    for goal in ("forms", "sites"):
        strategy = make_strategy("baseline_sc")
        store = store_for(strategy)
        crawl(store, strategy, PAGES, goal=goal)
        left.append([site for site in store.reader.sites() if "sites are the goal" in site.closed])
    assert not left[0]
    assert left[1]
    assert all(site.forms for site in left[1])
