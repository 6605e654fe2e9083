"""Trains the scorer of result blocks on real answers, split by service and court.

    python -m tools.block_training FOLDER [--write] [--cross [--verbose]]

FOLDER is that of `tools.answer_evaluation`; only the part for development is read. Beside it lie
the real pages and records that `tools.written_answers` makes further pages of, and listings of many
makers (`tools.listing_pages`). All real pages are also measured as others would have marked them up
(`tools.page_variation`). Every candidate group of every page is measured, and its target is how
well its items agree with the gold results (F1). `--write` fits the shipped variant to all pages and
writes its trees. `--cross` judges each variant from end to end as `tools.answer_evaluation` does,
every service, court and other maker by a scorer that was fitted without it, in eight parts; it adds
spreads over draws of services and courts, and how far scores are the F1 they stand for. This, not
the figure on known pages, is what to steer by. The last line is JSON.
"""

import argparse
import gzip
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
import xxhash
from sklearn.ensemble import HistGradientBoostingRegressor

from leadline.core.url import Url
from leadline.harvester.answers.answer_page import AnswerPage
from leadline.harvester.answers.block_scorer import FEATURES, TreeEnsemble, scorer_from
from leadline.harvester.answers.item_splitter import ListItem
from leadline.harvester.answers.record_keys import SearchAddresses
from leadline.harvester.answers.result_blocks import (
    BlockFinder,
    ResultBlock,
    list_groups,
    measure_groups,
)
from leadline.harvester.reply import Reply
from leadline.harvester.single_page import guess_search, reply_from
from leadline.page.outline import Outline, outline_of
from tools import answer_evaluation as evaluation
from tools.listing_pages import (
    ListingPage,
    digest_item,
    read_labels,
    read_listing_pages,
    tell_item,
)
from tools.page_variation import Piece, cut_pieces, vary_page
from tools.splits import is_held_out
from tools.written_answers import written_pages

OUT = Path(__file__).parents[1] / "src/leadline/harvester/answers/block_scorer.json"
TREES, DEPTH, RATE = 200, 7, 0.05
DIRECTIONS = {
    "outer_share": 1, "links_outside": -1, "query_words": 1, "query_share": 1, "query_marked": 1,
    "bad_names": -1, "good_names": 1, "aside": -1, "folded": -1, "back_to_search": -1,
    "own_linked": 1, "weight_share": 1, "counted": -1, "advertised": -1,
    "numbered": 1, "told_count": 1, "pages_near": 1,
}  # fmt: skip
"""Features that speak for or against a group wherever they are met: trees may not learn the
contrary from a few services."""
WRITTEN_SHARE = 0.5
"""Moderate, and set once: at five other weights figures jumped by .04 between neighbours, so the
best of them would have been luck."""
MODELS = {"written": 1, "all": 2}
"""What models know: real answers and written pages; listings of many makers and variants of all
real pages as well."""
VARIANTS = {"written": ("written",), "all": ("all",), "average": ("written", "all")}
"""Models that are averaged: one is better on answers as they are, one on what others write."""
SHIPPED = "average"
FOLDS = 8
DRAWS = 2_000
WRITTEN = "written"
"""The group of the pages that `tools.written_answers` makes."""
LISTING = "listing "
"""Begins the group of a page of `tools.listing_pages`; its owner follows."""
WRITTEN_PAGES = 700
WELL_READ = 0.6
"""Of a written page whose results no candidate holds nothing is learned."""


VARIANTS_OF_PAGE = 3

Match = Callable[[BlockFinder, ListItem], set[int]]
"""Which results an item shows."""


class TrainingPage(NamedTuple):
    group: str
    """Its service or court."""
    is_service: bool
    rows: list[list[float]]
    targets: list[float]
    is_varied: bool = False
    """A variant of a page, to learn from and not to judge by."""

    @property
    def level(self) -> int:
        """Of the models that know it: `MODELS`."""
        return 2 if self.is_varied or self.group.startswith(LISTING) else 1


class LabelledPage(NamedTuple):
    """A page whose results are known."""

    group: str
    is_service: bool
    body: str
    url: str
    query: str | None
    match: Match
    gold: int
    """How many results it has."""

    @property
    def reply(self) -> Reply:
        return reply_from(self.body, self.url, "text/html; charset=utf-8")


class Measured(NamedTuple):
    """Candidates of a page and how well each agrees with its results."""

    rows: list[list[float]]
    targets: list[float]
    items: list[ListItem]
    """Those of the best candidate."""
    found: list[set[int]]
    """Which results each of them shows."""


