"""Answers written by hand are read as a person reads them."""

import pytest

from leadline.core.harvest import Answer
from leadline.harvester.answers import AnswerReader
from tests.harvester.answers.written import languages, libraries, manners, shops, software, styles
from tests.harvester.answers.written.case import Said, Source

SOURCES = (
    *libraries.SOURCES,
    *software.SOURCES,
    *shops.SOURCES,
    *languages.SOURCES,
    *manners.SOURCES,
    *styles.SOURCES,
)
NONSENSE = ("bgzvxmwqfbm", "xwkqzzvbpdj")


def reader_of(source: Source, nonsense: int = 2) -> AnswerReader:
    reader = AnswerReader(source.form)
    for text in NONSENSE[:nonsense]:
        reader.take_nonsense(source.asks(text), source.nonsense(text))
    return reader


def read(reader: AnswerReader, source: Source, said: Said) -> Answer:
    return reader.read(source.asks(said.query), source.reply(said))


@pytest.mark.parametrize("source", SOURCES, ids=[source.name for source in SOURCES])
def test_kind_records_and_total_are_what_the_page_shows(source: Source) -> None:
    reader = reader_of(source)
    for said in source.answers:
        answer = read(reader, source, said)
        assert answer.kind == said.kind, answer.why
        assert tuple(record.title for record in answer.records) == said.titles
        assert answer.total == said.total
        assert said.total is None or answer.is_total_exact == said.is_exact


@pytest.mark.parametrize("source", SOURCES, ids=[source.name for source in SOURCES])
def test_a_reply_read_again_later_gives_the_same_keys(source: Source) -> None:
    reader = reader_of(source)
    first = [[r.key for r in read(reader, source, said).records] for said in source.answers]
    reader.restore(reader.state())
    again = [[r.key for r in read(reader, source, said).records] for said in source.answers]
    assert again == first


@pytest.mark.parametrize("nonsense", [0, 1])
def test_most_sources_are_read_with_little_or_no_nonsense_to_learn_from(nonsense: int) -> None:
    plain = [source for source in SOURCES if source.answers[0].kind == "results"]
    right = sum(
        tuple(r.title for r in read(reader_of(s, nonsense), s, s.answers[0]).records)
        == s.answers[0].titles
        for s in plain
    )
    assert right >= 0.8 * len(plain)
