"""Cells that hold several things, read apart: `Case No. 16-0775: Roe v. Wade (May 3, 2011)`.

Listings write what others put into columns as one text, or several things under one heading.
`find_parts` learns from the first records of a source which of its places do; a `CellReader` then
gives the parts as cells of their own, and the whole cell stays what it was. Only parts are looked
for that the topic has fields for, and only such as a pattern can tell: full dates, names of cases,
file numbers and citations.
"""

# ruff: noqa: E501, RUF001 - patterns are read better in one line, and know signs of print

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from urllib.parse import unquote

from leadline.extraction.dates import find_date
from leadline.extraction.evidence import fits_values
from leadline.extraction.identifiers import find_citation, find_file_number
from leadline.extraction.values import is_like_person

Cells = Sequence[tuple[str, str]]
"""Places and texts of one record."""
DOCUMENT = "record:document"
"""The place of a link to a file, whose name may hold a number."""
_OF_FILES = frozenset({"docket_number"})
PART = "#"
"""Between the place of a cell and the field that a part of it is."""
_CASE_NAME, _YEAR = "case_name", "year"
_LEAST_ROWS = 0.5
"""Of the records in which a place occurs, those that must have the part: fewer are accidents."""
_LEAST_CASES = 0.4
"""The same for names of cases, of which many have only one party."""
_MAX_CHARS = 400
_SPARE_CHARS = {"case_name": 4, "docket_number": 6, "decision_date": 18, "citation": 6, "year": 0}
"""Signs that a text has beside a part and is still that part alone: `No. 12`, `Decided on`."""
_MAX_LOOK_CHARS = 200
"""Of a text that is looked at for the names of parties: these come first."""
_CUT = "\x00"
_roles = re.compile(
    r",?\s*\b(?:the\s+)?(?:cross[- ])?(?:defendant|plaintiff|appell(?:ant|ee|or)|respondent"
    r"|petitioner|claimant|applicant|intervenor|relator|(?:counter|cross|third[- ]party)[- ]?\w+"
    r"|aplt|aple|et al|ux|vir|and others)s?"
    r"(?:\s*[-/&]\s*(?:cross[- ])?(?:defendant|plaintiff|appell(?:ant|ee)|respondent|petitioner)s?)*"
    r"\b\.?(?=\s*(?:[,;.)]|$|vs?\b|versus\b|and\b))",
    re.IGNORECASE,
).sub  # fmt: skip
"""What parties are in a case: no part of their names."""
_remark = re.compile(r"\s*(?:\([^()]*\)?|\[[^\[\]]*\]?)\s*$").sub
_kind_of_document = re.compile(
    r"(?<=[\w\])])[\s,;:–—-]+(?:slip\s+)?(?:opinion|order|judgment|judgement|memorandum|decision|decree"
    r"|per curiam|(?:un)?published|(?:non-?)?precedential|corrected|filed|decided|issued|dated|posted|date|no)\b[^\x00]*$",
    re.IGNORECASE,
).search
"""What may stand behind a name; without the first letters of the name before it, it is one."""
_versus = re.compile(
    r"\s(?:vs?\.?|versus|contra|contro|c\.|c/|gegen|\./\.|tegen|mot|proti|przeciwko|против|κατά)\s",
    re.IGNORECASE,
).search
_front = re.compile(
    r"^\W*(?:(?:case|docket|matter|cause|action|file|title|caption|style|name)s?\s*(?:name)?\s*[:\-–]\s*)?",
    re.IGNORECASE,
).sub
_loose_comma = re.compile(r"\s*,(?=\s*(?:,|vs?\b|versus\b))", re.IGNORECASE).sub
_EDGES = " \t\r\n,;:-–—•·|/"


