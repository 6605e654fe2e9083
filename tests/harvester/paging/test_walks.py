"""Walks through the answers of lab sources: every page once, and an end."""

import pytest
from bench.paging import Walk, measure

from leadline_lab.databases.kinds import PAGINGS, PAST_ENDS

pytestmark = pytest.mark.floors


@pytest.fixture(scope="module")
def walks() -> list[Walk]:
    return list(measure("small", [36], 1, past=True, languages=("de", "es")))


def test_every_page_is_visited_once(walks: list[Walk]) -> None:
    assert {(walk.paging, walk.past_end) for walk in walks} == {
        (paging, past_end) for paging in PAGINGS for past_end in PAST_ENDS
    }
    assert {walk.language for walk in walks} == {"de", "es"}
    assert [walk for walk in walks if not walk.is_right] == []


def test_past_the_end_the_walk_stops(walks: list[Walk]) -> None:
    past = {walk.past_end for walk in walks if walk.went_past and walk.has_stopped}
    assert past == set(PAST_ENDS)
