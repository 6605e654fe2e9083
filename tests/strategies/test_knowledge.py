"""What strategies tell of what they have learned."""

import msgspec
import pytest

from leadline.core.knowledge import Knowledge
from leadline.core.ports import Strategy
from leadline.strategies import make_strategy
from leadline.strategies.apprentice import Apprentice
from leadline.strategies.base import NOT_LEARNING, NOT_YET, make_steps, pick_strongest
from tests.strategies.smart.sights import learn, sight_of
from tests.strategies.smart.test_sites import smart
from tests.strategies.test_ache import taught_by_finds
from tests.strategies.test_apprentice import apprentice, candidates, seen, visit
from tests.strategies.test_ffc import make as make_ffc


def told(strategy: Strategy) -> Knowledge:
    return msgspec.convert(strategy.describe_knowledge(), Knowledge)


def words_of(weights: list[tuple[str, float]]) -> list[str]:
    return [word for word, _ in weights]


@pytest.mark.parametrize("name", ["breadth_first", "random", "fixed_depth", "baseline", "scdi"])
def test_a_strategy_without_learning_says_so(name: str) -> None:
    assert told(make_strategy(name)) == Knowledge([], {}, [NOT_LEARNING])


@pytest.mark.parametrize("name", ["ache", "apprentice", "smartcrawler", "sitewise"])
def test_a_strategy_that_has_not_learned_yet_says_so(name: str) -> None:
    assert told(make_strategy(name)).notes == [NOT_YET]


def test_ffc_tells_the_words_of_the_classifier_it_keeps_to() -> None:
    learned = told(make_ffc())
    assert not learned.iterations
    assert "keeps to the classifier" in learned.notes[0]
    assert {"links to a form", "links that lead to no form"} <= learned.weights.keys()
    assert "anchor: search" in words_of(learned.weights["links to a form"])


def test_ache_tells_each_iteration_by_space_with_the_papers_counts_beside_it() -> None:
    strategy = taught_by_finds()
    learned = told(strategy)
    (iteration,) = learned.iterations
    assert (iteration.number, iteration.pages) == (1, 40)
    assert iteration.features["anchor"] == ["advanc", "flight", "schedul", "search"]
    assert iteration.fresh == iteration.features
    best = dict(learned.weights["links to a form"])
    assert best["anchor: search"] > 0 > best["anchor: flight"]
    assert strategy.describe_knowledge()["iterations"][0]["terms"]["anchor"][0]["counts"]


def test_smartcrawler_tells_the_words_of_both_rankers() -> None:
    strategy = smart(first_sites=2, reverse_search=False)
    for number in range(2):
        home = f"http://best-hotel{number}.test/"
        learn(strategy, sight_of(home, new_forms=1, anchor="hotel suites"))
    learned = told(strategy)
    assert learned.iterations[0].features["sites: anchor"] == ["hotel", "suites"]
    assert "anchor: suites" in words_of(learned.weights["site ranker"])
    assert "link ranker" in learned.weights
    assert {"queue_sizes", "reverse"} <= strategy.describe_knowledge().keys()


def taught_apprentice() -> Apprentice:
    strategy = apprentice(batch_pages=64)
    hotel, news = candidates(seen(strategy))
    for number in range(64):
        # In pairs, so that links of both kinds are among those whose words are noted.
        link, relevance = (hotel, 0.9) if number % 16 < 8 else (news, 0.1)
        page = seen(strategy, number, relevance, link)
        strategy.learn(page, visit(page))
    return strategy


def test_the_apprentice_tells_its_features_in_words_and_by_place() -> None:
    strategy = taught_apprentice()
    learned = told(strategy)
    (iteration,) = learned.iterations
    assert iteration.pages == 64
    assert set(iteration.features["anchor"]) == {"hotel @0", "booking @0"}
    assert iteration.features["before the link"] == ["lodging @-1"]
    weights = dict(learned.weights["links to relevant pages"])
    assert weights["hotel @0"] > 0 > weights["football @0"]
    heir = apprentice(batch_pages=64)
    heir.restore(strategy.state())
    assert heir.describe_knowledge() == strategy.describe_knowledge()


def test_words_that_were_not_there_before_are_fresh() -> None:
    rows = make_steps([(1, 10, {"anchor": ["a", "b"]}), (2, 20, {"anchor": ["b", "c"]})])
    assert [row["fresh"] for row in rows] == [{"anchor": ["a", "b"]}, {"anchor": ["c"]}]


def test_the_strongest_are_told_for_and_against() -> None:
    many = [(f"for {n}", 10.0 + n) for n in range(9)] + [("against", -0.5), ("nothing", 0.0)]
    told_words = [name for name, _ in pick_strongest(many, most=4)]
    assert told_words == ["for 8", "for 7", "for 6", "against"]
