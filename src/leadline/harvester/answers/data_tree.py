"""Answers that are data: JSON, JSON lines, JSONP, XML and feeds, and state inside pages, as trees.

A tree consists of dicts, lists, strings, numbers, booleans and None. Whatever cannot be read as one
gives None: the caller reads the body as a page.
"""

import json
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

MAX_DEPTH = 60
"""Of a tree that is made from XML; real feeds nest about ten levels."""
MAX_SCRIPT_TREES = 12
"""State that is read of one page, the largest first met; pages have one or two."""
MAX_SCRIPT_CHARS = 5_000_000
_MIN_STATE_CHARS = 200
"""A list of results in a script is longer; settings are shorter."""
_MAX_LINES = 50_000
_MAX_ASSIGNMENTS = 200
_HEAD_BYTES = 2_000
TEXT_KEY = "#text"
"""The text of an XML element that has attributes or children too."""
_GUARDS = (b")]}'", b"for(;;);", b"while(1);", b"/*-secure-", b"{}&&")
"""What stands before JSON that is not to be run as a script."""
_callback = re.compile(r"^\s*(?:/\*.*?\*/)?\s*[\w$.\[\]]{1,80}\s*\(\s*(?=[\[{])", re.DOTALL).match
_lone_ampersand = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)")
_declared = re.compile(rb"^\s*<\?xml|^\s*<(?:rss|feed|rdf:RDF|urlset|results?|response)\b", re.I)
_script = re.compile(r"<script\b([^>]{0,2000})>(.*?)</script", re.IGNORECASE | re.DOTALL)
_is_data_script = re.compile(r"type\s*=\s*[\"']?application/(?:[\w.+-]*\+)?json", re.I).search
_assignment = re.compile(
    r"(?:\b(?:var|let|const)\s+)?[\w$.\[\]\"']{1,80}\s*[=:]\s*(?=[\[{]\s*[\[{\"'\w$\]}])"
)
_parsed = re.compile(r"JSON\.parse\(\s*(?=[\"'])")
_bare_key = re.compile(r"([{,]\s*)([A-Za-z_$][\w$]*)(\s*:)")
_trailing_comma = re.compile(r",(\s*[\]}])")
_decoder = json.JSONDecoder()


def read_data(body: bytes, content_type: str = "") -> Any:
    """The tree of a body that is JSON or XML; None for anything else, pages above all."""
    kind = content_type.partition(";")[0].strip().lower()
    head = body[:_HEAD_BYTES].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<!doctype html", b"<html")) or b"<html" in head:
        return None
    if head.startswith(b"<"):
        is_xml = bool(_declared.match(head)) or kind.endswith(("/xml", "+xml"))
        return _read_xml(body) if is_xml else None
    if head.startswith((b"{", b"[", *_GUARDS)) or kind.endswith(("json", "javascript")):
        return _read_json(body)
    return None


def _read_json(body: bytes) -> Any:
    text = body.decode("utf-8-sig", "replace").strip()
    for guard in _GUARDS:
        text = text.removeprefix(guard.decode()).lstrip()
    if found := _callback(text):
        text = text[found.end() :].rstrip(" ;\r\n\t").removesuffix(")")
    tree = _decode(text)
    return tree if tree is not None else _read_json_lines(text)


def _decode(text: str) -> Any:
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return tree if isinstance(tree, dict | list) else None


def _read_json_lines(text: str) -> list[Any] | None:
    """One value on each line; a line that is cut off at the end is left out."""
    lines = [line for line in text.splitlines()[:_MAX_LINES] if line.strip()]
    rows = [row for row in map(_decode, lines) if row is not None]
    return rows if len(rows) > 1 and len(rows) >= len(lines) - 1 else None


def _read_xml(body: bytes) -> Any:
    # Entities of the document's own are how small files become large ones.
    if b"<!ENTITY" in body[:100_000]:
        return None
    root = _parse_xml(body.lstrip())
    if root is None:
        # Feeds made by hand forget to write `&` as an entity, and use names that HTML knows.
        root = _parse_xml(_lone_ampersand.sub(b"&amp;", body.lstrip()))
    return None if root is None else {_local_name(root.tag): _element_tree(root, 0)}


