"""A search application that others wrote, filled with real records, and the truth about it."""

import hashlib
import os
import sqlite3
import subprocess
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from tests.software.serving import Served, clean_environment

ROOT = Path(__file__).resolve().parents[2]
BINS = tuple(ROOT / ".venv" / name / "bin" for name in ("software", "software-django"))
"""Where `make test` installs the applications of requirements/software.txt, and of
requirements/software-django.txt, whose Django is newer."""

SOFTWARE = "LEADLINE_SOFTWARE"
"""Variable with a folder of further applications: a Python environment, `node_modules`, or both
(`python -m bench.applications --install FOLDER`)."""

Row = Mapping[str, Any]


class Application(Struct, frozen=True):
    """One that runs. Records are named by the path of their own page."""

    served: Served
    search: str
    """Path that its search form is sent to."""
    words: tuple[str, ...]
    """What it holds is about these: the topic of the crawl."""
    reachable: frozenset[str]
    """The records that searching can find, read from its own database."""
    content: Callable[[], str]
    """A digest of everything a visitor could change in its database."""


def installed(name: str) -> Path:
    """The program of that name; skips the test where there is none."""
    more = Path(os.environ.get(SOFTWARE, ROOT / "no-such-folder"))
    for folder in (*BINS, more / "bin", more / "node_modules" / ".bin"):
        if os.access(folder / name, os.X_OK):
            return folder / name
    pytest.skip(f"{name} is not installed: run `make test`, or set {SOFTWARE} to its environment")


def find_python(package: str) -> Path:
    """A Python that has the package; skips the test where there is none."""
    more = Path(os.environ.get(SOFTWARE, ROOT / "no-such-folder"))
    for python in (folder / "python" for folder in (*BINS, more / "bin")):
        is_there = f"from importlib.util import find_spec; exit(not find_spec({package!r}))"
        command = [str(python), "-c", is_there]
        if os.access(python, os.X_OK):
            done = subprocess.run(
                command, env=clean_environment(), capture_output=True, check=False
            )
            if done.returncode == 0:
                return python
    pytest.skip(f"{package} is not installed: run `make test`, or set {SOFTWARE}")


def run(command: Sequence[object], folder: Path, **environment: str) -> str:
    """What the command printed. Raises with what it said when it fails."""
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=clean_environment() | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{command!r} failed: {done.stdout[-1000:]}{done.stderr[-1000:]}")
    return done.stdout


def insert(database: Path, table: str, rows: Iterable[Mapping[str, object]]) -> None:
    """Rows with the same columns each."""
    listed = list(rows)
    names = ", ".join(f'"{name}"' for name in listed[0])
    marks = ", ".join("?" * len(listed[0]))
    with closing(sqlite3.connect(database)) as connection, connection:
        statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"
        connection.executemany(statement, [tuple(row.values()) for row in listed])


def select(database: Path, statement: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return connection.execute(statement).fetchall()


def digest(database: Path, apart_from: Collection[str] = ()) -> str:
    """Of all rows of all tables but those named, which only count visitors."""
    found = hashlib.sha256()
    tables = select(database, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    for (table,) in tables:
        if table not in apart_from:
            for row in select(database, f'SELECT * FROM "{table}"'):
                found.update(repr((table, row)).encode())
    return found.hexdigest()
