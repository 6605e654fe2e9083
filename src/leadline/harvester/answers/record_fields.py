"""What an item of a list shows: cells by place, title, images."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from itertools import pairwise

from msgspec import Struct, structs

from leadline.core.harvest import Cell
from leadline.core.url import Url
from leadline.harvester.answers.answer_page import (
    BREAKS,
    HEAD,
    INLINE,
    AnswerPage,
    PagePart,
    name_element,
)
from leadline.harvester.answers.item_splitter import ListItem
from leadline.page.outline import TEXT, Outline

_MAX_CELLS = 60
_MAX_CHARS = 2_000
_MAX_IMAGES = 20
_MAX_LABEL_CHARS = 40
"""Of the name of a value; longer texts before a colon are sentences."""
_MAX_NAME_CHARS = 100
_MAX_SPAN = 40
GROUP = "group"
"""The place of a cell that holds what stands above the item's group."""
_is_counter = re.compile(r"\W*\d{0,3}\W*").fullmatch
_MIN_GROUPED = 3
_ROWS_ABOVE = 60
"""Before the first item, in which its heading is looked for."""
_HEADED_GAPS = 0.6
"""Share of the gaps between items that must have a heading of the same kind."""
_MAX_HEADING_CHARS = 200
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_MARKING = frozenset({"b", "strong", "em", "i", "mark", "span", "font", "u"})
_MAX_LINE_CHARS = 30
"""Of a link that may be a name of two lines, if no line is a price or a date."""
_MAX_NAME_ROWS = 5_000
_MAX_VERB_CHARS = 30
_letter = re.compile(r"[^\W\d_]").search
_month = (
    r"(?:jan|fe[bv]|fév|mar|mär|apr|a[bv]r|ma[yij]|jun|juin|jul|juil|aug|ago|août|sep|set|o[ck]t|out|"
    r"nov|de[cz]|dic|déc|янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек)[^\W\d_]{0,7}\.?"
)
_is_value = re.compile(
    r"\W*(?:\d[\d\s.,:/-]*\W*(?:%|[ap]m|ago|usd|eur|[kmg]b|[年月日])?"
    rf"|{_month}\W+\d{{1,2}}(?:\W+\d{{4}})?|\d{{1,2}}\W+{_month}(?:\W+\d{{4}})?"
    rf"|{_month}\W+\d{{4}})\W*$",
    re.IGNORECASE,
).match
_is_address = re.compile(
    r"(?:https?:/|www\.|(?:[\w-]+\.[\w.-]*)?/)\S+$|https?://"
    r"|(?:[\w-]+\.)+[a-z]{2,}\s*[\u203a\xbb>/].*$|[\u203a\xbb]\s",
    re.IGNORECASE,
).match
_STEPS = frozenset("\u203a\xbb/")
_is_host = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}$", re.IGNORECASE).match
_is_cut = re.compile(r"\s*(?:\.\.\.|…)\s*$")
_SET_OFF = frozenset({"b", "strong", "em", "i", "mark", "font", "u"})
_SIGNS = " :=\uff1a"
"""What stands between the name of a value and the value."""
_USUAL_LABEL = 0.6
"""Share of items from which on something before a colon is the name of a value wherever it
stands; below it most texts at its place must be labelled."""
_opens_name = re.compile(
    r"(?:in\s+)?re|fwd?|aw|sv|(?:in\s+the\s+)?matter\s+of|ex\s+parte", re.IGNORECASE
).fullmatch
"""What opens titles of cases and letters before a colon."""
_signs = re.compile(r"\s?[:=\uff1a](?=\s|$)").finditer
_has_sign = re.compile(r"[:=\uff1a]").search
_ends_a_name = re.compile(r"[:=\uff1a|;,.!?()]").finditer


class TextRun(Struct, frozen=True):
    """Text that reads on: no break, no other cell between its pieces."""

    path: str
    pieces: tuple[str, ...]
    column: int = -1
    """Of a cell in a row of a table, else -1."""
    is_marked: bool = False
    """Something in it is set off from the rest, as query words are."""
    text: str = ""
    """Its pieces as one."""


