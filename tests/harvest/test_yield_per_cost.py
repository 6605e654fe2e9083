"""The policy that ships: what it learns, and what it makes of it."""

import time

import numpy as np
import pytest

from leadline.core.harvest import RESULTS, Outcome, Query
from leadline.harvest.holdings import Holdings
from leadline.harvest.interface import Box, Choosable, Interface, Menu, Span
from leadline.harvest.policies import make_policy
from leadline.harvest.policies.limits import Limits
from leadline.harvest.policies.yield_per_cost import YieldPerCost, YieldPerCostSettings
from leadline.harvest.policies.yield_per_cost.captures import Captures, fulfilling
from leadline.harvest.policies.yield_per_cost.controls import Listed
from leadline.harvest.policies.yield_per_cost.returns import Bias, Limit
from leadline.harvest.policies.yield_per_cost.sizes import Sizes
from leadline.harvest.terms import PLACES
from tests.harvest.library import BOTH, BOX, MENU, Library, asked, books, word
from tests.harvest.records import record

EVERYWHERE = np.ones(PLACES, np.bool_)


def made(interface: Interface, holdings: Holdings) -> YieldPerCost:
    return YieldPerCost(YieldPerCostSettings(), interface, holdings)


def spent(library: Library, name: str, interface: Interface, share: float) -> int:
    """Requests until a share of the library is held."""
    outcomes, _, _ = asked(library, lambda h: make_policy(name, interface, h), 400)
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
    library = Library(tuple(books(400)), page_size=20)
    outcomes, holdings, _ = asked(library, lambda h: made(BOTH, h), 8)
    names = [[name for name, _ in outcome.query.values] for outcome in outcomes]
    assert ["genre"] * 3 in [[row[0] for row in names[n : n + 3]] for n in range(6)]
    assert len(holdings) == 400


@pytest.mark.parametrize("cap", [0, 20])
@pytest.mark.parametrize("is_any", [False, True])
def test_it_takes_no_more_requests_than_asking_for_frequent_words(cap: int, is_any: bool) -> None:
    library = Library(tuple(books(600)), cap=cap, is_any=is_any)
    own, others = (spent(library, name, BOX, 0.8) for name in ("yield_per_cost", "gf"))
    assert own <= 1.1 * others


def test_words_that_all_must_be_there_are_joined_where_answers_overflow() -> None:
    library = Library(tuple(books(600)), cap=10)
    outcomes, _, policy = asked(library, lambda h: made(BOX, h), 60)
    assert isinstance(policy, YieldPerCost)
    assert policy.known.boxes[0].joining.way == "all"
    joined = [outcome for outcome in outcomes if " " in outcome.query.text]
    assert len(joined) > 10


def test_words_of_which_any_may_be_there_fill_one_query() -> None:
    library = Library(tuple(books(600)), is_any=True)
    outcomes, _, policy = asked(library, lambda h: made(BOX, h), 60)
    assert isinstance(policy, YieldPerCost)
    assert policy.known.boxes[0].joining.way == "any"
    assert max(len(outcome.query.text.split()) for outcome in outcomes) > 2


def test_without_joining_every_query_has_one_condition() -> None:
    library = Library(tuple(books(200)), cap=10)
    outcomes, _, _ = asked(
        library, lambda h: make_policy("yield_per_cost", BOTH, h, {"joins": False}), 80
    )
    assert all(len(outcome.query.values) == 1 for outcome in outcomes)


def test_a_typed_range_is_cut_by_the_amounts_that_records_show() -> None:
    holdings = Holdings()
    span = Span("min", "max", label="Price from")
    listed = Listed(0, span, holdings)
    assert [dict(one.values) for one in listed.conditions] == [{"min": "0"}]
    holdings.add_all([record(str(n), price=f"${n}.00") for n in range(160)])
    listed.cut()
    steps = [dict(one.values) for one in listed.conditions[1:]]
    assert len(steps) == 16
    assert steps[0] == {"max": "9.00", "min": "0.00"}
    assert sum(listed.held(listed.conditions)) == pytest.approx(160)


def test_a_menu_is_about_the_place_that_shows_its_choices() -> None:
    holdings = Holdings()
    holdings.add_all(books(50))
    listed = Listed(0, MENU.menus[0], holdings)
    assert listed.place == holdings.places.index("genre")
    assert listed.held(listed.conditions).sum() == pytest.approx(50)
    others = Listed(1, Menu("x", (Choosable("1", "Mars"), Choosable("2", "Venus"))), holdings)
    assert others.place is None


