"""The whole loop, side by side: leadline against Scrapy three ways and crawlee, in one run.

Fetch, robots.txt, politeness, parsing, link scoring, queueing and dedup of a crawl of a
local web. The server has one core to itself, each client in turn the other. Rounds are
interleaved, so that a slow minute of the machine falls on all. The last line printed is
a JSON object of the medians. See bench/README.md.
"""

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from bench import website  # noqa: E402 - after the path, for `python bench/loop.py`
from bench.server import on_cores, serving  # noqa: E402

ENOUGH = 0.98
"""Share of the pages asked for that a client must fetch for its figures to count."""


class Client(NamedTuple):
    """A module of bench.peers and the arguments that make it this client."""

    module: str
    arguments: tuple[str, ...] = ()
    cores: int = 1
    tree: Path = HERE.parent
    """The checkout it runs from."""


CLIENTS = {
    "leadline": Client("leadline_client"),
    "leadline-2": Client("leadline_client", ("--workers", "2"), cores=2),
    "a": Client("scrapy_idiomatic"),
    "b": Client("scrapy_lxml"),
    "c": Client("scrapy_bare"),
    "d": Client("crawlee_peer"),
}
EXTRAS = {
    "leadline-profile": Client("leadline_client", ("--profile",)),
    "a-jobdir": Client("scrapy_idiomatic", ("--jobdir", "{scratch}")),
    "b-lean": Client("scrapy_lxml", ("--lean",)),
    "b-own": Client("scrapy_lxml", ("--lean", "--dedup", "own")),
    "c-lean": Client("scrapy_bare", ("--lean",)),
    "c-aiohttp": Client("scrapy_bare", ("--handler", "aiohttp")),
    "c-nothing": Client("scrapy_bare", ("--parse", "nothing")),
}

OLD = "old"
"""leadline of another checkout, given by --old."""
BULK_BYTES = 220_000
"""With it pages have the mean size of today's (240 KB)."""

Figures = dict[str, Any]


def run_client(client: Client, options: argparse.Namespace, cores: Sequence[int]) -> Figures:
    """One crawl in a process of its own; its figures."""
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        arguments = [part.format(scratch=scratch) for part in client.arguments]
        common = ("port", "hosts", "pages")
        told = [f"--{name}={getattr(options, name)}" for name in common]
        # An older checkout may not know the argument: left out where it says nothing.
        told += ["--scheme=https"] if options.web == "tls" else []
        command = [sys.executable, "-m", f"bench.peers.{client.module}", *told, *arguments]
        # One thread of linear algebra: more would only wait for the one core.
        environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        environment["PYTHONPATH"] = os.pathsep.join(
            str(client.tree / part) for part in ("src", "lab/src")
        )
        with on_cores(set(cores[: client.cores])):
            done = subprocess.run(
                command, cwd=client.tree, env=environment, stdout=subprocess.PIPE, check=True
            )
    figures: Figures = json.loads(done.stdout.splitlines()[-1])
    if figures["pages"] < options.pages * ENOUGH:
        raise SystemExit(f"{client.module} fetched only {figures['pages']} pages")
    return figures


def run_rounds(
    clients: dict[str, Client], options: argparse.Namespace, cores: Sequence[int]
) -> dict[str, list[Figures]]:
    """Every client once per round, in turn."""
    found: dict[str, list[Figures]] = {name: [] for name in clients}
    for number in range(options.rounds):
        for name, client in clients.items():
            figures = run_client(client, options, cores)
            found[name].append(figures)
            print(f"round {number + 1} {name}: {json.dumps(figures)}", file=sys.stderr, flush=True)
    return found


def median(runs: Sequence[Figures], key: str) -> float:
    return round(float(statistics.median(run[key] for run in runs)), 1)


