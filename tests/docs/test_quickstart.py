"""The runnable blocks of the docs run: the quickstart in order, in a folder that holds the demo."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from leadline.ui.demo import run_demo

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "quickstart.md"
BLOCK = re.compile(r"^```(sh|python) runnable\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    assert run_demo(tmp_path / "demo-out", delay_s=0.0, pages=250) == 0
    return tmp_path


def test_the_quickstart_runs(folder: Path) -> None:
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert {language for language, _ in blocks} == {"sh", "python"}
    here = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ['PATH']}"}
    for language, code in blocks:
        command = ["sh", "-e", "-c", code] if language == "sh" else [sys.executable, "-c", code]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (code, done.stderr)
        assert done.stdout or done.stderr or ">" in code
    assert (folder / "forms.csv").is_file()
    assert (folder / "report.html").is_file()


def test_the_guide_to_the_lab_runs(tmp_path: Path) -> None:
    blocks = BLOCK.findall((DOCS / "guides" / "lab.md").read_text(encoding="utf-8"))
    assert blocks
    for _, code in blocks:
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (code, done.stderr)
        assert ".test" in done.stdout or ".example" in done.stdout
