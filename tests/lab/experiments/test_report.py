"""Comparisons, figures and the report, on made-up results."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec import structs

from leadline.errors import ConfigError
from leadline_lab.experiments.canvas import inline, short, thousands
from leadline_lab.experiments.comparison import NORMALISED, Comparison
from leadline_lab.experiments.report import draw, findings, render, write_report
from leadline_lab.experiments.trial import Contender, Result
from tests.lab.experiments.made_up import made_up_experiment, made_up_results


@pytest.fixture(scope="module")
def results() -> list[Result]:
    return made_up_results()


@pytest.fixture(scope="module")
def drawn(results: list[Result]) -> dict[str, str]:
    return draw(results)


def test_algorithm_seeds_are_averaged_before_anything_is_compared(results: list[Result]) -> None:
    comparison = Comparison(results)
    assert len(comparison.units) == 8 * 4
    unit = (("dev", 1), "book")
    pair = [
        r.area for r in results
        if (r.trial.name, r.trial.world, r.trial.domain) == ("random", *unit)
    ]  # fmt: skip
    assert len(pair) == 2
    assert comparison.values["random"][unit] == pytest.approx(sum(pair) / 2)


def test_differences_are_found_where_they_were_put(results: list[Result]) -> None:
    contests = {c.name: c for c in Comparison(results).contests("baseline")}
    assert contests["baseline_sc"].difference.low > 0
    assert contests["random"].difference.high < 0
    assert not contests["fixed_depth"].difference.excludes_zero
    assert contests["baseline_sc"].record.wins == 32
    assert contests["baseline_sc"].p_holm < 0.001


def test_units_that_not_all_strategies_have_are_left_out(results: list[Result]) -> None:
    holed = [r for r in results if (r.trial.name, r.trial.world_seed) != ("random", 1)]
    assert len(Comparison(holed).units) == 7 * 4


def test_an_unknown_metric_is_a_config_error(results: list[Result]) -> None:
    with pytest.raises(ConfigError, match="area"):
        Comparison(results, "beauty")


def test_what_was_not_shown_is_said_too(results: list[Result]) -> None:
    lines = findings(made_up_experiment(), Comparison(results))
    assert any(line.startswith("baseline_sc: better than baseline") for line in lines)
    assert any(line.startswith("random: worse than baseline") for line in lines)
    assert any(line.startswith("fixed_depth: no difference shown") for line in lines)
    assert any("Development worlds" in line for line in lines)
    few = findings(made_up_experiment(2), Comparison(made_up_results(2)))
    assert any("Only 2 worlds" in line for line in few)


def test_the_same_results_are_drawn_as_the_same_bytes(
    results: list[Result], drawn: dict[str, str]
) -> None:
    again = draw(results)
    assert again == drawn
    assert set(drawn) == {"harvest", "forms", "requests", "differences"}


def test_figures_are_well_formed_and_name_every_strategy(drawn: dict[str, str]) -> None:
    for svg in drawn.values():
        ElementTree.fromstring(svg)
        assert "baseline_sc" in svg


def test_a_report_loads_nothing_and_repeats_no_id(
    results: list[Result], drawn: dict[str, str]
) -> None:
    text = render(made_up_experiment(), results, drawn)
    assert "<script" not in text
    loads = re.findall(r'(?:src|href)="(?!#)([^"]*)"', text)
    assert loads == []
    assert "@import" not in text
    ids = re.findall(r'\bid="([^"]*)"', text)
    assert len(ids) == len(set(ids))


def test_one_world_and_one_strategy_still_make_a_report(tmp_path: Path) -> None:
    results = [r for r in made_up_results(1) if r.trial.name == "baseline"]
    report = write_report(made_up_experiment(1), results, tmp_path)
    assert "Only 1 world:" in report.read_text()


def test_oracles_are_divided_by_and_compete_with_nobody(tmp_path: Path) -> None:
    results = made_up_results(2)
    oracles = [
        structs.replace(
            r,
            trial=structs.replace(r.trial, contender=Contender("oracle:greedy")),
            area=0.0 if r.trial.domain == "movie" else 2 * r.area,
        )
        for r in results
        if r.trial.name == "baseline"
    ]
    shares = Comparison([*results, *oracles], NORMALISED)
    assert {domain for _, domain in shares.units} == {"airfare", "book", "hotel"}
    assert shares.mean("baseline").mean == pytest.approx(0.5)
    assert shares.mean("oracle:greedy").mean == 1.0
    text = write_report(made_up_experiment(2), [*results, *oracles], tmp_path).read_text()
    assert "Beside the oracle" in text
    assert "oracle:greedy" not in (tmp_path / "forms.svg").read_text()
    assert not any(
        "oracle" in line for line in findings(made_up_experiment(2), Comparison(results))
    )


def test_markup_in_names_stays_text(drawn: dict[str, str]) -> None:
    assert 'aria-label="a &lt;b&gt;"' in inline(drawn["forms"], "a <b>", "x")


def test_numbers_are_short() -> None:
    assert [short(n) for n in (0.0, 1.25, 9.96, 12.4, 1234.5)] == ["0", "1.2", "10", "12", "1,234"]
    assert [thousands(n) for n in (0.0, 500.0, 2_500.0, 100_000.0)] == ["0", "500", "2.5k", "100k"]
