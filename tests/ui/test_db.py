"""`leadline db`, and commands on a store in a database."""

from pathlib import Path

import pytest

from leadline.core.crawl import Budget
from leadline.store import open_shared_store, open_store
from leadline.store.postgres.schema import MIGRATIONS
from leadline.ui.cli.exits import Exit
from tests.store.samples import candidate
from tests.ui.conftest import Command, paid_for
from tests.ui.small_web import SEEDS


def test_a_database_is_made_ready_once(leadline: Command, bare_url: str) -> None:
    assert leadline("db", "migrate", bare_url).code == Exit.BAD_INPUT
    made = leadline("db", "init", bare_url)
    assert made.code == Exit.DONE
    assert f"has a store of format {len(MIGRATIONS)}" in made.err
    again = leadline("db", "init", bare_url)
    assert again.code == Exit.BAD_INPUT
    assert "leadline db migrate" in again.err
    assert "is up to date" in leadline("db", "migrate", bare_url).err
    assert leadline("db", "migrate", bare_url, "--json").json["to"] == len(MIGRATIONS)


def test_what_is_in_use_is_not_migrated(leadline: Command, postgres_url: str) -> None:
    shared = open_shared_store(postgres_url)
    ended = leadline("db", "migrate", postgres_url)
    assert ended.code == Exit.STORE
    assert "stop what uses it" in ended.err
    shared.close()


def test_a_file_needs_no_init(leadline: Command, tmp_path: Path) -> None:
    ended = leadline("db", "init", tmp_path / "c.leadline")
    assert ended.code == Exit.BAD_INPUT
    assert "no database's URL" in ended.err


def test_a_crawl_in_a_database_is_looked_at_copied_and_gone_on_with(
    leadline: Command,
    way: list[str],
    postgres_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    told = ("crawl", "book", "--seeds", *SEEDS, *way, "--store", postgres_url, "--json")
    ended = leadline(*told, "--pages", 60)
    assert ended.code == Exit.DONE
    assert paid_for(ended.json["counts"]) == 60
    assert (tmp_path / "crawl.html").exists()
    status = leadline("status", postgres_url, "--json").json
    assert status["counts"] == ended.json["counts"]
    assert status["state"] == "stopped"
    forms = leadline("forms", postgres_url, "--json").json
    copied = leadline("db", "copy", postgres_url, "copied.leadline", "--json").json
    assert copied["visits"] == status["counts"]["visits"]
    assert leadline("forms", "copied.leadline", "--json").json == forms
    assert leadline("order", postgres_url, "budget", "--pages", 70, "--wait", 0).code == Exit.DONE
    assert paid_for(leadline(*told).json["counts"]) == 70
    assert leadline("explain", postgres_url, forms[0]["page"]).code == Exit.DONE


def test_a_run_of_many_is_told_with_its_workers(leadline: Command, postgres_url: str) -> None:
    open_store(postgres_url).close()
    shared = open_shared_store(postgres_url)
    shared.run.begin(Budget())
    assert leadline("status", postgres_url, "--json").json["team"] is None
    shared.links.put([candidate(number) for number in range(3)])
    shared.links.lease("first", sites=1, urls=2, for_s=60.0)
    (worker,) = leadline("status", postgres_url, "--json").json["team"]["workers"]
    assert (worker["name"], worker["out"], worker["visits"]) == ("first", 2, 0)
    told = leadline("status", postgres_url).out
    assert "1 at work; no learner, model 0, 0 lessons to learn" in told
    shared.run.sign_off("first")
    (worker,) = leadline("status", postgres_url, "--json").json["team"]["workers"]
    assert worker["seen_s"] is None
    shared.close()


def test_no_password_is_told(leadline: Command) -> None:
    url = "postgresql://me:secret@127.0.0.1:1/crawl"
    for words in (
        ("status", url),
        ("db", "init", url),
        ("crawl", "book", "--store", url),
        ("db", "copy", url, "x.leadline"),
    ):
        ended = leadline(*words)
        assert ended.code == Exit.STORE, words
        assert "127.0.0.1" in ended.err
        assert "secret" not in ended.err + ended.out
