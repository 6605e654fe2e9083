"""How well real answers are read: result pages of search services and listings of courts.

    python -m tools.answer_evaluation FOLDER [--held-out] [--json] [--verbose]

FOLDER holds `serps.jsonl.gz`, result pages with the results that people approved, and
`courts.jsonl.gz`, answers of court databases as HTML, JSON and XML with their records. Services and
courts are split by `tools.splits`; without `--held-out` only the part for development is read.

Services: a record is right if its address or its title is that of a result, each result once. A
second figure, "where links lead", takes an address that only counts clicks for the one that it
holds, in gold as in records: leadline gives the latter, gold may have kept the former. Every
page is read by itself (`fresh`), and by a reader that has read three other pages of the service
(`kept`). Courts: a record is found if one record of ours, and no other, shows its case name and its
docket number, as far as the page itself shows them; else its document. The precision of courts is
taken on answers whose gold is complete: which those are does not depend on what is read. The last
line is JSON.
"""

import argparse
import gzip
import html
import json
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple
from urllib.parse import unquote

from leadline.core.harvest import BLOCKED, REFUSED, Answer, Record
from leadline.core.url import Url
from leadline.harvester.answers.block_scorer import BlockScorer
from leadline.harvester.answers.record_keys import shape_of, unwrap_redirect
from leadline.harvester.single_page import AnswerPageReader, read_answer_page
from tools.splits import is_held_out

