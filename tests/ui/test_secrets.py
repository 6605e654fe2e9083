"""Passwords and keys are nowhere: not in a store, a report, an archive, a message or a page."""

import base64
import json
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest

from leadline.config import load_config
from leadline.config.runs import open_to_read
from leadline.store import open_store
from leadline.ui.cli.app import run
from leadline.ui.cli.exits import Exit
from leadline.views.stores import saved_settings
from tests.ui import small_web
from tests.ui.conftest import Command

SECRETS = ("pr0xy+Secret/1", "s33d-Secret-2", "k3y-Secret-3", "d4tabase-Secret-4")
PROXY = f"http://ann:{quote(SECRETS[0], safe='')}@127.0.0.1:9"
SEED = f"http://bob:{SECRETS[1]}@shelf-guide.demo/"
SERVICE = f"http://127.0.0.1:9/links?api_key={SECRETS[2]}"
DATABASE = f"postgresql://carl:{SECRETS[3]}@127.0.0.1:9/crawl"


def spellings(secret: str) -> list[bytes]:
    plain = secret.encode()
    logins = (b"ann:" + plain, b"bob:" + plain, plain)
    return [plain, quote(secret, safe="").encode(), *(base64.b64encode(x)[:-4] for x in logins)]


def assert_no_secret(data: bytes, where: object) -> None:
    for secret in SECRETS:
        for spelling in spellings(secret):
            assert spelling not in data, (where, spelling)


@pytest.fixture
def crawled(tmp_path: Path, leadline: Command) -> Path:
    """A store whose crawl had a secret in every place that takes one, and reached nothing."""
    path = tmp_path / "crawl.leadline"
    ended = leadline(
        *("crawl", "book", "--seeds", SEED, "--store", path, "--pages", "3"),
        *("--set", f"web.proxy={PROXY}", "--archive", tmp_path / "archive"),
        *("--set", "web.allow_private=true", "--set", "robots.obey=false", "--delay", "0"),
        *("--set", "backlinks.provider=service", "--set", f"backlinks.address={SERVICE}"),
    )
    assert ended.code == Exit.NOTHING_FETCHED, ended.err
    assert_no_secret((ended.out + ended.err).encode(), "crawl")
    return path


def test_no_file_of_a_crawl_holds_a_secret(crawled: Path, tmp_path: Path) -> None:
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert crawled in files
    assert crawled.with_name(f"{crawled.name}.html") in files
    for file in files:
        assert_no_secret(file.read_bytes(), file)


def test_no_command_shows_a_secret(crawled: Path, tmp_path: Path, leadline: Command) -> None:
    flags = ["--set", f"web.proxy={PROXY}", "--set", f"backlinks.address={SERVICE}"]
    commands: list[list[object]] = [
        ["config", *flags],
        ["config", "--json", *flags],
        ["config", "--set", f"web.proxy=nonsense://{SECRETS[0]}@host"],
        ["config", "--set", f"backlinks.address=ftp://a:{SECRETS[2]}@host"],
        ["status", crawled],
        ["status", crawled, "--json"],
        ["explain", crawled, SEED],
        ["export", crawled, tmp_path / "pages.csv"],
        ["report", crawled, "--out", tmp_path / "again.html"],
        ["store", "check", crawled],
        ["status", DATABASE],
        ["db", "init", DATABASE],
        ["store", "backup", DATABASE, tmp_path / "copy.leadline"],
        ["order", crawled, "seeds", SEED],
    ]
    for command in commands:
        ended = leadline(*command)
        assert_no_secret((ended.out + ended.err).encode(), command)
    for file in tmp_path.rglob("*"):
        if file.is_file():
            assert_no_secret(file.read_bytes(), file)


def test_who_resumes_gives_the_secret_again(
    crawled: Path, leadline: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = leadline("crawl", "--store", crawled, "--pages", "4")
    assert ended.code == Exit.BAD_INPUT
    assert "which no store keeps" in ended.err
    monkeypatch.setenv("LEADLINE_WEB_PROXY", PROXY)
    monkeypatch.setenv("LEADLINE_BACKLINKS_ADDRESS", SERVICE)
    assert leadline("crawl", "--store", crawled, "--pages", "4").code != Exit.BAD_INPUT


def test_settings_from_an_older_store_are_shown_masked(tmp_path: Path, leadline: Command) -> None:
    path = tmp_path / "old.leadline"
    kept = load_config(settings={"web.proxy": PROXY, "topic.name": "book"})[0].model_dump_json()
    with closing(open_store(path)) as store:
        store.save("config", kept.encode())
    with open_to_read(str(path)) as view:
        assert_no_secret(json.dumps(saved_settings(view)).encode(), "settings")
    ended = leadline("report", path, "--out", tmp_path / "old.html")
    assert ended.code == Exit.DONE
    assert_no_secret((tmp_path / "old.html").read_bytes(), "report")
    assert "web.proxy" in leadline("store", "check", path).out


def test_a_seed_loses_its_login_before_it_is_kept() -> None:
    assert load_config(settings={"seeds": [SEED]})[0].seeds == ("http://shelf-guide.demo/",)
    assert small_web.SEEDS
    assert run(["config", "--set", f'seeds=["{SEED}"]']) == Exit.DONE
