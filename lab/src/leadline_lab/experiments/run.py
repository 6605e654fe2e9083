"""Runs an experiment: trials in parallel processes, each kept when it ends, then the report."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import groupby
from pathlib import Path

from msgspec import Struct

from leadline.crawler.assembly import tune_memory
from leadline_lab.experiments.comparison import NORMALISED, Comparison, reference_areas
from leadline_lab.experiments.keeping import ResultFolder, write_tables
from leadline_lab.experiments.knowledge import EarlierCrawls
from leadline_lab.experiments.lab_web import LAB, OpenWorld, stamp
from leadline_lab.experiments.plan import Experiment, experiment_named, trials_of
from leadline_lab.experiments.shelf import open_shelf
from leadline_lab.experiments.training import LinkModels
from leadline_lab.experiments.trial import Result, Teach, Trial, run_trial

Figures = dict[str, object]
"""Printable as one line of JSON."""


class Options(Struct, frozen=True):
    """How an experiment is run; none of it changes a result."""

    cache: Path | None = None
    """Folder for parsed pages, kept for other runs; None: in the output folder, while needed."""
    cache_bytes: int = 4 << 30
    """Of one world."""
    open_world: OpenWorld = LAB
    on_progress: Callable[[int, int], None] | None = None
    """Told how many trials of how many are done, now and then."""


class Chunk(Struct, frozen=True):
    """Trials on one world, run one after another in one process."""

    trials: tuple[Trial, ...]
    out: Path
    pages: Path
    """Where parsed pages of the world are kept."""
    cache_bytes: int
    open_world: OpenWorld
    teach: Teach | None = None
    """For trials that begin with what an earlier crawl saw."""


def run_experiment(
    name: str | Experiment, out: Path, jobs: int = 1, options: Options | None = None
) -> Figures:
    """Run what is missing in `out`, then write tables, figures and the report there.

    A run that was cut off goes on where it stopped. Raises ConfigError for an
    unknown name, a forbidden profile or a folder of another experiment.
    """
    from leadline_lab.experiments.report import write_report

    options = options or Options()
    experiment = experiment_named(name) if isinstance(name, str) else name
    trials = trials_of(experiment)
    folder = ResultFolder(out)
    folder.begin(experiment)
    missing = [trial for trial in trials if not folder.has(trial)]
    begun_at = time.monotonic()
    pages = options.cache or out / "pages"
    remove_kept_pages(pages, but=stamp())
    earlier = EarlierCrawls(out / "earlier", options.open_world)
    earlier.run_missing(missing)
    chunks = list(_chunks(missing, jobs, out, pages, options, earlier.teach))
    run_chunks(chunks, jobs, options, lambda: sum(folder.has(trial) for trial in trials))
    if options.cache is None:
        remove_kept_pages(pages)
    results = [folder.get(trial) for trial in trials]
    write_tables(out, results)
    report = write_report(experiment, results, out)
    return _figures(results, len(missing), time.monotonic() - begun_at) | {"report": str(report)}


def _chunks(
    trials: Sequence[Trial], jobs: int, out: Path, pages: Path, options: Options, teach: Teach
) -> Iterator[Chunk]:
    """A world to a process where there are enough; else its trials are dealt out."""
    worlds = {world: list(group) for world, group in groupby(trials, lambda trial: trial.world)}
    parts = max(1, -(-jobs // max(1, len(worlds))))
    for (profile, seed), own in worlds.items():
        file = pages / f"{profile}-{seed}-{stamp()}.sqlite"
        for part in range(min(parts, len(own))):
            chosen = tuple(own[part::parts])
            yield Chunk(chosen, out, file, options.cache_bytes, options.open_world, teach)


def run_chunks(
    chunks: Sequence[Chunk], jobs: int, options: Options, count_done: Callable[[], int]
) -> None:
    total = count_done() + sum(len(chunk.trials) for chunk in chunks)
    tell = options.on_progress or (lambda _done, _total: None)
    if jobs <= 1:
        for chunk in chunks:
            run_chunk(chunk)
            tell(count_done(), total)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(jobs, max(1, len(chunks))), context, _start_worker)
    try:
        waiting = {pool.submit(run_chunk, chunk) for chunk in chunks}
        while waiting:
            done, waiting = wait(waiting, timeout=1.0, return_when=FIRST_COMPLETED)
            for future in done:
                future.result()
            tell(count_done(), total)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _start_worker() -> None:
    # Ctrl-C ends them at once: whatever trial is under way is run again later.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A worker whose parent was killed would go on with its trials, which nobody waits for."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def run_chunk(chunk: Chunk) -> int:
    """Run its trials, keep each result; how many there were."""
    first = chunk.trials[0]
    folder = ResultFolder(chunk.out)
    world, make_fetcher = chunk.open_world(first.profile, first.world_seed)
    shelf = open_shelf(chunk.pages, chunk.cache_bytes)
    models = LinkModels(chunk.out / "models")
    try:
        with tune_memory():
            for trial in chunk.trials:
                result = run_trial(
                    trial, world, make_fetcher, shelf, models=models, teach=chunk.teach
                )
                folder.put(result)
    finally:
        shelf.close()
    return len(chunk.trials)


def remove_kept_pages(pages: Path, but: str = "") -> None:
    """Remove kept pages: all, or all but those of the code with this stamp."""
    for file in pages.glob("*.sqlite*"):
        if not but or but not in file.name:
            file.unlink(missing_ok=True)
    if pages.is_dir() and not any(pages.iterdir()):
        pages.rmdir()


def _figures(results: Sequence[Result], run: int, seconds: float) -> Figures:
    visits = sum(result.end.pages for result in results)
    cpu_s = sum(result.cpu_s for result in results)
    names = dict.fromkeys(result.trial.name for result in results)
    forms = {
        name: _mean([result.end.forms for result in results if result.trial.name == name])
        for name in names
    }
    figures: Figures = {
        "trials": len(results),
        "run_now": run,
        "pages": visits,
        "requests": sum(result.requests for result in results),
        "seconds": round(seconds, 1),
        "cpu_s": round(cpu_s, 1),
        "pages_per_cpu_s": round(visits / cpu_s) if cpu_s else 0,
        "mean_forms": forms,
    }
    if reference_areas(results):
        normalised = Comparison(results, NORMALISED)
        means = {name: round(normalised.mean(name).mean, 4) for name in names if normalised.units}
        figures["normalised_area"] = means
    return figures


def _mean(numbers: Sequence[int]) -> float:
    return round(sum(numbers) / len(numbers), 2)
