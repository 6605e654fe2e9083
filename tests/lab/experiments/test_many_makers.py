"""The experiment over many makers: what it consists of, and a critic that misses most forms."""

from types import SimpleNamespace
from typing import cast

import pytest

from leadline.core.page import Form
from leadline.errors import ConfigError
from leadline_lab.drawn import TRIED
from leadline_lab.experiments.critics import WeakCritic, make_critic
from leadline_lab.experiments.grading import Point
from leadline_lab.experiments.many_makers import (
    BUDGETS,
    Condition,
    conditions_of,
    contender_named,
    default_contenders,
    find_rivals,
    plan_trials,
    tried_under,
)
from leadline_lab.experiments.part import Narrowing
from leadline_lab.experiments.standing import ORACLE
from leadline_lab.experiments.trial import Contender, Result, Trial
from leadline_lab.experiments.worlds import Truth, World


def test_a_part_is_every_named_strategy_on_every_named_world_and_the_oracle_once() -> None:
    part = Narrowing(
        profiles=("drawn-3", "drawn-6"),
        domains=("book",),
        seeds=(1, 2),
        budgets=(500, 200),
        strategies=("ffc", "sitewise"),
        critics=("pack", "oracle"),
    )
    trials = plan_trials(part)
    assert len({trial.key for trial in trials}) == len(trials) == 2 * 2 * (1 + 2 * 2)
    assert {trial.budget_pages for trial in trials} == {500}
    assert sum(trial.name == ORACLE for trial in trials) == 4
    ffc = next(trial.contender for trial in trials if trial.name == "ffc")
    assert not ffc.is_trained, "it begins with what ships, not with another world"


def test_the_whole_is_all_strategies_in_six_domains_on_three_worlds_of_each_profile() -> None:
    trials = plan_trials(Narrowing(profiles=("drawn-3",)))
    assert len(trials) == 3 * len(TRIED) * (1 + len(default_contenders()))
    assert {trial.budget_pages for trial in trials} == {max(BUDGETS)}


def test_one_trial_serves_all_levels_of_what_a_strategy_cannot_take() -> None:
    part = Narrowing(
        profiles=("drawn-3",),
        domains=("book",),
        seeds=(1,),
        strategies=("baseline_sc", "ache", "ffc", "tres"),
        knowledge=("none", "words", "crawl"),
    )
    trials = plan_trials(part)
    levels = {
        name: [trial.knowledge for trial in trials if trial.name == name]
        for name in dict.fromkeys(trial.name for trial in trials)
    }
    assert levels == {
        ORACLE: ["none"],
        "baseline_sc": ["none"],
        "ache": ["none", "crawl"],
        "ffc": ["none", "words", "crawl"],
        "tres": ["none", "words", "crawl"],
    }
    results = [made_up_result(trial) for trial in trials]
    words = tried_under(results, Condition("pack", "words"))
    assert [result.trial.knowledge for result in words] == [
        "none",
        "none",
        "none",
        "words",
        "words",
    ]
    assert conditions_of(part)[1] == Condition("pack", "words")


def test_settings_make_a_row_of_their_own() -> None:
    assert contender_named("ffc:levels=1,strict=true") == Contender(
        "shipped:ffc", {"levels": 1, "strict": True}, "ffc:levels=1,strict=true"
    )
    assert contender_named("alone:disco") == Contender("alone:disco", label="alone:disco")
    assert contender_named("alone:disco").kind == "disco"
    for wrong in ("ffc:levels=none", "ffc:colour=red"):
        with pytest.raises(ConfigError, match=wrong):
            contender_named(wrong)
    with pytest.raises(ConfigError, match="unknown knowledge 'all'"):
        plan_trials(Narrowing(knowledge=("all",)))


def test_rivals_are_the_published_ones() -> None:
    names = ("expected_gain", "expected_gain:link_model=false", "sitewise", "ffc", "ache")
    trials = [Trial(contender_named(name), "drawn-3", 1, "book", 100) for name in names]
    default, published = find_rivals([made_up_result(trial) for trial in trials])
    assert default in {"expected_gain", "sitewise"}
    assert published == ["ffc", "ache"]


def made_up_result(trial: Trial) -> Result:
    return Result(trial, "", Point(), 0.0, (), (), {}, 0, {}, 0, 0, 0, 0, "", 0.0)


def test_an_unknown_strategy_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="unknown strategy 'nobody'"):
        plan_trials(Narrowing(strategies=("nobody",)))


def numbered_truth() -> Truth:
    """Forms are numbers; two of seven are relevant."""
    return cast(
        Truth,
        SimpleNamespace(
            form=lambda form: int(form),
            domains_of=lambda number: frozenset({"book"} if number % 7 < 2 else ()),
        ),
    )


def test_a_weak_critic_misses_most_forms_and_keeps_its_precision() -> None:
    critic = WeakCritic(numbered_truth(), "book", 0.4, 0.9, seed=1)
    judged = {n: critic._judge_form(cast(Form, n)).relevant > 0.5 for n in range(7_000)}
    true = sum(judged[n] for n in judged if n % 7 < 2)
    assert true / 2_000 == pytest.approx(0.4, abs=0.03)
    assert true / sum(judged.values()) == pytest.approx(0.9, abs=0.04)


def test_a_weak_critic_without_recall_is_refused() -> None:
    world = cast(World, SimpleNamespace(truth=numbered_truth()))
    for name in ("weak:0:0.9", "weak:0.4", "weak:2:1"):
        with pytest.raises(ConfigError, match="weak"):
            make_critic(name, world, "book")
