"""The policy that ships: what it learns, and what it makes of it."""

import numpy as np
import pytest
from msgspec import structs

from leadline.core.harvest import REFUSED, RESULTS, Outcome, Query, Reading
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Box, Interface, Menu, MenuChoice, Span, SurveyedAnswer
from leadline.harvester.policies import make_policy
from leadline.harvester.policies.answer_limits import AnswerLimits
from leadline.harvester.policies.yield_per_cost import YieldPerCost, YieldPerCostSettings
from leadline.harvester.policies.yield_per_cost.controls import ListedControl
from leadline.harvester.policies.yield_per_cost.estimates import (
    CaptureCounts,
    OverflowBias,
    RecentYield,
    ShownLimit,
    SizeEstimate,
    find_matching,
)
from leadline.harvester.terms import PLACES
from leadline.testing.policy_laws import BOTH, BOX, MENU, Library, make_books, run_policy
from tests.harvester.records import record

EVERYWHERE = np.ones(PLACES, np.bool_)


def made(interface: Interface, holdings: Holdings) -> YieldPerCost:
    return YieldPerCost(YieldPerCostSettings(), interface, holdings)


def spent(library: Library, name: str, interface: Interface, share: float) -> int:
    """Requests until a share of the library is held."""
    outcomes, _, _ = run_policy(library, lambda h: make_policy(name, interface, h), 400)
    held = requests = 0
    for outcome in outcomes:
        held, requests = held + outcome.fresh, requests + outcome.requests
        if held >= share * len(library.records):
            return requests
    return 10**9


def test_everything_is_asked_for_first_where_a_form_gives_it() -> None:
    policy = made(Interface(boxes=BOX.boxes, takes_empty=True), Holdings())
    choice = policy.choose()
    assert choice is not None
    assert choice.query == Query(())


def test_choices_that_exclude_each_other_are_asked_for_one_after_another() -> None:
    library = Library(tuple(make_books(400)), page_size=20)
    outcomes, holdings, _ = run_policy(library, lambda h: made(BOTH, h), 8)
    names = [[name for name, _ in outcome.query.values] for outcome in outcomes]
    assert ["genre"] * 3 in [[row[0] for row in names[n : n + 3]] for n in range(6)]
    assert len(holdings) == 400


@pytest.mark.parametrize("cap", [0, 20])
@pytest.mark.parametrize("is_any", [False, True])
def test_it_takes_no_more_requests_than_asking_for_frequent_words(cap: int, is_any: bool) -> None:
    library = Library(tuple(make_books(600)), cap=cap, is_any=is_any)
    own, others = (spent(library, name, BOX, 0.8) for name in ("yield_per_cost", "gf"))
    assert own <= 1.1 * others


def test_words_that_all_must_be_there_are_joined_where_answers_overflow() -> None:
    library = Library(tuple(make_books(600)), cap=10)
    outcomes, _, policy = run_policy(library, lambda h: made(BOX, h), 60)
    assert isinstance(policy, YieldPerCost)
    assert policy.known.boxes[0].operator.kind == "all"
    joined = [outcome for outcome in outcomes if " " in outcome.query.text]
    assert len(joined) > 10


def test_words_of_which_any_may_be_there_fill_one_query() -> None:
    library = Library(tuple(make_books(600)), is_any=True)
    outcomes, _, policy = run_policy(library, lambda h: made(BOX, h), 60)
    assert isinstance(policy, YieldPerCost)
    assert policy.known.boxes[0].operator.kind == "any"
    assert max(len(outcome.query.text.split()) for outcome in outcomes) > 2


def test_without_joining_every_query_has_one_condition() -> None:
    library = Library(tuple(make_books(200)), cap=10)
    outcomes, _, _ = run_policy(
        library, lambda h: make_policy("yield_per_cost", BOTH, h, {"joins": False}), 80
    )
    assert all(len(outcome.query.values) == 1 for outcome in outcomes)