def find_case_name(text: str) -> str:
    """The name of a case in a text, without numbers, dates, remarks and the parts that parties
    play; '' if none is left.

    >>> find_case_name("Case No. 16-0775: Oliver Roe v. Gelita USA, Inc. (May 3, 2011)")
    'Oliver Roe v. Gelita USA, Inc.'
    >>> find_case_name("People of Guam, Plaintiff-Appellee, v. Ben Doe, Defendant-Appellant")
    'People of Guam v. Ben Doe'
    """
    rest = text
    for find in (find_citation, find_date, find_file_number):
        # One text may have several numbers and dates.
        for _ in range(4):
            found = find(rest)
            if found is None:
                break
            rest = rest[: found[1]] + _CUT + rest[found[2] :]
    pieces = rest.split(_CUT)
    named = [piece for piece in pieces if _versus(f" {piece} ")]
    piece = max(named or pieces, key=lambda one: sum(map(str.isalpha, one)))
    piece = _front("", piece)
    at = _versus(f"{piece} ")
    if (behind := _kind_of_document(piece, at.end() if at else 0)) is not None:
        piece = piece[: behind.start()]
    before = None
    while piece != before:
        before, piece = piece, _remark("", piece.strip(_EDGES))
    piece = " ".join(_roles("", piece).split())
    piece = _loose_comma("", piece).strip(_EDGES)
    return piece if sum(map(str.isalpha, piece)) >= 3 else ""


Part = tuple[str, int, int]
"""What a part says, and where it begins and ends in its text."""


def _read_case_name(text: str) -> Part | None:
    name = find_case_name(text)
    # A number before `In re` hides that it begins a name.
    is_one = any(fits_values("case_name", [one[:_MAX_LOOK_CHARS]]) for one in (text, name))
    return (name, 0, len(name)) if name and is_one else None


_bracketed_year = re.compile(r"\S\s+[(\[]((?:1[5-9]|20)\d\d)[)\]]\s*$").search


def _find_year(text: str) -> Part | None:
    """`Casablanca (1942)`: the year behind a name."""
    found = _bracketed_year(text)
    return (found[1], found.start() + 1, found.end()) if found else None


_PARTS: Mapping[str, Callable[[str], Part | None]] = {
    "case_name": _read_case_name,
    "docket_number": find_file_number,
    "decision_date": find_date,
    "citation": find_citation,
    "year": _find_year,
}
"""By the field that a part is: what finds it in a text."""


