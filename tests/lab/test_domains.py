"""The judges of form domains on a world they never learned from: floors hold."""

import json
from pathlib import Path

import numpy as np
import pytest
from tools.critic_training.scoring import figures
from tools.critic_training.worlds import TAUGHT, TESTED

from leadline.forms.domain import DOMAINS, open_domain_judge
from leadline.page.words import PageWords
from leadline_lab.examples import Examples, FormExample
from leadline_lab.profile import profile_named
from leadline_lab.world import World

ROOT = Path(__file__).resolve().parents[2]
FLOORS = json.loads((ROOT / "bench/floors.json").read_text())["critics"]["domain"]["lab"]
SITES = 3


@pytest.fixture(scope="module")
def forms() -> list[FormExample]:
    """Searchable forms of some sites of each domain."""
    examples = Examples(World(profile_named("dev"), 301))
    populations = examples.world.census.populations
    drawn = {
        site: None
        for domain in DOMAINS
        for site in examples.sites([p for p in populations if domain in p.domains], SITES, domain)
    }
    found = (form for site in drawn for form in examples.forms_of(site))
    return [form for form in found if form.is_searchable]


def test_no_tested_world_is_learned_from() -> None:
    assert not set(TAUGHT) & set(TESTED)
    assert {profile_named(profile).role for profile, _ in (*TAUGHT, *TESTED)} == {"development"}


def test_floors_hold(forms: list[FormExample]) -> None:
    alone, is_own = [], []
    words = [PageWords(form.page) for form in forms]
    for domain in DOMAINS:
        judge = open_domain_judge(domain)
        for form, numbered in zip(forms, words, strict=True):
            alone.append(judge.chance(numbered.form(form.number)))
            is_own.append(domain in form.domains)
    truth = np.array(is_own)
    assert figures(np.array(alone), truth).accuracy >= FLOORS["form_alone_at_least"]
