"""What is measured of a block, and what a page marks as advertisements."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tools.block_ranking import fit_preferences
from tools.block_training import tell_trees
from tools.page_variation import cut_pieces, vary_page
from tools.written_layouts import REGISTERS, SEARCHES, Drawing, Item

from leadline.core.harvest import Query
from leadline.core.url import Url
from leadline.harvester.answers.advertisements import find_advertised, is_advertisement_heading
from leadline.harvester.answers.answer_page import AnswerPage
from leadline.harvester.answers.block_candidates import BlockFinder, list_groups, measure_groups
from leadline.harvester.answers.block_measures import FEATURES
from leadline.harvester.answers.block_scorer import scorer_from, trees_from
from leadline.harvester.single_page import read_answer_page
from leadline.page.outline import Outline, outline_of

NAMES = (
    "The wind of the east",
    "A sea in winter",
    "Songs of rivers",
    "Old woods",
    "Brick and lime",
)


def outline(body: str) -> Outline:
    return outline_of(f"<html><body>{body}</body></html>".encode(), Url("http://a.test/"))


def measures(body: str, items: int) -> dict[str, float]:
    """Of the candidate with so many items that scores best by its weight."""
    page = AnswerPage(outline(body), Query.of(q="zzz"), frozenset())
    finder = BlockFinder(page, lambda _url: False)
    groups = list_groups(finder, list(finder.candidates()))
    rows = measure_groups(finder, groups)
    sizes = [sum(len(block.split.items) for block in group) for group in groups]
    return dict(zip(FEATURES, rows[sizes.index(items)], strict=True))


def rows(start: int = 0) -> str:
    return "".join(
        f"<li>{start + n + 1}. <a href='http://b{n}.test/{n}'>{name}</a> a long text on it</li>"
        for n, name in enumerate(NAMES)
    )


def test_counts_numbers_and_pages_around_a_list_are_measured() -> None:
    pages = "<p>1 <a href='/?p=2'>2</a> <a href='/?p=3'>3</a> <a href='/?p=4'>4</a></p>"
    told = measures(f"<p>Results 6 - 10 of 1,204</p><ol>{rows(5)}</ol>{pages}", 5)
    bare = measures(f"<p>All we have</p><ul>{rows().replace('. ', ' ')}</ul>", 5)
    assert (told["numbered"], told["told_count"]) == (1.0, 1.0)
    assert told["pages_near"] > 0.5
    assert (bare["told_count"], bare["pages_near"]) == (0.0, 0.0)
    assert told["to_other_sites"] == 1.0


@pytest.mark.parametrize(
    "heading", ["Sponsored Results", "ADS", "Anzeigen (Info)", "Liens sponsorisés"]
)
def test_what_follows_a_heading_of_advertisements_is_one(heading: str) -> None:
    page = outline(f"<div><h4>{heading}</h4><ul><li>x1</ul></div><p>y1</p><p>y2</p><p>y3</p>")
    marked = find_advertised(page)
    assert [page.texts[row] for row in range(len(page)) if marked[row] and page.texts[row]] == [
        "x1"
    ]


@pytest.mark.parametrize(
    "text", ["Results", "Sponsors of our library", "Ad hoc", "Promoted to judge"]
)
def test_other_headings_are_none(text: str) -> None:
    assert not is_advertisement_heading(text)


def test_a_block_of_advertisements_beside_results_is_left_out() -> None:
    ads = "".join(
        f"<li><h3><a href='http://s{n}.test/'>Buy a {name}</a></h3>a long text on it</li>"
        for n, name in enumerate(NAMES[:2])
    )
    found = "".join(
        f"<li><h3><a href='http://b{n}.test/{n}'>{name}</a></h3>a long text on it</li>"
        for n, name in enumerate(NAMES)
    )
    body = f"<div><b>Sponsor Results</b><ul>{ads}</ul></div><div><ul>{found}</ul></div>"
    answer = read_answer_page(f"<html><body>{body}</body></html>", "http://a.test/s?q=zzz")
    assert [record.title for record in answer.records] == list(NAMES)


def test_variants_of_a_page_keep_its_tree_and_the_items_that_stay() -> None:
    page = outline(
        f"<div class='nav x'><a href='/a'>home</a></div><ol class=r>{rows()}</ol><p>end</p>"
    )
    items = [(row, page.ends[row]) for row, tag in enumerate(page.tags) if tag == "li"]
    pieces = cut_pieces([outline(f"<ul>{rows()}{rows()}</ul>")], random.Random(1))
    for seed in range(40):
        variant = vary_page(page, items, pieces, random.Random(seed))
        made = variant.outline
        assert all(0 <= made.parents[row] < row for row in range(1, len(made)))
        assert all(made.ends[row] <= made.ends[made.parents[row]] for row in range(1, len(made)))
        for number, name in enumerate(NAMES):
            assert (name in made.texts) or number in variant.left_out


@pytest.mark.parametrize(
    "layout", dict.fromkeys((*SEARCHES, *REGISTERS)), ids=lambda layout: layout.__name__
)
def test_a_layout_shows_all_its_items_with_their_addresses(
    layout: Callable[[Drawing], str],
) -> None:
    items = [
        Item(n, name, f"http://b.test/{n}", "a text", "May 3, 2021", f"21-{n}", "Ann", "Book",
             "$3", f'<a href="http://b.test/{n}">{name}</a>')
        for n, name in enumerate(NAMES, 1)
    ]  # fmt: skip
    page = outline(layout(Drawing(random.Random(1), items, has_names=True)))
    shown = " ".join(filter(None, page.texts))
    urls = {given.get("href") for given in page.attributes}
    assert all(item.title in shown and item.url in urls for item in items)


def test_trees_learn_which_candidate_of_a_page_to_prefer() -> None:
    rng = np.random.default_rng(3)
    pages = []
    for _ in range(80):
        rows = np.column_stack([rng.random(6), np.full(6, rng.random())])
        # The largest of its page is right; how large it is differs from page to page.
        targets = (rows[:, 0] == rows[:, 0].max()).astype(float)
        pages.append((rows, targets, 1.0))
    grown = fit_preferences(pages, {0: 1}, trees=30, depth=4)
    trees = trees_from(tell_trees(grown, 0.0))
    right = sum(
        int(trees.score(rows).argmax()) == int(targets.argmax()) for rows, targets, _ in pages
    )
    assert right >= 72


def test_preference_decides_between_candidates_that_are_as_likely() -> None:
    rows = np.zeros((3, len(FEATURES)))
    rows[:, 0] = (0.0, 1.0, 2.0)

    def stump(low: float, high: float) -> dict[str, Any]:
        return {
            "base": 0.0, "depth": 1, "roots": [0], "feature": [0, -1, -1],
            "threshold": [0.5, 0.0, 0.0], "left": [1, 0, 0], "right": [2, 0, 0],
            "value": [0.0, low, high],
        }  # fmt: skip

    told = {"features": list(FEATURES), "preference_share": 0.5, "agreement": stump(0.6, 0.5)}
    scorer = scorer_from({**told, "preference": stump(0.0, 1.0)})
    scores = scorer.score(rows)
    assert scores.tolist() == [0.6, 0.5, 0.5]
    assert scorer.choose(rows, scores) == 1
    assert scorer_from({**told, "preference": stump(0.1, 0.0)}).choose(rows, scores) == 0
