"""The judges of form domains, as they ship."""

import pickle

import numpy as np
import pytest

from leadline.core.url import Url
from leadline.errors import ConfigError
from leadline.forms.domain import DOMAINS, DomainJudge, domain_judge
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
    return domain_judge(request.param)


def test_each_judge_knows_its_own_forms_from_those_of_all_others(judge: DomainJudge) -> None:
    chances = {name: judge.chance(words_of(html)) for name, html in FORMS.items()}
    assert chances.pop(judge.name) > 0.8
    assert max(chances.values()) < 0.5


def test_a_box_that_says_nothing_is_left_open(judge: DomainJudge) -> None:
    chance, known = judge.judge(words_of(MUTE))
    assert known == 0
    assert 0.02 < chance < 0.5


def test_a_form_on_a_travel_portal_belongs_to_several_domains() -> None:
    both = words_of(FORMS["airfare"] + "</button>" + FORMS["hotel"] + "</button>Hotels")
    assert domain_judge("airfare").chance(both) > 0.5
    assert domain_judge("hotel").chance(both) > 0.5


def test_forms_in_other_languages_are_known() -> None:
    ids = words_of(GERMAN_HOTEL, "de")
    assert domain_judge("hotel").chance(ids) > 0.6
    assert domain_judge("book").chance(ids) < 0.3


def test_reasons_are_words_and_the_strongest_come_first() -> None:
    found = domain_judge("book").form_reasons(words_of(FORMS["book"]))
    assert {"isbn", "author"} <= {word for word, _ in found}
    sizes = [abs(weight) for _, weight in found]
    assert sizes == sorted(sizes, reverse=True)


def test_repeated_words_and_the_word_nought_change_nothing() -> None:
    judge, ids = domain_judge("hotel"), words_of(FORMS["hotel"])
    again = np.concatenate([ids, ids, np.zeros(5, np.int32)])
    assert judge.judge(again) == judge.judge(ids)


def test_no_words_at_all_are_no_error(judge: DomainJudge) -> None:
    assert 0 < judge.chance(np.zeros(0, np.int32)) < 0.5


def test_judges_can_be_pickled() -> None:
    ids = words_of(FORMS["music"])
    again = pickle.loads(pickle.dumps(domain_judge("music")))
    assert again.chance(ids) == domain_judge("music").chance(ids)


def test_an_unknown_domain_is_named_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"'boats'.*airfare"):
        domain_judge("boats")
