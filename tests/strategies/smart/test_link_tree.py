"""The link tree shares a page's links out among directories."""

from hypothesis import given
from hypothesis import strategies as st

from leadline.core.url import Url
from leadline.strategies.smart.site_links import even_counts, leaf_of, merged_counts, pick_balanced

SIZES = {"books": 40, "servlet": 5, "docs": 3, "a": 1, "b": 1}


def leaves(sizes: dict[str, int]) -> list[str]:
    return [f"http://s.test/{name}/{n}" for name, size in sizes.items() for n in range(size)]


def picked(urls: list[str], most: int, scores: list[float] | None = None) -> list[str]:
    ranks = scores or [0.0] * len(urls)
    tree = [
        leaf_of(n, Url(url), rank) for n, (url, rank) in enumerate(zip(urls, ranks, strict=True))
    ]
    return [urls[number] for number in sorted(pick_balanced(tree, most))]


def test_small_directories_are_merged_into_one_node() -> None:
    assert merged_counts(SIZES, 10) == {"books": 8, "servlet": 1, "#": 1}


def test_each_directory_gets_its_share_of_links() -> None:
    chosen = picked(leaves(SIZES), 10)
    folders = [url.split("/")[3] for url in chosen]
    assert folders.count("books") == 8
    assert folders.count("servlet") == 1
    assert len(folders) == 10


def test_all_links_are_taken_when_there_are_few() -> None:
    assert len(picked(leaves(SIZES), 50)) == 50


def test_the_best_links_of_a_directory_are_taken() -> None:
    urls = leaves({"books": 8, "cars": 2})
    scores = [float(n) for n in range(8)] + [0.0, 1.0]
    assert picked(urls, 5, scores) == [*urls[4:8], urls[9]]


def test_lower_directories_share_what_theirs_got() -> None:
    urls = [f"http://s.test/x/a/{n}" for n in range(6)] + [
        f"http://s.test/x/b/{n}" for n in range(6)
    ]
    chosen = picked(urls, 4, [1.0] * 6 + [0.0] * 6)
    assert [url.split("/")[4] for url in chosen] == ["a", "a", "b", "b"]


def test_even_shares_leave_what_small_directories_cannot_use() -> None:
    assert even_counts({"books": 40, "servlet": 5, "docs": 1}, 9) == {
        "docs": 1,
        "servlet": 4,
        "books": 4,
    }


@given(
    sizes=st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 30), min_size=1),
    most=st.integers(1, 60),
)
def test_no_more_links_are_taken_than_allowed_and_none_is_wasted(
    sizes: dict[str, int], most: int
) -> None:
    total = sum(sizes.values())
    for evenly in (False, True):
        tree = [leaf_of(n, Url(url), 0.0) for n, url in enumerate(leaves(sizes))]
        assert len(pick_balanced(tree, most, evenly=evenly)) == min(most, total)
