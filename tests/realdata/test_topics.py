"""Packs judge real pages of sites they were not made from, no worse than pinned."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from tools.topic_training.building import VERTICALS, build
from tools.topic_training.collections import Material, read_material
from tools.topic_training.evaluation import Part, judged, parts_of, taught

from tests.realdata.conftest import ROOT

pytestmark = pytest.mark.floors

EVERY = 4
"""A quarter of the pages makes packs nearly as good, in a quarter of the time."""
FOLDS = (3, 5)
"""Two of those on which nothing was chosen."""
FLOORS = json.loads((ROOT / "bench" / "floors.json").read_text())["critics"]["topics"]


@pytest.fixture(scope="module")
def material() -> Material:
    folder = Path(os.environ.get("LEADLINE_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("no real data: set LEADLINE_DATA to its folder")
    return read_material(folder, EVERY)


@pytest.fixture(scope="module")
def parts(material: Material) -> list[Part]:
    return parts_of(material, FOLDS, VERTICALS)


@pytest.mark.parametrize("name", VERTICALS)
def test_packs_know_pages_of_unseen_sites(parts: list[Part], name: str) -> None:
    found, floor = judged(parts, name).figures(name), FLOORS["unseen_sites"]
    assert found["accuracy"] >= floor["accuracy_at_least"]
    assert found["recall"] >= floor["recall_at_least"]
    assert found["calibration"] <= floor["calibration_at_most"]


@pytest.mark.parametrize("name", VERTICALS)
def test_ten_pages_teach_what_unseen_sites_are_about(parts: list[Part], name: str) -> None:
    found = taught(parts, name).figures(name)
    assert found["accuracy"] >= FLOORS["taught_by_ten"]["accuracy_at_least"]


def test_the_same_texts_make_the_same_pack(material: Material) -> None:
    one, other = (build(material, ["hotel"]).packs["hotel"] for _ in range(2))
    assert np.array_equal(one.odds.weights, other.odds.weights)
    assert (one.page, one.site, one.spelled) == (other.page, other.site, other.spelled)
