"""Trains the scorer of result blocks on real answers, split by service and court.

    python -m tools.block_training FOLDER [--write] [--cross [--verbose]]

FOLDER is that of `tools.answer_evaluation`; only the part for development is read. Beside it lie
the real pages and records that `tools.written_answers` makes further pages of. Every candidate
group of every page is measured, and its target is how well its items agree with the gold results
(F1). Figures come from cross-validation in which all pages of a service or court are left out
together. `--write` fits all pages and writes the trees. `--cross` judges readers from end to end as
`tools.answer_evaluation` does, each service by a scorer that was fitted without its pages, and
courts likewise in eight parts: this, not the figure on known pages, is what to steer by. The last
line is JSON.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import xxhash
from sklearn.ensemble import HistGradientBoostingRegressor

from leadline.harvester.answers.answer_page import AnswerPage
from leadline.harvester.answers.block_scorer import FEATURES, scorer_from
from leadline.harvester.answers.item_splitter import ListItem
from leadline.harvester.answers.record_keys import SearchAddresses
from leadline.harvester.answers.result_blocks import (
    BlockFinder,
    ResultBlock,
    list_groups,
    measure_groups,
)
from leadline.harvester.single_page import guess_search, reply_from
from tools import answer_evaluation as evaluation
from tools.written_answers import written_pages

OUT = Path(__file__).parents[1] / "src/leadline/harvester/answers/block_scorer.json"
TREES, LEAVES, DEPTH, RATE = 200, 12, 7, 0.05
DIRECTIONS = {
    "outer_share": 1, "links_outside": -1, "query_words": 1, "query_share": 1, "query_marked": 1,
    "bad_names": -1, "good_names": 1, "aside": -1, "folded": -1, "back_to_search": -1,
    "own_linked": 1, "weight_share": 1, "counted": -1,
}  # fmt: skip
"""Features that speak for or against a group wherever they are met: trees may not learn the
contrary from a few services."""
WRITTEN_SHARE = 1.0
"""Chosen by the best candidate across services left out, with 297 written pages: none, .3, 1, 2 and
4 (with 16 leaves) gave F1 .822, .876, .925, .883 and .902 on services, and .893, .904, .937, .948
and .948 on courts. The jumps between neighbours show how uncertain the choice is; the held-out part
did not confirm the gain."""
FOLDS = 8
WRITTEN = "written"
"""The group of the pages that `tools.written_answers` makes."""
WRITTEN_PAGES = 700
WELL_READ = 0.6
"""Of a written page whose results no candidate holds nothing is learned."""


class TrainingPage(NamedTuple):
    group: str
    rows: list[list[float]]
    targets: list[float]


def measure_page(
    body: str, url: str, query: str | None, match: Callable[[BlockFinder, ListItem], set[int]],
    gold: int,
) -> tuple[list[list[float]], list[float]]:  # fmt: skip
    reply = reply_from(body.encode("utf-8", "replace"), url, "text/html; charset=utf-8")
    form, asked = guess_search(reply, query)
    page = AnswerPage(reply.outline, asked, frozenset())
    search = SearchAddresses(form, asked, reply.response.url)
    finder = BlockFinder(page, search.is_own)
    groups = list_groups(finder, list(finder.candidates()))
    if not groups:
        return [], []
    targets = []
    cache: dict[tuple[int, int], set[int]] = {}
    for group in groups:
        items = [item for block in group for item in block.split.items if not finder.is_own(item)]
        found: set[int] = set()
        right = 0
        for item in items[:400]:
            key = item.first, item.end
            if key not in cache:
                cache[key] = match(finder, item)
            # One item is one record: what holds several results has found one of them.
            fresh = sorted(cache[key] - found)
            found |= set(fresh[:1])
            right += bool(fresh)
        precision, recall = right / max(1, len(items)), len(found) / gold
        targets.append(2 * precision * recall / (precision + recall) if right else 0.0)
    return measure_groups(finder, groups), _prefer_whole_items(finder, groups, targets)


def _prefer_whole_items(
    finder: BlockFinder, groups: list[list[ResultBlock]], targets: list[float]
) -> list[float]:
    """Titles alone agree with gold as well as whole items do: of equal ones the fuller wins."""
    chars = [
        sum(finder.page.fresh_chars(i.first, i.end) for b in group for i in b.split.items)
        for group in groups
    ]
    best = max(targets)
    most = max((n for n, t in zip(chars, targets, strict=True) if t >= best - 0.02), default=1)
    shares = [min(1.0, n / max(1, most)) for n in chars]
    return [t * (0.85 + 0.15 * share) for t, share in zip(targets, shares, strict=True)]


def service_pages(folder: Path) -> Iterator[TrainingPage]:
    for row in evaluation.rows_of(folder / "serps.jsonl.gz", "service", held_out=False):
        if not row["results"]:
            continue
        gold = {(evaluation.plain_url(r["url"]), evaluation.plain_title(r["title"])): 0
                for r in row["results"]}  # fmt: skip
        match = _match_results(gold)
        rows, targets = measure_page(row["html"], row["url"], row["query"], match, len(gold))
        if rows:
            yield TrainingPage(row["service"], rows, targets)


def court_pages(folder: Path) -> Iterator[TrainingPage]:
    for row in evaluation.rows_of(folder / "courts.jsonl.gz", "court", held_out=False):
        if row["kind"] != "html" or not evaluation.is_gold_complete(row):
            continue
        shown = evaluation.text_of_body(row)
        wanted = [w for w in (evaluation.wanted_of(r, shown) for r in row["records"]) if w]

        def match(
            finder: BlockFinder, item: ListItem, wanted: list[tuple[str, ...]] = wanted
        ) -> set[int]:
            texts = finder.page.outline.texts[item.first : item.end]
            text = evaluation.plain_name(" ".join(filter(None, texts)))
            return {n for n, told in enumerate(wanted) if all(one in text for one in told)}

        url = "https://court.test/opinions/list"
        rows, targets = measure_page(row["body"], url, "", match, max(1, len(wanted)))
        if rows:
            yield TrainingPage(row["court"], rows, targets)


def made_pages(folder: Path, count: int = WRITTEN_PAGES) -> Iterator[TrainingPage]:
    """Pages of `tools.written_answers`; all are one another's like, so they weigh little each."""
    for page in written_pages(folder, count):
        gold = {
            (evaluation.plain_url(url), evaluation.plain_title(title)): 0
            for url, title in page.results
        }
        match = _match_results(gold)
        rows, targets = measure_page(page.html, page.url, page.query, match, len(gold))
        if rows and max(targets) > WELL_READ:
            yield TrainingPage(WRITTEN, rows, targets)