def _parse_xml(body: bytes) -> ElementTree.Element | None:
    try:
        return ElementTree.fromstring(body)  # noqa: S314 - entities are refused by the caller
    except (ElementTree.ParseError, ValueError, LookupError):
        return None


def _element_tree(element: ElementTree.Element, depth: int) -> Any:
    """Children by name, repeated ones as a list; a mere text if there is nothing else."""
    text = " ".join((element.text or "").split())
    tree: dict[str, Any] = {_local_name(name): value for name, value in element.attrib.items()}
    if depth < MAX_DEPTH:
        for child in element:
            if not isinstance(child.tag, str):
                continue
            name, value = _local_name(child.tag), _element_tree(child, depth + 1)
            if name not in tree:
                tree[name] = value
            elif isinstance(tree[name], list):
                tree[name].append(value)
            else:
                tree[name] = [tree[name], value]
    if not tree:
        return text
    if text:
        tree[TEXT_KEY] = text
    return tree


def _local_name(tag: str) -> str:
    return tag.rpartition("}")[2]


def find_script_data(html: str) -> Iterator[Any]:
    """Trees that the scripts of a page hold: whole scripts of JSON, values that are assigned."""
    left = MAX_SCRIPT_TREES
    for found in _script.finditer(html):
        code = found[2]
        if not _MIN_STATE_CHARS <= len(code) <= MAX_SCRIPT_CHARS:
            continue
        for tree in _trees_of_script(found[1], code):
            if left <= 0:
                return
            left -= 1
            yield tree


def _trees_of_script(attributes: str, code: str) -> Iterator[Any]:
    if _is_data_script(attributes):
        tree = _decode(code.strip().removeprefix("<!--").removesuffix("-->"))
        if tree is not None:
            yield tree
        return
    end = 0
    for number, found in enumerate(_parsed.finditer(code)):
        if number >= _MAX_ASSIGNMENTS:
            break
        tree = _decode_string(code, found.end())
        if tree is not None:
            yield tree
    for number, found in enumerate(_assignment.finditer(code)):
        if number >= _MAX_ASSIGNMENTS:
            return
        if found.end() < end:
            continue
        tree, end = _decode_at(code, found.end())
        if tree is not None and end - found.end() >= _MIN_STATE_CHARS:
            yield tree


def _decode_string(code: str, start: int) -> Any:
    """JSON that stands in a string of a script."""
    mark = code[start]
    end = start + 1
    while end < len(code) and code[end] != mark:
        end += 2 if code[end] == "\\" else 1
    inner = code[start + 1 : end]
    if mark == "'":
        inner = inner.replace("\\'", "'").replace('"', '\\"').replace('\\\\"', '\\\\\\"')
    try:
        text = json.loads(f'"{inner}"')
    except ValueError:
        return None
    return _decode(text)


def _decode_at(code: str, start: int) -> tuple[Any, int]:
    """The value that begins at a place of a script, and where it ends."""
    try:
        tree, end = _decoder.raw_decode(code, start)
    except (ValueError, RecursionError):
        return _decode_literal(code, start)
    return tree, end


def _decode_literal(code: str, start: int) -> tuple[Any, int]:
    """A literal of JavaScript that is no JSON: bare names, single quotes, commas at the end."""
    end = _end_of_literal(code, start)
    if end is None:
        return None, start
    text = _double_quotes(code[start:end])
    text = _trailing_comma.sub(r"\1", _bare_key.sub(r'\1"\2"\3', text))
    return _decode(text), end


def _end_of_literal(code: str, start: int) -> int | None:
    """Where the brackets that open at a place are closed; None if they are not."""
    depth = 0
    mark = ""
    position = start
    while position < len(code):
        letter = code[position]
        if mark:
            if letter == "\\":
                position += 1
            elif letter == mark:
                mark = ""
        elif letter in "\"'`":
            mark = letter
        elif letter in "[{(":
            depth += 1
        elif letter in "]})":
            depth -= 1
            if depth == 0:
                return position + 1
        position += 1
    return None


_single_quoted = re.compile(r'"(?:[^"\\]|\\.)*"|\'((?:[^\'\\]|\\.)*)\'', re.DOTALL)


def _double_quotes(text: str) -> str:
    def double(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0]
        return json.dumps(found[1].replace("\\'", "'"), ensure_ascii=False)

    return _single_quoted.sub(double, text)