def read_runs(page: AnswerPage, item: ListItem) -> list[TextRun]:
    """The text of an item, run by run."""
    found: list[TextRun] = []
    for part in item.parts:
        _RunReader(page, part, found).read()
    return _name_definitions(found)[:_MAX_CELLS]


_DEFINED = {"dt": "dd", "th": "td"}
_tag_of_step = re.compile(r"[a-z]+").match


def _name_definitions(runs: Sequence[TextRun]) -> list[TextRun]:
    """The runs with values of definition lists, and of rows with a heading, at the place of their
    name: `<dt>Author</dt><dd>Smith</dd>` says what it is without a sign between."""
    named: list[TextRun] = []
    used: set[str] = set()
    name, parent, wanted = "", "", ""
    for run in runs:
        above, _, step = run.path.rpartition("/")
        tag = found[0] if (found := _tag_of_step(step)) else ""
        if tag in _DEFINED and above and len(run.text) <= _MAX_LABEL_CHARS:
            name, parent, wanted = run.text.strip(_SIGNS), above, _DEFINED[tag]
        elif name and tag == wanted and above == parent:
            named.append(structs.replace(run, path=name, column=-1))
            used.add(name)
            continue
        else:
            name = ""
        named.append(run)
    # A name is no value.
    return [run for run in named if run.path in used or run.text.strip(_SIGNS) not in used]


class _RunReader:
    """Collects the runs of one part."""

    def __init__(self, page: AnswerPage, part: PagePart, found: list[TextRun]) -> None:
        self._page = page
        self._outline = page.outline
        self._part = part
        self._found = found
        self._top = page.outline.parents[part.first]
        self._pieces: list[str] = []
        self._first = -1
        self._home = -1
        self._is_marked = False
        self._starts_marked = False

    def read(self) -> None:
        outline, row = self._outline, self._part.first
        while row < self._part.end:
            tag = outline.tags[row]
            if tag == TEXT:
                self._add(row)
            elif self._page.controls[row]:
                row = outline.ends[row]
                continue
            elif tag in BREAKS or tag not in INLINE:
                self._end_run()
            row += 1
        self._end_run()

    def _add(self, row: int) -> None:
        outline, has_text = self._outline, self._page.has_text
        # The element whose line the text belongs to: the nearest one that is no mere mark inside
        # other text.
        home = outline.parents[row]
        while outline.tags[home] in INLINE and home > self._top:
            above = outline.parents[home]
            if not has_text[above]:
                break
            home = above
        if home != self._home:
            self._end_run()
            self._home, self._first = home, row
            # A passage that begins with what was asked stands where others do.
            parent = outline.parents[row]
            is_set_off = parent != home and outline.tags[parent] in _MARKING
            words = self._page.echo.words
            self._starts_marked = is_set_off and outline.texts[row].casefold() in words
            self._is_marked = self._starts_marked
        elif outline.tags[outline.parents[row]] in _MARKING:
            self._is_marked = True
        self._pieces.append(outline.texts[row])

    def _end_run(self) -> None:
        if self._pieces and len(self._found) < _MAX_CELLS:
            row = self._home if self._starts_marked else self._outline.parents[self._first]
            path, column = path_inside(self._page, row, self._top)
            text = " ".join(self._pieces)
            run = TextRun(path, tuple(self._pieces), column, self._is_marked, text)
            self._found.append(run)
        self._pieces, self._home, self._is_marked = [], -1, False


def path_inside(page: AnswerPage, row: int, top: int) -> tuple[str, int]:
    """The tags, with their first class, from below `top` down to the row; and the column of a
    table row that it stands in, or -1."""
    outline = page.outline
    steps: list[str] = []
    column = -1
    while row > top:
        tag, parent = outline.tags[row], outline.parents[row]
        if tag in ("td", "th") and outline.parents[parent] == top:
            # Counted from 0, with the columns that cells before it span.
            before = (cell for cell in page.children[parent] if cell < row)
            column = sum(_span(outline, c) for c in before if outline.tags[c] in ("td", "th"))
            tag = f"{tag}{column}"
        steps.append(name_element(outline, row).replace(outline.tags[row], tag, 1))
        row = parent
    return "/".join(reversed(steps)) or TEXT[1:], column


