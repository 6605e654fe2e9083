"""The post-query check on a world of the lab, in process and over HTTP, against its truth."""

import asyncio
from collections import Counter

import pytest
from bench.probe import DATABASE, NO_SEARCH, REFUSED, Plan, figures, measure

from leadline.forms.probe import CANNOT_TELL, NO, YES
from leadline_lab.profile import profile_named
from leadline_lab.world import World

PLAN = Plan(sites=12, believe=0.97)
Counts = Counter[tuple[str, str]]


@pytest.fixture(scope="module")
def world() -> World:
    return World(profile_named("small"), 5)


@pytest.fixture(scope="module")
def in_process(world: World) -> Counts:
    return asyncio.run(measure(world, PLAN))


def test_databases_are_found_and_none_is_denied(in_process: Counts) -> None:
    asked = sum(in_process[DATABASE, verdict] for verdict in (YES, NO, CANNOT_TELL))
    assert asked >= 20
    assert in_process[DATABASE, YES] >= asked / 3
    assert in_process[DATABASE, NO] == 0
    assert figures(in_process)["accuracy"] == 1.0


def test_forms_that_search_nothing_are_refused_or_not_taken_for_databases(
    in_process: Counts,
) -> None:
    assert in_process[NO_SEARCH, REFUSED] >= 10
    assert in_process[NO_SEARCH, YES] == 0


def test_over_http_the_verdicts_are_the_same(world: World, in_process: Counts) -> None:
    over_http = asyncio.run(measure(world, PLAN._replace(over_http=True)))
    assert over_http == in_process
