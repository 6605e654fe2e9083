"""A site's template: blocks, frames and pages of the model into HTML."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from leadline_lab.draw import key_of, numbers
from leadline_lab.markup import pieces
from leadline_lab.markup.escape import escape_text
from leadline_lab.markup.families import CUT, PARTS, Family, family_of
from leadline_lab.markup.forms import Forms, FormWays
from leadline_lab.markup.head import Head
from leadline_lab.markup.inlines import Inlines
from leadline_lab.markup.model import (
    Block,
    Facts,
    FormModel,
    Grid,
    Heading,
    Links,
    Listing,
    PageModel,
    Prose,
    SiteFrame,
)  # fmt: skip
from leadline_lab.markup.names import site_names
from leadline_lab.markup.rows import LinkRows, LinkWays
from leadline_lab.markup.things import Listings, write_facts, write_grid, write_prose

_marks = re.compile(r"\[([BHAF])\]").split
_CHARSETS = ("iso-8859-1", "windows-1252")
_LAYOUTS = ("listing", "table", "list", "cards", "definitions", "preformatted")
_SIZES = tuple((part.name, part.type, len(part.type.__struct_fields__)) for part in PARTS)


class Frame(Struct, frozen=True):
    """What all pages of a site share, written once."""

    start: bytes
    """Up to the title."""
    before: bytes
    """From the end of the head to the main part."""
    after: bytes
    charset: str
    """Of the pages; what does not fit into it is written as a character reference."""


class Template:
    """The template of one site. The same family and key, the same bytes."""

    __slots__ = (
        "_before_main",
        "_block",
        "_comment",
        "_facts",
        "_forms",
        "_grid",
        "_head",
        "_heading",
        "_inlines",
        "_links",
        "_listings",
        "_page",
        "_prose",
        "_render",
        "_script",
        "_style",
        "family",
    )  # fmt: skip

    def __init__(self, family: int, key: int) -> None:
        self.family: Family = family_of(family)
        choices = self.family.choices
        key = key_of(key, "template")
        parts, rest = _cut(self.family, site_names(key, choices["names"]))
        drawn: list[int] = numbers(key_of(key, "variation"), 8).tolist()
        self._style, self._script, self._comment, self._page = rest
        dialect = self.family.dialect
        has_charset = drawn[0] % 1000 < _LEGACY_PER_MILLE and self.family.is_before_html5
        charset = _CHARSETS[drawn[1] & 1] if has_charset else "utf-8"
        self._head = Head(choices, dialect, charset)
        self._inlines = Inlines(dialect, _inside(self.family, drawn[2]))
        self._links = LinkRows(_link_ways(parts), self._inlines)
        self._listings = Listings(
            {name: parts[name] for name in _LAYOUTS}, parts["title"], self._inlines
        )
        self._forms = Forms(_form_ways(self.family, parts, drawn[3]), dialect, self._inlines)
        self._heading: pieces.HeadingPieces = parts["heading"]
        self._prose: pieces.ProsePieces = parts["prose"]
        self._facts: pieces.FactPieces = parts["facts"]
        self._grid: pieces.GridPieces = parts["grid"]
        self._block: pieces.PairPieces = parts["block"]
        self._render: dict[type[Block], Callable[[Any], str]] = {
            Heading: self._write_heading,
            Prose: self._write_prose,
            Links: self._links.written,
            Listing: self._listings.written,
            Facts: self._write_facts,
            Grid: self._write_grid,
            FormModel: self._forms.written,
        }

    def block(self, block: Block) -> str:
        """One block of a main part."""
        return self._render[type(block)](block)

    def frame(self, frame: SiteFrame) -> Frame:
        """Header, aside and footer, once for all pages of a site."""
        beside = {
            "B": escape_text(frame.name),
            "H": self._beside(frame.header),
            "A": self._beside(frame.aside, "side"),
            "F": self._beside(frame.footer),
        }
        before, after = (
            "".join([beside[part] if n & 1 else part for n, part in enumerate(_marks(half))])
            for half in self._page.split("[M]")
        )
        charset = self._head.charset_for(frame.language)
        dialect = self.family.dialect
        before = f"{self._head.end(self._style, self._script)}{before}{self._comment}"
        after = f"{after}\n{dialect.end('body')}{dialect.end('html')}\n"
        start = self._head.start(frame.language)
        return Frame(
            _encoded(start, charset), _encoded(before, charset), _encoded(after, charset), charset
        )

    def page(self, frame: Frame, page: PageModel) -> bytes:
        """The bytes of one page, in the frame's character set."""
        render, block = self._render, self._block
        parts = [self._links.crumbs(page.crumbs)] if page.crumbs else []
        for model in page.main:
            written = render[type(model)](model)
            if type(model) is Heading:
                parts.append(written)
            else:
                parts += (block.start, written, block.end)
        head = f"{escape_text(page.title)}{self._head.after_title(page)}"
        charset = frame.charset
        main = "".join(parts).encode(charset, "xmlcharrefreplace")
        title = head.encode(charset, "xmlcharrefreplace")
        return b"".join((frame.start, title, frame.before, main, frame.after))

    def _beside(self, blocks: Iterable[Block], menu: str = "menu") -> str:
        """The blocks of a header, an aside or a footer; `menu` is how a menu is built there."""
        written = []
        for block in blocks:
            if isinstance(block, FormModel):
                written.append(self._forms.written(block, is_inline=True))
            elif isinstance(block, Links) and block.kind == "menu":
                written.append(self._links.written(block, menu))
            else:
                written.append(self.block(block))
        return "\n".join(written)

    def _write_heading(self, heading: Heading) -> str:
        way, text = self._heading, escape_text(heading.text)
        if heading.level <= 1:
            return f"{way.first}{text}{way.after_first}\n"
        if heading.level == 2:
            return f"{way.second}{text}{way.after_second}\n"
        return f"{way.third}{text}{way.after_third}\n"

    def _write_prose(self, prose: Prose) -> str:
        return write_prose(prose, self._prose, self._inlines)

    def _write_facts(self, facts: Facts) -> str:
        return write_facts(facts, self._facts)

    def _write_grid(self, grid: Grid) -> str:
        return write_grid(grid, self._grid, self._inlines)


