"""The lab's committed statistics are those of the real data, where it is at hand."""

import os
from pathlib import Path

import pytest
from tools.lab_statistics.anchors import kind_of
from tools.lab_statistics.fields import count_fields
from tools.lab_statistics.sources import lists, swde

from leadline_lab.statistics import load
from tests.realdata.conftest import ROOT


@pytest.fixture(scope="module")
def folder() -> Path:
    found = Path(os.environ.get("LEADLINE_DATA", ROOT.parent / "shared" / "data"))
    if not found.is_dir():
        pytest.skip("no real data: set LEADLINE_DATA to its folder")
    return found


def test_form_statistics_are_those_of_real_forms(folder: Path) -> None:
    counted, kept = count_fields(folder)["kinds"], load("fields")["kinds"]
    assert counted.keys() == kept.keys()
    for kind, now in counted.items():
        then = kept[kind]
        assert (now["forms"], now["hosts"]) == (then["forms"], then["hosts"])
        # Worlds stay the same bytes while the reader of forms learns to find a control more.
        for control, count in now["control_kinds"].items():
            assert count == pytest.approx(then["control_kinds"][control], rel=0.03, abs=1)


def test_real_lists_are_read_line_by_line(folder: Path) -> None:
    found = dict(lists(folder))
    assert len(found) == 6
    for name, lines in found.items():
        assert sum(len(line.anchors) for line in lines) == load("shapes")["lists"][name]["links"]


def test_short_anchors_of_real_pages_play_known_parts(folder: Path) -> None:
    page = next(swde(folder)).page
    parts = {kind_of(link.anchor) for link in page.links}
    assert {"navigation", ""} <= parts
