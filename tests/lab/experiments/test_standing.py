"""How strategies stand over many profiles: by the worst one and by wins, never by a mean."""

import pytest

from leadline_lab.experiments.grading import Point
from leadline_lab.experiments.standing import (
    BEST_OF_EACH,
    ORACLE,
    find_margins,
    forms_at,
    kendall,
    leave_one_out,
    requests_to,
    shares_at,
    stand,
    stand_beside_best,
    win_rates,
)
from leadline_lab.experiments.trial import Contender, Result, Trial


def result(strategy: str, profile: str, gains: tuple[int, ...], seed: int = 1) -> Result:
    trial = Trial(Contender(strategy), profile, seed, "book", 1_000)
    end = Point(1_000, 1_000, len(gains))
    return Result(trial, "", end, 0.0, (), (), {}, 1_000, {}, 0, 0, 0, 0, "", 0.0, gains=gains)


STEADY = "steady"
FICKLE = "fickle"
ALL = [
    *(result(ORACLE, profile, tuple(range(10))) for profile in "abc"),
    *(result(STEADY, profile, (10, 20, 30, 40, 50)) for profile in "abc"),
    result(FICKLE, "a", (1, 2, 3, 4, 5, 6, 7)),
    result(FICKLE, "b", (1, 2, 3, 4, 5, 6)),
    result(FICKLE, "c", (1,)),
]


def test_forms_are_counted_by_requests_and_requests_by_forms() -> None:
    one = result(STEADY, "a", (10, 20, 20, 40))
    assert [forms_at(one, budget) for budget in (5, 10, 20, 500)] == [0, 1, 3, 4]
    assert [requests_to(one, forms) for forms in (1, 2.5, 4, 5)] == [10, 20, 40, None]


def test_a_share_is_of_what_the_oracle_found_in_the_same_requests() -> None:
    shares, sums = shares_at(ALL, 1_000)
    assert sums == {STEADY: 15, FICKLE: 14}
    assert [round(share, 2) for share in shares[FICKLE].values()] == [0.7, 0.6, 0.1]


def test_a_unit_that_some_strategy_was_not_tried_on_counts_for_none() -> None:
    shares, _ = shares_at([one for one in ALL if one.trial.name != FICKLE or
                           one.trial.profile != "c"], 1_000)  # fmt: skip
    assert {unit.profile for unit in shares[STEADY]} == {"a", "b"}


def test_who_wins_often_but_fails_somewhere_stands_below_who_never_fails() -> None:
    first, second = stand(ALL, 1_000)
    assert (first.strategy, second.strategy) == (STEADY, FICKLE)
    assert second.wins == pytest.approx(2 / 3)
    assert (round(second.worst, 2), second.worst_profile) == (0.2, "c")
    assert first.low <= first.share <= first.high


def test_equals_share_a_win() -> None:
    shares, _ = shares_at([*ALL, *(result("twin", p, (10, 20, 30, 40, 50)) for p in "abc")], 1_000)
    assert win_rates(shares) == pytest.approx({STEADY: 1 / 6, FICKLE: 2 / 3, "twin": 1 / 6})


def test_a_choice_is_judged_on_the_profile_that_had_no_part_in_it() -> None:
    without_c = {left.profile: left for left in leave_one_out(ALL, 1_000)}["c"]
    assert without_c.chosen == FICKLE
    assert without_c.best == STEADY
    assert without_c.of_best == pytest.approx(0.2)


def test_rank_correlation_tells_same_from_opposite_order() -> None:
    one = {"x": 1.0, "y": 2.0, "z": 3.0, "only here": 9.0}
    assert kendall(one, {"x": 10, "y": 20, "z": 30}) == 1
    assert kendall(one, {"x": 30, "y": 20, "z": 10}) == -1
    assert kendall(one, {"x": 1, "y": 2}) is None
    assert kendall(one, {"x": 1, "y": 1, "z": 1}) is None


def test_a_margin_is_the_geometric_mean_of_the_profiles() -> None:
    margins = {one.against: one for one in find_margins(ALL, 1_000, STEADY, [FICKLE])}
    expected = (5 / 7 * 5 / 6 * 5 / 1) ** (1 / 3)
    assert margins[FICKLE].ratio == pytest.approx(expected)
    assert margins[BEST_OF_EACH].ratio == pytest.approx(expected)
    assert margins[FICKLE].low < expected < margins[FICKLE].high
    assert find_margins(ALL, 1_000, "nobody", [FICKLE]) == []


def test_the_best_of_each_profile_is_at_least_as_good_as_the_best_single_one() -> None:
    twin = [result("twin", profile, (1, 2)) for profile in "abc"]
    margins = {
        one.against: one.ratio
        for one in find_margins([*ALL, *twin], 1_000, STEADY, [FICKLE, "twin"])
    }
    assert margins[BEST_OF_EACH] <= min(margins[FICKLE], margins["twin"])


def test_the_best_other_one_is_told_for_each_profile() -> None:
    more = [result(STEADY, "a", (10, 20), seed=2), result(FICKLE, "a", (1,), seed=2)]
    oracle = [result(ORACLE, "a", (1, 2), seed=2)]
    beside = {one.profile: one for one in stand_beside_best([*ALL, *more, *oracle], 1_000, STEADY)}
    assert beside["a"].best == FICKLE
    assert beside["a"].units == 2
    assert beside["a"].low < 0 < beside["a"].high
    assert beside["a"].is_best_or_within
    assert beside["c"].is_best_or_within
    assert not beside["b"].is_best_or_within
