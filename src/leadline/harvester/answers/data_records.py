"""Which list of a tree of data holds the results, and its items as records.

A list is known by its path with positions left out, so that lists in the items of another list
count as one. What a list says itself, in texts that differ from item to item, decides: lists inside
its items speak for themselves.
"""

import html
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import xxhash
from msgspec import Struct

from leadline.core.harvest import Cell, Record
from leadline.core.url import Url
from leadline.harvester.answers.data_tables import find_tables, is_table

PLACE = "data:"
"""Begins the places of lists in data, among those of blocks on pages."""
_MAX_VALUES = 200_000
"""Looked at in one tree."""
_MAX_DEPTH = 40
_MAX_ITEMS = 2_000
_MAX_CELLS = 200
_MAX_CHARS = 2_000
_MAX_LINKS = 30
_ITEM_CHARS = 400
"""What an item counts for at most: a long text is no better a result."""
_DEEPER = 1.3
"""How much more a list inside items must say than the list around it."""
_GROUP_CHARS = 30
"""Letters that the heading of a group has at most: names of courts, months and categories."""
_RECORD_VALUES = 4
"""Values from which on more are no sign of a record: a name, a number, a date, an address."""
_MEASURED = 20
_MIN_HTML_CHARS = 100
_MIN_CHARS = 8
"""Letters that an item of results says on average."""
_KEY, _VALUE = "key", "value"
"""Cells for the name of an item in its object, and for an item that is a mere text."""
_SCALARS = (str, int, float, bool)
_tag = re.compile(r"<[a-zA-Z/!][^<>]{0,2000}>")
_href = re.compile(r"""href\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
_address = re.compile(r"(?:https?:)?//[^\s/]+\.?[^\s/]*(?:/\S*)?$|/[^\s/][^\s]*$").match
_is_image = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|ico)(?:\?|$)", re.IGNORECASE).search
_image_key = re.compile(r"image|img|thumb|icon|avatar|logo|photo|picture", re.IGNORECASE).search
_url_key = re.compile(r"(?:^|[._])(?:\w*url|\w*link|href|uri|loc|permalink)$", re.IGNORECASE).search
_best_url_key = re.compile(
    r"(?:^|[._])(?:html_?url|web_?url|link|permalink|url|href|loc)$", re.IGNORECASE
).search
_title_key = re.compile(
    r"(?:title|name|headline|caption|subject|heading|label|style|display)\w*$", re.IGNORECASE
).search
_best_title_key = re.compile(r"(?:^|[._])(?:title|headline|name|caption)$", re.IGNORECASE).search
_id_key = re.compile(r"(?:^|[._])(?:id|uuid|guid|key|_id|identifier)$", re.IGNORECASE).search
_total_key = re.compile(
    r"(?:^|_)(?:total|totalcount|totalitems|totalresults|totalhits|total_?\w*|numfound|nbhits|"
    r"resultcount|recordcount|matches|found|hits|count|opensearch:totalresults)$",
    re.IGNORECASE,
).search
_pages_key = re.compile(r"page", re.IGNORECASE).search
_error_key = re.compile(r"^(?:errors?|error_?message|exception|fault)$", re.IGNORECASE).match
_token = re.compile(r"[0-9A-Fa-f-]{16,}|\d{4}-\d\d-\d\dT?[\d:.+Z-]*|[\w+/=-]{30,}").fullmatch
_letters = re.compile(r"[^\W\d_]")
_prose = re.compile(r"[^\W\d_]{2,}\W* (?:\w\W* )?\w*[^\W\d_]{2,}").search


class DataList(Struct, frozen=True):
    """A list of a tree, or all lists at one path."""

    path: str
    items: tuple[Any, ...]
    weight: float = 0.0
    around: tuple[Mapping[str, Any], ...] = ()
    """For each item, the plain values of the items of other lists that it lies in: a decision of a
    case is told by the name of the case."""

    @property
    def place(self) -> str:
        return PLACE + self.path


def find_lists(tree: Any) -> list[DataList]:
    """The lists whose items are objects or rows, by path, in the order of the tree."""
    found: dict[str, list[Any]] = defaultdict(list)
    arounds: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    left = _MAX_VALUES
    waiting: list[tuple[str, Any, int, Mapping[str, Any]]] = [("", tree, 0, {})]
    while waiting and left > 0:
        path, value, depth, around = waiting.pop()
        left -= 1
        if depth > _MAX_DEPTH:
            continue
        if isinstance(value, dict):
            table = _rows_of_columns(value)
            if table is not None:
                found[path].extend(table)
                arounds[path].extend([around] * len(table))
                continue
            if _is_map_of_items(value):
                items = [{_KEY: key, **inner} for key, inner in value.items()]
                found[path].extend(items)
                arounds[path].extend([around] * len(items))
                waiting.extend(
                    (path + "*", inner, depth + 1, _values_around(around, path, item))
                    for inner, item in zip(reversed(value.values()), reversed(items), strict=True)
                )
                continue
            inside = [(f"{path}.{key}", inner, depth + 1, around) for key, inner in value.items()]
            waiting.extend(reversed(inside))
        elif isinstance(value, list):
            rows = [inner for inner in value if isinstance(inner, dict | list) and inner]
            if rotated := _rows_of_lists(value):
                found[path].extend(rotated)
                arounds[path].extend([around] * len(rotated))
                continue
            if value and "*" not in path and all(isinstance(inner, str) for inner in value):
                # Plain texts, unless they are values of an item.
                texts = [{_VALUE: inner} for inner in value if _prose(inner)]
                found[path].extend(texts)
                arounds[path].extend([around] * len(texts))
                continue
            found.setdefault(path, [])
            if rows and 2 * len(rows) >= len(value) and _are_items(rows):
                found[path].extend(rows)
                arounds[path].extend([around] * len(rows))
            waiting.extend(
                (path + "*", inner, depth + 1, _values_around(around, path, inner))
                for inner in reversed(value[:_MAX_ITEMS])
            )
    return _join_groups(
        DataList(path, tuple(items[:_MAX_ITEMS]), around=tuple(arounds[path][:_MAX_ITEMS]))
        for path, items in found.items()
    )


def _join_groups(lists: Iterable[DataList]) -> list[DataList]:
    """The lists with those joined that stand under keys that are values: days, courts, kinds. Each
    item gets the keys that tell its list from the others."""
    groups: dict[tuple[int, frozenset[str]], list[DataList]] = {}
    for one in lists:
        kind = _names_of_items(one.items)
        # Lists without items, or of no objects, stay apart.
        key = (one.path.count("."), kind) if kind else (-1, frozenset({one.path}))
        groups.setdefault(key, []).append(one)
    joined: list[DataList] = []
    for group in groups.values():
        steps = list(zip(*(one.path.split(".") for one in group), strict=True))
        places = [n for n, names in enumerate(steps) if len(set(names)) > 1]
        if len(group) < 2 or not all(_are_values(set(steps[n])) for n in places):
            joined.extend(group)
            continue
        path = ".".join("?" if n in places else names[0] for n, names in enumerate(steps))
        items = [item for one in group for item in one.items]
        around = [
            {**held, **{f"group {n}": one.path.split(".")[place] for n, place in enumerate(places)}}
            for one in group
            for held in one.around
        ]
        joined.append(DataList(path, tuple(items[:_MAX_ITEMS]), around=tuple(around[:_MAX_ITEMS])))
    return joined


def _names_of_items(items: Sequence[Any]) -> frozenset[str]:
    """The names that most items have; none if items are no objects."""
    if not items or not all(isinstance(item, dict) for item in items):
        return frozenset()
    counts = Counter(name for item in items for name in item)
    return frozenset(name for name, n in counts.items() if 2 * n > len(items))


def _are_values(keys: Collection[str]) -> bool:
    """Whether keys of an object are values, as days are, and no names that a programmer gave."""
    if any(map(_is_facet, keys)):
        return False
    is_clear = all(map(_is_value, keys)) or len(keys) >= _MANY_KEYS
    return is_clear and not any(map(_is_identifier, keys))


_is_value = re.compile(r"\d|\s|^[^\Wa-z\d_][^\WA-Z\d_]+$").search
_is_identifier = re.compile(r"[a-z][A-Z]|_|[rR]esult|[iI]tem").search
_MANY_KEYS = 3
"""Keys over lists of one kind that are values even if they are words."""


def _values_around(around: Mapping[str, Any], path: str, item: Any) -> Mapping[str, Any]:
    """What is around the values of an item: its own plain values, named by its list."""
    if not isinstance(item, dict) or is_table(item):
        return around
    name = path.rpartition(".")[2].strip("*") or "item"
    plain = {f"{name}.{key}": v for key, v in item.items() if isinstance(v, _SCALARS)}
    return {**around, **plain} if plain and len(around) < _MAX_CELLS else around


def _rows_of_columns(value: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The items of an object that is a table by columns, or that has an address for each name;
    None for any other object."""
    inner = list(value.values())
    if len(inner) > 2 and all(isinstance(v, str) and _address(v) for v in inner):
        names = [{"name": name, "url": url} for name, url in value.items()]
        return names if 2 * sum(bool(_prose(name)) for name in value) > len(value) else None
    if len(inner) < 2:
        return None
    if all(isinstance(v, dict) and len(v) > 1 and all(map(str.isdigit, v)) for v in inner):
        # A column has a value for each row's number.
        rows = inner[0].keys()
        if all(v.keys() == rows for v in inner) and all(
            map(_are_plain, (v.values() for v in inner))
        ):
            return [{name: column[row] for name, column in value.items()} for row in rows]
        return None
    columns = {name: v for name, v in value.items() if isinstance(v, list) and _are_plain(v)}
    sizes = {len(column) for column in columns.values()}
    if len(columns) < 2 or len(columns) < len(inner) or len(sizes) > 1 or max(sizes) < 3:
        return None
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _rows_of_lists(value: list[Any]) -> list[list[Any]] | None:
    """The items of a list that has one list of addresses and others of names, as suggestions do."""
    columns = [v for v in value if isinstance(v, list)]
    if not 2 <= len(columns) <= 6 or len({len(v) for v in columns}) > 1 or len(columns[0]) < 3:
        return None
    if not all(map(_are_plain, columns)):
        return None
    addresses = [all(isinstance(v, str) and _address(v) for v in column) for column in columns]
    return [list(row) for row in zip(*columns, strict=True)] if sum(addresses) == 1 else None


def _are_plain(values: Iterable[Any]) -> bool:
    return all(value is None or isinstance(value, _SCALARS) for value in values)


def _is_map_of_items(value: dict[str, Any]) -> bool:
    """Whether an object holds items by their number or key: all alike, with several values."""
    if len(value) < 3 or not all(isinstance(inner, dict) and inner for inner in value.values()):
        return False
    kinds = Counter(frozenset(inner) for inner in value.values())
    return kinds.most_common(1)[0][1] >= 0.7 * len(value) and len(next(iter(kinds))) > 1


def _are_items(rows: Sequence[Any]) -> bool:
    """Objects that share most of their names, or rows of a table with plain values."""
    if all(isinstance(row, dict) for row in rows):
        counts = Counter(name for row in rows for name in row)
        shared = sum(n for n in counts.values() if 2 * n >= len(rows))
        return 2 * shared >= counts.total()
    if not all(isinstance(row, list) for row in rows):
        return False
    return all(sum(isinstance(v, _SCALARS) for v in row) > 1 for row in rows)


def weigh_list(one: DataList) -> DataList:
    """By what its items say themselves, as far as it differs between them."""
    chars = [0] * len(one.items)
    seen: Counter[tuple[str, str]] = Counter()
    rows = [list(_own_leaves(item)) for item in one.items]
    for row in rows:
        seen.update(set(row))
    for number, row in enumerate(rows):
        for path, text in row:
            if seen[path, text] == 1 or 4 * seen[path, text] < len(rows):
                chars[number] += _weight_of(text)
    weight = float(sum(min(n, _ITEM_CHARS) for n in chars))
    # Things to choose from have a name and a count.
    if one.items and _is_facet(one.path):
        weight *= 0.2
    return DataList(one.path, one.items, weight, one.around)


_is_facet = re.compile(
    r"facet|filter|aggregat|bucket|sort|option|menu|breadcrumb|navigation|suggest|column|header|"
    r"translation|locale|config|included|related|recommend|highlight",
    re.IGNORECASE,
).search


def _weight_of(text: str) -> int:
    if _token(text):
        return 1
    return len(text) if _prose(text) else min(len(text), 8)


def _own_leaves(item: Any) -> Iterator[tuple[str, str]]:
    """Paths and texts of an item without those of lists of objects inside."""
    waiting: list[tuple[str, Any, int]] = [("", item, 0)]
    left = _MAX_CELLS
    while waiting and left > 0:
        path, value, depth = waiting.pop()
        left -= 1
        if isinstance(value, dict) and depth < _MAX_DEPTH:
            waiting.extend((f"{path}.{k}", v, depth + 1) for k, v in reversed(value.items()))
        elif isinstance(value, list):
            if depth == 0 or not any(isinstance(inner, dict | list) for inner in value):
                waiting.extend((f"{path}.{n}", v, depth + 1) for n, v in enumerate(value[:20]))
        elif isinstance(value, str) and value.strip():
            yield path, plain_text(value)


def choose_list(lists: Sequence[DataList], known: Mapping[str, Any]) -> DataList | None:
    """The list of results: one at a known place, else the one that says most."""
    at_known = [one for one in lists if one.place in known and one.items]
    if at_known:
        return max(at_known, key=lambda one: len(one.items))
    weighed = [weigh_list(one) for one in lists if one.items]
    best: DataList | None = None
    # Outer lists come first: a list inside must say clearly more.
    for one in weighed:
        if one.weight < _MIN_CHARS * len(one.items):
            continue
        if best is None:
            best = one
        else:
            is_inside = one.path.startswith(best.path + "*")
            # What only has names is a menu; a part of a record may have more values than it.
            poorer = 1.0 if is_inside else _richness(best) / _richness(one)
            more = best.weight * (_DEEPER if is_inside else poorer)
            # The heading of a group is short: what says more is a record with parts.
            is_finer = not is_inside or (
                len(one.items) > len(best.items) and best.weight < _GROUP_CHARS * len(best.items)
            )
            if one.weight > more and is_finer:
                best = one
    return best


def _richness(one: DataList) -> float:
    """How many values an item has, against those that a record has: from 1/16 to 1."""
    rows = [{path for path, _ in _own_leaves(item)} for item in one.items[:_MEASURED]]
    values = sum(map(len, rows)) / max(1, len(rows))
    return float(min(1.0, max(1.0, values) / _RECORD_VALUES) ** 2)


def find_html(tree: Any) -> tuple[str, float]:
    """The longest piece of a page that a string of the tree holds, and its share of all text; ''
    if none has several links."""
    texts = [text for _, text in _all_leaves(tree)]
    pages = (t for t in texts if len(t) > _MIN_HTML_CHARS and len(_href.findall(t)) > 1)
    piece = max(pages, key=len, default="")
    return piece, len(piece) / max(1, sum(map(len, texts)))


def find_data_total(tree: Any, shown: int) -> int | None:
    """A number outside the items whose name says that it counts matches."""
    waiting = [(tree, 0), *((table, 0) for table in find_tables(tree))]
    found: list[tuple[bool, int]] = []
    while waiting:
        value, depth = waiting.pop(0)
        if not isinstance(value, dict) or depth > 3:
            continue
        for key, inner in value.items():
            if isinstance(inner, str) and inner.isdigit() and len(inner) < 12:
                inner = int(inner)
            if isinstance(inner, int) and not isinstance(inner, bool):
                if _total_key(key) and not _pages_key(key) and inner >= shown:
                    found.append(("total" in key.lower() or "found" in key.lower(), inner))
            elif isinstance(inner, dict):
                waiting.append((inner, depth + 1))
    return max(found, key=lambda pair: pair[0])[1] if found else None


def find_error(tree: Any) -> str:
    """What an object says that went wrong; '' if nothing."""
    if not isinstance(tree, dict):
        return ""
    for key, value in tree.items():
        if _error_key(key) and value and not isinstance(value, bool | int):
            return " ".join(text for _, text in _own_leaves(value))[:80] or str(key)
    return ""


def plain_text(text: str) -> str:
    """Without the tags of HTML that a string holds."""
    if "<" in text and _tag.search(text):
        text = _tag.sub(" ", text)
    if "&" in text:
        text = html.unescape(text)
    return " ".join(text.split())[:_MAX_CHARS]


class DataRecordReader:
    """Reads the items of a list as records."""

    def __init__(
        self, join: Callable[[str], Url | None], key_of: Callable[[Url], str] = str
    ) -> None:
        """`join` makes addresses absolute, `key_of` cuts from them what belongs to no record."""
        self._join = join
        self._key_of = key_of

    def read(self, chosen: DataList) -> list[Record]:
        """In their order, each key once."""
        names: Sequence[str] = ()
        items, around = chosen.items, chosen.around or ({},) * len(chosen.items)
        if len(items) > 1 and isinstance(items[0], list) and _is_head(items[0], items[1:]):
            names, items, around = [str(name) for name in items[0]], items[1:], around[1:]
        own = [_cells_of(item, names) for item in items]
        rows = [[*c, *_cells_of(a, ())] for c, a in zip(own, around, strict=True)]
        columns: dict[str, list[str]] = defaultdict(lambda: [""] * len(rows))
        for number, cells in enumerate(rows):
            for cell in cells:
                if not columns[cell.place][number]:
                    columns[cell.place][number] = cell.text
        title_path = _best_path(columns, _rate_title)
        url_path = _best_path(columns, _rate_url)
        id_path = _best_path(columns, _rate_id)
        shared = _find_shared(columns[url_path], own) if url_path else frozenset()
        found: dict[str, Record] = {}
        for number, (item, cells) in enumerate(zip(items, rows, strict=True)):
            title = columns[title_path][number] if title_path else ""
            url = self._join(columns[url_path][number]) if url_path else None
            links = self._links_of(cells, item)
            # A text that holds its own link says where the record is.
            url = url or next(iter(links), None) if url_path is None else url
            identity = columns[id_path][number] if id_path else ""
            is_telling = url_path and columns[url_path][number] not in shared
            record = Record(
                key=self._key(url if is_telling else None, identity, cells),
                title=title or (cells[0].text if cells else ""),
                cells=tuple(cells),
                url=url,
                links=links,
                images=tuple(link for link in links if _is_image(link)),
            )
            if cells:
                found.setdefault(record.key, record)
        return list(found.values())

    def _key(self, url: Url | None, identity: str, cells: Sequence[Cell]) -> str:
        if url is not None:
            return self._key_of(url)
        content = identity or "\n".join(f"{cell.place} {cell.text}" for cell in cells)
        return xxhash.xxh3_128_hexdigest(content.encode("utf-8", "replace"))

    def _links_of(self, cells: Sequence[Cell], item: Any) -> tuple[Url, ...]:
        said = [cell.text for cell in cells if _address(cell.text)]
        for _, text in _all_leaves(item):
            if "href" in text:
                said.extend(html.unescape(found) for found in _href.findall(text)[:_MAX_LINKS])
        urls = (self._join(text) for text in dict.fromkeys(said))
        return tuple(dict.fromkeys(url for url in urls if url))[:_MAX_LINKS]


def _find_shared(urls: Sequence[str], rows: Sequence[Sequence[Cell]]) -> frozenset[str]:
    """Addresses that items with different values have in common: they tell no record."""
    values: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for url, cells in zip(urls, rows, strict=True):
        values[url].add(tuple(cell.text for cell in cells))
    return frozenset(url for url, different in values.items() if len(different) > 1)


def _all_leaves(item: Any) -> Iterator[tuple[str, str]]:
    """Paths, without positions, and raw texts of all that an item holds."""
    waiting: list[tuple[str, Any, int]] = [("", item, 0)]
    left = 10 * _MAX_CELLS
    while waiting and left > 0:
        path, value, depth = waiting.pop()
        left -= 1
        if depth > _MAX_DEPTH:
            continue
        if isinstance(value, dict):
            inside = ((f"{path}.{k}" if path else k, v, depth + 1) for k, v in value.items())
            waiting.extend(reversed(list(inside)))
        elif isinstance(value, list):
            waiting.extend((path, inner, depth + 1) for inner in reversed(value[:_MAX_ITEMS]))
        elif isinstance(value, str):
            if value.strip():
                yield path, value
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield path, str(value)


def _cells_of(item: Any, names: Sequence[str]) -> list[Cell]:
    if isinstance(item, list):
        given = [names[n] if n < len(names) else f"column {n + 1}" for n in range(len(item))]
        leaves: Iterator[tuple[str, str]] = (
            (name, text)
            for name, value in zip(given, item, strict=True)
            for _, text in _all_leaves(value)
        )
    else:
        leaves = _all_leaves(item)
    cells: list[Cell] = []
    for path, text in leaves:
        shown = plain_text(text)
        if shown and len(cells) < _MAX_CELLS:
            cells.append(Cell(path or "value", shown))
    return cells


def _is_head(first: Sequence[Any], rows: Sequence[Any]) -> bool:
    """Whether the first row names the columns: short texts, all different, that no row repeats."""
    if not all(isinstance(name, str) and 0 < len(name) < 40 for name in first):
        return False
    if any(name.isdigit() or _address(name) for name in first):
        return False
    has_numbers = any(isinstance(value, int | float) for row in rows[:20] for value in row)
    # Of two rows of mere texts nothing tells whether one names the other.
    is_apart = len(rows) > 1 and not any(value in first for row in rows for value in row)
    return len(set(first)) == len(first) and (has_numbers or is_apart)


def _best_path(
    columns: Mapping[str, Sequence[str]], rate: Callable[[str, Sequence[str]], float]
) -> str | None:
    rated = [(rate(path, texts), -path.count("."), path) for path, texts in columns.items()]
    best = max(rated, default=(0.0, 0, ""), key=lambda one: one[:2])
    return best[2] if best[0] > 0 else None


def _coverage(texts: Sequence[str]) -> tuple[float, float]:
    """Share of items that have the value, and of these that have one of their own."""
    given = [text for text in texts if text]
    return len(given) / len(texts), len(set(given)) / max(1, len(given))


def _rate_title(path: str, texts: Sequence[str]) -> float:
    share, different = _coverage(texts)
    given = [text for text in texts if text]
    if share < 0.5 or (different < 0.5 and len(texts) > 2):
        return 0.0
    if sum(bool(_address(text) or _token(text)) for text in given) > 0.5 * len(given):
        return 0.0
    prose = sum(bool(_prose(text)) for text in given) / len(given)
    length = sum(map(len, given)) / len(given)
    named = 1.5 if _best_title_key(path) else 1.0 if _title_key(path) else 0.0
    has_letters = sum(bool(_letters.search(text)) for text in given) / len(given)
    is_long = length > 300
    rate = share + different + prose + named + has_letters - 1.5 * is_long - 0.3 * path.count(".")
    return max(rate - 1.5, 0.0)


def _rate_url(path: str, texts: Sequence[str]) -> float:
    share, different = _coverage(texts)
    given = [text for text in texts if text]
    addresses = sum(bool(_address(text)) for text in given) / max(1, len(given))
    is_feed_link = (
        bool(_best_url_key(path))
        and addresses == 0
        and all(" " not in text and "." in text for text in given)
    )
    if (
        share < 0.4
        or (different < 0.6 and len(texts) > 1)
        or (addresses < 0.8 and not is_feed_link)
    ):
        return 0.0
    if _image_key(path) or sum(bool(_is_image(text)) for text in given) > 0.5 * len(given):
        return 0.0
    named = 1.0 if _best_url_key(path) else 0.5 if _url_key(path) else 0.0
    return share + different + named - 0.2 * path.count(".")


def _rate_id(path: str, texts: Sequence[str]) -> float:
    share, different = _coverage(texts)
    if not _id_key(path) or share < 1 or different < 1:
        return 0.0
    return 2.0 - 0.3 * path.count(".")
