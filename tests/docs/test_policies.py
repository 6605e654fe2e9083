"""The docs know every query policy and all its settings."""

from pathlib import Path

import pytest

from leadline.harvester.policies import POLICIES

PAGES = Path(__file__).parents[2] / "docs" / "policies"
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in sorted(PAGES.glob("*.md")))


@pytest.mark.parametrize("name", sorted(POLICIES.own))
def test_every_policy_and_its_settings_are_in_the_docs(name: str) -> None:
    assert any(line.startswith("#") and name in line for line in TEXT.splitlines())
    assert all(f"`{field}`" in TEXT for field in POLICIES.own[name].settings.model_fields)


@pytest.mark.parametrize("name", sorted(POLICIES.own))
def test_every_setting_has_a_word_on_it(name: str) -> None:
    assert all(field.description for field in POLICIES.own[name].settings.model_fields.values())
