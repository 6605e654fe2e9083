"""`leadline serve`, as people start it."""

import json
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from leadline.errors import ConfigError
from leadline.ui.cli import serve
from leadline.ui.cli.app import run
from leadline.ui.cli.serve import check_extra, listen
from leadline.ui.web.access import HEADERS


@pytest.fixture(scope="module")
def served(store_file: Path) -> Iterator[tuple[subprocess.Popen[str], dict[str, str]]]:
    command = [sys.executable, "-m", "leadline.ui.cli", "serve", str(store_file), "--port", "0"]
    server = subprocess.Popen([*command, "--json"], stdout=subprocess.PIPE, text=True)
    # A server that never says a word must not hold up the tests.
    watchdog = threading.Timer(60, server.kill)
    watchdog.start()
    assert server.stdout is not None
    told = ""
    while not told.endswith("\n}\n") and (line := server.stdout.readline()):
        told += line
    yield server, json.loads(told)
    watchdog.cancel()
    server.kill()
    server.wait()
    server.stdout.close()


Served = tuple[subprocess.Popen[str], dict[str, str]]


def test_it_tells_where_it_is(served: Served) -> None:
    _, told = served
    assert told["address"].startswith("http://127.0.0.1:")
    assert told["token"] == ""
    assert list(told["stores"]) == ["book"]
    with urllib.request.urlopen(f"{told['address']}api/v1/stores") as answer:
        assert json.load(answer)[0]["name"] == "book"
        assert all(answer.headers[name] == value for name, value in HEADERS.items())
        assert answer.headers["server"] is None


def test_a_stream_goes_on_until_the_client_goes(served: Served) -> None:
    _, told = served
    stream = f"{told['address']}api/v1/stores/book/stream"
    with urllib.request.urlopen(stream) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.readline() == b"event: change\n"
        data = json.loads(answer.readline().removeprefix(b"data: "))
    assert data["name"] == "book"
    with urllib.request.urlopen(f"{told['address']}api/v1/stores") as answer:
        assert answer.status == 200


def test_ctrl_c_ends_it_though_someone_listens(served: Served) -> None:
    server, told = served
    with urllib.request.urlopen(f"{told['address']}api/v1/stores/book/stream") as answer:
        answer.readline()
        server.send_signal(signal.SIGINT)
        assert server.wait(120) == 0


def test_a_port_that_is_taken_is_told() -> None:
    taken = listen("127.0.0.1", 0)
    with taken, pytest.raises(ConfigError, match="--port 0"):
        listen("127.0.0.1", taken.getsockname()[1])
    with pytest.raises(ConfigError, match="65535"):
        listen("127.0.0.1", 70_000)


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "_NEEDED", ("fastapi", "no_such_package"))
    with pytest.raises(ConfigError, match=r"no_such_package.*leadline\[dashboard\]"):
        check_extra()


def test_a_store_that_is_not_there_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["serve", str(tmp_path / "none.leadline")]) == 3
    assert "there is no store" in capsys.readouterr().err


def test_a_weak_token_is_refused(store_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", str(store_file), "--token", "short"]) == 2
    assert "at least 16" in capsys.readouterr().err
