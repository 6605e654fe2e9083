"""Which domain a form searches: by its words, by its page, and by both stages."""

import pickle

import numpy as np
import pytest

from leadline.core.page import Page
from leadline.core.url import Url
from leadline.errors import ConfigError
from leadline.forms.domain import (
    DOMAINS,
    DomainJudge,
    FormVerdict,
    Hifi,
    open_domain_judge,
)
from leadline.forms.searchable import open_searchable_judge
from leadline.learn.linear import logit
from leadline.page import parse_page
from leadline.page.words import PageWords, WordIds

FORMS = {
    "airfare": "<label>Leaving from <input name=fromCity></label><label>Going to <input "
    "name=toCity></label><select name=cabin><option>Economy<option>Business</select>"
    "<button>Find flights",
    "auto": "<select name=make><option>Any make<option>Audi<option>Ford</select><input name=model>"
    "<input name=zip value='ZIP code'><button>Search used cars",
    "book": "Title <input name=title> Author <input name=author> ISBN <input name=isbn>"
    "<button>Search",
    "hotel": "<input name=checkin placeholder='Check-in'><input name=checkout placeholder="
    "Check-out><select name=rooms><option>1 room<option>2 rooms</select><button>Check availability",
    "job": "<input name=jobTitle placeholder='Job title'><input name=salaryMin><button>Search jobs",
    "movie": "<input name=q placeholder='Search by film, actor or director'><button>Go",
    "music": "<input name=artist> <input name=album placeholder='Album or song'><button>Go",
    "rental": "Pick-up location <input name=pickup> Drop-off <input name=dropoff> Driver's age "
    "<input name=age><button>Rent a car",
    "apartment": "<select name=bedrooms><option>1 bedroom<option>2 bedrooms</select>"
    "<input name=maxRent placeholder='Monthly rent'><button>Find an apartment",
    "route": "Starting address <input name=start> Destination address <input name=end>"
    "<label><input type=checkbox name=avoidTolls>Avoid tolls</label><button>Get directions",
    "product": "<select name=brand><option>Sony<option>Canon</select><input name=productName>"
    "<button>Search products",
    "people": "First name <input name=firstname> Last name <input name=lastname> City <input "
    "name=city><button>Find people",
}
MUTE = "<input name=q><button>Search"
GERMAN_HOTEL = "Anreise <input name=a> Abreise <input name=b> Zimmer <input name=c><button>Suchen"


def words_of(inside: str, language: str = "en") -> WordIds:
    html = f"<html lang={language}><form action=/find>{inside}</form>"
    return PageWords(parse_page(html.encode(), Url("http://www.a.test/"))).form(0)


@pytest.fixture(params=DOMAINS)
def judge(request: pytest.FixtureRequest) -> DomainJudge:
    return open_domain_judge(request.param)


def test_each_judge_knows_its_own_forms_from_those_of_all_others(judge: DomainJudge) -> None:
    chances = {name: judge.chance(words_of(html)) for name, html in FORMS.items()}
    assert chances.pop(judge.name) > 0.8
    assert max(chances.values()) < 0.5


def test_a_box_that_says_nothing_is_left_open(judge: DomainJudge) -> None:
    chance, known = judge.judge(words_of(MUTE))
    assert known == 0
    assert 0.02 < chance < 0.5


def test_that_other_words_are_missing_says_little_of_a_form_that_says_little() -> None:
    few = words_of(MUTE + "<select name=type><option>Everything<option>Pages</select>")
    for name in DOMAINS:
        judge = open_domain_judge(name)
        odds, known = judge.weigh_words(few)
        assert known
        assert logit(judge.chance(few)) < odds


def test_a_form_on_a_travel_portal_belongs_to_several_domains() -> None:
    both = words_of(FORMS["airfare"] + "</button>" + FORMS["hotel"] + "</button>Hotels")
    assert open_domain_judge("airfare").chance(both) > 0.5
    assert open_domain_judge("hotel").chance(both) > 0.5


def test_forms_in_other_languages_are_known() -> None:
    ids = words_of(GERMAN_HOTEL, "de")
    assert open_domain_judge("hotel").chance(ids) > 0.6
    assert open_domain_judge("book").chance(ids) < 0.3


def test_reasons_are_words_and_the_strongest_come_first() -> None:
    found = open_domain_judge("book").form_reasons(words_of(FORMS["book"]))
    assert {"isbn", "author"} <= {word for word, _ in found}
    sizes = [abs(weight) for _, weight in found]
    assert sizes == sorted(sizes, reverse=True)


def test_repeated_words_and_the_word_nought_change_nothing() -> None:
    judge, ids = open_domain_judge("hotel"), words_of(FORMS["hotel"])
    again = np.concatenate([ids, ids, np.zeros(5, np.int32)])
    assert judge.judge(again) == judge.judge(ids)


def test_no_words_at_all_are_no_error(judge: DomainJudge) -> None:
    assert 0 < judge.chance(np.zeros(0, np.int32)) < 0.5


def test_judges_can_be_pickled() -> None:
    ids = words_of(FORMS["music"])
    again = pickle.loads(pickle.dumps(open_domain_judge("music")))
    assert again.chance(ids) == open_domain_judge("music").chance(ids)


def test_an_unknown_domain_is_named_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"'boats'.*airfare"):
        open_domain_judge("boats")


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
    return Hifi(open_searchable_judge(), open_domain_judge("hotel"))


def page_of(html: str) -> Page:
    return parse_page(html.encode(), Url("http://www.a.test/"))


def verdicts(hifi: Hifi, html: str, page_chance: float = 0.5) -> list[FormVerdict]:
    page = page_of(html)
    return hifi.judge(page.forms, PageWords(page), page_chance)


def test_each_form_of_a_page_gets_a_verdict_in_its_place(hifi: Hifi) -> None:
    hotels, login, box = verdicts(hifi, HOTELS + LOGIN + BOX)
    assert hotels.chance > 0.5
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