def _span(outline: Outline, cell: int) -> int:
    said = outline.attributes[cell].get("colspan", "1")
    return min(int(said), _MAX_SPAN) if said.isascii() and said.isdigit() else 1


def find_headings(
    page: AnswerPage, parts: Sequence[PagePart], items: Sequence[ListItem]
) -> dict[int, str]:
    """The names of a table's columns: its row of headings, or the row before the first item."""
    first = items[0].first
    rows = [part.first for part in parts if part.label == HEAD]
    rows = rows or [part.first for part in parts if part.end <= first and part.label[:2] == "tr"]
    row = rows[0] if rows else _head_row(page, first)
    if row is None:
        return {}
    names: dict[int, str] = {}
    column = 0
    for cell in page.children[row]:
        text = page.outline.text(cell)[:_MAX_LABEL_CHARS].strip(" :↑↓▲▼")
        if text:
            names[column] = text
        column += _span(page.outline, cell)
    return names if len(names) > 1 else {}


def _head_row(page: AnswerPage, row: int) -> int | None:
    """The first row in the head of the table that a row stands in."""
    outline = page.outline
    table = outline.parents[outline.parents[row]] if row else 0
    if outline.tags[row] != "tr" or outline.tags[table] != "table":
        return None
    heads = [child for child in page.children[table] if outline.tags[child] == "thead"]
    return next(iter(page.children[heads[0]]), None) if heads else None


def find_group_headings(page: AnswerPage, items: Sequence[ListItem]) -> dict[int, str]:
    """What stands above each item's group (`March 2019`, the name of a court or a case), by the row
    that the item begins at. Headings stand between items at one depth under one name, and before
    the first item too; notes and advertisements between items do not."""
    ordered = sorted(items, key=lambda item: item.first)
    if len(ordered) < _MIN_GROUPED:
        return {}
    texts, parents = page.outline.texts, page.outline.parents
    spans = [(max(0, ordered[0].first - _ROWS_ABOVE), ordered[0].first)]
    spans += [(before.end, item.first) for before, item in pairwise(ordered)]
    gaps: list[dict[tuple[int, str], list[str]]] = []
    for low, high in spans:
        shown: dict[tuple[int, str], list[str]] = {}
        for row in range(low, high):
            if texts[row]:
                kind = page.depths[row], name_element(page.outline, parents[row])
                shown.setdefault(kind, []).append(texts[row])
        gaps.append(shown)
    inner = [gap for gap in gaps[1:] if gap]
    counts = Counter(kind for gap in inner for kind in gap if kind in gaps[0])
    best = max(counts, key=lambda kind: counts[kind], default=None)
    if best is None or counts[best] < _HEADED_GAPS * len(inner):
        return {}
    # Above the list stand other texts of the same kind: the nearest is its heading.
    gaps[0][best] = gaps[0][best][-1:]
    headings: dict[int, str] = {}
    heading = ""
    for item, gap in zip(ordered, gaps, strict=True):
        heading = " ".join(gap[best]) if best in gap else heading
        headings[item.first] = heading
    told = set(headings.values())
    if all(map(_is_counter, told)):
        return {}
    return headings if len(told) > 1 and max(map(len, told)) <= _MAX_HEADING_CHARS else {}


