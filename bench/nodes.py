"""Two nodes on this machine: network namespaces with a link between them that can be cut."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Nodes:
    """The nodes' names, and the first one's address as the second one sees it."""

    names: tuple[str, str]
    address: str = "10.231.77.1"

    @staticmethod
    @contextmanager
    def linked() -> Iterator["Nodes"]:
        """Raises PermissionError where no namespaces may be made."""
        tag = f"{os.getpid() % 100_000}"
        nodes = Nodes((f"ll-a{tag}", f"ll-b{tag}"))
        try:
            nodes._make(tag)
            yield nodes
        finally:
            for name in nodes.names:
                _run(["ip", "netns", "delete", name], check=False)

    @contextmanager
    def cut(self) -> Iterator[None]:
        """No packet passes, in either direction, and nobody is told."""
        wrong = ["lladdr", "02:00:00:00:00:99", "nud", "permanent"]
        ends = [(self.names[0], "lla", "10.231.77.2"), (self.names[1], "llb", self.address)]
        for name, end, peer in ends:
            # Packets leave for a card that nobody has.
            _run(["ip", "-n", name, "neigh", "replace", peer, *wrong, "dev", end])
        try:
            yield
        finally:
            for name, end, peer in ends:
                _run(["ip", "-n", name, "neigh", "del", peer, "dev", end])

    def _make(self, tag: str) -> None:
        for name in self.names:
            _run(["ip", "netns", "add", name])
            _run(["ip", "-n", name, "link", "set", "lo", "up"])
        first, second = self.names
        peer = ["type", "veth", "peer", "name", f"llb{tag}", "netns", second]
        _run(["ip", "-n", first, "link", "add", f"lla{tag}", *peer])
        for name, end, number in ((first, "lla", 1), (second, "llb", 2)):
            _run(["ip", "-n", name, "link", "set", f"{end}{tag}", "name", end])
            _run(["ip", "-n", name, "addr", "add", f"10.231.77.{number}/24", "dev", end])
            _run(["ip", "-n", name, "link", "set", end, "up"])


def _run(command: list[str], *, check: bool = True) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise PermissionError(f"{command[0]} is not installed") from error
    if check and done.returncode:
        raise PermissionError(f"{' '.join(command)}: {done.stderr.strip()}")
