"""Links that stand by themselves: menus, crumbs, pagers, footers."""

from typing import NamedTuple

from leadline_lab.markup.escape import escape_text
from leadline_lab.markup.inlines import Inlines
from leadline_lab.markup.model import Anchor, Links
from leadline_lab.markup.pieces import FootPieces, MegaPieces, PairPieces, RowPieces

_COLUMNS = 3
"""Of a footer; a column has at least `_COLUMN_LINKS`."""
_COLUMN_LINKS = 4


class LinkWays(NamedTuple):
    """How a family builds links that stand by themselves."""

    rows: dict[str, RowPieces]
    """By the kind of links."""
    mega: MegaPieces
    foot: FootPieces
    title: PairPieces


class LinkRows:
    """Writes `Links`."""

    __slots__ = ("_inlines", "_ways")

    def __init__(self, ways: LinkWays, inlines: Inlines) -> None:
        self._ways = ways
        self._inlines = inlines

    def written(self, links: Links, kind: str = "") -> str:
        """`kind` overrides the links' own, for a menu that stands at the side."""
        if not links.anchors:
            return ""
        title = self._title(links.title) if links.title else ""
        if links.groups:
            return self._grouped(links, title)
        kind = kind or links.kind
        if kind == "footer":
            return self._in_columns(links, title)
        rows = self._ways.rows
        row = rows.get(kind) or rows["list"]
        written = row.between.join([self._inlines.anchor(a) for a in links.anchors])
        return f"{row.box}{title}{row.start}{written}{row.end}"

    def crumbs(self, anchors: tuple[Anchor, ...]) -> str:
        row = self._ways.rows["crumbs"]
        written = row.between.join([self._inlines.anchor(a) for a in anchors])
        return f"{row.box}{row.start}{written}{row.end}"

    def _title(self, title: str) -> str:
        pair = self._ways.title
        return f"{pair.start}{escape_text(title)}{pair.end}"

    def _grouped(self, links: Links, title: str) -> str:
        way = self._ways.mega
        anchors = [self._inlines.anchor(a) for a in links.anchors]
        groups = []
        at = 0
        for size in links.groups:
            below = anchors[at + 1 : at + 1 + size]
            group = "".join(anchors[at : at + 1])
            if below:
                group += f"{way.below}{way.between.join(below)}{way.after_below}"
            groups.append(group)
            at += 1 + size
        groups += anchors[at:]
        return f"{way.box}{title}{way.start}{way.next_group.join(groups)}{way.end}"

    def _in_columns(self, links: Links, title: str) -> str:
        way = self._ways.foot
        anchors = [self._inlines.anchor(a) for a in links.anchors]
        size = max(_COLUMN_LINKS, -(-len(anchors) // _COLUMNS))
        columns = [way.between.join(anchors[at : at + size]) for at in range(0, len(anchors), size)]
        return f"{way.box}{title}{way.start}{way.next_column.join(columns)}{way.end}"
