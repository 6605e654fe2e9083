"""The docs know every command, option, setting, strategy, event, exit code, extra and name."""

import tomllib
from pathlib import Path

import pytest
from tools.reference.commands import PAGES, commands, options_of
from tools.reference.flags import FILE, flagged_settings, render_flags
from tools.reference.python import render_python

import leadline
from leadline.config import Config, setting_names
from leadline.core.events import EVENT_KINDS
from leadline.strategies import STRATEGIES
from leadline.ui.cli.crawl import HINTS
from leadline.ui.cli.exits import Exit
from tests.docs.blocks import DOCS, ROOT
from tests.docs.noting import noted_kinds

REFERENCE = DOCS / "reference"


def read(name: str) -> str:
    return (REFERENCE / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_made_pages_are_up_to_date(name: str) -> None:
    assert read(name) == PAGES[name](), "run: python -m tools.reference.commands"


def test_the_python_reference_is_up_to_date() -> None:
    assert read("python.md") == render_python(), "run: python -m tools.reference.python"


def test_the_options_that_stand_for_settings_are_up_to_date() -> None:
    assert FILE.read_text("utf-8") == render_flags(), "run: python -m tools.reference.flags"


@pytest.mark.parametrize("name", ["crawl", "worker", "harvest", "order"])
def test_every_flag_of_a_setting_is_an_option_of_its_command(name: str) -> None:
    options = {option for names, *_ in options_of(dict(commands())[name]) for option in names}
    flags = [flag for _, flag, _ in flagged_settings(name.replace("worker", "crawl"))]
    assert flags
    assert options >= {option for flag in flags for option in (flag.name, *flag.also)}


def test_every_command_and_option_is_in_the_docs() -> None:
    text = read("cli.md")
    for name, command in commands():
        _, _, section = text.partition(f"## leadline {name}\n")
        assert section, name
        section = section.partition("\n## ")[0]
        for names, *_ in options_of(command):
            assert f"`{names[0]}`" in section, (name, names)


def test_every_command_answers_in_json() -> None:
    for name, command in commands():
        # All that a server of the Model Context Protocol says is JSON.
        if name == "mcp":
            continue
        assert any("--json" in names for names, *_ in options_of(command)), name


def test_every_setting_is_in_the_docs_with_a_word_on_it() -> None:
    text = read("config.md")
    missing = [name for name in setting_names() if f"`{name}`" not in text]
    assert missing == []
    for group, field in Config.model_fields.items():
        for name, inner in getattr(field.annotation, "model_fields", {}).items():
            assert inner.description, f"{group}.{name}"


def test_every_strategy_and_its_settings_are_in_the_docs() -> None:
    text = read("config.md")
    for name, kind in STRATEGIES.own.items():
        _, _, section = text.partition(f"### {name}\n")
        section = section.partition("\n### ")[0]
        assert all(f"`strategy.{field}`" in section for field in kind.settings.model_fields), name
        assert section, name


def test_every_event_noted_is_registered_and_every_registered_one_is_noted() -> None:
    noted, unclear = noted_kinds(ROOT / "src")
    assert unclear == [], "give Event() a kind that can be read in the source"
    assert sorted(noted) == sorted(EVENT_KINDS)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ('def f(): note(Event(now(), "new-kind", "a"))', ({"new-kind"}, 0)),
        ('KIND = "new-kind"\ndef f(): note(Event(now(), KIND))', ({"new-kind"}, 0)),
        ("def f(): note(Event(now(), kind=chosen()))", (set(), 1)),
        ('def note(kind): put(Event(now(), kind))\ndef f(): note("a")', ({"a"}, 0)),
    ],
)
def test_kinds_are_read_from_the_source(
    code: str, told: tuple[set[str], int], tmp_path: Path
) -> None:
    (tmp_path / "code.py").write_text(code, encoding="utf-8")
    noted, unclear = noted_kinds(tmp_path)
    assert (noted, len(unclear)) == told


def test_every_event_kind_is_in_the_docs() -> None:
    text = read("events.md")
    assert [kind for kind in EVENT_KINDS if f"| `{kind}` |" not in text] == []


def test_every_stop_reason_is_in_the_docs() -> None:
    text = read("events.md")
    assert [reason for reason in HINTS if f"`{reason}`" not in text] == []


def test_every_exit_code_is_in_the_docs() -> None:
    text = read("exit-codes.md")
    assert [code for code in Exit if f"| {int(code)} |" not in text] == []


def test_every_public_python_name_is_in_the_docs() -> None:
    text = read("python.md")
    assert [name for name in leadline.__all__ if f"## {name}\n" not in text] == []
    assert [name for name in leadline.__all__ if not getattr(leadline, name).__doc__] == []


def test_every_benchmark_is_in_the_docs() -> None:
    text = (DOCS / "performance.md").read_text("utf-8")
    scripts = [
        path.name for path in (ROOT / "bench").glob("*.py") if "argparse" in path.read_text()
    ]
    serving = {"server.py", "website.py"}
    assert [name for name in scripts if f"`bench/{name}`" not in text and name not in serving] == []


def test_every_extra_is_in_the_docs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    text = (DOCS / "quickstart.md").read_text("utf-8")
    extras = project["optional-dependencies"]
    assert [name for name in extras if f"| `leadline[{name}]` |" not in text] == []


STRATEGY_PAGES = sorted(set((DOCS / "strategies").glob("*.md")) - {DOCS / "strategies/index.md"})
SECTIONS = (
    "What it does",
    "When to use it",
    "Settings",
    "The paper, and where this differs",
    "What it comes to",
)


@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_every_strategy_has_a_page(name: str) -> None:
    titles = [page.read_text("utf-8").partition("\n")[0].lower() for page in STRATEGY_PAGES]
    assert f"| [`{name}`](" in (DOCS / "strategies" / "index.md").read_text("utf-8")
    assert any(name in title for title in titles)


@pytest.mark.parametrize("page", STRATEGY_PAGES, ids=lambda page: page.stem)
def test_a_page_on_strategies_tells_all_that_readers_ask(page: Path) -> None:
    text = page.read_text("utf-8")
    assert [section for section in SECTIONS if f"\n## {section}\n" not in text] == []
