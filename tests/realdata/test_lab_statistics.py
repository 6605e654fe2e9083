"""The lab's committed statistics are those of the real data, where it is at hand."""

import os
from pathlib import Path

import pytest

from leadline.lab.calibrate.anchors import kind_of
from leadline.lab.calibrate.fields import count_fields
from leadline.lab.calibrate.hardness import compare
from leadline.lab.calibrate.sources import lists, swde
from leadline.lab.statistics import load
from tests.realdata.conftest import ROOT


@pytest.fixture(scope="module")
def folder() -> Path:
    found = Path(os.environ.get("LEADLINE_DATA", ROOT.parent / "shared" / "data"))
    if not found.is_dir():
        pytest.skip("no real data: set LEADLINE_DATA to its folder")
    return found


def test_form_statistics_are_up_to_date(folder: Path) -> None:
    assert count_fields(folder) == load("fields")


def test_the_lab_is_as_hard_as_the_real_pages(folder: Path) -> None:
    found = compare(2, folder)
    assert found["swde"]["real"]["accuracy"] == load("real")["swde"]["accuracy"]
    assert found["webkb"]["real"]["accuracy"] == load("real")["webkb"]["accuracy"]
    for task in ("swde", "webkb", "webkb_without_campus"):
        for figure in ("accuracy", "macro_f1"):
            sides = found[task]
            assert sides["lab"][figure] == pytest.approx(sides["real"][figure], abs=0.03)
    one_site = found["swde_one_site"]
    assert one_site["lab"] == pytest.approx(one_site["real"], abs=0.05)


def test_real_lists_are_read_line_by_line(folder: Path) -> None:
    found = dict(lists(folder))
    assert len(found) == 6
    for name, lines in found.items():
        assert sum(len(line.anchors) for line in lines) == load("shapes")["lists"][name]["links"]


def test_short_anchors_of_real_pages_play_known_parts(folder: Path) -> None:
    page = next(swde(folder)).page
    parts = {kind_of(link.anchor) for link in page.links}
    assert {"navigation", ""} <= parts
