"""One address with many virtual hosts: how many requests it gets, whoever crawls it.

    python -m bench.shared_address [--hosts 500] [--seconds 45] [--workers 1,2]

Serves the hosts from one loopback address in a process of its own and crawls them for a while:
with `leadline crawl` in one process, and with several `leadline worker` processes on a PostgreSQL
that is started for it. The server notes when each request arrives. Prints the most requests in any
span of `--delay` seconds, beside the most that the setting allows, and the shortest gaps.
"""

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.postgres.server import Server  # noqa: E402
from tests.server.good import Town  # noqa: E402

CLI = [sys.executable, "-m", "leadline.ui.cli"]
LEAVE_S = 30.0


def count_most(starts: list[float], span_s: float) -> int:
    """The most requests within any half-open span of so many seconds."""
    most = first = 0
    for last, at in enumerate(starts):
        while at - starts[first] >= span_s:
            first += 1
        most = max(most, last - first + 1)
    return most


def read_figures(log: Path, o: argparse.Namespace) -> dict[str, Any]:
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    starts = sorted(entry["start"] for entry in entries)
    gaps = sorted(later - earlier for earlier, later in pairwise(starts))
    return {
        "requests": len(starts),
        "hosts_asked": len({entry["host"] for entry in entries}),
        "seconds": round(starts[-1] - starts[0], 1) if starts else 0.0,
        "most_in_a_span": count_most(starts, o.delay),
        "allowed_in_a_span": o.sites_per_address,
        "most_in_a_second": count_most(starts, 1.0),
        "shortest_gaps_s": [round(gap, 4) for gap in gaps[:5]],
        "median_gap_s": round(gaps[len(gaps) // 2], 4) if gaps else None,
    }


def start_web(o: argparse.Namespace, log: Path, stack: ExitStack) -> int:
    """The port of the web, which ends with the stack."""
    lifetime_s = str(2 * o.seconds + 120)
    command = [sys.executable, "-m", "tests.server.good", "--port", "0", "--log", str(log)]
    options = ["--pages", str(4 * o.hosts), "--hosts", str(o.hosts), "--lifetime-s", lifetime_s]
    web = subprocess.Popen([*command, *options], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    stack.callback(web.wait)
    stack.callback(web.terminate)
    assert web.stdout is not None
    return int("".join(c for c in web.stdout.readline() if c.isdecimal() or c == " ").split()[-1])


def write_settings(o: argparse.Namespace, port: int, store: str, folder: Path) -> Path:
    town = Town(4 * o.hosts, o.hosts)
    seeds = json.dumps([town.url(n) for n in range(o.hosts)])
    settings = folder / "leadline.toml"
    settings.write_text(
        f"seeds = {seeds}\n"
        '[topic]\nname = "book"\n'
        '[strategy]\nname = "breadth_first"\nfallback = ""\n'
        f"[politeness]\ndelay_s = {o.delay}\nsites_per_address = {o.sites_per_address}\n"
        f'[web.resolve]\n"*" = "127.0.0.1:{port}"\n'
        f"[budget]\nseconds = {o.seconds}\n"
        f"[store]\npath = {json.dumps(store)}\n"
    )
    return settings


def measure(o: argparse.Namespace, workers: int) -> dict[str, Any]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        log = folder / "log"
        port = start_web(o, log, stack)
        if workers == 1:
            store, command = str(folder / "crawl.leadline"), ["crawl"]
        else:
            server = Server()
            stack.callback(server.stop)
            store = server.url()
            subprocess.run([*CLI, "db", "init", store], cwd=ROOT, check=True, capture_output=True)
            command = ["worker", store]
        settings = write_settings(o, port, store, folder)
        options = ["--config", str(settings), "--quiet"]
        running = [
            subprocess.Popen([*CLI, *command, *options], cwd=ROOT, stdout=subprocess.DEVNULL)
            for _ in range(workers)
        ]
        until = time.monotonic() + o.seconds + LEAVE_S
        for one in running:
            try:
                one.wait(max(1.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                one.send_signal(signal.SIGINT)
                one.wait()
        status = subprocess.run(
            [*CLI, "status", store, "--json"], cwd=ROOT, check=True, capture_output=True, text=True
        )
        shared = json.loads(status.stdout)["politeness"]["shared"]
        return {"workers": workers, **read_figures(log, o), "status": shared}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hosts", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=45.0)
    parser.add_argument("--delay", type=float, default=1.0)
    parser.add_argument("--sites-per-address", type=int, default=8)
    parser.add_argument("--workers", default="1,2")
    o = parser.parse_args()
    runs = [measure(o, int(workers)) for workers in o.workers.split(",")]
    print(json.dumps({"hosts": o.hosts, "delay_s": o.delay, "runs": runs}))


if __name__ == "__main__":
    main()
