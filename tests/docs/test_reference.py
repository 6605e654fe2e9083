"""The docs know every command, option, setting, strategy, event, exit code; links hold."""

import ast
import re
from pathlib import Path

import pytest

from leadline.config import Config, setting_names
from leadline.strategies import STRATEGIES
from leadline.ui.crawl import HINTS
from leadline.ui.exits import Exit
from leadline.ui.reference import PAGES, commands, options_of

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"
OURS = sorted(DOCS.rglob("*.md"))


def read(name: str) -> str:
    return (REFERENCE / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_made_pages_are_up_to_date(name: str) -> None:
    assert read(name) == PAGES[name](), "run: python -m leadline.ui.reference"


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


def event_kinds() -> set[str]:
    """The kinds of all events made anywhere in the package."""
    kinds = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Event":
                kinds |= {a.value for a in node.args[1:2] if isinstance(a, ast.Constant)}
    return {str(kind) for kind in kinds}


def test_every_event_kind_is_in_the_docs() -> None:
    assert {"started", "stopped"} <= event_kinds()
    text = read("events.md")
    assert [kind for kind in event_kinds() if f"| `{kind}` |" not in text] == []


def test_every_stop_reason_is_in_the_docs() -> None:
    text = read("events.md")
    assert [reason for reason in HINTS if f"`{reason}`" not in text] == []


def test_every_exit_code_is_in_the_docs() -> None:
    text = read("exit-codes.md")
    assert [code for code in Exit if f"| {int(code)} |" not in text] == []


@pytest.mark.parametrize("page", OURS, ids=lambda path: str(path.relative_to(DOCS)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"