def measure_page(labelled: LabelledPage, outline: Outline | None = None) -> Measured | None:
    """`outline`: a variant of the page that is measured in its place."""
    reply, gold = labelled.reply, labelled.gold
    form, asked = guess_search(reply, labelled.query)
    page = AnswerPage(outline or reply.outline, asked, frozenset())
    search = SearchAddresses(form, asked, reply.response.url)
    finder = BlockFinder(page, search.is_own)
    groups = list_groups(finder, list(finder.candidates()))
    if not groups:
        return None
    targets = []
    cache: dict[tuple[int, int], set[int]] = {}
    for group in groups:
        items = [item for block in group for item in block.split.items if not finder.is_own(item)]
        found: set[int] = set()
        right = 0
        for item in items[:400]:
            key = item.first, item.end
            if key not in cache:
                cache[key] = labelled.match(finder, item)
            # One item is one record: what holds several results has found one of them.
            fresh = sorted(cache[key] - found)
            found |= set(fresh[:1])
            right += bool(fresh)
        precision, recall = right / max(1, len(items)), len(found) / gold
        targets.append(2 * precision * recall / (precision + recall) if right else 0.0)
    targets = _prefer_whole_items(finder, groups, targets)
    best = groups[max(range(len(groups)), key=targets.__getitem__)]
    items = [item for block in best for item in block.split.items]
    found_in = [cache.get((item.first, item.end), set()) for item in items]
    return Measured(measure_groups(finder, groups), targets, items, found_in)


def measure_variants(page: LabelledPage, pieces: Sequence[Piece]) -> Iterator[TrainingPage]:
    """A page, and some other ways in which it might have been written."""
    whole = measure_page(page)
    if whole is None:
        return
    yield TrainingPage(page.group, page.is_service, whole.rows, whole.targets)
    if max(whole.targets) < WELL_READ or not pieces:
        return
    outline = page.reply.outline
    rng = random.Random(xxhash.xxh3_64_intdigest(page.body.encode("utf-8", "replace")))
    spans = [(item.first, item.end) for item in whole.items]
    for number in range(VARIANTS_OF_PAGE):
        variant = vary_page(outline, spans, pieces, rng)
        lost = set[int]().union(*(whole.found[number] for number in variant.left_out))
        if len(lost) < page.gold:
            # One of them without its query, as listings are.
            query = page.query if number else ""
            left = page._replace(gold=page.gold - len(lost), query=query)
            varied = measure_page(left, variant.outline)
            if varied is not None and max(varied.targets) > WELL_READ:
                rows, targets = varied.rows, varied.targets
                yield TrainingPage(page.group, page.is_service, rows, targets, is_varied=True)


