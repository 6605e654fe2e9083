"""The published policies do what their papers say."""

import numpy as np
import pytest

from leadline.core.harvest import RESULTS, Outcome, Query
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface, Menu, MenuChoice, Span
from leadline.harvester.match_rates import MatchRates, TermSnapshot
from leadline.harvester.policies import make_policy
from leadline.harvester.policies.rl import q_values
from leadline.harvester.policies.zipf import fit_law, rank_terms
from leadline.harvester.terms import PLACES
from leadline.testing.policy_laws import BOX, MENU, Library, make_books, run_policy
from tests.harvester.records import record


def array(*numbers: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array(numbers, float)


def test_q_values_are_those_of_the_worked_example() -> None:
    sizes, known = array(300, 250, 100), array(100, 20, 0)
    assert q_values(sizes, known, 200, 1000.0, 0) == pytest.approx([0.20, 0.23, 0.10])
    assert q_values(sizes, known, 200, 1000.0) == pytest.approx([0.350, 0.401, 0.310])


def test_looking_ahead_may_postpone_the_largest_answer() -> None:
    values = q_values(array(400, 260), array(150, 20), 300, 1000.0)
    assert values == pytest.approx([0.367, 0.424], abs=1e-9)
    assert np.argmax(q_values(array(400, 260), array(150, 20), 300, 1000.0, 0)) == 0


def test_sizes_above_the_database_turn_the_look_ahead_round() -> None:
    values = q_values(array(3000, 100, 900), array(0, 0, 0), 0, 1000.0)
    assert values[0] == pytest.approx(3.0 + 0.1 * (1 - 3.0))


def test_more_steps_add_the_next_best_of_what_is_left() -> None:
    sizes, known = array(500, 400, 300), array(0, 0, 0)
    assert q_values(sizes, known, 0, 1000.0, 2)[0] == pytest.approx(0.5 + 0.4 * 0.5 + 0.3 * 0.3)
    assert q_values(sizes, known, 0, 1000.0, 9) == pytest.approx(
        q_values(sizes, known, 0, 1000.0, 2)
    )


@pytest.mark.parametrize("reading", ["literal", "corrected"])
def test_both_readings_of_rl_harvest_a_library(reading: str) -> None:
    library = Library(tuple(make_books(300)))
    _, holdings, _ = run_policy(
        library, lambda h: make_policy("rl", BOX, h, {"reading": reading}), 60
    )
    assert len(holdings) == 300


def test_zipf_fits_the_law_it_is_given() -> None:
    places = np.arange(1.0, 200.0)
    alpha, beta, gamma = fit_law(places, 5000 * (places + 10) ** -1.2)
    assert alpha == pytest.approx(5000, rel=1e-6)
    assert beta == 10
    assert gamma == pytest.approx(1.2)


def test_equal_frequencies_share_a_rank() -> None:
    assert rank_terms(np.array([3, 9, 3, 1], np.int32)).tolist() == [2, 1, 2, 4]


def test_gf_asks_for_the_most_frequent_word_it_has_not_asked_for() -> None:
    holdings = Holdings()
    policy = make_policy("gf", BOX, holdings)
    holdings.add_all(
        [record("1", a="sea sea wolf"), record("2", a="sea"), record("3", a="wolf sea")]
    )
    first = policy.choose()
    assert first is not None
    assert first.query == Query.of(q="sea")
    policy.learn(Outcome(first.query, RESULTS, 3, 0))
    second = policy.choose()
    assert second is not None
    assert second.query == Query.of(q="wolf")


def random_order(seed: int) -> list[Query]:
    library = Library(tuple(make_books(200)))
    outcomes, _, _ = run_policy(
        library, lambda held: make_policy("random", BOX, held, seed=seed), 9
    )
    return [outcome.query for outcome in outcomes]


def test_another_seed_asks_for_words_in_another_order() -> None:
    assert random_order(1) == random_order(1) != random_order(2)


def test_enumerate_asks_for_every_choice_and_narrows_those_that_overflow() -> None:
    years = Menu("year", tuple(MenuChoice(str(y), str(y)) for y in range(1990, 2013)))
    interface = Interface(menus=(*MENU.menus, years))
    library = Library(tuple(make_books(60)), cap=5)
    outcomes, _, _ = run_policy(library, lambda h: make_policy("enumerate", interface, h))
    for outcome in outcomes:
        if len(outcome.query.values) == 2:
            year = Query(tuple(pair for pair in outcome.query.values if pair[0] == "year"))
            genre = Query(tuple(pair for pair in outcome.query.values if pair[0] == "genre"))
            cut = {o.query for o in outcomes if o.is_cut}
            assert year in cut or genre in cut
    assert {len(o.query.values) for o in outcomes} == {1, 2}


def test_enumerate_cuts_a_range_at_the_steps_that_are_offered() -> None:
    span = Span("low", "high", ("10", "20", "50"), ("10", "20", "50"))
    policy = make_policy("enumerate", Interface(spans=(span,)), Holdings())
    found = []
    while choice := policy.choose():
        found.append(dict(choice.query.values))
        policy.learn(Outcome(choice.query, RESULTS, 1, 1))
    assert found == [
        {"high": "10"}, {"low": "10", "high": "20"}, {"low": "20", "high": "50"}, {"low": "50"},
    ]  # fmt: skip


def test_places_that_are_not_searched_are_found_out() -> None:
    matching = MatchRates()
    title, text = np.eye(PLACES)[0], np.eye(PLACES)[1]
    for _ in range(12):
        matching.learn(6 * title + 9 * text, 13.0, 6)
        matching.learn(4 * text, 4.0, 0)
    assert matching.share[0] > 0.9
    assert matching.share[1] < 0.1
    assert matching.estimate_known(np.array([10 * title + 30 * text]), np.array([35.0]))[
        0
    ] == pytest.approx(10, abs=2)


def test_counts_are_those_before_the_answer_or_none() -> None:
    holdings = Holdings()
    before = TermSnapshot(holdings)
    holdings.add(record("1", a="sea"))
    first = before.counts("sea", 0)
    assert first is not None
    assert first.df == first.by_place.sum() == 0
    assert before.counts("sea", 1) is None
    before.update()
    counted = before.counts("sea", 1)
    assert counted is not None
    assert counted.df == 1
