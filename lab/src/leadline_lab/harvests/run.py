"""Runs an experiment with policies: harvests in parallel processes, each kept when it ends."""

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from pathlib import Path

import msgspec
from msgspec import Struct

from leadline.errors import ConfigError, StoreError
from leadline.harvester.policies import make_policy
from leadline_lab.harvests.cases import Setting, made
from leadline_lab.harvests.oracle import best_harvest
from leadline_lab.harvests.picture import coverage_curves
from leadline_lab.harvests.plan import Harvests, HarvestTrial, harvests_named, trials_of
from leadline_lab.harvests.report import Figures, Harvested, figures_of, write_report
from leadline_lab.harvests.running import Curve, harvest

_PLAN, _TRIALS = "experiment.json", "trials"
_POINTS = 60
"""Of a curve that are kept."""
OnProgress = Callable[[int, int], None]


class _Chunk(Struct, frozen=True):
    """Harvests of one source, run one after another in one process."""

    trials: tuple[HarvestTrial, ...]
    out: Path


def run_harvests(
    name: str | Harvests, out: Path, jobs: int = 1, on_progress: OnProgress | None = None
) -> Figures:
    """Run what is missing in `out`, then write the report and its picture there.

    A run that was cut off goes on where it stopped. Raises ConfigError for an unknown name, a
    forbidden seed or a folder of another experiment.
    """
    plan = harvests_named(name) if isinstance(name, str) else name
    trials = list(trials_of(plan))
    begun_at = time.monotonic()
    _begin(plan, out)
    missing = [trial for trial in trials if not _file(out, trial).exists()]
    tell = on_progress or (lambda _done, _total: None)
    done = len(trials) - len(missing)
    for count in _run(list(_chunks(missing, out)), jobs):
        done += count
        tell(done, len(trials))
    results = [_read(out, trial) for trial in trials]
    report = write_report(plan, results, out)
    (out / "curves.svg").write_text(coverage_curves(results), encoding="utf-8")
    seconds = round(time.monotonic() - begun_at, 1)
    return figures_of(plan, results) | {"seconds": seconds, "report": str(report)}


def run_trial(trial: HarvestTrial, setting: Setting) -> Harvested:
    """One harvest, graded by the records that its form can reach."""
    behaviour = setting.index.source.behaviour
    shown = min(behaviour.page_size, behaviour.cap or behaviour.page_size)
    budget = max(1, round(trial.reach * setting.index.source.size / shown))
    started = time.process_time()
    curve = _curve(trial, setting, budget)
    return Harvested(
        trial,
        budget,
        curve.reachable,
        curve.area,
        curve.query_area,
        curve.coverage,
        len(curve.by_query),
        curve.spent,
        _points(curve.by_request),
        _points(curve.by_query),
        round(time.process_time() - started, 2),
    )


def _curve(trial: HarvestTrial, setting: Setting, budget: int) -> Curve:
    asker = trial.asker
    if asker.is_oracle:
        return best_harvest(setting, budget)
    return harvest(
        setting,
        lambda held: make_policy(asker.policy, setting.interface, held, asker.settings),
        budget,
        trial.queries,
    )


def _run(chunks: Sequence[_Chunk], jobs: int) -> Iterator[int]:
    """Harvests done, source by source."""
    if jobs <= 1:
        yield from map(_run_chunk, chunks)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, max(1, len(chunks))), context) as pool:
        yield from pool.map(_run_chunk, chunks)


def _run_chunk(chunk: _Chunk) -> int:
    setting = made(chunk.trials[0].case)
    for trial in chunk.trials:
        _write(_file(chunk.out, trial), _encode(run_trial(trial, setting)))
    return len(chunk.trials)


def _chunks(trials: Sequence[HarvestTrial], out: Path) -> Iterator[_Chunk]:
    for _, own in groupby(trials, lambda trial: trial.case):
        yield _Chunk(tuple(own), out)


def _points(counts: tuple[int, ...]) -> tuple[int, ...]:
    """Counts at equal steps, the last one included."""
    if len(counts) <= _POINTS:
        return counts
    return tuple(counts[(n + 1) * len(counts) // _POINTS - 1] for n in range(_POINTS))


def _begin(plan: Harvests, out: Path) -> None:
    (out / _TRIALS).mkdir(parents=True, exist_ok=True)
    file, text = out / _PLAN, _encode(plan)
    if file.exists() and file.read_bytes() != text:
        raise ConfigError(f"{out} holds results of another plan; choose another folder or empty it")
    _write(file, text)


def _file(out: Path, trial: HarvestTrial) -> Path:
    return out / _TRIALS / f"{trial.key}.json"


def _read(out: Path, trial: HarvestTrial) -> Harvested:
    file = _file(out, trial)
    try:
        return msgspec.json.decode(file.read_bytes(), type=Harvested)
    except (OSError, msgspec.DecodeError) as error:
        raise StoreError(f"cannot read {file}: {error}") from error


def _write(file: Path, content: bytes) -> None:
    """Whole or not at all."""
    waiting = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        waiting.write_bytes(content)
        waiting.replace(file)
    except OSError as error:
        raise StoreError(f"cannot write {file}: {error}") from error


def _encode(thing: object) -> bytes:
    return msgspec.json.encode(thing, order="deterministic")
