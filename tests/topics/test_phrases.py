"""From a phrase to a topic."""

import pytest

from leadline.errors import ConfigError
from leadline.topics.phrases import NAMES, read_phrase
from leadline.topics.vocabulary import DOMAINS


@pytest.mark.parametrize(
    ("phrase", "topic"),
    [
        ("used cars", "auto"),
        ("Books", "book"),
        ("book search", "book"),
        ("car rental", "rental"),
        ("cheap flights", "airfare"),
        ("bücher", "book"),
        ("вакансии", "job"),
        ("求人", "job"),
    ],
)
def test_a_phrase_that_names_a_shipped_topic_is_that_topic(phrase: str, topic: str) -> None:
    assert read_phrase(phrase).name == topic


@pytest.mark.parametrize("phrase", ["toy cars", "court records", "bird species", "museum objects"])
def test_any_other_phrase_is_a_topic_of_its_own_words(phrase: str) -> None:
    found = read_phrase(phrase)
    assert not found.name
    assert found.words


def test_fillers_and_stop_words_are_no_words_of_a_topic() -> None:
    assert read_phrase("databases of the court records").words == ("court",)


def test_a_phrase_without_words_is_refused_with_an_example() -> None:
    with pytest.raises(ConfigError, match="museum objects"):
        read_phrase(" 42 !")


def test_every_shipped_topic_has_a_name() -> None:
    assert set(NAMES) == set(DOMAINS)