def summarise(found: dict[str, list[Figures]]) -> Figures:
    """Medians by client, and how many times quicker leadline is."""
    keys = ("pages_per_cpu_s", "pages_per_s", "peak_rss_mb", "links_scored", "enqueued")
    figures: Figures = {
        key: {name: median(runs, key) for name, runs in found.items()} for key in keys
    }
    rates = figures["pages_per_cpu_s"]
    ours = rates.get("leadline")
    if ours is not None:
        others = (name for name in rates if not name.startswith("leadline"))
        # Of each round by itself: a slow minute of the machine falls on both.
        if OLD in found:
            pairs = zip(found["leadline"], found[OLD], strict=True)
            each = [new["pages_per_cpu_s"] / old["pages_per_cpu_s"] for new, old in pairs]
            figures["ratio_to_old"] = round(statistics.median(each), 3)
        figures["ratios"] = {name: round(ours / rates[name], 2) for name in others}
    return figures


def table(found: dict[str, list[Figures]], summary: Figures) -> str:
    lines = [
        f"{'client':12}{'pages/CPU-s':>12}{'lowest':>9}{'highest':>9}{'leadline x':>12}"
        f"{'pages/s':>9}{'peak MB':>9}{'scored/page':>13}{'queued/page':>13}"
    ]
    for name, runs in found.items():
        rates = [run["pages_per_cpu_s"] for run in runs]
        pages = median(runs, "pages")
        ratio = summary.get("ratios", {}).get(name, "")
        lines.append(
            f"{name:12}{median(runs, 'pages_per_cpu_s'):12}{min(rates):9}{max(rates):9}{ratio:>12}"
            f"{median(runs, 'pages_per_s'):9}{median(runs, 'peak_rss_mb'):9}"
            f"{median(runs, 'links_scored') / pages:13.1f}{median(runs, 'enqueued') / pages:13.1f}"
        )
    return "\n".join(lines)


def read_options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pages", type=int, default=3_000, help="pages each client crawls")
    parser.add_argument("--hosts", type=int, default=64)
    parser.add_argument("--port", type=int, default=18_080, help="stands in the pages' links")
    parser.add_argument("--only", nargs="+", choices=[*CLIENTS, *EXTRAS], metavar="CLIENT")
    parser.add_argument("--old", type=Path, help="another checkout, crawled with in turn")
    parser.add_argument(
        "--web",
        choices=("plain", "large", "tls"),
        default="plain",
        help="pages of 20 KB, pages of 240 KB, or pages of 20 KB over TLS",
    )
    parser.add_argument("--extras", action="store_true", help=f"also {', '.join(EXTRAS)}")
    parser.add_argument("--site", type=Path, help="keep the web here and use it again")
    return parser.parse_args(arguments)


def choose(options: argparse.Namespace) -> dict[str, Client]:
    offered = CLIENTS | EXTRAS
    if options.old:
        old = CLIENTS["leadline"]._replace(tree=options.old.resolve())
        return {"leadline": CLIENTS["leadline"], OLD: old}
    if options.only:
        return {name: offered[name] for name in options.only}
    return offered if options.extras else CLIENTS


def main() -> None:
    options = read_options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the server ends with the bench
    cores = sorted(os.sched_getaffinity(0))
    scheme = "https" if options.web == "tls" else "http"
    bulk_bytes = BULK_BYTES if options.web == "large" else 0
    shape = website.shape_for(options.pages, options.hosts, options.port, bulk_bytes, scheme)
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        folder = options.site or Path(scratch) / "web"
        web = website.write(folder, shape)
        web["new_links_per_page"] = website.new_links_per_page(shape, options.pages)
        cores_of_server = {cores[-1]}
        with serving(
            folder, Path(scratch), options.hosts, options.port, cores_of_server, scheme
        ) as server:
            found = run_rounds(choose(options), options, cores)
    summary = summarise(found)
    if profiled := found.get("leadline-profile"):
        summary["shares"] = profiled[-1]["shares"]
    print(
        f"{options.pages} pages of {web['page_bytes']:.0f} bytes with 60 links, "
        f"{web['new_links_per_page']:.1f} of them unknown, on {options.hosts} hosts; "
        f"server {server}; medians of {options.rounds}"
    )
    print(table(found, summary))
    print(
        json.dumps(
            {"web": web | {"kind": options.web}, "server": server, "rounds": options.rounds}
            | summary
        )
    )


if __name__ == "__main__":
    main()
