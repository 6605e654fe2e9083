"""Replays focused crawls on real linked pages, by their labels.

    python bench/replay.py FOLDER [--collections webkb wikipedia] [--targets ...]

FOLDER holds pages/webkb.jsonl.gz and pages/wikipedia-schools.jsonl.gz, which are not in this
repository. Each web is crawled for each of its topics by strategies that learn nothing, and by
the apprentice online and with a model made on another web. Critic and models are made from pages
that are no part of the web crawled. One line a crawl, the last line is JSON. Takes some minutes
of one core.
"""

import argparse
import json
from pathlib import Path

from leadline.crawler.assembly import tune_memory
from leadline_lab.replay.collections import read_webkb, read_wikipedia
from leadline_lab.replay.table import Row, curve_of, rows_of, summary

READERS = {"webkb": read_webkb, "wikipedia": read_wikipedia}


def say(row: Row) -> None:
    done = row.replay
    charged = "misses charged" if row.is_charged else "held pages only"
    print(
        f"{row.collection:<10}{row.web:<9}{row.target:<18}{charged:<17}{done.contender:<33}"
        f"loss {done.early_loss:.3f} {done.loss:.3f}  recall {done.recall:.3f}  "
        f"misses {done.misses:.2f}  "
        f"{done.pages} pages, {row.targets} targets",
        flush=True,
    )


def figures(row: Row) -> dict[str, object]:
    done = row.replay
    return {
        "collection": row.collection,
        "web": row.web,
        "target": row.target,
        "misses_charged": row.is_charged,
        "strategy": done.contender,
        "targets": row.targets,
        "early_loss": round(done.early_loss, 4),
        "loss": round(done.loss, 4),
        "recall": round(done.recall, 4),
        "misses": round(done.misses, 4),
        "pages": done.pages,
        "curve": curve_of(done),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--collections", nargs="+", choices=READERS, default=list(READERS))
    parser.add_argument("--targets", nargs="+", default=[])
    asked = parser.parse_args()
    rows = []
    with tune_memory():
        for name in asked.collections:
            rows += rows_of(READERS[name](asked.folder), asked.targets, say)
    print(json.dumps({"rows": [figures(row) for row in rows], "summary": summary(rows)}))


if __name__ == "__main__":
    main()
