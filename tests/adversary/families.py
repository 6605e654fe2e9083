"""Families of hostile bodies: each makes a body of about any size, all by one idea.

A reader that takes more than linear time on one of them can be stopped for good by a page of a
few megabytes, so every family is read at two sizes and the times are compared.
"""

import gzip
import random
import zlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

import brotli
import zstandard


class Body(NamedTuple):
    """What a server sends."""

    data: bytes
    content_type: str = "text/html; charset=utf-8"
    encoding: str = ""
    """Of the content: gzip, deflate, br, zstd."""


Make = Callable[[int], bytes]


def repeat(piece: bytes, before: bytes = b"<body>", after: bytes = b"") -> Make:
    def make(size: int) -> bytes:
        return before + piece * max(1, size // len(piece)) + after

    return make


def number(template: str, before: bytes = b"<body>", after: bytes = b"") -> Make:
    """The template with a running number in it, so that nothing is equal to anything."""

    def make(size: int) -> bytes:
        parts, length, at = [], 0, 0
        while length < size:
            part = template.replace("#", str(at)).encode()
            parts.append(part)
            length += len(part)
            at += 1
        return before + b"".join(parts) + after

    return make


FAMILIES: dict[str, Make] = {
    # Nesting: open elements that are never closed, or closed by the wrong name.
    "open divs": repeat(b"<div>"),
    "divs closed by another name": repeat(b"<div></x>"),
    "divs closed by a stray end": repeat(b"<div></p>"),
    "spans in spans": repeat(b"<span>"),
    "unknown elements": number("<x#>"),
    "custom elements": repeat(b"<my-box>"),
    "open inline": repeat(b"<b><i><u>"),
    "fonts that are reopened": repeat(b"<font size=1><p>"),
    "misnested formatting": repeat(b"<b><p></b>"),
    "links in links": repeat(b"<a href=x><div>"),
    "forms in forms": repeat(b"<form><div>"),
    "tables in tables": repeat(b"<table><tr><td>"),
    "tables with foster parents": repeat(b"<table><div>"),
    "cells without rows": repeat(b"<td>", b"<table>"),
    "rows": repeat(b"<tr><td>x", b"<table>"),
    "lists in lists": repeat(b"<ul><li>"),
    "list items": repeat(b"<li>"),
    "definitions": repeat(b"<dt><dd>"),
    "paragraphs": repeat(b"<p>"),
    "ruby texts": repeat(b"<rt>", b"<ruby>"),
    "ruby parentheses": repeat(b"<rp>", b"<ruby>"),
    "ruby mixed": repeat(b"<rb><rt><rtc><rp>", b"<ruby>"),
    "templates": repeat(b"<template>"),
    "svg groups": repeat(b"<g>", b"<svg>"),
    "svg in html in svg": repeat(b"<svg><foreignObject><div>"),
    "math": repeat(b"<mrow>", b"<math>"),
    "frames": repeat(b"<iframe src=x></iframe>"),
    "objects": repeat(b"<object>"),
    "headings": repeat(b"<h1>"),
    "buttons": repeat(b"<button>"),
    "bodies": number("<body a#=1>"),
    "html tags": number("<html a#=1>"),
    "end tags": repeat(b"</div>"),
    "end tags of another name": repeat(b"</x>", b"<body>" + b"<div>" * 400),
    "breaks by end tag": repeat(b"</br>"),
    "framesets": repeat(b"<frameset>", b""),
    # Attributes.
    "attributes of one tag": number(" a#=1", b"<body><div", b">"),
    "attributes without values": number(" a#", b"<body><div", b">"),
    "equal attributes": repeat(b" a=1", b"<body><div", b">"),
    "attributes with brackets in values": number(" a#='>'", b"<body><div", b">"),
    "a long value": repeat(b"x", b"<body><div title='", b"'>"),
    "an unclosed value": repeat(b"x", b"<body><div title='"),
    "unclosed tags": repeat(b"<div "),
    "many classes": number(" c#", b"<body><div class='", b"'>x</div>"),
    # Forms.
    "options": number("<option value=#>choice #", b"<body><form><select name=s>"),
    "options closed": number(
        "<option value='#'>choice #</option>",
        b"<body><form action=/s><select name=s>",
        b"</select>",
    ),
    "option groups": number("<optgroup label=#><option>#", b"<body><form><select name=s>"),
    "selects": number("<select name=s#><option>a<option>b</select>", b"<body><form>"),
    "inputs": number("<input name=i#>", b"<body><form>"),
    "inputs of one name": repeat(b"<input name=i>", b"<body><form>"),
    "radio buttons": number("<input type=radio name=r value=#>", b"<body><form>"),
    "labels": number("<label for=i#>label #</label><input id=i#>", b"<body><form>"),
    "labels for one": repeat(b"<label for=i>x</label>", b"<body><form><input id=i>"),
    "forms": number("<form action=/#><input name=q></form>"),
    "fields outside forms": number("<input name=q# form=f#>"),
    "datalists": number(
        "<datalist id=d#><option value=#></datalist><input list=d#>", b"<body><form>"
    ),
    # Links and text.
    "links": number("<a href=/p/#>page #</a> "),
    "links of one target": repeat(b"<a href=/p>page</a> "),
    "links with long paths": number("<a href='/" + "a/" * 200 + "#'>x</a>"),
    "links with parameters": number("<a href='/?" + "a=1&" * 100 + "#'>x</a>"),
    "links up": repeat(b"<a href='" + b"../" * 300 + b"'>x</a>"),
    "broken links": number("<a href='http://[#'>x</a>"),
    "data links": repeat(b"<a href='data:text/html," + b"x" * 900 + b"'>x</a>"),
    "bases": number("<base href=/#/>", b"<head>"),
    "metas": number("<meta name=a# content=#>", b"<head>"),
    "one long word": repeat(b"x"),
    "many words": number("word# "),
    "spaces": repeat(b" "),
    "line ends": repeat(b"\r\n"),
    "no-break spaces": repeat("\u00a0".encode()),
    "combining marks": repeat("e\u0301".encode()),
    "a letter with many marks": repeat("\u0301".encode(), b"<body>e"),
    "right to left": repeat("\u202e\u05d0".encode()),
    "lone surrogates": repeat(b"\xed\xa0\x80"),
    "null bytes": repeat(b"\x00"),
    "null bytes in tags": repeat(b"<d\x00iv>"),
    "invalid utf-8": repeat(b"\xff\xfe\xfd"),
    "entities": repeat(b"&amp;"),
    "unknown entities": number("&x#;"),
    "numeric entities": repeat(b"&#x1F600;"),
    "entities without end": repeat(b"&#1"),
    "comments": repeat(b"<!-- x -->"),
    "an open comment": repeat(b"<!-- "),
    "bangs": repeat(b"<!"),
    "questions": repeat(b"<?"),
    "an open script": repeat(b"var x = '<div>';", b"<script>"),
    "scripts": repeat(b"<script>x</script>"),
    "script escapes": repeat(b"<!--<script>", b"<script>"),
    "styles": repeat(b"<style>p{}</style>"),
    "titles": repeat(b"<title>x</title>", b""),
    "cdata": repeat(b"<![CDATA[x]]>", b"<svg>"),
    "less-than signs": repeat(b"<"),
    "greater-than signs": repeat(b">"),
    "quotes": repeat(b"'\""),
    "doctypes": repeat(b"<!doctype html>", b""),
    "plain text": repeat(b"x\n", b"<plaintext>"),
}

_CHARSETS = (
    "idna", "undefined", "punycode", "unicode_escape", "raw_unicode_escape", "utf-7", "hex",
    "rot13", "base64", "zlib", "mbcs", "utf-16", "utf-32", "utf-8-sig", "iso-2022-jp",
    "iso-2022-kr", "hz",
    "gb18030", "big5", "euc-jp", "shift_jis", "ibm037", "x-user-defined", "replacement", "x" * 500,
    "utf-8\x00", "", "none", "8859-1", "windows-31j",
)  # fmt: skip


def list_charsets() -> list[Body]:
    """Every charset that a page could claim and no browser, or no codec, means by it."""
    text = "<body><p>H\u00e9llo</p><form><input name=q></form>".encode()
    header = [Body(text, f"text/html; charset={name}") for name in _CHARSETS]
    inside = [
        Body(f"<meta charset='{name}'>".encode("utf-8", "replace") + text, "text/html")
        for name in _CHARSETS
    ]
    return header + inside


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.ZstdCompressor().compress,
}


