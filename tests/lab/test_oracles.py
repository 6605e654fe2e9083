"""Oracles: what they find, and that the greedy one follows links like everybody else."""

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec import structs
from pyarrow import parquet

from leadline.core.http import Request
from leadline.core.url import Url, canonical
from leadline.errors import ConfigError
from leadline.page.parse import parse_page
from leadline.strategies import STRATEGIES
from leadline_lab.experiments.comparison import NORMALISED, Comparison, rivals
from leadline_lab.experiments.lab_web import LabWorld, fetcher_at_rest
from leadline_lab.experiments.plan import Experiment, trials_of
from leadline_lab.experiments.run import run_experiment
from leadline_lab.experiments.shelf import MemoryShelf
from leadline_lab.experiments.trial import Contender, Result, Trial, run_trial
from leadline_lab.oracles import ORACLES, ORDERS, SEES_TARGET
from leadline_lab.oracles.sees_target import SeesTarget
from tests.lab.experiments.village import Village, VillageFetcher

BUDGET = 250
TRIAL = Trial(Contender("baseline"), "small", 1, "book", BUDGET)
WORLD = LabWorld("small", 1)
SHELF = MemoryShelf()


def run(strategy: str, critic: str = "oracle", domain: str = "book") -> Result:
    trial = structs.replace(TRIAL, contender=Contender(strategy), critic=critic, domain=domain)
    return run_trial(trial, WORLD, fetcher_at_rest, SHELF)


def links_of(url: Url) -> Iterable[Url]:
    reply = WORLD.answer(Request(url), 0.0)
    assert reply.status == 200
    page = parse_page(reply.body, url, reply.header("content-type"))
    return (link.target for link in page.links if not link.nofollow)


@pytest.mark.parametrize("domain", ["book"])
def test_the_greedy_is_above_every_strategy_and_below_the_trivial_bound(domain: str) -> None:
    greedy, bound = run("oracle:greedy", domain=domain), run("oracle:trivial", domain=domain)
    best = max(run(name, "oracle", domain).area for name in STRATEGIES)
    assert greedy.area > 2 * best
    assert greedy.area > run(SEES_TARGET, domain=domain).area > best
    assert bound.area > greedy.area
    marks = zip(bound.curve, greedy.curve, strict=False)
    assert all(above.forms >= below.forms for above, below in marks)


def test_the_greedy_fetches_only_pages_that_a_fetched_one_links_to() -> None:
    seeds = WORLD.seeds("book", 10)
    met = {canonical(url) for url in seeds}
    pages = list(ORDERS["oracle:greedy"](WORLD.inside, "book", BUDGET, seeds))
    assert len(set(pages)) == len(pages) == BUDGET
    for url in pages:
        assert url in met
        met.update(links_of(url))


def test_the_greedy_buys_the_same_pages_again() -> None:
    assert run("oracle:greedy").trail == run("oracle:greedy").trail


def test_a_bound_brings_no_page_that_adds_less_than_the_next() -> None:
    found: set[int] = set()
    gains = []
    for url in ORDERS["oracle:trivial"](WORLD.inside, "book", 10_000, ()):
        new = {
            number
            for number in WORLD.truth.page(url).interfaces
            if "book" in WORLD.truth.domains_of(number)
        }
        gains.append(len(new - found))
        found |= new
    assert all(left >= right for left, right in pairwise(gains))
    every = [i for plan, i in WORLD.truth.interfaces("book") if "dead" not in plan.traps]
    assert len(found) == sum(not interface.is_scripted for interface in every)


def test_what_knows_the_truth_is_no_strategy() -> None:
    assert STRATEGIES.keys().isdisjoint(ORACLES)
    assert all(Contender(name).is_oracle for name in ORACLES)
    assert not any(Contender(name).is_oracle for name in STRATEGIES)


def test_sees_target_takes_up_where_it_was() -> None:
    one, other = (SeesTarget(WORLD.truth, "book") for _ in range(2))
    one.restore(b"\x93\x01\x02\x03")
    other.restore(one.state())
    assert other.state() == one.state() != SeesTarget(WORLD.truth, "book").state()


def test_an_oracle_knows_the_worlds_of_the_lab_only() -> None:
    trial = structs.replace(TRIAL, contender=Contender("oracle:greedy"))
    with pytest.raises(ConfigError, match="lab"):
        run_trial(trial, Village(), VillageFetcher, MemoryShelf())


def test_results_are_divided_by_what_the_oracle_had(tmp_path: Path) -> None:
    plan = Experiment(
        "room",
        "Whether oracles stand beside strategies.",
        (Contender("baseline"), Contender("oracle:sees_target"), Contender("oracle:greedy")),
        profiles=("small",),
        world_seeds=(1,),
        domains=("book",),
        budget_pages=60,
        seeds=(1,),
        critics=("keywords", "oracle"),
    )
    assert [trial.name for trial in trials_of(plan)] == [
        "baseline, keywords", "baseline, oracle", "oracle:sees_target", "oracle:greedy",
    ]  # fmt: skip
    figures = run_experiment(plan, tmp_path)
    shares = figures["normalised_area"]
    assert isinstance(shares, dict)
    assert shares["oracle:greedy"] == 1.0 > shares["baseline, oracle"] > 0.0
    rows = parquet.read_table(tmp_path / "results.parquet").to_pylist()
    assert [round(row["normalised_area"], 4) for row in rows] == list(shares.values())
    text = (tmp_path / "report.html").read_text()
    assert "Beside the oracle" in text
    assert "oracle:greedy: better than" not in text


def test_without_an_oracle_there_is_nothing_to_divide_by() -> None:
    results = [run("baseline")]
    assert rivals(results) == results
    with pytest.raises(ConfigError, match="greedy"):
        Comparison(results, NORMALISED)
