"""Identifiers in texts, told by their check digits where they have some, else by their shape.

The sums are those of ISO 2108 (ISBN), ISO 3297 (ISSN), GS1 (EAN) and ISO 3779 (VIN): a dozen lines
here, against four megabytes of a library of a thousand national numbers of which none is needed.
"""

# ruff: noqa: E501, RUF001 - patterns are read better in one line, and know signs of print
import re

from leadline.extraction.dates import find_date

_isbn = re.compile(
    r"(?<![\w-])(?:97[89][- ]?)?\d{1,5}(?:[- ]?\d{1,7}){1,3}[- ]?[\dXx](?![\w-])"
).search
_issn = re.compile(r"(?<![\w-])\d{4}-\d{3}[\dXx](?![\w-])").search
_doi = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]+").search
_digits = re.compile(r"(?<![\w-])\d{8}(?:\d{4,6})?(?![\w-])").search
_vin = re.compile(r"(?<![A-Z0-9])[A-HJ-NPR-Z0-9]{17}(?![A-Z0-9])").search
# Court and file numbers: groups of digits and short words of letters, joined by signs, of which one
# has digits; `No. 12-3456`, `2:19-cv-00123`, `A-12-34`, `III ZR 12/19`, `[2019] EWCA Civ 12`.
_docket = re.compile(
    r"(?<![\w/-])(?:no\.?\s*|nos\.?\s*|case\s+|#\s*)?"
    r"((?:[A-Z]{1,6}[-. ]?)?\d{1,4}[-:/](?:[A-Za-z0-9]{1,6}[-:/ ]){0,3}\d{1,7}(?:-[A-Z0-9]{1,5})*"
    r"|[A-Z]{1,6}-?\d{2,4}[-/]\d{1,6}(?:-[A-Z0-9]{1,5})*"
    r"|[A-Z]{1,3}\d{5,9}"
    r"|\[?\d{4}\]? [A-Z]{2,8}(?: [A-Z][a-z]+)? \d{1,5}"
    r"|[IVXL]{1,5} [A-Z]{1,3} \d{1,4}/\d{2})(?![\w/])",
    re.IGNORECASE,
).search
# What stands before a file number, and the number behind it: then any code with a figure will do.
_labelled_number = re.compile(
    r"(?<!\w)(?:(?:case|docket|appeal|cause|file|action|claim|matter|application|record|opinion|suit"
    r"|criminal|civil|rechtssache|affaire|asunto|causa|processo|zaak|expediente)\s*)?"
    r"(?:nos?\.|no\b|nos\b|numbers?\b|nr\.?|núm\.?|num\.|n[°º]|#|az\.?|aktenzeichen)\s*:?\s*"
    r"((?=[\w./:–-]*\d)[A-Z0-9](?:[\w/:–-]|\.(?=\w))*(?:\s[A-Z]{2,4}\s\d{4}|\s(?:[A-Z]\.){2,3}\s\d{4})?)",
    re.IGNORECASE,
).search
_bare_number = re.compile(
    r"(?<![\w$€£.,/-])(?:\d{1,4} (?:[A-Z]{2,4}|(?:[A-Z]\.){2,3}) (?:19|20)\d{2}"
    r"|\d{1,4}, (?:19|20)\d{2}"
    r"|[IVXL]{1,5} [A-Z]{1,3} \d{1,4}/\d{2}"
    r"|[A-Z0-9]+(?:[-/:–][A-Za-z0-9]+)*(?:-[A-Z]\.[A-Z]\.)?)(?![\w%])"
).finditer
_citation = re.compile(
    r"\[?\b(?:19|20)\d{2}\]?[ -](?:[A-Z][A-Za-z]*\.?(?:[A-Z]\.)*[ -]?){1,3}(?<=[ -])\d{1,6}(?:\(U\))?(?![\w-])"
).search
_further_number = re.compile(
    r"\s?(?:,|&|;|and|und|et|y|e|og|en)\s?(?:nos?\.\s?)?(?=[A-Z0-9]*\d)[A-Z0-9]+(?:[-/:–][A-Za-z0-9]+)+(?![\w%])"
).match
_day = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?::\d\d)?").match
_LEAST_FIGURES = 4
"""Of a number that no word announces: `A 7` and `CA3` are too short."""
_MOST_FIGURES = 10
"""Of a number of figures alone: longer ones are given by programs to their files."""
_year = re.compile(r"(?:19|20)\d{2}").fullmatch
_code = re.compile(r"^(?=.*\d)[A-Z0-9][A-Z0-9._/-]{3,24}$", re.IGNORECASE).match
_VIN_LETTERS = dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True)
)
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_MAX_CHARS = 80
_BESIDE_DATE = 12
"""Signs: a word before it, or a time."""


