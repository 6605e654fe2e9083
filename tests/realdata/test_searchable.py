"""The judges of searchable forms on real ones: floors hold, and the weights are up to date."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xxhash
from tools.form_training.examples import Chances, Material, read_material
from tools.form_training.fitting import (
    cross_validate,
    fit_c45_judge,
    fit_default,
    fit_default_judge,
)
from tools.form_training.generated_forms import PER_KIND, generate_forms

from leadline.core.url import canonical
from leadline.forms.searchable import open_searchable_judge
from leadline.learn.c45 import fit_tree
from leadline.learn.evaluation import measure_scores
from leadline.page import parse_page
from tests.realdata.conftest import ROOT, Rows

FLOORS = json.loads((ROOT / "bench/floors.json").read_text())["critics"]["searchable"]
SAME = 0.02
"""How far two fits of the same forms may differ: libraries of linear algebra round differently."""


@pytest.fixture(scope="module")
def material() -> Material:
    folder = Path(os.environ.get("LEADLINE_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("no real data: set LEADLINE_DATA to its folder")
    return read_material(folder, generate_forms(PER_KIND))


def check(chances: Chances, material: Material, floors: dict[str, Any]) -> None:
    found = measure_scores(chances, material.wide.labels, material.wide.hosts.tolist())
    assert found.error.value <= floors["error_at_most"]
    assert found.precision.value >= floors["precision_at_least"]
    assert found.recall.value >= floors["recall_at_least"]
    assert found.calibration.value <= floors["calibration_at_most"]


def test_nearly_all_pages_have_as_many_forms_as_labels(material: Material) -> None:
    found = material.collection
    assert len(found.mismatches) <= 0.025 * found.pages


@pytest.mark.floors
def test_the_default_holds_its_floors_on_hosts_it_has_not_seen(material: Material) -> None:
    check(
        cross_validate(fit_default_judge, material.wide, material.extra),
        material,
        FLOORS["default"],
    )


def test_ffc_s_tree_holds_its_floors_on_hosts_it_has_not_seen(material: Material) -> None:
    check(cross_validate(fit_c45_judge, material.ffc), material, FLOORS["c45"])


def test_the_weights_that_ship_are_those_of_these_forms(material: Material) -> None:
    forms = [example.form for example in material.collection.examples]
    fresh = fit_default(material.wide.joined(material.extra)).model
    # Without what a door's source adds to the weights.
    shipped = open_searchable_judge().classifier.chances(forms)
    assert np.abs(fresh.chances(material.wide.rows) - shipped).max() < SAME, (
        "run: python -m tools.form_training FOLDER"
    )
    tree = fit_tree(material.ffc.rows, material.ffc.labels.astype(np.int64))
    shipped = open_searchable_judge("c45").classifier.chances(forms)
    assert np.abs(tree.chances(material.ffc.rows)[:, 1] - shipped).max() < SAME


def test_forms_of_another_collection_are_told_apart(real_rows: Callable[[str], Rows]) -> None:
    """Labelled by hand; those that can be read either way were left out."""
    path = Path(__file__).with_name("swde_searchable.json")
    said = {key: kind for kind, keys in json.loads(path.read_text()).items() for key in keys}
    judge, wrong, judged = open_searchable_judge(), 0, 0
    for row in real_rows("forms/swde"):
        kind, url = said.get(xxhash.xxh3_64_hexdigest(row["html"].encode())), canonical(row["url"])
        if kind is not None and url is not None:
            form = parse_page(row["html"].encode(), url).forms[0]
            judged += 1
            wrong += (judge.chance(form) >= 0.5) != (kind == "searchable")
    assert judged == len(said)
    assert wrong <= FLOORS["swde"]["wrong_at_most"]
