"""How well listings of courts become typed columns: case name, docket number, date, document.

    python -m tools.court_columns DATA [--held-out] [--hidden-labels]

Each answer of `answers/courts.jsonl.gz` is read as a source of its own and its columns are matched
without a schema for courts. A value is right if the record that shows the same case has it in the
column of that name: names and numbers after folding case, signs and entities and without the words
before a number, dates as ISO 8601, a
document by the path of its address. Precision is over the values of records that are in the gold,
recall over the gold values. Courts are split by `tools.splits`. The last line is JSON.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any
from urllib.parse import unquote

from msgspec import structs

from leadline.core.harvest import Record
from leadline.core.table import TypedValue
from leadline.extraction.identifiers import find_file_number
from leadline.extraction.values import parse_value
from leadline.harvester.single_page import read_answer_page
from leadline.records.cell_parts import CellReader
from leadline.records.match_evidence import ColumnSample
from leadline.records.matching import induce_fields, match_columns
from leadline.records.schemas import find_schema
from leadline.records.table import read_cells, sample_rows
from tools.answer_evaluation import blob_of, plain_name, rows_of, text_of_body, wanted_of

FIELDS = {
    "case_names": ("case_name", "name"),
    "docket_numbers": ("docket_number",),
    "case_dates": ("decision_date", "date", "publication_date", "filing_date", "date_posted"),
    "download_urls": ("document", "url"),
}
"""Gold by the names of columns that mean it in a table of cases."""
TOPIC = "court records"
BASE = "opinions/"
"""What a relative link is resolved against here."""
_TYPES = {"html": "text/html", "json": "application/json", "xml": "application/xml"}


def type_records(
    records: Sequence[Record], topic: str, *, is_hidden: bool = False
) -> list[dict[str, list[TypedValue]]]:
    """The records of one answer under the names of their columns; with `is_hidden` as if nobody
    knew what any column is called."""
    rows = [list(read_cells(record)) for record in records]
    known = find_schema(topic)
    samples = sample_rows("court", rows, known)
    if is_hidden:
        samples = [_hide_labels(sample) for sample in samples]
    matches = match_columns(samples, induce_fields(samples, known).fields)
    reader = CellReader(place for _, place in matches)
    found = []
    for row in rows:
        values: dict[str, list[TypedValue]] = defaultdict(list)
        for place, text in reader.read(row):
            if match := matches.get(("court", place)):
                values[match.field.name].append(parse_value(text, match.field.kind))
        found.append(dict(values))
    return found


def _hide_labels(sample: ColumnSample) -> ColumnSample:
    """Without labels, but of what every record has and of parts, which patterns tell."""
    is_own = sample.part or sample.place.startswith("record:")
    return sample if is_own else structs.replace(sample, labels=())


def is_right(key: str, wanted: str, value: TypedValue, *, is_exact: bool) -> bool:
    if key == "case_dates":
        return str(value.value) == wanted[:10]
    if key == "download_urls":
        # The page's own address is not in the data: of a relative link no more can be compared
        # than what the page shows of it.
        link, path = _path(value.raw), _path(wanted)
        if is_exact:
            return link == path
        return f"/{path}".endswith((f"/{link}", f"/{link.removeprefix(BASE)}"))
    shown = {plain_name(value.raw), plain_name(str(value.value))}
    if key == "docket_numbers" and not is_exact and (number := find_file_number(wanted)):
        # With or without the words before it: `Case No. 12-34`.
        return bool({plain_name(wanted), plain_name(number[0])} & shown)
    return plain_name(wanted) in shown


def _path(url: str) -> str:
    return unquote(url.partition("://")[2].partition("/")[2] or url).strip("./").casefold()


def score_answer(
    row: Mapping[str, Any],
    topic: str,
    counts: dict[str, Counter[str]],
    *,
    is_exact: bool,
    is_hidden: bool = False,
) -> None:
    body = row["body"].encode("utf-8", "replace")
    content_type = f"{_TYPES[row['kind']]}; charset=utf-8"
    answer = read_answer_page(body, "https://court.test/opinions/list", content_type, "")
    records = answer.records
    typed = type_records(records, topic, is_hidden=is_hidden) if records else []
    blobs = [blob_of(record) for record in answer.records]
    shown = text_of_body(dict(row))
    for gold in row["records"]:
        told = wanted_of(gold, shown)
        shows = (n for n, blob in enumerate(blobs) if told and all(one in blob for one in told))
        number = next(shows, None)
        for key, names in FIELDS.items():
            wanted = gold.get(key)
            if not wanted:
                continue
            counts[key]["wanted"] += 1
            values = typed[number] if number is not None else {}
            found = next((values[name] for name in names if name in values), [])
            counts[key]["said"] += bool(found)
            counts[key]["right"] += any(
                is_right(key, str(wanted), value, is_exact=is_exact) for value in found
            )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("data", type=Path)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--unknown-topic", action="store_true", help="without the courts' schema")
    parser.add_argument(
        "--exact",
        action="store_true",
        help="numbers with the words before them and whole paths of documents, as first measured",
    )
    parser.add_argument(
        "--hidden-labels", action="store_true", help="as if nobody knew what columns are called"
    )
    given = parser.parse_args(arguments)
    topic = "unknown" if given.unknown_topic else TOPIC
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    by_answer: dict[str, list[float]] = defaultdict(list)
    courts = 0
    file = given.data / "answers" / "courts.jsonl.gz"
    for row in rows_of(file, "court", held_out=given.held_out):
        own: dict[str, Counter[str]] = defaultdict(Counter)
        score_answer(row, topic, own, is_exact=given.exact, is_hidden=given.hidden_labels)
        courts += 1
        for key, count in own.items():
            counts[key].update(count)
            by_answer[key].append(_rate(count)[2])
    figures: dict[str, Any] = {"answers": courts}
    for key, count in counts.items():
        precision, recall, f1 = (round(figure, 3) for figure in _rate(count))
        mean = round(fmean(by_answer[key]), 3)
        figures[key] = {"precision": precision, "recall": recall, "f1": f1, "f1_of_answers": mean}
    print(json.dumps(figures))
    return 0


def _rate(count: Mapping[str, int]) -> tuple[float, float, float]:
    """Precision, recall and F1."""
    precision = count["right"] / max(1, count["said"])
    recall = count["right"] / max(1, count["wanted"])
    total = precision + recall
    return precision, recall, 2 * precision * recall / total if total else 0.0


if __name__ == "__main__":
    sys.exit(main())
