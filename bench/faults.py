"""Breaks workers, their database, their network, their disks and their clocks; counts what comes
of it.

Each fault runs on a known web over HTTP on the loopback whose own log is the truth: which pages
there are, when which site was asked. `--only kill` runs one fault. The last line printed is a
JSON object of the figures.

    kill        60 times kill -9 of a worker
    stop        100 times SIGSTOP of a worker for longer than a lease, then SIGCONT
    database    kill -9 of PostgreSQL, twice
    partition   25 s without a network between two nodes, in namespaces
    disk        a full disk under a SQLite store, and under an archive
    clock       the database's clock is set forward and back by an hour
    learner     kill -9 of the learner while there is something to learn
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import msgspec
import psycopg

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.postgres.server import Server  # noqa: E402
from tests.server.good import Town, read_log  # noqa: E402

from bench.kill import Site, judge  # noqa: E402 - after the path, for `python bench/faults.py`
from leadline.core.shared import STOPPED  # noqa: E402
from leadline.engine.lessons import unpacked_model  # noqa: E402
from leadline.errors import StoreUnreachableError  # noqa: E402
from leadline.store.postgres.shared import PostgresShared, open_shared  # noqa: E402
from leadline.strategies.smart.memory import Memory  # noqa: E402

DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
LEASE_S = 3.0
SETTINGS = {
    "cluster.lease_s": LEASE_S,
    "cluster.margin_s": 0.3,
    "cluster.claim_s": 2.0,
    "cluster.links": 4,
    "web.total_timeout_s": 1.0,
    "web.first_byte_timeout_s": 1.0,
    "web.connect_timeout_s": 1.0,
    "engine.width": 6,
    "budget.pages": 0,
    "strategy.then": "",
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
    settings: dict[str, object] = field(default_factory=dict)
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    faults: int = 0
    recovered_s: list[float] = field(default_factory=list)
    _shared: PostgresShared | None = None

    def command(self, port: str | None = None, url: str | None = None) -> list[str]:
        settings = {
            **SETTINGS,
            "politeness.delay_s": self.delay_s,
            "strategy.name": self.strategy,
            **self.settings,
        }
        pairs = [f"{name}={value}" for name, value in settings.items()]
        pairs.append(f'web.resolve={{"*" = "127.0.0.1:{port or self.site.port}"}}')
        command = [sys.executable, "-m", "leadline.ui.cli", "worker", url or self.server.url()]
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

    def shared(self) -> PostgresShared:
        self._shared = self._shared or open_shared(self.server.url(), is_new=True)
        return self._shared

    def visits(self) -> int:
        while True:
            try:
                return self.shared().counts().visits
            except StoreUnreachableError:
                time.sleep(0.1)

    def is_over(self) -> bool:
        while True:
            try:
                run = self.shared().run()
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
        return self.shared().run().reason

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
def scene(o: argparse.Namespace, pages: int, **changes: object) -> Iterator[Scene]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="faults-")))
        site = Site(pages, o.hosts, folder / "log.jsonl", lifetime_s=2 * PATIENCE_S)
        stack.callback(site.stop)
        server = Server(DURABLE)
        stack.callback(server.stop)
        one = Scene(folder, site, server, pages, o.hosts, o.delay_s, **changes)  # type: ignore[arg-type]
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


def kill(o: argparse.Namespace) -> dict[str, object]:
    dice = random.Random(o.seed)
    with scene(o, o.pages) as one:
        begin(one, 3)
        while one.faults < o.kills and not one.is_over():
            time.sleep(dice.uniform(0.0, 1.0))
            victim = dice.choice(one.workers)
            victim.kill()
            one.replace(victim)
            one.hit()
        return one.figures(one.finish())


def stop(o: argparse.Namespace) -> dict[str, object]:
    dice = random.Random(o.seed)
    with scene(o, o.pages) as one:
        begin(one, 4)
        asleep: dict[int, float] = {}
        while one.faults < o.stops and not one.is_over():
            awake = [n for n in range(4) if n not in asleep]
            if len(awake) > 1:
                n = dice.choice(awake)
                one.workers[n].send_signal(signal.SIGSTOP)
                asleep[n] = time.monotonic() + LEASE_S + dice.uniform(0.2, 1.5)
                one.faults += 1
            for n in [n for n, until in asleep.items() if time.monotonic() >= until]:
                del asleep[n]
                one.workers[n].send_signal(signal.SIGCONT)
                if one.faults % 10 == 0:
                    one.recovered_s.append(one.await_visits())
            time.sleep(dice.uniform(0.0, 0.3))
        for worker in one.workers:
            worker.send_signal(signal.SIGCONT)
        return one.figures(one.finish())


def database(o: argparse.Namespace) -> dict[str, object]:
    with scene(o, o.pages) as one:
        begin(one, 3)
        for share in (0.3, 0.6):
            while one.visits() < share * o.pages:
                time.sleep(0.05)
            before = one.visits()
            one.server.kill()
            time.sleep(2.0)
            one.server.start()
            one.faults += 1
            begun = time.monotonic()
            while one.visits() <= before:
                time.sleep(0.05)
            one.recovered_s.append(time.monotonic() - begun)
        return one.figures(one.finish())


def learner(o: argparse.Namespace) -> dict[str, object]:
    with scene(o, o.pages, strategy="sitewise", settings={"strategy.max_depth": 100}) as one:
        begin(one, 3)
        while one.faults < o.learners and not one.is_over():
            one.await_visits(10)
            victim = next((w for w in one.workers if w.pid == _learner_pid(one)), None)
            if victim is None:
                continue
            victim.kill()
            one.replace(victim)
            one.faults += 1
            begun = time.monotonic()
            while _learner_pid(one) in (None, victim.pid) and not one.is_over():
                time.sleep(0.05)
            one.recovered_s.append(time.monotonic() - begun)
        told = one.figures(one.finish())
        model = one.shared().model()
        assert model is not None
        state = unpacked_model(model.state).state
        told["lessons_learned"] = msgspec.msgpack.decode(state, type=Memory).pages
        told["lessons_left"] = len(one.shared().lessons(model.upto, 10_000))
        told["pages_recorded"] = one.shared().counts().outcomes.get("page", 0)
        return told


def _learner_pid(one: Scene) -> int | None:
    """Of the process that holds the claim; workers are named after theirs."""
    query = "SELECT worker FROM claims WHERE name = 'learner'"
    with psycopg.connect(one.server.url()) as connection:
        row = connection.execute(query).fetchone()
    return int(str(row[0]).split("-")[-2]) if row and row[0] else None


FAULTS: dict[str, Callable[[argparse.Namespace], dict[str, object]]] = {
    "kill": kill,
    "stop": stop,
    "database": database,
    "learner": learner,
}


def table(rows: dict[str, dict[str, object]]) -> Iterator[str]:
    yield "| fault | times | lost | doubled | asked early | fetched again | recovered after |"
    yield "|---|---|---|---|---|---|---|"
    for name, row in rows.items():
        if "skipped" in row:
            yield f"| {name} | skipped: {row['skipped']} |"
            continue
        lost = Counter({"pages": row.get("not_recorded", 0)})
        doubled = row.get("recorded_twice", 0)
        yield (
            f"| {name} | {row.get('faults')} | {lost['pages']} | {doubled} | "
            f"{row.get('asked_early')} | {row.get('fetched_again')} | "
            f"{row.get('recovered_s_median')} s, at most {row.get('recovered_s_most')} s |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="*", choices=list(FAULTS), default=list(FAULTS))
    parser.add_argument("--pages", type=int, default=1_500)
    parser.add_argument("--hosts", type=int, default=12)
    parser.add_argument("--delay-s", type=float, default=0.3)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--stops", type=int, default=100)
    parser.add_argument("--learners", type=int, default=10)
    parser.add_argument("--partition-s", type=float, default=25.0)
    parser.add_argument("--seed", type=int, default=1)
    o = parser.parse_args()
    os.environ.setdefault("PYTHONPATH", str(ROOT / "src"))
    rows: dict[str, dict[str, object]] = {}
    for name in o.only:
        rows[name] = FAULTS[name](o)
        print(name, json.dumps(rows[name]), flush=True)
    for line in table(rows):
        print(line)
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
