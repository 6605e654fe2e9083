"""What a control is called on its page, and from where that is known."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from selectolax.lexbor import LexborNode

from leadline.page.markup_guard import LONG_SELECT

MAX_LABEL_CHARS = 200
_NEAR_LEAVES = 3
"""How far back text may stand to be the label of a control; between lie images and line breaks."""
_NEAR_SIBLINGS = 100
"""Nodes before a row or cell that are looked at; comments and blanks between count."""
_MAX_NODE_CHARS = 2_000
"""Of one text inside a label: a label is shorter, whatever blanks it begins with."""
_hidden_text = frozenset({"option", "textarea", "script", "style", "select", LONG_SELECT})
_name_words = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+").findall


class ControlLabels:
    """Finds labels in the order people and browsers trust them:
    `for`, wrapping label, aria, table cell, text before, placeholder, title, name.
    """

    def __init__(
        self,
        nodes: Sequence[LexborNode],
        leaves: Sequence[str],
        control_leaves: frozenset[int],
        datalists: Sequence[LexborNode] = (),
    ) -> None:
        self._datalists = {node.attributes.get("id") or "": node for node in datalists}
        self._leaves = leaves
        self._control_leaves = control_leaves
        self._nodes = nodes
        self._for: dict[str, str] | None = None
        self._ids: dict[str, LexborNode] | None = None
        # Hundreds of controls may share one label, and its text may be as long as the page.
        self._texts: dict[int, str] = {}

    def of(self, node: LexborNode, kind: str, leaf: int) -> tuple[str, str]:
        """The label and its source; ('', '') if there is none, and for hidden fields."""
        if kind == "hidden":
            return "", ""
        if kind in ("submit", "button", "reset", "image"):
            return self._of_button(node)
        for source, find in (
            ("for", self._by_for),
            ("wrap", self._by_wrap),
            ("aria", self._by_aria),
        ):
            label = find(node)
            if label:
                return label[:MAX_LABEL_CHARS], source
        return self._by_place(node, kind, leaf)

    def datalist(self, dom_id: str) -> LexborNode | None:
        """The list of suggestions of that id."""
        return self._datalists.get(dom_id) if dom_id else None

    def _of_button(self, node: LexborNode) -> tuple[str, str]:
        attributes = node.attributes
        text = _visible_text(node) or attributes.get("value") or attributes.get("alt")
        text = text or attributes.get("aria-label") or attributes.get("title") or ""
        if not text and node.tag == "button":
            # The picture on a button says what it does.
            image = node.css_first("img[alt]")
            text = (image.attributes.get("alt") or "") if image is not None else ""
        return text[:MAX_LABEL_CHARS], "own" if text else ""

    def _by_for(self, node: LexborNode) -> str:
        dom_id = node.attributes.get("id")
        if not dom_id:
            return ""
        if self._for is None:
            self._for = self._read_fors()
        return self._for.get(dom_id, "")

    def _read_fors(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for label in self._nodes:
            target = label.attributes.get("for")
            if target and target not in found:
                found[target] = self._text_of(label)
        return found

    def _by_place(self, node: LexborNode, kind: str, leaf: int) -> tuple[str, str]:
        attributes = node.attributes
        # Text stands after what is ticked, and before what is filled in.
        ticked = kind in ("checkbox", "radio")
        near = self._after(leaf) if ticked else self._before(leaf)
        header = self._by_header_cell(node, is_sure=bool(near))
        for source, label in (
            ("cell", header if near and not ticked else ""),
            ("after" if ticked else "before", near),
            ("cell", header),
            ("placeholder", attributes.get("placeholder") or ""),
            ("title", attributes.get("title") or ""),
            ("name", " ".join(_name_words(attributes.get("name") or "")).lower()),
        ):
            if label.strip():
                return " ".join(label.split())[:MAX_LABEL_CHARS], source
        return "", ""

    def _by_wrap(self, node: LexborNode) -> str:
        parent = node.parent
        for _ in range(5):
            if parent is None or parent.tag in ("form", "body"):
                return ""
            if parent.tag == "label":
                return self._text_of(parent)
            parent = parent.parent
        return ""

    def _by_aria(self, node: LexborNode) -> str:
        attributes = node.attributes
        label = attributes.get("aria-label")
        if label:
            return " ".join(label.split())
        ids = (attributes.get("aria-labelledby") or "").split(None, 5)[:5]
        if not ids:
            return ""
        if self._ids is None:
            # One search for all: a search for each control would make large forms slow.
            self._ids = {}
            for named in node.parser.css("[id]"):
                self._ids.setdefault(named.attributes.get("id") or "", named)
        found = (self._ids.get(dom_id) for dom_id in ids)
        return " ".join(filter(None, (self._text_of(one) for one in found if one is not None)))

    def _by_header_cell(self, node: LexborNode, *, is_sure: bool) -> str:
        """The text of the cell above, for forms laid out with labels in a header row.

        With `is_sure` only if it certainly is a header: `th`, in a row without controls above one
        that has no text. The text before the first control of such a row is the last header.
        """
        cell = _ancestor(node, ("td", "th"))
        row = _ancestor(cell, ("tr",)) if cell is not None else None
        above = _row_above(row) if row is not None else None
        if cell is None or row is None or above is None:
            return ""
        place = sum(other.tag in ("td", "th") for other in _siblings_before(cell))
        cells = [c for c in islice(_elements(above), 60) if c.tag in ("td", "th")]
        if place >= len(cells):
            return ""
        if is_sure and (cells[place].tag != "th" or len(cells) < 2 or self._text_of(row)):
            return ""
        return self._text_of(cells[place])

    def _text_of(self, node: LexborNode) -> str:
        known = self._texts.get(node.mem_id)
        if known is None:
            known = self._texts[node.mem_id] = _visible_text(node)
        return known

    def _before(self, leaf: int) -> str:
        """The nearest text before the control, unless another control stands between."""
        # A long text is a paragraph, and not what the control is called.
        for position in range(leaf - 1, max(leaf - 1 - _NEAR_LEAVES, -1), -1):
            text = self._leaves[position]
            if position in self._control_leaves:
                return ""
            if text:
                return text if len(text) <= MAX_LABEL_CHARS // 2 else ""
        return ""

    def _after(self, leaf: int) -> str:
        for text in self._leaves[leaf + 1 : leaf + 1 + _NEAR_LEAVES]:
            if text:
                return text if len(text) <= MAX_LABEL_CHARS // 2 else ""
        return ""


def _row_above(row: LexborNode) -> LexborNode | None:
    """The row before; of the first row of a body, the last one of the table's head."""
    above = _before_of(row, "tr")
    group = row.parent
    if above is not None or group is None or group.tag != "tbody":
        return above
    head = _before_of(group, "thead")
    rows = [node for node in islice(_elements(head), 20) if node.tag == "tr"] if head else []
    return rows[-1] if rows else None