_LEGACY_PER_MILLE = 160
"""Of the sites of families before HTML5, which are two thirds: one in ten sites in all."""


def _cut(family: Family, names: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """The pieces of every part, by part; then style sheet, script, comment and page."""
    cut = (family.source % names).split(CUT)
    parts = {}
    at = 0
    for name, kind, size in _SIZES:
        parts[name] = kind(*cut[at : at + size])
        at += size
    return parts, cut[at:]


def _inside(family: Family, number: int) -> tuple[str, str]:
    """Tags between an anchor and its text: font tags in one of three old sites."""
    if family.choices["style"] != "none" or number % 3:
        return "", ""
    dialect = family.dialect
    return dialect.tag("font", dialect.attribute("color", "#003399")), dialect.end("font")


def _link_ways(parts: Mapping[str, Any]) -> LinkWays:
    rows = {
        "menu": parts["nav"],
        "side": parts["side"],
        "crumbs": parts["crumbs"],
        "tags": parts["tags"],
        "pager": parts["pager"],
        "list": parts["links"],
        "related": parts["links"],
    }
    return LinkWays(rows, parts["mega"], parts["foot"], parts["title"])


def _form_ways(family: Family, parts: Mapping[str, Any], number: int) -> FormWays:
    choices = family.choices
    return FormWays(
        form=parts["form"],
        inline=parts["inline"],
        ticks=choices["ticks"],
        submit=choices["submit"],
        scripting=choices["scripting"],
        is_misnested=family.has_misnested_forms,
        placed=tuple(parts[name] for name in ("form", "inline") if "placeholder" in choices[name]),
        names_types=bool(number & 1),
        naming=("id", "name", "class")[(number >> 1) % 3],
    )


def _encoded(text: str, charset: str) -> bytes:
    return text.encode(charset, "xmlcharrefreplace")
