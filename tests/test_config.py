"""Settings: from file, flags and arguments, and what is said about wrong ones."""

from pathlib import Path

import pytest

from leadline.config import (
    RENAMED,
    Config,
    list_settings,
    load_config,
    rename_saved_settings,
    setting_names,
)
from leadline.config.runs import resolve_settings
from leadline.errors import ConfigError


def test_flags_win_over_the_file_and_the_file_over_defaults(tmp_path: Path) -> None:
    file = tmp_path / "leadline.toml"
    file.write_text("seeds = ['http://a.test/']\n[politeness]\ndelay_s = 2\n[budget]\npages = 5\n")
    config, origins = load_config(file, {"budget.pages": "7"}, "flag")
    table = {name: (value, origin) for name, value, origin in list_settings(config, origins)}
    assert table["politeness.delay_s"] == (2.0, f"file {file}")
    assert table["budget.pages"] == (7, "flag")
    assert table["crawl.concurrency"] == (16, "default")


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
        ({"crawl.parse_processes": "many"}, r"crawl.parse_processes: .*integer"),
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


@pytest.mark.parametrize("old", RENAMED)
def test_an_old_name_is_refused_with_the_name_of_today(old: str, tmp_path: Path) -> None:
    message = f"setting '{old}' is now called '{RENAMED[old]}'"
    with pytest.raises(ConfigError, match=message):
        load_config(settings={old: 1})
    group, _, key = old.partition(".")
    file = tmp_path / "leadline.toml"
    file.write_text(f"[{group}]\n{key} = 1\n")
    with pytest.raises(ConfigError, match=message):
        load_config(file)


def test_every_old_name_is_gone_and_every_new_one_is_there() -> None:
    assert not set(RENAMED) & set(setting_names())
    assert set(RENAMED.values()) <= set(setting_names())


def test_what_an_older_store_has_saved_is_renamed() -> None:
    saved = {"seeds": ["http://a.test/"], "engine": {"width": 8}, "strategy": {"then": ""}}
    assert rename_saved_settings(saved) == {
        "seeds": ["http://a.test/"],
        "crawl": {"concurrency": 8},
        "strategy": {"fallback": ""},
    }


def test_another_topic_inherits_the_critic_but_not_the_words() -> None:
    earlier = {"topic": {"name": "mine", "words": ["court"], "critic": "hifi"}}
    config, _ = resolve_settings(None, {"topic.name": "book"}, earlier)
    assert config.topic.words == ()
    same, origins = resolve_settings(None, {}, earlier)
    assert same.topic.words == ("court",)
    assert origins["topic.words"] == "earlier run"