def _match_results(gold: Iterable[tuple[str, str]]) -> Callable[[BlockFinder, ListItem], set[int]]:
    """Which results an item shows: by the addresses and texts of its links."""
    by_url = {url: n for n, (url, _) in enumerate(gold) if url}
    by_title = {title: n for n, (_, title) in enumerate(gold) if title}

    def match(finder: BlockFinder, item: ListItem) -> set[int]:
        links = finder.all_links.within(item.first, item.end)
        found = {by_url.get(evaluation.plain_url(link.url), -1) for link in links}
        titles = (evaluation.plain_title(finder.page.outline.text(a.row)) for a in links)
        found |= {by_title.get(title, -1) for title in titles}
        return found - {-1}

    return match


def fit(pages: list[TrainingPage]) -> HistGradientBoostingRegressor:
    """Pages count alike within a group, and groups by the root of their pages; all written pages
    together count as much as `WRITTEN_SHARE` of the real ones."""
    sizes: dict[str, int] = defaultdict(int)
    for page in pages:
        sizes[page.group] += 1
    real = sum(sizes[p.group] ** -0.5 for p in pages if p.group != WRITTEN)
    each = {group: size**-0.5 for group, size in sizes.items()}
    each[WRITTEN] = WRITTEN_SHARE * real / max(1, sizes[WRITTEN])
    weights = np.concatenate(
        [np.full(len(p.rows), 50 * each[p.group] / len(p.rows)) for p in pages]
    )
    model = HistGradientBoostingRegressor(
        max_iter=TREES, max_leaf_nodes=LEAVES, max_depth=DEPTH, learning_rate=RATE,
        min_samples_leaf=20, l2_regularization=1.0, max_features=0.5, early_stopping=False,
        monotonic_cst=[DIRECTIONS.get(name, 0) for name in FEATURES], random_state=1,
    )  # fmt: skip
    rows = np.concatenate([np.array(page.rows) for page in pages])
    targets = np.concatenate([np.array(page.targets) for page in pages])
    model.fit(rows, targets, sample_weight=weights)
    return model


