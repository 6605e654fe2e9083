"""A web, a database and workers on it, for those who break them."""

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tests.postgres.server import Server
from tests.server.good import Town, read_log

from bench.kill import Site, judge
from leadline.core.store import STOPPED, Store
from leadline.errors import StoreUnreachableError
from leadline.store import open_shared_store

ROOT = Path(__file__).resolve().parent.parent
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
LEASE_S = 3.0
SETTINGS = {
    "cluster.lease_s": LEASE_S,
    "cluster.lease_margin_s": 0.3,
    "cluster.learner_timeout_s": 2.0,
    "cluster.links_per_lease": 4,
    "web.total_timeout_s": 1.0,
    "web.first_byte_timeout_s": 1.0,
    "web.connect_timeout_s": 1.0,
    "crawl.concurrency": 6,
    "budget.pages": 0,
    "strategy.fallback": "",
}
PATIENCE_S = 600.0


@dataclass
class Scene:
    """A web, a database and workers on it, all ended by their ids."""

    folder: Path
    site: Site
    server: Server
    pages: int
    hosts: int
    delay_s: float
    strategy: str = "breadth_first"
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    faults: int = 0
    recovered_s: list[float] = field(default_factory=list)
    launcher: list[str] = field(default_factory=lambda: [sys.executable, "-m", "leadline.ui.cli"])
    url: str = ""
    """Of the database as the next worker sees it."""
    _shared: Store | None = None

    def command(self) -> list[str]:
        settings = {
            **SETTINGS,
            "politeness.delay_s": self.delay_s,
            "strategy.name": self.strategy,
        }
        pairs = [f"{name}={value}" for name, value in settings.items()]
        pairs.append(f'web.resolve={{"*" = "127.0.0.1:{self.site.port}"}}')
        command = [*self.launcher, "worker", self.url or self.server.url()]
        command += ["book", "--seeds", "http://site0.test/", "--quiet"]
        return [*command, *(part for pair in pairs for part in ("--set", pair))]

    def start(self) -> subprocess.Popen[bytes]:
        errors = (self.folder / "workers.log").open("ab")
        worker = subprocess.Popen(self.command(), cwd=ROOT, stdout=errors, stderr=errors)
        errors.close()
        self.workers.append(worker)
        return worker

    def replace(self, dead: subprocess.Popen[bytes]) -> None:
        dead.wait()
        self.workers.remove(dead)
        if not self.is_over():
            self.start()

    def shared(self) -> Store:
        self._shared = self._shared or open_shared_store(self.server.url(), is_new=True)
        return self._shared

    def visits(self) -> int:
        while True:
            try:
                return self.shared().reader.counts().visits
            except StoreUnreachableError:
                time.sleep(0.1)

    def is_over(self) -> bool:
        while True:
            try:
                run = self.shared().run.state()
            except StoreUnreachableError:
                time.sleep(0.1)
            else:
                return run.state == STOPPED and run.number > 0

    def await_visits(self, more: int = 1, patience_s: float = 60.0) -> float:
        """Seconds until so many more visits are recorded."""
        before, begun = self.visits(), time.monotonic()
        while time.monotonic() - begun < patience_s and not self.is_over():
            if self.visits() >= before + more:
                break
            time.sleep(0.02)
        return time.monotonic() - begun

    def hit(self) -> None:
        """A fault has just happened: how long until work goes on?"""
        self.faults += 1
        self.recovered_s.append(self.await_visits())

    def finish(self) -> str:
        """Run to the end; why it ended."""
        until = time.monotonic() + PATIENCE_S
        while not self.is_over() and time.monotonic() < until:
            for worker in [one for one in self.workers if one.poll() is not None]:
                self.replace(worker)
            time.sleep(0.2)
        for worker in self.workers:
            worker.send_signal(signal.SIGCONT)
            worker.wait(60)
        return self.shared().run.state().reason

    def close(self) -> None:
        for worker in self.workers:
            if worker.poll() is None:
                worker.kill()
                worker.wait()
        if self._shared is not None:
            self._shared.close()

    def figures(self, reason: str) -> dict[str, object]:
        told = judge(
            self.server.url(),
            read_log(self.folder / "log.jsonl"),
            Town(self.pages, self.hosts),
            self.delay_s,
        )
        lost = sum("visits are dropped" in line for line in self._log())
        return {
            "faults": self.faults,
            "pages": self.pages,
            "reason": reason,
            **told,
            "leases_refused": lost,
            "recovered_s_median": round(median(self.recovered_s or [0.0]), 2),
            "recovered_s_most": round(max(self.recovered_s or [0.0]), 2),
        }

    def _log(self) -> list[str]:
        path = self.folder / "workers.log"
        return path.read_text(errors="replace").splitlines() if path.exists() else []


@contextmanager
def scene(
    pages: int, hosts: int, delay_s: float, strategy: str = "breadth_first"
) -> Iterator[Scene]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="faults-")))
        site = Site(pages, hosts, folder / "log.jsonl", lifetime_s=2 * PATIENCE_S)
        stack.callback(site.stop)
        server = Server(DURABLE)
        stack.callback(server.stop)
        one = Scene(folder, site, server, pages, hosts, delay_s, strategy)
        stack.callback(one.close)
        one.shared()
        yield one


def begin(one: Scene, workers: int) -> None:
    """The first worker begins the run, the others join."""
    first = one.start()
    while one.visits() < 3:
        assert first.poll() is None, (one.folder / "workers.log").read_text()
        time.sleep(0.05)
    for _ in range(workers - 1):
        one.start()
