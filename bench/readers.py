"""A crawl of known pages of which every twentieth harms the process that reads it: what is lost.

Four crawls over HTTP. In three of them a critic of somebody else's kills its process, ends it,
loops, waits or takes memory without end, as the page's title says: in a default crawl, in one with
two processes that read pages, and in a default crawl that is killed on the way and resumed. In the
fourth the critic is leadline's own, the harmful pages are megabytes that take more than they may,
and readers are killed from outside while they read them. The truth is the site's own. The last line
printed is a JSON object of the figures.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.server.harmful_site import HarmfulSite  # noqa: E402

from leadline.store import open_store_view  # noqa: E402 - after the path

CRAWL = """
import json, sys
sys.path.insert(0, sys.argv[1])
from leadline import crawl, load_config
from leadline.plugins import NoSettings, Part
from leadline.topics.critic import CRITICS
from tests.crawler.harmful import HarmfulCritic
CRITICS["harmful"] = Part(lambda _settings, _topic: HarmfulCritic(), NoSettings)
settings = json.loads(sys.argv[2])
print(crawl(load_config(settings=settings)[0]).reason, flush=True)
"""
SECONDS, MEMORY_MB = 0.5, 64
"""What a page may take: little, so that a hundred harmful ones are over soon."""
TIGHT_SECONDS = 0.2
"""What reading COSTLY takes several times."""


def list_children(process: int) -> list[int]:
    """Ids of the processes that a process has started."""
    found: list[int] = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += map(int, task.read_text().split())
        except OSError:
            continue
    return found


async def crawl(
    settings: dict[str, object], *, until: asyncio.Event | None, kills: random.Random | None
) -> tuple[str, str, int]:
    """Run a crawl to its end, or kill it at `until`; what it said, its errors, readers killed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", CRAWL, str(ROOT), json.dumps(settings)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    ended = asyncio.create_task(process.communicate())
    killed = 0
    if until is not None:
        moment = asyncio.create_task(until.wait())
        await asyncio.wait({ended, moment}, return_when=asyncio.FIRST_COMPLETED)
        moment.cancel()
        if process.returncode is None:
            process.kill()
    while kills is not None and not ended.done():
        await asyncio.wait({ended}, timeout=kills.uniform(1.0, 10.0))
        for keeper in list_children(process.pid):
            # Mostly the one that reads; now and then the one that keeps it.
            for reader in list_children(keeper) if kills.random() < 0.9 else [keeper]:
                with suppress(ProcessLookupError):
                    os.kill(reader, signal.SIGKILL)
                    killed += 1
    out, err = await ended
    return out.decode().strip(), err.decode(), killed


async def run(
    options: argparse.Namespace,
    *,
    processes: int = 1,
    cuts: int = 0,
    is_costly: bool = False,
) -> dict[str, object]:
    """One crawl, cut off `cuts` times and resumed, against the truth."""
    site = HarmfulSite(options.pages, options.hosts, is_costly=is_costly)
    await site.start(0)
    began, errors, readers_killed, reason = time.monotonic(), "", 0, ""
    with tempfile.TemporaryDirectory(prefix="readers-") as folder:
        settings: dict[str, object] = {
            "seeds": [site.url(0)],
            "topic.name": "book",
            "topic.critic": "hifi" if is_costly else "harmful",
            "strategy.name": "breadth_first",
            "web.resolve": {"*": f"127.0.0.1:{site.port}"},
            "politeness.delay_s": 0.0,
            "crawl.parse_processes": processes,
            "page.max_seconds": TIGHT_SECONDS if is_costly else SECONDS,
            "page.max_memory_mb": MEMORY_MB,
            "store.path": f"{folder}/crawl.leadline",
            "budget.pages": 0,
            # Its pages differ in a number only.
            "scope.leave_traps": False,
        }
        for cut in range(cuts + 1):
            until = asyncio.Event() if cut < cuts else None
            watch = asyncio.create_task(
                set_after(until, site, (cut + 1) * options.pages // (cuts + 1))
            )
            kills = random.Random(1) if is_costly else None
            reason, said, killed = await crawl(settings, until=until, kills=kills)
            watch.cancel()
            errors += said
            readers_killed += killed
        figures = judge(f"{folder}/crawl.leadline", site)
    await site.stop()
    return {
        "reason": reason,
        "seconds": round(time.monotonic() - began, 1),
        **figures,
        "readers_killed_from_outside": readers_killed,
        "tracebacks": errors.count("Traceback"),
    }


async def set_after(event: asyncio.Event | None, site: HarmfulSite, requests: int) -> None:
    while site.asked.total() < requests:  # noqa: ASYNC110 - the site counts, and tells nobody
        await asyncio.sleep(0.02)
    if event is not None:
        event.set()


def judge(store: str, site: HarmfulSite) -> dict[str, object]:
    """What the store holds against what the site has."""
    kept = open_store_view(store)
    outcomes: dict[str, list[str]] = {}
    for visit in kept.reader.visits():
        outcomes.setdefault(visit.url, []).append(visit.outcome)
    events = Counter(event.kind for event in kept.reader.events())
    whys = Counter(event.detail for event in kept.reader.events() if event.kind == "reader-lost")
    kept.close()
    harmless = [site.url(n) for n in site.harmless]
    harmful = [site.url(n) for n in range(site.pages) if site.is_harmful(n)]
    return {
        "harmless": len(harmless),
        "recorded_once": sum(outcomes.get(url) == ["page"] for url in harmless),
        "lost": sum("page" not in outcomes.get(url, []) for url in harmless),
        "recorded_twice": sum(len(found) > 1 for found in outcomes.values()),
        "harmful": len(harmful),
        "harmful_unreadable": sum(outcomes.get(url) == ["unreadable"] for url in harmful),
        "harmful_without_a_visit": sum(url not in outcomes for url in harmful),
        "fetched_again": sum(number - 1 for number in site.asked.values()),
        "readers_lost": events["reader-lost"],
        "quarantined": events["quarantined"],
        "why_lost": dict(whys.most_common()),
    }


async def run_all(options: argparse.Namespace) -> dict[str, object]:
    runs = {
        "default": {},
        "two processes": {"processes": 2},
        "cut off and resumed": {"cuts": 2},
        "own critic, costly pages, readers killed": {"is_costly": True},
    }
    figures: dict[str, object] = {}
    for name, how in runs.items():
        if not options.only or name.startswith(options.only):
            figures[name] = await run(options, **how)  # type: ignore[arg-type]
            print(name, json.dumps(figures[name]), flush=True)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--hosts", type=int, default=40)
    parser.add_argument("--only", default="", help="the crawl whose name begins so")
    print(json.dumps(asyncio.run(run_all(parser.parse_args()))))


if __name__ == "__main__":
    main()
