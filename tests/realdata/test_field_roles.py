"""What the fields of real forms mean, and which real forms are one: floors hold on hosts that were
not looked at while words and rules were written."""

import json
import os
from pathlib import Path

import pytest
from bench import field_roles, same_forms

from tests.realdata.conftest import ROOT

pytestmark = pytest.mark.floors

FLOORS = json.loads((ROOT / "bench/floors.json").read_text())["critics"]


@pytest.fixture(scope="module")
def folder() -> Path:
    found = Path(os.environ.get("LEADLINE_DATA", ROOT.parent / "shared" / "data"))
    if not found.is_dir():
        pytest.skip("no real data: set LEADLINE_DATA to its folder")
    return found


def test_fields_are_understood(folder: Path) -> None:
    cases = [case for held_out, _, case in field_roles.real_cases(folder) if held_out]
    found, floors = field_roles.figures(cases), FLOORS["meaning"]["held_out"]
    assert found["fields"] > 1_300
    assert found["right"] >= floors["right_at_least"]
    assert found["by_type"]["search query"]["right"] >= floors["search_query_at_least"]


def test_forms_are_counted_once_and_never_as_another(folder: Path) -> None:
    _, held_out = same_forms.real_sites(folder)
    found, floors = same_forms.real(held_out, print), FLOORS["same"]["held_out"]
    assert found["signature"]["different"] > 100
    for way in ("signature", "look_alikes"):
        assert found[way]["merged"] <= floors["merged_at_most"]
        assert found[way]["split"] <= floors[f"{way}_split_at_most"]
