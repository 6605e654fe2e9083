"""Form and page heard together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.forms.joining import EVEN, MET, Joint, joined

CHANCE = st.floats(0, 1)
WORDS = st.integers(0, 500)


@given(CHANCE, CHANCE, WORDS)
def test_it_is_a_chance(form: float, page: float, words: int) -> None:
    assert 0 <= joined(form, page, words) <= 1


@given(CHANCE, CHANCE, CHANCE, WORDS)
def test_a_likelier_form_or_page_is_never_less_likely(
    form: float, low: float, high: float, words: int
) -> None:
    low, high = min(low, high), max(low, high)
    assert joined(form, low, words) <= joined(form, high, words)
    assert joined(low, form, words) <= joined(high, form, words)


def test_the_page_decides_over_a_box_that_says_nothing_where_every_other_is_wanted() -> None:
    assert joined(0.2, 0.95, 0, EVEN) > 0.5
    assert joined(0.2, 0.02, 0, EVEN) < 0.35


def test_in_crawls_a_box_that_says_nothing_is_not_enough() -> None:
    assert joined(0.2, 0.95, 0) < 0.5


@pytest.mark.parametrize("mix", [EVEN, MET])
def test_what_a_form_says_decides_in_either_mix(mix: Joint) -> None:
    assert joined(0.99, 0.9, 12, mix) > 0.5
    assert joined(0.02, 0.9, 12, mix) < 0.5


def test_a_form_that_says_what_it_is_decides_over_the_page() -> None:
    assert joined(0.99, 0.3, 12) > 0.5
    assert joined(0.01, 0.9, 12) < 0.5


@pytest.mark.parametrize("words", [0, 1, 30])
def test_certainty_does_not_break_it(words: int) -> None:
    assert joined(0.0, 0.0, words) < 0.05
    assert joined(1.0, 1.0, words) > 0.95
