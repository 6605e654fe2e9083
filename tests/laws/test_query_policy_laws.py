"""Laws every query policy obeys. A new policy is tested by being in POLICIES."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.core.ports import QueryPolicy
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface
from leadline.harvester.policies import POLICIES, make_policy
from leadline.testing import policy_laws as laws
from leadline.testing.policy_laws import BOTH, INTERFACES, Library, MakePolicy, run_policy

each_policy = pytest.mark.parametrize("name", sorted(POLICIES))
each_interface = pytest.mark.parametrize("interface", INTERFACES.values(), ids=INTERFACES)

libraries = st.builds(
    Library,
    st.integers(0, 40).map(lambda count: laws.BOOKS[:count]),
    cap=st.sampled_from((0, 3, 10)),
    page_size=st.sampled_from((3, 10)),
    is_any=st.booleans(),
    searched=st.sampled_from((("name", "genre", "year"), ("name",), ("genre",))),
    tells_total=st.booleans(),
    is_mute=st.booleans(),
)


def any_maker(name: str) -> laws.MakePolicyFor:
    def make(interface: Interface, holdings: Holdings) -> QueryPolicy:
        return make_policy(name, interface, holdings, seed=1)

    return make


def maker(name: str, interface: Interface = BOTH) -> MakePolicy:
    return lambda holdings: any_maker(name)(interface, holdings)


@each_policy
@each_interface
@given(library=libraries)
@settings(max_examples=15, deadline=None)
def test_stops_and_never_repeats_a_query(name: str, interface: Interface, library: Library) -> None:
    laws.stops_and_repeats_nothing(maker(name, interface), library)


@each_policy
@given(library=libraries)
@settings(max_examples=15, deadline=None)
def test_choosing_does_not_teach(name: str, library: Library) -> None:
    laws.learns_nothing_from_choosing(maker(name), library)


@each_policy
@given(library=libraries, fresh=st.integers(0, 3), total=st.none() | st.integers(3, 60))
@settings(max_examples=15, deadline=None)
def test_whether_to_go_on_does_not_teach_and_is_said_again(
    name: str, library: Library, fresh: int, total: int | None
) -> None:
    laws.says_again_whether_to_go_on(maker(name), library, fresh, total)


@each_policy
@given(library=libraries, most=st.integers(0, 25))
@settings(max_examples=15, deadline=None)
def test_told_the_same_once_more_it_chooses_the_same(
    name: str, library: Library, most: int
) -> None:
    laws.goes_on_after_being_told_again(maker(name), library, most)


@each_policy
@given(library=libraries)
@settings(max_examples=10, deadline=None)
def test_what_is_expected_is_said_in_numbers_and_words(name: str, library: Library) -> None:
    laws.says_what_it_expects(maker(name), library)


@each_policy
def test_learns_from_queries_without_results(name: str) -> None:
    outcomes, holdings, _ = run_policy(Library(laws.BOOKS, is_mute=True), maker(name), most=200)
    assert not len(holdings)
    assert len(outcomes) < 200


@each_policy
def test_learns_of_queries_it_did_not_choose(name: str) -> None:
    holdings = Holdings()
    policy = maker(name)(holdings)
    holdings.add_all(laws.BOOKS[:30])
    assert policy.choose() is not None
    laws.learns_of_queries_it_did_not_choose(maker(name))


@each_policy
@each_interface
@pytest.mark.parametrize("kind", laws.UNANSWERED)
def test_queries_that_were_not_looked_up_hold_up_nothing(
    name: str, interface: Interface, kind: str
) -> None:
    asked_in_vain = laws.ends_when_nothing_is_looked_up(any_maker(name), interface, kind)
    has_choices = interface.menus and name in ("enumerate", "yield_per_cost")
    assert asked_in_vain >= (4 if has_choices else 0)


@each_policy
@each_interface
def test_fixed_values_go_into_every_query(name: str, interface: Interface) -> None:
    laws.asks_for_what_is_fixed(any_maker(name), interface)


@each_policy
def test_short_words_are_not_typed_where_they_are_refused(name: str) -> None:
    laws.types_no_short_words_where_they_are_refused(any_maker(name))


@each_policy
def test_a_form_without_controls_is_asked_for_nothing(name: str) -> None:
    laws.asks_a_form_without_controls_for_nothing(any_maker(name))
