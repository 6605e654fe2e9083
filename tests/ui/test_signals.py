"""Ctrl-C once, twice, SIGTERM, and looking while a crawl runs: real processes, real signals."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from leadline.errors import StoreError
from leadline.store import open_store_view
from leadline.ui.cli.app import run
from leadline.ui.cli.signals import FIRST, SECOND
from tests.ui.conftest import Command, pages_taking, way_to

PATIENCE_S = 180.0


@contextmanager
def crawling(store: Path, port: int, *more: str) -> Iterator["subprocess.Popen[str]"]:
    """A crawl in a process group of its own, as a shell would start it; killed if it stays."""
    seeds = [f"http://site{n}.test/" for n in range(6)]
    arguments = ["crawl", "book", "--seeds", *seeds, *way_to(port), "--store", str(store), *more]
    arguments += ["--set", "robots.obey=false"]
    with subprocess.Popen(
        [sys.executable, "-m", "leadline.ui.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def until(is_true: Callable[[], bool]) -> None:
    """Wait for what must come, for some time."""
    deadline = time.monotonic() + PATIENCE_S
    while not is_true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def visits(store: Path) -> int:
    """As another process sees it; 0 while there is no store."""
    try:
        opened = open_store_view(store)
    except StoreError:
        return 0
    try:
        return opened.reader.counts().visits
    finally:
        opened.close()


def wait_for_work(store: Path) -> None:
    until(lambda: visits(store) > 0)


@pytest.mark.parametrize(
    ("number", "code", "reason"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
)
def test_the_first_signal_finishes_what_is_under_way(
    slow_port: int, tmp_path: Path, number: signal.Signals, code: int, reason: str
) -> None:
    store = tmp_path / "a.leadline"
    with crawling(store, slow_port) as process:
        wait_for_work(store)
        before = visits(store)
        os.killpg(process.pid, number)
        _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == code
    assert FIRST in err
    assert f"stopped: {reason}; the same command resumes" in err
    assert "Traceback" not in err
    assert visits(store) > before


@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_second_ctrl_c_stops_at_once_and_loses_nothing(
    tmp_path: Path, workers: str, leadline: Command
) -> None:
    store, hold = tmp_path / "a.leadline", tmp_path / "hold"
    with (
        pages_taking(2.0, "--hold", str(hold)) as port,
        crawling(store, port, "--workers", workers) as process,
    ):
        wait_for_work(store)
        # What is under way ends no more, so who waits for it waits for ever.
        hold.touch()
        os.killpg(process.pid, signal.SIGINT)
        assert process.stderr is not None
        said = ""
        while FIRST not in said:
            said += process.stderr.readline()
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 130
        assert SECOND in err
        assert "Traceback" not in err
        hold.unlink()
        kept = visits(store)
        ended = leadline("crawl", "--store", store, "--workers", 1, "--pages", kept + 4, "--json")
    assert ended.code == 0
    assert ended.json["counts"]["visits"] > kept


def test_status_and_forms_can_be_asked_while_a_crawl_runs(
    slow_port: int, tmp_path: Path, leadline: Command
) -> None:
    store = tmp_path / "a.leadline"
    with crawling(store, slow_port, "--quiet") as process:
        wait_for_work(store)
        status = leadline("status", store, "--json").json
        assert status["state"] == "running"
        assert status["counts"]["visits"] > 0
        assert leadline("forms", store, "--all").code == 0
        second = leadline("crawl", "--store", store, "--pages", 1)
        assert second.code == 3, "two crawls on one store"
        assert second.err.count("\n") <= 2
        assert process.poll() is None


def test_help_leaves_the_heavy_parts_alone() -> None:
    """Answering in 300 ms depends on not importing these."""
    code = (
        "import sys; from leadline.ui.cli.app import run; run(['--help']);"
        "heavy = {'numpy', 'aiohttp', 'pydantic', 'msgspec', "
        "'leadline.crawler', 'leadline.config'};"
        "sys.exit(' '.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "crawl" in done.stdout


def test_a_reader_that_goes_away_is_no_error(store: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "leadline.ui.cli", "export", str(store), "-", "--what", "visits"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        err = process.stderr.read()
    assert process.returncode == 141
    assert err == b""


def on_a_terminal(arguments: list[str], environment: dict[str, str]) -> str:
    """What a command writes to stderr when that is a terminal."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "leadline.ui.cli", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", **environment},
    ):
        os.close(theirs)
        written = b""
        while piece := _read(ours):
            written += piece
    os.close(ours)
    return written.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux tells the end of a terminal by an error.
        return b""


@pytest.mark.parametrize(
    ("more", "environment", "is_drawn"),
    [([], {}, True), (["--plain"], {}, False), ([], {"NO_COLOR": "1"}, False)],
    ids=["panel", "plain", "NO_COLOR"],
)
def test_only_a_terminal_that_wants_it_gets_a_picture(
    way: list[str], tmp_path: Path, more: list[str], environment: dict[str, str], is_drawn: bool
) -> None:
    seeds = ["--seeds", "http://shelf-guide.demo/", "--pages", "300"]
    slowly = [*way[:-1], "0.2", "--set", "budget.seconds=1.5"]
    store = ["--store", str(tmp_path / "a.leadline")]
    text = on_a_terminal(["crawl", "book", *seeds, *slowly, *store, *more], environment)
    assert ("\x1b[" in text) is is_drawn
    assert "waiting" in text
    assert "stopped: " in text


def test_ctrl_c_outside_a_crawl_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("leadline.ui.cli.status.run_status", interrupt)
    assert run(["status", str(store)]) == 130
    assert capsys.readouterr().err == "leadline: interrupted; nothing recorded is lost\n"
