"""A Ray cluster of two nodes on this machine, ended by its process ids."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

START_S = 30.0
"""The first node takes two seconds; on a busy machine more."""


class Node:
    """One Ray node in the foreground: all its processes are in its session."""

    def __init__(self, folder: Path, cpus: int, *arguments: str) -> None:
        command = [str(Path(sys.executable).parent / "ray"), "start", "--block", *arguments]
        command += ["--node-ip-address=127.0.0.1", f"--num-cpus={cpus}", "--num-gpus=0"]
        command += ["--object-store-memory=80000000", "--disable-usage-stats"]
        with (folder / "node.log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, env=quiet(), start_new_session=True
            )

    def stop(self) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def quiet() -> dict[str, str]:
    """The environment of processes that use Ray."""
    return {**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "RAY_DEDUP_LOGS": "0"}


@contextmanager
def two_nodes(cpus: int = 2) -> Iterator[str]:
    """The cluster's address. `cpus` is what each node says it has."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ll-ray-")))
        port = 6_400 + os.getpid() % 1_000
        head = Node(
            folder,
            cpus,
            *("--head", f"--port={port}", f"--temp-dir={folder}", "--include-dashboard=false"),
        )
        stack.callback(head.stop)
        until = time.monotonic() + START_S
        while not (folder / "session_latest").exists() and time.monotonic() < until:
            time.sleep(0.1)
        second = Node(folder, cpus, f"--address=127.0.0.1:{port}")
        stack.callback(second.stop)
        yield f"127.0.0.1:{port}"
