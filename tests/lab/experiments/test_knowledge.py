"""What strategies know before a trial begins: the same for all that are compared."""

from pathlib import Path

import pytest
from msgspec import structs

from leadline.core.ports import Strategy
from leadline.errors import ConfigError
from leadline_lab.experiments.knowledge import EarlierCrawls, find_knowledge_taken
from leadline_lab.experiments.pages import MakeFetcher
from leadline_lab.experiments.plan import Experiment, trials_of
from leadline_lab.experiments.run import Options, run_experiment
from leadline_lab.experiments.shelf import MemoryShelf
from leadline_lab.experiments.trial import (
    CRAWL,
    NONE,
    WORDS,
    Contender,
    Result,
    Trial,
    make_contender,
    run_trial,
)
from leadline_lab.experiments.worlds import World
from tests.lab.experiments.village import Village, VillageFetcher

TRIAL = Trial(Contender("ache"), "village", 0, "book", budget_pages=60, seed_urls=3)


def open_village(profile: str, seed: int) -> tuple[World, MakeFetcher]:
    del profile
    return Village(seed + 1), VillageFetcher


@pytest.fixture
def earlier(tmp_path: Path) -> EarlierCrawls:
    crawls = EarlierCrawls(tmp_path / "earlier", open_village, pages=80)
    crawls.run_missing([structs.replace(TRIAL, knowledge=CRAWL)])
    return crawls


def run(trial: Trial, crawls: EarlierCrawls | None = None) -> Result:
    teach = crawls.teach if crawls is not None else None
    return run_trial(trial, Village(0), VillageFetcher, MemoryShelf(), teach=teach)


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("baseline_sc", (NONE, NONE, NONE)),
        ("smartcrawler", (NONE, NONE, CRAWL)),
        ("shipped:ffc", (NONE, WORDS, CRAWL)),
        ("tres", (NONE, WORDS, CRAWL)),
        ("oracle:greedy", (NONE, NONE, NONE)),
    ],
)
def test_a_strategy_has_no_more_than_it_can_take(name: str, taken: tuple[str, ...]) -> None:
    levels = (NONE, WORDS, CRAWL)
    assert tuple(find_knowledge_taken(Contender(name), level) for level in levels) == taken


@pytest.mark.parametrize("name", ["tres", "expected_gain"])
def test_words_are_given_unless_nothing_is_known(name: str) -> None:
    trial = structs.replace(TRIAL, contender=Contender(name))
    truth = Village(0).truth
    assert "isbn" in words_of(make_contender(trial, truth))
    assert words_of(make_contender(structs.replace(trial, knowledge=NONE), truth)) == ()


def words_of(strategy: Strategy) -> tuple[str, ...]:
    words: tuple[str, ...] = strategy.settings.words  # type: ignore[attr-defined]
    return words


def test_every_strategy_is_taught_by_one_crawl_that_is_run_once(earlier: EarlierCrawls) -> None:
    told = earlier.count("book")
    assert 0 < told["pages"] <= 80
    taught = make_contender(TRIAL, Village(0).truth)
    earlier.teach(taught, "book", "forms")
    assert taught.state() != make_contender(TRIAL, Village(0).truth).state()
    earlier.run_missing([structs.replace(TRIAL, knowledge=CRAWL)])
    assert earlier.count("book") == told


def test_a_taught_trial_is_another_one_and_always_the_same(earlier: EarlierCrawls) -> None:
    taught = structs.replace(TRIAL, knowledge=CRAWL, contender=Contender("tres"))
    first, again = run(taught, earlier), run(taught, earlier)
    assert first.trail == again.trail
    with pytest.raises(ConfigError, match="earlier crawl"):
        run(taught)


def test_a_trial_ends_with_its_requests() -> None:
    whole = run(TRIAL)
    short = run(structs.replace(TRIAL, budget_requests=20))
    assert 20 <= short.requests < whole.requests
    assert short.reason == "budget: requests"


def test_an_experiment_runs_the_crawl_that_its_contenders_need(tmp_path: Path) -> None:
    plan = Experiment(
        "taught",
        "A small one.",
        (Contender("baseline"), Contender("taught:apprentice", {"mode": "offline"}, "apprentice")),
        profiles=("small",),
        world_seeds=(1,),
        domains=("book",),
        budget_pages=40,
        seeds=(1,),
        seed_urls=3,
    )
    run_experiment(plan, tmp_path, options=Options(open_world=open_village))
    assert (tmp_path / "earlier" / "book.leadline").is_file()
    assert [trial.is_taught for trial in trials_of(plan)] == [False, True]
