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
    "ruby texts in no ruby": repeat(b"<rt>"),
    "ruby parentheses in no ruby": repeat(b"<rp>"),
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
    # What a tokenizer may take for something else, with a trap behind it.
    "divs in noscript": repeat(b"<div>", b"<body><noscript>"),
    "divs after an empty comment": repeat(b"<div>", b"<body><!-->"),
    "divs after a broken comment": repeat(b"<div>", b'<body><! <a b=">', b'">'),
    "divs after a script in a script": repeat(
        b"<div>", b'<body><script><!--<script></script><a b="--></script>', b'">'
    ),
    "divs after an equals sign": repeat(b"<div>", b'<body><a ="x>', b'">'),
    "divs after an unquoted value": repeat(b"<div>", b'<body><a b=c="x>', b'">'),
    "divs in a style in a menu": repeat(b"<div>", b'<body><select><style><a b="</style>', b'">'),
    "groups in a style in a drawing": repeat(b"<g>", b"<body><svg><style>"),
    "elements that close themselves": repeat(b"<div/>", b"<svg><foreignObject>"),
    "inputs in a drawing": repeat(b"<input>", b"<svg>"),
    "ends that a table stops": repeat(b"<div><table><tr><td></div>"),
    "ends that a block stops": repeat(b"<span><div></span>"),
    "formatting that a block outlives": repeat(b"<b><div></b>"),
    "formatting left open in paragraphs": number("<p><font size=#>x</p>"),
    "formatting left open in cells": number("<td><b c=#>x</td>", b"<table>"),
    "formatting left open in boxes": number("<div><i c=#>x</div>"),
    "links in objects": repeat(b"<object><a href=x>"),
    "attributes with tags in values": number(" a# b# c# d='<'", b"<body><div", b">"),
    "attributes between brackets": number(
        " a#" + " b#x c#x d#x" * 30 + " e#='>'", b"<body><div", b">"
    ),
    "tags of many attributes": repeat(
        b"<p " + b" ".join(b"a%x" % n for n in range(3_000)) + b">",
    ),
    "tags of some attributes": repeat(b"<p " + b" ".join(b"%x" % n for n in range(60)) + b">"),
    # Labels that many controls share.
    "controls in one label": lambda size: (
        b"<body><form><label>" + b"word " * (size // 10) + b"<input name=q>" * (size // 28)
    ),
    "controls named by others": lambda size: (
        b"<body><form>"
        + b"<p id=x>" * (size // 16)
        + number("<input aria-labelledby='a# b# c# d#'>", b"")(size // 2)
    ),
    "controls below comments": lambda size: (
        b"<body><form><table><tr><td>x<tr><td>y</tr>"
        + b"<!---->" * (size // 14)
        + b"<tr><td>"
        + b"<input>" * (size // 14)
    ),
    "search boxes in no form": number("<input type=search name=q#>"),
    "buttons of a form": number("<button name=b# value=#>next #</button>", b"<form>"),
    "hidden fields": number("<input type=hidden name=h# value=v#>", b"<form><input name=q>"),
    "pairs of fields": number("<input name=from#><input name=to#>", b"<form>"),
    "menus of years": number("<select name=y#><option>1990<option>1991</select>", b"<form>"),
    # Lists of results.
    "results": number("<li><a href=/item/#>Title # of a book</a> by Author # <b>word</b></li>"),
    "results in a table": number("<tr><td>#<td><a href=/i/#>Title #</a><td>12.#", b"<table>"),
    "results without links": number("<div class=r#><b>Name:</b> value # <i>Year:</i> 19#</div>"),
    "results with many names": number("<p class=r>" + "Name: value # Year: 19 " * 8 + "</p>"),
    "results of differing classes": number(
        "<li>" + "".join(f"<b class=c{n}x#><a href=/{n}/#>x#</a></b>" for n in range(9)) + "</li>",
        b"<ul>",
    ),
    "scripts that nothing ends": repeat(b"<script>a = 1; "),
    "beginnings of scripts": repeat(b"<script "),
    "results of many parameters": number(
        "<li><a href='/i?" + "&".join(f"p{n}x#=#" for n in range(40)) + "'>Title #</a></li>"
    ),
    "results of many segments": number("<li><a href='/" + "s#/" * 200 + "'>Title #</a></li>"),
    "lists in results": number("<div><ul><li>a #<li>b #<li>c #</ul><ul><li>d #<li>e #</ul></div>"),
    "lists in lists of equal weight": lambda size: (
        b"<body>"
        + b"<ul><li>some words here</li><li>" * 90
        + number("<i></i>", b"")(size)
        + b"<p>more words at the end of it all"
    ),
    "values in records": number("<section><h3>#</h3><dl><dt>a<dd>#<dt>b<dd>#</dl></section>"),
    "one row of cells": number("<td>cell #", b"<table><tr>"),
    "one row of empty cells": lambda size: (
        b"<table><tr>" + b"<td>" * (size // 8) + number("<td>x #", b"")(size // 2)
    ),
    "numbers in a line": number("<b># of #</b> "),
    "numbers in lines": number("# results<br>"),
    "preformatted lines": number("  line #\n", b"<pre>"),
    "terms and definitions": number("<dt>term #<dd>text #", b"<dl>"),
    "images": number("<img src=/i#.png alt='picture #'>"),
    "breaks": repeat(b"<br>x"),
    "texts parted by comments": repeat(b"x<!-- -->"),
    # Links to pages.
    "a pager": number("<a href='/search?q=word&page=#'>#</a> "),
    "a pager with words": number(
        "<a href='/search?q=word&page=#'>#</a> <a href='/search?q=word&page=1#'>next</a> "
    ),
    "next links": number("<a href='/search?q=word&page=#'>next page</a> "),
    "a pager and next links": lambda size: (
        number("<a href='/search?q=word&page=#'>#</a> ", b"<body>")(size // 2)
        + number("<a href='/search?q=word&page=9#'>next</a> ", b"")(size // 2)
    ),
    "numbers beside a pager": lambda size: (
        number("<a href='/search?q=word&page=#'>#</a> ", b"<body>")(size // 2)
        + number("<i>#</i> ", b"")(size // 2)
    ),
    "pagers": repeat(
        b"<div class=pager><a href=?page=1>1</a> <b>2</b> <a href=?page=3>3</a></div>"
    ),
    "next links below short texts": lambda size: (
        b"<div>" + b"x<!-- -->" * (size // 20) + number("<a href=?page=#>next</a>", b"")(size // 2)
    ),
    "page sizes": number("<a href='/search?q=word&rows=#0'>#0</a> "),
    "menus of addresses": number("<option value='/search?q=word&rows=#'>#", b"<select>"),
    "scripted buttons": number("<button onclick=\"location.href='/search?page=#'\">next</button>"),
    "relations": number("<link rel='next r#' href=/#>", b"<head>"),
    # Words of many scripts.
    "one word of letters with marks": repeat("a\u0300".encode()),
    "ligatures that unfold": repeat("\ufdfa ".encode()),
    "Han letters": repeat("\u4e00\u4e8c\u4e09".encode()),
    "katakana": repeat("\u30ab".encode()),
    "digits of other scripts": repeat("\u0661\u0662 ".encode()),
    "digits": repeat(b"1"),
    "signs": repeat(b"a: "),
    "dots": repeat(b". "),
    "long numbers": repeat(b"1,234 "),
    # What is no HTML.
    "JSON": number('{"title": "Title #", "next": "/search?page=#"},', b"["),
    "JSON in JSON": repeat(b'{"a":['),
    "XML": number("<record><title>Title #</title></record>", b"<?xml version='1.0'?><records>"),
    "XML entities": number("<!ENTITY a# '&a0;&a0;'>", b"<!DOCTYPE x [", b"]>&a9;"),
    "a feed": number("<item><link>http://a.example/#</link></item>", b"<rss>"),
    # What is read of robots.txt and sitemaps.
    "robots rules": number("Disallow: /#\n", b"User-agent: *\n"),
    "robots wildcards": number("Disallow: /" + "*a" * 30 + "#$\n", b"User-agent: *\n"),
    "one robots wildcard": repeat(b"*a", b"User-agent: *\nDisallow: /"),
    "robots agents": number("User-agent: bot#\n", b"", b"Disallow: /"),
    "robots groups": number("User-agent: bot#\nDisallow: /#\nCrawl-delay: #\n", b""),
    "robots groups of one": repeat(b"User-agent: leadline\nAllow: /a\n", b""),
    "robots blanks": repeat(b" ", b"User-agent: *\nDisallow:"),
    "robots tabs": repeat(b"user-agent\t ", b""),
    "robots percents": repeat(b"%e0", b"User-agent: *\nDisallow: /"),
    "sitemap": number("<url><loc>http://a.example/p/#</loc></url>", b"<urlset>"),
    "sitemap blanks": repeat(b"<loc> ", b"<urlset>"),
    "sitemap data": repeat(b"<loc><![CDATA[ ", b"<urlset>"),
    "sitemap entities": repeat(b"<loc>http://a.example/&amp;&#1", b"<urlset>"),
    "sitemap lines": number("http://a.example/p/#\n", b""),
    # Lines of headers.
    "cookies": number("a#=b; Expires=Thu, 01 Jan 2099 00:00:00 GMT; Max-Age=#\n", b""),
    "dates": number("Thu, 01 Jan 20## 00:00:00 +#\n", b""),
    "charsets": number("text/html; charset=x#; charset=\n", b""),
    "addresses": number("http://user#:p@[::#]:#/../%2e%2e/\u0130#?#;#\n", b""),
    "international hosts": number("http://xn--#-\u00fc.\u4e2d.example/\n", b""),
    "commands": number("/delete/#/logout?action=remove&do=#\n", b""),
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
