"""Items without links keep their first key when it turns out which of their texts are passages."""

import pytest

from leadline.core.harvest import Query
from leadline.harvester.answers import AnswerReader
from tests.harvester.answers.test_reader import listed, reader, reply

__all__ = ["reader"]
_ITEM = (
    "<li><h3>The title of number {0} in full</h3><p>some <b>WORD</b> and WORD{0} of it all</p></li>"
)


def keys_of(reader: AnswerReader, word: str, *numbers: str) -> list[str]:
    body = listed(*numbers, item=_ITEM.replace("WORD", word))
    answer = reader.read(Query.of(q=word), reply(body, word))
    assert [record.title[-len("9 in full") :] for record in answer.records]
    return [record.key for record in answer.records]


@pytest.mark.parametrize("is_restored", [False, True])
def test_early_items_keep_their_keys(reader: AnswerReader, *, is_restored: bool) -> None:
    first = keys_of(reader, "oak", "1", "2", "3")
    later = keys_of(reader, "elm", "4", "5", "6", "7", "8", "9")
    if is_restored:
        reader.restore(reader.state())
    again = keys_of(reader, "ash", "1", "2", "3", "4", "5", "6", "7")
    assert again[:3] == first
    assert again[3:] == later[:4]
