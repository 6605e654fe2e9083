"""Questions in the terms of forms: which control gets what, what is left to be checked."""

import pytest

from leadline.core.page import Form
from leadline.core.url import Url
from leadline.errors import ConfigError
from leadline.extraction.values import parse_value
from leadline.harvester.question import (
    DatabaseQuestion,
    FieldCondition,
    judge_condition,
    read_question,
)
from leadline.harvester.question_translation import QuestionTranslation, translate_question
from leadline.page import parse_page
from leadline.records.schemas import find_schema

BOOK = find_schema("book")
PAGE = Url("http://www.a.test/")


def form_of(inside: str) -> Form:
    html = f"<form action=/find>{inside}<button>Search</button></form>"
    return parse_page(html.encode(), PAGE, "text/html; charset=utf-8").forms[0]


def ask(inside: str, *texts: str) -> QuestionTranslation:
    return translate_question(read_question(texts, BOOK), form_of(inside), BOOK)


def values(inside: str, *texts: str) -> dict[str, str]:
    return dict(ask(inside, *texts).values)


AUTHOR_TITLE = (
    "<label>Author <input name=a></label><label>Title <input name=t></label>"
    "<label>Published from <input name=y1 size=4></label><label>to <input name=y2 size=4></label>"
)
WORDS = "<label>Search <input type=search name=q></label>"


def test_a_question_is_read_from_what_people_type() -> None:
    question = read_question(
        ["old dragons", "author=Le Guin", "price<=20", "year=1990..2000"], BOOK
    )
    assert question.words == "old dragons"
    assert [one.shown for one in question.conditions] == [
        "author=Le Guin",
        "price<=20",
        "publication_date=1990..2000",
    ]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("writer=X", "author"), ("Verlag=X", "publisher"), ("Titel=X", "name"), ("isbn=X", "isbn")],
)
def test_fields_have_their_names_in_any_language(typed: str, meant: str) -> None:
    assert read_question([typed], BOOK).conditions[0].field == meant


def test_an_unknown_field_is_refused_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="author"):
        read_question(["authxr=Le Guin"], BOOK)
    with pytest.raises(ConfigError, match="nothing is asked"):
        read_question([" "], BOOK)
    with pytest.raises(ConfigError, match="no end of a range"):
        read_question(["price<=cheap"], BOOK)


def test_each_condition_goes_to_the_control_that_asks_for_it() -> None:
    told = ask(AUTHOR_TITLE, "author=Le Guin", "title=Earthsea", "year=1968..1975")
    assert dict(told.values) == {"a": "Le Guin", "t": "Earthsea", "y1": "1968", "y2": "1975"}
    assert not told.checked
    assert [one.control for one in told.placed[:2]] == ["Author", "Title"]


def test_german_labels_are_the_same_fields() -> None:
    german = (
        "<label>Verfasser <input name=v></label><label>Titel <input name=t></label>"
        "<label>Erscheinungsjahr von <input name=von></label><label>bis <input name=bis></label>"
        "<label>Einband <select name=e><option value=''>alle<option value=1>Gebunden"
        "<option value=2>Taschenbuch</select></label>"
    )
    found = values(german, "author=Le Guin", "year>=1970", "format=paperback")
    assert found == {"v": "Le Guin", "von": "1970", "e": "2"}


def test_what_no_control_takes_goes_into_the_box_for_words_and_is_checked() -> None:
    told = ask(WORDS, "dragons", "author=Le Guin", "year=1968..1975")
    assert dict(told.values) == {"q": "Le Guin dragons"}
    assert [one.field for one in told.checked] == ["author", "publication_date"]
    assert "no control" in told.why[0]
    # Both together may be too much for a search that looks into titles alone.
    assert dict(told.broader) == {"q": "Le Guin"}


def test_a_box_for_titles_is_not_asked_for_authors() -> None:
    told = ask("<label>Title <input name=t></label><label>ISBN <input name=i></label>", "author=X")
    assert told.values == ()
    assert "no control" in told.why[0]


def test_words_go_to_titles_if_there_is_no_box_for_words() -> None:
    assert values(AUTHOR_TITLE, "dragons") == {"t": "dragons"}


def test_a_list_of_fields_says_where_words_are_looked_for() -> None:
    scoped = (
        "<input type=search name=q><label>Search in <select name=in><option value=any>Anywhere"
        "<option value=ti>Title<option value=au>Author</select></label>"
    )
    assert values(scoped, "author=Le Guin") == {"q": "Le Guin", "in": "au"}


