"""`leadline ask`: the table on stdout, how each source was asked on stderr."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.asking import crawl_bookshops, serving_bookshops
from tests.ui.conftest import Command


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with serving_bookshops() as (_, settings):
        store = tmp_path_factory.mktemp("ask") / "books.leadline"
        crawl_bookshops(store, settings)
        yield store


def test_the_table_goes_to_stdout_and_the_ways_of_asking_to_stderr(
    leadline: Command, books: Path
) -> None:
    ended = leadline("ask", books, "author=Le Guin", "price<=20")
    assert ended.code == 0
    head, *rows = ended.out.splitlines()
    assert head.split()[:2] == ["name", "author"]
    assert rows
    assert all("Le Guin" in row for row in rows)
    assert "'Verfasser' = Le Guin" in ended.err
    assert "checked on its records: price<=20" in ended.err


def test_json_has_the_things_with_their_origins(leadline: Command, books: Path) -> None:
    ended = leadline("ask", books, "title=Silver River", "--json")
    (thing,) = ended.json["things"]
    assert thing["name"] == "The Silver River"
    assert {origin["site"] for origin in thing["origins"]} > {"fields.example"}
    assert len(ended.json["sources"]) == 5


def test_a_question_that_cannot_be_read_is_bad_input(leadline: Command, books: Path) -> None:
    ended = leadline("ask", books, "authxr=Lem")
    assert ended.code == 2
    assert "author" in ended.err
    assert leadline("ask", books).code == 2
