"""Which templates are worth asking for, told from as few answers as possible."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.harvest import NOTHING, RESULTS, Answer, Record
from leadline.harvester.survey.survey import Distinctness, chance_of_distinct, spread_out


def verdict(answers: str, most: int = 6) -> tuple[bool | None, int]:
    """Of answers that are alike when their letters are: what is told, and after how many."""
    distinct = Distinctness(most)
    for count, letter in enumerate(answers, 1):
        distinct.add(Answer(RESULTS, (Record(letter, letter, ()),)))
        if distinct.verdict is not None:
            return distinct.verdict, count
    return distinct.verdict, len(answers)


@pytest.mark.parametrize(
    ("answers", "most", "told"),
    [
        ("ab", 6, (True, 2)),
        ("aaaaaa", 6, (False, 6)),
        ("aaaaab", 6, (True, 6)),
        ("aab", 6, (None, 3)),
        ("aa", 2, (False, 2)),
        ("a", 6, (None, 1)),
        ("a" * 100, 100, (False, 14)),
    ],
)
def test_two_answers_mostly_suffice(answers: str, most: int, told: tuple[bool, int]) -> None:
    assert verdict(answers, most) == told


def test_the_order_of_records_does_not_matter_and_no_answer_is_like_another() -> None:
    one, other = Record("a", "", ()), Record("b", "", ())
    distinct = Distinctness(3)
    for answer in (Answer(RESULTS, (one, other)), Answer(RESULTS, (other, one)), Answer(NOTHING)):
        distinct.add(answer)
    assert distinct.verdict is True


@given(st.integers(0, 60), st.integers(0, 60))
def test_new_answers_raise_the_chance_and_repeated_ones_lower_it(fresh: int, again: int) -> None:
    chance = chance_of_distinct(fresh, again)
    assert 0 <= chance <= 1 + 1e-9
    assert chance_of_distinct(fresh + 1, again) >= chance - 1e-9
    assert chance_of_distinct(fresh, again + 1) <= chance + 1e-9


@given(st.integers(0, 300), st.integers(0, 12))
def test_the_first_and_the_last_choice_are_tried_first(count: int, most: int) -> None:
    found = spread_out(range(count), most)
    assert len(found) == len({*found}) == min(count, most)
    assert found[:2] == [0, count - 1][: min(count, most)]
