"""Fits the judges of form domains and writes their weights; takes about two minutes."""

import argparse
import datetime
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from leadline.forms import domain as judging
from leadline.learn.model_files import Manifest, digest_of, write_model
from tools.critic_training.fitting import SHARES, STRENGTH, Lesson, calibrate, learned
from tools.critic_training.material import Example, written_examples
from tools.critic_training.real import REAL_FILES, real_examples
from tools.critic_training.scoring import even_scores
from tools.critic_training.worlds import TAUGHT, world_examples

_MODELS = Path(judging.__file__).parent / "models"


def train(folder: Path, out: Path, date: str) -> Manifest:
    """From the hand-written vocabularies, the real forms and the development worlds."""
    examples = [*written_examples(), *real_examples(folder), *world_examples(TAUGHT)]
    lesson = Lesson(examples)
    scores = lesson.cross_scores()
    platt = calibrate(examples, scores)
    digest = digest_of(*((folder / name).read_bytes() for name in REAL_FILES))
    worlds = tuple(f"{profile} {seed}" for profile, seed in TAUGHT)
    manifest = Manifest(
        judging.DOMAIN_MODEL,
        ("written", *REAL_FILES, *worlds),
        digest,
        _counts(examples),
        even_scores(examples, scores, platt),
        {"strength": STRENGTH, **SHARES},
        date,
    )
    taught = lesson.teach(np.ones(len(examples), np.bool_))
    return write_model(out / "domains", manifest, learned(taught, platt).arrays())


def _counts(examples: Sequence[Example]) -> dict[str, int]:
    sources = Counter(one.source for one in examples)
    domains = Counter(domain for one in examples for domain in one.domains)
    return dict(sorted(sources.items()) + sorted(domains.items()))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.critic_training", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of real data")
    parser.add_argument("--out", type=Path, default=_MODELS, help="where the models are written")
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    parser.add_argument("--date", default=today, help="written into the manifest")
    given = parser.parse_args()
    manifest = train(given.folder, given.out, given.date)
    sys.stdout.write(json.dumps({"counts": manifest.counts, "scores": manifest.scores}) + "\n")


if __name__ == "__main__":
    main()
