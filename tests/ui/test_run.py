"""From a phrase to a table in one command."""

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

import leadline
from leadline.errors import StoreError
from leadline.job import name_files
from leadline.store import open_store_view
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


def test_a_table_that_cannot_be_written_is_refused_before_anything_is_asked(
    command: Run, web: PracticeWeb, capfd: pytest.CaptureFixture[str]
) -> None:
    seeds = ("--seeds", *web.seeds("hotel", 2))
    refusals = {
        ("--out", "nowhere/hotels.csv"): "there is no folder nowhere",
        ("--out", "hotels.doc"): "the ending says the format",
        ("--store", "nowhere/hotels.leadline"): "there is no folder nowhere",
    }
    for more, message in refusals.items():
        assert command("hotels", *seeds, *more) == Exit.BAD_INPUT
        assert message in capfd.readouterr().err
    Path("empty.txt").write_text("# nothing yet\n")
    assert command("hotels", "--seeds", "empty.txt") == Exit.BAD_INPUT
    assert "there is no URL in empty.txt" in capfd.readouterr().err
    assert not Path("hotels.leadline").exists()


def test_a_store_about_another_topic_is_refused(
    command: Run, web: PracticeWeb, capfd: pytest.CaptureFixture[str]
) -> None:
    seeds = web.seeds("hotel", 2)
    assert command("hotels", "--seeds", *seeds, "--requests", "5", "--quiet") == Exit.DONE
    assert command("books", "--store", "hotels.leadline") == Exit.BAD_INPUT
    assert "holds a run about 'hotel'" in capfd.readouterr().err
    assert not Path("books.sqlite").exists()


def test_seeds_that_do_not_answer_are_named_with_the_reason(
    command: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    assert command("hotels", "--seeds", "http://127.0.0.1:9/") == Exit.NOTHING_FETCHED
    err = capfd.readouterr().err
    assert "no page from the seed http://127.0.0.1:9/" in err
    assert "no page could be fetched" in err


def test_a_run_that_is_killed_resumes_and_its_table_is_whole(
    web: PracticeWeb, tmp_path: Path, command: Run
) -> None:
    pairs = {**web.settings, "politeness.sites_per_address": 0, "web.allow_private": True}
    words = ["run", "hotels", "--seeds", *web.seeds("hotel", 12), "--requests", "250", "--quiet"]
    words += [word for name, one in pairs.items() for word in ("--set", f"{name}={write(one)}")]
    with subprocess.Popen([sys.executable, "-m", "leadline.ui.cli", *words], cwd=tmp_path) as run:
        until(lambda: count_records(tmp_path / "hotels.leadline") > 20)
        run.kill()
    kept = count_records(tmp_path / "hotels.leadline")
    assert not Path("hotels.sqlite").exists()
    assert command("hotels", "--requests", "250", "--quiet") == Exit.DONE
    assert count_records(Path("hotels.leadline")) >= kept
    assert count_things(Path("hotels.sqlite")) > 20


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


def until(is_true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 180.0
    while not is_true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def count_records(path: Path) -> int:
    """As another process sees them; 0 while there is no store."""
    try:
        opened = open_store_view(path)
    except StoreError:
        return 0
    with closing(opened) as store:
        return sum(store.harvests.tally(head.id).records for head in store.harvests.all())


def count_things(path: Path) -> int:
    with closing(sqlite3.connect(path)) as made:
        (count,) = made.execute("SELECT count(*) FROM things").fetchone()
    return int(count)
