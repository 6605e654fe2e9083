"""Harvests of the lab kept as traces, models fitted to them, and what is said of both."""

from pathlib import Path

import pytest

from leadline.harvester.coverage import StoppingSettings
from leadline_lab.harvests.asking import LabSource
from leadline_lab.harvests.cases import Case, Kind, made
from leadline_lab.harvests.coverage.fitting import UNFITTED, folds, table_of
from leadline_lab.harvests.coverage.judging import judge
from leadline_lab.harvests.coverage.moments import moments_of
from leadline_lab.harvests.coverage.plan import FIRST_SEEDS, part_of, planned
from leadline_lab.harvests.coverage.regret import regrets, worths
from leadline_lab.harvests.coverage.tables import regret_table, verdict_tables
from leadline_lab.harvests.coverage.traces import Trace, TraceFolder, ground_of, trace


@pytest.fixture(scope="module")
def kept() -> Trace:
    case = Case(Kind(cap=20, ranking="relevance"), seed=33, size=300)
    setting = made(case)
    source = LabSource(setting.index, setting.form.bound)
    source.read_ahead()
    return trace(source, ground_of(setting, case), "random", 120)


def test_a_harvest_is_kept_query_by_query(kept: Trace, tmp_path: Path) -> None:
    folder = TraceFolder(tmp_path)
    assert not folder.has(kept.case, kept.policy)
    folder.put(kept)
    assert list(folder.all()) == [kept]
    assert sum(step.outcome.requests for step in kept.steps) == 120
    assert all(len(step.hashes()) == step.outcome.returned for step in kept.steps)
    held = {key for step in kept.steps for key in step.hashes()}
    assert len(held) == sum(step.outcome.fresh for step in kept.steps) <= kept.reachable


def test_moments_are_those_asked_for_and_the_end(kept: Trace) -> None:
    moments = list(moments_of([kept], (20, 50, 1_000), UNFITTED))
    assert [(moment.requests, moment.is_end) for moment in moments] == [
        (20, False),
        (50, False),
        (0, True),
    ]
    table = table_of(moments)
    assert table.rows.shape == (3, len(moments[0].features))
    assert sum(fold.sum() for fold in folds(table.sources)) == 3


def test_verdicts_count_every_moment(kept: Trace) -> None:
    moments = list(moments_of([kept], (50,)))
    verdict = judge(moments, [kept])
    assert verdict.overall.moments == 2
    assert set(verdict.by_requests) == {"50", "end"}
    assert verdict.caps == {"named": 1}
    assert "after 50 requests" in verdict_tables(verdict)


def test_regret_is_nothing_for_whoever_stops_best(kept: Trace) -> None:
    settings = StoppingSettings()
    found = regrets([kept], settings)
    assert found["never"].missed == 0
    assert all(row.lost >= -1e-9 for row in found.values())
    assert len(worths(kept.steps, settings)) == len(kept.steps)
    assert "| never |" in regret_table(found)


def test_sets_share_no_source_and_parts_make_up_the_whole() -> None:
    sets = {name: planned(first) for name, first in FIRST_SEEDS.items()}
    seeds = [one.case.seed for wanted in sets.values() for one in wanted]
    assert len(seeds) == len(set(seeds))
    parts = [one for part in range(3) for one in part_of(sets["fit"], part, 3)]
    assert sorted(one.case.seed for one in parts) == [one.case.seed for one in sets["fit"]]
