"""The judges of form domains on real sites: floors hold for sites that were never seen."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from tools.critic_training.fitting import Lesson
from tools.critic_training.material import Example, written_examples
from tools.critic_training.real import labels, real_examples, swde_forms
from tools.critic_training.scoring import by_domain

from leadline.forms.domain import DOMAINS
from leadline.learn.linear import sigmoid
from tests.realdata.conftest import ROOT

FLOORS = json.loads((ROOT / "bench/floors.json").read_text())["critics"]["domain"]["real"]


@pytest.fixture(scope="module")
def folder() -> Path:
    found = Path(os.environ.get("LEADLINE_DATA", ROOT.parent / "shared" / "data"))
    if not found.is_dir():
        pytest.skip("no real data: set LEADLINE_DATA to its folder")
    return found


def test_every_form_of_swde_has_a_label(folder: Path) -> None:
    found = list(swde_forms(folder))
    assert len(found) == len(labels("swde")) == 65
    assert all(one.vertical in one.label.domains or not one.label.domains for one in found[:19])


@pytest.mark.floors
def test_floors_hold_on_sites_never_seen(folder: Path) -> None:
    """By judges of the hand-written vocabularies and the other real sites: without the lab, and
    uncalibrated, for some domains have no real forms."""
    examples: list[Example] = [*written_examples(), *real_examples(folder)]
    scores = Lesson(examples).cross_scores()
    chances = sigmoid(scores)
    real = np.array([one.source == "real" for one in examples])
    some = [one for one in examples if one.source == "real"]
    found = by_domain(some, chances[real])
    right = sum(round(one.recall * one.own) for one in found.values())
    alarms = sum(one.false_alarms for one in found.values()) / len(DOMAINS)
    assert right >= FLOORS["found_at_least"]
    assert alarms <= FLOORS["false_alarms_at_most"]
