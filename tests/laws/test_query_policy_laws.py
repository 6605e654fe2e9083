"""Laws every query policy obeys. A new policy is tested by being in POLICIES."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.core.harvest import Outcome, Query, Reading
from leadline.core.ports import QueryPolicy
from leadline.harvesting.holdings import Holdings
from leadline.harvesting.interface import Interface
from leadline.harvesting.policies import POLICIES, make_policy
from tests.harvesting.library import BOTH, INTERFACES, Library, asked, books

each_policy = pytest.mark.parametrize("name", sorted(POLICIES))
each_interface = pytest.mark.parametrize("interface", INTERFACES.values(), ids=INTERFACES)

BOOKS = tuple(books(120))
libraries = st.builds(
    Library,
    st.integers(0, 40).map(lambda count: BOOKS[:count]),
    cap=st.sampled_from((0, 3, 10)),
    page_size=st.sampled_from((3, 10)),
    is_any=st.booleans(),
    searched=st.sampled_from((("name", "genre", "year"), ("name",), ("genre",))),
    tells_total=st.booleans(),
    is_mute=st.booleans(),
)


def maker(name: str, interface: Interface = BOTH, seed: int = 1):  # type: ignore[no-untyped-def]
    def make(holdings: Holdings) -> QueryPolicy:
        return make_policy(name, interface, holdings, seed=seed)

    return make


@each_policy
@each_interface
@given(library=libraries)
@settings(max_examples=15, deadline=None)
def test_stops_and_never_repeats_a_query(name: str, interface: Interface, library: Library) -> None:
    outcomes, _, policy = asked(library, maker(name, interface), most=3_000)
    queries = [outcome.query for outcome in outcomes]
    assert len(set(queries)) == len(queries)
    assert policy.choose() is None


@each_policy
@given(library=libraries)
@settings(max_examples=15, deadline=None)
def test_choosing_does_not_teach(name: str, library: Library) -> None:
    _, _, policy = asked(library, maker(name), most=6)
    assert policy.choose() == policy.choose() == policy.choose()


@each_policy
@given(library=libraries, fresh=st.integers(0, 3), total=st.none() | st.integers(3, 60))
@settings(max_examples=15, deadline=None)
def test_whether_to_go_on_does_not_teach_and_is_said_again(
    name: str, library: Library, fresh: int, total: int | None
) -> None:
    _, _, policy = asked(library, maker(name), most=6)
    choice = policy.choose()
    if choice is None:
        return
    reading = Reading(choice.query, 1, 1, 3, fresh, fresh, total, total is not None)
    assert len({policy.goes_on(reading) for _ in range(3)}) == 1
    assert policy.choose() == choice


@each_policy
@given(library=libraries, most=st.integers(0, 25))
@settings(max_examples=15, deadline=None)
def test_told_the_same_once_more_it_chooses_the_same(
    name: str, library: Library, most: int
) -> None:
    outcomes, _, policy = asked(library, maker(name), most=most)
    again = Holdings()
    resumed = maker(name)(again)
    for outcome in outcomes:
        shown = library.matches(outcome.query)
        again.add_all(shown[: outcome.returned])
        resumed.learn(outcome)
    reading = Reading(Query.of(q="tor"), 2, 2, 6, fresh=0, latest=0)
    assert resumed.goes_on(reading) == policy.goes_on(reading)
    assert resumed.choose() == policy.choose()


@each_policy
@given(library=libraries)
@settings(max_examples=10, deadline=None)
def test_what_is_expected_is_said_in_numbers_and_words(name: str, library: Library) -> None:
    _, _, policy = asked(library, maker(name), most=4)
    choice = policy.choose()
    if choice is not None:
        assert choice.fresh >= 0
        assert choice.requests >= 1
        assert choice.why


@each_policy
def test_learns_from_queries_without_results(name: str) -> None:
    outcomes, holdings, _ = asked(Library(BOOKS, is_mute=True), maker(name), most=200)
    assert not len(holdings)
    assert len(outcomes) < 200


@each_policy
def test_learns_of_queries_it_did_not_choose(name: str) -> None:
    holdings = Holdings()
    policy = maker(name)(holdings)
    holdings.add_all(BOOKS[:30])
    choice = policy.choose()
    assert choice is not None
    policy.learn(Outcome(choice.query, "blocked", requests=1))
    then = policy.choose()
    assert then is None or then.query != choice.query


@each_policy
@each_interface
@pytest.mark.parametrize("kind", ["blocked", "refused", "unclear"])
def test_queries_that_were_not_looked_up_hold_up_nothing(
    name: str, interface: Interface, kind: str
) -> None:
    holdings = Holdings()
    policy = maker(name, interface)(holdings)
    holdings.add_all(BOOKS[:12])
    asked_for: set[Query] = set()
    while (choice := policy.choose()) and len(asked_for) < 500:
        asked_for.add(choice.query)
        policy.learn(Outcome(choice.query, kind, requests=1))
    assert choice is None
    assert len(asked_for) >= (
        4 if interface.menus and name in ("enumerate", "yield_per_cost") else 0
    )


@each_policy
@each_interface
def test_fixed_values_go_into_every_query(name: str, interface: Interface) -> None:
    fixed = Interface(
        interface.boxes, interface.menus, words=interface.words, fixed=(("size", "100"),)
    )
    outcomes, _, _ = asked(Library(BOOKS), maker(name, fixed), most=20)
    assert all(("size", "100") in outcome.query.values for outcome in outcomes)


@each_policy
def test_short_words_are_not_typed_where_they_are_refused(name: str) -> None:
    interface = Interface(BOTH.boxes, words=BOTH.words, min_length=5)
    outcomes, _, _ = asked(Library(BOOKS), maker(name, interface), most=20)
    typed = [value for outcome in outcomes for _, value in outcome.query.values]
    assert all(sum(map(str.isalnum, value)) >= 5 for value in typed)


@each_policy
def test_a_form_without_controls_is_asked_for_nothing(name: str) -> None:
    assert maker(name, Interface())(Holdings()).choose() is None
