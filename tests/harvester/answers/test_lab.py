"""Answers of the lab's sources are read as they are meant, in every layout."""

from itertools import cycle

import pytest

from leadline.core.harvest import NOTHING, RECORD, RESULTS
from leadline.harvester.answers import AnswerReader
from leadline_lab.databases.kinds import EMPTY_ANSWERS, LAYOUTS
from leadline_lab.profile import profile_named
from leadline_lab.world import World
from tests.harvester.answers.lab import LabSource, sources

NONSENSE = ("bgzvxmwqfbm", "xwkqzzvbpdj", "kzzqvwxxbpd")


@pytest.fixture(scope="module")
def lab() -> list[LabSource]:
    return list(sources(World(profile_named("dev"), 31), 15))


def reader_of(source: LabSource) -> AnswerReader:
    assert source.form is not None
    reader = AnswerReader(source.form)
    for text in NONSENSE[:2]:
        asked = source.ask(text)
        reader.take_nonsense(asked.query, asked.reply)
    return reader


def test_records_kinds_and_totals_are_those_of_the_truth(lab: list[LabSource]) -> None:
    pages = right = kinds = totals = 0
    for source, layout, empty in zip(lab, cycle(LAYOUTS), cycle(EMPTY_ANSWERS), strict=False):
        source.behave(
            layout=layout, empty_answer=empty, has_details=True, has_facets=True, total="exact",
            redirects_single=layout == "cards", min_length=0,
        )  # fmt: skip
        reader = reader_of(source)
        for word in (*source.words(), NONSENSE[2]):
            asked = source.ask(word)
            answer = reader.read(asked.query, asked.reply)
            meant = RECORD if asked.truth.location else RESULTS if asked.truth.shown else NOTHING
            pages += 1
            kinds += answer.kind == meant
            right += [record.key for record in answer.records] == source.keys(asked.truth)
            totals += meant != RESULTS or answer.total == asked.truth.matched
    assert pages >= 100
    assert kinds >= 0.97 * pages
    assert right >= 0.97 * pages
    assert totals >= 0.97 * pages


def test_records_without_pages_of_their_own_keep_their_keys(lab: list[LabSource]) -> None:
    pages = right = 0
    for source, layout in zip(lab, cycle(LAYOUTS), strict=False):
        source.behave(layout=layout, has_details=False, redirects_single=False, min_length=0)
        reader = reader_of(source)
        names: dict[str, int] = {}
        for word in source.words():
            asked = source.ask(word)
            answer = reader.read(asked.query, asked.reply)
            pages += 1
            shown = asked.truth.shown
            keys = [record.key for record in answer.records]
            is_same = all(names.setdefault(k, n) == n for k, n in zip(keys, shown, strict=False))
            right += len(keys) == len(shown) and is_same
    assert right >= 0.95 * pages
