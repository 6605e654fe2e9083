"""What orders say, checked."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as some

from leadline.core.crawl import Budget
from leadline.core.inbox import (
    BUDGET,
    EXCLUDE,
    SEEDS,
    Order,
    budget_change,
    budget_order,
    exclude_order,
    parse_names,
    seeds_order,
    site_name,
)
from leadline.core.store import (
    CUT_OFF,
    NEVER,
    PAUSED,
    RUNNING,
    STOPPED,
    RunState,
    correct_run_state,
)
from leadline.errors import ConfigError

BEFORE = Budget(pages=100, seconds=5.0, forms=3)


def test_a_budget_order_changes_the_limits_it_names() -> None:
    change = budget_change('{"pages": 500, "forms": null}')
    assert change.apply_to(BEFORE) == Budget(pages=500, seconds=5.0, forms=None)
    assert change.list_limits() == {"pages": 500, "forms": None}


@pytest.mark.parametrize(
    "detail",
    ["", "{}", "[]", "7", "{", '{"page": 5}', '{"pages": 0}', '{"pages": -1}', '{"pages": "5"}',
     '{"seconds": 1e999}', '{"pages": 1.5}', '{"forms": true}', "\ud800"],
)  # fmt: skip
def test_a_budget_order_that_says_nothing_sensible_is_refused(detail: str) -> None:
    with pytest.raises(ConfigError):
        budget_change(detail)


@given(some.text(max_size=30))
def test_any_text_is_understood_or_refused(detail: str) -> None:
    for read in (budget_change, parse_names, site_name):
        with suppress(ConfigError):
            read(detail)


def test_what_is_ordered_can_be_read() -> None:
    order = budget_order(1.0, pages=5, seconds=None)
    assert order == Order(BUDGET, 1.0, '{"pages":5,"seconds":null}')
    assert budget_change(order.detail).list_limits() == {"pages": 5, "seconds": None}
    assert seeds_order(1.0, ["a.test", "http://b.test/x"]).kind == SEEDS
    assert parse_names(seeds_order(1.0, ["a.test", " ", "b.test"]).detail) == ["a.test", "b.test"]
    excluding = exclude_order(2.0, ["https://Shop.Example/x", "bücher.example", "h.test:8080"])
    assert excluding.kind == EXCLUDE
    assert parse_names(excluding.detail) == ["shop.example", "xn--bcher-kva.example", "h.test:8080"]


def test_what_cannot_be_obeyed_is_not_ordered() -> None:
    with pytest.raises(ConfigError, match="page"):
        budget_order(1.0, page=5)
    with pytest.raises(ConfigError, match="pages"):
        budget_order(1.0, pages=0)
    with pytest.raises(ConfigError, match="names nothing"):
        seeds_order(1.0, [])
    for name in ("", "..", "a b", "mailto:me", "http://"):
        with pytest.raises(ConfigError, match="no site"):
            exclude_order(1.0, [name])


def test_a_run_that_ended_without_a_word_was_cut_off() -> None:
    assert correct_run_state(RunState(), is_written=False).state == NEVER
    paused = RunState(PAUSED, 7.0)
    assert correct_run_state(paused, is_written=True) == paused
    assert correct_run_state(paused, is_written=False) == RunState(CUT_OFF, 7.0)
    assert correct_run_state(RunState(RUNNING, 1.0), is_written=True).state == RUNNING
    over = RunState(STOPPED, 9.0, "budget: pages")
    assert correct_run_state(over, is_written=False) == over
    assert correct_run_state(over, is_written=True) == over
