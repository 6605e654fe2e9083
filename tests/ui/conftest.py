"""A crawled store to look at, and the small web it was crawled from."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from leadline.ui.cli.app import run
from tests.ui import small_web


@dataclass(frozen=True)
class Ended:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Command = Callable[..., Ended]


@pytest.fixture(scope="session")
def port() -> Iterator[int]:
    """The demo's web, without its pauses."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(small_web, "LATENCY_S", (0.0, 0.0))
        with small_web.serving() as number:
            yield number


@pytest.fixture(scope="session")
def way(port: int) -> list[str]:
    """Options that lead a crawl to the demo's web, at speed."""
    return way_to(port)


def way_to(port: int) -> list[str]:
    resolve = f'web.resolve={{"*" = "127.0.0.1:{port}"}}'
    return ["--set", resolve, "--set", "web.allow_private=true", "--delay", "0"]


@pytest.fixture
def leadline(capfd: pytest.CaptureFixture[str]) -> Command:
    """Runs a command in this process."""

    def command(*arguments: object) -> Ended:
        capfd.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return Ended(code, out, err)

    return command


@pytest.fixture(scope="session")
def store(way: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 250 visits. Only to be read."""
    path = tmp_path_factory.mktemp("store") / "crawl.leadline"
    seeds = ["--seeds", *small_web.SEEDS]
    assert run(["crawl", "book", *seeds, *way, "--store", str(path), "--pages", "250", "-q"]) == 0
    return path


@contextmanager
def pages_taking(seconds: float, *more: str) -> Iterator[int]:
    """Another web in a process of its own, whose pages take their time; its port."""
    arguments = ["--port", "0", "--pages", "500", "--hosts", "20", "--latency-s", str(seconds)]
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.server.good", *arguments, "--lifetime-s", "900", *more],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    with server:
        try:
            yield int(server.stdout.readline())
        finally:
            server.terminate()


@pytest.fixture
def slow_port() -> Iterator[int]:
    """A web whose pages take three seconds."""
    with pages_taking(3.0) as port:
        yield port


def paid_for(counts: dict[str, Any]) -> int:
    """Visits that count against the budget: what robots.txt forbids is free."""
    return int(counts["visits"] - counts["outcomes"].get("robots", 0))
