"""The quickstart runs as it is written, but for the ports, which are any that are free."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, STDOUT
from urllib.request import ProxyHandler, build_opener

import pytest

from tests.docs.blocks import DOCS, blocks_of
from tests.docs.test_blocks import run_blocks

WEB, DASHBOARD = "leadline lab serve", "leadline serve my-hotels.leadline"
"""Commands that run until they are ended."""


def test_the_quickstart_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    web, dashboard = free_port(), free_port()
    moved = [
        block._replace(code=block.code.replace("8800", web).replace("8420", dashboard))
        for block in blocks_of(DOCS / "quickstart.md")
        if block.runs
    ]
    commands = [block.code.strip() for block in moved]
    place = commands.index(WEB)
    last = commands.index(DASHBOARD)
    with running(WEB, web):
        run_blocks([*moved[:place], *moved[place + 1 : last]])
    with running(DASHBOARD, dashboard) as page:
        assert "hotels" in page
    run_blocks(moved[last + 1 :])
    assert_results(tmp_path)


def assert_results(folder: Path) -> None:
    forms = (folder / "forms.csv").read_text("utf-8").splitlines()
    records = (folder / "records.jsonl").read_text("utf-8").splitlines()
    assert len(forms) > 10
    assert len(records) > 500
    assert (folder / "report.html").is_file()
    assert (folder / "hotels.sqlite").is_file()


@contextmanager
def running(command: str, port: str) -> Iterator[str]:
    """A server while the block runs; what its first page says."""
    words = [sys.executable, "-m", "leadline.ui.cli", *command.split()[1:], "--port", port]
    with subprocess.Popen(words, stdout=PIPE, stderr=STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            assert any("serving" in line for line in process.stdout), command
            with build_opener(ProxyHandler({})).open(f"http://127.0.0.1:{port}/") as answer:
                yield answer.read().decode()
        finally:
            process.terminate()


def free_port() -> str:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return str(listener.getsockname()[1])
