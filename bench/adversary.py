"""An adversary for the whole read path: hostile answers of every family, mixed, packed and cut.

    python bench/adversary.py --minutes 20 [--seed 1]

Bodies from the families of `tests/adversary` and from mixtures of them go through all that a crawl
and a harvest do to an answer, in a process that may die, under CPU and memory measurement: each
family at growing sizes, then random cases. For the rest of the time
`leadline crawl`, `harvest` and `probe` run against a server of hostile pages, are killed at random,
and run again to their ends. The last line printed is a JSON object of the figures: no freeze, no
traceback and no exponent above 1.2 is wanted.

The exponent of a family is the slope of a line through the logarithms of sizes and processor times,
each the least of several readings, because a busy machine only ever adds. Sizes double up to 3.2 MB
or until a reading takes SURE_CPU_S. Families in doubt are measured again and at larger sizes, at
smaller ones if two or three readings took seconds:
`stepped` are those whose times grow by 1.2 or less beyond a step, where the largest pages are read
in another way (cut, or rewritten) than the smallest. A family that takes less than LEAST_CPU_S at
all sizes but one is `bounded`: an exponent cannot be told, and need not be.
"""

import argparse
import functools
import gc
import json
import math
import multiprocessing
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.adversary.families import FAMILIES, PACKERS, Body, Grammar, list_charsets, list_packed  # noqa: E402
from tests.adversary.hostile_site import HostileSite  # noqa: E402
from tests.adversary.read_path import ReadPath  # noqa: E402

SIZES = tuple(100_000 * 2**step for step in range(6))
SMALLER_SIZES = (25_000, 50_000)
FURTHER_SIZES = (6_400_000, 12_800_000)
"""For families in doubt. A packed answer may have 20 MB."""
READERS = 2
"""Families are measured side by side, one on each core: processor times do not mind."""
FREEZE_CPU_S = 20.0
"""Of one body: five times what the worst family takes."""
MEMORY_BYTES = 4 << 30
"""Of address space: a body that wants more fails with MemoryError, which counts as a traceback."""
LEAST_SIZES = 3
SURE_CPU_S = 0.1
"""After LEAST_SIZES, a reading as long as this is the last: larger bodies would tell no more."""
LEAST_CPU_S = 0.004
"""Times below are mostly what every page costs, whatever its size: about 0.001 s."""
MOST_CPU_S = 2.0
"""After a reading as long as this, no larger body is tried."""
TAIL_SIZES = 3
"""The largest sizes, which tell how times grow beyond a step."""
HIGHEST_EXPONENT = 1.2
REPEATS_CPU_S = 0.06
MOST_REPEATS = 5
"""A size is read until its readings add up to REPEATS_CPU_S, at most so many times."""
DOUBTS_FROM = 1.15
REPEATS_IN_DOUBT = 2
"""Families with such an exponent are measured again, so often at every size."""
FAMILIES_SHARE = 0.8
"""Of the time, at most; a tenth at least is for random cases, the rest for commands."""
TYPES = (
    "text/html", "text/html; charset=utf-16", "text/html; charset=shift_jis", "", "text/plain",
    "application/json", "application/xml; charset=iso-8859-1", "text/html; charset=idna",
)  # fmt: skip


FRESH = "fresh"


class Measurement(NamedTuple):
    """What reading a body took."""

    cpu_s: float
    memory_mb: float
    error: str = ""


def _read_status(name: str) -> float:
    """A figure of this process, in MB."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(name):
            return int(line.split()[1]) / 1024
    return 0.0


def _find_memories() -> list[Any]:
    """Caches of limited size in leadline: what they remember comes from pages. Those without a
    limit hold tables that belong to the program."""
    names = [name for name in sys.modules if name.startswith("leadline.")]
    held = [value for name in names for value in vars(sys.modules[name]).values()]
    caches = [value for value in held if isinstance(value, functools._lru_cache_wrapper)]
    return [cache for cache in caches if cache.cache_parameters()["maxsize"] is not None]


def _begin_reading() -> ReadPath:
    path = ReadPath()
    for way in path.ways.values():
        way(Body(b"<title>x</title><p>some words of a page</p><form><input name=q></form>"))
    gc.collect()
    gc.freeze()
    return path


def _serve_cases(connection: Connection) -> None:
    """The process that may die: reads what it is sent, and answers with the measurement."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    path = _begin_reading()
    memories = _find_memories()
    connection.send(None)
    while True:
        way_name, body = connection.recv()
        if way_name == FRESH:
            path = _begin_reading()
            connection.send(None)
            continue
        # What the last body left is not this one's cost, nor does it spare this one any: a body
        # read twice has to take as long as at the first time.
        for memory in memories:
            memory.cache_clear()
        gc.collect()
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        before_mb = _read_status("VmRSS")
        began = time.process_time()
        error = ""
        try:
            path.ways[way_name](body)
        except Exception:  # noqa: BLE001 - what is looked for
            error = traceback.format_exc()
        cpu_s = time.process_time() - began
        connection.send(Measurement(cpu_s, max(0.0, _read_status("VmHWM") - before_mb), error))


