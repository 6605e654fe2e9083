"""Slices: what overflows of one menu, cut by the choices of another."""

from leadline.harvester.policies.yield_per_cost import YieldPerCost, YieldPerCostSettings
from leadline.testing.policy_laws import MENUS, Library, make_books, run_policy


def test_choices_that_overflow_are_cut_by_the_other_menu() -> None:
    library = Library(tuple(make_books(900)), cap=20, page_size=10)
    outcomes, holdings, _ = run_policy(
        library, lambda held: YieldPerCost(YieldPerCostSettings(), MENUS, held), 150
    )
    joined = [dict(outcome.query.values) for outcome in outcomes if len(outcome.query.values) > 1]
    assert {frozenset(values) for values in joined} == {frozenset(("genre", "year"))}
    assert len(holdings) == 900


def test_nothing_is_cut_that_is_shown_to_its_end() -> None:
    library = Library(tuple(make_books(300)), cap=200, page_size=20)
    outcomes, holdings, _ = run_policy(
        library, lambda held: YieldPerCost(YieldPerCostSettings(), MENUS, held), 150
    )
    assert all(len(outcome.query.values) <= 1 for outcome in outcomes)
    assert len(holdings) == 300


def test_a_slice_that_was_shown_to_its_end_is_not_asked_again() -> None:
    library = Library(tuple(make_books(900)), cap=20, page_size=10)
    outcomes, _, _ = run_policy(
        library, lambda held: YieldPerCost(YieldPerCostSettings(), MENUS, held), 150
    )
    queries = [outcome.query for outcome in outcomes]
    assert len(set(queries)) == len(queries)
