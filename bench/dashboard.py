"""How long the dashboard's server takes for each page and each answer of the API.

    python bench/dashboard.py FOLDER                1 million pages and records, 50,000 forms
    python bench/dashboard.py FOLDER --scale 0.05   quicker

The store is made once and kept in the folder. The server runs in a process of its own; every
address is asked several times, one request at a time, while the fields of forms are still studied
and once more when that is done. Times are those the server itself tells (Server-Timing): from the
request until its answer begins. The table is for people, the last line is JSON.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from bench.large_store import LARGEST_SHARE, make_store

PAGES, FORMS, RECORDS = 1_000_000, 50_000, 1_000_000
LIMIT_MS = 300.0
_STORE = "large"


class Measured(NamedTuple):
    """One address."""

    median_ms: float
    max_ms: float
    size_bytes: int


def main() -> None:
    options = _options()
    options.folder.mkdir(parents=True, exist_ok=True)
    path = options.folder / f"{_STORE}.leadline"
    if not path.exists():
        begun = time.monotonic()
        make_store(path, *(int(n * options.scale) for n in (PAGES, FORMS, RECORDS)))
        print(f"made {path.stat().st_size / 1e6:,.0f} MB in {time.monotonic() - begun:.0f} s")
    begun = time.monotonic()
    with _serving(path) as address:
        ready_s = time.monotonic() - begun
        print(f"ready after {ready_s:.1f} s")
        asked = _addresses(address)
        found = {name: _measure(f"{address}{at}", options.times) for name, at in asked.items()}
        memory_mb = _memory_mb(_SERVER[-1])
    for name, one in sorted(found.items(), key=lambda pair: -pair[1].max_ms):
        print(f"{one.median_ms:8.1f} {one.max_ms:8.1f} ms {one.size_bytes:10,} bytes  {name}")
    slowest = max(found, key=lambda name: found[name].max_ms)
    figures: dict[str, Any] = {
        "scale": options.scale,
        "ready_s": round(ready_s, 1),
        "memory_mb": memory_mb,
        "slowest": slowest,
        "max_ms": found[slowest].max_ms,
        "is_within_limit": found[slowest].max_ms < LIMIT_MS,
        "ms": {name: [one.median_ms, one.max_ms] for name, one in found.items()},
    }
    print(json.dumps(figures))


_SERVER: list[int] = []


@contextmanager
def _serving(path: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "leadline.ui.cli", "serve", str(path), "--port", "0", "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    _SERVER.append(server.pid)
    try:
        assert server.stdout is not None
        lines: list[str] = []
        while not (lines and lines[-1].startswith("}")):
            line = server.stdout.readline()
            if not line:
                raise SystemExit("the server did not start")
            lines.append(line)
        yield json.loads("".join(lines))["address"].rstrip("/")
    finally:
        server.terminate()
        server.wait()


def _addresses(address: str) -> dict[str, str]:
    """Every page, and every route of the API that only tells, by a name for people."""
    api = f"/api/v1/stores/{_STORE}"
    form = _json(f"{address}{api}/forms?limit=1")["items"][0]
    harvests = _json(f"{address}{api}/harvests?limit=200")["items"]
    largest = max(harvests, key=lambda one: one["records"])
    sign, drawn = form["signature"], largest["source"]
    middle = int(LARGEST_SHARE / 2 * largest["records"])
    page, site = quote(form["page"], safe=""), form["site"]
    tails = [
        "overview", "learned", "forms", "forms?limit=200&min_score=0&sort=site",
        "forms?q=lo+ra&min_score=0", "forms?field=person", "forms?language=de&sort=newest",
        "forms?min_size=1&min_score=0&sort=size", f"forms?site={site}", f"forms/{sign}", "harvests",
        f"harvests/{drawn}", f"harvests/{drawn}/queries?latest=true",
        f"harvests/{drawn}/records?offset={middle}&limit=200",
        f"harvests/{drawn}/records?sort=most-seen&limit=200", "sites?limit=200",
        "sites?q=ra&sort=site", f"explain?subject={page}", f"explain?subject={site}",
        f"explain?subject={sign}", "explain?subject=http%3A%2F%2Fnowhere.example%2F",
        "events?limit=200", "labels?limit=200", "orders",
    ]  # fmt: skip
    pages = [
        "", "forms", "forms?q=lo+ra&min_score=0", f"forms/{sign}", "harvests", f"harvests/{drawn}",
        "learned", "sites", f"explain?subject={page}", "labels", "control",
        f"compare?right={_STORE}",
    ]  # fmt: skip
    found = {f"GET {api}/{tail}": f"{api}/{tail}" for tail in tails}
    found |= {"GET /api/v1/stores": "/api/v1/stores"}
    both = f"/api/v1/compare?left={_STORE}&right={_STORE}"
    return found | {f"GET {both}": both} | {f"page /{_STORE}/{p}": f"/{_STORE}/{p}" for p in pages}


def _measure(address: str, times: int) -> Measured:
    spent: list[float] = []
    size = 0
    for _ in range(times):
        with urllib.request.urlopen(address) as answer:
            size = len(answer.read())
            spent.append(float(answer.headers["Server-Timing"].partition("dur=")[2]))
    return Measured(round(statistics.median(spent), 1), max(spent), size)


def _json(address: str) -> Any:
    with urllib.request.urlopen(address) as answer:
        return json.load(answer)


def _memory_mb(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("folder", type=Path, help="Where the store is kept.")
    parser.add_argument("--scale", type=float, default=1.0, help="Of 1 million pages.")
    parser.add_argument("--times", type=int, default=7, help="Requests to each address.")
    return parser.parse_args()


if __name__ == "__main__":
    main()
