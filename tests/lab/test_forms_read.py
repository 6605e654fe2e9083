"""What forms of a world ask for, and which are one, held against its truth."""

import json
from pathlib import Path

from bench import field_roles, same_forms

FLOORS = json.loads((Path(__file__).parents[2] / "bench/floors.json").read_text())["critics"]
SEED, SITES = 303, 24


def test_controls_are_understood_and_ranges_joined() -> None:
    found, floors = field_roles.lab([SEED], SITES), FLOORS["meaning"]["lab"]
    assert found["fields"] > 300
    slack = 0.03  # Few sites are read here; the floors are of two worlds with 250 each.
    assert found["right"] >= floors["right_at_least"] - slack
    assert found["pairs"]["precision"] >= floors["pair_precision_at_least"] - slack
    assert found["pairs"]["recall"] >= floors["pair_recall_at_least"] - slack


def test_every_interface_has_one_signature_of_its_own() -> None:
    found, floors = same_forms.lab([SEED], SITES), FLOORS["same"]["lab"]
    assert found["interfaces"] > 40
    assert found["split"] <= floors["split_at_most"]
    assert found["merged"] <= floors["merged_at_most"]
