"""Links that look like commands, whatever their verbs."""

import pytest

from leadline.core.address_words import split_url
from leadline.core.command_model import LEAST_SCORE, find_features, score_command
from leadline.core.state_change import find_change_by_words, find_state_change

# Verbs that the lists of words do not have: what counts is that they look like commands.
COMMANDS = [
    ("http://a.example/message.php?do=respam&id=5", "Respam this message"),
    ("http://a.example/order/7/unconfirm", "Unconfirm"),
    ("http://a.example/topic/91/unlockify", "Unlockify topic"),
]
SECTIONS = [
    ("http://a.example/film/91/cast", "Cast"),
    ("http://a.example/film/91/reviews", "Reviews"),
    ("http://a.example/produkt/91/beschreibung", "Beschreibung"),
    ("http://a.example/livre/91/auteur", "Auteur"),
    ("http://a.example/book.php?id=91&tab=contents", "Contents"),
]


@pytest.mark.parametrize(("url", "text"), COMMANDS)
def test_a_command_is_told_by_its_looks(url: str, text: str) -> None:
    assert not find_change_by_words(url, text)
    assert "look like a command" in find_state_change(url, text)


@pytest.mark.parametrize(("url", "text"), SECTIONS)
def test_a_part_of_a_thing_is_shown(url: str, text: str) -> None:
    assert score_command(*split_url(url), text) < LEAST_SCORE
    assert not find_state_change(url, text)


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("http://a.example/task/done", "Done"),
        ("http://a.example/task/91/done", ""),
        ("http://a.example/task/91/done", "How we got it done in the end, and why"),
    ],
    ids=["no thing", "no words", "a title"],
)
def test_without_a_thing_or_words_looks_say_nothing(url: str, text: str) -> None:
    assert not find_features(*split_url(url), text)


def test_the_token_against_forged_requests_tells_that_something_changes() -> None:
    assert "token (?csrfkey)" in find_state_change("http://a.example/t/4410?csrfKey=81e1f", "Top")


@pytest.mark.parametrize(
    "path", ["/poll.php?pid=9&choice=3", "/anketa.asp?hlas=2&anketa=55", "/umfrage/7?antwort=1"]
)
def test_an_answer_to_a_poll_is_a_vote(path: str) -> None:
    assert "vote" in find_state_change(f"http://a.example{path}", "Only when it rains")
    assert not find_state_change(f"http://a.example{path.partition('?')[0]}?page=2", "2")
