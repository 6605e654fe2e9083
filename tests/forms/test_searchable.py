"""The judges of searchable forms, as they ship."""

import pickle

import numpy as np
import pytest

from leadline.core.page import Form
from leadline.core.url import Url
from leadline.errors import ConfigError
from leadline.forms.searchable import JUDGES, SearchableJudge, open_searchable_judge
from leadline.page import parse_page

SITE_SEARCH = "<form action=/search><input name=q placeholder=Search><button>Go</button></form>"
CARS = (
    "<form action=/used><select name=make><option>A<option>B</select><select name=model></select>"
    "<input name=max_price><button>Find cars</button></form>"
)
LOGIN = (
    "<form method=post action=/login><input name=user><input type=password name=pass>"
    "<button>Sign in</button></form>"
)
NEWSLETTER = (
    "<form method=post action=/subscribe><input type=email name=email>"
    "<button>Subscribe</button></form>"
)


def form_of(html: str) -> Form:
    return parse_page(html.encode(), Url("http://www.a.test/")).forms[0]


@pytest.fixture(params=JUDGES)
def judge(request: pytest.FixtureRequest) -> SearchableJudge:
    return open_searchable_judge(request.param)


def test_every_judge_tells_a_search_from_a_login(judge: SearchableJudge) -> None:
    assert judge.chance(form_of(SITE_SEARCH)) > 0.8
    assert judge.chance(form_of(LOGIN)) < 0.2
    assert judge.chance(form_of(NEWSLETTER)) < 0.2


def test_every_judge_gives_the_same_answer_alone_among_others_and_after_pickling(
    judge: SearchableJudge,
) -> None:
    forms = [form_of(html) for html in (SITE_SEARCH, CARS, LOGIN, NEWSLETTER)]
    together = judge.chances(forms)
    assert together.shape == (4,)
    assert np.allclose(together, [judge.chance(form) for form in forms])
    assert np.allclose(together, [chance for chance, _ in judge.judge_all(forms)])
    copy = pickle.loads(pickle.dumps(judge))
    assert copy.name == judge.name
    assert copy.judge_all(forms) == judge.judge_all(forms)


def test_every_judge_gives_reasons_and_a_line(judge: SearchableJudge) -> None:
    for html in (SITE_SEARCH, LOGIN):
        reasons = judge.reasons(form_of(html))
        assert reasons
        assert [abs(weight) for _, weight in reasons] == sorted(
            (abs(weight) for _, weight in reasons), reverse=True
        )
        chance, why = judge.judge(form_of(html))
        assert 0 <= chance <= 1
        assert why
        assert "\n" not in why


def test_no_forms_are_judged_too(judge: SearchableJudge) -> None:
    assert judge.judge_all([]) == []
    assert len(judge.chances([])) == 0


def test_the_default_knows_forms_of_one_subject() -> None:
    assert open_searchable_judge().chance(form_of(CARS)) > 0.8


def test_the_line_says_what_told() -> None:
    judge = open_searchable_judge()
    assert "searching" in judge.judge(form_of(SITE_SEARCH))[1]
    assert "account" in judge.judge(form_of(LOGIN))[1]


def test_the_reasons_add_up_to_the_score() -> None:
    judge = open_searchable_judge()
    strong, weak = (
        sum(weight for _, weight in judge.reasons(form_of(html))) for html in (SITE_SEARCH, LOGIN)
    )
    assert strong > weak


def test_an_unknown_judge_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="default, c45, rule"):
        open_searchable_judge("oracle")


def test_a_form_is_judged_the_same_alone_and_among_many() -> None:
    forms = [form_of(html) for html in (LOGIN, CARS)] * 20
    judge = open_searchable_judge()
    alone = [judge.chance(form) for form in forms]
    assert np.allclose(alone, judge.chances(forms), atol=1e-12)
