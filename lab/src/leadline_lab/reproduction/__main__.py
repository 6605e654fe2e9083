"""From the folders of finished trials to the tables of the page on reproduction.

`python -m leadline_lab.reproduction FOLDER... [--pictures FOLDER]`; the last line printed is
one JSON object.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import to_builtins

from leadline_lab.experiments.figures import harvest_curves
from leadline_lab.experiments.keeping import ResultFolder
from leadline_lab.experiments.plan import trials_of
from leadline_lab.experiments.trial import Result
from leadline_lab.reproduction.claims import CLAIMS, MAIN, MAKERS
from leadline_lab.reproduction.grading import Grade, grade
from leadline_lab.reproduction.learned import features_table, iterations_table, reverse_table
from leadline_lab.reproduction.pictures import queue_sizes
from leadline_lab.reproduction.tables import (
    claims_table,
    domain_table,
    goals_table,
    profiles_table,
    uses_table,
)

_TAUGHT = ("auto", "book")
"""Domains whose learned words are shown, as in the papers."""


def read(path: Path) -> tuple[str, list[Result]]:
    """The experiment's name and all trials that are done; a run need not be finished."""
    folder = ResultFolder(path)
    experiment = folder.experiment()
    done = (trial for trial in trials_of(experiment) if folder.has(trial))
    return experiment.name, [folder.get(trial) for trial in done]


def graded(name: str, results: Sequence[Result]) -> list[Grade]:
    """Claims about this experiment; those of the main one also where it was run for longer."""
    about = [c for c in CLAIMS if name in (c.experiment, f"{c.experiment}-long", MAKERS)]
    return [one for one in (grade(claim, results) for claim in about) if one is not None]


def grade_profiles(results: Sequence[Result]) -> dict[str, list[Grade]]:
    """By profile the claims that its trials say something of."""
    profiles = dict.fromkeys(result.trial.profile for result in results)
    return {
        profile: graded(MAKERS, [r for r in results if r.trial.profile == profile])
        for profile in profiles
    }


def sections(name: str, results: Sequence[Result]) -> Iterator[str]:
    """Everything that is told of one experiment, as Markdown."""
    yield f"# {name}: {len(results)} trials"
    yield claims_table(graded(name, results))
    if name == MAKERS:
        yield f"## By profile\n\n{profiles_table(grade_profiles(results))}"
    for metric in ("forms", "sites", "searchable", "loss"):
        yield f"## {metric}\n\n{domain_table(results, metric)}"
    if len({result.trial.goal for result in results}) > 1:
        yield f"## Goals\n\n{goals_table(results)}"
    yield f"## Requests\n\n{uses_table(results)}"
    yield f"## Reverse searching\n\n{reverse_table(results)}"
    if name == MAIN:
        for result in results:
            if result.trial.domain in _TAUGHT and result.trial.profile == "judge-a":
                yield from _learned(result)


def _learned(result: Result) -> Iterator[str]:
    head = f"## {result.trial.name}, {result.trial.domain}\n\n"
    if result.trial.contender.kind == "ache":
        yield head + iterations_table(result)
    if result.trial.contender.kind == "smartcrawler":
        yield head + features_table(result)


def draw(name: str, results: Sequence[Result], folder: Path) -> None:
    """Forms over time, and queues where any were told."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}-curves.svg").write_text(harvest_curves(results))
    if any(result.learned.get("queue_sizes") for result in results):
        (folder / f"{name}-queues.svg").write_text(queue_sizes(results))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m leadline_lab.reproduction")
    parser.add_argument("folders", type=Path, nargs="+", help="of `leadline lab run ... --out`")
    parser.add_argument("--pictures", type=Path, help="a folder to draw into")
    asked = parser.parse_args()
    figures: dict[str, dict[str, object]] = {}
    for path in asked.folders:
        name, results = read(path)
        sys.stdout.write("\n\n".join(sections(name, results)) + "\n\n")
        figures[name] = {"trials": len(results), "claims": to_builtins(graded(name, results))}
        if name == MAKERS:
            figures[name]["profiles"] = to_builtins(grade_profiles(results))
        if asked.pictures:
            draw(name, results, asked.pictures)
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
