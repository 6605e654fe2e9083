"""How many doors of a topic each strategy fetches on webs that other people built.

    python -m tools.worlds WORLDS DATA --world a --seeds 3 4 --topics books jobs airports \
        --strategies expected_gain sitewise ffc --budget 2000 --out FOLDER

WORLDS holds the worlds `a` and `b`, each with a server, its truth, and a grader; DATA is the
folder of real data they are made of. For each seed and topic, a topic is taught from the seeds and
words that the world gives, as a user would do it; then each strategy crawls over HTTP on loopback
with default settings, and the world's own grader says which of the topic's doors (pages with a
search form, a SearchAction or an OpenSearch description) were fetched after so many requests. The
crawler gets nothing of the truth. Each crawl has a server of its own. The last line is JSON.
"""

import argparse
import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import leadline

MARKS = (200, 500, 1_000, 2_000)
TOPICS = {"a": ("books", "jobs", "airports"), "b": ("courts", "library", "film")}
_READY_S = 300.0
"""The longest a server may take to build its world."""


class Run(NamedTuple):
    """One crawl to be graded."""

    world: str
    seed: int
    topic: str
    strategy: str

    @property
    def name(self) -> str:
        return f"{self.world}{self.seed}-{self.topic}-{self.strategy}"


class Served(NamedTuple):
    """A world that answers, and where its log and truth are."""

    port: int
    log: Path
    truth: Path


class WorldFolders(NamedTuple):
    worlds: Path
    data: Path
    out: Path


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def serve(folders: WorldFolders, world: str, seed: int) -> Iterator[Served]:
    """A server of the world on a free port of loopback."""
    home, port = folders.worlds / world, find_free_port()
    cache = folders.out / world
    cache.mkdir(parents=True, exist_ok=True)
    if world == "a":
        truth, log = cache / f"truth-{seed}.json", cache / "log-default.jsonl"
        if not truth.exists():
            _run_script(home, "build.py", str(folders.data), str(cache), "--seed", str(seed))
        command = ["serve.py", str(folders.data), str(cache), "--seed", str(seed)]
        command += ["--port", str(port)]
    else:
        truth, log = cache / f"truth-{seed}.json", cache / f"log-{port}.jsonl"
        command = ["serve.py", str(folders.data), "--seed", str(seed), "--port", str(port)]
        command += ["--log", str(log), "--truth", str(truth)]
    server = subprocess.Popen(
        [sys.executable, "-B", *command], cwd=home, stdout=subprocess.PIPE, text=True
    )
    try:
        if server.stdout is None or not server.stdout.readline():
            raise RuntimeError(f"world {world} does not start: try {command} in {home}")
        yield Served(port, log, truth)
    finally:
        server.terminate()
        server.wait()


def _run_script(home: Path, script: str, *arguments: str) -> None:
    subprocess.run(
        [sys.executable, "-B", script, *arguments], cwd=home, check=True, stdout=subprocess.DEVNULL
    )


def find_topic(served: Served, topic: str) -> dict[str, Any]:
    """All that the crawler may know of it: its seeds and words."""
    known = json.loads(served.truth.read_text())["topics"][topic]
    return {"seeds": known["seeds"], "words": known["words"]}


