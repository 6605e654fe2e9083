"""Both stages of HIFI, as they ship."""

import pickle

import pytest

from leadline.core.page import Page
from leadline.core.url import Url
from leadline.forms.domain import domain_judge
from leadline.forms.hifi import Hifi, Verdict
from leadline.forms.searchable import searchable_judge
from leadline.page import parse_page
from leadline.page.words import PageWords

HOTELS = (
    "<form action=/hotels><input name=city placeholder='City or hotel name'>"
    "<input name=checkin placeholder='Check-in'><select name=rooms><option>1 room<option>2 rooms"
    "</select><button>Find hotels</button></form>"
)
BOX = "<form action=/search><input name=q type=search><button>Search</button></form>"
LOGIN = (
    "<form method=post action=/login>Hotel guests <input name=user><input type=password name=p>"
    "<button>Sign in</button></form>"
)


@pytest.fixture
def hifi() -> Hifi:
    return Hifi(searchable_judge(), domain_judge("hotel"))


def page_of(html: str) -> Page:
    return parse_page(html.encode(), Url("http://www.a.test/"))


def verdicts(hifi: Hifi, html: str, page_chance: float | None = None) -> list[Verdict]:
    page = page_of(html)
    return hifi.judge(page.forms, PageWords(page), page_chance)


def test_each_form_of_a_page_gets_a_verdict_in_its_place(hifi: Hifi) -> None:
    hotels, login, box = verdicts(hifi, HOTELS + LOGIN + BOX)
    assert hotels.chance > 0.6
    assert login.chance < 0.1
    assert box.chance < hotels.chance


def test_the_second_stage_sees_only_what_the_first_lets_pass(hifi: Hifi) -> None:
    (login,) = verdicts(hifi, LOGIN, 0.99)
    assert login.of_domain == 0.0


def test_the_page_speaks_for_a_box_that_says_nothing_but_does_not_decide(hifi: Hifi) -> None:
    (far,), (near,) = verdicts(hifi, BOX, 0.05), verdicts(hifi, BOX, 0.95)
    assert far.of_domain < near.of_domain < 0.5


def test_why_names_the_words_that_decided(hifi: Hifi) -> None:
    (found,) = verdicts(hifi, HOTELS)
    assert "hotel: " in found.why
    assert "hotel" in found.why.partition("hotel: ")[2]


def test_silence_is_said(hifi: Hifi) -> None:
    assert "not hotel: it says nothing" in verdicts(hifi, BOX)[0].why


def test_it_can_be_pickled(hifi: Hifi) -> None:
    again = pickle.loads(pickle.dumps(hifi))
    assert verdicts(again, HOTELS) == verdicts(hifi, HOTELS)
