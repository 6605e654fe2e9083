"""Experiments from plan to report, on villages."""

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import structs
from pyarrow import parquet

from leadline.errors import ConfigError, StoreError
from leadline_lab.experiments.keeping import ResultFolder
from leadline_lab.experiments.lab_web import stamp
from leadline_lab.experiments.pages import MakeFetcher
from leadline_lab.experiments.plan import EXPERIMENTS, Experiment, experiment_named, trials_of
from leadline_lab.experiments.run import Options, run_experiment
from leadline_lab.experiments.trial import Contender, Result
from leadline_lab.experiments.worlds import World
from leadline_lab.profile import PROFILES
from tests.lab.experiments.village import Village, VillageFetcher

PLAN = Experiment(
    "villages",
    "A small one.",
    (Contender("baseline"), Contender("random")),
    profiles=("small",),
    world_seeds=(1, 2),
    domains=("book",),
    budget_pages=60,
    seeds=(1, 2),
    seed_urls=3,
)


def open_village(profile: str, seed: int) -> tuple[World, MakeFetcher]:
    del profile
    return Village(seed), VillageFetcher


def refuse(profile: str, seed: int) -> tuple[World, MakeFetcher]:
    raise AssertionError((profile, seed))


OPTIONS = Options(open_world=open_village)


def timeless(results: list[Result]) -> list[Result]:
    return [structs.replace(result, cpu_s=0.0) for result in results]


def results_in(folder: Path, plan: Experiment = PLAN) -> list[Result]:
    return timeless([ResultFolder(folder).get(trial) for trial in trials_of(plan)])


def test_with_several_goals_each_contender_runs_for_each_under_a_name_of_its_own() -> None:
    plan = structs.replace(PLAN, world_seeds=(1,), seeds=(1,), goals=("forms", "pages"))
    assert [(t.name, t.goal) for t in trials_of(plan)] == [
        ("baseline, forms", "forms"), ("baseline, pages", "pages"),
        ("random, forms", "forms"), ("random, pages", "pages"),
    ]  # fmt: skip


def test_a_plan_is_every_strategy_on_every_unit_and_seeds_only_where_there_is_chance() -> None:
    trials = trials_of(PLAN)
    assert [(t.name, t.world_seed, t.seed) for t in trials] == [
        ("baseline", 1, 1), ("random", 1, 1), ("random", 1, 2),
        ("baseline", 2, 1), ("random", 2, 1), ("random", 2, 2),
    ]  # fmt: skip


def test_several_critics_are_several_rows() -> None:
    plan = structs.replace(PLAN, critics=("keywords", "noisy:0.1"), world_seeds=(1,))
    assert list(dict.fromkeys(trial.name for trial in trials_of(plan))) == [
        "baseline, keywords", "baseline, noisy:0.1", "random, keywords", "random, noisy:0.1",
    ]  # fmt: skip


def test_judging_worlds_are_kept_from_all_but_published_experiments() -> None:
    judging = next(name for name, profile in PROFILES.items() if profile.role == "judging")
    plan = structs.replace(PLAN, profiles=(judging,))
    with pytest.raises(ConfigError, match="judging"):
        trials_of(plan)
    assert trials_of(structs.replace(plan, publishes=True))


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_there_is_can_be_planned(name: str) -> None:
    assert trials_of(experiment_named(name))
    assert EXPERIMENTS[name].about


def test_what_cannot_be_planned_is_a_config_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="smoke"):
        experiment_named("none")
    with pytest.raises(ConfigError, match="small"):
        trials_of(structs.replace(PLAN, profiles=("atlantis",)))
    with pytest.raises(ConfigError, match="labels"):
        trials_of(structs.replace(PLAN, contenders=(Contender("random"),) * 2))
    with pytest.raises(ConfigError, match="twice"):
        trials_of(structs.replace(PLAN, domains=("book", "book")))
    with pytest.raises(ConfigError, match="no experiment"):
        ResultFolder(tmp_path).experiment()


