"""A small sample of one world keeps the bounds that the full report holds five worlds to."""

from typing import Any

import pytest

from leadline_lab.calibration import Report, as_markdown, as_text, measure
from leadline_lab.calibration.figures import overview_svg
from leadline_lab.calibration.report import Row
from leadline_lab.calibration.tables import shown
from leadline_lab.calibration.targets import Target, targets
from leadline_lab.calibration.view import Effort
from leadline_lab.profile import profile_named

SMALL = Effort(
    pages=250,
    framed=80,
    sites=50,
    plans=3_000,
    edges=300_000,
    deep_step=6,
    walked=12,
    walked_pages=120,
    anchors=200,
    proofs=2,
    questions=25,
    language_sites=0,
    has_room=False,
)
ROBUST = (
    "links_max", "template_links_median", "external_share", "top_site_link_share",
    "site_pages_median", "site_pages_max", "languages", "skeletons", "hub_share",
    "hub_links_median", "hub_links_max", "interfaces_per_deep_site", "scripted_share",
    "together_travel portals", "libraries_per_bookstore", "seeds_of_unseeded",
    "depth_0", "depth_1", "depth_2", "depth_3", "depth_4", "depth_5", "sites_within_3",
    "walked_differs", "walked_never_met", "walked_beyond_5", "other_forms_mean", "target_topics",
    "background_topics", "locality_min", "locality_mean", "locality_max", "hop_falls",
    "siblings_gain", "cosine_gain", "proof_calendar", "proof_sessions", "proof_facets",
    "proof_endless", "proof_mirror", "proof_soft_404", "proof_loops", "proof_slow",
    "proof_failing", "proof_dead", "proof_robots", "backlinks_most", "search_most",
    "backlinks_recall", "search_recall", "records_min", "records_max",
)  # fmt: skip
"""Rows whose bounds a small sample keeps as well."""


@pytest.fixture(scope="module")
def report() -> Report:
    return measure("dev", [101], SMALL)


@pytest.mark.parametrize("key", ROBUST)
def test_a_world_keeps_its_bounds(report: Report, key: str) -> None:
    row = report.row(key)
    assert row.is_within, f"{row.target.name}: {row.mean} is not in {_bounds(row.target)}"


def test_every_target_is_measured(report: Report) -> None:
    left_out = {t.key for t in targets(profile_named("dev"))} - {r.target.key for r in report.rows}
    groups = {t.group for t in targets(profile_named("dev")) if t.key in left_out}
    assert groups <= {"Language", "Room to search"}


def test_every_figure_that_is_measured_is_a_finite_number(report: Report) -> None:
    assert all(abs(value) < 1e12 for world in report.worlds for value in world.figures.values())


def test_tables_have_a_line_for_each_row(report: Report) -> None:
    text, table = as_text(report), as_markdown(report)
    for row in report.rows:
        assert f"| {row.target.name} |" in table
        assert row.target.name[:62] in text


def test_the_figure_is_the_same_each_time(report: Report) -> None:
    pytest.importorskip("matplotlib")
    first = overview_svg(report)
    assert first.startswith("<?xml")
    assert first == overview_svg(report)


@pytest.mark.parametrize(
    ("bounds", "is_within"),
    [
        ({"low": 1, "high": 2}, True),
        ({"low": 2}, False),
        ({"high": 1}, False),
        ({"low": 1.5, "high": 1.5}, True),
        ({}, None),
    ],
)
def test_a_row_is_judged_by_the_mean_of_its_worlds(
    bounds: dict[str, Any], is_within: bool | None
) -> None:
    assert Row(Target("key", "name", **bounds), (1.0, 2.0)).is_within is is_within


def test_numbers_are_shown_as_people_write_them() -> None:
    assert [shown(0.0555, "%"), shown(0.5, "%"), shown(12_345.0, ""), shown(2.125, "")] == [
        "5.55 %",
        "50.0 %",
        "12,345",
        "2.12",
    ]


def _bounds(target: Target) -> tuple[float | None, float | None]:
    return target.low, target.high