def list_packed(size: int) -> dict[str, Body]:
    """Bodies that are small on the wire."""
    zeros = b"\0" * size
    empty = gzip.compress(b"", mtime=0)
    found = {f"{name} of zeros": Body(pack(zeros), encoding=name) for name, pack in PACKERS.items()}
    found["empty gzip members"] = Body(empty * (size // len(empty)), encoding="gzip")
    found["gzip in gzip"] = Body(gzip.compress(gzip.compress(zeros)), encoding="gzip, gzip")
    found["cut gzip"] = Body(gzip.compress(zeros)[:-20], encoding="gzip")
    found["no gzip at all"] = Body(zeros[:10_000], encoding="gzip")
    return found


class Grammar:
    """Random documents from the families' pieces, nested in each other: what nobody thought of."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def make(self, size: int) -> bytes:
        parts: list[bytes] = []
        length = 0
        while length < size:
            name = self._chance.choice(NAMES)
            piece = FAMILIES[name](self._chance.choice((20, 200, 2_000, size // 20 + 1)))
            if self._chance.random() < 0.2:
                piece = self._spoil(piece)
            parts.append(piece)
            length += len(piece)
        return b"".join(parts)[: 2 * size]

    def _spoil(self, piece: bytes) -> bytes:
        """Cut, turned round, or with some bytes changed."""
        chance = self._chance
        changed = bytearray(piece)
        for _ in range(chance.randint(1, 20)):
            changed[chance.randrange(len(changed))] = chance.choice(b"<>/='\"& \x00\xffax")
        return bytes(changed[chance.randrange(len(changed)) :]) or b"<"


NAMES: Sequence[str] = tuple(FAMILIES)
