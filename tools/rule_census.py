"""Which rules of the reader decide anything, and on how many services, courts and made registers.

    python -m tools.rule_census FOLDER [--pages N]

Each rule is a function of `leadline.harvester.answers`; for the census it is replaced by one that
never fires, and the pages are counted whose records change. A rule that changes pages of a single
service or court alone is one for that site. FOLDER is that of `tools.answer_evaluation`; only the
part for development is read. The last line is JSON.
"""

import argparse
import importlib
import json
import random
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from leadline.harvester.single_page import read_answer_page
from tools.answer_evaluation import _TYPES, rows_of
from tools.register_families import FAMILIES, draw_outcome

_HOME = "leadline.harvester.answers."


class Rule(NamedTuple):
    module: str
    name: str
    neutral: Callable[..., Any]


def _no(*_: Any, **__: Any) -> bool:
    return False


def _none(*_: Any, **__: Any) -> None:
    return None


def _empty(*_: Any, **__: Any) -> dict[Any, Any]:
    return {}


RULES = (
    Rule("answer_page", "_find_interrupted", lambda *_: frozenset()),
    Rule("answer_page", "_join_bare_lines", lambda _page, parts: parts),
    Rule("answer_page", "_is_target", _no),
    Rule("item_splitter", "_are_deliberate", _no),
    Rule("item_splitter", "_lacks_link_alone", _no),
    Rule("item_splitter", "_count_leading", lambda *_: 0),
    Rule("record_fields", "_opens_name", _none),
    Rule("record_fields", "_first_line", lambda *_: ""),
    Rule("record_fields", "_opens_with_verb", _no),
    Rule("record_fields", "_shows_address", _no),
    Rule("record_fields", "_is_site", _no),
    Rule("records", "find_group_headings", _empty),
    Rule("records", "_find_shared", lambda *_: frozenset()),
    Rule("records", "is_advertisement_address", _no),
    Rule("records", "is_advertisement_label", _no),
    Rule("records", "find_state_change", _no),
    Rule("records", "unwrap_redirect", _none),
    Rule("records", "_shows_address", _none),
    Rule("records", "_percent", _none),
    Rule("result_blocks", "_single_item", _none),
    Rule("result_blocks", "_headed_item", _none),
    Rule("result_blocks", "_single_link", _none),
    Rule("result_blocks", "_find_inner", lambda _finder, _groups, _scores, chosen: chosen),
    Rule("result_blocks", "_seconds", lambda *_: []),
    Rule("result_blocks", "list_around", lambda _finder, best, _candidates: best),
    Rule("block_candidates", "list_around", lambda _finder, best, _candidates: best),
    Rule("block_candidates", "_under_one_identity", lambda _finder, _block, joined: list(joined)),
    Rule("block_candidates", "_list_inside", _none),
)


class Page(NamedTuple):
    group: str
    body: bytes
    url: str
    kind: str
    query: str


def read_pages(folder: Path, count: int) -> list[Page]:
    """`count` pages of each service, those of all courts, and one of each family."""
    pages: list[Page] = []
    seen: dict[str, int] = defaultdict(int)
    for row in rows_of(folder / "serps.jsonl.gz", "service", held_out=False):
        seen[row["service"]] += 1
        if seen[row["service"]] <= count:
            body = row["html"].encode("utf-8", "replace")
            pages.append(
                Page(f"service {row['service']}", body, row["url"], "text/html", row["query"])
            )
    for row in rows_of(folder / "courts.jsonl.gz", "court", held_out=False):
        body = row["body"].encode("utf-8", "replace")
        pages.append(
            Page(f"court {row['court']}", body, "https://court.test/list", _TYPES[row["kind"]], "")
        )
    for family in FAMILIES:
        source = draw_outcome(random.Random(f"census {family.__name__}"), family).page.encode()
        pages.append(
            Page(f"register {family.__name__}", source, "https://r.test/list", "text/html", "")
        )
    return pages


def read_records(page: Page) -> list[tuple[str, str | None, tuple[str, ...]]]:
    answer = read_answer_page(page.body, page.url, f"{page.kind}; charset=utf-8", page.query)
    return [(r.title, r.url, tuple(cell.text for cell in r.cells)) for r in answer.records]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=4, help="of each service")
    given = parser.parse_args()
    pages = read_pages(given.folder, given.pages)
    usual = [read_records(page) for page in pages]
    figures: dict[str, dict[str, int]] = {}
    for rule in RULES:
        module = importlib.import_module(_HOME + rule.module)
        original = getattr(module, rule.name)
        setattr(module, rule.name, rule.neutral)
        changed = {
            page.group
            for page, before in zip(pages, usual, strict=True)
            if read_records(page) != before
        }
        setattr(module, rule.name, original)
        kinds = ("service", "court", "register")
        figures[f"{rule.module}.{rule.name}"] = {
            kind: sum(group.startswith(kind) for group in changed) for kind in kinds
        }
        print(rule.name, figures[f"{rule.module}.{rule.name}"], sorted(changed)[:4], flush=True)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