def _ancestor(node: LexborNode, tags: tuple[str, ...]) -> LexborNode | None:
    parent = node.parent
    for _ in range(6):
        if parent is None or parent.tag in tags:
            return parent
        parent = parent.parent
    return None


def _before_of(node: LexborNode, tag: str) -> LexborNode | None:
    return next((other for other in _siblings_before(node) if other.tag == tag), None)


def _siblings_before(node: LexborNode) -> Iterator[LexborNode]:
    other = node.prev
    for _ in range(_NEAR_SIBLINGS):
        if other is None:
            return
        yield other
        other = other.prev


def _elements(node: LexborNode) -> Iterator[LexborNode]:
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


def _visible_text(node: LexborNode) -> str:
    return visible_text(node, 100)[:MAX_LABEL_CHARS]


def visible_text(node: LexborNode, most_nodes: int) -> str:
    """Visible text inside, what controls hold left out; of so many nodes at most."""
    parts: list[str] = []
    for inner in islice(node.traverse(include_text=True), most_nodes):
        if inner.tag == "-text":
            parent = inner.parent
            if parent is not None and parent.tag not in _hidden_text:
                parts.append((inner.text_content or "")[:_MAX_NODE_CHARS])
    return " ".join(" ".join(parts).split())[:MAX_LABEL_CHARS]
