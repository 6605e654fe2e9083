"""FFC's Table 2 on real forms: who tells searchable forms best, by cross-validation over hosts.

`python -m tools.form_training.evaluation FOLDER [--picture FILE]`; needs scikit-learn, and
matplotlib for the picture. The last line printed is one JSON object.
"""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from leadline.forms.searchable import open_searchable_judge
from leadline.learn.evaluation import JudgeScores, measure_scores
from tools.form_training import peers
from tools.form_training.examples import (
    FORMASAURUS,
    Chances,
    FitJudge,
    Material,
    make_material,
    read_autofill,
    read_formasaurus,
)
from tools.form_training.fitting import cross_validate, fit_c45_judge, fit_default_judge
from tools.form_training.speed import measure_speed


class Trial(NamedTuple):
    """A line of the table."""

    name: str
    judged: Callable[[Material], Chances]
    paper: float | None = None
    """The error FFC reports, in per cent."""


def _on_ffc(fit: FitJudge) -> Callable[[Material], Chances]:
    return lambda material: cross_validate(fit, material.ffc)


def _by_rule(material: Material) -> Chances:
    return open_searchable_judge("rule").chances(
        [example.form for example in material.collection.examples]
    )


def _default(material: Material) -> Chances:
    return cross_validate(fit_default_judge, material.wide, material.extra)


def _default_alone(material: Material) -> Chances:
    return cross_validate(fit_default_judge, material.wide)


TRIALS = {
    "c45": Trial("C4.5, 14 features", _on_ffc(fit_c45_judge), 8.02),
    "svm": Trial("support vector machine, 14", _on_ffc(peers.support_vectors), 14.19),
    "naive_bayes": Trial("naive Bayes, 14", _on_ffc(peers.naive_bayes), 10.49),
    "perceptron": Trial("multilayer perceptron, 14", _on_ffc(peers.perceptron), 9.87),
    "rule": Trial("rule of thumb", _by_rule),
    "default_alone": Trial("default, labelled forms only", _default_alone),
    "default": Trial("**default**, with logins and checkouts", _default),
}


def render_table(scores: dict[str, JudgeScores]) -> str:
    """In Markdown; shares in per cent with their 95 % intervals."""
    head = "| judge | error in FFC | error | precision | recall | calibration error | adaptive |\n"
    lines = [head, "|---|---|---|---|---|---|---|\n"]
    for key, found in scores.items():
        trial = TRIALS[key]
        paper = f"{trial.paper:.2f}" if trial.paper else ""
        cells = (
            f"{100 * each.value:.2f} ({100 * each.low:.1f} to {100 * each.high:.1f})"
            for each in found
        )
        lines.append(f"| {trial.name} | {paper} | {' | '.join(cells)} |\n")
    return "".join(lines)


def as_figures(scores: JudgeScores) -> dict[str, list[float]]:
    """Each figure as value, low, high."""
    return {name: [round(part, 4) for part in each] for name, each in scores._asdict().items()}


def errors_of(material: Material, chances: Chances) -> list[str]:
    """The forms judged wrong, the surest mistakes first: chance, label, host, tag."""
    gaps = np.abs(chances - material.wide.labels)
    wrong = [int(at) for at in np.argsort(-gaps, kind="stable") if gaps[at] >= 0.5]
    found = ((chances[at], material.collection.examples[at]) for at in wrong)
    return [
        f"{chance:.2f} {each.kind}: {each.host} {each.form.attributes[:60]}"
        for chance, each in found
    ]


def mistaken_others(material: Material) -> int:
    """Logins, sign-ups and checkouts called searchable by a default that never saw one of them."""
    return int((fit_default_judge(material.wide)(material.extra.rows) >= 0.5).sum())


def main() -> None:
    """FOLDER [--picture FILE] [--errors]"""
    asked = _read_arguments()
    collection, others = read_formasaurus(asked.folder), read_autofill(asked.folder)
    forms = [example.form for example in (*collection.examples, *others)]
    # Words are new to a judge only once: the clock goes before all else.
    pace = measure_speed(open_searchable_judge(), forms)
    material = make_material(collection, others)
    judged = {key: trial.judged(material) for key, trial in TRIALS.items()}
    labels, hosts = material.wide.labels, material.wide.hosts.tolist()
    scores = {key: measure_scores(chances, labels, hosts) for key, chances in judged.items()}
    sys.stdout.write(render_table(scores))
    if asked.errors:
        sys.stdout.write("\n".join(errors_of(material, judged["default"])) + "\n")
    if asked.picture:
        _draw(asked.picture, judged, material)
    figures: dict[str, object] = {key: as_figures(found) for key, found in scores.items()}
    figures["counts"] = material.counts()
    figures["others_called_searchable"] = mistaken_others(material)
    figures["measure_speed"] = pace
    sys.stdout.write(json.dumps(figures) + "\n")


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="of the real data")
    parser.add_argument("--picture", type=Path, help="where the calibration picture goes, as SVG")
    parser.add_argument("--errors", action="store_true", help="list what the default judges wrong")
    asked = parser.parse_args()
    if not (asked.folder / f"{FORMASAURUS}.jsonl.gz").is_file():
        parser.error(f"{asked.folder} holds no {FORMASAURUS}.jsonl.gz")
    return asked


def _draw(path: Path, judged: dict[str, Chances], material: Material) -> None:
    from tools.form_training.picture import draw_calibration

    shown = {"default": judged["default"], "C4.5, 14 features": judged["c45"]}
    path.write_text(draw_calibration(shown, material.wide.labels), encoding="utf-8")


if __name__ == "__main__":
    main()
