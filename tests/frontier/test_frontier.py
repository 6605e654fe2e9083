"""What the laws of stores do not show of a frontier."""

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import FeatureRows
from leadline.core.ports import Scores
from leadline.core.url import Site
from leadline.frontier import Frontier
from leadline.frontier.links import LinkRows, feature_rows
from leadline.frontier.ranks import rank_of


def test_at_most_memory_links_stay_in_memory() -> None:
    asked: list[int] = []

    def load(ids: NDArray[np.int64]) -> list[bytes]:
        asked.extend(ids.tolist())
        return [int(number).to_bytes(4, "little") for number in ids]

    frontier = Frontier(1, memory_links=10, load=load)
    site = frontier.number(Site("a.test"))
    for number in range(100):
        row = number.to_bytes(4, "little")
        frontier.add([number], [site], [rank_of(0, -float(number % 7))], [row])
        assert len(frontier._rows) <= 10
    assert len(frontier) == 100
    order = []
    while taken := frontier.take(1, 0.0):
        order.append(taken[0][0])
        frontier.finish(taken[0][0])
        assert len(frontier._rows) <= 10 + 32
    assert order == sorted(range(100), key=lambda number: (number % 7, number))
    assert asked


def test_every_link_is_scored_again_with_its_own_features() -> None:
    def load(ids: NDArray[np.int64]) -> list[bytes]:
        return [int(number).to_bytes(4, "little") for number in ids]

    frontier = Frontier(1, memory_links=10, load=load)
    sites = [frontier.number(Site(f"{number}.test")) for number in range(50)]
    rows = [number.to_bytes(4, "little") for number in range(50)]
    frontier.add(range(50), sites, [rank_of(0, 0.0)] * 50, rows)

    def score(tiers: NDArray[np.int32], scores: Scores, features: FeatureRows) -> None:
        tiers[:] = 1
        scores[:] = features[:, 0]

    moved, _ = frontier.rescore(score)
    assert moved.tolist() == list(range(50))
    assert [number for number, _ in frontier.take(50, 0.0)] == list(range(49, -1, -1))


def test_links_below_the_least_score_keep_theirs() -> None:
    frontier = Frontier(1)
    sites = [frontier.number(Site(f"{number}.test")) for number in range(10)]
    rows = [number.to_bytes(4, "little") for number in range(10)]
    ranks = [rank_of(0, float(number)) for number in range(9)] + [rank_of(1, 99.0)]
    frontier.add(range(10), sites, ranks, rows)

    def score(tiers: NDArray[np.int32], scores: Scores, features: FeatureRows) -> None:
        tiers[:] = 0
        scores[features[:, 0] != 6] = 0.5

    moved, now = frontier.rescore(score, least=5.0)
    assert moved.tolist() == [5, 7, 8]
    assert now.tolist() == [rank_of(0, 0.5)] * 3
    assert frontier.tiers() == {0: 9, 1: 1}
    assert [number for number, _ in frontier.take(10, 0.0)] == [6, 4, 3, 2, 1, 5, 7, 8, 0, 9]


def test_changing_ranks_does_not_pile_up_entries() -> None:
    frontier = Frontier()
    sites = [frontier.number(Site(f"{number}.test")) for number in range(3)]
    frontier.add([1, 2, 3], sites, [rank_of(0, 0.0)] * 3, [b""] * 3)
    for number in range(5_000):
        frontier.rank(sites[number % 3], rank_of(0, float(number)))
    assert len(frontier._order._ready) < 2_000
    assert [number for number, _ in frontier.take(3, 0.0)] == [2, 1, 3]


def test_a_freed_slot_is_used_again() -> None:
    rows = LinkRows(1)
    slots = rows.add([1, 2], [0, 0], [5, 6], [b"\1\0\0\0", b""])
    rows.free(slots[:1])
    assert rows.add([3], [0], [7], [b"\3\0\0\0"]) == slots[:1]
    assert rows.ids[rows.live()].tolist() == [3, 2]
    assert rows.features[rows.live()].tolist() == [[3], [0]]
    assert len(rows) == 2


def test_rows_keep_their_content_when_growing() -> None:
    rows = LinkRows(2)
    content = [np.array([number, -number], "<i4").tobytes() for number in range(5_000)]
    slots = rows.add(range(5_000), [7] * 5_000, range(5_000), content)
    assert (rows.features[slots] == feature_rows(content, 2)).all()
    assert rows.ids[slots].tolist() == rows.ranks[slots].tolist() == list(range(5_000))
