"""Answers that are data: JSON, JSON lines, JSONP, XML and feeds, separated values, and state inside
pages, as trees.

A tree consists of dicts, lists, strings, numbers, booleans and None. Whatever cannot be read as one
gives None: the caller reads the body as a page.
"""

import csv
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from leadline.harvester.answers.data_tables import name_rows
from leadline.page.json_text import decode_json, repair_escapes

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
_SEPARATED = frozenset({"text/csv", "text/tab-separated-values", "application/csv", "text/plain"})
_ITEMS = frozenset({"item", "entry", "doc", "hit", "row", "record"})
"""Names of XML elements that are items of a list even if there is only one."""
_GUARDS = (b")]}'", b"for(;;);", b"while(1);", b"/*-secure-", b"{}&&")
"""What stands before JSON that is not to be run as a script."""
_callback = re.compile(r"^\s*(?:/\*.*?\*/)?\s*[\w$.\[\]]{1,80}\s*\(\s*(?=[\[{])", re.DOTALL).match
_assigned = re.compile(r"^(?:(?:var|let|const)\s+)?[\w$.]{1,80}\s*=\s*(?=[\[{])").match
_MAX_FOLDS = 4
"""Depth, and length of lists, to which strings are looked into for JSON."""
_MIN_FOLDED_CHARS = 20
_lone_ampersand = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)")
_declared = re.compile(rb"^\s*<\?xml|^\s*<(?:rss|feed|rdf:RDF|urlset|results?|response)\b", re.I)
_script_begin = re.compile(r"<script\b([^<>]{0,2000})>", re.IGNORECASE)
_script_end = re.compile("</script", re.IGNORECASE)
_is_data_script = re.compile(r"type\s*=\s*[\"']?application/(?:[\w.+-]*\+)?json", re.I).search
_assignment = re.compile(
    r"(?:\b(?:var|let|const)\s+)?[\w$.\[\]\"']{1,80}\s*[=:]\s*"
    r"(?=[\[{]\s*[\[{\"'\w$\]}]|new\s+Array\s*\()"
)
_filling = re.compile(
    r"(?P<name>[\w$.]{1,80})(?:\.push\(|\[\d{1,6}\]\s*=)\s*(?=[\[{]|new\s+Array\s*\()"
)
_line_key = re.compile(r"^[0-9a-zA-Z]{1,8}:")
_new_array = re.compile(r"new\s+Array\s*(?=\()")
_parsed = re.compile(r"JSON\.parse\(\s*(?=[\"'])")
_bare_key = re.compile(r"([{,]\s*)([A-Za-z_$][\w$]*)(\s*:)")
_trailing_comma = re.compile(r",(\s*[\]}])")
_decoder = json.JSONDecoder()


def read_data(body: bytes, content_type: str = "") -> Any:
    """The tree of a body that is JSON or XML; None for anything else, pages above all."""
    return name_rows(_unfold(_read_tree(body, content_type)))


def _read_tree(body: bytes, content_type: str) -> Any:
    kind = content_type.partition(";")[0].strip().lower()
    head = body[:_HEAD_BYTES].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<!doctype html", b"<html")) or b"<html" in head:
        return None
    if head.startswith(b"<"):
        is_xml = bool(_declared.match(head)) or kind.endswith(("/xml", "+xml"))
        return _read_xml(body) if is_xml else None
    text = _decode_text(body, content_type)
    start = text[:_HEAD_BYTES].lstrip()
    guards = tuple(guard.decode() for guard in _GUARDS)
    if start.startswith(("{", "[", *guards)) or kind.endswith(("json", "javascript")):
        return _read_json(text)
    if kind in _SEPARATED or kind.endswith(("csv", "tab-separated-values")):
        return _read_separated(text)
    return None


def _decode_text(body: bytes, content_type: str) -> str:
    """As the content type says; else JSON is in one of the encodings of Unicode."""
    charset = content_type.lower().partition("charset=")[2].partition(";")[0].strip(" \"'")
    for name in (charset, json.detect_encoding(body[:4])):
        try:
            return body.decode(name or "utf-8-sig", "strict").removeprefix("\ufeff")
        except (LookupError, UnicodeDecodeError):
            continue
    return body.decode("utf-8-sig", "replace")


def _read_separated(text: str) -> list[dict[str, str]] | None:
    """Lines of values with a line of names first, whatever separates them; None if lines differ in
    their number of values."""
    lines = text[:MAX_SCRIPT_CHARS].splitlines()[:_MAX_LINES]
    for sign in ("\t", ",", ";", "|"):
        if sign not in text[:_HEAD_BYTES]:
            continue
        try:
            rows = [row for row in csv.reader(lines, delimiter=sign) if row]
        except csv.Error:
            continue
        width = len(rows[0]) if rows else 0
        fitting = [row for row in rows[1:] if len(row) == width]
        is_named = width > 1 and all(0 < len(name) < 60 for name in rows[0])
        if is_named and fitting and len(fitting) >= 0.9 * (len(rows) - 1):
            return [dict(zip(rows[0], row, strict=True)) for row in fitting]
    return None


