"""kill -9 at random instants of a crawl of a known site: what is lost, doubled, or asked too early.

The crawl runs in a process of its own and is killed and started again, again and again, then
run to its end. The truth is the site's own: its pages, its forms, its log of requests. The
last line printed is a JSON object of the figures.
"""

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.server.good import Entry, Town, gaps, read_log  # noqa: E402

from leadline.store import open_store_view  # noqa: E402 - after the path, for `python bench/kill.py`

LIFETIME_S = 3_600.0
"""Of the site, should this process not end it: on a busy machine all takes as long as it takes."""
CRAWL = """
import sys
from leadline import crawl, load_config
port, store, delay_s = sys.argv[1], sys.argv[2], float(sys.argv[3])
settings = {
    "seeds": ["http://site0.test/"],
    "topic.name": "book",
    "strategy.name": "breadth_first",
    "web.resolve": {"*": f"127.0.0.1:{port}"},
    "politeness.delay_s": delay_s,
    "store.path": store,
    "budget.pages": 0,
    # The site's numbered pages hold hardly a word: what a crawl is right to leave.
    "scope.leave_traps": False,
}
print("ready", flush=True)
print(crawl(load_config(settings=settings)[0]).reason, flush=True)
"""


class Site:
    """The known site in a process of its own, ended by its id."""

    def __init__(
        self,
        pages: int,
        hosts: int,
        log: Path,
        lifetime_s: float,
        launcher: Sequence[str] = (),
        port: int = 0,
    ) -> None:
        command = [*launcher, sys.executable, "-m", "tests.server.good", "--port", str(port)]
        command += ["--pages", str(pages)]
        command += ["--hosts", str(hosts), "--log", str(log), "--lifetime-s", str(lifetime_s)]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.port = self._process.stdout.readline().strip()

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


def crawl_until(
    is_time: Callable[[], bool] | None, after_s: float, port: str, store: Path, delay_s: float
) -> str:
    """Run the crawl, killed a moment after `is_time` or to its end; what it said at the end."""
    command = [sys.executable, "-c", CRAWL, port, str(store), str(delay_s)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        if is_time is not None:
            while not is_time() and process.poll() is None:
                time.sleep(0.005)
            time.sleep(after_s)
            process.send_signal(signal.SIGKILL)
        return process.stdout.read().strip()


def size_of(log: Path) -> int:
    """Requests in the log."""
    return log.read_bytes().count(b"\n") if log.exists() else 0


def has_requests(log: Path, wanted: int) -> bool:
    return size_of(log) >= wanted


def run(kills: int, pages: int, hosts: int, delay_s: float, seed: int) -> dict[str, object]:
    """Kill `kills` times, finish, and compare with the truth."""
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="kill-") as folder:
        log, store = Path(folder) / "log.jsonl", Path(folder) / "crawl.leadline"
        site = Site(pages, hosts, log, LIFETIME_S)
        try:
            for _ in range(kills):
                # None: while the store is opened, or before anything was asked.
                wanted = size_of(log) + dice.randrange(2 * hosts)
                is_time = partial(has_requests, log, wanted)
                crawl_until(is_time, dice.uniform(0.0, delay_s), site.port, store, delay_s)
            reason = crawl_until(None, 0.0, site.port, store, delay_s)
        finally:
            site.stop()
        figures = judge(store, read_log(log), Town(pages, hosts), delay_s)
    return {"kills": kills, "pages": pages, "reason": reason, **figures}


def judge(store: Path | str, log: list[Entry], town: Town, delay_s: float) -> dict[str, object]:
    """What the store holds against what the site has and was asked for."""
    expected = {town.url(n) for n in range(town.pages)}
    kept = open_store_view(store)
    visits = [visit for visit in kept.reader.visits() if visit.outcome == "page"]
    forms = [form for form in kept.reader.forms() if form.judged.searchable >= 0.5]
    kept.close()
    recorded = Counter(visit.url for visit in visits)
    asked = Counter(f"http://{entry.host}{entry.path}" for entry in log)
    sites_with_forms = {
        urlsplit(town.url(n)).netloc for n in range(town.pages) if town.has_search_form(n)
    }
    early = [gap for each in gaps(log).values() for gap in each if gap < delay_s * 0.999]
    return {
        "never_fetched": len(expected - asked.keys()),
        "fetched_again": sum(asked[url] - 1 for url in expected if asked[url] > 1),
        "not_recorded": len(expected - recorded.keys()),
        "recorded_twice": sum(count > 1 for count in recorded.values()),
        "forms_expected": len(sites_with_forms),
        "forms_recorded": len(forms),
        "forms_doubled": len(forms) - len({(form.site, form.judged.signature) for form in forms}),
        "asked_early": len(early),
        "shortest_gap_s": round(
            min((g for each in gaps(log).values() for g in each), default=0), 4
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--hosts", type=int, default=12)
    parser.add_argument("--delay-s", type=float, default=0.2)
    parser.add_argument("--seed", type=int, default=1)
    o = parser.parse_args()
    print(json.dumps(run(o.kills, o.pages, o.hosts, o.delay_s, o.seed)))


if __name__ == "__main__":
    main()
