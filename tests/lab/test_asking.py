"""Forms of a lab world described and surveyed, over HTTP, against its truth."""

import asyncio

import pytest
from bench.asking import TellingWorld, figures, measure

from leadline_lab.profile import profile_named


@pytest.fixture(scope="module")
def measured() -> dict[str, float]:
    world = TellingWorld(profile_named("small"), 36)
    return figures(asyncio.run(measure(world, 10, over_http=True)))


def test_controls_are_described_as_the_lab_made_them(measured: dict[str, float]) -> None:
    assert measured["forms"] >= 8
    assert measured["described rightly"] >= 0.9
    assert measured["controls rightly"] >= 0.95


def test_nearly_every_searchable_form_is_executable_at_little_cost(
    measured: dict[str, float],
) -> None:
    assert measured["executable"] >= 0.95
    assert measured["requests"] <= 15
