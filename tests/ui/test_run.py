"""From a phrase to a table in one command."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

import leadline
from leadline.job import name_files
from leadline.ui.cli.app import run
from leadline.ui.cli.exits import Exit
from leadline_lab.practice import PracticeWeb, practice_web

Run = Callable[..., int]


@pytest.fixture(scope="module")
def web() -> Iterator[PracticeWeb]:
    with practice_web() as served:
        yield served


@pytest.fixture
def command(web: PracticeWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    pairs = {**web.settings, "politeness.sites_per_address": 0, "web.allow_private": True}

    def command(phrase: str, *more: str) -> int:
        sets = [
            word for name, value in pairs.items() for word in ("--set", f"{name}={write(value)}")
        ]
        return run(["run", phrase, *more, *sets])

    return command


def test_a_phrase_and_seeds_become_a_table(
    command: Run, web: PracticeWeb, capfd: pytest.CaptureFixture[str]
) -> None:
    seeds = web.seeds("hotel", 12)
    assert command("hotels", "--seeds", *seeds, "--requests", "300", "--json") == Exit.DONE
    told = json.loads(capfd.readouterr().out)
    assert told["table"] == "hotels.sqlite"
    assert told["things"] == count_things(Path("hotels.sqlite")) > 0
    assert told["records"] >= told["things"]
    assert [source["records"] for source in told["sources"]] == sorted(
        (source["records"] for source in told["sources"]), reverse=True
    )
    assert Path("hotels.datapackage.json").is_file()


def test_the_same_command_resumes_and_ends_with_what_to_do_next(
    command: Run, web: PracticeWeb, capfd: pytest.CaptureFixture[str]
) -> None:
    seeds = web.seeds("hotel", 12)
    assert command("hotels", "--seeds", *seeds, "--requests", "150", "--quiet") == Exit.DONE
    before = count_things(Path("hotels.sqlite"))
    assert command("hotels", "--requests", "250") == Exit.DONE
    err = capfd.readouterr().err
    assert "resuming hotels.leadline" in err
    assert "leadline serve hotels.leadline" in err
    assert count_things(Path("hotels.sqlite")) >= before


def test_a_phrase_of_no_shipped_topic_is_taught_by_its_words_and_seeds(
    command: Run, web: PracticeWeb, capfd: pytest.CaptureFixture[str]
) -> None:
    seeds = web.seeds("hotel", 4)
    assert command("haunted castles", "--seeds", *seeds, "--requests", "20") == Exit.DONE
    assert "taught by its words and" in capfd.readouterr().err
    assert Path("haunted-castles.topic").is_dir()


def test_without_seeds_it_says_what_it_needs(
    command: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    assert command("hotels") == Exit.BAD_INPUT
    assert "give some with --seeds" in capfd.readouterr().err


def test_python_runs_the_same_job(web: PracticeWeb, tmp_path: Path) -> None:
    settings = {**web.settings, "politeness.sites_per_address": 0, "web.allow_private": True}
    found = leadline.run(
        "hotels",
        web.seeds("hotel", 12),
        out=tmp_path / "hotels.csv",
        store=tmp_path / "hotels.leadline",
        requests=150,
        settings=settings,
    )
    assert found.things > 0
    assert len((tmp_path / "hotels.csv").read_text().splitlines()) >= found.things


def test_files_are_named_after_the_phrase() -> None:
    assert name_files("Used cars!") == "used-cars"
    assert name_files("Бронь отелей") == "бронь-отелей"


def write(value: object) -> str:
    """As TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}" = "{one}"' for key, one in value.items()) + "}"
    return str(value).lower()


def count_things(path: Path) -> int:
    with closing(sqlite3.connect(path)) as made:
        (count,) = made.execute("SELECT count(*) FROM things").fetchone()
    return int(count)
