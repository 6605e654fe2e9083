"""Written forms are judged, let through and read as a person would."""

import pytest
from tools.form_training.generated_forms import DATABASES, generate_forms
from tools.form_training.written_forms import find_kinds, read_written_forms

from leadline.core.page import Form
from leadline.core.url import Url
from leadline.forms.searchable import open_searchable_judge
from leadline.forms.submit import why_refused
from leadline.page import parse_page

JUDGE = open_searchable_judge()
CARS = "<select name=make><option>Audi<option>BMW</select><select name=model><option>A<option>B"


def form_of(inside: str, attributes: str = "") -> Form:
    html = f"<form action=/x {attributes}>{inside}</form>"
    return parse_page(html.encode(), Url("http://a.test/p")).forms[0]


SEARCHES = {
    "books": "<label>Author <input name=a></label><label>Title <input name=t></label>"
    "<label>ISBN <input name=i></label><button>Search</button>",
    "cars": f"Make, model {CARS}</select> ZIP <input name=zip><button>Go</button>",
    "rates": "<label>Arrival <input type=date name=a></label><label>Departure <input type=date "
    "name=d></label><label>Guests <input type=number name=g></label><button>Show rates</button>",
    "query": "<input name=q><button>Go</button>",
    "cinema": "<label>City <input name=city></label><label>Date <input type=date name=d></label>"
    "<button>Showtimes</button>",
    "map library": "<label>Carte <input name=carte></label><label>Ville <input name=ville></label>"
    "<button>Rechercher</button>",
    "forum": "<input name=q placeholder='Search on Super User'><button>Go</button>",
    "people": "<label>First name <input name=f></label><label>Last name <input name=l></label>"
    "<label>Year of birth <input name=y></label><button>Search</button>",
    "several lines": "<textarea name=q placeholder=Search></textarea>",
}
OTHERS = {
    "consent": "<label><input type=checkbox name=a> Statistics</label><label><input type=checkbox"
    " name=b> Marketing cookies</label><button>Accept selection</button>",
    "poll": "<p>Do you like it?</p><label><input type=radio name=p value=1> Yes</label>"
    "<label><input type=radio name=p value=2> No</label><button>Vote</button>",
    "map": "<label><input type=checkbox name=l1 checked> Roads</label>"
    "<label><input type=checkbox name=l2> Satellite</label>",
    "clock": "<select name=h><option>1<option>2</select><select name=m><option>00<option>30"
    "</select><button>Set</button>",
    "converter": "<input name=amount value=1><select name=from><option>USD<option>EUR</select>"
    "<select name=to><option>EUR<option>USD</select><button>Convert</button>",
    "own ZIP": "<label>Your ZIP code <input name=zip></label><button>Set location</button>",
}


@pytest.mark.parametrize("kind", SEARCHES)
def test_a_search_is_judged_so_and_may_be_sent(kind: str) -> None:
    form = form_of(SEARCHES[kind])
    chance, why = JUDGE.judge(form)
    assert chance >= 0.75, why
    assert why_refused(form, chance) == ""


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("kind", OTHERS)
def test_what_is_no_search_is_judged_so_and_left_alone(kind: str, method: str) -> None:
    form = form_of(OTHERS[kind], f"method={method}")
    chance, why = JUDGE.judge(form)
    assert chance < 0.3, why
    assert why_refused(form, chance)


def test_layout_and_titles_in_addresses_say_nothing_about_a_search() -> None:
    tag = "class='row order-lg-1' action=/blog/how-to-save-money-now"
    form = form_of("<input name=q><button>Search</button>", tag)
    assert JUDGE.chance(form) > 0.9
    assert why_refused(form, JUDGE.chance(form)) == ""


def test_forty_written_forms_in_fifteen_languages_are_told() -> None:
    written = read_written_forms()
    assert len(written) == 40
    assert len({each.language for each in written}) >= 15
    chances = [JUDGE.chance(each.form) for each in written]
    assert min(chances) >= 0.5
    refusals = [why_refused(each.form, c) for each, c in zip(written, chances, strict=True)]
    assert refusals.count("") >= 38
    pairs = [(a, b) for w in written for a, b in zip(find_kinds(w.form), w.roles, strict=True)]
    assert sum(a == b for a, b in pairs) >= len(pairs) - 2


def test_generated_forms_are_as_they_were_meant() -> None:
    made = generate_forms(1, seed=2, languages=("en", "hi", "zh"))
    assert made == generate_forms(1, seed=2, languages=("en", "hi", "zh"))
    assert sum(each.is_searchable for each in made) == 3 * len(DATABASES)
    acts = [each for each in made if not each.is_searchable]
    sent = [each.host for each in acts if not why_refused(each.form, JUDGE.chance(each.form))]
    assert sent == []
