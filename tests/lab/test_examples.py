"""Labelled forms and pages of a world."""

import pytest

from leadline_lab.examples import Examples
from leadline_lab.profile import profile_named
from leadline_lab.world import World


@pytest.fixture(scope="module")
def examples() -> Examples:
    return Examples(World(profile_named("small"), 5))


def test_sites_are_drawn_alike_and_answer(examples: Examples) -> None:
    populations = examples.world.census.populations
    found = examples.sites(populations, 20, "some")
    assert found == examples.sites(populations, 20, "some")
    assert len(set(found)) == 20
    assert not any(examples.world.census.dead[site] for site in found)


def test_each_form_of_a_site_comes_once_with_the_truth(examples: Examples) -> None:
    deep = [p for p in examples.world.census.populations if "hotel" in p.domains]
    for site in examples.sites(deep, 5, "hotels"):
        forms = list(examples.forms_of(site))
        interfaces = [form.interface for form in forms if form.is_searchable]
        assert len(set(interfaces)) == len(interfaces)
        for form in forms:
            assert form.page.forms[form.number] == form.form
            assert form.domains <= form.site_domains
            assert form.is_searchable or not form.domains


def test_forms_of_wanted_databases_are_among_them(examples: Examples) -> None:
    deep = [p for p in examples.world.census.populations if "job" in p.domains]
    sites = examples.sites(deep, 6, "jobs")
    assert any("job" in form.domains for site in sites for form in examples.forms_of(site))


def test_pages_come_with_their_topic(examples: Examples) -> None:
    some = [p for p in examples.world.census.populations if p.topic == "book"]
    found = list(examples.pages(some, 8, "books"))
    assert len(found) == 8
    assert sum(one.truth.topic == "book" for one in found) >= 4
