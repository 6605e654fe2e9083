"""Settings: from file, flags and arguments, and what is said about wrong ones."""

from pathlib import Path

import pytest

from leadline.config import Config, effective, load_config, setting_names
from leadline.errors import ConfigError


def test_flags_win_over_the_file_and_the_file_over_defaults(tmp_path: Path) -> None:
    file = tmp_path / "leadline.toml"
    file.write_text("seeds = ['http://a.test/']\n[politeness]\ndelay_s = 2\n[budget]\npages = 5\n")
    config, origins = load_config(file, {"budget.pages": "7"}, "flag")
    table = {name: (value, origin) for name, value, origin in effective(config, origins)}
    assert table["politeness.delay_s"] == (2.0, f"file {file}")
    assert table["budget.pages"] == (7, "flag")
    assert table["engine.width"] == (64, "default")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"politeness.dely_s": 1},
            r"unknown setting 'politeness.dely_s'; did you mean 'politeness.delay_s'",
        ),
        (
            {"politeness.delay_s": -1},
            r"politeness.delay_s: .*greater than or equal to 0.*given: -1",
        ),
        ({"strategy.name": "baselin"}, r"unknown strategy 'baselin'; did you mean 'baseline'"),
        ({"topic.name": "boook"}, r"unknown topic 'boook'; did you mean 'book'.*topic.words"),
        ({"strategy.treshold": 0.4}, r"treshold"),
        ({"seeds.x": 1}, r"seeds"),
        ({"engine.workers": "many"}, r"engine.workers: .*integer"),
        ({"web.resolve": {"*": "nowhere"}}, r"web.resolve"),
    ],
)
def test_wrong_settings_are_named_with_what_to_do(
    settings: dict[str, object], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        load_config(settings=settings)


def test_unreadable_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read"):
        load_config(tmp_path / "none.toml")
    broken = tmp_path / "broken.toml"
    broken.write_text("[web\n")
    with pytest.raises(ConfigError, match="not valid TOML"):
        load_config(broken)


def test_settings_are_frozen_and_all_have_a_name() -> None:
    config = Config()
    assert "web.max_body_bytes" in setting_names()
    assert hash(config.urls.rules) == hash(Config().urls.rules)