def read_pieces(folder: Path) -> list[Piece]:
    """Of modern articles of hosts for development, whose lists have no label."""
    with gzip.open(folder / "pages/modern.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["page_type"] == "article"]
    outlines = [
        outline_of(row["html"].encode("utf-8", "replace"), Url(f"https://{row['domain']}/"))
        for row in rows
        if not is_held_out(row["domain"])
    ]
    return cut_pieces(outlines, random.Random(1))


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


def service_pages(folder: Path, pieces: Sequence[Piece] = ()) -> Iterator[TrainingPage]:
    for row in evaluation.rows_of(folder / "serps.jsonl.gz", "service", held_out=False):
        if not row["results"]:
            continue
        gold = {(evaluation.plain_url(r["url"]), evaluation.plain_title(r["title"])): 0
                for r in row["results"]}  # fmt: skip
        match = _match_results(gold)
        page = LabelledPage(
            row["service"], True, row["html"], row["url"], row["query"], match, len(gold)
        )
        yield from measure_variants(page, pieces)


def court_pages(folder: Path, pieces: Sequence[Piece] = ()) -> Iterator[TrainingPage]:
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
        gold = max(1, len(wanted))
        page = LabelledPage(row["court"], False, row["body"], url, "", match, gold)
        yield from measure_variants(page, pieces)


def made_pages(folder: Path, count: int = WRITTEN_PAGES) -> Iterator[TrainingPage]:
    """Pages of `tools.written_answers`; all are one another's like, so they weigh little each."""
    for page in written_pages(folder, count):
        gold = {
            (evaluation.plain_url(url), evaluation.plain_title(title)): 0
            for url, title in page.results
        }
        match = _match_results(gold)
        made = LabelledPage(WRITTEN, False, page.html, page.url, page.query, match, len(gold))
        measured = measure_page(made)
        if measured is not None and max(measured.targets) > WELL_READ:
            yield TrainingPage(WRITTEN, False, measured.rows, measured.targets)


def listing_pages(folder: Path, pieces: Sequence[Piece] = ()) -> Iterator[TrainingPage]:
    """Pages of many other makers, whose main list a person told."""
    labels = read_labels()
    for page in read_listing_pages(folder):
        gold = labels.get(page.digest)
        if not gold:
            continue

        def match(
            finder: BlockFinder, item: ListItem, page: ListingPage = page,
            gold: frozenset[str] = gold,
        ) -> set[int]:  # fmt: skip
            urls = [link.url for link in finder.all_links.within(item.first, item.end)]
            texts = finder.page.outline.texts[item.first : item.end]
            told = {digest_item(page.digest, one) for one in tell_item(urls, texts)}
            return {int(one, 16) for one in told & gold}

        group = LISTING + page.owner
        listing = LabelledPage(group, False, page.html, page.url, None, match, len(gold))
        yield from measure_variants(listing, pieces)


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


def read_training_pages(folder: Path) -> list[TrainingPage]:
    """All that scorers are fitted on."""
    pieces = read_pieces(folder.parent)
    return [
        *service_pages(folder, pieces),
        *court_pages(folder, pieces),
        *listing_pages(folder.parent, pieces),
        *made_pages(folder.parent),
    ]


def fit_variants(pages: Sequence[TrainingPage]) -> dict[str, TreeEnsemble]:
    names = {name for parts in VARIANTS.values() for name in parts}
    models = {name: _fit_one(pages, name) for name in sorted(names)}
    return {
        variant: scorer_from(tell_models([models[name] for name in parts]))
        for variant, parts in VARIANTS.items()
    }


def _fit_one(pages: Sequence[TrainingPage], name: str) -> HistGradientBoostingRegressor:
    """Pages count alike within a group, and groups by the root of their pages; all written pages
    together count as much as `WRITTEN_SHARE` of the real ones, or not at all."""
    used = [page for page in pages if page.level <= MODELS[name]]
    sizes = Counter(page.group for page in used)
    real = sum(sizes[p.group] ** -0.5 for p in used if p.group != WRITTEN)
    each = {group: size**-0.5 for group, size in sizes.items()}
    each[WRITTEN] = WRITTEN_SHARE * real / max(1, sizes[WRITTEN])
    weights = np.concatenate([np.full(len(p.rows), 50 * each[p.group] / len(p.rows)) for p in used])
    rows = np.concatenate([np.array(page.rows) for page in used])
    targets = np.concatenate([np.array(page.targets) for page in used])
    model = HistGradientBoostingRegressor(
        max_iter=TREES, max_leaf_nodes=12, max_depth=DEPTH, learning_rate=RATE,
        min_samples_leaf=20, l2_regularization=1.0, max_features=0.5, early_stopping=False,
        monotonic_cst=[DIRECTIONS.get(name, 0) for name in FEATURES], random_state=1,
    )  # fmt: skip
    model.fit(rows, targets, sample_weight=weights)
    return model


def split_fold(
    pages: Sequence[TrainingPage], fold: int
) -> tuple[list[TrainingPage], list[TrainingPage]]:
    """Pages to fit on, and real pages of other groups to judge by."""
    test = [
        p for p in pages if p.group != WRITTEN and not p.is_varied and _fold_of(p.group) == fold
    ]
    groups = {page.group for page in test}
    return [page for page in pages if page.group not in groups], test


def _fold_of(group: str) -> int:
    return xxhash.xxh3_64_intdigest(group.encode()) % FOLDS


class Judged(NamedTuple):
    """How all pages for development were read by scorers that do not know them."""

    fresh: list[evaluation.PageScore]
    kept: list[evaluation.PageScore]
    courts: list[evaluation.PageScore]


def judge_across(
    folder: Path, pages: Sequence[TrainingPage]
) -> tuple[dict[str, Judged], dict[str, float]]:
    """By variant, each part of the services, courts and makers by scorers that were fitted without
    it: written pages use nothing of any. And F1 a unit of the shipped variant's score, by kind; 1
    is right."""
    judged = {name: Judged([], [], []) for name in VARIANTS}
    seen: dict[str, list[tuple[float, float, float]]] = {"services": [], "others": []}
    sizes = Counter(page.group for page in pages)
    services = sorted({row["service"] for row in evaluation.rows_of(
        folder / "serps.jsonl.gz", "service", held_out=False)})  # fmt: skip
    for fold in range(FOLDS):
        known, test = split_fold(pages, fold)
        for name, scorer in fit_variants(known).items():
            for service in (one for one in services if _fold_of(one) == fold):
                found = evaluation.judge_services(
                    folder, held_out=False, only=service, scorer=scorer
                )
                judged[name].fresh.extend(found[0])
                judged[name].kept.extend(found[1])
            scores = evaluation.judge_courts(
                folder, held_out=False, scorer=scorer,
                only=lambda court, fold=fold: _fold_of(court) == fold,  # type: ignore[misc]
            )  # fmt: skip
            judged[name].courts.extend(scores)
            for page in test if name == SHIPPED else ():
                weight = (len(page.rows) * sizes[page.group]) ** -0.5
                told = scorer.score(np.array(page.rows))
                seen["services" if page.is_service else "others"].extend(
                    (score, target, weight)
                    for score, target in zip(told, page.targets, strict=True)
                )
    return judged, {kind: _slope_of(rows) for kind, rows in seen.items()}


def _slope_of(rows: Sequence[tuple[float, float, float]]) -> float:
    scores, targets, weights = np.array(rows).T
    return round(float(np.polyfit(scores, targets, 1, w=weights)[0]), 4)


def summarise(judged: Judged) -> dict[str, Any]:
    return {
        "services_fresh": evaluation.summarise_services(judged.fresh),
        "services_kept": evaluation.summarise_services(judged.kept),
        "courts": evaluation.summarise_courts(judged.courts),
        "spread": spread_of(judged, judged),
    }


def spread_of(judged: Judged, other: Judged) -> dict[str, tuple[float, ...]]:
    """Figures, or their gain over those of `other`, with the limits that hold nine tenths of draws
    of services and courts, with replacement."""
    rng = np.random.default_rng(1)
    is_gain = judged is not other
    found = {}
    for name, ours, theirs in zip(Judged._fields, judged, other, strict=True):
        groups: dict[str, list[float]] = defaultdict(list)
        for one, base in zip(ours, theirs, strict=True):
            groups[one.group].append(_value_of(name, one) - is_gain * _value_of(name, base))
        # Services count alike, courts by their pages, as in the figures themselves.
        size = np.array([len(g) if name == "courts" else 1 for g in groups.values()])
        total = np.array([fmean(g) for g in groups.values()]) * size
        drawn = rng.integers(0, len(size), (DRAWS, len(size)))
        means = total[drawn].sum(axis=1) / size[drawn].sum(axis=1)
        limits = np.quantile(means, (0.05, 0.95))
        found[name] = tuple(round(float(x), 4) for x in (total.sum() / size.sum(), *limits))
    return found


def _value_of(name: str, score: evaluation.PageScore) -> float:
    return float(score.recall >= evaluation.ENOUGH_RECALL) if name == "courts" else score.f1


def tell_models(models: Sequence[HistGradientBoostingRegressor]) -> dict[str, Any]:
    """The trees of all models as plain arrays: their sum is the average of the models."""
    told: dict[str, Any] = {
        "features": list(FEATURES), "base": 0.0, "roots": [], "feature": [], "threshold": [],
        "left": [], "right": [], "value": [], "depth": DEPTH,
    }  # fmt: skip
    share = 1 / len(models)
    for model in models:
        told["base"] += share * float(np.ravel(model._baseline_prediction)[0])
        for tree in _nodes_of(model):
            start = len(told["feature"])
            told["roots"].append(start)
            for is_leaf, feature, threshold, left, right, value in tree:
                told["feature"].append(-1 if is_leaf else int(feature))
                told["threshold"].append(0.0 if is_leaf else float(f"{threshold:.9g}"))
                told["left"].append(0 if is_leaf else start + int(left))
                told["right"].append(0 if is_leaf else start + int(right))
                told["value"].append(round(share * float(value), 6) if is_leaf else 0.0)
    return told


def _nodes_of(model: HistGradientBoostingRegressor) -> Iterator[list[tuple[Any, ...]]]:
    names = ["is_leaf", "feature_idx", "num_threshold", "left", "right", "value"]
    for (predictor,) in model._predictors:
        yield [tuple(node[name] for name in names) for node in predictor.nodes]


def write_model(told: dict[str, Any]) -> None:
    OUT.write_text(json.dumps(told, separators=(",", ":")) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true", help="fit all pages and write the trees")
    parser.add_argument("--cross", action="store_true", help="judge end to end, each service "
                        "and court by scorers that do not know it")  # fmt: skip
    parser.add_argument("--verbose", action="store_true", help="with --cross: a line for each "
                        "page that is not read whole")  # fmt: skip
    options = parser.parse_args()
    pages = read_training_pages(options.folder)
    figures: dict[str, Any] = {"pages": len(pages), "candidates": sum(len(p.rows) for p in pages)}
    if options.cross:
        judged, figures["calibration"] = judge_across(options.folder, pages)
        figures["cross"] = {name: summarise(one) for name, one in judged.items()}
        for name, one in judged.items():
            if name != "written":
                figures["cross"][name]["gain_over_written"] = spread_of(one, judged["written"])
        if options.verbose:
            for name, scores in judged[SHIPPED]._asdict().items():
                evaluation.write_failures(name, scores)
    if options.write:
        write_model(tell_models([_fit_one(pages, name) for name in VARIANTS[SHIPPED]]))
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
