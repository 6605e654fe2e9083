"""One trial, graded by the truth."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import structs

from leadline.core.crawl import BacklinkQuery, ExtraUrl, PageView, Priority, Skip, Visit
from leadline.core.url import Site, Url, canonical
from leadline.errors import ConfigError
from leadline.page import parse_page
from leadline.page.words import PageWords
from leadline.plugins import Part
from leadline.strategies import STRATEGIES
from leadline.strategies.simple import BreadthFirst, BreadthFirstSettings
from leadline_lab.experiments.critics import flips_at, make_critic
from leadline_lab.experiments.grading import CHECKPOINTS, MOST_POINTS, Grader
from leadline_lab.experiments.lab_web import fetcher_at_rest, open_lab_world
from leadline_lab.experiments.pages import MakeFetcher
from leadline_lab.experiments.shelf import MemoryShelf, Shelf, open_shelf
from leadline_lab.experiments.trial import Contender, Result, Trial, run_trial
from leadline_lab.experiments.worlds import World
from tests.lab.experiments.village import SITES, Village, VillageFetcher

PAPERBACKS = b"""<html lang=en><title>Books</title><p>Books by author and title: novels, paperbacks,
hardcovers from every publisher, used books and first editions with ISBN. Browse our bookshop.
<form action=/find><label>Title <input name=title></label><label>Author <input name=author></label>
<label>ISBN <input name=isbn></label><button>Search books</button></form>"""
TRIAL = Trial(Contender("baseline_sc"), "village", 0, "book", budget_pages=200, seed_urls=3)


def run(
    trial: Trial, shelf: Shelf | None = None, make_fetcher: MakeFetcher = VillageFetcher
) -> Result:
    return run_trial(trial, Village(trial.world_seed), make_fetcher, shelf or MemoryShelf())


def timeless(result: Result) -> Result:
    return structs.replace(result, cpu_s=0.0)


@pytest.mark.parametrize("make_fetcher", [VillageFetcher, fetcher_at_rest])
@pytest.mark.parametrize("strategy", ["baseline", "random"])
def test_a_warm_trial_gives_the_result_of_a_cold_one(
    tmp_path: Path, strategy: str, make_fetcher: MakeFetcher
) -> None:
    trial = structs.replace(TRIAL, contender=Contender(strategy))
    cold = run(trial, None, make_fetcher)
    shelf = open_shelf(tmp_path / "kept.sqlite")
    other = run(structs.replace(trial, domain="auto", seed=5), shelf, make_fetcher)
    half_warm, warm = run(trial, shelf, make_fetcher), run(trial, shelf, make_fetcher)
    shelf.close()
    assert timeless(half_warm) == timeless(cold)
    assert timeless(warm) == timeless(cold)
    assert other.trail != cold.trail


def test_a_trial_on_a_world_of_the_lab_is_the_same_warm_and_cold() -> None:
    trial = Trial(Contender("baseline"), "small", 1, "book", budget_pages=80)
    world, make_fetcher = open_lab_world(*trial.world)
    shelf = MemoryShelf()
    cold, warm = (run_trial(trial, world, make_fetcher, shelf) for _ in range(2))
    assert timeless(warm) == timeless(cold)
    assert cold.end.pages == 80
    assert cold.end.on_topic > 0


def test_uses_add_up_to_all_requests() -> None:
    result = run(TRIAL)
    assert sum(result.uses.values()) == result.requests
    assert {"robots.txt", "redirect", "error", "off topic", "new relevant form"} <= set(result.uses)
    assert "service" not in result.uses
    assert result.end.pages == TRIAL.budget_pages
    assert result.end.requests <= result.requests


class Asking(BreadthFirst):
    """Asks who links to each site it comes to, and goes there first."""

    name = "asking"

    def extra_urls(self, view: PageView) -> Sequence[ExtraUrl | BacklinkQuery]:
        home = canonical("/", view.page.url)
        return [BacklinkQuery(home)] if home and view.site.pages == 1 else []

    def rank_backlinks(
        self, question: BacklinkQuery, found: Sequence[Url]
    ) -> Sequence[Priority | Skip]:
        del question
        return [Priority(0, 1.0)] * len(found)


def test_the_service_of_the_lab_is_asked_and_paid_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STRATEGIES, "asking", Part(Asking, BreadthFirstSettings))
    trial = Trial(Contender("asking"), "small", 1, "book", budget_pages=80)
    world, make_fetcher = open_lab_world(*trial.world)
    shelf = MemoryShelf()
    cold, warm = (run_trial(trial, world, make_fetcher, shelf) for _ in range(2))
    plain = run_trial(structs.replace(trial, contender=Contender("breadth_first")), *_of(world))
    assert timeless(warm) == timeless(cold)
    assert cold.reason == "budget: pages"
    assert sum(cold.uses.values()) == cold.requests
    # One request for the robots.txt of the service is among those for robots.txt.
    assert cold.end.pages + cold.uses["service"] + 1 == 80
    assert cold.uses["service"] > 5
    assert cold.trail != plain.trail
    assert "service" not in plain.uses


def _of(world: World) -> tuple[World, MakeFetcher, Shelf]:
    return world, fetcher_at_rest, MemoryShelf()


def test_truth_is_counted_once_however_often_a_form_is_met() -> None:
    village = Village()
    result = run(structs.replace(TRIAL, critic="oracle", contender=Contender("breadth_first")))
    books = [site for site in range(SITES) if village.topic(site) == "book"]
    assert 0 < result.end.forms <= sum(village.has_form(site) for site in books)
    assert result.end.sites == result.end.forms
    assert result.end.forms <= result.end.searchable
    assert result.uses["new relevant form"] == result.end.forms


def test_the_oracle_lists_only_true_forms() -> None:
    result = run(structs.replace(TRIAL, critic="oracle"))
    assert result.listed == result.listed_true == result.listed_interfaces == result.end.forms > 0
    assert result.precision == 1.0


def test_a_noisy_critic_lists_wrong_forms_and_the_same_ones_again() -> None:
    noisy = [run(structs.replace(TRIAL, critic="noisy:0.3", seed=seed)) for seed in (1, 1, 2)]
    assert timeless(noisy[0]) == timeless(noisy[1])
    assert noisy[0].trail != noisy[2].trail
    assert noisy[0].precision < 1.0


def test_the_algorithm_seed_reaches_a_strategy_that_has_one() -> None:
    chance = structs.replace(TRIAL, contender=Contender("random"))
    assert run(chance).trail != run(structs.replace(chance, seed=1)).trail
    assert run(TRIAL).trail == run(structs.replace(TRIAL, seed=1)).trail


def test_error_rates_are_kept() -> None:
    flips = flips_at(0.2, seed=3)
    share = sum(flips(str(number)) for number in range(5_000)) / 5_000
    assert 0.18 < share < 0.22


@pytest.mark.parametrize(
    "name",
    [
        "noisy",
        "noisy:2",
        "noisy:x",
        "psychic",
        "oracle:1",
        "pack:2",
        "taught",
        "taught:0",
        "taught:9",
    ],
)
def test_an_unknown_critic_is_a_config_error(name: str) -> None:
    with pytest.raises(ConfigError):
        make_critic(name, Village(), "book")


def test_topics_that_ship_or_are_taught_can_be_critics() -> None:
    world, _ = open_lab_world("small", 1)
    page = parse_page(PAPERBACKS, Url("http://a.test/"))
    for name in ("pack", "taught:5"):
        judgement = make_critic(name, world, "book").judge(page, PageWords(page))
        assert judgement.relevance > 0.5, name
        assert len(judgement.forms) == 1


def test_unknown_names_are_config_errors() -> None:
    with pytest.raises(ConfigError, match="baseline"):
        run(structs.replace(TRIAL, contender=Contender("nonsense")))
    with pytest.raises(ConfigError, match="airfare"):
        make_critic("keywords", Village(), "cheese")


def test_a_long_crawl_keeps_a_short_curve_and_all_checkpoints() -> None:
    grader = Grader(Village().truth, "book", budget_pages=10_000)
    for number in range(1, 10_001):
        url = Url(f"http://s0.test/item/{number}")
        grader.grade(Visit(number, url, Site("s0.test"), "page", 0.0, status=200))  # type: ignore[arg-type]
    assert len(grader.curve) <= MOST_POINTS
    assert grader.curve[0].pages == 0
    assert grader.curve[-1].pages == 10_000
    assert [point.pages for point in grader.checkpoints] == [m for m in CHECKPOINTS if m <= 10_000]
    assert grader.now.on_topic == 10_000
    assert grader.busiest_host == 10_000


def test_a_crawl_that_ends_early_keeps_what_it_had_in_its_area() -> None:
    grader = Grader(Village().truth, "book", budget_pages=10)
    site = next(s for s in range(SITES) if Village().has_form(s) and s % 3 != 2 and s != 5)
    url = Url(f"http://s{site}.test/find")
    grader.grade(Visit(1, url, Site("x"), "page", 0.0, status=200))  # type: ignore[arg-type]
    assert grader.area == 1.0


def test_keys_tell_trials_apart() -> None:
    others = [
        TRIAL,
        structs.replace(TRIAL, seed=1),
        structs.replace(TRIAL, critic="oracle"),
        structs.replace(TRIAL, contender=Contender("baseline_sc", {"max_pages": 5})),
        structs.replace(TRIAL, budget_pages=301),
    ]
    assert len({trial.key for trial in others}) == len(others)
    assert structs.replace(TRIAL).key == TRIAL.key
