"""The parts of the guide are a real distribution: listed, lawful, and at work."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.api.bookshop import HOME, serving
from tests.docs.blocks import DOCS, blocks_of

BLOCKS = [block for block in blocks_of(DOCS / "guides" / "extending.md") if block.runs]
FILES = {block.title: block.code for block in BLOCKS if block.title}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Of a process in which the guide's distribution is installed."""
    folder = tmp_path_factory.mktemp("site")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    project = tomllib.loads(FILES["pyproject.toml"])["project"]
    told = folder / f"{project['name']}-{project['version']}.dist-info"
    told.mkdir()
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (told / "METADATA").write_text(head, encoding="utf-8")
    lines = [
        line
        for group, entries in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {where}" for name, where in entries.items()))
    ]
    (told / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    here = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PYTHONPATH": path, "PATH": here}


def run(command: list[str], environment: dict[str, str], folder: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


def leadline(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "leadline.ui.cli", *arguments]


@pytest.mark.parametrize("name", ["mine/strategy.py", "mine/policy.py", "mine/critic.py"])
def test_each_is_written_in_less_than_40_lines(name: str) -> None:
    assert len(FILES[name].splitlines()) < 40


def test_the_blocks_of_the_guide_run(environment: dict[str, str], tmp_path: Path) -> None:
    blocks = [block for block in BLOCKS if not block.title]
    assert len(blocks) == 3
    for block in blocks:
        shell = ["sh", "-e"] if block.language == "sh" else [sys.executable]
        assert run([*shell, "-c", block.code], environment, tmp_path)


def test_they_are_listed_with_their_distribution(
    environment: dict[str, str], tmp_path: Path
) -> None:
    for command, name in (("strategies", "word_of_mouth"), ("policies", "middling")):
        rows = json.loads(run(leadline(command, "--json"), environment, tmp_path))
        (row,) = [row for row in rows if row["source"] != "leadline"]
        assert (row["name"], row["source"], row["fault"]) == (name, "mine 1.0", "")
        assert row["settings"]


def test_all_of_them_are_listed_as_plug_ins(environment: dict[str, str], tmp_path: Path) -> None:
    rows = json.loads(run(leadline("plugins", "--json"), environment, tmp_path))
    assert {(row["kind"], row["name"]) for row in rows} == {
        ("strategy", "word_of_mouth"),
        ("policy", "middling"),
        ("critic", "asks_for"),
        ("fetcher", "fresh"),
        ("exporter", "md"),
        ("backlink provider", "list"),
        ("store", "folder"),
    }
    assert {(row["source"], row["fault"]) for row in rows} == {("mine 1.0", "")}


def test_a_crawl_and_a_harvest_are_run_by_them(environment: dict[str, str], tmp_path: Path) -> None:
    with serving() as way:
        address = json.dumps(way["web.resolve"]).replace(":", " =", 1)
        there = ["--set", f"web.resolve={address}", "--set", "web.allow_private=true"]
        crawl = leadline(
            *("crawl", "book", "--seeds", HOME, "--strategy", "word_of_mouth", "--pages", "6"),
            *("--store", "folder://crawls/a", "--delay", "0", "--json", "--quiet", *there),
            *("--set", "topic.critic=asks_for", "--set", 'topic.labels=["author"]'),
            *("--set", "web.fetcher=fresh", "--set", "backlinks.provider=list"),
        )
        found = json.loads(run(crawl, environment, tmp_path))
        harvest = leadline(
            *(
                "harvest",
                "all",
                "folder://crawls/a",
                "--policy",
                "middling",
                "--budget-requests",
                "30",
            ),
            *("--json", "--quiet"),
        )
        drawn = json.loads(run(harvest, environment, tmp_path))
    assert found["counts"]["forms"] == 1
    assert drawn["harvests"][0]["policy"] == "middling"
    assert drawn["harvests"][0]["tally"]["records"] > 0
    (form,) = json.loads(
        run(leadline("forms", "folder://crawls/a", "--json"), environment, tmp_path)
    )
    assert "asks for author" in form["why"]
    run(
        leadline("export", "folder://crawls/a", "forms.md", "--what", "forms"),
        environment,
        tmp_path,
    )
    assert (tmp_path / "crawls" / "a" / "crawl.leadline").is_file()
    assert (tmp_path / "forms.md").read_text("utf-8").startswith("|site|what|")


def test_a_name_that_is_nearly_theirs_is_told_of_them(
    environment: dict[str, str], tmp_path: Path
) -> None:
    for setting in ("topic.critic=asks", "web.fetcher=fres", "backlinks.provider=lists"):
        command = leadline("config", "--set", setting)
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode
        assert "did you mean" in done.stderr
