"""Trains the scorer of result blocks on real answers, split by service and court.

    python -m tools.block_training FOLDER [--write] [--choices] [--cross [--verbose]]

FOLDER is that of `tools.answer_evaluation`; only the part for development is read. Beside it lie
the real pages and records that `tools.written_answers` makes further pages of, and listings of many
makers (`tools.listing_pages`). All real pages are also measured as others would have marked them up
(`tools.page_variation`). Every candidate group of every page is measured, and its target is how
well its items agree with the gold results (F1). `--write` fits trees to all pages and
writes them. `--cross` judges from end to end as `tools.answer_evaluation` does,
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
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor

from leadline.core.url import Url
from leadline.harvester.answers.answer_page import AnswerPage
from leadline.harvester.answers.block_candidates import (
    BlockFinder,
    ResultBlock,
    list_groups,
    measure_groups,
)
from leadline.harvester.answers.block_measures import FEATURES
from leadline.harvester.answers.block_scorer import BlockScorer, scorer_from
from leadline.harvester.answers.item_splitter import ListItem
from leadline.harvester.answers.record_keys import SearchAddresses
from leadline.harvester.reply import Reply
from leadline.harvester.single_page import guess_search, reply_from
from leadline.page.outline import Outline, outline_of
from tools import answer_evaluation as evaluation
from tools.block_ranking import fit_preferences
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
PREFERENCE_SHARE = 0.15
"""What a unit of preference, a factor of e in odds, counts for beside the F1 to expect."""
FOLDS = 8
DRAWS = 2_000
WRITTEN = "written"
"""The group of the pages that `tools.written_answers` makes."""
LISTING = "listing "
"""Begins the group of a page of `tools.listing_pages`; its owner follows."""
WRITTEN_PAGES = 1_200
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
    def has_results(self) -> bool:
        return max(self.targets) > 0


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


def fit_scorer(pages: Sequence[TrainingPage]) -> dict[str, Any]:
    """Both ensembles, as `block_scorer.json` holds them."""
    weights = weigh_pages(pages)
    preferring = [
        (np.array(page.rows), np.array(page.targets), weight)
        for page, weight in zip(pages, weights, strict=True)
        if page.has_results
    ]
    directions = {FEATURES.index(name): way for name, way in DIRECTIONS.items()}
    preferences = fit_preferences(preferring, directions, trees=TREES, depth=DEPTH)
    model = _fit_agreement(pages, weights)
    base = float(np.ravel(model._baseline_prediction)[0])
    return {
        "features": list(FEATURES),
        "preference_share": PREFERENCE_SHARE,
        "agreement": tell_trees([tree for (tree,) in model._predictors], base),
        "preference": tell_trees(preferences, 0.0),
    }


def weigh_pages(pages: Sequence[TrainingPage]) -> list[float]:
    """Pages count alike within a group, and groups by the root of their pages; all written pages
    together count as much as `WRITTEN_SHARE` of the real ones."""
    sizes = Counter(page.group for page in pages)
    real = sum(sizes[p.group] ** -0.5 for p in pages if p.group != WRITTEN)
    each = {group: size**-0.5 for group, size in sizes.items()}
    each[WRITTEN] = WRITTEN_SHARE * real / max(1, sizes[WRITTEN])
    return [each[page.group] for page in pages]


def _fit_agreement(
    pages: Sequence[TrainingPage], weights: Sequence[float]
) -> HistGradientBoostingRegressor:
    shares = [
        np.full(len(p.rows), 50 * w / len(p.rows)) for p, w in zip(pages, weights, strict=True)
    ]
    model = HistGradientBoostingRegressor(
        max_iter=TREES, max_leaf_nodes=12, max_depth=DEPTH, learning_rate=RATE,
        min_samples_leaf=20, l2_regularization=1.0, max_features=0.5, early_stopping=False,
        monotonic_cst=[DIRECTIONS.get(name, 0) for name in FEATURES], random_state=1,
    )  # fmt: skip
    rows = np.concatenate([np.array(page.rows) for page in pages])
    targets = np.concatenate([np.array(page.targets) for page in pages])
    model.fit(rows, targets, sample_weight=np.concatenate(shares))
    return model


def split_fold(
    pages: Sequence[TrainingPage], fold: int
) -> tuple[list[TrainingPage], list[TrainingPage]]:
    """Pages to fit on, and real pages of other groups, with their variants, to judge by."""
    test = [page for page in pages if page.group != WRITTEN and _fold_of(page.group) == fold]
    groups = {page.group for page in test}
    return [page for page in pages if page.group not in groups], test


def _fold_of(group: str) -> int:
    return xxhash.xxh3_64_intdigest(group.encode()) % FOLDS


class Judged(NamedTuple):
    """How all pages for development were read by scorers that do not know them."""

    fresh: list[evaluation.PageScore]
    kept: list[evaluation.PageScore]
    courts: list[evaluation.PageScore]


class Choice(NamedTuple):
    """What scorers that do not know a page chose on it: how well it agrees with the results."""

    kind: str
    group: str
    by_score: float
    """By the F1 to expect alone."""
    chosen: float
    best: float
    """Of any candidate."""


def judge_across(
    folder: Path, pages: Sequence[TrainingPage], *, is_read: bool
) -> tuple[Judged, list[Choice], dict[str, float]]:
    """Each part of the services, courts and makers by scorers that were fitted without it: written
    pages use nothing of any. And F1 a unit of score, by kind; 1 is right. `is_read`: all answers
    are read end to end too."""
    judged = Judged([], [], [])
    choices: list[Choice] = []
    seen: dict[str, list[tuple[float, float, float]]] = {"services": [], "others": []}
    sizes = Counter(page.group for page in pages)
    for fold in range(FOLDS):
        known, test = split_fold(pages, fold)
        scorer = scorer_from(fit_scorer(known))
        if is_read:
            _read_fold(folder, fold, scorer, judged)
        for page in test:
            rows = np.array(page.rows)
            told = scorer.score(rows)
            choices.append(
                Choice(
                    _kind_of(page),
                    page.group,
                    page.targets[int(told.argmax())],
                    page.targets[scorer.choose(rows, told)],
                    max(page.targets),
                )
            )
            weight = (len(page.rows) * sizes[page.group]) ** -0.5
            if not page.is_varied:
                seen["services" if page.is_service else "others"].extend(
                    (score, goal, weight) for score, goal in zip(told, page.targets, strict=True)
                )
    return judged, choices, {kind: _slope_of(rows) for kind, rows in seen.items()}


def _read_fold(folder: Path, fold: int, scorer: BlockScorer, judged: Judged) -> None:
    """Reads the services and courts of one part end to end."""
    services = sorted({row["service"] for row in evaluation.rows_of(
        folder / "serps.jsonl.gz", "service", held_out=False)})  # fmt: skip
    for service in (one for one in services if _fold_of(one) == fold):
        found = evaluation.judge_services(folder, held_out=False, only=service, scorer=scorer)
        judged.fresh.extend(found[0])
        judged.kept.extend(found[1])
    courts = evaluation.judge_courts(
        folder, held_out=False, scorer=scorer, only=lambda court: _fold_of(court) == fold
    )
    judged.courts.extend(courts)


def _kind_of(page: TrainingPage) -> str:
    kind = "listings" if page.group.startswith(LISTING) else "courts"
    kind = "services" if page.is_service else kind
    return f"variants of {kind}" if page.is_varied else kind


def summarise_choices(choices: Sequence[Choice]) -> dict[str, dict[str, float]]:
    """Means over groups."""
    groups: dict[tuple[str, str], list[Choice]] = defaultdict(list)
    for choice in choices:
        groups[choice.kind, choice.group].append(choice)
    told: dict[str, dict[str, float]] = {}
    for kind in sorted({choice.kind for choice in choices}):
        own = [group for (its_kind, _), group in groups.items() if its_kind == kind]
        told[kind] = {
            name: round(fmean(fmean(getattr(c, name) for c in group) for group in own), 4)
            for name in ("by_score", "chosen", "best")
        }
    return told


def _slope_of(rows: Sequence[tuple[float, float, float]]) -> float:
    scores, targets, weights = np.array(rows).T
    return round(float(np.polyfit(scores, targets, 1, w=weights)[0]), 4)


def summarise(judged: Judged) -> dict[str, Any]:
    return {
        "services_fresh": evaluation.summarise_services(judged.fresh),
        "services_kept": evaluation.summarise_services(judged.kept),
        "courts": evaluation.summarise_courts(judged.courts),
        "spread": spread_of(judged),
    }


def spread_of(judged: Judged) -> dict[str, tuple[float, ...]]:
    """Figures with the limits that hold nine tenths of draws of services and courts, with
    replacement."""
    rng = np.random.default_rng(1)
    found = {}
    for name, ours in judged._asdict().items():
        groups: dict[str, list[float]] = defaultdict(list)
        for one in ours:
            groups[one.group].append(_value_of(name, one))
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


def tell_trees(predictors: Sequence[TreePredictor], base: float) -> dict[str, Any]:
    """Trees as plain arrays."""
    told: dict[str, Any] = {
        "base": base, "roots": [], "feature": [], "threshold": [],
        "left": [], "right": [], "value": [], "depth": DEPTH,
    }  # fmt: skip
    for predictor in predictors:
        start = len(told["feature"])
        told["roots"].append(start)
        for node in predictor.nodes:
            is_leaf = node["is_leaf"]
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
                        "and court by scorers that do not know it")  # fmt: skip
    parser.add_argument("--choices", action="store_true", help="of --cross the choice of blocks "
                        "alone, which takes a third of the time")  # fmt: skip
    parser.add_argument("--verbose", action="store_true", help="with --cross: a line for each "
                        "page that is not read whole")  # fmt: skip
    options = parser.parse_args()
    pages = read_training_pages(options.folder)
    figures: dict[str, Any] = {"pages": len(pages), "candidates": sum(len(p.rows) for p in pages)}
    if options.cross or options.choices:
        judged, choices, figures["calibration"] = judge_across(
            options.folder, pages, is_read=options.cross
        )
        figures["choices"] = summarise_choices(choices)
        if options.cross:
            figures["cross"] = summarise(judged)
        if options.verbose:
            for name, scores in judged._asdict().items():
                evaluation.write_failures(name, scores)
    if options.write:
        write_model(fit_scorer(pages))
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
