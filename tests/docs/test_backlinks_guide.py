"""The guide to back-links: its settings load, its providers are all there are."""

import re
import tomllib
from pathlib import Path

import pytest

from leadline.backlinks.settings import PROVIDERS, BackLinkSettings
from leadline.config import load_config

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "backlinks.md"
TEXT = GUIDE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"```toml\n(.*?)```", TEXT, flags=re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_the_settings_shown_are_settings(tmp_path: Path, block: str) -> None:
    file = tmp_path / "leadline.toml"
    file.write_text(block, encoding="utf-8")
    config, _ = load_config(file)
    assert config.backlinks.provider == tomllib.loads(block)["backlinks"]["provider"]


def test_every_provider_and_setting_is_told_of() -> None:
    assert [name for name in PROVIDERS if f"`{name}`" not in TEXT] == []
    assert [name for name in BackLinkSettings.model_fields if name not in TEXT] == []


def test_the_queries_shown_are_the_default() -> None:
    shown = [block for block in BLOCKS if "queries" in block]
    assert tuple(tomllib.loads(shown[0])["backlinks"]["queries"]) == BackLinkSettings().queries
