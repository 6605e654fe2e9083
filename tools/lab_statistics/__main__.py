"""Writes the lab's statistics from a folder of real data; takes about three minutes."""

import sys
from pathlib import Path

from tools.lab_statistics.anchors import count_anchors
from tools.lab_statistics.fields import count_fields
from tools.lab_statistics.paths import count_paths
from tools.lab_statistics.reference import measure_reference
from tools.lab_statistics.shapes import count_shapes
from tools.lab_statistics.today import count_today
from tools.lab_statistics.urls import count_urls
from tools.lab_statistics.words import count_words
from tools.lab_statistics.writing import write

STATISTICS = {
    "anchors": count_anchors,
    "fields": count_fields,
    "paths": count_paths,
    "real": measure_reference,
    "shapes": count_shapes,
    "today": count_today,
    "urls": count_urls,
    "words": count_words,
}


def main() -> None:
    """FOLDER [NAME ...]: all statistics, or those named."""
    folder, *names = sys.argv[1:] or [""]
    if not Path(folder, "README.md").is_file() or not set(names) <= set(STATISTICS):
        sys.exit(f"usage: python -m tools.lab_statistics FOLDER [{' | '.join(STATISTICS)}]")
    for name in names or STATISTICS:
        path = write(name, STATISTICS[name](Path(folder)))
        sys.stdout.write(f"{path.name} {path.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