def test_a_typed_range_is_cut_by_the_amounts_that_records_show() -> None:
    holdings = Holdings()
    span = Span("min", "max", label="Price from")
    listed = ListedControl(0, span, holdings)
    assert [dict(one.values) for one in listed.conditions] == [{"min": "0"}]
    holdings.add_all([record(str(n), price=f"${n}.00") for n in range(160)])
    listed.cut_range()
    steps = [dict(one.values) for one in listed.conditions[1:]]
    assert len(steps) == 16
    assert steps[0] == {"max": "9.00", "min": "0.00"}
    everything, *parts = listed.count_held(listed.conditions)
    assert everything == 160
    assert parts == pytest.approx([11] * 16, abs=1)


def test_a_menu_is_about_the_place_that_shows_its_choices() -> None:
    holdings = Holdings()
    holdings.add_all(make_books(50))
    listed = ListedControl(0, MENU.menus[0], holdings)
    assert listed.place == holdings.places.index("genre")
    assert listed.count_held(listed.conditions).sum() == pytest.approx(50)
    others = ListedControl(
        1, Menu("x", (MenuChoice("1", "Mars"), MenuChoice("2", "Venus"))), holdings
    )
    assert others.place is None


def test_boxes_that_are_called_like_a_place_are_asked_for_its_words() -> None:
    library = Library(tuple(make_books(100)), searched=("year",))
    interface = Interface(boxes=(Box("q", "Year", "year"),))
    holdings = Holdings()
    policy = made(interface, holdings)
    holdings.add_all(library.records[:40])
    found = 0
    for _ in range(8):
        choice = policy.choose()
        assert choice is not None
        outcome = library.outcome(choice, holdings, policy)
        policy.learn(outcome)
        found += outcome.returned > 0
    assert found >= 6


def test_sizes_come_from_how_many_records_were_known() -> None:
    sizes = SizeEstimate()
    assert sizes.database(100) == pytest.approx(600)
    for _ in range(40):
        sizes.learn(held=10, size=100, again=10, records=500)
    assert sizes.database(500) == pytest.approx(5000, rel=0.1)
    assert sizes.new(np.array([10.0]), 500)[0] == pytest.approx(90, rel=0.2)


def test_a_menu_that_was_asked_through_bounds_the_database() -> None:
    sizes = SizeEstimate()
    sizes.least = 7000.0
    assert sizes.database(100) == 7000


def limit(cap: float) -> ShownLimit:
    return ShownLimit(cap, 10.0, 1.0, OverflowBias())


def test_what_overflows_costs_the_pages_that_are_shown() -> None:
    found = limit(20.0).expect(np.array([0.0, 0.0]), np.array([5.0, 5000.0]), 0.3)
    assert found.fresh == pytest.approx([5, 20], rel=0.01)
    assert found.requests == pytest.approx([1, 2])


def test_sources_that_always_show_the_same_first_are_found_out() -> None:
    found = limit(20.0)
    for _ in range(10):
        found.bias.learn(5.0, 1.0, 18.0)
    few, many = found.expect(np.array([0.0, 0.0]), np.array([15.0, 100.0]), 0.3).fresh
    assert many < 10 < few


def test_terms_that_exclude_what_was_asked_for_stand_out() -> None:
    holdings = Holdings()
    captures = CaptureCounts(holdings)
    rows = [("red", "sea"), ("red", "wolf"), ("blue", "wolf"), ("blue", "gold")] * 20
    holdings.add_all([record(str(n), a=" ".join(row)) for n, row in enumerate(rows)])
    captures.update(None)
    for asked_for in ("red", "wolf", "sea"):
        brought = find_matching(holdings, [(asked_for, EVERYWHERE)], is_any=False)
        captures.update(brought)
    numbers = holdings.terms.numbers
    gold, blue, wolf = captures.factor(np.array([numbers[w] for w in ("gold", "blue", "wolf")]))
    assert gold > blue > wolf


def test_a_limit_that_is_never_told_is_seen() -> None:
    limits = AnswerLimits()
    for n in range(3):
        limits.learn(Outcome(Query.of(q=str(n)), RESULTS, returned=50, pages=5, requests=5))
        limits.learn(Outcome(Query.of(q=f"x{n}"), RESULTS, returned=7 + n, pages=1, requests=1))
    assert limits.cap == 50
    assert limits.page_size == 10
    assert limits.is_over(Outcome(Query.of(q="y"), RESULTS, returned=50, pages=5))


