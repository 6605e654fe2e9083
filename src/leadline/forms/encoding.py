"""Entries of a form as bytes: the three encodings of HTML forms."""

import re
from collections.abc import Sequence
from urllib.parse import quote_from_bytes

import xxhash

from leadline.page.decode import codec_of

Entry = tuple[str, str]
"""Name and value."""

URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
PLAIN = "text/plain"

_labels = re.compile(r"[^\s,;]+").findall
_lone_breaks = re.compile(r"\r(?!\n)|(?<!\r)\n")
_lone_surrogates = re.compile("[\ud800-\udfff]")


def output_codec(charset: str) -> str:
    """The codec of the first known name in accept-charset; UTF-16 is read but never written."""
    known = (codec_of(label) for label in _labels(charset))
    codec = next(filter(None, known), "utf-8")
    return "utf-8" if codec.startswith("utf-16") else codec


def charset_name(codec: str) -> str:
    """What browsers call the codec.

    >>> charset_name("cp1251"), charset_name("utf-8")
    ('windows-1251', 'UTF-8')
    """
    return "UTF-8" if codec == "utf-8" else codec.replace("cp125", "windows-125")


def urlencoded(entries: Sequence[Entry], codec: str) -> str:
    """As in a query: letters, digits and `*-._` stay, a blank is a plus.

    >>> urlencoded([("q", "a b~ü"), ("e", "")], "utf-8")
    'q=a+b%7E%C3%BC&e='
    """
    return "&".join(f"{_quoted(name, codec)}={_quoted(value, codec)}" for name, value in entries)


def _quoted(text: str, codec: str) -> str:
    return quote_from_bytes(_bytes(text, codec), safe="* ").replace("~", "%7E").replace(" ", "+")


def encoded_body(entries: Sequence[Entry], codec: str, encoding: str) -> tuple[bytes, str]:
    """The body of a POST and its content type; unknown encodings are URL-encoded."""
    if encoding == MULTIPART:
        return _multipart(entries, codec)
    if encoding == PLAIN:
        lines = (f"{name}={value}\r\n" for name, value in entries)
        return b"".join(_bytes(line, codec) for line in lines), PLAIN
    return urlencoded(entries, codec).encode("ascii"), URLENCODED


def _multipart(entries: Sequence[Entry], codec: str) -> tuple[bytes, str]:
    parts = [
        b'Content-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
        % (_bytes(name, codec, in_header=True), _bytes(value, codec))
        for name, value in entries
    ]
    boundary = _boundary(b"".join(parts))
    body = b"".join(b"--%s\r\n%s" % (boundary, part) for part in parts) + b"--%s--\r\n" % boundary
    return body, f"{MULTIPART}; boundary={boundary.decode()}"


def _boundary(content: bytes) -> bytes:
    """One that does not occur in the content, and the same for the same content."""
    turn = 0
    while True:
        boundary = b"----leadline" + xxhash.xxh3_128_hexdigest(content, turn).encode()
        if boundary not in content:
            return boundary
        turn += 1


def _bytes(text: str, codec: str, *, in_header: bool = False) -> bytes:
    """Line breaks as CR LF; what the codec lacks as a numeric character reference."""
    text = _lone_breaks.sub("\r\n", _lone_surrogates.sub("\ufffd", text))
    if in_header:
        text = text.replace("\r\n", "%0D%0A").replace('"', "%22")
    return text.encode(codec, "xmlcharrefreplace")