def find_identifier(text: str) -> tuple[str, str] | None:
    """The first identifier of a text in its normal form, and its scheme.

    >>> find_identifier("ISBN: 0-471-11709-9"), find_identifier("978-0-471-11709-4")
    (('9780471117094', 'isbn'), ('9780471117094', 'isbn'))
    >>> find_identifier("No. 12-3456")
    ('12-3456', 'docket')
    """
    if len(text) > _MAX_CHARS or not any(map(str.isdigit, text)):
        return None
    if found := _doi(text):
        return found[0].rstrip(".,;)").lower(), "doi"
    if (found := _isbn(text)) and (isbn := make_isbn(found[0])):
        return isbn, "isbn"
    if (found := _issn(text)) and _has_issn_check(found[0]):
        return found[0].upper(), "issn"
    if (found := _digits(text)) and _has_gs1_check(found[0]):
        return found[0], "ean"
    if (found := _vin(text.upper())) and _has_vin_check(found[0]):
        return found[0], "vin"
    if (found := _docket(text)) and _is_long_enough(found[1]):
        return None if is_day(text) else (" ".join(found[1].split()).upper(), "docket")
    is_code = _code(text) and not text.isdigit() and not is_day(text)
    return (text.upper(), "code") if is_code else None


def find_file_number(text: str) -> tuple[str, int, int] | None:
    """The first number of a file or case inside a text, or several of them joined, with where it
    begins and ends, the words before it included.

    >>> find_file_number("Case No. 16-0775: Roe v. Wade"), find_file_number("Roe v. Wade 4/29/24")
    (('16-0775', 0, 17), None)
    >>> find_file_number("(008224-2022 and 007681-2020)")
    ('008224-2022 and 007681-2020', 1, 28)
    """
    shown = _without_dates(text)
    if found := _labelled_number(shown):
        end = _find_end(shown, found.end())
        return text[found.start(1) : end].rstrip("./:-"), found.start(), end
    for found in _bare_number(shown):
        code = found[0]
        figures = sum(map(str.isdigit, code))
        # A year or an amount is no number of a case.
        if figures < _LEAST_FIGURES or _year(code) or _day(code):
            continue
        if not code.isdigit() or _LEAST_FIGURES < figures <= _MOST_FIGURES:
            end = _find_end(shown, found.end())
            return text[found.start() : end], found.start(), end
    return None


def is_numbered(text: str) -> bool:
    """Whether a text says that it is a number or a citation, and so no year: `Docket No. 1508`."""
    return _labelled_number(text) is not None or find_citation(text) is not None


def _without_dates(text: str) -> str:
    """With blanks in place of dates and citations, which have numbers too."""
    for find in (find_date, find_citation):
        for _ in range(3):
            found = find(text)
            if found is None:
                break
            text = text[: found[1]] + " " * (found[2] - found[1]) + text[found[2] :]
    return text


def _find_end(text: str, end: int) -> int:
    """Where the numbers end that are joined to one that ends there."""
    while found := _further_number(text, end):
        end = found.end()
    return end


def find_citation(text: str) -> tuple[str, int, int] | None:
    """The first neutral citation inside a text, with where it begins and ends.

    >>> find_citation("State v. Roe 2025 ND 115"), find_citation("[2019] EWCA Civ 12")
    (('2025 ND 115', 13, 24), ('[2019] EWCA Civ 12', 0, 18))
    """
    found = _citation(text)
    return (found[0], found.start(), found.end()) if found else None


def is_day(text: str) -> bool:
    """Whether it is a full date with little else: `12/30/2022` has the shape of a file's number.

    >>> is_day("2025-12-19T00:00:00"), is_day("Filed 12/30/2022"), is_day("III ZR 12/19")
    (True, True, False)
    """
    found = find_date(text)
    return found is not None and found[2] - found[1] >= len(text) - _BESIDE_DATE


def _is_long_enough(number: str) -> bool:
    """`6-9` is a height, `27/32` a ratio: a docket number has letters or is longer."""
    return any(map(str.isalpha, number)) or sum(map(str.isdigit, number)) >= 5


def make_isbn(text: str) -> str | None:
    """Thirteen digits, if the check digit is right."""
    digits = re.sub(r"[- ]", "", text).upper()
    if len(digits) == 10 and digits[:9].isdigit():
        values = [10 if digit == "X" else int(digit) for digit in digits]
        if sum(weight * value for weight, value in zip(range(10, 0, -1), values, strict=True)) % 11:
            return None
        stem = "978" + digits[:9]
        return stem + str(-sum(int(d) * (1, 3)[n % 2] for n, d in enumerate(stem)) % 10)
    is_long = len(digits) == 13 and digits.isdigit() and digits[:3] in ("978", "979")
    return digits if is_long and _has_gs1_check(digits) else None


def _has_issn_check(text: str) -> bool:
    values = [10 if digit in "Xx" else int(digit) for digit in text.replace("-", "")]
    return (
        sum(weight * value for weight, value in zip(range(8, 0, -1), values, strict=True)) % 11 == 0
    )


def _has_gs1_check(digits: str) -> bool:
    if len(digits) not in (8, 12, 13, 14):
        return False
    return sum(int(digit) * (1, 3)[n % 2] for n, digit in enumerate(reversed(digits))) % 10 == 0


def _has_vin_check(vin: str) -> bool:
    values = [_VIN_LETTERS[c] if c in _VIN_LETTERS else int(c) for c in vin]
    rest = sum(weight * value for weight, value in zip(_VIN_WEIGHTS, values, strict=True)) % 11
    return vin[8] == ("X" if rest == 10 else str(rest))
