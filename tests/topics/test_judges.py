"""From what a user calls a topic to its judge."""

from pathlib import Path

import pytest

from leadline.errors import ConfigError
from leadline.learn.model_files import WEIGHTS, Manifest
from leadline.topics import KeywordTopic, open_topic
from leadline.topics.judges import BayesTopic, find_topic
from leadline.topics.pack import KIND, make_keyword_pack, write_pack

PLAIN = Manifest(KIND, ("tests",), "")


def test_a_shipped_name_opens_its_pack() -> None:
    topic = open_topic("book")
    assert isinstance(topic, BayesTopic)
    assert topic.name == "book"


def test_words_are_the_topic_whatever_it_is_called() -> None:
    topic = open_topic("book", ("judge", "docket"))
    assert isinstance(topic, KeywordTopic)
    assert topic.words == ("judge", "docket")
    assert isinstance(open_topic(""), KeywordTopic)


def test_a_folder_is_found_by_path_and_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_pack(Path("topics/court"), make_keyword_pack("court", ("judge",)), PLAIN)
    for name in ("court", "topics/court", str(tmp_path / "topics" / "court")):
        assert open_topic(name).name == "court"
    assert find_topic("nosuch") is None
    with pytest.raises(ConfigError, match="leadline topic new nosuch"):
        open_topic("nosuch")


def test_a_damaged_topic_is_named(tmp_path: Path) -> None:
    write_pack(tmp_path, make_keyword_pack("court", ("judge",)), PLAIN)
    (tmp_path / WEIGHTS).write_bytes(b"")
    with pytest.raises(ConfigError, match="cannot be read"):
        open_topic(str(tmp_path))
