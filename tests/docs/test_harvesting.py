"""The guide to harvesting speaks of every option, and every setting it names exists."""

import re
from pathlib import Path

from tools.reference.commands import options_of

from leadline.config import setting_names
from leadline.ui.cli.app import app

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "guides" / "harvesting.md"
TEXT = GUIDE.read_text(encoding="utf-8")
_ELSEWHERE = {"--set", "--config", "--plain", "--quiet", "--delay", "--seed", "--json"}
"""Options of all commands, told in the reference."""


def test_the_guide_speaks_of_every_option_of_harvest() -> None:
    names = {names[0] for names, *_ in options_of(app["harvest"]) if names[0].startswith("--")}
    assert [name for name in names - _ELSEWHERE if name not in TEXT] == []


def test_the_settings_named_are_settings() -> None:
    named = set(re.findall(r"`(harvest\.[a-z_]+)`", TEXT))
    assert named
    assert sorted(named - set(setting_names())) == []


def test_every_test_that_the_limits_name_exists() -> None:
    told = (ROOT / "docs" / "harvest-limits.md").read_text("utf-8")
    named = set(re.findall(r"`(test_\w+)`", told))
    written = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert named
    assert [name for name in sorted(named) if f"def {name}(" not in written] == []
