"""The tail gives back what it was given, best first within each site."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from leadline.frontier.links import LinkColumns, SpilledLinks
from leadline.frontier.ranks import NOWHERE, place_of

links = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), max_size=12)


def spilled(first: int, pairs: list[tuple[int, int]]) -> LinkColumns:
    return LinkColumns(
        np.array([site for site, _ in pairs], np.int32),
        np.array([rank for _, rank in pairs], np.int64),
        np.arange(first, first + len(pairs), dtype=np.int64),
    )


@given(st.lists(st.tuples(links, st.integers(0, 3), st.integers(1, 4)), max_size=12))
def test_pulling_gives_the_best_of_all_segments(steps: list[tuple[object, int, int]]) -> None:
    tail, model, first = SpilledLinks(), set[tuple[int, int, int]](), 1
    for pairs, site, n in steps:
        assert isinstance(pairs, list)
        tail.add(spilled(first, pairs))
        model |= {(site_, rank, first + at) for at, (site_, rank) in enumerate(pairs)}
        first += len(pairs)
        here = sorted(link for link in model if link[0] == site)
        assert tail.best(site) == (place_of(*here[0][1:]) if here else NOWHERE)
        if here:
            ids, ranks = tail.pull(site, n)
            assert list(zip(ranks, ids, strict=True)) == [link[1:] for link in here[:n]]
            model -= set(here[:n])
        assert len(tail) == len(model)
        left = tail.links()
        columns = (left.sites.tolist(), left.ranks.tolist(), left.ids.tolist())
        assert set(zip(*columns, strict=True)) == model


def test_a_dropped_site_is_gone() -> None:
    tail = SpilledLinks()
    tail.add(spilled(1, [(0, 1), (1, 1), (0, 2)]))
    assert tail.drop(0) == 2
    assert tail.best(0) == NOWHERE
    assert tail.best(1) != NOWHERE
    assert len(tail) == 1
    assert tail.drop(7) == 0


def test_segments_do_not_pile_up() -> None:
    tail = SpilledLinks()
    for number in range(200):
        tail.add(spilled(1 + number * 3, [(number % 5, 1), (1, 2), (2, 3)]))
    assert len(tail._segments) <= 10
    assert len(tail) == 600
