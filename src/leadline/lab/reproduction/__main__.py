"""From the folders of finished trials to the tables of the page on reproduction.

`python -m leadline.lab.reproduction FOLDER...`; the last line printed is one JSON object.
"""

import argparse
import json
import sys
from pathlib import Path

from msgspec import to_builtins

from leadline.lab.experiments.keeping import ResultFolder
from leadline.lab.experiments.plan import trials_of
from leadline.lab.experiments.trial import Result
from leadline.lab.reproduction.claims import CLAIMS
from leadline.lab.reproduction.grading import grade
from leadline.lab.reproduction.tables import claims_table, domain_table, uses_table


def read(folders: list[Path]) -> list[Result]:
    """All trials that are done; a run need not be finished."""
    found = []
    for path in folders:
        folder = ResultFolder(path)
        done = (trial for trial in trials_of(folder.experiment()) if folder.has(trial))
        found += [folder.get(trial) for trial in done]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m leadline.lab.reproduction")
    parser.add_argument("folders", type=Path, nargs="+", help="of `leadline lab run ... --out`")
    results = read(parser.parse_args().folders)
    graded = (grade(claim, results) for claim in CLAIMS)
    grades = [one for one in graded if one is not None]
    for text in (
        claims_table(grades),
        domain_table(results),
        domain_table(results, "sites"),
        uses_table(results),
    ):
        sys.stdout.write(f"{text}\n\n")
    figures = {"trials": len(results), "claims": to_builtins(grades)}
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
