"""What controls ask for."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from leadline.core.page import Field, Form, Option
from leadline.core.url import Url
from leadline.forms.field_roles import ROLE_KINDS, FieldRole, find_ranges, find_roles
from leadline.page import parse_page

PAGE = Url("http://www.a.test/")


def form_of(inside: str) -> Form:
    html = f"<form action=/find>{inside}<button>Search</button></form>"
    return parse_page(html.encode(), PAGE, "text/html; charset=utf-8").forms[0]


def meant(inside: str) -> list[str]:
    return [meaning.text for meaning in find_roles(form_of(inside))]


def only(control: str) -> FieldRole:
    return find_roles(form_of(control))[0]


def choices(name: str, *texts: str) -> str:
    return f"<select name={name}>{''.join(f'<option>{text}' for text in texts)}</select>"


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("Author", "person"),
        ("Schauspieler", "person"),
        ("Nachname", "person:family"),
        ("Titel", "title"),
        ("Código postal", "place:zip"),
        ("Ville", "place:city"),
        ("Country", "place:country"),
        ("Destination airport", "place:airport to"),
        ("Město", "place:city"),
        ("Город", "place:city"),
        ("E-mail address", "email"),
        ("Почтовый индекс", "place:zip"),
        ("Departure date", "date from"),
        ("Baujahr", "year"),
        ("Prix maximum", "price to"),
        ("Number of rooms", "number"),
        ("ISBN", "code"),
        ("Company", "organisation"),
        ("Keywords", "keyword"),
        ("関連キーワード", "keyword"),
        ("Credit card number", "payment"),
        ("User name", "user"),
        ("Phone", "phone"),
    ],
)
def test_a_label_tells_what_is_asked(label: str, shown: str) -> None:
    two_boxes = f"<label>{label} <input name=x1></label><input name=x2>"
    assert meant(two_boxes)[0] == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("zipCode", "place:zip"),
        ("search[price_from]", "price from"),
        ("ctl00$ContentPlaceHolder1$txtFirstName", "person:given"),
        ("q", "keyword"),
        ("maxPrice", "price to"),
        ("pub_year", "year"),
        ("checkin", "date from"),
    ],
)
def test_a_name_is_split_and_read(name: str, shown: str) -> None:
    assert meant(f'<input name="{name}"><input name=x2>')[0] == shown


@pytest.mark.parametrize(
    ("texts", "kind", "part"),
    [
        (("Year", "2019", "2020", "2021"), "year", ""),
        (("any", "January", "February", "March"), "date", "month"),
        (("", "Under $10", "$10 to $20", "$20 and more"), "price", ""),
        (("Select", "France", "Germany", "Spain", "Atlantis"), "place", "country"),
        (("State", "Alabama", "Alaska", "Arizona"), "place", "region"),
        (("any", "English", "Deutsch", "Français"), "language", ""),
        (("any", "Yes", "No"), "yes/no", ""),
        (("Relevance", "Newest first", "Price: low to high"), "sort", ""),
        (("1", "2", "3", "4"), "number", ""),
        (("08:00", "09:00", "10:00"), "date", "time"),
        (("any", "Novels", "Travel", "History"), "category", ""),
    ],
)
def test_options_tell_what_is_asked(texts: tuple[str, ...], kind: str, part: str) -> None:
    found = only(choices("x7", *texts))
    assert (found.kind, found.part) == (kind, part)


def test_numbers_to_choose_from_are_what_words_call_them() -> None:
    numbers = ("10", "25", "50")
    assert meant(choices("per_page", *numbers)) == ["page size"]
    assert meant(choices("max_price", *numbers)) == ["price to"]
    assert meant(choices("limit", "novels", "poems", "plays")) == ["category"]


def test_types_and_autocomplete_need_no_words() -> None:
    assert meant("<input type=email name=x><input type=password name=y>") == ["email", "password"]
    assert only('<input name=x autocomplete="shipping postal-code">').text == "place:zip"
    assert only("<input type=hidden name=city value=1>").kind == "state"
    assert only("<input type=checkbox name=price>").kind == "yes/no"
    assert only("<textarea name=x></textarea>").kind == "message"


def test_a_box_for_several_things_takes_keywords() -> None:
    assert (
        meant('<input name=x1 placeholder="Title, author or ISBN"><input name=x2>')[0] == "keyword"
    )
    assert meant("<input name=x1>") == ["keyword"], "the only box of a form that searches"


def test_a_name_is_a_persons_where_people_are_asked_about_themselves() -> None:
    assert meant("<label>Name <input name=name></label><input name=x2>")[0] == "title"
    assert meant("<label>Name <input name=name></label><input type=email name=e>")[0] == "person"


def test_the_reason_is_told_in_words() -> None:
    assert only("<label>Author: <input name=x></label><input name=y>").why == (
        "its label says 'Author:'"
    )
    assert only(choices("x7", "2019", "2020", "2021")).why == "its options look like year"


def paired(inside: str) -> list[tuple[str, str, str]]:
    form = form_of(inside)
    names = [field.name for field in form.fields]
    return [(p.kind, names[p.low], names[p.high]) for p in find_ranges(form, find_roles(form))]


@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [
        ("price", "price_min", "price_max"),
        ("price", "minPrice", "maxPrice"),
        ("year", "yearFrom", "yearTo"),
        ("date", "checkin", "checkout"),
        ("date", "departDate", "returnDate"),
        ("date", "date1", "date2"),
        ("place", "origin", "destination"),
    ],
)
def test_two_ends_are_one_pair(kind: str, low: str, high: str) -> None:
    inside = f"<input name=q><input name={low}><input name={high}><input name=x>"
    assert paired(inside) == [(kind, low, high)]


def test_an_end_that_says_no_more_is_of_the_range_before_it() -> None:
    spoken = "Price: <input name=a1> to <input name=b2>"
    assert paired(spoken) == [("price", "a1", "b2")]
    assert paired("<label>From <input name=a></label><label>To <input name=b></label>") == [
        ("place", "a", "b")
    ]


def test_ends_of_different_things_are_no_pair() -> None:
    assert paired("<input name=price_min><input name=year_max>") == []
    assert paired("<input name=min_beds><input name=max_baths>") == []
    assert paired("<input name=max_price>") == []


texts = some.text(max_size=30)
fields = some.builds(
    Field,
    name=texts,
    kind=some.sampled_from(["text", "select", "radio", "hidden", "date", "textarea", "frobnicate"]),
    label=texts,
    label_source=some.sampled_from(["for", "before", "name", ""]),
    placeholder=texts,
    title=texts,
    autocomplete=texts,
    options=some.lists(some.builds(Option, texts, texts), max_size=4).map(tuple),
)


@given(some.lists(fields, max_size=6))
def test_any_form_has_a_known_kind_and_a_reason_for_each_field(found: list[Field]) -> None:
    form = Form(PAGE, PAGE, "get", tuple(found))
    told = find_roles(form)
    assert len(told) == len(found)
    assert all(meaning.kind in ROLE_KINDS and meaning.why for meaning in told)
    for pair in find_ranges(form, told):
        assert 0 <= pair.low < pair.high < len(found)
