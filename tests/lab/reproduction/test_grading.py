"""Claims of the papers held against trials whose outcome is made up."""

import math

import pytest
from msgspec import structs

from leadline_lab.experiments.grading import Point
from leadline_lab.experiments.plan import EXPERIMENTS
from leadline_lab.experiments.trial import Contender, Result, Trial
from leadline_lab.reproduction.__main__ import grade_profiles, graded
from leadline_lab.reproduction.claims import CLAIMS, MAKERS, Claim, names_of
from leadline_lab.reproduction.grading import CONTRARY, HOLDS, UNDECIDED, WEAKER, grade
from leadline_lab.reproduction.tables import (
    claims_table,
    domain_table,
    goals_table,
    profiles_table,
    uses_table,
)

MORE = Claim("paper", "one finds more", "twice", "one", "other", 2.0)
EQUAL = Claim("paper", "they are equal", "about equal", "one", "other", 0.67, 1.5)
LESS = Claim("paper", "one loses less", "30 to 90 % less", "one", "other", 0.1, 0.7, "loss")


def result(name: str, world: int, forms: int, on_topic: int = 50) -> Result:
    trial = Trial(Contender("baseline", label=name), "judge-a", world, "book", 100)
    end = Point(100, 120, forms, forms // 2, 2 * forms, on_topic)
    return Result(
        trial, "budget", end, float(forms), (end,), (end,), {"off topic": 20, "robots.txt": 100},
        120, {}, 0, 0, 0, 1, "", 0.1,
    )  # fmt: skip


def results(ones: list[int], others: list[int]) -> list[Result]:
    pairs = enumerate(zip(ones, others, strict=True))
    return [r for n, (a, b) in pairs for r in (result("one", n, a), result("other", n, b))]


@pytest.mark.parametrize(
    ("ones", "others", "expected"),
    [
        ([20, 21, 24, 22], [10, 10, 11, 10], HOLDS),
        ([14, 15, 13, 14], [10, 10, 11, 10], WEAKER),
        ([5, 30, 4, 6], [10, 10, 11, 10], UNDECIDED),
        ([5, 6, 4, 6], [10, 10, 11, 10], CONTRARY),
    ],
)
def test_more_is_graded_by_its_interval(ones: list[int], others: list[int], expected: str) -> None:
    found = grade(MORE, results(ones, others))
    assert found is not None
    assert found.verdict == expected
    assert found.low <= found.ratio <= found.high


def test_equality_holds_within_a_range() -> None:
    found = grade(EQUAL, results([10, 11, 9, 12], [10, 10, 11, 10]))
    assert found is not None
    assert found.verdict == HOLDS


def test_less_loss_is_better() -> None:
    made = [result("one", n, 1, 90) for n in range(4)]
    made += [result("other", n, 1, 70 + n) for n in range(4)]
    found = grade(LESS, made)
    assert found is not None
    assert found.verdict == HOLDS


def test_few_pairs_have_no_interval_and_decide_nothing() -> None:
    found = grade(MORE, results([30], [10]))
    assert found is not None
    assert math.isnan(found.low)
    assert found.verdict == UNDECIDED


def test_what_was_not_run_is_not_graded() -> None:
    assert grade(MORE, [result("one", 1, 5)]) is None


def test_every_claim_is_about_strategies_and_domains_of_its_experiment() -> None:
    for claim in CLAIMS:
        experiment = EXPERIMENTS[claim.experiment]
        run = {contender.name for contender in experiment.contenders}
        assert set(names_of([claim])) <= run
        assert set(claim.domains) <= set(experiment.domains)


def test_tables_name_every_strategy() -> None:
    made = results([20, 21, 24, 22], [10, 10, 11, 10])
    found = grade(MORE, made)
    assert found is not None
    assert "one finds more" in claims_table([found])
    assert "| book | 21.8 | 10.2 |" in domain_table(made)
    assert uses_table(made).count("\n") == 3


def test_what_was_brought_stands_under_the_goal_it_was_brought_for() -> None:
    made = [result("one", 1, 20), result("one", 2, 40)]
    for_pages = structs.replace(made[0], trial=structs.replace(made[0].trial, goal="pages"))
    table = goals_table([*made, for_pages, result("other", 1, 5)]).splitlines()
    assert table[0] == "| strategy | for forms | for pages |"
    assert table[2:] == ["| one | 30 / 15 / 50 | 20 / 10 / 50 |", "| other | 5 / 2 / 50 | - |"]


def test_a_claim_is_told_for_each_profile() -> None:
    good, bad = grade(MORE, results([20, 22], [10, 10])), grade(MORE, results([12, 11], [10, 10]))
    assert good is not None
    assert bad is not None
    table = profiles_table({"drawn-1": [good], "drawn-2": [bad], "drawn-3": []})
    assert "| one finds more | **2.10** | 1.15 | - |" in table


def test_all_claims_are_held_against_webs_of_many_makers() -> None:
    names = {contender.name for contender in EXPERIMENTS[MAKERS].contenders}
    about = [claim for claim in CLAIMS if {claim.one, claim.other} <= names]
    assert {claim.paper for claim in about} == {claim.paper for claim in CLAIMS}
    trials = [one for claim in about for one in paired(claim)]
    assert {one.claim for one in graded(MAKERS, trials)} == set(about)
    assert set(grade_profiles(trials)) == {"judge-a"}


def paired(claim: Claim) -> list[Result]:
    """Trials of both strategies of a claim."""
    domain = claim.domains[0] if claim.domains else "book"
    return [
        structs.replace(one, trial=structs.replace(one.trial, domain=domain))
        for name in (claim.one, claim.other)
        for one in [result(name, 1, 10)]
    ]
