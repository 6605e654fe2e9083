"""What can be asked through forms of many makers and languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.page import Form, Page
from leadline.core.url import Url
from leadline.harvester.interface import Interface
from leadline.harvester.survey.describe import FIRST_WORDS, describe_form
from leadline.page import parse_page

HERE = Url("http://a.test/find")


def read(html: str) -> tuple[Form, Page]:
    page = parse_page(html.encode(), HERE)
    return page.forms[0], page


def described(inside: str) -> Interface:
    form, page = read(f"<form>{inside}<button>Search</button></form>")
    return describe_form(form, page)


def listed(name: str, *options: str, label: str = "") -> str:
    items = "".join(f"<option>{option}</option>" for option in options)
    return f"<label>{label} <select name={name}>{items}</select></label>"


def menus(inside: str) -> dict[str, list[str]]:
    found = described(f"<input name=q>{inside}").menus
    return {menu.name: [choice.text for choice in menu.choices] for menu in found}


def test_a_lone_box_is_for_words() -> None:
    found = described("<input name=q>")
    assert [box.name for box in found.boxes] == ["q"]
    assert found.boxes[0].meaning == ""
    assert (found.menus, found.spans, found.fixed) == ((), (), ())


def test_the_box_for_words_comes_first_and_typed_ones_have_their_meaning() -> None:
    found = described(
        "<label>Author <input name=author></label><label>City <input name=city maxlength=9></label>"
        "<label>Keywords <input name=kw></label><label>Published <input name=d type=date></label>"
    )
    assert [(box.name, box.meaning) for box in found.boxes] == [
        ("kw", ""),
        ("author", "person"),
        ("city", "place:city"),
        ("d", "date"),
    ]
    assert found.boxes[2].max_length == 9


@pytest.mark.parametrize(
    "text",
    ["Any", "All", "- Any -", "--", "", "...", "All of them", "All categories", "Please select",
     "No preference", "Doesn't matter", "Choose one", "Select a category", "— choose —",
     "Alle", "Beliebig", "Egal", "Bitte wählen", "Keine Auswahl", "Alle Kategorien",
     "Tous", "Toutes les régions", "Indifférent", "Choisissez", "Peu importe",
     "Todos", "Todas las provincias", "Cualquiera", "Seleccione", "Qualquer", "Escolha",
     "Tutti", "Tutte le categorie", "Qualsiasi", "Scegli", "Maak een keuze", "Alle soorten",
     "Alla", "Välj", "Alle typer", "Velg", "Kaikki", "Valitse", "Wszystkie", "Dowolny", "Wybierz",
     "Všechny", "Vyberte", "Libovolné", "Összes", "Válasszon", "Toate", "Alegeți", "Tümü",
     "Seçiniz", "Всё равно", "Любой", "Неважно, какой", "Выберите", "Всички", "Изберете", "Όλα",
     "Επιλέξτε",
     "全部", "不限", "请选择", "すべて", "選択してください", "指定なし", "전체", "선택하세요",
     "الكل", "اختر", "הכל", "בחר", "همه", "ทั้งหมด", "Tất cả", "Semua", "Pilih"],
)  # fmt: skip
def test_a_choice_for_anything_is_none_in_any_language(text: str) -> None:
    assert menus(listed("k", text, "Sculpture", "Poetry", "Glass")) == {
        "k": ["Sculpture", "Poetry", "Glass"]
    }


@pytest.mark.parametrize(
    "first", ["Albania", "Alabama", "Allgäu", "Toledo", "Anytown", "Seletar", "Sculpture", "4x4"]
)
def test_other_first_choices_are_kept(first: str) -> None:
    assert menus(listed("k", first, "Poetry", "Glass"))["k"][0] == first


def test_what_is_no_choice_is_also_told_by_its_value() -> None:
    html = (
        "<select name=a><option value=0>Genre<option value=7>Poetry<option value=9>Glass</select>"
        "<select name=b><option value=-1>Region<option>Poetry<option>Glass</select>"
        "<select name=c><option value=0>Poetry<option value=1>Glass<option value=2>Wood</select>"
        "<select name=d><option value=0>Year<option value=2001>2001<option value=2002>2002</select>"
    )
    found = menus(html)
    assert found["b"] == ["Poetry", "Glass"]
    assert found["c"] == ["Poetry", "Glass", "Wood"]
    assert found["d"] == ["2001", "2002"]


def test_choices_among_others_may_begin_like_a_choice_for_anything() -> None:
    assert menus(listed("board", "Any", "Half board", "All inclusive", "Breakfast")) == {
        "board": ["Half board", "All inclusive", "Breakfast"]
    }


@pytest.mark.parametrize(
    "inside",
    [
        listed("sort", "Relevance", "Newest first", "Price", "Name", label="Sort by"),
        listed("x1", "Relevance", "Newest first", "Price", "Name"),
        listed("order", "asc", "desc"),
        listed("tri", "Pertinence", "Prix croissant", label="Trier par"),
        listed("per_page", "10", "20", "50", label="Results per page"),
        listed("num", "10", "25", "50", "100"),
        listed("view", "List", "Gallery", label="View as"),
        listed("lang", "English", "Deutsch", label="Language"),
        listed("in", "Keyword", "Title", "Author", "ISBN", label="Search in"),
        listed("typ", "Alle Felder", "Titel", "Autor", "ISBN", label="Suchen in"),
        listed("mode", "All words", "Any words", "Exact phrase"),
        "<input type=radio name=by value=title checked> Title"
        "<input type=radio name=by value=author> Author<input type=radio name=by value=isbn> ISBN",
    ],
)
def test_what_arranges_or_says_where_to_look_narrows_nothing(inside: str) -> None:
    assert menus(inside) == {}


def test_the_language_of_records_narrows() -> None:
    assert menus(listed("lang", "Any", "English", "Deutsch", label="Language")) == {
        "lang": ["English", "Deutsch"]
    }


def test_radio_buttons_and_boxes_to_tick_are_menus() -> None:
    found = menus(
        "<label><input type=radio name=r value='' checked> All</label>"
        "<label><input type=radio name=r value=n> New</label>"
        "<label><input type=radio name=r value=u> Used</label>"
        "<label><input type=checkbox name=t value=1> Poetry</label>"
        "<label><input type=checkbox name=t value=2> Glass</label>"
    )
    assert found == {"r": ["New", "Used"], "t": ["Poetry", "Glass"]}


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ("Price from <input name=price_from>", "to <input name=price_to>"),
        ("Min <input name=f1>", "Max <input name=f2>"),
        ("Preis von <input name=pv>", "bis <input name=pb>"),
        ("<input name=issue_min>", "<input name=issue_max>"),
        ("<input type=date name=a7>", "<input type=date name=a9>"),
        ("Year between <input name=y1>", "and <input name=y2>"),
        (listed("a", "Any", "1990", "2000", "2010"), listed("b", "Any", "1990", "2000", "2010")),
    ],
)
def test_two_ends_are_one_range(low: str, high: str) -> None:
    found = described(f"<input name=q>{low} {high}")
    assert len(found.spans) == 1
    assert [box.name for box in found.boxes] == ["q"]
    assert found.menus == ()


def test_what_a_range_offers_rises() -> None:
    lists = "".join(
        listed(name, label, "$5,000", "$1,000", "$500", label=label)
        for name, label in (("price_min", "Min price"), ("price_max", "Max price"))
    )
    (span,) = described(f"<input name=q>{lists}").spans
    assert span.lows == span.highs == ("$500", "$1,000", "$5,000")
    assert span.meaning == "price"


def test_ways_between_places_and_names_are_no_ranges() -> None:
    found = described("<input name=first_name><input name=last_name>")
    assert found.spans == ()
    found = described("From <input name=from_city> To <input name=to_city>")
    assert (found.spans, len(found.boxes)) == ((), 2)


def test_what_must_not_stay_empty_is_fixed() -> None:
    html = (
        "<input name=q><select name=cat required><option value=''>Choose<option>Art<option>Tax"
        "</select><select name=rows><option>10<option>50<option>20</select>"
        "<select name=in><option value=t selected>Title<option value=a>Author"
        "<option value=x>All fields</select>"
    )
    assert described(html).fixed == (("cat", "Art"), ("in", "x"), ("rows", "50"))


def test_days_and_months_apart_are_left_as_they_are() -> None:
    months = listed("m", *"January February March April".split(), label="Month")
    days = listed("d", *map(str, range(1, 32)), label="Day")
    assert menus(days + months) == {}


def test_private_controls_are_not_to_be_filled() -> None:
    found = described("<input name=q><input type=password name=p><textarea name=m></textarea>")
    assert [box.name for box in found.boxes] == ["q"]


def test_first_words_are_those_given_then_those_of_the_page_and_of_its_choices() -> None:
    html = (
        "<title>Old maps</title><p>atlases and charts, atlases of islands</p>"
        f"<form><label>For <input name=q></label>"
        f"{listed('k', 'Any', 'Globes', 'Sea charts')}<button>Search</form>"
    )
    form, page = read(html)
    words = describe_form(form, page, ["harbour"]).words
    assert words[0] == "harbour"
    assert {"maps", "atlases", "islands", "globes"} <= {*words}
    assert len(words) <= FIRST_WORDS
    assert "globes" in describe_form(form, None).words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("日本の古地図と海図。古地図のデータベース", {"古地図", "海図", "データベース"}),
        ("옛 지도와 해도. 지도와 항구", {"지도와", "해도", "항구"}),
        ("全国图书目录。古籍目录", {"图书目录", "古籍目录"}),
    ],
)
def test_scripts_without_blanks_have_words_too(text: str, words: set[str]) -> None:
    form, page = read(f"<p>{text}</p><form><label>検索 <input name=q></label></form>")
    assert words <= {*describe_form(form, page).words}


pieces = st.sampled_from(
    "<form>|</form>|<input name=a>|<input type=radio name=b value=1>|<select name=c>|</select>"
    "|<option value=0>|<option>|Any|10|100|min|max|<input type=checkbox name=d>|<label>|</label>"
    "|<input name=x_from>|<input name=x_to>|<fieldset disabled>|sort|title|author|<textarea name=e>"
    "|<input type=hidden name=h value=1>|<select name=c multiple>|<input type=date name=f>".split(
        "|"
    )
)


@given(st.lists(pieces, max_size=40).map("".join))
def test_any_form_is_described(html: str) -> None:
    page = parse_page(f"<form>{html}".encode(), HERE)
    for form in page.forms:
        found = describe_form(form, page)
        names = {field.name for field in form.fields}
        assert {box.name for box in found.boxes} <= names
        assert {menu.name for menu in found.menus} <= names
        assert {name for span in found.spans for name in (span.low, span.high)} <= names
        assert {name for name, _ in found.fixed} <= names
        assert all(menu.choices for menu in found.menus)
        assert len({box.name for box in found.boxes}) == len(found.boxes)
