"""Every block of code in the docs is run, checked, or says why not."""

import ast
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from leadline.config import load_config
from tests.docs.blocks import (
    ALL,
    LANGUAGES,
    NOT_RUN,
    PAGES,
    ROOT,
    Block,
    blocks_of,
    name_of,
    written_in,
)
from tests.docs.commands import faults_of

ELSEWHERE = {
    "docs/quickstart.md": "test_quickstart",
    "docs/guides/extending.md": "test_extending",
    "docs/guides/operating.md": "test_operating",
    "docs/guides/python.md": "test_python_guide",
}
"""Pages run by a test of their own: they need a web to crawl, a store, or an installation."""
RUN = [
    name_of(page)
    for page in PAGES
    if name_of(page) not in ELSEWHERE and any(block.runs for block in blocks_of(page))
]


@pytest.fixture(autouse=True)
def nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block that would ask another machine fails here, and sends nothing."""

    def refuse(host: object, *_: object, **__: object) -> None:
        raise OSError(f"docs must not ask {host!r}; say `{NOT_RUN}why`")

    monkeypatch.setattr("socket.getaddrinfo", refuse)


def by_name(name: str) -> Path:
    return next(page for page in PAGES if name_of(page) == name)


def test_every_block_names_its_language() -> None:
    assert [
        f"{block}: {block.language!r}" for block in ALL if block.language not in LANGUAGES
    ] == []


def test_a_block_that_is_not_run_says_why() -> None:
    idle = [block for block in written_in("python") if not block.runs]
    reasons = [block.code.partition("\n")[0].removeprefix(NOT_RUN) for block in idle]
    assert all(len(reason.split()) >= 3 for reason in reasons), list(
        zip(idle, reasons, strict=True)
    )
    for block in idle:
        compile(block.code, str(block), "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


@pytest.mark.parametrize("block", written_in("sh"), ids=str)
def test_commands_would_be_understood(block: Block) -> None:
    assert faults_of(block.code) == []


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("leadline crawl book --sedes a", "Unknown option"),
        ("leadline craw book", "Unknown command"),
        ("leadline crawl book --set budget.page=3", "unknown setting"),
        ("leadline crawl book --strategy ffc --set strategy.every_forms=3", "unknown setting"),
        ("leadline lab run everything", "no such experiment"),
        ("make tea", "no such target"),
        ("python bench/loop.py --laps 3", "no such options"),
        ("python -m leadline.ui.nothing", "no module"),
        ("pip install 'leadline[moon]'", "no such extras"),
        ("wget https://example.org/", "no known program"),
        ('leadline explain a.leadline "$(leadline lab seeds book --cuont 1)"', "Unknown option"),
    ],
)
def test_a_wrong_command_is_noticed(code: str, fault: str) -> None:
    (told,) = faults_of(code)
    assert fault in told


@pytest.mark.parametrize("block", written_in("toml"), ids=str)
def test_settings_shown_are_settings(block: Block, tmp_path: Path) -> None:
    tomllib.loads(block.code)
    if block.title in ("", "leadline.toml"):
        file = tmp_path / "leadline.toml"
        file.write_text(block.code, encoding="utf-8")
        load_config(file)


@pytest.mark.parametrize("block", written_in("json"), ids=str)
def test_json_shown_is_json(block: Block) -> None:
    json.loads(block.code)


def test_pages_that_run_elsewhere_are_there() -> None:
    tests = ROOT / "tests" / "docs"
    assert all((ROOT / page).is_file() for page in ELSEWHERE)
    assert all((tests / f"{name}.py").is_file() for name in ELSEWHERE.values())


@pytest.mark.parametrize("name", RUN)
def test_the_blocks_of_a_page_run_in_order(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run_blocks([block for block in blocks_of(by_name(name)) if block.runs])


def run_blocks(blocks: list[Block]) -> None:
    """Here, one after the other; Python blocks share their names, as a reader expects."""
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks:
        if block.title:
            Path(block.title).write_text(block.code, encoding="utf-8")
        elif block.language == "python":
            exec(compile(block.code, str(block), "exec"), names)
        else:
            run_shell(block.code)


def run_shell(code: str) -> str:
    """What it printed. Our own command is the one beside this Python."""
    here = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    done = subprocess.run(
        ["sh", "-e", "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (code, done.stderr)
    return done.stdout + done.stderr
