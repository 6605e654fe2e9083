"""Lab databases asked directly, and what is counted of it."""

import asyncio
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from leadline.core.harvest import NOTHING, RECORD, REFUSED, RESULTS, Query
from leadline.core.ports import Source
from leadline.errors import ConfigError
from leadline.harvester.holdings import Holdings
from leadline.harvester.policies import make_policy
from leadline_lab.databases import key_of_record
from leadline_lab.harvests.asking import LabSource
from leadline_lab.harvests.cases import Case, Kind, Setting, grid, made
from leadline_lab.harvests.oracle import best_harvest
from leadline_lab.harvests.plan import HARVESTS, Asker, Harvests, harvests_named, trials_of
from leadline_lab.harvests.report import as_markdown
from leadline_lab.harvests.run import run_harvests
from leadline_lab.harvests.running import Curve, harvest

SIZE = 600


def setting(seed: int = 33, **kind: object) -> Setting:
    return made(Case(Kind(**kind), seed, SIZE))  # type: ignore[arg-type]


def common_query(one: Setting) -> Query:
    """For a word that many records hold."""
    words = {word: int(one.index.holding("*", word).sum()) for word in one.interface.words}
    return Query(((one.interface.boxes[0].name, max(words, key=lambda word: words[word])),))


def test_pages_of_an_answer_hold_what_matches_and_nothing_twice() -> None:
    one = setting()
    source = LabSource(one.index, one.form.bound)
    query = common_query(one)
    answer, page = source.answer(query, 1), 1
    keys = [record.key for record in answer.records]
    while answer.next_page:
        page += 1
        assert answer.next_page.number == page
        answer = asyncio.run(source.fetch_next_page(query, answer.next_page))
        keys += [record.key for record in answer.records]
    word = query.values[0][1]
    expected = np.flatnonzero(one.index.holding("*", word)).tolist()
    assert sorted(keys) == sorted(key_of_record(one.index.source, n) for n in expected)
    assert source.requests == page
    port: Source = source
    assert asyncio.run(port.ask(query)).kind == RESULTS


