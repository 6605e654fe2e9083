"""Whatever is wrong with the input becomes one line that says what to do."""

from pathlib import Path

import pytest

from leadline.ui.cli.exits import MEANINGS, Exit
from tests.ui.conftest import Command

BAD = {
    "unknown command": (["crwal"], 'did you mean "crawl"?'),
    "unknown option": (["crawl", "--pags", "3"], "did you mean --pages?"),
    "not a number": (["crawl", "book", "--pages", "many"], "--pages"),
    "unknown goal": (["crawl", "book", "--goal", "form"], 'did you mean "forms"?'),
    "unknown topic": (["crawl", "bok", "--seeds", "http://a.test/"], "did you mean 'book'?"),
    "no topic": (["crawl", "--seeds", "http://a.test/"], "--set topic.words"),
    "no seeds": (["crawl", "book"], "no seeds"),
    "seed that is no URL": (["crawl", "book", "--seeds", "ftp://a.test/"], "write https://"),
    "missing seed file": (["crawl", "book", "--seeds", "gone.txt"], "no such file"),
    "unknown setting": (["config", "--set", "budget.page=3"], "did you mean 'budget.pages'?"),
    "setting out of range": (["config", "--set", "budget.pages=-1"], "budget.pages"),
    "setting without value": (["config", "--set", "budget.pages"], "write name=value"),
    "bad TOML value": (["config", "--set", "topic.words=[a"], "not valid TOML"),
    "unknown strategy": (
        ["crawl", "book", "--seeds", "http://a.test/", "--strategy", "rnadom"],
        "did you mean 'random'?",
    ),
    "missing config": (["config", "--config", "gone.toml"], "cannot read gone.toml"),
    "missing argument": (["explain"], "STORE"),
}


@pytest.mark.parametrize(("arguments", "hint"), BAD.values(), ids=BAD)
def test_bad_input_is_one_line_with_the_way_out(
    leadline: Command,
    arguments: list[str],
    hint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = leadline(*arguments)
    assert ended.code == Exit.BAD_INPUT
    assert ended.err.startswith("leadline: ")
    assert ended.err.count("\n") == 1
    assert hint.lower() in ended.err.lower()
    assert ended.out == ""


@pytest.mark.parametrize("command", ["status", "forms", "report"])
def test_a_missing_store_is_a_store_error(leadline: Command, command: str, tmp_path: Path) -> None:
    ended = leadline(command, tmp_path / "gone.leadline")
    assert ended.code == Exit.STORE
    assert "there is no store" in ended.err
    assert "leadline crawl makes one" in ended.err


def test_a_file_that_is_no_store_is_a_store_error(leadline: Command, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are notes, no database at all\n" * 100)
    assert leadline("status", path).code == Exit.STORE
    assert (
        leadline("crawl", "book", "--seeds", "http://a.test/", "--store", path).code == Exit.STORE
    )


@pytest.mark.parametrize("name", ["out.ods", "out"])
def test_export_names_the_formats_it_knows(leadline: Command, store: Path, name: str) -> None:
    ended = leadline("export", store, name)
    assert ended.code == Exit.BAD_INPUT
    assert ".csv" in ended.err


def test_every_exit_code_has_a_meaning() -> None:
    assert set(MEANINGS) == set(Exit)
