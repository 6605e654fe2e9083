"""The guide on submitting says what the code does, and its Python runs."""

import re
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "submitting.md"
TEXT = GUIDE.read_text(encoding="utf-8")


def test_the_python_of_the_guide_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    exec(compile(block, str(GUIDE), "exec"), {})
    assert "https://example.org/find?q=old+novels because searchable" in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--dry-run", "--word", "--form", "--json", "--store"])
def test_the_guide_speaks_of_every_option_of_probe(option: str) -> None:
    assert option in TEXT
