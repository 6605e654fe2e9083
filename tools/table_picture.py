"""Draws the first rows of an exported table as a picture, for the docs.

    python -m tools.table_picture FILE PICTURE [--rows 8] [--columns 12] [--skip 0]

FILE is an SQLite export (its `things`) or a CSV file. Cells are cut where they do not fit; of a
table with more columns it is said how many there are.
"""

import argparse
import csv
import json
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
from matplotlib.transforms import Bbox

_CHARS = 22
"""Of a cell that are shown."""
_ROW_INCHES, _COLUMN_INCHES = 0.28, 1.75


def read_rows(file: Path, most: int, every: int) -> tuple[list[str], list[list[str]], int]:
    """Names of columns, some rows and the number of all rows."""
    if file.suffix == ".csv":
        with file.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.reader(stream))
        names, body = rows[0], rows[1:]
        shown = body[::every] if every else body
        return names, [list(row) for row in shown[:most]], len(body)
    with closing(sqlite3.connect(file)) as connection:
        (count,) = connection.execute("SELECT count(*) FROM things").fetchone()
        found = connection.execute("SELECT * FROM things ORDER BY id")
        names = [column[0] for column in found.description]
        picked = islice(found, 0, None, max(1, every))
        return names, [[_show(cell) for cell in row] for row in islice(picked, most)], count


def _show(cell: Any) -> str:
    if cell is None:
        return ""
    text = str(cell)
    if text.startswith("["):
        return "; ".join(json.loads(text))
    return text


def draw(names: Sequence[str], rows: Sequence[Sequence[str]], title: str, picture: Path) -> None:
    cells = [[_cut(cell) for cell in row] for row in rows]
    size = _COLUMN_INCHES * len(names), _ROW_INCHES * (len(rows) + 1) + 0.5
    figure, axes = plt.subplots(figsize=size, dpi=90)
    axes.axis("off")
    axes.set_title(title, loc="left", fontsize=11)
    table = axes.table(
        cellText=cells,
        colLabels=[_cut(name) for name in names],
        cellLoc="left",
        colLoc="left",
        bbox=Bbox.from_bounds(0, 0, 1, 1),
    )
    table.auto_set_font_size(False)
    table.set_fontsize(8)
    for (row, _), cell in table.get_celld().items():
        cell.set_edgecolor("#d0d4da")
        cell.set_linewidth(0.6)
        cell.PAD = 0.03
        if row == 0:
            cell.set_facecolor("#e8edf3")
            cell.set_text_props(weight="bold")
    figure.savefig(picture, bbox_inches="tight")
    plt.close(figure)


def _cut(text: str) -> str:
    # matplotlib would read dollars as mathematics.
    plain = " ".join(text.split()).replace("$", r"\$")
    return plain if len(plain) <= _CHARS else plain[: _CHARS - 1] + "…"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("file", type=Path)
    parser.add_argument("picture", type=Path)
    parser.add_argument("--rows", type=int, default=8)
    parser.add_argument("--every", type=int, default=0, help="of so many rows one is shown")
    parser.add_argument("--columns", type=int, default=12)
    parser.add_argument("--skip", type=int, default=0, help="columns left out at the left")
    parser.add_argument("--title", default="")
    given = parser.parse_args(arguments)
    names, rows, count = read_rows(given.file, given.rows, given.every)
    shown = slice(given.skip, given.skip + given.columns)
    title = f"{given.title} {count:,} rows, {len(names)} columns".strip()
    if len(names) > given.columns:
        title += f", of which {len(names[shown])} are shown"
    draw(names[shown], [row[shown] for row in rows], title, given.picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
