"""The runnable blocks of the guide to topics run, in order, in one folder."""

import os
import subprocess
import sys
from pathlib import Path

from tests.docs.test_quickstart import BLOCK, DOCS


def test_the_guide_to_topics_runs(tmp_path: Path) -> None:
    blocks = BLOCK.findall((DOCS / "guides" / "topics.md").read_text(encoding="utf-8"))
    assert {language for language, _ in blocks} == {"sh", "python"}
    here = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ['PATH']}"}
    for language, code in blocks:
        command = ["sh", "-e", "-c", code] if language == "sh" else [sys.executable, "-c", code]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (code, done.stderr)
        assert done.stdout
    assert (tmp_path / "topics" / "court-records" / "manifest.json").is_file()
