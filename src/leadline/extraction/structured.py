"""What a page says of its record in data: JSON-LD, microdata, RDFa and OpenGraph.

Found are names of properties with texts; `extraction.wrapper_learning` takes them as labels of
what the page shows, or as values of their own. Data are as hostile as pages: all is bounded, and
what cannot be read is passed over.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from leadline.page.json_text import decode_json

_MAX_SCRIPTS = 20
_MAX_SCRIPT_CHARS = 500_000
_MAX_DEPTH = 6
_MAX_OBJECTS = 500
_MAX_PROPERTIES = 120
_MAX_VALUES = 30
_MAX_CHARS = 2_000
_MAX_ELEMENTS = 500
_FRAME_TYPES = frozenset(
    "WebSite WebPage BreadcrumbList ListItem ImageObject SearchAction ItemList EntryPoint Review "
    "SiteNavigationElement WPHeader WPFooter Rating Comment".split()
)
"""What describes a site or a part of a page; never its record."""
_OFTEN_FRAME = frozenset({"Organization", "Corporation", "Person", "NewsMediaOrganization"})
"""What describes who made a page more often than its record: taken if nothing else is described."""
_MARKS = (b"ld+json", b"itemprop", b"property=")
_SAYS_NAME = ("name", "title", "headline", "@value", "legalName", "url", "@id")
_ADDRESS_LINES = ("streetAddress", "addressLocality", "addressRegion", "postalCode")


def has_structured_data(body: bytes) -> bool:
    """Whether it is worth reading a page for its data."""
    return any(mark in body for mark in _MARKS)


def read_structured(tree: LexborHTMLParser) -> Mapping[str, tuple[str, ...]]:
    """Texts by the name of their property, `datePublished`. What is said in JSON-LD counts before
    what is said in attributes, and this before OpenGraph, which speaks of the page."""
    found: dict[str, tuple[str, ...]] = {}
    for part in (_read_json(tree), _read_attributes(tree), _read_open_graph(tree)):
        for name, texts in part.items():
            if len(found) < _MAX_PROPERTIES:
                found.setdefault(name, tuple(dict.fromkeys(texts))[:_MAX_VALUES])
    return found


def _read_json(tree: LexborHTMLParser) -> dict[str, list[str]]:
    objects: list[Mapping[str, Any]] = []
    for script in tree.css('script[type="application/ld+json"]')[:_MAX_SCRIPTS]:
        text = script.text() or ""
        if len(text) > _MAX_SCRIPT_CHARS:
            continue
        try:
            data = decode_json(text, is_strict=False)
        except (ValueError, RecursionError):
            continue
        objects += _top_objects(data)
    # A page's record is what is described most fully.
    objects = [one for one in objects if _types_of(one) - _FRAME_TYPES]
    objects.sort(key=lambda one: (_types_of(one) <= _OFTEN_FRAME, -len(one)))
    found: dict[str, list[str]] = {}
    if objects:
        _flatten(objects[0], found, 0)
    return found


def _top_objects(data: object) -> Iterator[Mapping[str, Any]]:
    """Objects that stand by themselves: in lists, in `@graph`, as the main entity."""
    waiting = [data]
    for _ in range(_MAX_OBJECTS):
        if not waiting:
            return
        one = waiting.pop()
        if isinstance(one, list):
            waiting += one[:_MAX_OBJECTS]
        elif isinstance(one, dict):
            yield one
            waiting += [one[key] for key in ("@graph", "mainEntity") if key in one]


def _types_of(one: Mapping[str, Any]) -> frozenset[str]:
    types = one.get("@type", ())
    return frozenset(map(str, types if isinstance(types, list) else filter(None, [types])))


def _flatten(one: Mapping[str, Any], found: dict[str, list[str]], depth: int) -> None:
    for name, value in list(one.items())[:_MAX_PROPERTIES]:
        if name.startswith("@") or depth >= _MAX_DEPTH:
            continue
        values = value if isinstance(value, list) else [value]
        for part in values[:_MAX_VALUES]:
            if isinstance(part, dict):
                _flatten_part(name, part, found, depth)
            elif text := _text_of(part):
                found.setdefault(name, []).append(text)


def _flatten_part(
    name: str, part: Mapping[str, Any], found: dict[str, list[str]], depth: int
) -> None:
    """A property that is a thing itself: its name stands for it; offers, ratings and addresses say
    more."""
    if name in _NO_FACTS:
        return
    if lines := [text for key in _ADDRESS_LINES if (text := _text_of(part.get(key)))]:
        found.setdefault("address", []).append(", ".join(lines))
        _flatten(part, found, depth + 1)
    elif name == "geo":
        _flatten(part, found, depth + 1)
    elif name in ("offers", "aggregateRating"):
        for fact, text in (_read_offer if name == "offers" else _read_rating)(part):
            found.setdefault(fact, []).append(text)
    elif said := next((text for key in _SAYS_NAME if (text := _text_of(part.get(key)))), ""):
        found.setdefault(name, []).append(said)


_NO_FACTS = frozenset(
    {"review", "reviews", "isPartOf", "mainEntity", "mainEntityOfPage", "potentialAction"}
)


def _read_offer(part: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if price := _text_of(part.get("price", part.get("lowPrice"))):
        yield "price", f"{price} {_text_of(part.get('priceCurrency'))}".strip()
    if availability := _text_of(part.get("availability")):
        yield "availability", availability.rpartition("/")[2]


def _read_rating(part: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if given := _text_of(part.get("ratingValue")):
        yield "aggregateRating", f"{given} / {_text_of(part.get('bestRating')) or '5'}"
    if count := _text_of(part.get("reviewCount", part.get("ratingCount"))):
        yield "reviewCount", count


def _text_of(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int | float):
        return " ".join(str(value).split())[:_MAX_CHARS]
    return ""


def _read_attributes(tree: LexborHTMLParser) -> dict[str, list[str]]:
    """Microdata and RDFa of the first things described; a property within another thing's scope
    says what that thing is."""
    found: dict[str, list[str]] = {}
    for node in tree.css("[itemprop],body [property]")[:_MAX_ELEMENTS]:
        names = (node.attributes.get("itemprop") or node.attributes.get("property") or "").split()
        text = _text_of_node(node)
        if not text or "itemscope" in node.attributes:
            continue
        for name in names[:3]:
            plain = name.rpartition(":")[2].rpartition("/")[2]
            if plain and not name.startswith(("og:", "twitter:", "fb:")):
                found.setdefault(plain, []).append(text)
    return found


def _text_of_node(node: LexborNode) -> str:
    attributes = node.attributes
    for name in ("content", "datetime"):
        if said := attributes.get(name):
            return _text_of(said)
    return _text_of(node.text(deep=True, separator=" ")) if node.tag != "meta" else ""


def _read_open_graph(tree: LexborHTMLParser) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for node in tree.css("meta[property]")[:_MAX_ELEMENTS]:
        scope, _, name = (node.attributes.get("property") or "").partition(":")
        text = _text_of(node.attributes.get("content"))
        parts = name.split(":")
        if not text or not name or scope in ("fb", "twitter", "al"):
            continue
        is_of_page = scope == "og" and parts[0] not in ("title", "image", "price")
        if is_of_page or parts[-1] == "currency":
            continue
        plain = {"title": "name"}.get(parts[0], parts[0])
        if len(parts) == 1 or parts[1] == "amount":
            found.setdefault(plain, []).append(text)
    return found