def test_names_that_programmers_give_are_read_without_their_words_for_controls() -> None:
    auto = find_schema("auto")
    form = form_of(
        "<select name=ctl00$find$ddlMake><option value=''>Make<option>Honda<option>Toyota</select>"
        "<select name=ctl00$find$ModelDropDown><option value=''>Model<option>Camry<option>Civic"
        "</select><input name=search_zip_code>"
    )
    question = read_question(["make=Toyota", "model=Camry", "location=Boston"], auto)
    told = translate_question(question, form, auto)
    assert dict(told.values) == {
        "ctl00$find$ddlMake": "Toyota",
        "ctl00$find$ModelDropDown": "Camry",
    }
    # A box for postal codes is no place for the name of a town.
    assert [one.field for one in told.checked] == ["location"]


def test_choices_are_found_by_their_text() -> None:
    lists = (
        "<label>Language <select name=l><option value=''>any<option value=1>English"
        "<option value=2>German</select></label>"
        "<label>Format <select name=f><option value=''>any<option value=h>Hardcover"
        "<option value=p>Paperback</select></label>"
    )
    assert values(lists, "language=german", "format=Hardcover") == {"l": "2", "f": "h"}
    told = ask(lists + WORDS, "language=Finnish")
    assert told.values == ()
    assert "no choice that says 'Finnish'" in told.why[0]


def test_lists_of_ends_take_the_narrowest_that_leave_nothing_out() -> None:
    ends = (
        "<label>Price from <select name=p1><option value=''>any<option>10<option>20<option>50"
        "</select></label>"
        "<label>Price to <select name=p2><option value=''>any<option>10<option>20<option>50"
        "</select></label>"
    )
    told = ask(ends, "price=15..30")
    assert dict(told.values) == {"p1": "10", "p2": "50"}
    assert [one.field for one in told.checked] == ["price"]
    assert not ask(ends, "price<=20").checked


def test_a_choice_may_stand_for_a_range() -> None:
    decades = (
        "<label>Year <select name=y><option value=''>any<option value=1>1960s<option value=2>1970s"
        "</select></label>"
    )
    told = ask(decades, "year=1972..1975")
    assert dict(told.values) == {"y": "2"}
    assert told.checked


def test_a_box_for_one_year_takes_no_range() -> None:
    one = "<label>Year <input name=y maxlength=4></label>" + WORDS
    assert values(one, "year=1974") == {"y": "1974"}
    told = ask(one, "author=X", "year=1974..1980")
    assert dict(told.values) == {"q": "X"}
    assert "no range" in told.why[0]


def test_dates_are_written_as_their_control_wants_them() -> None:
    days = (
        "<label>Published from <input type=date name=d1></label>"
        "<label>Published to <input type=date name=d2></label>"
    )
    assert values(days, "year=1990..1992") == {"d1": "1990-01-01", "d2": "1992-12-31"}


@pytest.mark.parametrize(
    ("condition", "raw", "kind", "fulfilled"),
    [
        (FieldCondition("author", "person", "Le Guin"), "Ursula K. Le Guin", "person", True),
        (FieldCondition("author", "person", "Le Guin"), "Guin, Ursula Le", "person", True),
        (FieldCondition("author", "person", "Le Guin"), "Le Carré, John", "person", False),
        (FieldCondition("format", "category", "paperback"), "Taschenbuch", "category", True),
        (FieldCondition("price", "money", "", "", "20"), "$ 19.50", "money", True),
        (FieldCondition("price", "money", "", "", "20"), "€ 20.50", "money", False),
        (FieldCondition("price", "money", "", "", "20 EUR"), "$ 19", "money", None),
        (FieldCondition("price", "money", "", "", "20"), "on request", "money", None),
        (FieldCondition("date", "date", "", "1990", "2000"), "12 March 2000", "date", True),
        (FieldCondition("date", "date", "", "1990", "2000"), "2001", "date", False),
        (FieldCondition("date", "date", "1974"), "1974-05", "date", True),
    ],
)
def test_records_are_checked_by_their_typed_values(
    condition: FieldCondition, raw: str, kind: str, fulfilled: bool | None
) -> None:
    assert judge_condition(condition, [parse_value(raw, kind)]) is fulfilled


def test_a_record_without_the_value_tells_nothing() -> None:
    assert judge_condition(FieldCondition("author", "person", "X"), []) is None


def test_a_question_without_a_schema_is_matched_by_its_own_words() -> None:
    schema = find_schema("shelves of minerals")
    question = read_question(["hardness=7"], schema)
    form = form_of("<label>Hardness <input name=h></label><label>Name <input name=n></label>")
    assert dict(translate_question(question, form, schema).values) == {"h": "7"}
    assert question == DatabaseQuestion(conditions=(FieldCondition("hardness", "text", "7"),))


def test_a_name_that_means_several_properties_is_checked_by_any_of_them() -> None:
    condition = read_question(["year=1970"], BOOK).conditions[0]
    assert (condition.field, condition.also) == ("publication_date", ("year",))
