"""Runs a part of the test suite and prints what came of it as one JSON object.

python bench/suite.py misbehaviours    every way a server can misbehave
python bench/suite.py laws             laws of the ports and the property tests
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
PARTS = {
    "misbehaviours": ("tests/web/test_misbehaviours.py",),
    "laws": ("tests/laws", "tests/core", "tests/page", "tests/web/test_robots.py"),
}


def run(part: str) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", f"--junitxml={report}"]
        start = time.monotonic()
        subprocess.run([*command, *PARTS[part]], cwd=ROOT, check=False)
        (suite,) = ElementTree.parse(report).getroot().iter("testsuite")
        counts = {
            name: int(suite.get(name, 0)) for name in ("tests", "failures", "errors", "skipped")
        }
    return {"part": part, **counts, "seconds": round(time.monotonic() - start, 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=sorted(PARTS))
    print(json.dumps(run(parser.parse_args().part)))


if __name__ == "__main__":
    main()
