"""What a browser would send of a form: HTML's entry list, and its three encodings as bytes.

Follows the HTML standard, "Form submission"; its algorithms are named where a function is one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote_from_bytes

import xxhash

from leadline.core.page import Field, Form
from leadline.page.html_tree import find_codec

Entry = tuple[str, str]
"""Name and value."""

BUTTONS = frozenset({"submit", "image", "button", "reset"})
CHOSEN = frozenset({"select", "radio", "checkbox"})
"""Controls of which a person chooses a value that the page offers."""
_NOT_TYPED = BUTTONS | CHOSEN | {"hidden", "file"}
_TRIMMED = frozenset({"url", "email"})
_WHOLE = frozenset({"hidden", "textarea"})
"""Kinds whose value may hold line breaks."""
_SHAPES = {
    "number": r"-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?",
    "range": r"-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?",
    "date": r"\d{4,6}-\d\d-\d\d",
    "month": r"\d{4,6}-\d\d",
    "week": r"\d{4,6}-W\d\d",
    "time": r"\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?",
    "datetime-local": r"\d{4,6}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?",
    "color": r"#[0-9a-fA-F]{6}",
}
_has_shape = {kind: re.compile(shape, re.ASCII).fullmatch for kind, shape in _SHAPES.items()}
_ALWAYS_SET = {"range": "50", "color": "#000000"}
"""Kinds that are never empty; of a range the middle, as if its ends were the default ones."""
_line_breaks = re.compile(r"[\r\n]+")
IMAGE_POINT = "1"
"""Where image buttons are pressed: a point inside any image."""


def is_typed(field: Field) -> bool:
    """Whether a person can type into the control."""
    return field.kind not in _NOT_TYPED and not field.is_disabled


def entry_list(
    form: Form, values: Mapping[str, str], button: Field | None, charset: str
) -> list[Entry]:
    """Names and values in document order, defaults for controls that `values` does not name.

    A typed value goes into the first control of its name that can be typed into; a chosen one
    decides all check boxes, radio buttons and options of its name. "Constructing the entry list".
    """
    left = dict(values)
    entries: list[Entry] = []
    for field in sorted((*form.fields, *([button] if button else [])), key=lambda f: f.position):
        if field is button and field.kind == "image":
            prefix = f"{field.name}." if field.name else ""
            entries += [(f"{prefix}x", IMAGE_POINT), (f"{prefix}y", IMAGE_POINT)]
        elif field is button:
            entries += [(field.name, field.value)] if field.name else []
        elif field.is_disabled or not field.name or field.kind in BUTTONS:
            continue
        elif field.kind in CHOSEN:
            entries += [
                (field.name, value) for value in _chosen_values(field, values.get(field.name))
            ]
        elif field.kind == "hidden" and field.name == "_charset_":
            # A name with a meaning of its own: the server asks in which charset it is answered.
            entries.append((field.name, charset))
        else:
            typed = left.pop(field.name, field.value) if is_typed(field) else field.value
            entries.append((field.name, sanitise(field, typed)))
    return entries


def make_empty_query(form: Form) -> dict[str, str]:
    """The first control that can be filled, with what it holds already: a query for nothing."""
    for field in form.fields:
        is_chosen = field.kind in CHOSEN and not field.is_disabled
        if not field.name or not (is_chosen or is_typed(field)):
            continue
        held = next(_chosen_values(field, None), None) if is_chosen else field.value
        if held is not None or field.kind == "checkbox":
            return {field.name: held or ""}
    return {}


def sanitise(field: Field, value: str) -> str:
    """The value as the control can hold it, by the "value sanitization algorithm" of its type:
    '' for what has not its shape."""
    if field.kind in _WHOLE:
        return value
    value = _line_breaks.sub("", value)
    if field.kind in _TRIMMED:
        return value.strip()
    has_shape = _has_shape.get(field.kind)
    if has_shape and not has_shape(value):
        return _ALWAYS_SET.get(field.kind, "")
    return value


def _chosen_values(field: Field, value: str | None) -> Iterator[str]:
    if field.kind == "checkbox":
        is_ticked = field.is_checked if value is None else value == field.value
        yield from [field.value] if is_ticked else []
    elif value is None:
        yield from _preset_values(field)
    else:
        offered = (o.value for o in field.options if o.value == value and not o.is_disabled)
        yield from [first] if (first := next(offered, None)) is not None else []


def _preset_values(field: Field) -> list[str]:
    selected = [option for option in field.options if option.is_selected]
    if not field.is_multiple:
        selected = selected[-1:]
    if not selected and field.kind == "select" and not field.is_multiple and field.size <= 1:
        # A drop-down list always shows something: its first option that can be had.
        selected = [option for option in field.options if not option.is_disabled][:1]
    return [option.value for option in selected if not option.is_disabled]


def why_unfillable(form: Form, values: Mapping[str, str]) -> str:
    """Why a person could not fill the form so; '' if one could."""
    for name, value in values.items():
        fields = [f for f in form.fields if f.name == name and name]
        reasons = [_why_not_taken(field, value) for field in fields]
        if not reasons:
            return f"it has no control called {name!r}"
        if all(reasons):
            return f"{name!r} {reasons[0]}"
    missing = [f for f in form.fields if _is_missing(f, values)]
    return f"{missing[0].name!r} is required and would stay empty" if missing else ""


def _why_not_taken(field: Field, value: str) -> str:
    if field.kind == "checkbox":
        return "" if value in ("", field.value) and not field.is_disabled else "offers no such tick"
    if field.kind in CHOSEN:
        is_offered = any(o.value == value and not o.is_disabled for o in field.options)
        return "" if is_offered and not field.is_disabled else "does not offer that choice"
    if not is_typed(field):
        return f"is not for typing ({'disabled' if field.is_disabled else field.kind})"
    if field.max_length and len(value) > field.max_length:
        return f"takes at most {field.max_length} characters"
    return "" if sanitise(field, value) == value else f"takes no such value ({field.kind})"


def _is_missing(field: Field, values: Mapping[str, str]) -> bool:
    """Whether a browser would refuse to send for want of a value."""
    if not field.is_required or field.is_disabled or not field.name:
        return False
    if field.kind in CHOSEN:
        return not any(_chosen_values(field, values.get(field.name)))
    return is_typed(field) and not values.get(field.name, field.value)


URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
PLAIN = "text/plain"

_labels = re.compile(r"[^\s,;]+").findall
_places = re.compile(r"(?:\{|%7[Bb])(\w+)(?:\}|%7[Dd])").sub
_lone_breaks = re.compile(r"\r(?!\n)|(?<!\r)\n")
_lone_surrogates = re.compile("[\ud800-\udfff]")


def output_codec(charset: str) -> str:
    """The codec of the first known name in accept-charset; UTF-16 is read but never sent."""
    known = (find_codec(label) for label in _labels(charset))
    codec = next(filter(None, known), "utf-8")
    return "utf-8" if codec.startswith("utf-16") else codec


def charset_name(codec: str) -> str:
    """What browsers call the codec.

    >>> charset_name("cp1251"), charset_name("utf-8")
    ('windows-1251', 'UTF-8')
    """
    return "UTF-8" if codec == "utf-8" else codec.replace("cp125", "windows-125")


def urlencode(entries: Sequence[Entry], codec: str) -> str:
    """As in the query of a URL: letters, digits and `*-._` stay, a blank becomes a plus.

    >>> urlencode([("q", "a b~ü"), ("e", "")], "utf-8")
    'q=a+b%7E%C3%BC&e='
    """
    return "&".join(f"{_quote(name, codec)}={_quote(value, codec)}" for name, value in entries)


def fill_template(action: str, entries: Sequence[Entry], codec: str) -> str:
    """The address of a URL template: entries stand where it holds `{name}`, the others and those
    of fixed parameters in its query.

    >>> fill_template("http://a.test/find/%7Bquery%7D", [("query", "a/b c"), ("n", "1")], "utf-8")
    'http://a.test/find/a%2Fb%20c?n=1'
    """
    values = dict(entries)
    filled: set[str] = set()

    def fill(found: re.Match[str]) -> str:
        name = found[1]
        if name not in values:
            return ""
        filled.add(name)
        text = _quote(values[name], codec)
        is_in_path = "?" not in action[: found.start()]
        return text.replace("+", "%20") if is_in_path else text

    address = _places(fill, action)
    query = urlencode([entry for entry in entries if entry[0] not in filled], codec)
    if not query:
        return address
    return f"{address}{'&' if '?' in address else '?'}{query}"


def _quote(text: str, codec: str) -> str:
    return quote_from_bytes(_to_bytes(text, codec), safe="* ").replace("~", "%7E").replace(" ", "+")


def encode_body(entries: Sequence[Entry], codec: str, encoding: str) -> tuple[bytes, str]:
    """The body of a POST and its content type; unknown encodings are URL-encoded."""
    if encoding == MULTIPART:
        return _encode_multipart(entries, codec)
    if encoding == PLAIN:
        lines = (f"{name}={value}\r\n" for name, value in entries)
        return b"".join(_to_bytes(line, codec) for line in lines), PLAIN
    return urlencode(entries, codec).encode("ascii"), URLENCODED


def _encode_multipart(entries: Sequence[Entry], codec: str) -> tuple[bytes, str]:
    parts = [
        b'Content-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
        % (_to_bytes(name, codec, in_header=True), _to_bytes(value, codec))
        for name, value in entries
    ]
    # One that does not occur in the content, and the same for the same content: bodies are
    # compared, to see whether a page was asked for before.
    content, turn = b"".join(parts), 0
    while True:
        boundary = b"----leadline" + xxhash.xxh3_128_hexdigest(content, turn).encode()
        if boundary not in content:
            break
        turn += 1
    body = b"".join(b"--%s\r\n%s" % (boundary, part) for part in parts) + b"--%s--\r\n" % boundary
    return body, f"{MULTIPART}; boundary={boundary.decode()}"


def _to_bytes(text: str, codec: str, *, in_header: bool = False) -> bytes:
    """Line breaks as CR LF; what the codec lacks as a numeric character reference."""
    text = _lone_breaks.sub("\r\n", _lone_surrogates.sub("\ufffd", text))
    if in_header:
        text = text.replace("\r\n", "%0D%0A").replace('"', "%22")
    return text.encode(codec, "xmlcharrefreplace")