def cross_validate(pages: list[TrainingPage]) -> dict[str, float]:
    """Mean F1 of the chosen group, of the heaviest and of the best candidate."""
    chosen, heaviest, best = [], [], []
    for fold in range(FOLDS):
        test = [p for p in pages if _fold_of(p.group) == fold and p.group != WRITTEN]
        if not test:
            continue
        model = fit([p for p in pages if _fold_of(p.group) != fold or p.group == WRITTEN])
        for page in test:
            chosen.append(page.targets[int(model.predict(np.array(page.rows)).argmax())])
            weights = [row[FEATURES.index("weight")] for row in page.rows]
            heaviest.append(page.targets[int(np.argmax(weights))])
            best.append(max(page.targets))
    means = {"chosen": chosen, "heaviest": heaviest, "best": best}
    return {name: round(float(np.mean(values)), 4) for name, values in means.items()}


def _fold_of(group: str) -> int:
    return xxhash.xxh3_64_intdigest(group.encode()) % FOLDS


def judge_across(
    folder: Path, pages: list[TrainingPage]
) -> tuple[dict[str, Any], tuple[list[evaluation.PageScore], ...]]:
    """The figures of `tools.answer_evaluation` on pages of services and courts that the scorer was
    not fitted on."""
    services = sorted({row["service"] for row in evaluation.rows_of(
        folder / "serps.jsonl.gz", "service", held_out=False)})  # fmt: skip
    fresh: list[evaluation.PageScore] = []
    kept: list[evaluation.PageScore] = []
    for service in services:
        scorer = scorer_from(tell_model(fit([page for page in pages if page.group != service])))
        found = evaluation.judge_services(folder, held_out=False, only=service, scorer=scorer)
        fresh, kept = [*fresh, *found[0]], [*kept, *found[1]]
    courts: list[evaluation.PageScore] = []
    for fold in range(FOLDS):
        known = {*services, WRITTEN}
        others = [p for p in pages if p.group in known or _fold_of(p.group) != fold]
        scorer = scorer_from(tell_model(fit(others)))
        courts.extend(evaluation.judge_courts(
            folder, held_out=False, only=lambda court, fold=fold: _fold_of(court) == fold,  # type: ignore[misc]
            scorer=scorer,
        ))  # fmt: skip
    return {
        "services_fresh": evaluation.summarise_services(fresh),
        "services_kept": evaluation.summarise_services(kept),
        "courts": evaluation.summarise_courts(courts),
    }, (fresh, kept, courts)


def tell_model(model: HistGradientBoostingRegressor) -> dict[str, Any]:
    """The trees as plain arrays."""
    told: dict[str, Any] = {
        "features": list(FEATURES), "base": float(np.ravel(model._baseline_prediction)[0]),
        "roots": [], "feature": [], "threshold": [], "left": [], "right": [], "value": [],
        "depth": DEPTH,
    }  # fmt: skip
    for (predictor,) in model._predictors:
        start = len(told["feature"])
        told["roots"].append(start)
        for node in predictor.nodes:
            is_leaf = bool(node["is_leaf"])
            told["feature"].append(-1 if is_leaf else int(node["feature_idx"]))
            told["threshold"].append(0.0 if is_leaf else float(f"{node['num_threshold']:.9g}"))
            told["left"].append(0 if is_leaf else start + int(node["left"]))
            told["right"].append(0 if is_leaf else start + int(node["right"]))
            told["value"].append(round(float(node["value"]), 6) if is_leaf else 0.0)
    return told


def write_model(told: dict[str, Any]) -> None:
    OUT.write_text(json.dumps(told, separators=(",", ":")) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true", help="fit all pages and write the trees")
    parser.add_argument("--cross", action="store_true", help="judge end to end, each service "
                        "and court by a scorer that does not know it")  # fmt: skip
    parser.add_argument("--verbose", action="store_true", help="with --cross: a line for each "
                        "page that is not read whole")  # fmt: skip
    options = parser.parse_args()
    services, courts = list(service_pages(options.folder)), list(court_pages(options.folder))
    pages = [*services, *courts]
    written = list(made_pages(options.folder.parent))
    pages.extend(written)
    figures: dict[str, Any] = {"pages": len(pages), "candidates": sum(len(p.rows) for p in pages)}
    figures["cross_validation"] = cross_validate(pages)
    if options.cross:
        figures["cross"], scores = judge_across(options.folder, pages)
        if options.verbose:
            for name, some in zip(("fresh", "kept", "court"), scores, strict=True):
                evaluation.write_failures(name, some)
    if options.write:
        write_model(tell_model(fit(pages)))
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
