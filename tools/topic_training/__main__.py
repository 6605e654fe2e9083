"""`python -m tools.topic_training FOLDER`: makes all packs and their background anew.

Takes six minutes, five of them to measure the packs on sites they were not made from; equal
data gives equal packs. The last line printed is one JSON object.
"""

import argparse
import datetime
import json
import sys
from collections import Counter
from pathlib import Path

import msgspec

from leadline.learn.model_files import Manifest, write_model
from leadline.topics.background import KIND as BACKGROUND
from leadline.topics.pack import KIND, Pack, write_pack
from tools.form_training.examples import data_digest
from tools.topic_training.building import build
from tools.topic_training.collections import SETS, Material, read_material
from tools.topic_training.evaluation import Evaluation, evaluate

_PACKS = Path(__file__).parents[2] / "src" / "leadline" / "topics" / "packs"


def train(folder: Path, out: Path, date: str) -> Evaluation:
    """Writes everything to `out`; what the packs are worth goes into their manifests."""
    material = read_material(folder)
    built = build(material)
    figures = evaluate(material)
    plain = Manifest(KIND, SETS, data_digest(folder, SETS), date=date)
    for name, pack in built.packs.items():
        manifest = msgspec.structs.replace(
            plain,
            counts=_counts(pack, material),
            scores=figures.of_domain(name),
            settings={"words from": pack.source},
        )
        write_pack(out / name, pack, manifest)
    groups = Counter(text.group for text in material.texts)
    counts = {"words": len(built.background.words)} | {
        group: pages for group, pages in sorted(groups.items()) if group in built.background.rows
    }
    about = msgspec.structs.replace(plain, kind=BACKGROUND, counts=counts)
    write_model(out / BACKGROUND, about, built.background.arrays())
    return figures


def _counts(pack: Pack, material: Material) -> dict[str, int]:
    own = [text for text in material.texts if text.group == f"real:{pack.name}"]
    sites = {text.owner for text in own}
    return {"words": len(pack.odds.words), "real pages": len(own), "real sites": len(sites)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="of the real data")
    parser.add_argument("--out", type=Path, default=_PACKS, help="where the packs go")
    asked = parser.parse_args()
    if not (asked.folder / f"{SETS[0]}.jsonl.gz").is_file():
        sys.exit(f"{asked.folder} holds no {SETS[0]}.jsonl.gz: name the folder of the real data")
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    figures = train(asked.folder, asked.out, date)
    sys.stdout.write(json.dumps(msgspec.to_builtins(figures)) + "\n")


if __name__ == "__main__":
    main()
