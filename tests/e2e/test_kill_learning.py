"""kill -9 in the middle of learning: every strategy goes on."""

import json
import signal
import subprocess
import sys
from pathlib import Path

from tests.e2e.learning_crawl import CONTENDERS, PAGES

ROOT = Path(__file__).resolve().parents[2]


def test_every_strategy_goes_on_after_it_was_killed_while_it_ranked_anew(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.e2e.learning_crawl", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    for name in (contender.name for contender in CONTENDERS):
        one = found[name]
        assert one["died"] == -signal.SIGKILL, f"{name} never ranked anew: {one}"
        assert one["before"] < PAGES, one
        assert one["ended"] == 0, f"{name} did not go on: {done.stderr}"
        assert one["pages"] == PAGES, f"{name}: {one}"
        assert (one["twice"], one["forms_twice"]) == (0, 0), one
