"""Fits the judges of searchable forms and writes their weights; takes about ten seconds."""

import argparse
import datetime
import json
import sys
from pathlib import Path

import numpy as np

from leadline.learn.c45 import fit_tree
from leadline.learn.evaluation import measure_scores
from leadline.learn.model_files import Manifest, write_model
from tools.form_labels.units import MODERN
from tools.form_training.examples import (
    AUTOFILL,
    FORMASAURUS,
    Chances,
    Material,
    data_digest,
    has_data,
    read_material,
)
from tools.form_training.fitting import (
    cross_validate,
    fit_c45_judge,
    fit_default,
    fit_default_judge,
)
from tools.form_training.generated_forms import PER_KIND, generate_forms

_MODELS = Path(__file__).parents[2] / "src" / "leadline" / "forms" / "models"


def train_default(folder: Path, material: Material, out: Path, date: str) -> Manifest:
    """The calibrated linear model, taught by all forms."""
    model, strength = fit_default(material.wide.joined(material.extra))
    chances = cross_validate(fit_default_judge, material.wide, material.extra)
    names = [name for name in (FORMASAURUS, AUTOFILL, MODERN) if has_data(folder, name)]
    manifest = Manifest(
        "linear",
        tuple(names),
        data_digest(folder, names),
        material.counts(),
        _scores(chances, material),
        {"strength": strength},
        date,
    )
    return write_model(out / "searchable", manifest, model.arrays())


def train_c45(folder: Path, material: Material, out: Path, date: str) -> Manifest:
    """FFC's tree, taught by the labelled forms alone."""
    tree = fit_tree(material.ffc.rows, material.ffc.labels.astype(np.int64))
    chances = cross_validate(fit_c45_judge, material.ffc)
    is_own = ("pages", "forms", "searchable forms", "hosts")
    counts = {name: n for name, n in material.counts().items() if name in is_own}
    digest = data_digest(folder, [FORMASAURUS])
    scores = _scores(chances, material)
    manifest = Manifest("c45", (FORMASAURUS,), digest, counts, scores, date=date)
    return write_model(out / "searchable-c45", manifest, tree.arrays())


def _scores(chances: Chances, material: Material) -> dict[str, float]:
    found = measure_scores(chances, material.wide.labels, material.wide.hosts.tolist())
    return {name: round(figure.value, 4) for name, figure in found._asdict().items()}


def main() -> None:
    """FOLDER [--out DIR]: the last line printed holds the scores by cross-validation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="of the real data")
    parser.add_argument("--out", type=Path, default=_MODELS, help="where the models go")
    asked = parser.parse_args()
    if not (asked.folder / f"{FORMASAURUS}.jsonl.gz").is_file():
        parser.error(f"{asked.folder} holds no {FORMASAURUS}.jsonl.gz")
    material = read_material(asked.folder, generate_forms(PER_KIND))
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    written = {
        "default": train_default(asked.folder, material, asked.out, date),
        "c45": train_c45(asked.folder, material, asked.out, date),
    }
    for page in material.collection.mismatches:
        sys.stderr.write(f"left out: {page.url}: {page.labelled} labels, {page.read} forms\n")
    scores = {name: manifest.scores for name, manifest in written.items()}
    sys.stdout.write(json.dumps({"counts": material.counts(), "scores": scores}) + "\n")


if __name__ == "__main__":
    main()