def test_boxes_that_are_called_like_a_place_are_asked_for_its_words() -> None:
    library = Library(tuple(books(100)), searched=("year",))
    interface = Interface(boxes=(Box("q", "Year", "year"),))
    holdings = Holdings()
    policy = made(interface, holdings)
    holdings.add_all(library.records[:40])
    found = 0
    for _ in range(8):
        choice = policy.choose()
        assert choice is not None
        outcome = library.outcome(choice, holdings)
        policy.learn(outcome)
        found += outcome.returned > 0
    assert found >= 6


def test_sizes_come_from_how_many_records_were_known() -> None:
    sizes = Sizes()
    assert sizes.database(100) == pytest.approx(400)
    for _ in range(40):
        sizes.learn(held=10, size=100, again=10, records=500)
    assert sizes.database(500) == pytest.approx(5000, rel=0.1)
    assert sizes.new(np.array([10.0]), 500)[0] == pytest.approx(90, rel=0.2)


def test_a_menu_that_was_asked_through_bounds_the_database() -> None:
    sizes = Sizes()
    sizes.least = 7000.0
    assert sizes.database(100) == 7000


def limit(cap: float) -> Limit:
    return Limit(cap, 10.0, 1.0, Bias())


def test_what_overflows_costs_the_pages_that_are_shown() -> None:
    found = limit(20.0).returns(np.array([0.0, 0.0]), np.array([5.0, 5000.0]), 0.3)
    assert found.fresh == pytest.approx([5, 20], rel=0.01)
    assert found.requests == pytest.approx([1, 2])


def test_sources_that_always_show_the_same_first_are_found_out() -> None:
    found = limit(20.0)
    for _ in range(10):
        found.bias.learn(5.0, 1.0, 18.0)
    few, many = found.returns(np.array([0.0, 0.0]), np.array([15.0, 100.0]), 0.3).fresh
    assert many < 10 < few


def test_terms_that_exclude_what_was_asked_for_stand_out() -> None:
    holdings = Holdings()
    captures = Captures(holdings)
    rows = [("red", "sea"), ("red", "wolf"), ("blue", "wolf"), ("blue", "gold")] * 20
    holdings.add_all([record(str(n), a=" ".join(row)) for n, row in enumerate(rows)])
    captures.update(None)
    for asked_for in ("red", "wolf", "sea"):
        brought = fulfilling(holdings, [(asked_for, EVERYWHERE)], is_any=False)
        captures.update(brought)
    numbers = holdings.terms.numbers
    gold, blue, wolf = captures.factor(np.array([numbers[w] for w in ("gold", "blue", "wolf")]))
    assert gold > blue > wolf


def test_a_limit_that_is_never_told_is_seen() -> None:
    limits = Limits()
    for n in range(3):
        limits.learn(Outcome(Query.of(q=str(n)), RESULTS, returned=50, pages=5, requests=5))
        limits.learn(Outcome(Query.of(q=f"x{n}"), RESULTS, returned=7 + n, pages=1, requests=1))
    assert limits.cap == 50
    assert limits.page_size == 10
    assert limits.is_over(Outcome(Query.of(q="y"), RESULTS, returned=50, pages=5))


def test_no_limit_is_seen_where_answers_end_anywhere() -> None:
    limits = Limits()
    for n in range(30):
        limits.learn(Outcome(Query.of(q=str(n)), RESULTS, returned=5 * n + 1, pages=n // 2 + 1))
    assert limits.cap is None


def test_choosing_is_quick_with_many_candidates_and_records() -> None:
    holdings = Holdings()
    interface = Interface(boxes=(Box("q"),), menus=MENU.menus, words=("a",))
    policy = made(interface, holdings)
    random = np.random.default_rng(1)
    numbers = (12_000 ** random.random((100_000, 8))).astype(int).tolist()
    holdings.add_all(
        record(str(n), name=" ".join(map(word, row)), genre="Crime")
        for n, row in enumerate(numbers)
    )
    for term in ("ba", "ne", "tor"):
        policy.learn(Outcome(Query.of(q=term), RESULTS, 20, 0, 9000, True, 2, 2, is_cut=True))
    assert len(holdings.terms) > 10_000
    seconds = min(_timed(policy) for _ in range(5))
    assert seconds < 0.020


def _timed(policy: YieldPerCost) -> float:
    begun = time.process_time()
    policy.choose()
    return time.process_time() - begun