def test_an_experiment_leaves_tables_figures_and_a_report(tmp_path: Path) -> None:
    figures = run_experiment(PLAN, tmp_path, options=OPTIONS)
    assert figures["trials"] == 6
    assert figures["pages"] == 360
    rows = parquet.read_table(tmp_path / "results.parquet").to_pylist()
    assert [row["contender"] for row in rows] == [trial.name for trial in trials_of(PLAN)]
    assert all(row["pages"] == 60 for row in rows)
    curves = parquet.read_table(tmp_path / "curves.parquet")
    assert curves.num_rows == sum(len(result.curve) for result in results_in(tmp_path))
    text = Path(str(figures["report"])).read_text()
    assert "<script" not in text
    assert "A small one." in text
    assert (tmp_path / "harvest.svg").exists()
    assert not (tmp_path / "pages").exists()
    assert ResultFolder(tmp_path).experiment() == PLAN


def test_a_run_that_was_cut_off_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    run_experiment(PLAN, whole, options=OPTIONS)
    run_experiment(PLAN, cut, options=OPTIONS)
    lost = trials_of(PLAN)[4]
    (cut / "trials" / f"{lost.key}.json").unlink()
    assert run_experiment(PLAN, cut, options=OPTIONS)["run_now"] == 1
    assert results_in(cut) == results_in(whole)
    assert run_experiment(PLAN, cut, options=Options(open_world=refuse))["run_now"] == 0


def test_parallel_processes_with_one_cache_give_the_same_results(tmp_path: Path) -> None:
    plan = structs.replace(PLAN, world_seeds=(1,))
    one, two = tmp_path / "one", tmp_path / "two"
    told: list[tuple[int, int]] = []
    run_experiment(plan, one, options=OPTIONS)
    options = structs.replace(
        OPTIONS, cache=tmp_path / "kept", on_progress=lambda done, all_: told.append((done, all_))
    )
    run_experiment(plan, two, jobs=2, options=options)
    assert results_in(two, plan) == results_in(one, plan)
    assert told[-1] == (3, 3)
    assert list((tmp_path / "kept").glob(f"small-1-{stamp()}.sqlite"))


def test_a_folder_of_another_plan_is_left_alone(tmp_path: Path) -> None:
    run_experiment(PLAN, tmp_path, options=OPTIONS)
    with pytest.raises(ConfigError, match="another plan"):
        run_experiment(structs.replace(PLAN, budget_pages=61), tmp_path, options=OPTIONS)


def test_a_damaged_result_is_a_store_error(tmp_path: Path) -> None:
    run_experiment(PLAN, tmp_path, options=OPTIONS)
    trial = trials_of(PLAN)[0]
    (tmp_path / "trials" / f"{trial.key}.json").write_text("{")
    with pytest.raises(StoreError):
        run_experiment(PLAN, tmp_path, options=OPTIONS)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for processes of others")
def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "leadline.ui.cli", "lab", "run", "smoke", "--jobs", "2"]
    with subprocess.Popen([*command, "--out", str(tmp_path)], stderr=subprocess.DEVNULL) as run:
        workers: list[int] = []
        while len(workers) < 3:
            assert run.poll() is None, "it ended before it had started its workers"
            found = children(run.pid)
            workers = [os.pidfd_open(pid) for pid in found] if len(found) >= 3 else []
        run.kill()
    ended = select.poll()
    for worker in workers:
        ended.register(worker, select.POLLIN)
    # A fence for a worker that never ends, not a measure of how soon it does.
    while workers and (over := ended.poll(600_000)):
        for worker, _ in over:
            ended.unregister(worker)
            workers.remove(worker)
            os.close(worker)
    assert workers == []


def children(pid: int) -> list[int]:
    """Of the main thread; none when it has ended."""
    try:
        return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []
