"""Search boxes that stand in no form: a script reads them.

They are reported, so that a person or a browser can use them and so that a page is known to offer
a search. Other controls outside forms switch menus and players.
"""

import re
from collections.abc import Sequence

from selectolax.lexbor import LexborHTMLParser, LexborNode

_looks_like_search = re.compile(
    r"search|find|query|keyword|such|recherch|busc|cerca|zoek|s[oö]k|hled|szuk|ara\b|поиск|искать|检索|搜|検索|검색|بحث",
    re.IGNORECASE,
).search
_HINTS = ("name", "id", "class", "placeholder", "aria-label", "title")
_BUTTON_HINTS = ("value", "title", "aria-label", "class", "id")
_BOX_ROLES = frozenset({"searchbox", "combobox"})
_NEAR_CONTROLS = 2
"""Controls after a box among which its button is looked for."""
_NEAR_ANCESTORS = 3
_MAX_EDITABLE = 5


def is_search_area(attributes: dict[str, str | None]) -> bool:
    """Whether a textarea takes a query: it says so, or it has one row and search words on it."""
    if (attributes.get("role") or "").lower() in _BOX_ROLES:
        return True
    if "search" in ((attributes.get("type") or "").lower(), attributes.get("enterkeyhint")):
        return True
    return attributes.get("rows") == "1" and _says_search(attributes)


def is_search_box(node: LexborNode, kind: str, after: Sequence[LexborNode]) -> bool:
    """Whether a control in no form is a search box; `after` are the controls that follow it."""
    attributes = node.attributes
    if kind == "search" or attributes.get("role") == "searchbox":
        return True
    if kind != "text":
        return False
    return _says_search(attributes) or inside_search(node) or _has_search_button(node, after)


def _says_search(attributes: dict[str, str | None]) -> bool:
    hints = " ".join(filter(None, (attributes.get(name) for name in _HINTS)))
    return _looks_like_search(hints) is not None


def _has_search_button(box: LexborNode, after: Sequence[LexborNode]) -> bool:
    """Whether a button beside the box speaks of searching."""
    around = {node.mem_id for node in _near_ancestors(box)}
    for button in after[:_NEAR_CONTROLS]:
        attributes = button.attributes
        is_button = button.tag == "button" or attributes.get("type") in ("button", "submit")
        if not is_button or around.isdisjoint(n.mem_id for n in _near_ancestors(button)):
            continue
        hints = (attributes.get(name) or "" for name in _BUTTON_HINTS)
        if _looks_like_search(" ".join((*hints, button.text()[:100]))):
            return True
    return False


def _near_ancestors(node: LexborNode) -> list[LexborNode]:
    found: list[LexborNode] = []
    parent = node.parent
    while parent is not None and parent.tag != "body" and len(found) < _NEAR_ANCESTORS:
        found.append(parent)
        parent = parent.parent
    return found


def inside_search(node: LexborNode) -> bool:
    """Whether the element stands in a `role=search` region or a <search> element."""
    parent = node.parent
    for _ in range(4):
        if parent is None:
            return False
        if parent.tag == "search" or parent.attributes.get("role") == "search":
            return True
        parent = parent.parent
    return False


def find_editable_boxes(tree: LexborHTMLParser, body: bytes) -> list[LexborNode]:
    """Elements that are no controls, but are typed into as a search box."""
    # The selector reads every element; nine pages in ten have no such word. Plain searches take a
    # tenth of the time of one pattern for both in any case.
    if b"searchbox" not in body and b"contenteditable" not in body:
        return []
    marked = tree.css('[role="searchbox"], [contenteditable][role="combobox"]')
    others = (node for node in marked if node.tag not in ("input", "textarea", "select"))
    return [node for node, _ in zip(others, range(_MAX_EDITABLE), strict=False)]
