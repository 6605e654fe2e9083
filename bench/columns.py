"""How full the columns of a store's table are, beside the places that its sources have.

    python -m bench.columns STORE [--topic hotel]

`before` are the places at which records show something, as `leadline export --what records` writes
them, one column each; `after` the columns of the typed table of things. Of both: how many, and in
which share of the rows the median one has something. Of the table besides: the median of the
columns that the topic's own schema has, and how many values parse as their column's type. The last
line is one JSON object.
"""

import argparse
import json
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

from leadline.core.store import StoreView
from leadline.records.dataset import build_dataset
from leadline.records.schemas import find_schema
from leadline.records.table import read_cells
from leadline.views.stores import open_to_read


def measure_places(store: StoreView) -> dict[str, Any]:
    places: Counter[str] = Counter()
    rows = sources = 0
    for harvest in store.harvests.all():
        before = rows
        for stored in store.harvests.records(harvest.id):
            rows += 1
            places.update({place for place, _ in read_cells(stored.record, stored.detail)})
        sources += rows > before
    return {
        "sources": sources,
        "records": rows,
        "columns": len(places),
        "median_filled": round(median(places.values()) / rows, 4) if places else 0.0,
    }


def measure_table(store: StoreView, topic: str) -> dict[str, Any]:
    dataset = build_dataset(store, topic)
    own = {field.name for field in find_schema(topic).fields}
    for column in dataset.columns:
        print(f"{column.name:24} {column.type:8} {column.filled:.3f} {column.parsed:.3f}")
    filled = [column.filled for column in dataset.columns]
    of_schema = [column.filled for column in dataset.columns if column.name in own]
    return {
        "things": dataset.count,
        "columns": len(filled),
        "median_filled": round(median(filled), 4) if filled else 0.0,
        "columns_of_schema": len(of_schema),
        "median_filled_of_schema": round(median(of_schema), 4) if of_schema else 0.0,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("store", type=Path)
    parser.add_argument("--topic", default="hotel")
    given = parser.parse_args()
    with open_to_read(given.store) as store:
        figures = {"before": measure_places(store), "after": measure_table(store, given.topic)}
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
