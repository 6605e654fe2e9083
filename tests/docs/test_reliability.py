"""The table of cases names tests that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/reliability.md").read_text("utf-8")
CLAIMED = sorted({*re.findall(r"\btest_\w+(?=[\[`:,; ]|$)", PAGE)})
FILES = sorted({*re.findall(r"\btests/[\w/]+\.py\b", PAGE)})
COMMANDS = sorted({*re.findall(r"\bbench/\w+\.py\b", PAGE)})


@pytest.fixture(scope="module")
def tests() -> set[str]:
    found: set[str] = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        found |= {path.stem, *re.findall(r"^ *(?:async )?def (test_\w+)", path.read_text(), re.M)}
    return found


@pytest.mark.parametrize("name", CLAIMED)
def test_every_test_that_is_named_is_there(tests: set[str], name: str) -> None:
    assert name in tests


@pytest.mark.parametrize("name", [*FILES, *COMMANDS])
def test_every_file_that_is_named_is_there(name: str) -> None:
    assert (ROOT / name).is_file()