class GuardedReader:
    """Reads bodies in a process of its own; one that takes too long is killed and replaced."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._start()

    def _start(self) -> None:
        self._connection, theirs = self._context.Pipe()
        self._process = self._context.Process(target=_serve_cases, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self._connection.recv()

    def read(self, way: str, body: Body) -> Measurement | None:
        """None for a freeze, or a death."""
        self._connection.send((way, body))
        began_s = self._cpu_s()
        while not self._connection.poll(1.0):
            if not self._process.is_alive() or self._cpu_s() - began_s > FREEZE_CPU_S:
                self.close()
                self._start()
                return None
        try:
            measured: Measurement = self._connection.recv()
        except EOFError:
            self._start()
            return None
        return measured

    def begin_anew(self) -> None:
        """Forget what was learned from bodies before, which every collection of garbage walks."""
        self._connection.send((FRESH, None))
        self._connection.recv()

    def _cpu_s(self) -> float:
        """CPU time of the process: a busy machine makes no freeze."""
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii").split()
        except OSError:
            return math.inf
        return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        self._process.kill()
        self._process.join()


class Figures:
    """What was found so far."""

    def __init__(self) -> None:
        self.cases = 0
        self.freezes: list[str] = []
        self.tracebacks: dict[str, str] = {}
        self.worst_cpu_s = 0.0
        self.worst_case = ""
        self.worst_cpu_s_per_100_kb = 0.0
        self.peak_memory_mb = 0.0

    def add(self, name: str, size: int, measured: Measurement | None) -> None:
        self.cases += 1
        if measured is None:
            self.freezes.append(name)
            print(f"FREEZE {name}", flush=True)
            return
        if measured.error:
            self.tracebacks[name] = measured.error
            print(f"TRACEBACK {name}\n{measured.error}", flush=True)
        if measured.cpu_s > self.worst_cpu_s:
            self.worst_cpu_s, self.worst_case = measured.cpu_s, name
        share = measured.cpu_s * 100_000 / max(size, 100_000)
        self.worst_cpu_s_per_100_kb = max(self.worst_cpu_s_per_100_kb, share)
        self.peak_memory_mb = max(self.peak_memory_mb, measured.memory_mb)


def draw_cases(seed: int) -> Iterator[tuple[str, Body]]:
    """Endless: families, mixtures, charsets and packings, with types that do not fit them."""
    chance, grammar = random.Random(seed), Grammar(seed)
    charsets = list_charsets()
    while True:
        size = chance.choice((2_000, 20_000, 100_000, 300_000, 1_000_000))
        kind = chance.random()
        if kind < 0.05:
            packed = list_packed(size)
            name = chance.choice(list(packed))
            yield name, packed[name]
            continue
        if kind < 0.1:
            yield "charset", chance.choice(charsets)
            continue
        if kind < 0.55:
            name = chance.choice(list(FAMILIES))
            data = FAMILIES[name](size)
        else:
            name, data = "mixture", grammar.make(size)
        if chance.random() < 0.2:
            data = data[: chance.randrange(1, len(data) + 1)]
        encoding = chance.choice((*PACKERS, "gzip, br", "")) if chance.random() < 0.2 else ""
        if encoding in PACKERS:
            data = PACKERS[encoding](data)
        yield f"{name} {size} {encoding}".strip(), Body(data, chance.choice(TYPES), encoding)


class FamilyVerdict(NamedTuple):
    """What becomes of the time when a body of a family doubles."""

    kind: str
    """bounded, linear, stepped, superlinear or frozen."""
    exponent: float
    """0 of what is bounded; beyond the step, of what is stepped."""
    times: dict[int, float]
    """Least processor time by size, for the reader with the larger exponent."""


def measure_families(
    figures: Figures, seed: int, ends_at: float, only: str
) -> dict[str, FamilyVerdict]:
    """By family, the worse of those of a crawl and of a harvest; of other readers, where the
    family is made for them. If the time is too short for all, other ones with each seed."""
    names = [name for name in FAMILIES if only in name]
    random.Random(seed).shuffle(names)
    waiting = iter(names)
    found: dict[str, FamilyVerdict] = {}

    def measure_some() -> None:
        reader = GuardedReader()
        # Each next one goes to whoever is free: an iterator of a list is safe among threads.
        for name in waiting:
            if time.monotonic() > ends_at:
                break
            found[name] = _measure_worst(reader, figures, name)
        reader.close()

    with ThreadPoolExecutor(READERS) as threads:
        for done in [threads.submit(measure_some) for _ in range(READERS)]:
            done.result()
    return found


def _measure_worst(reader: GuardedReader, figures: Figures, name: str) -> FamilyVerdict:
    ways = ["crawl", "harvest"]
    if name.startswith(("robots", "one robots", "sitemap")):
        ways = ["robots", "sitemap"]
    reader.begin_anew()
    verdicts = [_measure_family(reader, figures, way, name) for way in ways]
    worst = max(verdicts, key=lambda verdict: verdict.exponent)
    if worst.exponent > DOUBTS_FROM:
        print(f"{name}: {worst}", flush=True)
    return worst


def _measure_family(reader: GuardedReader, figures: Figures, way: str, name: str) -> FamilyVerdict:
    best: dict[int, float] = {}
    for repeats in (0, REPEATS_IN_DOUBT):
        # Two or three points of a family that takes seconds make no line: smaller ones tell more.
        smaller = SMALLER_SIZES if repeats and len(best) <= LEAST_SIZES else ()
        for size in (*smaller, *SIZES, *(FURTHER_SIZES if repeats else ())):
            cpu_s = _measure_size(reader, figures, way, name, size, repeats)
            if cpu_s is None:
                return FamilyVerdict("frozen", math.inf, {size: FREEZE_CPU_S})
            best[size] = round(min(cpu_s, best.get(size, math.inf)), 4)
            is_enough = size >= SIZES[LEAST_SIZES - 1] and cpu_s > SURE_CPU_S
            if cpu_s > MOST_CPU_S or (is_enough and not repeats):
                break
        best = dict(sorted(best.items()))
        exponent = fit_exponent([*best.items()])
        if exponent is None:
            return FamilyVerdict("bounded", 0.0, best)
        if exponent <= DOUBTS_FROM:
            return FamilyVerdict("linear", round(exponent, 3), best)
    whole = fit_exponent([*best.items()]) or 0.0
    tail = fit_exponent([*best.items()][-TAIL_SIZES:]) or 0.0
    if whole <= HIGHEST_EXPONENT:
        return FamilyVerdict("linear", round(whole, 3), best)
    kind = "stepped" if tail <= HIGHEST_EXPONENT else "superlinear"
    return FamilyVerdict(kind, round(tail, 3), best)


def _measure_size(
    reader: GuardedReader, figures: Figures, way: str, name: str, size: int, repeats: int
) -> float | None:
    """The least of `repeats` readings, or of as many as make a measurement; None for a freeze."""
    body = Body(FAMILIES[name](size))
    runs: list[float] = []
    while len(runs) < (repeats or MOST_REPEATS):
        measured = reader.read(way, body)
        figures.add(f"{way}: {name} {size}", len(body.data), measured)
        if measured is None:
            return None
        runs.append(measured.cpu_s)
        if not repeats and len(runs) > 1 and sum(runs) > REPEATS_CPU_S:
            break
    return min(runs)


def fit_exponent(times: list[tuple[int, float]]) -> float | None:
    """The slope of a line through the logarithms; None for times too short to tell."""
    points = [(math.log(size), math.log(cpu_s)) for size, cpu_s in times if cpu_s > LEAST_CPU_S]
    if len(points) < 2:
        return None
    middle_x = sum(x for x, _ in points) / len(points)
    middle_y = sum(y for _, y in points) / len(points)
    spread = sum((x - middle_x) ** 2 for x, _ in points)
    return sum((x - middle_x) * (y - middle_y) for x, y in points) / spread


class CommandRuns(NamedTuple):
    """What came of running commands against the hostile site."""

    runs: int
    restarts: int
    tracebacks: list[str]
    freezes: list[str]
    missing: int
    """Friendly pages that a crawl did not record."""


def run_commands(seed: int, ends_at: float) -> CommandRuns:
    """Crawls, harvests and probes by the command line, each killed a few times."""
    chance = random.Random(seed)
    runs = restarts = missing = 0
    tracebacks: list[str] = []
    freezes: list[str] = []
    turn = 0
    while time.monotonic() < ends_at or not turn:
        with HostileSite(seed + turn) as site, tempfile.TemporaryDirectory() as folder:
            store = str(Path(folder) / "store.leadline")
            given = [f"--set={setting}" for setting in site.settings]
            crawl = ["crawl", "book", "--seeds", site.seed_url, "--store", store, "--plain", *given]
            commands = [
                [*crawl, "--strategy", "breadth_first", "--pages", str(site.pages)],
                ["probe", site.form_url, *given],
                ["harvest", site.form_url, store, "--max-requests", "25", *given],
            ]
            for command in commands:
                for is_killed in (True, True, False):
                    is_killed = is_killed and command[0] != "probe"
                    runs += 1
                    wait_s = chance.uniform(1.0, 6.0) if is_killed else 240.0
                    code, said = _run_command(command, wait_s)
                    restarts += is_killed and code is None
                    if "Traceback (most recent call last)" in said:
                        tracebacks.append(f"{command[0]}: {said[-2_000:]}")
                        print(tracebacks[-1], flush=True)
                    if code is None and not is_killed:
                        freezes.append(" ".join(command[:2]))
                        print(f"FREEZE {command[0]}: {said[-500:]}", flush=True)
                    if not is_killed or code is not None:
                        break
                if command[0] == "crawl":
                    missing += site.count_missing(store)
        turn += 1
    return CommandRuns(runs, restarts, tracebacks, freezes, missing)


def _run_command(command: list[str], wait_s: float) -> tuple[int | None, str]:
    """Its exit code, None if it was killed, and what it printed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "leadline.ui.cli", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=wait_s)
    except subprocess.TimeoutExpired:
        # With the processes that it started, which are all in its session.
        os.killpg(process.pid, signal.SIGKILL)
        said, _ = process.communicate()
        return None, said
    return process.returncode, said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="families with this in their names, no more")
    options = parser.parse_args()
    began = time.monotonic()
    whole_s = options.minutes * 60
    figures = Figures()
    verdicts = measure_families(
        figures, options.seed, began + FAMILIES_SHARE * whole_s, options.only
    )
    reader = GuardedReader()
    if options.only:
        whole_s = 0.0
    fuzz_ends_at = max(time.monotonic() + 0.1 * whole_s, began + 0.75 * whole_s)
    for name, body in draw_cases(options.seed):
        way = random.Random(f"{options.seed} {figures.cases}").choice(
            ("crawl", "crawl", "harvest", "harvest", "robots", "sitemap", "headers")
        )
        figures.add(f"{way}: {name}", len(body.data), reader.read(way, body))
        if time.monotonic() > fuzz_ends_at:
            break
    reader.close()
    commands = CommandRuns(0, 0, [], [], 0)
    if not options.only:
        commands = run_commands(options.seed, began + whole_s)
    worst = sorted(verdicts.items(), key=lambda pair: -pair[1].exponent)
    kinds = [verdict.kind for verdict in verdicts.values()]
    print(
        json.dumps(
            {
                "cases": figures.cases,
                "freezes": len(figures.freezes) + len(commands.freezes),
                "tracebacks": len(figures.tracebacks) + len(commands.tracebacks),
                "worst_cpu_s": round(figures.worst_cpu_s, 3),
                "worst_case": figures.worst_case,
                "worst_cpu_s_per_100_kb": round(figures.worst_cpu_s_per_100_kb, 3),
                "peak_memory_mb": round(figures.peak_memory_mb),
                "families": len(verdicts),
                "families_in_all": len(FAMILIES),
                "bounded": kinds.count("bounded"),
                "linear": kinds.count("linear"),
                "superlinear": {
                    name: verdict for name, verdict in worst if verdict.kind == "superlinear"
                },
                "stepped": {name: verdict for name, verdict in worst if verdict.kind == "stepped"},
                "frozen": kinds.count("frozen"),
                "exponent_max": worst[0][1].exponent if worst else 0.0,
                "exponents": {
                    name: verdict.exponent for name, verdict in worst if verdict.exponent
                },
                "bounded_by_s": max(
                    (max(v.times.values()) for v in verdicts.values() if v.kind == "bounded"),
                    default=0.0,
                ),
                "runs": commands.runs,
                "restarts": commands.restarts,
                "friendly_pages_missing": commands.missing,
                "minutes": round((time.monotonic() - began) / 60, 1),
                "seed": options.seed,
            }
        )
    )


if __name__ == "__main__":
    main()
