"""Forms: which controls belong together, and what each is called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.page import Form, Option
from leadline.core.url import Url
from leadline.page import parse_page

HERE = Url("http://a.test/shop/books.html")


def forms(html: str) -> tuple[Form, ...]:
    return parse_page(html.encode(), HERE).forms


def test_a_search_form_in_full() -> None:
    (form,) = forms(
        """<form action="/find" role=search id=f accept-charset=latin1>
        <label for=t>Title</label><input id=t name=title size=40 maxlength=80 required>
        <label>Author <input name=author placeholder="any"></label>
        <select name=lang><option value=en selected>English<option>German</select>
        <input type=radio name=kind value=new checked> New
        <input type=radio name=kind value=old> Used
        <input type=hidden name=token value=abc><input type=submit name=go value=Search>
        <button>Reset all</button></form>"""
    )
    assert (form.action, form.method, form.charset) == ("http://a.test/find", "get", "latin1")
    assert form.has_search_role
    title, author, language, kind, token = form.fields
    assert (title.label, title.label_source, title.size, title.max_length) == (
        "Title",
        "for",
        40,
        80,
    )
    assert title.is_required
    assert (author.label, author.label_source, author.placeholder) == ("Author", "wrap", "any")
    assert language.options == (Option("en", "English", True), Option("German", "German"))
    assert kind.options == (Option("new", "New", True), Option("old", "Used"))
    assert (token.kind, token.value, token.label) == ("hidden", "abc", "")
    assert [button.label for button in form.submits] == ["Search", "Reset all"]


@pytest.mark.parametrize(
    ("control", "label", "source"),
    [
        ("<input name=x aria-label='Full text'>", "Full text", "aria"),
        ("<b id=k>Key</b><i>!</i><input name=x aria-labelledby=k>", "Key", "aria"),
        ("<table><tr><td>Year<td><input name=x></table>", "Year", "before"),
        ("<table><tr><th>A<th>B<tr><td>-<td><hr><hr><hr><input name=x></table>", "B", "cell"),
        ("Place: <input name=x>", "Place:", "before"),
        ("<input name=x placeholder='ISBN'>", "ISBN", "placeholder"),
        ("<input name=x title='Search term'>", "Search term", "title"),
        ("<input name=bookTitle_2>", "book title", "name"),
        ("<input type=checkbox name=x> In stock", "In stock", "after"),
    ],
)
def test_labels_are_found_where_people_see_them(control: str, label: str, source: str) -> None:
    (form,) = forms(f"<form>{control}</form>")
    field = form.fields[-1]
    assert (field.label, field.label_source) == (label, source)


def test_fields_of_a_form_opened_inside_a_table_belong_to_it() -> None:
    (form,) = forms(
        "<table><form action=/s><tr><td>Title<td><input name=t>"
        "<tr><td><input type=submit></form></table>"
    )
    assert [field.name for field in form.fields] == ["t"]
    assert len(form.submits) == 1


def test_controls_after_a_form_are_not_its_own() -> None:
    (form,) = forms("<form><input name=a></form><input name=b>")
    assert [field.name for field in form.fields] == ["a"]


def test_the_form_attribute_decides() -> None:
    (form,) = forms("<form id=f><input name=a></form><input name=b form=f>")
    assert [field.name for field in form.fields] == ["a", "b"]


def test_a_form_without_action_submits_to_its_page() -> None:
    (form,) = forms("<form method=POST><input name=a></form>")
    assert (form.action, form.method) == (HERE, "post")
    (form,) = forms("<form action='mailto:x@y'><input name=a></form>")
    assert form.action is None


def test_search_boxes_outside_any_form_are_reported() -> None:
    found = forms(
        "<input type=search name=q><input name=comment><input placeholder='Search books'>"
    )
    assert [form.is_implicit for form in found] == [True, True]
    assert [form.fields[0].name for form in found] == ["q", ""]


def test_controls_know_their_place_in_the_form() -> None:
    (form,) = forms(
        "<form><input name=a><button>x</button><input type=radio name=r value=1>"
        "<input name=b><input type=radio name=r value=2 checked></form>"
    )
    places = {field.name: field.position for field in (*form.fields, *form.submits)}
    assert places == {"a": 0, "": 1, "r": 4, "b": 3}


def test_a_fieldset_a_group_and_an_option_can_be_disabled() -> None:
    (form,) = forms(
        "<form><fieldset disabled><p><input name=a></fieldset><input name=b>"
        "<select name=s><option>x<option disabled>y<optgroup disabled><option>z</select>"
        "<input type=radio name=r value=1 disabled><input type=radio name=r value=2></form>"
    )
    a, b, select, radio = form.fields
    assert [a.is_disabled, b.is_disabled, radio.is_disabled] == [True, False, False]
    assert [option.is_disabled for option in select.options] == [False, True, True]
    assert [option.is_disabled for option in radio.options] == [True, False]


def test_option_texts_stay_out_of_the_form_text() -> None:
    (form,) = forms("<form>Pick <select name=s><option>one<option>two</select> now</form>")
    assert form.text == "Pick now"


attribute = st.sampled_from(
    ["type", "name", "value", "id", "for", "form", "size", "action", "method"]
)
value = st.text(alphabet="<>\"'=&;abc019 \x00é", max_size=8)
element = st.builds(
    lambda tag, pairs: f"<{tag} " + " ".join(f'{k}="{v}"' for k, v in pairs) + ">",
    st.sampled_from(
        ["form", "/form", "input", "select", "option", "label", "textarea", "button", "td"]
    ),
    st.lists(st.tuples(attribute, value), max_size=4),
)


@given(html=st.lists(element, max_size=25).map("".join))
def test_no_markup_breaks_form_reading(html: str) -> None:
    for form in forms(html):
        assert form.fields or form.submits
        assert form.method in ("get", "post")