def test_pages_that_repeat_records_are_seen() -> None:
    limits = AnswerLimits()
    limits.learn(Outcome(Query.of(q="a"), RESULTS, returned=10, pages=2, requests=2))
    shuffled = Outcome(Query.of(q="b"), RESULTS, returned=30, pages=9, requests=9)
    for n in range(3):
        limits.learn(structs.replace(shuffled, query=Query.of(q=str(n)), returned=28 + n))
    assert limits.is_shuffled(shuffled)
    assert limits.shuffles
    assert limits.count_matches(shuffled) == pytest.approx(8.5 * 5, abs=5)
    assert limits.is_over(shuffled)


def test_what_is_shuffled_shows_a_part_of_small_answers() -> None:
    shuffled = ShownLimit(100.0, 10.0, 1.0, OverflowBias(), is_shuffled=True)
    small, large = shuffled.expect(np.zeros(2), np.array([60.0, 6000.0]), 0.3).fresh
    assert small == pytest.approx(60 * 0.63, rel=0.1)
    assert large == pytest.approx(100, rel=0.05)


def test_offered_steps_share_what_records_show() -> None:
    holdings = Holdings()
    holdings.add_all([record(str(n), rent=str(n)) for n in range(1, 101)])
    steps = ("20", "50", "90")
    listed = ListedControl(0, Span("low", "high", steps, steps, label="Rent from"), holdings)
    assert [round(one.share, 2) for one in listed.conditions] == [1.0, 0.2, 0.3, 0.4, 0.1]
    assert dict(listed.conditions[1].values) == {"high": "20"}
    assert dict(listed.conditions[-1].values) == {"low": "90"}


def test_a_choice_is_estimated_among_the_records_that_show_no_other_one() -> None:
    library = Library(tuple(make_books(400)))
    outcomes, _, policy = run_policy(library, lambda h: made(MENU, h), 2)
    assert isinstance(policy, YieldPerCost)
    assert all(outcome.fresh == outcome.returned for outcome in outcomes)
    known, listed = policy.known, policy.known.lists[0]
    held, new = known.choice_sizes(listed, listed.unasked)
    assert held.sum() == 0
    assert (held + new).sum() == pytest.approx(known.database - known.records, rel=0.05)


