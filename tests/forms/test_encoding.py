"""Bodies and queries are written as browsers write them."""

from email import message_from_bytes
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.forms.form_data import (
    MULTIPART,
    PLAIN,
    URLENCODED,
    Entry,
    encode_body,
    output_codec,
    urlencode,
)

texts = st.text(st.characters(blacklist_categories=["Cs"]), max_size=12)
entry_lists = st.lists(st.tuples(texts, texts), max_size=6)


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
