"""The template families: one way for each part of a page, drawn once from the family's number."""

import re
from functools import cache
from typing import Any

from msgspec import Struct

from leadline_lab.draw import Draw, key_of
from leadline_lab.markup import catalogue, hits, pieces
from leadline_lab.markup.dialect import Dialect
from leadline_lab.markup.eras import ERAS, Ways
from leadline_lab.markup.layouts import COMMENTS, LAYOUTS, SCRIPTS, STYLES

FAMILIES = sum(count for count, _, _ in ERAS)
_KEY = 0x6D61_726B_7570
"""Any number; this one spells `markup`."""
CUT = "\x1f"
"""Between two pieces; stands in no pattern."""
_tight = re.compile(r"^([^~]*<(?:table|ul|ol|dl|p)(?: [^<>~]*)?>)~")
"""A box whose title cannot stand inside it."""


class Part(Struct, frozen=True):
    """One part of a page: which pieces it is cut into, and from which patterns."""

    name: str
    """Of the part in a template; also of the choice, unless that is given."""
    type: type[Any]
    patterns: dict[str, str]
    choice: str = ""


_LISTINGS = ("listing", "table", "list", "cards", "definitions", "preformatted")
PARTS = (
    *(Part(name, pieces.RowPieces, catalogue.ROWS)
      for name in ("nav", "side", "crumbs", "tags", "pager", "links")),
    Part("mega", pieces.MegaPieces, catalogue.MEGAS),
    Part("foot", pieces.FootPieces, catalogue.FEET),
    Part("prose", pieces.ProsePieces, catalogue.PROSES),
    Part("heading", pieces.HeadingPieces, catalogue.HEADINGS),
    Part("title", pieces.PairPieces, catalogue.TITLES),
    Part("block", pieces.PairPieces, catalogue.BLOCKS),
    Part("facts", pieces.FactPieces, catalogue.FACTS),
    Part("grid", pieces.GridPieces, catalogue.GRIDS),
    *(Part(name, pieces.ListingPieces, hits.LISTINGS) for name in _LISTINGS),
    Part("form", pieces.FormPieces, hits.FORMS),
    Part("inline", pieces.FormPieces, hits.FORMS),
)  # fmt: skip
_BOXED = (pieces.RowPieces, pieces.MegaPieces, pieces.FootPieces)


class Family(Struct, frozen=True):
    """One way of building pages. The same for all its sites but for names and small words."""

    number: int
    era: int
    dialect: Dialect
    choices: dict[str, str]
    """The way each part is built, by part; for people and tests."""
    source: str
    """All pieces of all parts, then the page around `CUT`s; a format for the names of a site."""

    @property
    def has_misnested_forms(self) -> bool:
        """Forms that open inside a table and so hold nothing in the tag tree."""
        return self.choices["form"] == "misnested"

    @property
    def has_no_labels(self) -> bool:
        """Text controls are named by a placeholder only: no label belongs to them, by design."""
        return "placeholder" in self.choices["form"]

    @property
    def is_before_html5(self) -> bool:
        """Old enough for some of its sites not to be in UTF-8."""
        return self.choices["doctype"] != "html5"


@cache
def family_of(number: int) -> Family:
    """The family of that number, 0 <= number < FAMILIES."""
    era, place = _era_of(number)
    _, dialects, ways = ERAS[era]
    draw = Draw(key_of(_KEY, number))
    choices = _chosen(draw, ways, number)
    dialect = dialects[place % len(dialects)]
    source = CUT.join(_sources(choices, draw)).replace("~", CUT)
    return Family(number, era, dialect, choices, dialect.compiled(source))


def _era_of(number: int) -> tuple[int, int]:
    place = number
    for era, (count, _, _) in enumerate(ERAS):
        if place < count:
            return era, place
        place -= count
    raise ValueError(f"no family {number}; there are {FAMILIES}, from 0 on")


def _chosen(draw: Draw, ways: Ways, number: int) -> dict[str, str]:
    """One way per part. Those that shape a page most go round, so that each is used."""
    chosen = {part: draw.pick(names) for part, names in ways.items()}
    for part in ("listing", "form", "layout", "nav", "links"):
        chosen[part] = ways[part][number % len(ways[part])]
    return chosen


def _sources(choices: dict[str, str], draw: Draw) -> list[str]:
    sources = []
    for part in PARTS:
        name = choices[part.name]
        pattern = part.patterns["cells" if name == "misnested" else name]
        if part.type in _BOXED:
            pattern = _tight.sub(r"~\1", pattern, count=1)
        sources.append(pattern)
    return [*sources, *_page_sources(choices, draw)]


def _page_sources(choices: dict[str, str], draw: Draw) -> list[str]:
    """Style sheet, script, comment, the page."""
    page, beside, below = LAYOUTS[choices["layout"]]
    side = choices["aside"]
    page = page.replace("[L]", beside if side == "left" else "")
    page = page.replace("[R]", beside if side == "right" else "")
    page = page.replace("[N]", below if side == "none" else "")
    return [STYLES[choices["style"]], draw.pick(SCRIPTS), draw.pick(COMMENTS), page]