def _read_json(text: str) -> Any:
    text = text.strip()
    for guard in _GUARDS:
        text = text.removeprefix(guard.decode()).lstrip()
    if found := _callback(text):
        text = text[found.end() :].rstrip(" ;\r\n\t").removesuffix(")")
    elif found := _assigned(text):
        text = text[found.end() :].rstrip(" ;\r\n\t")
    tree = _decode(text)
    return tree if tree is not None else _read_json_lines(text)


def _unfold(value: Any, depth: int = 0) -> Any:
    """A tree with the trees that its strings hold as JSON: services often wrap what they send."""
    if depth > _MAX_FOLDS:
        return value
    if isinstance(value, dict):
        return {key: _unfold(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list) and len(value) <= _MAX_FOLDS:
        return [_unfold(inner, depth + 1) for inner in value]
    if isinstance(value, str) and len(value) > _MIN_FOLDED_CHARS:
        text = value.strip()
        if text[:1] + text[-1:] in ("{}", "[]"):
            tree = _decode(text)
            return value if tree is None else tree
    return value


def _decode(text: str) -> Any:
    try:
        tree = decode_json(text)
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
            value = _element_tree(child, depth + 1)
            name = _local_name(child.tag)
            if child.attrib.keys() == {"name"} and (child.text or "").strip():
                # `<str name="title">Dune</str>`: the attribute names the value.
                name, value = child.attrib["name"], value[TEXT_KEY]
            if name not in tree:
                tree[name] = [value] if name in _ITEMS and isinstance(value, dict) else value
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
    for attributes, code in _list_scripts(html):
        if not _MIN_STATE_CHARS <= len(code) <= MAX_SCRIPT_CHARS:
            continue
        for tree in _trees_of_script(attributes, repair_escapes(code)):
            if left <= 0:
                return
            left -= 1
            yield name_rows(tree)


def _list_scripts(html: str) -> Iterator[tuple[str, str]]:
    """The attributes and the code of each script. One that nothing ends is the last: looking for
    an end behind each of a million beginnings would take hours."""
    at = 0
    while (begin := _script_begin.search(html, at)) and (
        end := _script_end.search(html, begin.end())
    ):
        yield begin[1], html[begin.end() : end.start()]
        at = end.end()


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
    yield from _gathered_trees(code)
    for number, found in enumerate(_assignment.finditer(code)):
        if number >= _MAX_ASSIGNMENTS:
            return
        if found.end() < end:
            continue
        tree, end = _decode_at(code, found.end())
        if tree is not None and end - found.end() >= _MIN_STATE_CHARS:
            yield tree


def _gathered_trees(code: str) -> Iterator[Any]:
    """Lists that a script fills item by item: `rows.push({...})`, `rows[7] = {...}`; and JSON that
    it pushes as text, a line for each value."""
    lists: dict[str, list[Any]] = defaultdict(list)
    for number, found in enumerate(_filling.finditer(code)):
        if number >= _MAX_LINES:
            break
        tree, _ = _decode_at(code, found.end())
        if tree is not None:
            lists[found["name"]].append(tree)
    for items in lists.values():
        texts = [value for item in items if isinstance(item, list) for value in item
                 if isinstance(value, str)]  # fmt: skip
        lines = (_line_key.sub("", line) for line in "".join(texts).splitlines())
        yield from filter(None, map(_decode, lines))
        if len(items) > 1:
            yield items


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
        text = decode_json(f'"{inner}"')
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
    text = _double_quotes(_square_brackets(code[start:end]))
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


def _square_brackets(code: str) -> str:
    """`new Array(1, 2)` as `[1, 2]`; strings stay as they are."""
    if not _new_array.search(code):
        return code
    out: list[str] = []
    open_arrays: list[bool] = []
    for piece in _pieces.findall(code):
        if _new_array.match(piece + "("):
            open_arrays.append(True)
            out.append("[")
        elif piece == "(":
            # The one of the array before it is opened already.
            if not (out and out[-1] == "[" and open_arrays and open_arrays[-1]):
                open_arrays.append(False)
                out.append(piece)
        elif piece == ")" and open_arrays:
            out.append("]" if open_arrays.pop() else piece)
        else:
            out.append(piece)
    return "".join(out)


_pieces = re.compile(
    r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|new\s+Array\s*(?=\()|[()]|[^"\'()n]+|n|["\']',
    re.DOTALL,
)
_single_quoted = re.compile(r'"(?:[^"\\]|\\.)*"|\'((?:[^\'\\]|\\.)*)\'', re.DOTALL)


def _double_quotes(text: str) -> str:
    def double(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0]
        return json.dumps(found[1].replace("\\'", "'"), ensure_ascii=False)

    return _single_quoted.sub(double, text)
