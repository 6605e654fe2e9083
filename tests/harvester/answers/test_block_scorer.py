"""What is measured of a block, and what a page marks as advertisements."""

import random

import pytest
from tools.page_variation import cut_pieces, vary_page

from leadline.core.harvest import Query
from leadline.core.url import Url
from leadline.harvester.answers.advertisements import find_advertised, is_advertisement_heading
from leadline.harvester.answers.answer_page import AnswerPage
from leadline.harvester.answers.block_scorer import FEATURES
from leadline.harvester.answers.result_blocks import BlockFinder, list_groups, measure_groups
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
