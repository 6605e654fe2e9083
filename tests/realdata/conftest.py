"""Real pages, where they are at hand; they belong to their sites and are not in this repository."""

import gzip
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
Rows = Iterator[dict[str, Any]]


def find_data() -> Path | None:
    """The folder of real data; None where there is none."""
    folder = Path(os.environ.get("LEADLINE_DATA", ROOT.parent / "shared" / "data"))
    return folder if folder.is_dir() else None


def read_rows(folder: Path, name: str) -> Rows:
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


@pytest.fixture(scope="session")
def real_rows() -> Callable[[str], Rows]:
    folder = find_data()
    if folder is None:
        pytest.skip("no real data: set LEADLINE_DATA to its folder")
    return lambda name: read_rows(folder, name)