def teach_topic(served: Served, topic: str, given: dict[str, Any], folder: Path) -> None:
    """As a user does who has some pages and words."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    command = [_command(), "topic", "new", f"my-{topic}"]
    command += ["--out", str(folder), "--words", ",".join(given["words"]), "--pages"]
    command += [*given["seeds"], *_settings(served)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _command() -> str:
    return str(Path(sys.executable).parent / "leadline")


def _settings(served: Served) -> list[str]:
    values = (
        f"web.proxy=http://127.0.0.1:{served.port}",
        "web.allow_private=true",
        "politeness.delay_s=0.02",
    )
    return [word for value in values for word in ("--set", value)]


def crawl(
    served: Served, run: Run, topic: Path, given: dict[str, Any], options: Any
) -> dict[str, Any]:
    """Crawl, and what the grader says of it."""
    store = options.out / f"{run.name}.leadline"
    store.unlink(missing_ok=True)
    seeds = options.out / f"{run.name}.seeds.txt"
    seeds.write_text("\n".join(given["seeds"]))
    command = [_command(), "crawl", str(topic), "--seeds", str(seeds)]
    command += ["--store", str(store), "--strategy", run.strategy, "--pages", str(options.budget)]
    command += ["--seconds", str(options.seconds), *_settings(served)]
    begun = time.monotonic()
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds = round(time.monotonic() - begun)
    claims = options.out / f"{run.name}.claims.jsonl"
    claims.write_text("".join(f"{json.dumps(claim)}\n" for claim in read_claims(store)))
    store.unlink(missing_ok=True)
    return {"wall_s": seconds, "claims": str(claims)}


def read_claims(store: Path) -> list[dict[str, Any]]:
    """The forms that the crawl holds to be relevant, in the words of both graders."""
    found = []
    results = leadline.open_store(store)
    for stored in results.store.reader.forms():
        if stored.judged.relevant < 0.5:
            continue
        form = stored.judged.form
        found.append(
            {
                "url": form.page,
                "page": form.page,
                "action": form.action or form.page,
                "method": form.method,
                "names": [field.name for field in form.fields if field.name],
            }
        )
    return found


def grade(folders: WorldFolders, run: Run, served: Served, claims: str) -> dict[str, Any]:
    """By the world's own grader."""
    home = folders.worlds / run.world
    if run.world == "a":
        given = [str(served.truth), run.topic, str(served.log), claims]
    else:
        given = [str(served.truth), str(served.log), run.topic, "--claims", claims]
    done = subprocess.run(
        [sys.executable, "-B", "grade.py", *given],
        cwd=home,
        check=True,
        capture_output=True,
        text=True,
    )
    said = json.loads(done.stdout)
    at = said.get("doors_at") or said["found"]
    claimed = said.get("claims") or {}
    return {
        "reachable": said["reachable"],
        "doors": {str(mark): at[str(mark)] for mark in MARKS},
        "precision": claimed.get("precision", 0.0),
        "recall": claimed.get("recall", claimed.get("recall_of_reachable", 0.0)),
        "requests": said["requests"],
        "traps": said.get("trap_pages"),
        "unsafe": said["unsafe"],
        "robots_violations": said["robots_violations"],
    }


def run_all(options: Any) -> list[dict[str, Any]]:
    folders = WorldFolders(options.worlds, options.data, options.out)
    found: list[dict[str, Any]] = []
    for seed in options.seeds:
        for topic in options.topics or TOPICS[options.world]:
            pack = options.out / "topics" / f"{options.world}{seed}-{topic}"
            with serve(folders, options.world, seed) as served:
                given = find_topic(served, topic)
                teach_topic(served, topic, given, pack)
            for strategy in options.strategies:
                run = Run(options.world, seed, topic, strategy)
                with serve(folders, options.world, seed) as served:
                    made = crawl(served, run, pack, given, options)
                    # The servers write their logs when they are asked or ended.
                    _flush(served)
                    row = run._asdict() | grade(folders, run, served, made.pop("claims")) | made
                found.append(row)
                print_row(row)
    return found


def _flush(served: Served) -> None:
    request = b"GET http://admin.test/ HTTP/1.1\r\nHost: admin.test\r\nConnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", served.port)) as line:
        line.settimeout(5.0)
        line.sendall(request)
        line.recv(1_000)


def print_row(row: dict[str, Any]) -> None:
    doors = " | ".join(str(row["doors"][str(mark)]) for mark in MARKS)
    name = f"{row['world']}{row['seed']} | {row['topic']} | {row['strategy']}"
    claims = f"{row['precision']} | {row['recall']}"
    rest = f"{row['requests']} | {row['traps']} | {row['wall_s']}"
    print(f"| {name} | {row['reachable']} | {doors} | {claims} | {rest} |", flush=True)


def sum_up(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Doors of each strategy over all seeds and topics."""
    sums: dict[str, dict[str, int]] = {}
    for row in rows:
        mine = sums.setdefault(row["strategy"], {"reachable": 0} | {str(m): 0 for m in MARKS})
        mine["reachable"] += row["reachable"]
        for mark in MARKS:
            mine[str(mark)] += row["doors"][str(mark)]
    return sums


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.worlds", description=__doc__)
    parser.add_argument("worlds", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--world", choices=sorted(TOPICS), required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--topics", nargs="+", help="by default three of the world")
    parser.add_argument("--strategies", nargs="+", required=True)
    parser.add_argument("--budget", type=int, default=2_000, help="pages of each crawl")
    parser.add_argument("--seconds", type=float, default=600.0, help="at most for each crawl")
    parser.add_argument("--out", type=Path, required=True, help="outside the repository")
    options = parser.parse_args()
    for name in ("worlds", "data", "out"):
        setattr(options, name, getattr(options, name).resolve())
    options.out.mkdir(parents=True, exist_ok=True)
    marks = " | ".join(f"@{mark}" for mark in MARKS)
    print(
        f"| web | topic | strategy | reachable | {marks} | precision | recall | requests |", end=""
    )
    print(f" traps | seconds |\n|{'---|' * 13}")
    rows = run_all(options)
    print(json.dumps({"sums": sum_up(rows), "runs": rows}))


if __name__ == "__main__":
    main()
