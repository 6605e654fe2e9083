"""Laws every strategy obeys. A new strategy is tested by being in STRATEGIES."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.core.crawl import PageView
from leadline.core.url import Url
from leadline.strategies import STRATEGIES, make_strategy
from leadline.testing import strategy_laws as laws
from leadline.testing.strategy_laws import HOSTS, WORDS, make_view

each_strategy = pytest.mark.parametrize("name", sorted(STRATEGIES))


@st.composite
def views(draw: st.DrawFn) -> PageView:
    leaves = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12))
    count = draw(st.integers(0, len(leaves)))
    return make_view(
        leaves,
        draw(st.lists(st.sampled_from(HOSTS), min_size=count, max_size=count)),
        draw(st.floats(0, 1)),
        draw(st.integers(1, 10**9)),
        depth=draw(st.integers(0, 6)),
        pages=draw(st.integers(1, 200)),
        forms=draw(st.integers(0, 9)),
        new_forms=draw(st.integers(0, 2)),
        gain=draw(st.integers(0, 2)),
    )


def maker(name: str) -> laws.MakeStrategy:
    return partial(make_strategy, name)


@each_strategy
@given(view=views())
def test_gives_one_verdict_per_link(name: str, view: PageView) -> None:
    laws.gives_one_verdict_per_link(maker(name), view)


@each_strategy
@given(view=views())
def test_ranking_does_not_teach(name: str, view: PageView) -> None:
    laws.learns_nothing_from_ranking(maker(name), view)


@each_strategy
@given(view=views())
def test_everything_that_waits_is_in_a_queue_with_a_name(name: str, view: PageView) -> None:
    laws.names_a_queue_for_all_that_waits(maker(name), view)


@each_strategy
@given(view=views(), found=st.lists(st.sampled_from(["http://c.test/", "http://d.test/x"])))
def test_gives_one_verdict_per_page_that_links_there(
    name: str, view: PageView, found: list[str]
) -> None:
    urls = [Url(url) for url in found]
    laws.gives_one_verdict_per_page_that_links_there(maker(name), view, urls)


@each_strategy
@given(lessons=st.lists(views(), max_size=5), view=views())
def test_what_was_learned_survives(name: str, lessons: list[PageView], view: PageView) -> None:
    laws.carries_on_what_it_learned(maker(name), lessons, view)


@each_strategy
@given(lessons=st.lists(views(), min_size=1, max_size=5))
def test_waiting_links_are_ranked_again_within_bounds(name: str, lessons: list[PageView]) -> None:
    laws.ranks_again_within_bounds(maker(name), lessons)


@each_strategy
@given(lessons=st.lists(views(), max_size=5))
def test_what_was_learned_is_told_in_one_shape(name: str, lessons: list[PageView]) -> None:
    laws.tells_what_it_learned_in_one_shape(maker(name), lessons)


@each_strategy
@settings(max_examples=20)
@given(lessons=st.lists(views(), max_size=5), view=views())
def test_a_strategy_begins_anew_with_what_it_was_taught(
    name: str, lessons: list[PageView], view: PageView
) -> None:
    laws.begins_anew_with_what_it_learned(maker(name), lessons, view)


@each_strategy
def test_a_site_is_left_only_with_a_reason(name: str) -> None:
    laws.leaves_a_site_only_with_a_reason(maker(name))