def test_a_limit_ends_an_answer() -> None:
    one = setting(cap=20)
    answer = LabSource(one.index, one.form.bound).answer(common_query(one), 1)
    pages = -(-20 // one.index.source.behaviour.page_size)
    assert (answer.next_page is None) == (pages == 1)
    assert answer.total is not None
    assert answer.total > 20


def test_records_show_what_lists_show() -> None:
    one = setting()
    records = LabSource(one.index, one.form.bound).answer(common_query(one), 1).records
    assert all(record.cells[0].place == "title" for record in records)
    assert all(record.cells[0].text == record.title for record in records)


def test_nothing_is_found_for_nonsense_and_nothing_is_looked_up_for_nothing() -> None:
    one = setting()
    source = LabSource(one.index, one.form.bound)
    box = one.interface.boxes[0].name
    assert source.answer(Query(((box, "qqxqqx"),)), 1).kind == NOTHING
    assert source.answer(Query(()), 1).kind in (NOTHING, REFUSED)


def test_a_single_match_leads_to_the_record_where_sources_do_that() -> None:
    one = setting()
    behaviour = structs.replace(
        one.index.source.behaviour, redirects_single=True, has_details=True, min_length=0
    )
    one.index.source = structs.replace(one.index.source, behaviour=behaviour)
    source = LabSource(one.index, one.form.bound)
    column = next(c for c in one.index.searched("*") if type(c).__name__ == "CodeColumn")
    code = next(iter(column.words()))
    answer = source.answer(Query(((one.interface.boxes[0].name, code),)), 1)
    assert answer.kind == RECORD
    assert len(answer.records) == 1


@pytest.mark.parametrize("form", ["keyword", "advanced", "select_only"])
def test_forms_are_told_as_they_are(form: str) -> None:
    one = setting(form=form)
    interface = one.interface
    names = {box.name for box in interface.boxes} | {menu.name for menu in interface.menus}
    names |= {end for span in interface.spans for end in (span.low, span.high)}
    assert names == set(one.form.bound)
    assert bool(interface.boxes) == (form != "select_only")
    assert all(menu.choices for menu in interface.menus)


def test_the_grid_has_every_kind_once() -> None:
    names = [kind.name for kind in grid()]
    assert len(names) == len(set(names)) == 208
    assert [kind.cap for kind in grid(cap=(20,), form=("keyword",))] == [20] * 24


def test_coverage_counts_reachable_records_only() -> None:
    one = setting(form="select_only", cap=20)
    assert 0 < one.is_reachable.sum() <= SIZE
    curve = harvest(one, lambda held: make_policy("enumerate", one.interface, held), 400)
    assert curve.reachable == one.is_reachable.sum()
    assert curve.by_request[-1] <= curve.reachable
    assert len(curve.by_request) == 400
    assert list(curve.by_request) == sorted(curve.by_request)


def test_areas_are_mean_coverages() -> None:
    curve = Curve(10, (2, 4, 4, 10), (4, 10), 4)
    assert curve.area == 0.5
    assert curve.query_area == 0.7
    assert curve.coverage == 1


@pytest.mark.parametrize("kind", [Kind(), Kind(cap=20), Kind(form="advanced", cap=100)])
def test_the_oracle_does_better_than_asking_for_frequent_words(kind: Kind) -> None:
    one = made(Case(kind, 33, SIZE))
    best = best_harvest(one, 120)
    other = harvest(one, lambda held: make_policy("gf", one.interface, held), 120)
    assert best.area > other.area
    assert len(best.by_request) == 120


def test_judging_seeds_are_for_published_tables() -> None:
    plan = Harvests("mine", "", (Asker("gf"),), (Kind(),), seeds=(901,))
    with pytest.raises(ConfigError, match="judging seed"):
        list(trials_of(plan))
    assert list(trials_of(structs.replace(plan, publishes=True)))


def test_unknown_names_are_told() -> None:
    with pytest.raises(ConfigError, match="harvest-smoke"):
        harvests_named("nothing")
    plan = Harvests("mine", "", (Asker("fg"),), (Kind(),), seeds=(31,))
    with pytest.raises(ConfigError, match="gf"):
        list(trials_of(plan))


@pytest.mark.parametrize("plan", HARVESTS.values(), ids=HARVESTS)
def test_every_experiment_may_be_run(plan: Harvests) -> None:
    trials = list(trials_of(plan))
    assert len({trial.key for trial in trials}) == len(trials)


def test_with_fewer_sources_than_seeds_kinds_take_seeds_in_turn() -> None:
    kinds = (Kind(), Kind(cap=20), Kind(cap=100))
    plan = Harvests("mine", "", (Asker("gf"),), kinds, (31, 32, 33), sources=2)
    assert [trial.case.seed for trial in trials_of(plan)] == [31, 32, 33, 31, 32, 33]


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    askers = (Asker("yield_per_cost"), Asker("gf"), Asker("oracle"))
    plan = Harvests("mine", "A small one.", askers, (Kind(),), (31, 32), size=300, reach=1.0)
    told: list[tuple[int, int]] = []
    figures = run_harvests(plan, tmp_path, on_progress=lambda *row: told.append(row))
    assert told == [(3, 6), (6, 6)]
    assert figures["harvests"] == 6
    report = (tmp_path / "report.md").read_text()
    assert "keyword full no cap static flat and" in report
    told.clear()
    assert run_harvests(plan, tmp_path, on_progress=lambda *row: told.append(row))["harvests"] == 6
    assert told == []
    with pytest.raises(ConfigError, match="another plan"):
        run_harvests(structs.replace(plan, reach=2.0), tmp_path)


def test_counted_by_queries_a_harvest_ends_with_them_and_says_how_far_it_came(
    tmp_path: Path,
) -> None:
    plan = Harvests("few", "", (Asker("gf"), Asker("random")), (Kind(),), (31,), 300, 100.0, 10)
    figures = run_harvests(plan, tmp_path)
    assert figures["harvests"] == 2
    report = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "coverage by queries" in report
    assert "| policy | 1 | 2 | 5 | 10 | requests |" in report
    shares = [float(cell) for cell in report.split("| gf |")[-1].split("|")[:4]]
    assert shares == sorted(shares)
    assert shares[-1] > 0


def test_the_same_harvest_twice_is_the_same() -> None:
    one = setting(cap=20)
    curves = [
        harvest(one, lambda held: make_policy("yield_per_cost", one.interface, held), 60)
        for _ in range(2)
    ]
    assert curves[0] == curves[1]


def test_policies_start_with_nothing_held() -> None:
    assert len(Holdings()) == 0
    assert as_markdown(Harvests("empty", "Nothing.", (Asker("gf"),), (), (31,)), []).startswith(
        "# empty"
    )
