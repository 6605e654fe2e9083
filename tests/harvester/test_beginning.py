"""What is asked while nothing is found."""

from collections.abc import Iterator

import pytest

from leadline.core.harvest import NOTHING, RESULTS, Cell, Outcome, Record
from leadline.core.ports import QueryPolicy
from leadline.harvester.general_words import MAX_WORDS, suggest_words
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Box, Interface, Menu, MenuChoice
from leadline.harvester.policies import POLICIES, make_policy

WORDS = tuple(f"page{number}" for number in range(10))
FORM = Interface(boxes=(Box("q"),), words=WORDS, language="de")
TYPING = [name for name, kind in POLICIES.items() if kind.types_words]


def asked_in_vain(policy: QueryPolicy) -> Iterator[str]:
    while (choice := policy.choose()) is not None:
        yield choice.query.text
        policy.learn(Outcome(choice.query, NOTHING, requests=1))


@pytest.mark.parametrize("name", TYPING)
def test_a_policy_that_finds_nothing_asks_general_words_beside_its_own_and_ends(name: str) -> None:
    asked = list(asked_in_vain(make_policy(name, FORM, Holdings())))
    general = [word for _, word in suggest_words(FORM)]
    assert asked[:5] == list(WORDS[:5]) or name in ("random", "yield_per_cost")
    assert set(WORDS) <= set(asked)
    assert set(general) <= set(asked)
    assert len(asked) == len(set(asked))
    assert asked.index(general[0]) < len(WORDS)


@pytest.mark.parametrize("name", TYPING)
def test_once_records_are_held_the_policy_is_left_alone(name: str) -> None:
    holdings = Holdings()
    helped = make_policy(name, FORM, holdings)
    for _, _word in zip(range(8), asked_in_vain(helped), strict=False):
        pass
    holdings.add(Record("1", "", (Cell("p", "amsel drossel fink"),)))
    choice = helped.choose()
    assert choice is not None
    assert choice.why != "a word that most texts have"
    helped.learn(Outcome(choice.query, RESULTS, 1, 0, requests=1))


def test_general_words_are_of_the_language_and_of_all_kinds() -> None:
    german = [word for _, word in suggest_words(FORM)]
    assert {"haus", "peter", "2020", "der", "müller", "1", "berlin", "gmbh", "a"} <= set(german[:9])
    assert len(german) == len(set(german)) == MAX_WORDS


def test_boxes_that_ask_for_one_thing_get_that() -> None:
    form = Interface(boxes=(Box("who", meaning="person"), Box("when", meaning="year")))
    asked = list(suggest_words(form))
    assert [(box.name, word) for box, word in asked[:4]] == [
        ("who", "smith"), ("when", "2020"), ("who", "john"), ("when", "2015"),
    ]  # fmt: skip
    assert all(word.isdigit() for box, word in asked if box.name == "when")


def test_words_that_a_box_does_not_take_are_left_out() -> None:
    form = Interface(boxes=(Box("q", max_length=6),), min_length=3)
    asked = list(asked_in_vain(make_policy("gf", form, Holdings())))
    assert asked
    assert all(3 <= len(word) <= 6 for word in asked)


def test_without_a_box_nothing_is_typed() -> None:
    menu = Menu("m", (MenuChoice("1", "one"), MenuChoice("2", "two")))
    for name in POLICIES:
        asked = list(asked_in_vain(make_policy(name, Interface(menus=(menu,)), Holdings())))
        assert set(asked) <= {"1", "2"}
