"""Runs a search application in a process of its own on loopback, and reads what it was asked."""

import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from msgspec import Struct

_START_S = 60.0
"""Longest wait for the first answer: seconds on an idle machine, far more on a busy one."""
_END_S = 10.0
_ASKED = re.compile(r'"([A-Z]+) (\S+) HTTP/')
"""A request in an access log; the common format and its cousins agree on this part."""


class Asked(Struct, frozen=True):
    """One request, as the application's own log has it."""

    method: str
    target: str


class Served(Struct, frozen=True):
    """An application that answers."""

    url: str
    """Without a slash at its end."""
    log: Path

    def asked(self) -> list[Asked]:
        text = self.log.read_text(encoding="utf-8", errors="replace")
        return [Asked(*match) for match in _ASKED.findall(text)]


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def serving(
    command: Sequence[object], folder: Path, port: int, environment: Mapping[str, str]
) -> Iterator[Served]:
    """The command's server, answering at the port until the context ends."""
    served = Served(f"http://127.0.0.1:{port}", folder / "access.log")
    with served.log.open("wb") as log:
        process = subprocess.Popen(
            list(map(str, command)),
            cwd=folder,
            env=clean_environment() | dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait(process, served)
            yield served
        finally:
            _end(process)


def clean_environment() -> dict[str, str]:
    """Ours without what speaks to our own Python; logs come at once."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return kept | {"PYTHONUNBUFFERED": "1"}


def _wait(process: "subprocess.Popen[bytes]", served: Served) -> None:
    until = time.monotonic() + _START_S
    while not _answers(served.url):
        if process.poll() is not None or time.monotonic() > until:
            said = served.log.read_text(encoding="utf-8", errors="replace")[-2000:]
            raise RuntimeError(f"{process.args!r} does not answer at {served.url}: {said}")
        time.sleep(0.05)


def _answers(url: str) -> bool:
    try:
        with urlopen(f"{url}/", timeout=10):
            return True
    except HTTPError:
        return True
    except (URLError, ConnectionError, TimeoutError):
        return False


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(_END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