class CellReader:
    """Reads the records of one source: as they are, and the parts of places that hold several."""

    def __init__(self, places: Iterable[str] = ()) -> None:
        """`places` of columns: those of parts say what is to be read apart."""
        self._parts: dict[str, list[str]] = defaultdict(list)
        for place in places:
            whole, mark, field = place.rpartition(PART)
            if mark and field in _PARTS:
                self._parts[whole].append(field)

    def read(self, cells: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """The cells, and behind each what it holds: of several cells of one place the first part
        of a kind. Where cases are named, what names no party is a name too: `Discipline of Doe`."""
        found = set()
        plain: dict[str, str] = {}
        for place, text in cells:
            yield place, text
            if _CASE_NAME in self._parts.get(place, ()) and len(text) <= _MAX_CHARS:
                plain.setdefault(f"{place}{PART}{_CASE_NAME}", text)
            shown = _read_stem(text) if place == DOCUMENT else text
            for field in self._parts.get(place, ()):
                key = f"{place}{PART}{field}"
                if key not in found and (part := _find_part(field, shown)):
                    found.add(key)
                    yield key, part[0]
        for key, text in plain.items():
            if key not in found and (name := find_case_name(text)):
                yield key, name


_stem = re.compile(r"([^/?#=]+?)(?:\.\w{1,5})?$").search


def _read_stem(url: str) -> str:
    """The name of the file that a link leads to: where a listing shows no number, it often has it."""
    found = _stem(unquote(url))
    return found[1].replace("_", " ") if found else ""


def _find_part(field: str, text: str) -> Part | None:
    return _PARTS[field](text) if len(text) <= _MAX_CHARS else None


def find_parts(
    rows: Sequence[Cells], fields: Iterable[str], whole: Collection[str] = ()
) -> list[str]:
    """The places of the parts that records have, of those that fields ask for. Records of cases
    have parts under any topic. `whole`: places that are one thing by what they are."""
    asked = frozenset(fields)
    wanted = _choose_parts(rows, asked)
    if not wanted:
        return []
    rows_with: Counter[str] = Counter()
    having: Counter[tuple[str, str]] = Counter()
    several: Counter[tuple[str, str]] = Counter()
    for row in rows:
        for place, texts in _collect_texts(row, whole).items():
            rows_with[place] += 1
            # A file's name is read for nothing that nobody asks for: most have some number.
            for field in _OF_FILES & asked if place == DOCUMENT else wanted:
                of_texts = ((text, _find_part(field, text)) for text in texts)
                text, part = next((one for one in of_texts if one[1]), ("", None))
                if part:
                    having[place, field] += 1
                    rest = len(text) - (part[2] - part[1])
                    is_part = len(texts) > 1 or rest > _SPARE_CHARS[field] or place == DOCUMENT
                    several[place, field] += is_part
    found = []
    for (place, field), count in having.items():
        least = _LEAST_CASES if field == "case_name" else _LEAST_ROWS
        if count >= least * rows_with[place] and several[place, field] >= _LEAST_ROWS * count:
            found.append(f"{place}{PART}{field}")
    return found


_SEPARATORS = (";", "|", "•", "·", " / ", ",")
"""Between the items of a list in one text, the surest first."""
_MOST_WORDS = 4
"""Of an item of a list that is no person, on average."""
_LISTED = 0.8
"""Share of items that must be persons for texts to be lists of them: some names are cut off."""


def find_separator(texts: Sequence[str], kind: str) -> str:
    """What parts the items of texts that are lists; '' if they are none: `Le Guin, Ursula` is one
    person, `Ursula Le Guin, Jane Roe` are two, and `Comedy, Drama` are two kinds if either also
    stands beside others."""
    for separator in _SEPARATORS:
        split = [split_list(text, separator) for text in texts]
        lists = [items for items in split if len(items) > 1]
        if len(lists) < 2 or len(lists) < _LEAST_LISTS * len(texts):
            continue
        items = [item for one in lists for item in one]
        if kind == "person":
            is_list = sum(map(is_like_person, items)) >= _LISTED * len(items)
        else:
            # Items of a list come again in others; the phrases of a sentence do not.
            seen = {item.casefold() for item in items}
            is_short = sum(len(item.split()) for item in items) <= _MOST_WORDS * len(items)
            is_list = is_short and len(seen) <= _REPEATED * len(items)
        if is_list:
            return separator
    return ""


_LEAST_LISTS = 0.1
"""Of a column's texts that must have the separator: many things have one author only."""
_REPEATED = 0.7
"""Distinct items of all items. Of 300 records the genres, languages and amenities of any kind of
thing come below .4; phrases of descriptions are all distinct."""


def split_list(text: str, separator: str) -> list[str]:
    """The items of a text, each once.

    >>> split_list("Comedy, Drama and War", ","), split_list("Comedy", ",")
    (['Comedy', 'Drama and War'], ['Comedy'])
    """
    return list(dict.fromkeys(item for one in text.split(separator) if (item := one.strip(" .,"))))


def _collect_texts(row: Cells, whole: Collection[str]) -> dict[str, list[str]]:
    """The texts of a record by their place; of a link to a file the file's name."""
    found: dict[str, list[str]] = defaultdict(list)
    for place, text in row:
        if place == DOCUMENT:
            found[place].append(_read_stem(text))
        elif place not in whole:
            found[place].append(text)
    return found


def _choose_parts(rows: Sequence[Cells], asked: Collection[str]) -> list[str]:
    """The parts that are looked for. Of things that nobody has said anything about, it is the
    year."""
    wanted = [field for field in _PARTS if field in asked or (not asked and field == _YEAR)]
    is_known = any(field in asked for field in wanted)
    return wanted if is_known or not _are_cases(rows) else list(_PARTS)


def _are_cases(rows: Sequence[Cells]) -> bool:
    """Whether at some place most records name a case."""
    fitting: Counter[str] = Counter()
    for row in rows:
        fitting.update(
            {place for place, text in row if fits_values("case_name", [text[:_MAX_LOOK_CHARS]])}
        )
    return max(fitting.values(), default=0) >= max(2, _LEAST_CASES * len(rows))
