"""The gate on real forms: every one that people called something else than a search is refused."""

from collections.abc import Callable

import pytest
import xxhash
from bench.gate import SEARCH, labelled, passes, unlabelled

from leadline.core.page import Form
from leadline.forms.searchable import open_searchable_judge
from tests.realdata.conftest import Rows

SEARCHES_ON_LOGIN_PAGES = frozenset(
    {
        "26a855c9cc6826c2",
        "55a3354355a13bff",
        "5d32494923229139",
        "5f2101519c8158a9",
        "6bb50e7764b31679",
        "931ddba2e3c2d0e9",
        "983c9c0a990aa58e",
        "9cbb6c17c5852e09",
        "bb1f2ab1085ed97d",
        "c4d887c9a2c37d93",
        "cd4b63ec0ef9898a",
        "dcd5e1b4a9996a24",
        "dd2b628b5fccd63f",
    }
)
"""Keys of forms on the pages of the login set that are the sites' own search boxes: all that
pass were looked at, and none of them is anything else."""
STOPPED_BY_PROBABILITY_ONLY = 3
"""Labelled forms that the structural rules alone would let through: jump menus, sent by GET."""


def key_of(form: Form) -> str:
    """A name for a form that says nothing about it."""
    names = sorted(field.name for field in form.fields)
    return xxhash.xxh3_64_hexdigest(f"{form.method} {form.action} {names}".encode())


@pytest.fixture(scope="module")
def forms(real_rows: Callable[[str], Rows]) -> list[tuple[str, Form]]:
    return list(labelled(real_rows("forms/formasaurus")))


@pytest.mark.parametrize("judge", ["rule", "default"])
def test_no_real_form_that_is_no_search_passes(forms: list[tuple[str, Form]], judge: str) -> None:
    others = [form for kind, form in forms if kind != SEARCH]
    assert len(others) > 700
    chance = open_searchable_judge(judge).chance
    assert [form.page for form in others if passes(form, chance(form))] == []


def test_structure_alone_stops_nearly_all_of_them(forms: list[tuple[str, Form]]) -> None:
    through = [(kind, form) for kind, form in forms if kind != SEARCH and passes(form, 1.0)]
    assert len(through) <= STOPPED_BY_PROBABILITY_ONLY
    assert {kind for kind, _ in through} <= {"navigation", "display options"}
    assert {form.method for _, form in through} <= {"get"}


def test_most_real_searches_pass(forms: list[tuple[str, Form]]) -> None:
    searches = [form for kind, form in forms if kind == SEARCH]
    passing = sum(passes(form, 1.0) for form in searches)
    assert len(searches) > 300
    assert passing / len(searches) >= 0.88


def test_of_login_signup_and_checkout_pages_only_their_search_boxes_pass(
    real_rows: Callable[[str], Rows],
) -> None:
    forms = list(unlabelled(real_rows("forms/autofill")))
    assert len(forms) > 350
    # Links to results on these pages make doors too; they are no forms.
    passed = {key_of(form) for form in forms if passes(form, 1.0) and not form.is_template}
    assert passed <= SEARCHES_ON_LOGIN_PAGES
