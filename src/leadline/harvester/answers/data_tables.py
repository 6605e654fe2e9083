"""Tables in data: values whose names stand apart from them, as objects with names.

Many servers send the names of columns once: beside the rows (`{"columns": [...], "rows": [[...]]}`,
in an object of their own, or one object a column), or above them in the same list, perhaps below
the number of all matches. Others send each record as a list of names with values, or its values in
an array of its own. `name_rows` is called on every tree of data before its lists are read.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

TOTAL, ROWS = "total", "rows"
"""Names of what a table is that says its number of matches above its rows."""
_NAME_KEYS = (
    *("name", "id", "key", "field", "fieldname", "columnname", "column", "label", "title"),
    *("displayname", "caption", "header", "data", "text"),
)
"""Keys of the name of a column, without case and signs between."""
_CELL_KEYS = ("v", "value", "f")
"""Keys of the value in a cell that is an object."""
_PAIR_NAMES = ("name", "key", "field", "label", "fieldname", "id")
_PAIR_VALUES = ("value", "values", "text", "content", "val")
_PAIR_KEYS = 4
"""Keys at most of an object that is a name with a value; a type or two may stand beside."""
_MIN_ROWS = 2
_MAX_BESIDE = 2
"""Other values of an item whose array is its row: more are a record that has a list."""
_MAX_NAME_CHARS = 60
_MAX_COLUMNS = 200
_MAX_DEPTH = 12
"""Of tables; what lies deeper is part of a record."""
_MAX_NODES = 20_000
"""Looked at in one tree: whatever a table holds is not looked into."""
_BESIDE_DEPTH = 3
"""Levels of objects beside rows in which their names are looked for."""
_PAIR = 3
"""Texts at most that tell a column: name, type, label."""


def name_rows(tree: Any) -> Any:
    """The tree with the rows of its tables as objects; the same tree if it has no table."""
    return _Namer().name(tree, 0)


class _Namer:
    def __init__(self) -> None:
        self._left = _MAX_NODES

    def name(self, value: Any, depth: int) -> Any:
        self._left -= 1
        if depth > _MAX_DEPTH or self._left < 0:
            return value
        if isinstance(value, dict):
            return self._name_in_object(value, depth)
        if isinstance(value, list):
            table = _read_headed(value)
            if table is not None:
                return table
            if any(isinstance(inner, dict | list) for inner in value):
                inside = [self.name(inner, depth + 1) for inner in value]
                if any(a is not b for a, b in zip(inside, value, strict=True)):
                    value = inside
            return _name_in_items(value)
        return value

    def _name_in_object(self, value: dict[str, Any], depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, inner in value.items():
            rows = _rows_of(inner)
            names = _find_names(value, key, len(rows[0])) if rows else None
            if names is not None:
                made[key] = [dict(zip(names, row, strict=True)) for row in rows]
            elif isinstance(inner, dict | list):
                named = self.name(inner, depth + 1)
                if named is not inner:
                    made[key] = named
        return {**value, **made} if made else value


def _name_in_items(rows: list[Any]) -> list[Any]:
    """The items of a list with the values that each holds under names, or in an array as long as
    those of all others, as values of their own."""
    if len(rows) < _MIN_ROWS or not all(isinstance(row, dict) for row in rows):
        return rows
    for key in rows[0]:
        inner = [_list_in(row.get(key)) for row in rows]
        pairs = [_read_pairs(one) for one in inner]
        if any(pairs):
            counts = Counter(name for one in pairs for name in one)
            # Choices of a menu have names of their own; values of records have the same.
            shared = sum(n for n in counts.values() if 2 * n >= len(rows))
            if 2 * shared >= counts.total():
                return [{**row, key: one} for row, one in zip(rows, pairs, strict=True)]
        arrays = [one for one in inner if _is_row(one)]
        has_others = sum(key != other for other in rows[0]) > _MAX_BESIDE
        is_even = len({len(one) for one in arrays}) == 1 and len(arrays) == len(rows)
        if is_even and not has_others:
            return [
                {**row, key: {f"column {n + 1}": cell for n, cell in enumerate(one)}}
                for row, one in zip(rows, arrays, strict=True)
            ]
    return rows


def _list_in(value: Any) -> list[Any]:
    """A list, or the one that an object holds beside nothing else."""
    if isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
    return value if isinstance(value, list) else []


def _is_row(value: list[Any]) -> bool:
    return len(value) > 1 and all(v is None or isinstance(v, str | int | float) for v in value)


def _read_pairs(value: list[Any]) -> dict[str, Any]:
    """Names and values of a list of objects that have one of each; {} of any other."""
    found: dict[str, Any] = {}
    for one in value:
        told = {_plain(key): inner for key, inner in one.items()} if isinstance(one, dict) else {}
        name = next((told[key] for key in _PAIR_NAMES if isinstance(told.get(key), str)), "")
        values = [told[key] for key in _PAIR_VALUES if key in told]
        if not name or not values or len(told) > _PAIR_KEYS or name in found:
            return {}
        found[name] = values[0]
    return found if len(found) > 1 else {}


def _rows_of(value: Any) -> list[list[Any]]:
    """The rows of a list of arrays of one width, or of objects that hold arrays alone, whose first
    is the row; [] of anything else."""
    if not isinstance(value, list) or not value:
        return []
    rows = [_unwrap_row(row) for row in value]
    if not all(isinstance(row, list) for row in rows):
        return []
    widths = {len(row) for row in rows}
    if len(widths) != 1 or not 1 < max(widths) <= _MAX_COLUMNS:
        return []
    return [[_unwrap_cell(cell) for cell in row] for row in rows]


def _unwrap_row(row: Any) -> Any:
    if isinstance(row, dict):
        arrays = [inner for inner in row.values() if isinstance(inner, list) and len(inner) > 1]
        others = [inner for inner in row.values() if isinstance(inner, str | int | float)]
        return arrays[0] if arrays and not others else row
    return row


def _unwrap_cell(cell: Any) -> Any:
    if isinstance(cell, dict) and len(cell) <= len(_CELL_KEYS):
        return next((cell[key] for key in _CELL_KEYS if key in cell), cell)
    return cell


def _find_names(beside: dict[str, Any], own: str, width: int) -> list[str] | None:
    """The names of columns that stand nearest beside rows: as many as a row has values."""
    level: list[Any] = [inner for key, inner in beside.items() if key != own]
    for _ in range(_BESIDE_DEPTH):
        for value in level:
            names = _names_from(value) if isinstance(value, list) else None
            if names is not None and len(names) == width:
                return names
        level = [inner for value in level if isinstance(value, dict) for inner in value.values()]
    return None


def _names_from(value: Sequence[Any]) -> list[str] | None:
    """Column names told as texts, as objects with a name, or as arrays of a name and a type."""
    if not 1 < len(value) <= _MAX_COLUMNS:
        return None
    if all(isinstance(one, str) for one in value):
        return _distinct(list(value))
    if all(isinstance(one, dict) for one in value):
        told = [{_plain(key): inner for key, inner in one.items()} for one in value]
        for key in _NAME_KEYS:
            names = [one.get(key) for one in told]
            if all(isinstance(name, str) for name in names) and (found := _distinct(names)):
                return found
        return None
    return _names_from_pairs(value)


def _names_from_pairs(value: Sequence[Any]) -> list[str] | None:
    pairs = [one for one in value if isinstance(one, list) and 1 < len(one) <= _PAIR]
    if len(pairs) < len(value) or len({len(pair) for pair in pairs}) > 1:
        return None
    if not all(isinstance(text, str) for pair in pairs for text in pair):
        return None
    names = _distinct([pair[0] for pair in pairs])
    # Types repeat, or are short names of their own; texts of records are neither.
    types = [pair[1] for pair in pairs]
    is_typed = all(0 < len(kind) <= _MAX_NAME_CHARS and " " not in kind for kind in types)
    return names if is_typed else None


def _distinct(names: list[Any]) -> list[str] | None:
    is_good = all(0 < len(name) <= _MAX_NAME_CHARS and "//" not in name for name in names)
    return names if is_good and len(set(names)) == len(names) else None


def _read_headed(value: list[Any]) -> Any:
    """The rows under names that stand above them in the same list, with the number of all matches
    if that comes first; None of any other list.

    Names that are mere texts are no proof, since the first row may be one like the others:
    `data_records` compares them with the rows.
    """
    if len(value) < 2 or len(value) > 1_000_000:
        return None
    total = _total_from(value[0])
    head, rows = (value[1], value[2:]) if total is not None else (value[0], value[1:])
    if not isinstance(head, list):
        return None
    names = _names_from(head)
    is_told = total is not None or not all(isinstance(one, str) for one in head)
    if names is None or not is_told:
        return None
    if any(not isinstance(row, list) or len(row) != len(names) for row in rows):
        return None
    if total is None and (not rows or any(_names_from(row) for row in rows[:3])):
        # A list of lists of pairs is no table: nothing tells its first row from the others.
        return None
    items = [dict(zip(names, row, strict=True)) for row in rows]
    return items if total is None else {TOTAL: total, ROWS: items}


def _total_from(value: Any) -> int | None:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def find_tables(tree: Any) -> Iterator[dict[str, Any]]:
    """The tables with a number of matches that `name_rows` made inside lists."""
    waiting, left = [(tree, 0)], 200
    while waiting and left > 0:
        value, depth = waiting.pop(0)
        left -= 1
        if is_table(value):
            yield value
        elif isinstance(value, list) and depth < _MAX_DEPTH and len(value) < 10:
            waiting.extend((inner, depth + 1) for inner in value)


def is_table(value: Any) -> bool:
    """Whether a value is what `name_rows` makes of rows below their number."""
    return isinstance(value, dict) and value.keys() == {TOTAL, ROWS}


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalpha())
