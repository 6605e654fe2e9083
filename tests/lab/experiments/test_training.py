"""Link classifiers for trials: trained elsewhere, once, and used."""

from pathlib import Path

import pytest

from leadline.errors import ConfigError
from leadline.learn.link_levels import read_link_model
from leadline_lab.experiments.critics import ELSEWHERE
from leadline_lab.experiments.lab_web import open_lab_world
from leadline_lab.experiments.shelf import MemoryShelf
from leadline_lab.experiments.training import LinkModels, ServiceBackLinks, known_forms
from leadline_lab.experiments.trial import Contender, Trial, run_trial
from leadline_lab.lookup import Lookup
from leadline_lab.profile import profile_named
from leadline_lab.server.services import WithServices
from leadline_lab.world import World
from tests.lab.experiments.village import Village

WORLD, MAKE_FETCHER = open_lab_world("small", 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


async def test_a_classifier_comes_from_another_world_and_is_kept(folder: Path) -> None:
    trained = await LinkModels(folder).get(WORLD, "hotel")
    assert trained.requests > 0
    assert trained.taught.levels.classes[0] == 1
    kept = folder / f"small-{1 + ELSEWHERE}-hotel"
    again = await LinkModels(folder).get(WORLD, "hotel")
    assert again.requests == trained.requests
    assert read_link_model(kept)[0].lesson.levels == trained.taught.lesson.levels


def test_a_trained_contender_tells_what_its_training_cost(folder: Path) -> None:
    models = LinkModels(folder)
    offline = Contender("ache", {"mode": "offline"})
    trials = [
        Trial(c, "small", 1, "hotel", 60, critic="oracle") for c in (Contender("ffc"), offline)
    ]
    ffc, ache = (
        run_trial(trial, WORLD, MAKE_FETCHER, MemoryShelf(), models=models) for trial in trials
    )
    assert ffc.training_requests == ache.training_requests > 0
    assert ffc.trail == ache.trail


def test_who_is_trained() -> None:
    assert Contender("ffc").is_trained
    assert Contender("ache", {"mode": "offline-online"}).is_trained
    assert not Contender("ache").is_trained
    assert not Contender("ffc", {"model": "hotel"}).is_trained
    assert not Contender("baseline_sc").is_trained


def test_known_forms_are_of_the_domain() -> None:
    world = World(profile_named("small"), 2)
    forms = known_forms(world, "hotel")
    assert len(forms) == len(set(forms)) > 0


def test_biased_examples_are_of_the_rarest_kind_of_sites() -> None:
    world = World(profile_named("small"), 2)
    kinds = [p for p in world.census.populations if "book" in p.domains]
    rarest = min(kinds, key=lambda population: population.sites)
    forms = known_forms(world, "book", is_biased=True)
    found = {located.estate.plan.site for url in forms if (located := world.locate(url))}
    assert found
    assert found <= set(range(rarest.first, rarest.first + rarest.sites))
    assert not {*known_forms(world, "book")} <= {*forms}


async def test_the_service_names_no_page_as_linking_to_itself() -> None:
    world = World(profile_named("small"), 2)
    service = ServiceBackLinks(WithServices(world, Lookup(world)))
    for url in known_forms(world, "hotel")[:10]:
        answer = await service.find_backlinks(url, 5)
        assert url not in answer.urls
        assert len(answer.urls) <= 5
        assert answer.requests == 1


async def test_a_world_without_its_like_trains_nobody() -> None:
    with pytest.raises(ConfigError, match="worlds of the lab"):
        await LinkModels().get(Village(), "book")