def test_no_limit_is_seen_where_answers_end_anywhere() -> None:
    limits = AnswerLimits()
    for n in range(30):
        limits.learn(Outcome(Query.of(q=str(n)), RESULTS, returned=5 * n + 1, pages=n // 2 + 1))
    assert limits.cap is None


def reading(query: Query, pages: int, fresh: int, latest: int, total: int | None = None) -> Reading:
    return Reading(query, pages, pages, 10 * pages, fresh, latest, total, total is not None)


def test_an_answer_is_left_when_nothing_on_it_is_new_and_read_on_while_all_is() -> None:
    outcomes, _, policy = run_policy(
        Library(tuple(make_books(400)), is_any=True), lambda h: made(BOX, h), 2
    )
    assert sum(outcome.fresh for outcome in outcomes) > 0
    choice = policy.choose()
    assert choice is not None
    assert policy.goes_on(reading(choice.query, 1, 10, 10))
    assert not policy.goes_on(reading(choice.query, 4, 0, 0))


def test_without_anything_else_to_ask_an_answer_is_read_to_its_end() -> None:
    interface = Interface(boxes=BOX.boxes, words=("tor",))
    policy = made(interface, Holdings())
    assert policy.goes_on(reading(Query.of(q="tor"), 9, 0, 0))


def test_an_answer_that_a_limit_soon_ends_is_read_to_its_end() -> None:
    library = Library(tuple(make_books(400)), cap=20)
    _, _, policy = run_policy(library, lambda h: made(BOX, h), 12)
    choice = policy.choose()
    assert choice is not None
    assert policy.goes_on(reading(choice.query, 1, 0, 0))


def test_choices_of_a_menu_are_read_to_their_end() -> None:
    library = Library(tuple(make_books(400)))
    outcomes, holdings, _ = run_policy(library, lambda h: made(MENU, h))
    assert not any(outcome.is_left for outcome in outcomes)
    assert len(holdings) == 400


def test_the_pace_is_that_of_the_latest_requests() -> None:
    pace = RecentYield()
    assert pace.value == np.inf
    pace.learn(fresh=100, requests=10)
    assert pace.value == pytest.approx(10)
    pace.learn(fresh=0, requests=300)
    assert pace.value < 0.01


def test_an_answer_that_was_left_teaches_how_large_the_source_is() -> None:
    policies = []
    for share in (2, 10):
        holdings = Holdings()
        policy = made(BOX, holdings)
        holdings.add_all(make_books(200))
        policy.learn(Outcome(Query.of(q="qqq"), RESULTS, returned=200, fresh=200, pages=20))
        term = holdings.terms.written[int(np.argmax(holdings.terms.df))]
        left = Outcome(Query.of(q=term), RESULTS, 10, 10 - share, pages=1, requests=1, is_left=True)
        holdings.add_all(record(f"n{n}", name=term) for n in range(10 - share))
        policy.learn(left)
        policies.append(policy)
    large, small = policies
    assert large.known.database > 1.2 * small.known.database


def test_terms_whose_like_differ_widely_promise_more() -> None:
    even, uneven = SizeEstimate(), SizeEstimate()
    for n in range(40):
        even.learn(held=4, size=30, again=3, records=100)
        uneven.learn(held=4, size=(3, 300)[n % 2], again=3, records=100)
    held = np.array([4.0])
    assert uneven.database(100) == pytest.approx(even.database(100), rel=0.2)
    assert uneven.new(held, 100)[0] == pytest.approx(even.new(held, 100)[0], rel=0.3)
    few, many = (one.new(held, 100, is_mean=True)[0] for one in (even, uneven))
    assert many > 1.5 * few


def test_a_rough_total_is_no_proof_of_a_limit() -> None:
    limits = AnswerLimits()
    rough = Outcome(Query.of(q="a"), RESULTS, returned=80, total=100, pages=8, is_cut=True)
    limits.learn(rough)
    assert limits.cap is None
    assert not limits.is_over(rough)
    limits.learn(structs.replace(rough, total=500))
    assert limits.cap == 80


def test_a_test_of_joining_reads_two_pages_at_most() -> None:
    library = Library(tuple(make_books(600)))
    policy = made(BOX, holdings := Holdings())
    for _ in range(30):
        choice = policy.choose()
        assert choice is not None
        if "narrow or widen" in choice.why:
            assert choice.max_pages == 2
            return
        policy.learn(library.outcome(choice, holdings, policy))
    raise AssertionError("no test in thirty queries")


def test_answers_that_the_survey_began_are_read_on_and_whole_ones_not_asked_again() -> None:
    surveyed = (
        SurveyedAnswer((("q", "The"),), 20, has_more=True),
        SurveyedAnswer((("q", "Sea"),), 7),
    )
    holdings = Holdings()
    holdings.add_all(record(f"{n}", title="sea") for n in range(27))
    policy = made(Interface(boxes=BOX.boxes, surveyed=surveyed), holdings)
    choice = policy.choose()
    assert choice is not None
    assert (choice.query, choice.why) == (Query.of(q="The"), "an answer that the survey began")
    policy.learn(Outcome(choice.query, RESULTS, returned=40, fresh=20, pages=2, requests=1))
    following = policy.choose()
    assert following is None or following.query.text.lower() != "sea"


def test_a_box_that_refuses_several_words_is_not_tested_for_them_for_ever() -> None:
    library = Library(tuple(make_books(400)))
    outcomes, _, policy = run_policy(library, lambda h: made(BOX, h), 20)
    assert isinstance(policy, YieldPerCost)
    operator = policy.known.boxes[0].operator
    tests = operator.tests
    words = [o.query.text for o in outcomes if o.returned][:2]
    policy.learn(Outcome(Query.of(q=" ".join(words)), REFUSED))
    assert operator.tests == tests + 1