KEPT_FROM = 3
"""Other pages of a service that a kept reader has read."""
ENOUGH_RECALL = 0.95
_COMPLETE = 1.1
"""Things shaped like gold for each of gold, up to which gold is called complete."""
_TYPES = {"html": "text/html", "json": "application/json", "xml": "application/xml"}
_tags = re.compile(r"<[^<>]*>")
_not_letters = re.compile(r"[\W_]+")
_versus = re.compile(r"\b(?:vs?|versus)\b\.?", re.IGNORECASE)
_hrefs = re.compile(r"""href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE)
_items = re.compile(r"<(?:item|entry|url|record|row)[\s>]", re.IGNORECASE)


class PageScore(NamedTuple):
    """How one page was read."""

    group: str
    """Its service or court."""
    name: str
    kind: str
    precision: float
    recall: float
    seconds: float
    verdict: str
    is_complete: bool = True
    led_f1: float = 0.0
    """F1 with addresses that count clicks taken for those that they lead to, on both sides."""

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def rows_of(path: Path, key: str, *, held_out: bool) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if is_held_out(row[key]) == held_out:
                yield row


def plain_title(text: str | None) -> str:
    """Letters and digits alone, without marks of the query.

    >>> plain_title("<em>Dune</em> &amp; co. "), plain_title(None)
    ('duneco', '')
    """
    return _not_letters.sub("", html.unescape(_tags.sub("", text or ""))).casefold()


def plain_url(url: str | None) -> str:
    """Without what two spellings of one address may differ in.

    >>> plain_url("http://www.example.org:80/a%20b/#top")
    'example.org/a b'
    """
    bare = unquote(url or "").partition("#")[0].partition("://")[2]
    host, mark, path = bare.partition("/")
    host = host.lower().removeprefix("www.").removesuffix(":80").removesuffix(":443")
    return f"{host}{mark}{path}".rstrip("/")


def spell_url(url: str | None) -> set[str]:
    """An address, and the one that it leads to if all it does is count clicks.

    >>> sorted(spell_url("https://find.test/url?q=http%3A%2F%2Fa.test%2Fbook&sa=U"))
    ['a.test/book', 'find.test/url?q=http://a.test/book&sa=U']
    """
    spelt = {plain_url(url), plain_url(unwrap_redirect(url or ""))}
    return {one for one in spelt if one}


def match_once(wanted: int, candidates: Callable[[int], Iterable[int]]) -> dict[int, int]:
    """The most pairs of gold and records in which each stands once: record to gold."""
    taken: dict[int, int] = {}

    def place(gold: int, seen: set[int]) -> bool:
        for record in candidates(gold):
            if record not in seen:
                seen.add(record)
                if record not in taken or place(taken[record], seen):
                    taken[record] = gold
                    return True
        return False

    sys.setrecursionlimit(10_000)
    for gold in range(wanted):
        place(gold, set())
    return taken


def score_service_page(row: dict[str, Any], answer: Answer, seconds: float) -> PageScore:
    gold = list(
        {(plain_url(r["url"]), plain_title(r["title"])): r for r in row["results"]}.values()
    )
    found = _count_found(gold, answer.records, lambda url: {plain_url(url)} - {""})
    led = _count_found(gold, answer.records, spell_url)
    read, wanted = len(answer.records), len(gold)
    precision = found / read if read else 0.0
    recall = found / wanted if wanted else 0.0
    both = read + wanted
    return PageScore(
        row["service"], row["name"], "html", precision, recall, seconds, answer.kind,
        led_f1=2 * led / both if both else 0.0,
    )  # fmt: skip


def _count_found(
    gold: Sequence[dict[str, Any]],
    records: Sequence[Record],
    spell: Callable[[str | None], set[str]],
) -> int:
    """Results that records have, each once, by an address as `spell` has it or by the title."""
    by_url: dict[str, list[int]] = defaultdict(list)
    by_title: dict[str, list[int]] = defaultdict(list)
    for number, record in enumerate(records):
        for url in spell(record.url):
            by_url[url].append(number)
        by_title[plain_title(record.title)].append(number)

    def candidates(number: int) -> list[int]:
        title = plain_title(gold[number]["title"])
        there = [one for url in spell(gold[number]["url"]) for one in by_url[url]]
        return [*there, *(by_title[title] if title else ())]

    return len(match_once(len(gold), candidates))


def read_fresh(row: dict[str, Any], scorer: BlockScorer | None) -> tuple[Answer, float]:
    start = time.perf_counter()
    body = row["html"].encode("utf-8", "replace")
    answer = read_answer_page(
        body, row["url"], "text/html; charset=utf-8", row["query"], scorer=scorer
    )
    return answer, time.perf_counter() - start


def read_kept(rows: Sequence[dict[str, Any]], scorer: BlockScorer | None) -> Iterator[Answer]:
    """Each page by a reader that has read the first three pages, or the next three."""
    readers = [AnswerPageReader(scorer), AnswerPageReader(scorer)]
    parts = (rows[:KEPT_FROM], rows[KEPT_FROM : 2 * KEPT_FROM])
    for reader, part in zip(readers, parts, strict=True):
        for row in part:
            _read_with(reader, row)
    states = [reader.state() for reader in readers]
    for number, row in enumerate(rows):
        chosen = 1 if number < KEPT_FROM else 0
        # What one page teaches must not help the next one: all see the same reader.
        readers[chosen].restore(states[chosen])
        yield _read_with(readers[chosen], row)


def _read_with(reader: AnswerPageReader, row: dict[str, Any]) -> Answer:
    body = row["html"].encode("utf-8", "replace")
    return reader.read(body, row["url"], "text/html; charset=utf-8", row["query"])


def judge_services(
    folder: Path, *, held_out: bool, only: str | None = None, scorer: BlockScorer | None = None
) -> tuple[list[PageScore], list[PageScore], int]:
    """Scores of pages with results, read fresh and by kept readers; and how many records were read
    on pages without. `only`: of one service."""
    services: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows_of(folder / "serps.jsonl.gz", "service", held_out=held_out):
        if only in (None, row["service"]):
            services[row["service"]].append(row)
    fresh, kept, others = [], [], 0
    for rows in services.values():
        for row in rows:
            answer, seconds = read_fresh(row, scorer)
            if row["results"]:
                fresh.append(score_service_page(row, answer, seconds))
            else:
                others += len(answer.records)
        full = [row for row in rows if row["results"]]
        for row, answer in zip(full, read_kept(full, scorer), strict=True):
            kept.append(score_service_page(row, answer, 0.0))
    return fresh, kept, others


def plain_name(text: str) -> str:
    """A case name or docket number as letters and digits.

    >>> plain_name("Roe vs. Wade, et al."), plain_name("No. 24-1095")
    ('roewade', '241095')
    """
    text = _versus.sub(" ", html.unescape(_tags.sub(" ", html.unescape(text))))
    text = re.sub(r"\bet al\b\.?|^no\.", " ", text, flags=re.IGNORECASE)
    return _not_letters.sub("", text).casefold()


def text_of_body(row: dict[str, Any]) -> str:
    """All that the body shows, as `plain_name`."""
    if row["kind"] == "json":
        return plain_name(" ".join(_strings(json.loads(row["body"]))))
    body = re.sub(r"(?is)<(script|style)\b.*?</\1>", " ", row["body"])
    return plain_name(body.replace("<![CDATA[", " ").replace("]]>", " "))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
    elif value is not None:
        yield str(value)


def wanted_of(record: dict[str, Any], shown: str) -> tuple[str, ...]:
    """What must stand in a record of ours: the name and the number that the page shows, else the
    path of the document; nothing if the page shows none of them."""
    values = (plain_name(record.get(key) or "") for key in ("case_names", "docket_numbers"))
    told = tuple(value for value in values if value and value in shown)
    if told:
        return told
    path = plain_name(unquote(_path_of(record.get("download_urls") or "")))
    return (path,) if path and path in shown else ()


def _path_of(url: str) -> str:
    return re.sub(r"^https?://[^/]*", "", url)


def blob_of(record: Record) -> str:
    """All that a record of ours shows."""
    links = (unquote(_path_of(link)) for link in (record.url or "", *record.links))
    parts = (record.title, *(cell.text for cell in record.cells), *links)
    return "\n".join(map(plain_name, parts)) + "\n" + plain_name(" ".join(parts))


def is_gold_complete(row: dict[str, Any]) -> bool:
    """Whether the page shows no more things like the gold ones than gold has."""
    gold = len(row["records"])
    if row["kind"] == "json":
        return _longest_list(json.loads(row["body"])) <= _COMPLETE * gold
    if row["kind"] == "xml":
        return len(_items.findall(row["body"])) <= _COMPLETE * gold
    documents = {r["download_urls"] for r in row["records"] if r.get("download_urls")}
    shapes = {_link_shape(url) for url in documents}
    links = {html.unescape("".join(found)).strip() for found in _hrefs.findall(row["body"])}
    alike = {link for link in links if _link_shape(link) in shapes}
    return 0.9 * len(documents) <= len(alike) <= _COMPLETE * len(documents)


def _link_shape(url: str) -> str:
    return shape_of(Url("http://x.test/" + _path_of(url).lstrip("./"))).casefold()


def _longest_list(value: Any) -> int:
    if isinstance(value, dict):
        return max(map(_longest_list, value.values()), default=0)
    if not isinstance(value, list):
        return 0
    own = len(value) if value and all(isinstance(inner, dict) for inner in value) else 0
    return max([own, *map(_longest_list, value)])


def score_court_page(row: dict[str, Any], answer: Answer, seconds: float) -> PageScore:
    shown = text_of_body(row) + plain_name(unquote(html.unescape(" ".join(_targets(row)))))
    wanted = [told for told in (wanted_of(r, shown) for r in row["records"]) if told]
    blobs = [blob_of(record) for record in answer.records]

    def candidates(number: int) -> list[int]:
        return [n for n, blob in enumerate(blobs) if all(one in blob for one in wanted[number])]

    found = len(match_once(len(wanted), candidates))
    right = sum(any(all(one in blob for one in told) for told in wanted) for blob in blobs)
    return PageScore(
        row["court"],
        row["name"],
        row["kind"],
        right / len(blobs) if blobs else 0.0,
        found / len(wanted) if wanted else 1.0,
        seconds,
        answer.kind,
        is_gold_complete(row),
    )


def _targets(row: dict[str, Any]) -> list[str]:
    return ["".join(found) for found in _hrefs.findall(row["body"])]


def judge_courts(
    folder: Path,
    *,
    held_out: bool,
    only: Callable[[str], bool] = lambda _court: True,
    scorer: BlockScorer | None = None,
) -> list[PageScore]:
    scores = []
    for row in rows_of(folder / "courts.jsonl.gz", "court", held_out=held_out):
        if not only(row["court"]):
            continue
        start = time.perf_counter()
        body = row["body"].encode("utf-8", "replace")
        content_type = f"{_TYPES[row['kind']]}; charset=utf-8"
        url = "https://court.test/opinions/list"
        answer = read_answer_page(body, url, content_type, "", scorer=scorer)
        scores.append(score_court_page(row, answer, time.perf_counter() - start))
    return scores


def summarise_services(scores: Sequence[PageScore]) -> dict[str, Any]:
    groups: dict[str, list[PageScore]] = defaultdict(list)
    for score in scores:
        groups[score.group].append(score)
    by_service = {name: round(fmean(s.f1 for s in group), 4) for name, group in groups.items()}
    return {
        "pages": len(scores),
        "precision": _mean(s.precision for s in scores),
        "recall": _mean(s.recall for s in scores),
        "f1_over_pages": _mean(s.f1 for s in scores),
        "f1_over_services": _mean(by_service.values()),
        "f1_where_links_lead": _mean(fmean(s.led_f1 for s in g) for g in groups.values()),
        "wrong_verdicts": sum(s.verdict in (BLOCKED, REFUSED) for s in scores),
        "unread": sum(not s.recall for s in scores),
        "f1_of_service": by_service,
        "f1_of_service_where_links_lead": {
            name: round(fmean(s.led_f1 for s in group), 4) for name, group in groups.items()
        },
    }


def summarise_courts(scores: Sequence[PageScore]) -> dict[str, Any]:
    complete = [score for score in scores if score.is_complete]
    return {
        "pages": len(scores),
        "recall": _mean(s.recall for s in scores),
        "enough_recall_share": _mean(s.recall >= ENOUGH_RECALL for s in scores),
        "complete_pages": len(complete),
        "precision_on_complete": _mean(s.precision for s in complete),
        "wrong_verdicts": sum(s.verdict in (BLOCKED, REFUSED) for s in scores),
    }


def _mean(values: Iterable[float]) -> float | None:
    some = list(values)
    return round(fmean(some), 4) if some else None


def write_failures(name: str, scores: Sequence[PageScore]) -> None:
    """A line for each page that is not read whole."""
    for s in scores:
        if s.recall < ENOUGH_RECALL or (s.precision < 0.9 and s.is_complete):
            sys.stdout.write(f"{name} {s.group} {s.name} {s.kind} {s.verdict} "
                             f"P {s.precision:.2f} R {s.recall:.2f}\n")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--held-out", action="store_true", help="judge the part kept for testing")
    parser.add_argument("--json", action="store_true", help="print the JSON line alone")
    parser.add_argument("--verbose", action="store_true", help="a line for each page that is not "
                        "read whole; only of the part for development")  # fmt: skip
    options = parser.parse_args()
    fresh, kept, others = judge_services(options.folder, held_out=options.held_out)
    courts = judge_courts(options.folder, held_out=options.held_out)
    figures = {
        "part": "held out" if options.held_out else "development",
        "services_fresh": summarise_services(fresh),
        "services_kept": summarise_services(kept),
        "records_on_pages_without_gold": others,
        "courts": summarise_courts(courts),
        "courts_by_kind": {
            kind: summarise_courts([s for s in courts if s.kind == kind])
            for kind in sorted({s.kind for s in courts})
        },
        "ms_per_answer": round(1000 * fmean(s.seconds for s in [*fresh, *courts]), 1),
    }
    if options.verbose and not options.held_out:
        for name, scores in (("fresh", fresh), ("kept", kept), ("court", courts)):
            write_failures(name, scores)
    if not options.json:
        sys.stdout.write(json.dumps(figures, indent=2) + "\n")
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
