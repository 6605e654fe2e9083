"""Charsets: header, BOM, meta, then detection."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.url import Url
from leadline.page import parse_page
from leadline.page.html_tree import decode, find_charset


@pytest.mark.parametrize(
    ("body", "content_type", "charset"),
    [
        (b"\xef\xbb\xbfx", "text/html; charset=latin1", "utf-8"),
        (b"x", 'text/html; charset="ISO-8859-1"', "cp1252"),
        (b"<meta charset=shift_jis>", "", "cp932"),
        (b"<meta http-equiv=content-type content='text/html; charset=gb2312'>", "", "gb18030"),
        (b"<meta charset=utf-16>", "", "utf-8"),
        (b"<meta charset=nonsense>", "text/html; charset=base64", "utf-8"),
        (b"<meta charset=idna>", "text/html; charset=punycode", "utf-8"),
        (b"<meta charset=undefined>", "text/html; charset=unicode_escape", "utf-8"),
        (b"<meta charset=cp037>", "text/html; charset=utf-32", "utf-8"),
        (b"x", "text/html; charset=windows-874", "cp874"),
        (b"x", "text/html; charset=X-SJIS", "cp932"),
        ("schön".encode(), "", "utf-8"),
    ],
)
def test_who_decides_the_charset(body: bytes, content_type: str, charset: str) -> None:
    assert find_charset(body, content_type) == charset


def test_undeclared_bytes_are_detected() -> None:
    text = "Die Bücher über schöne Gärten stehen größtenteils im Lesesaal für Gäste. " * 5
    assert decode(text.encode("cp1252")) == text


@given(body=st.binary(max_size=200), content_type=st.text(max_size=40))
def test_any_bytes_decode(body: bytes, content_type: str) -> None:
    assert isinstance(decode(body, content_type), str)


def test_pages_are_read_in_their_own_charset() -> None:
    body = "<meta charset=windows-1252><title>Bücher</title>".encode("cp1252")
    assert parse_page(body, Url("http://a.test/")).title == "Bücher"
