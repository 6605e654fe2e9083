"""How well records of several sources are linked, and at what cost.

    python bench/linkage.py [--data FOLDER] [--seeds 11 12 13] [--million]

Sources are made of one set of things: real books, films and airports if the data folder is at
hand, else made-up books. Each source has some of the things and a way of its own to write them,
drawn at random (order of names, capitals, subtitles, forms of dates, languages of words, missing
fields, typing errors); identifiers are hidden. Truth is which thing a row was made of. Pairs count:
precision, recall and F1 of pairs of rows that are one thing. Seeds 1 to 3 served while the linker
was written, 11 to 13 were run afterwards. The last line is one JSON object.
"""

import argparse
import gzip
import json
import random
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from leadline.core.harvest import HarvestId
from leadline.core.table import SchemaField, TypedRow
from leadline.extraction.values import parse_value
from leadline.records.linkage import Linkage, RecordLinker

Thing = dict[str, str]
SYLLABLES = "ka lo mi ren ta sol ve dor an is ul pa chi mo ber lin ga ter nu rash el vin".split()
ARTICLES = ("The ", "A ", "Der ", "La ", "Les ", "El ")


def read_things(data: Path, kind: str, most: int) -> list[Thing]:
    """Real things, each once."""
    with gzip.open(data / "records" / f"{kind}.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    random.Random(5).shuffle(rows)
    things = [_read_thing(kind, row) for row in rows]
    unique = {tuple(sorted(thing.items())): thing for thing in things}
    return list(unique.values())[:most]


def _read_thing(kind: str, row: dict[str, Any]) -> Thing:
    if kind == "books":
        year = row["original_publication_year"].partition(".")[0]
        return {"name": row["title"], "person": row["authors"], "date": year}
    if kind == "movies":
        cast = ", ".join(row.get("cast", [])[:3])
        genre = ", ".join(row.get("genres", []))
        return {"name": row["title"], "person": cast, "date": str(row["year"]), "category": genre}
    place = f"{row['city']}, {row['country']}"
    return {"name": row["name"], "place": place, "number": row["elevation"]}


def make_things(count: int, rng: random.Random) -> list[Thing]:
    """Made-up books, some with the same title, some of the same person."""

    def word() -> str:
        return "".join(rng.choices(SYLLABLES, k=rng.randint(1, 4)))

    # Zipf-like, as words of titles and names of people are.
    words = [word() for _ in range(max(2_000, count // 20))]
    weights = [1 / (at + 8) for at in range(len(words))]
    people = [f"{word().title()} {word().title()}" for _ in range(max(500, count // 4))]
    sizes = rng.choices((1, 2, 3, 4, 5), (8, 25, 35, 22, 10), k=count)
    pool = iter(rng.choices(words, weights, k=sum(sizes)))
    things = []
    for size in sizes:
        title = " ".join(next(pool) for _ in range(size)).title()
        thing = {"name": title, "person": rng.choice(people), "date": str(rng.randint(1930, 2025))}
        things.append(thing)
    return things


class Style:
    """How one source writes things."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.case: Callable[[str], str] = rng.choice((str, str, str, str.upper, str.lower))
        self.drops_brackets = rng.random() < 0.5
        self.drops_subtitle = rng.random() < 0.3
        self.moves_article = rng.random() < 0.3
        self.person = rng.choice(("plain", "turned", "initials", "first", "et al"))
        self.date = rng.choice(("year", "year", "full", "us", "german"))
        self.joins = rng.choice((", ", "; ", " and ", " & "))
        self.typos = rng.choice((0.0, 0.02, 0.05, 0.1))
        self.missing = {name: rng.choice((0.0, 0.1, 0.3)) for name in ("person", "date", "place")}
        self.missing |= {"category": rng.choice((0.2, 0.6)), "number": rng.choice((0.1, 0.4))}
        self.wrong_year = rng.choice((0.0, 0.02, 0.08))
        self.suffix = rng.choice(("", "", " [Paperback]", " - buy now", " (DVD)"))

    def write(self, thing: Thing) -> Thing:
        rng = self.rng
        row = {}
        for name, text in thing.items():
            if not text or rng.random() < self.missing.get(name, 0.0):
                continue
            written = getattr(self, f"_write_{name}", str)(text)
            row[name] = self._mistype(written) if rng.random() < self.typos else written
        return row

    def _write_name(self, text: str) -> str:
        if self.drops_brackets:
            text = text.partition(" (")[0]
        if self.drops_subtitle:
            text = text.partition(": ")[0]
        if self.moves_article:
            article = next((a for a in ARTICLES if text.startswith(a)), "")
            text = f"{text.removeprefix(article)}, {article.strip()}" if article else text
        return self.case(text) + self.suffix

    def _write_person(self, text: str) -> str:
        people = [one.strip() for one in text.split(",") if one.strip()]
        if self.person in ("first", "et al"):
            more = " et al." if self.person == "et al" and len(people) > 1 else ""
            return people[0] + more
        if self.person == "turned":
            people = [f"{p.rpartition(' ')[2]}, {p.rpartition(' ')[0]}".strip(", ") for p in people]
            return "; ".join(people)
        if self.person == "initials":
            people = [f"{p[0]}. {p.rpartition(' ')[2]}" if " " in p else p for p in people]
        return self.joins.join(people)

    def _write_date(self, text: str) -> str:
        year = int(text) if text.lstrip("-").isdigit() else 0
        if not year:
            return ""
        if self.rng.random() < self.wrong_year:
            year += self.rng.choice((-1, 1, 1, 10))
        # The day is the thing's own, the same in all sources.
        month, day = 1 + year % 12, 1 + year * 7 % 28
        forms = {"full": f"{year}-{month:02}-{day:02}", "us": f"{month}/{day}/{year}"}
        forms["german"] = f"{day}.{month}.{year}"
        return forms.get(self.date, str(year))

    def _mistype(self, text: str) -> str:
        if len(text) < 4:
            return text
        at = self.rng.randrange(1, len(text) - 1)
        match self.rng.randrange(4):
            case 0:
                return text[:at] + text[at + 1 :]
            case 1:
                return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
            case 2:
                return text[:at] + self.rng.choice("aeinorst") + text[at + 1 :]
            case _:
                return text[:at] + self.rng.choice("aeinorst") + text[at:]


KINDS = {"name": "text", "person": "person", "date": "date", "category": "category",
         "place": "place", "number": "number"}  # fmt: skip


def make_rows(
    things: Sequence[Thing], sources: int, share: float, rng: random.Random
) -> Iterator[tuple[int, TypedRow]]:
    """Rows of all sources, each with the number of its thing."""
    for source in range(sources):
        style = Style(rng)
        for number, thing in enumerate(things):
            if rng.random() >= share:
                continue
            values = {
                name: (parse_value(text, KINDS[name]),)
                for name, text in style.write(thing).items()
                if text
            }
            yield (
                number,
                TypedRow(HarvestId(source + 1), number, f"s{source}", "", None, 0.0, values),
            )


def measure_pairs(truth: Sequence[int], linkage: Linkage) -> dict[str, float]:
    groups = linkage.groups.tolist()

    def pairs(counts: Counter[Any]) -> int:
        return sum(n * (n - 1) // 2 for n in counts.values())

    right = pairs(Counter(zip(truth, groups, strict=True)))
    said, true = pairs(Counter(groups)), pairs(Counter(truth))
    precision, recall = right / max(1, said), right / max(1, true)
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    return {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4)}


def run_case(things: Sequence[Thing], sources: int, share: float, seed: int) -> dict[str, float]:
    rng = random.Random(seed)
    fields = [SchemaField(name, KINDS[name]) for name in KINDS]
    linker = RecordLinker(fields)
    truth = []
    for number, row in make_rows(things, sources, share, rng):
        truth.append(number)
        linker.add(row)
    begun = time.process_time()
    linkage = linker.link()
    used = time.process_time() - begun
    found = measure_pairs(truth, linkage)
    return found | {
        "rows": len(truth),
        "things": linkage.things,
        "true_things": len(set(truth)),
        "compared": linkage.compared,
        "cpu_s": round(used, 2),
    }


def run_million(count: int) -> dict[str, float]:
    rng = random.Random(1)
    things = make_things(count // 2, rng)
    begun = time.monotonic()
    found = run_case(things, 4, 0.5, 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return found | {"wall_s": round(time.monotonic() - begun, 1), "peak_mb": round(peak)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--things", type=int, default=3_000)
    parser.add_argument("--million", type=int, nargs="?", const=1_000_000, default=0)
    options = parser.parse_args()
    figures: dict[str, Any] = {}
    kinds = ["made"]
    if (options.data / "records").is_dir():
        kinds = ["books", "movies", "airports", "made"]
    for kind in [] if options.million else kinds:
        for seed in options.seeds:
            if kind == "made":
                things = make_things(options.things, random.Random(seed))
            else:
                things = read_things(options.data, kind, options.things)
            figures[f"{kind} {seed}"] = run_case(things, 4, 0.5, seed)
            print(kind, seed, figures[f"{kind} {seed}"], flush=True)
    if options.million:
        figures["million"] = run_million(options.million)
    else:
        scores = [row["f1"] for row in figures.values()]
        figures["mean_f1"] = round(float(np.mean(scores)), 4)
        figures["least_f1"] = min(scores)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