class ValueLabels:
    """Tells the names of values from the values: `Author: Smith`."""

    def __init__(self, rows: Sequence[Sequence[TextRun]], known: Mapping[str, int]) -> None:
        found = [[(run.path, _names_in(run)) for run in runs] for runs in rows]
        counts = Counter(
            name for runs in found for name in {name for _, names in runs for name in names}
        )
        least = max(2, 0.3 * len(rows))
        common = {name for name, n in counts.items() if n >= least and not _opens_name(name)}
        # `In re: Smith` is a name, not a value: where it stands, others stand without a label.
        rare = {name for name in common if counts[name] < _USUAL_LABEL * len(rows)}
        if rare:
            shown: Counter[str] = Counter()
            labelled: Counter[str] = Counter()
            places: dict[str, set[str]] = {}
            for path, names in (one for runs in found for one in runs):
                shown[path] += 1
                labelled[path] += not names.isdisjoint(common)
                for name in names & rare:
                    places.setdefault(name, set()).add(path)
            common -= {
                name
                for name, paths in places.items()
                if 2 * sum(labelled[path] for path in paths) < sum(shown[path] for path in paths)
            }
        self.names = frozenset({*known, *common})

    def cells(self, run: TextRun, headings: Mapping[int, str]) -> list[Cell]:
        """The run as one cell, or as one for each name in it."""
        place = headings.get(run.column) or run.path
        if len(run.pieces) > 1 and run.pieces[0].rstrip(_SIGNS) in self.names:
            rest = " ".join(run.pieces[1:]).lstrip(_SIGNS)
            return self._split_at_names(run.pieces[0].rstrip(_SIGNS), rest)
        return self._split_at_names(place, run.text)

    def _split_at_names(self, place: str, text: str) -> list[Cell]:
        if not _has_sign(text):
            return [Cell(place, text[:_MAX_CHARS])] if text else []
        cells = []
        start = 0
        for sign in _signs(text):
            # The longest known name that ends at the sign.
            words = _words_before(text, sign.start())
            endings = (" ".join(words[n:]) for n in range(len(words)))
            name = next((ending for ending in endings if ending in self.names), "")
            if not name:
                continue
            before = text[start : sign.start() - len(name)].strip()
            if before:
                cells.append(Cell(place, before[:_MAX_CHARS]))
            place, start = name, sign.end()
        rest = text[start:].strip()
        if rest:
            cells.append(Cell(place, rest[:_MAX_CHARS]))
        return cells


def _names_in(run: TextRun) -> set[str]:
    """What may be the name of a value in a run."""
    names = {run.pieces[0].rstrip(_SIGNS)} if len(run.pieces) > 1 else set()
    for sign in _signs(run.text) if _has_sign(run.text) else ():
        words = _words_before(run.text, sign.start())
        names |= {" ".join(words[n:]) for n in range(max(0, len(words) - 3), len(words))}
    return {name for name in names if name[:1].isalpha() and len(name) <= _MAX_LABEL_CHARS}


def _words_before(text: str, end: int) -> list[str]:
    """What may name the value after a sign: the words before it, back to another sign."""
    words = text[max(0, end - _MAX_LABEL_CHARS) : end]
    start = max((sign.end() for sign in _ends_a_name(words)), default=0)
    return words[start:].lstrip().split(" ")


def choose_title(
    page: AnswerPage, item: ListItem, links: Sequence[int], cells: Sequence[Cell], common: Set[str]
) -> str:
    """What names an item: of the links to its record (`links` are their rows), else of a heading,
    else the first text that is not `common` to all items. Addresses, dates and numbers name one
    only if nothing else does; what is cut short is completed from titles and image texts."""
    outline = page.outline
    headings = [
        text
        for row in range(item.first, item.end)
        if outline.tags[row] in _HEADINGS and (text := _name_in(outline, row))
    ]
    texts = [text for row in links if (text := _name_in(outline, row))]
    # A link may be a whole paragraph, while another to the same record is its name.
    title = max(
        texts,
        key=lambda text: (_is_name(text), len(text) <= _MAX_NAME_CHARS, len(text)),
        default="",
    )
    # A link around a whole card, and `Continue reading ...`, say more than the name.
    inner = [text for text in (*headings, *texts) if text != title and text in title]
    heading = next((text for text in inner if text in headings and _is_name(text)), "")
    lead = next((text for text in inner if _is_name(text) and _opens_with_verb(title, text)), "")
    title = heading or lead or _first_line(outline, links, title) or title
    if not _is_name(title):
        own = [cell.text for cell in cells if cell.text not in common]
        labels = find_full_texts(outline, item, links) if not title else []
        labels = [label for label in labels if label not in common]
        others = (*headings, *labels, *own)
        first = cells[0].text if cells else ""
        title = next(filter(_is_name, others), "") or title or next(iter(own), "") or first
    if _is_cut.search(title):
        start = _is_cut.sub("", title).strip()
        whole = (text for text in find_full_texts(outline, item, links) if len(text) > len(start))
        title = next((t for t in whole if start and t.startswith(start)), title)
    return title[:_MAX_CHARS]


