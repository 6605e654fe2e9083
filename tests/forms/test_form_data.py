"""What is sent of a form is what a browser would send."""

from email import message_from_bytes
from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from leadline.core.page import Field, Form, Option
from leadline.core.url import Url
from leadline.forms.form_data import (
    MULTIPART,
    PLAIN,
    URLENCODED,
    Entry,
    encode_body,
    entry_list,
    make_empty_query,
    output_codec,
    urlencode,
    why_unfillable,
)
from leadline.forms.submit import choose_button
from leadline.page import parse_page

any_texts = st.text(st.characters(blacklist_categories=["Cs"]), max_size=12)
entry_lists = st.lists(st.tuples(any_texts, any_texts), max_size=6)


def unbroken(text: str) -> str:
    """With every line break as CR LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")


@given(entry_lists)
def test_what_is_urlencoded_can_be_read_back(entries: list[Entry]) -> None:
    query = urlencode(entries, "utf-8")
    assert query.isascii()
    assert parse_qsl(query, keep_blank_values=True) == [
        (unbroken(name), unbroken(value)) for name, value in entries
    ]


@pytest.mark.parametrize(
    ("text", "codec", "written"),
    [
        ("a b+c&d=e", "utf-8", "a+b%2Bc%26d%3De"),
        ("*-._~'()", "utf-8", "*-._%7E%27%28%29"),
        ("grün", "utf-8", "gr%C3%BCn"),
        ("grün", "cp1252", "gr%FCn"),
        ("поиск", "cp1251", "%EF%EE%E8%F1%EA"),
        ("€", "iso8859-15", "%A4"),
        ("日本", "cp1252", "%26%2326085%3B%26%2326412%3B"),
        ("検索", "cp932", "%8C%9F%8D%F5"),
        ("\ud800", "utf-8", "%EF%BF%BD"),
        ("a\nb\r\nc\rd", "utf-8", "a%0D%0Ab%0D%0Ac%0D%0Ad"),
    ],
)
def test_texts_are_urlencoded_as_browsers_do(text: str, codec: str, written: str) -> None:
    assert urlencode([("q", text)], codec) == f"q={written}"


@pytest.mark.parametrize(
    ("charset", "codec"),
    [
        ("", "utf-8"),
        ("UTF-8", "utf-8"),
        ("ISO-8859-1", "cp1252"),
        ("nonsense windows-1251", "cp1251"),
        ("nonsense, iso-8859-2", "iso8859-2"),
        ("UTF-16LE", "utf-8"),
        ("gb2312", "gb18030"),
        ("base64", "utf-8"),
    ],
)
def test_the_first_known_charset_is_used_and_never_utf_16(charset: str, codec: str) -> None:
    assert output_codec(charset) == codec


@given(entry_lists)
def test_a_multipart_body_can_be_read_back(entries: list[Entry]) -> None:
    body, kind = encode_body(entries, "utf-8", MULTIPART)
    boundary = kind.partition("boundary=")[2].encode()
    *parts, end = body.split(b"--" + boundary)
    assert end == b"--\r\n"
    assert parts[0] == b""
    for part, (name, value) in zip(parts[1:], entries, strict=True):
        head, _, content = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        escaped = unbroken(name).replace("\r\n", "%0D%0A").replace('"', "%22")
        assert head.decode() == f'Content-Disposition: form-data; name="{escaped}"'
        assert content.decode() == f"{unbroken(value)}\r\n"


def test_a_multipart_body_is_mime() -> None:
    body, kind = encode_body([("q", "grün"), ("x", "1")], "cp1252", MULTIPART)
    message = message_from_bytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body)
    parts = message.get_payload()
    assert isinstance(parts, list)
    assert [part.get_payload(decode=True) for part in parts] == ["grün".encode("cp1252"), b"1"]  # type: ignore[union-attr]


def test_the_same_entries_give_the_same_bytes_and_a_boundary_never_occurs_inside() -> None:
    body, kind = encode_body([("q", "x")], "utf-8", MULTIPART)
    assert encode_body([("q", "x")], "utf-8", MULTIPART) == (body, kind)
    again, other = encode_body([("q", kind.partition("=")[2])], "utf-8", MULTIPART)
    assert other != kind
    assert again.count(other.partition("=")[2].encode()) == 2


def test_plain_text_is_one_line_an_entry() -> None:
    assert encode_body([("q", "a b"), ("x", "ü")], "cp1252", PLAIN) == (
        b"q=a b\r\nx=\xfc\r\n",
        PLAIN,
    )


def test_an_unknown_encoding_is_urlencoded() -> None:
    assert encode_body([("q", "a b")], "utf-8", "text/whatever") == (b"q=a+b", URLENCODED)


HERE = Url("http://a.test/shop")


def form_of(inside: str, attributes: str = "") -> Form:
    (form,) = parse_page(f"<form {attributes}>{inside}</form>".encode(), HERE).forms
    return form


def entries(inside: str, **values: str) -> list[tuple[str, str]]:
    form = form_of(inside)
    return entry_list(form, values, choose_button(form), "utf-8")


def test_untouched_controls_are_sent_as_the_page_has_them() -> None:
    assert entries(
        """<input name=q><input type=hidden name=lang value=de>
        <input type=checkbox name=new value=1 checked><input type=checkbox name=used value=1>
        <input type=checkbox name=bare checked>
        <input type=radio name=kind value=a><input type=radio name=kind value=b checked>
        <select name=sort><option value=x>X<option value=y selected>Y</select>
        <select name=page><option>one<option>two</select>
        <textarea name=note>\nline</textarea>""",
        q="novels",
    ) == [
        ("q", "novels"),
        ("lang", "de"),
        ("new", "1"),
        ("bare", "on"),
        ("kind", "b"),
        ("sort", "y"),
        ("page", "one"),
        ("note", "line"),
    ]


@pytest.mark.parametrize(
    "inside",
    [
        "<input name=a value=1 disabled>",
        "<fieldset disabled><input name=a value=1></fieldset>",
        "<input value=1>",
        "<input type=button name=a value=1>",
        "<input type=reset name=a value=1>",
        "<input type=checkbox name=a>",
        "<input type=radio name=a>",
        "<select name=a></select>",
        "<select name=a size=3><option>x</select>",
        "<select name=a multiple><option>x</select>",
        "<select name=a><option disabled selected>choose<option>x</select>",
        "<select name=a><optgroup disabled><option>x</optgroup></select>",
    ],
)
def test_what_a_browser_leaves_out_is_left_out(inside: str) -> None:
    assert entries(f"{inside}<input name=q>") == [("q", "")]


def test_the_first_option_that_can_be_had_is_the_default() -> None:
    assert entries("<select name=a><option disabled>choose<option>x</select>") == [("a", "x")]


def test_of_several_choices_marked_in_a_group_of_one_the_last_counts() -> None:
    options = "<option selected>x<option selected>y<option>z"
    assert entries(f"<select name=a>{options}</select>") == [("a", "y")]
    assert entries(f"<select name=a multiple>{options}</select>") == [("a", "x"), ("a", "y")]
    radios = "<input type=radio name=r value=1 checked><input type=radio name=r value=2 checked>"
    assert entries(radios) == [("r", "2")]


def test_entries_stand_in_document_order_with_the_button_in_its_place() -> None:
    inside = """<input type=hidden name=a value=1><input type=submit name=go value=Search>
    <input type=hidden name=b value=2>"""
    assert entries(inside) == [("a", "1"), ("go", "Search"), ("b", "2")]


def test_only_the_pressed_button_is_sent_and_it_is_the_one_that_searches() -> None:
    inside = """<input name=q><input type=submit name=add value="Add a room">
    <input type=submit name=clear value=Reset><button name=go value=1>Search</button>"""
    assert entries(inside) == [("q", ""), ("go", "1")]


def test_without_a_word_on_any_button_the_first_is_pressed_but_never_one_that_clears() -> None:
    assert entries("<input name=q><button name=x value=1>»</button><button name=y>ok</button>") == [
        ("q", ""),
        ("x", "1"),
    ]
    assert ("go", "ok") in entries("<button name=c>Clear</button><button name=go value=ok>OK")


def test_a_disabled_button_is_not_pressed() -> None:
    assert entries("<input name=q><input type=submit name=go value=Search disabled>") == [("q", "")]


def test_an_image_button_sends_where_it_was_pressed() -> None:
    assert entries("<input type=image name=go>") == [("go.x", "1"), ("go.y", "1")]
    assert entries("<input type=image>") == [("x", "1"), ("y", "1")]


def test_a_form_without_a_button_is_sent_without_one() -> None:
    assert entries("<input name=q>", q="x") == [("q", "x")]


def test_a_value_goes_into_the_first_control_of_its_name_that_takes_it() -> None:
    inside = "<input type=hidden name=q value=h><input name=q><input name=q value=last>"
    assert entries(inside, q="x") == [("q", "h"), ("q", "x"), ("q", "last")]


def test_choices_can_be_made() -> None:
    inside = """<select name=s><option>x<option>y</select>
    <input type=radio name=r value=1 checked><input type=radio name=r value=2>
    <input type=checkbox name=c value=1 checked><input type=checkbox name=c value=2>"""
    assert entries(inside, s="y", r="2", c="2") == [("s", "y"), ("r", "2"), ("c", "2")]
    assert entries(inside, c="") == [("s", "x"), ("r", "1")]


def test_the_charset_field_tells_the_charset() -> None:
    form = form_of("<input type=hidden name=_charset_ value=x>")
    assert entry_list(form, {}, None, "cp1252") == [("_charset_", "cp1252")]


@pytest.mark.parametrize(
    ("control", "sent"),
    [
        ("<input name=a value='x\ny'>", "xy"),
        ("<input type=number name=a value=12.5>", "12.5"),
        ("<input type=number name=a value=many>", ""),
        ("<input type=date name=a value=2024-02-30x>", ""),
        ("<input type=date name=a value=2024-02-03>", "2024-02-03"),
        ("<input type=url name=a value=' http://x '>", "http://x"),
        ("<input type=range name=a>", "50"),
        ("<input type=color name=a>", "#000000"),
        ("<input type=whatever name=a value=x>", "x"),
    ],
)
def test_values_have_the_shape_of_their_control(control: str, sent: str) -> None:
    assert entries(control) == [("a", sent)]


@pytest.mark.parametrize(
    ("inside", "values", "reason"),
    [
        ("<input name=q>", {"x": "1"}, "no control called 'x'"),
        ("<input type=hidden name=q>", {"q": "1"}, "not for typing"),
        ("<input name=q disabled>", {"q": "1"}, "disabled"),
        ("<input name=q maxlength=3>", {"q": "1234"}, "at most 3"),
        ("<input type=number name=q>", {"q": "many"}, "no such value"),
        ("<input name=q>", {"q": "two\nlines"}, "no such value"),
        ("<select name=q><option>a</select>", {"q": "b"}, "does not offer"),
        ("<select name=q><option disabled>a</select>", {"q": "a"}, "does not offer"),
        ("<input type=checkbox name=q value=1>", {"q": "2"}, "no such tick"),
        ("<input name=q><input name=r required>", {"q": "1"}, "'r' is required"),
        ("<input name=q><select name=r required><option value=''>-</select>", {"q": "1"}, "'r' is"),
    ],
)
def test_what_no_person_could_fill_in_is_not_filled_in(
    inside: str, values: dict[str, str], reason: str
) -> None:
    assert reason in why_unfillable(form_of(inside), values)


def test_what_a_person_could_fill_in_is() -> None:
    inside = "<input name=q required><select name=s><option>a<option>b</select>"
    assert why_unfillable(form_of(inside), {"q": "x", "s": "b"}) == ""


texts = st.text(max_size=8)
names = st.sampled_from(["", "a", "b", "c"])
options = st.builds(Option, texts, texts, is_selected=st.booleans(), is_disabled=st.booleans())
kinds = st.sampled_from(
    ["text", "search", "hidden", "checkbox", "radio", "select", "button", "reset", "number", "tel"]
)
fields = st.builds(
    Field,
    name=names,
    kind=kinds,
    value=texts,
    options=st.lists(options, max_size=3).map(tuple),
    is_checked=st.booleans(),
    is_disabled=st.booleans(),
    is_multiple=st.booleans(),
    size=st.integers(0, 3),
)


@given(st.lists(fields, max_size=8), st.dictionaries(names, texts, max_size=3))
def test_no_form_sends_what_is_disabled_nameless_or_a_button(
    made: list[Field], values: dict[str, str]
) -> None:
    placed = tuple(replace(field, position=n) for n, field in enumerate(made))
    form = Form(HERE, HERE, "get", placed)
    sent = entry_list(form, values, None, "utf-8")
    senders = [
        f for f in placed if f.name and not f.is_disabled and f.kind not in ("button", "reset")
    ]
    assert {name for name, _ in sent} <= {field.name for field in senders}
    for name, value in sent:
        offered = {v for f in senders if f.name == name for v in _possible(f, values)}
        assert value in offered


def _possible(field: Field, values: dict[str, Any]) -> set[str]:
    own = {option.value for option in field.options if not option.is_disabled}
    typed = {field.value, values.get(field.name, field.value), ""}
    broken = {text.replace("\r", "").replace("\n", "") for text in typed}
    return own | typed | broken


@given(st.permutations(range(6)))
def test_order_is_that_of_the_document_however_fields_are_kept(places: list[int]) -> None:
    made = [Field(f"n{place}", "hidden", value="x", position=place) for place in places]
    sent = entry_list(Form(HERE, HERE, "get", tuple(made)), {}, None, "utf-8")
    assert [name for name, _ in sent] == [f"n{place}" for place in range(6)]


@pytest.mark.parametrize(
    ("inside", "values"),
    [
        ("<input type=hidden name=h value=1><input name=q value=x>", {"q": "x"}),
        ("<select name=s><option value=''>Any<option>a</select><input name=q>", {"s": ""}),
        ("<input type=radio name=r value=a><input type=radio name=r value=b checked>", {"r": "b"}),
        ("<input type=radio name=r value=a><input name=q disabled><input name=p>", {"p": ""}),
        ("<input type=checkbox name=c value=1>", {"c": ""}),
        ("<input type=checkbox name=c value=1 checked>", {"c": "1"}),
        ("<input type=submit name=b value=Go>", {}),
    ],
)
def test_a_query_for_nothing_leaves_a_control_as_it_is(inside: str, values: dict[str, str]) -> None:
    form = form_of(inside)
    assert make_empty_query(form) == values
    untouched = entry_list(form, {}, None, "utf-8")
    assert entry_list(form, make_empty_query(form), None, "utf-8") == untouched
