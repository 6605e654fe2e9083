"""Parts of other distributions: found by entry points, loaded when used, refused with a reason."""

import sys
from pathlib import Path
from typing import Any

import pytest

from leadline.backlinks.settings import PROVIDERS
from leadline.config import load_config
from leadline.errors import ConfigError
from leadline.harvester.policies import POLICIES, PolicyKind, make_policy
from leadline.plugins import Part, Registry
from leadline.records.exporters import EXPORTERS
from leadline.store.plugins import OTHER_STORES
from leadline.strategies import STRATEGIES
from leadline.topics import CRITICS
from leadline.web.fetchers import FETCHERS

GOOD = """
from leadline.strategies.base import BaseStrategy
class Mine(BaseStrategy):
    name = "mine"
    def __init__(self, settings): pass
    def rank(self, view): return []
"""


def installed(
    folder: Path, name: str, code: str, group: str = "leadline.strategies", **entries: str
) -> None:
    """A distribution of one module, whose entry points are strategies unless said."""
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    told = folder / f"{name}-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"{entry} = {where}" for entry, where in entries.items()]
    (told / "entry_points.txt").write_text(f"[{group}]\n" + "\n".join(lines))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("one", "two"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def registry() -> Registry[Part]:
    """As at the start of a process."""
    return Registry("strategy", STRATEGIES.group, STRATEGIES.own, STRATEGIES._read)


def test_names_are_told_without_loading_anything(folder: Path) -> None:
    installed(folder, "one", "raise RuntimeError('loaded')", mine="one:Mine")
    parts = registry()
    assert "mine" in parts
    assert set(parts) == {*STRATEGIES.own, "mine"}
    assert len(parts) == len(STRATEGIES.own) + 1
    assert parts.source("mine") == "one 1.0"
    assert parts.source("ache") == "leadline"


def test_a_class_is_enough(folder: Path) -> None:
    installed(folder, "one", GOOD, mine="one:Mine")
    kind = registry()["mine"]
    assert kind.make.name == "mine"  # type: ignore[attr-defined]
    assert kind.settings.model_fields == {}


@pytest.mark.parametrize(
    ("code", "where", "said"),
    [
        ("import nowhere_at_all", "one:Mine", "ModuleNotFoundError: No module named 'nowhere"),
        ("1 / 0", "one:Mine", "ZeroDivisionError"),
        ("x = 1", "one:Mine", "AttributeError"),
        (
            "x = 1",
            "one:x",
            "it is a int, not a class; build it on leadline.strategies.base.BaseStrategy",
        ),
        ("class Mine: name = 'mine'", "one:Mine", "it lacks features, path_length, own_features"),
        (GOOD.replace('"mine"', '"other"'), "one:Mine", "calls itself 'other', not 'mine'"),
        (GOOD + "    Settings = 3", "one:Mine", "its Settings is not a pydantic model"),
    ],
)
def test_what_cannot_be_used_says_whose_it_is_and_what_to_do(
    folder: Path, code: str, where: str, said: str
) -> None:
    installed(folder, "one", code, mine=where)
    with pytest.raises(ConfigError) as caught:
        registry()["mine"]
    text = str(caught.value)
    assert f"the strategy 'mine' of one 1.0 ({where}) cannot be used: {said}" in text
    assert "pip uninstall one" in text


ALL: dict[str, Registry[Any]] = {
    "strategy": STRATEGIES,
    "policy": POLICIES,
    "critic": CRITICS,
    "fetcher": FETCHERS,
    "backlink provider": PROVIDERS,
    "exporter": EXPORTERS,
    "store": OTHER_STORES,
}


@pytest.mark.parametrize("what", ALL)
def test_a_broken_part_of_any_kind_says_whose_it_is(folder: Path, what: str) -> None:
    parts = ALL[what]
    installed(folder, "one", "class Mine: name = 'mine'", parts.group, mine="one:Mine")
    fresh = Registry(parts.what, parts.group, parts.own, parts._read)
    with pytest.raises(ConfigError) as caught:
        fresh["mine"]
    text = str(caught.value)
    assert f"the {what} 'mine' of one 1.0 (one:Mine) cannot be used: it lacks " in text
    assert "pip uninstall one" in text


@pytest.mark.parametrize("what", ALL)
def test_the_parts_of_leadline_are_from_leadline(what: str) -> None:
    assert {ALL[what].source(name) for name in ALL[what].own} == {"leadline"}


def test_a_name_offered_twice_is_refused_when_it_is_asked_for(folder: Path) -> None:
    installed(folder, "one", GOOD, mine="one:Mine", ache="one:Mine")
    installed(folder, "two", GOOD, mine="two:Mine")
    parts = registry()
    with pytest.raises(ConfigError, match=r"'mine' is offered by (one|two) 1.0 and (one|two) 1.0"):
        parts["mine"]
    with pytest.raises(ConfigError, match=r"'ache' is offered by leadline and one 1.0; uninstall"):
        parts["ache"]
    assert parts["ffc"] is STRATEGIES.own["ffc"]


def test_an_unknown_name_is_unknown() -> None:
    with pytest.raises(KeyError):
        registry()["mine"]
    with pytest.raises(ConfigError, match="unknown policy 'gff'; did you mean 'gf'"):
        load_config(settings={"harvest.policy": "gff"})


def test_a_kind_may_say_more_than_its_class() -> None:
    kind = POLICIES.own["enumerate"]
    read = POLICIES._read(kind)
    assert read == PolicyKind(kind.make, kind.settings, types_words=False)
    assert make_policy.__doc__