def _first_line(outline: Outline, links: Sequence[int], title: str) -> str:
    """Of a link around a card, whose title is all that the card says, the first line that is a
    name; '' for a link with one line alone."""
    for row in links:
        if _name_in(outline, row) != title:
            continue
        lines: dict[int, list[int]] = {}
        for piece in range(row, min(outline.ends[row], row + _MAX_NAME_ROWS)):
            if outline.texts[piece]:
                home = outline.parents[piece]
                while outline.tags[home] in INLINE and home > row:
                    home = outline.parents[home]
                lines.setdefault(home, []).append(piece)
        shown = [" ".join(outline.texts[piece] for piece in line) for line in lines.values()]
        is_card = len(title) > _MAX_LINE_CHARS or not all(map(_is_name, shown))
        if len(shown) > 1 and is_card:
            # The name of a site and its address stand above the title.
            last = max((n for n, text in enumerate(shown) if _is_site(text)), default=-1)
            return next(filter(_is_name, (*shown[last + 1 :], *shown)), "")
    return ""


def _name_in(outline: Outline, row: int) -> str:
    """The text of an element without an address that is a piece of its own in it."""
    end = min(outline.ends[row], row + _MAX_NAME_ROWS)
    rows = [piece for piece in range(row, end) if outline.texts[piece]]
    kept = [
        outline.texts[piece]
        for number, piece in enumerate(rows)
        if not _shows_address(outline, piece, rows[number + 1 : number + 2])
    ]
    if len(rows) > len(kept) > 0 and any(map(_letter, kept)):
        return " ".join(kept)
    return " ".join(outline.texts[piece] for piece in rows)


def _shows_address(outline: Outline, piece: int, following: Sequence[int]) -> bool:
    # A word of the query that is set off may look like an address: `ASP.NET`.
    if outline.tags[outline.parents[piece]] in _SET_OFF:
        return False
    text, after = outline.texts[piece], "".join(outline.texts[row] for row in following)
    return bool(_is_address(text)) or (bool(_is_host(text)) and after[:1] in _STEPS)


def _is_name(text: str) -> bool:
    """Whether a text has letters and is no mere date, price, duration or address."""
    return bool(_letter(text)) and not _is_value(text) and not _is_address(text)


def _is_site(text: str) -> bool:
    return bool(_is_address(text) or _is_host(text.partition(" ")[0]))


def _opens_with_verb(title: str, name: str) -> bool:
    """Whether a link says what it does before the name: `Continue reading Dune`."""
    before, _, after = title.partition(name)
    return bool(before) and not after and len(before) <= _MAX_VERB_CHARS and ":" not in before


def find_full_texts(outline: Outline, item: ListItem, links: Sequence[int]) -> list[str]:
    """Titles and descriptions that are not shown: of links, of images in them."""
    rows = [*links, *(r for r in range(item.first, item.end) if outline.tags[r] in ("img", "a"))]
    said = (
        outline.attributes[row].get(name, "")
        for row in rows
        for name in ("title", "aria-label", "alt")
    )
    return [text for text in (" ".join(one.split()) for one in said) if text]


def find_images(page: AnswerPage, item: ListItem) -> tuple[Url, ...]:
    outline = page.outline
    sources = (
        outline.join(outline.attributes[row].get("src", "").strip())
        for row in range(item.first, item.end)
        if outline.tags[row] == "img"
    )
    return tuple(dict.fromkeys(filter(None, sources)))[:_MAX_IMAGES]
