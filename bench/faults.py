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
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.postgres.server import Server  # noqa: E402
from tests.server.good import Town, read_log  # noqa: E402

from bench.kill import Site, judge  # noqa: E402 - after the path, for `python bench/faults.py`
from bench.nodes import Nodes  # noqa: E402
from bench.scene import DURABLE, LEASE_S, PATIENCE_S, Scene, begin, scene  # noqa: E402
from leadline.crawler.lessons import unpack_model  # noqa: E402
from leadline.store import open_store_view  # noqa: E402


def kill(o: argparse.Namespace) -> dict[str, object]:
    dice = random.Random(o.seed)
    with scene(o.pages, o.hosts, o.delay_s) as one:
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
    with scene(o.stop_pages, o.hosts, o.delay_s) as one:
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
    with scene(o.pages, o.hosts, o.delay_s) as one:
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
    with scene(o.pages, o.hosts, o.delay_s, "apprentice") as one:
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
        model = one.shared().learning.model()
        assert model is not None
        told["lessons_learned"] = unpack_model(model.state).learned
        told["lessons_left"] = len(one.shared().learning.lessons(model.upto, 10_000))
        told["pages_recorded"] = one.shared().reader.counts().outcomes.get("page", 0)
        return told


def _learner_pid(one: Scene) -> int | None:
    """Of the process that holds the claim; workers are named after theirs."""
    query = "SELECT worker FROM claims WHERE name = 'learner'"
    with psycopg.connect(one.server.url()) as connection:
        row = connection.execute(query).fetchone()
    return int(str(row[0]).split("-")[-2]) if row and row[0] else None


def clock(o: argparse.Namespace) -> dict[str, object]:
    """The database's clock, as all workers read it, is set an hour forward and then two back."""
    with scene(o.pages, o.hosts, o.delay_s) as one:
        with psycopg.connect(one.server.url(), autocommit=True) as connection:
            connection.execute("CREATE TABLE set_by (seconds double precision)")
            connection.execute("INSERT INTO set_by VALUES (0)")
            one.launcher = [sys.executable, "-c", WITH_CLOCK]
            begin(one, 3)
            for share, seconds in ((0.3, 3_600.0), (0.6, -3_600.0)):
                while one.visits() < share * o.pages:
                    time.sleep(0.05)
                connection.execute("UPDATE set_by SET seconds = %s", (seconds,))
                one.hit()
            reason = one.finish()
            noted = connection.execute("SELECT count(*) FROM events WHERE kind = 'clock'")
            jumps = noted.fetchone()
        return {**one.figures(reason), "jumps_noted": jumps[0] if jumps else 0}


WITH_CLOCK = """
import sys
from leadline.store.postgres import shared
made = shared.PostgresShared
clock = "(clock_timestamp() + make_interval(secs => (SELECT seconds FROM set_by)))"
shared.PostgresShared = lambda url: made(url, clock=clock)
from leadline.ui.cli.app import main
main(sys.argv[1:])
"""
"""A worker that believes the database's clock to be what the table `set_by` says: nobody but the
kernel's owner may set a real one."""


def disk(o: argparse.Namespace) -> dict[str, object]:
    """A SQLite store, then an archive, on a disk of a megabyte that is made larger when full."""
    told: dict[str, object] = {"faults": 0}
    for what in ("store", "archive"):
        try:
            told[what] = _full_disk(o, what)
        except PermissionError as error:
            return {"skipped": str(error)}
        told["faults"] = int(str(told["faults"])) + 1
    rows = [told["store"], told["archive"]]
    for name in ("not_recorded", "recorded_twice", "asked_early", "fetched_again"):
        told[name] = sum(row[name] for row in rows)  # type: ignore[index]
    return told


def _full_disk(o: argparse.Namespace, what: str) -> dict[str, object]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="faults-")))
        site = Site(o.disk_pages, o.hosts, folder / "log.jsonl", lifetime_s=PATIENCE_S)
        stack.callback(site.stop)
        small = folder / "small"
        small.mkdir()
        _mount(
            "-t", "tmpfs", "-o", "size=1m" if what == "store" else "size=64k", "tmpfs", str(small)
        )
        stack.callback(subprocess.run, ["umount", str(small)], check=False)
        store = (small if what == "store" else folder) / "crawl.leadline"
        archive = str(small / "warc") if what == "archive" else ""
        first = _crawl_once(site, store, archive, o.delay_s)
        before = _page_count(store) if what == "archive" else None
        _mount("-o", "remount,size=256m", str(small))
        begun = time.monotonic()
        second = _crawl_once(site, store, archive, o.delay_s)
        log = read_log(folder / "log.jsonl")
        return {
            "exit_when_full": first.returncode,
            "said": first.stderr.strip().splitlines()[-1:],
            "pages_before": before,
            "exit_after": second.returncode,
            "seconds_after": round(time.monotonic() - begun, 1),
            **judge(store, log, Town(o.disk_pages, o.hosts), o.delay_s),
        }


