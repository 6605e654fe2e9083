"""What a record's own page says, as cells."""

from leadline.core.harvest import Cell
from leadline.harvester.reply import Reply
from leadline.page.outline import TEXT, Outline

PREFIX = "detail:"
_MAX_CELLS = 1_000
_MAX_CHARS = 100_000
"""Of all cells: more than pages of records have, and a bound for those that are none."""
_LABEL_CHARS = 60
_LABELS = {"td": "th", "dd": "dt"}
"""What stands before a value and names it."""


def detail_cells(reply: Reply) -> tuple[Cell, ...]:
    """All visible text of the page, piece by piece, each named by its label or its tag path."""
    outline = reply.outline
    cells: list[Cell] = []
    room = _MAX_CHARS
    for row, tag in enumerate(outline.tags):
        if tag != TEXT or not outline.texts[row]:
            continue
        text = outline.texts[row][:room]
        room -= len(text)
        parent = outline.parents[row]
        place = _label(outline, parent) or outline.path(parent)
        cells.append(Cell(f"{PREFIX}{place}", text))
        if room <= 0 or len(cells) >= _MAX_CELLS:
            break
    return tuple(cells)


def _label(outline: Outline, row: int) -> str:
    """The heading or term before a table cell or definition; '' where there is none."""
    wanted = _LABELS.get(outline.tags[row]) if row > 0 else None
    if wanted is None:
        return ""
    before = [child for child in outline.children(outline.parents[row]) if child < row]
    label = next((child for child in reversed(before) if outline.tags[child] == wanted), None)
    text = outline.text(label).strip(" :") if label is not None else ""
    return text if len(text) <= _LABEL_CHARS else ""