def _crawl_once(
    site: Site, store: Path, archive: str, delay_s: float
) -> subprocess.CompletedProcess[str]:
    settings = {"politeness.delay_s": delay_s, "budget.pages": 0, "strategy.fallback": ""}
    settings |= {"strategy.name": "breadth_first"}
    settings |= {"archive.folder": archive} if archive else {}
    pairs = [f"{name}={value}" for name, value in settings.items()]
    pairs.append(f'web.resolve={{"*" = "127.0.0.1:{site.port}"}}')
    command = [sys.executable, "-m", "leadline.ui.cli", "crawl", "book", "--quiet"]
    command += ["--store", str(store), "--seeds", "http://site0.test/"]
    command += [part for pair in pairs for part in ("--set", pair)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def _page_count(store: Path) -> int:
    kept = open_store_view(store)
    try:
        return kept.reader.counts().pages
    finally:
        kept.close()


def _mount(*arguments: str) -> None:
    done = subprocess.run(["mount", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise PermissionError(f"no small disk can be mounted here: {done.stderr.strip()}")


def partition(o: argparse.Namespace) -> dict[str, object]:
    """Two nodes, each with the web at hand; the database is on the first one."""
    with ExitStack() as stack:
        try:
            nodes = stack.enter_context(Nodes.linked())
        except PermissionError as error:
            return {"skipped": str(error)}
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="faults-")))
        first = _web_on(stack, nodes.names[0], o, folder, 0)
        _web_on(stack, nodes.names[1], o, folder, int(first.port))
        base = RemoteServer(nodes.names[0], nodes.address)
        stack.callback(base.server.stop)
        one = Scene(folder, first, base.server, o.pages, o.hosts, o.delay_s)
        stack.callback(one.close)
        one.shared()
        for node in nodes.names:
            one.launcher = ["ip", "netns", "exec", node, sys.executable, "-m", "leadline.ui.cli"]
            one.url = base.server.url() if node == nodes.names[0] else base.away
            one.start()
            one.await_visits(3)
        while one.visits() < 0.2 * o.pages:
            time.sleep(0.05)
        asked_before = len(read_log(folder / "log.jsonl"))
        with nodes.cut():
            one.faults += 1
            time.sleep(o.partition_s)
        asked = len(read_log(folder / "log.jsonl")) - asked_before
        one.recovered_s.append(_back_after_s(one))
        return {**one.figures(one.finish()), "asked_meanwhile": asked}


def _back_after_s(one: Scene) -> float:
    """Seconds until the workers that were away are heard of again."""
    away = {w.name for w in one.shared().run.workers() if w.seen_s > LEASE_S}
    begun = time.monotonic()
    while away and not one.is_over():
        away -= {w.name for w in one.shared().run.workers() if w.seen_s < LEASE_S}
        time.sleep(0.05)
    return time.monotonic() - begun


def _web_on(stack: ExitStack, node: str, o: argparse.Namespace, folder: Path, port: int) -> Site:
    site = Site(
        o.pages, o.hosts, folder / "log.jsonl", 2 * PATIENCE_S, ["ip", "netns", "exec", node], port
    )
    stack.callback(site.stop)
    return site


class RemoteServer:
    """A PostgreSQL on a node, reached over a socket in its folder from there and from here."""

    def __init__(self, node: str, address: str) -> None:
        self._settings = {**DURABLE, "listen_addresses": address}
        self.server = Server(self._settings, launcher=["ip", "netns", "exec", node])
        self.away = self.server.url(host=address)
        hba = self.server.folder / "data" / "pg_hba.conf"
        with hba.open("a") as rules:
            rules.write("host all all 10.231.77.0/24 trust\n")
        os.kill(self.server.pid, signal.SIGHUP)


FAULTS: dict[str, Callable[[argparse.Namespace], dict[str, object]]] = {
    "kill": kill,
    "stop": stop,
    "database": database,
    "partition": partition,
    "disk": disk,
    "clock": clock,
    "learner": learner,
}


def table(rows: dict[str, dict[str, object]]) -> Iterator[str]:
    yield "| fault | times | lost | doubled | asked early | fetched again | recovered after |"
    yield "|---|---|---|---|---|---|---|"
    for name, row in rows.items():
        if "skipped" in row:
            yield f"| {name} | skipped: {row['skipped']} |"
            continue
        yield (
            f"| {name} | {row['faults']} | {row['not_recorded']} | {row['recorded_twice']} | "
            f"{row['asked_early']} | {row['fetched_again']} | "
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
    parser.add_argument("--stop-pages", type=int, default=6_000, help="enough for all stops")
    parser.add_argument("--learners", type=int, default=10)
    parser.add_argument("--disk-pages", type=int, default=600)
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
