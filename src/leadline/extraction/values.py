"""Texts as typed values: what a text means as a number, money, a date, an identifier ...

`parse_value` reads one text as one kind; `guess_kind` tells from all texts of a column which kind
they are. Called for every cell of every record, so parsers are regular expressions; general date
parsers were measured at 25 ms a text, which is a hundred times what a record may cost.
"""

# ruff: noqa: RUF001, E501 - words in many scripts, wide letters count twice
import re
from collections import Counter
from collections.abc import Callable, Sequence

from leadline.core.table import TypedValue
from leadline.core.text import fold
from leadline.extraction.dates import parse_date, parse_date_of_figures
from leadline.extraction.identifiers import find_file_number, find_identifier, is_day, is_numbered

_NUMBER = r"[-+−]?(?:\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?)"
_number = re.compile(_NUMBER).search
_SYMBOLS = {
    "$": "USD", "us$": "USD", "c$": "CAD", "ca$": "CAD", "cdn$": "CAD", "a$": "AUD", "au$": "AUD", "nz$": "NZD",
    "hk$": "HKD", "s$": "SGD", "r$": "BRL", "mx$": "MXN", "€": "EUR", "euro": "EUR", "euros": "EUR", "£": "GBP",
    "¥": "JPY", "￥": "JPY", "円": "JPY", "元": "CNY", "rmb": "CNY", "₹": "INR", "rs": "INR", "rs.": "INR",
    "₽": "RUB", "руб": "RUB", "руб.": "RUB", "₩": "KRW", "원": "KRW", "₺": "TRY", "tl": "TRY", "zł": "PLN",
    "kč": "CZK", "ft": "HUF", "lei": "RON", "kr": "SEK", "kr.": "DKK", "sfr": "CHF", "fr.": "CHF", "₴": "UAH",
    "грн": "UAH", "₪": "ILS", "฿": "THB", "₫": "VND", "₱": "PHP", "dollars": "USD", "dollar": "USD",
}  # fmt: skip
_CODES = frozenset(
    "USD EUR GBP JPY CNY CHF CAD AUD NZD SEK NOK DKK PLN CZK HUF RON BGN RUB TRY INR KRW BRL MXN ZAR "
    "SGD HKD THB IDR MYR PHP VND ILS AED SAR EGP UAH ARS CLP COP PEN ISK TWD".split()
)
_symbols = "|".join(sorted(map(re.escape, _SYMBOLS), key=len, reverse=True))
_money_before = re.compile(
    rf"(?<![^\W\d_])(?P<c>{_symbols}|[A-Z]{{3}})\s?(?P<n>{_NUMBER})(?P<m>\s?(?:million|billion|mio|[kKmM]\b))?",
    re.I,
).search
_money_after = re.compile(
    rf"(?P<n>{_NUMBER})(?:,-|,–)?\s?(?P<m>million |billion |mio\.? |k )?(?P<c>{_symbols}|[A-Z]{{3}})(?![^\W\d_])",
    re.I,
).search
_SCALES = {"k": 1e3, "m": 1e6, "million": 1e6, "mio": 1e6, "mio.": 1e6, "billion": 1e9}
_UNITS = {
    "kg": "kg", "g": "g", "mg": "mg", "lb": "lb", "lbs": "lb", "pounds": "lb", "pound": "lb", "oz": "oz", "ounces": "oz", "ounce": "oz", "t": "t",
    "km": "km", "m": "m", "cm": "cm", "mm": "mm", "mi": "mi", "miles": "mi", "mile": "mi", "ft": "ft", "feet": "ft", "foot": "ft", "in": "in",
    "inch": "in", "inches": "in", "\"": "in", "”": "in", "yd": "yd", "m²": "m2", "m2": "m2", "qm": "m2", "sqm": "m2", "sq": "ft2", "sqft": "ft2",
    "ha": "ha", "acres": "acre", "acre": "acre", "km²": "km2", "l": "l", "liter": "l", "liters": "l", "litre": "l", "litres": "l", "ml": "ml", "cl": "cl",
    "gal": "gal", "cc": "cm3", "ccm": "cm3", "hp": "hp", "bhp": "hp", "ps": "PS", "kw": "kW", "w": "W", "nm": "Nm", "rpm": "rpm", "mpg": "mpg",
    "mph": "mph", "km/h": "km/h", "gb": "GB", "mb": "MB", "kb": "KB", "tb": "TB", "mhz": "MHz", "ghz": "GHz", "hz": "Hz", "mp": "MP", "megapixel": "MP",
    "megapixels": "MP", "mpix": "MP", "%": "%", "percent": "%", "pages": "pages", "seiten": "pages", "page": "pages", "p": "pages", "pp": "pages",
    "x": "x", "°c": "°C", "°f": "°F", "v": "V", "mah": "mAh", "wh": "Wh", "px": "px", "votes": "votes", "reviews": "reviews", "years": "years",
}  # fmt: skip
_unit_after = re.compile(r"\s?-?([^\W\d_]+(?:/h|²|2|³)?|[\"”%]|°[cf])", re.I).match
_feet = re.compile(
    r"""^\s*(\d)\s*(?:'|’|′|ft\.?|feet|-)\s*-?\s*(\d{1,2}(?:\.\d+)?)\s*(?:"|”|″|''|in\.?|inches)?""",
    re.I,
).match
_hours = re.compile(
    r"(\d+(?:[.,]\d+)?)\s*(?:h|hr|hrs|hour|hours|std|stunden?|heures?|horas?|ore|uur|tim|timer|tuntia|godz|hod|óra|ч|час\w*|小时|時間|시간)\b\.?",
    re.I,
).search
_minutes = re.compile(
    r"(\d+)\s*(?:m|min|mins|minutes?|minuten|minutos?|minuti|minuter|minutter|minuuttia|minut|perc|dakika|dk|мин\w*|分钟|分鐘|分|분|λεπτά|′)(?![^\W\d_])\.?",
    re.I,
).search
_clock = re.compile(r"^\s*(?:(\d{1,2}):)?(\d{1,3}):(\d{2})\s*$").match
_iso_duration = re.compile(r"^P(?:(\d+)D)?T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$").match
_of_best = re.compile(
    r"(\d+(?:[.,]\d+)?)\s*(?:/|out of|of|von|sur|de|su|av|z|из|／)\s*(\d{1,3})\b(?!/)", re.I
).search
_stars = re.compile(
    r"(\d(?:[.,]\d+)?)\s*-?\s*(?:stars?|sterne?|étoiles?|estrellas?|stelle|★)", re.I
).search
_STAR_WORDS = (
    "one ein eine une una um uma uno één een et en ett".split(),
    "two zwei deux dos due duas dois twee to två".split(),
    "three drei trois tres tre três drie".split(),
    "four vier quatre cuatro quattro quatro fire fyra".split(),
    "five fünf cinq cinco cinque vijf fem".split(),
)
_worded_stars = re.compile(
    rf"^\W*({'|'.join(word for words in _STAR_WORDS for word in words)})[ -](?:stars?|sterne?n?|étoiles?|estrellas?|estrelas?|stelle|stella|sterren|ster|stjerner|stjärnor)\b",
    re.I,
).match
_bare_rating = re.compile(r"^\d{1,3}(?:[.,]\d{1,2})?$").match
"""Of a column that is known to hold ratings: a number without what the best is."""
_percent = re.compile(r"^\s*(\d{1,3}(?:[.,]\d+)?)\s*%").match
_url = re.compile(
    r"^(?:https?://\S+|www\.[\w.-]+\S*|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|info|[a-z]{2})(?:/\S*)?)$",
    re.I,
).match
_image = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg|tiff?)(?:[?#]\S*)?$", re.I).search
_YES = frozenset(
    fold(
        "yes true ja oui sí si sim да evet tak ano igen da kyllä ναι نعم 是 はい 예 y ✓ ✔ x available included"
    ).split()
)
_NO = frozenset(
    fold(
        "no false nein non não nee nej nei ei нет hayır nie ne nem nu όχι لا 否 いいえ 아니오 n ✗ none"
    ).split()
)
_serial = re.compile(r"^(?:no\.?|nr\.?|#)?\s*(\d{1,20})$", re.I).match
_before_number = re.compile(
    r"(?:[^\W\d_][^:\d]{0,30}[:\uff1a]|about|approx\.?|approximately|around|ca?\.?|circa|up to|from|over|under|only|etwa|bis|ab|env\.|desde|hasta|da|od|約|[-~≈<>≤≥+(\s])*",
    re.I,
).fullmatch
"""What may stand before a number that is the value: its label, a sign, a word of exactness. `A 7` and
`Room 7` are names of places."""
_after_number = re.compile(
    r"[\s-]*(?:(?:sq\.?|square|cubic|fl\.?)?\s*[^\W\d_]+[²2³3]?(?:/[^\W\d_]+)?\.?|[\"”'′″%+°])?[\s.,;)+]*(?:\(.{0,40}\)?)?(?:[-/–x×@].*)?",
    re.I | re.S,
).fullmatch
"""What may stand behind it: a unit, a remark in brackets, a further number."""
_initial = re.compile(r"^[A-Z]\.?$").match
_particle = frozenset(
    "de la del van von der den di da du al el bin ben ter le y e and und et jr sr ii iii phd md mc".split()
)
_not_person = re.compile(r"[\d$€£%@/:;!?()<>|=+*#]").search
_place_like = re.compile(r"(?:^[^\W\d_][\w .'’-]+,\s*(?:[A-Z]{2}\b|[A-Z][a-zé]{3,})|\b\d{5}(?:-\d{4})?\b|^\d+[\w-]* +[\w.' -]+\b(?:st|street|ave|avenue|rd|road|blvd|boulevard|dr|drive|ln|lane|way|hwy|highway|pl|place|pkwy|ct|court|sq|square)\b|(?:straße|strasse|str\.|rue |via |calle |avenida ))", re.I).search  # fmt: skip
_house_part = re.compile(r"^(?:suite|ste|floor|fl|room|rm|unit|apt|building|bldg)\b\.?|^\d{4,5} [^\W\d_]+|^[^\W\d_][\w .'-]+,? [A-Z]{1,2}\d\w? ?\d[A-Z]{2}$", re.I).search  # fmt: skip
_MAX_NUMBER = 1e15
"""Beyond it whole numbers are no longer exact as decimals, and soon no column of any file takes
them; nothing that is counted, paid or measured is as large."""
_MAX_CHARS = 120
"""Longer texts are prose, of whatever they speak."""


def parse_value(text: str, kind: str) -> TypedValue:
    """The text as a value of that kind; what does not parse keeps its text and has no value.

    >>> parse_value("$1,299.00", "money").value, parse_value("1.299,00 €", "money").text
    (1299.0, '1299 EUR')
    >>> parse_value("call us", "money")
    TypedValue(kind='money', raw='call us', value=None, unit='')
    """
    shown = " ".join(text.split())
    found = _PARSERS[kind](shown) if shown else None
    if found is None and shown:
        # What is known to be a rating or a date may be figures alone.
        if kind == "rating" and _bare_rating(shown):
            found = _read_number_value(shown)
        elif kind == "date" and (date := parse_date_of_figures(shown)):
            found = date, ""
    if found and isinstance(found[0], int | float) and not abs(found[0]) <= _MAX_NUMBER:
        found = None
    return TypedValue(kind, shown, *found) if found else TypedValue(kind, shown)


Parsed = tuple[str | int | float | bool, str]
"""The value and its unit."""


def read_number(text: str) -> float | None:
    """A number in any country's notation.

    >>> read_number("1.299,50"), read_number("1,299.5"), read_number("12,5"), read_number("1,299")
    (1299.5, 1299.5, 12.5, 1299.0)
    """
    digits = re.sub(r"[\s'’\u00a0\u202f]", "", text).replace("−", "-")
    dot, comma = digits.rfind("."), digits.rfind(",")
    if dot >= 0 and comma >= 0:
        decimal = "." if dot > comma else ","
    else:
        sign = "." if dot >= 0 else ","
        parts = digits.split(sign)
        # Groups of three are thousands, except one group after a dot: `1.234` is read as English.
        is_groups = len(parts) > 1 and all(len(part) == 3 for part in parts[1:]) and parts[0] != "0"
        decimal = "" if is_groups and (sign == "," or len(parts) > 2) else sign
    for sign in ".,":
        if sign != decimal:
            digits = digits.replace(sign, "")
    try:
        return float(digits.replace(",", "."))
    except ValueError:
        return None


def _read_text(text: str) -> Parsed | None:
    return text, ""


def _read_number_value(text: str) -> Parsed | None:
    if (feet := _feet(text)) and _is_height(text):
        inches = 12 * int(feet[1]) + float(feet[2])
        return inches, "in"
    found = _number(text) if len(text) <= _MAX_CHARS else None
    number = read_number(found[0]) if found else None
    if found is None or number is None:
        return None
    after = _unit_after(text, found.end())
    unit = _UNITS.get(after[1].lower(), "") if after else ""
    return (int(number) if number.is_integer() and abs(number) < 1e15 else number), unit


def _read_money(text: str) -> Parsed | None:
    if len(text) > _MAX_CHARS:
        return None
    for find in (_money_before, _money_after):
        found = find(text)
        if found is None:
            continue
        said = found["c"]
        currency = _SYMBOLS.get(said.lower()) or (said if said in _CODES else "")
        amount = read_number(found["n"])
        if currency and amount is not None:
            scale = _SCALES.get((found["m"] or "").strip().lower(), 1.0)
            return amount * scale, currency
    return None


def _read_date(text: str) -> Parsed | None:
    date = parse_date(text)
    return (date, "") if date else None


def _read_duration(text: str) -> Parsed | None:
    if len(text) > _MAX_CHARS:
        return None
    if found := _iso_duration(text):
        days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
        return ((days * 24 + hours) * 60 + minutes) * 60 + seconds, "s"
    if found := _clock(text):
        hours, minutes, seconds = (int(part or 0) for part in found.groups())
        return (hours * 60 + minutes) * 60 + seconds, "s"
    in_hours, in_minutes = _hours(text), _minutes(text)
    if not in_hours and not in_minutes:
        return None
    hours_s = 3600 * float(in_hours[1].replace(",", ".")) if in_hours else 0.0
    minutes_s = 60 * int(in_minutes[1]) if in_minutes else 0
    return int(hours_s + minutes_s), "s"


def _read_rating(text: str) -> Parsed | None:
    if len(text) > _MAX_CHARS:
        return None
    if found := _of_best(text):
        return _make_rating(found[1], found[2])
    if "★" in text and (full := text.count("★")):
        best = full + text.count("☆")
        return full, f"of {max(5, best)}"
    if found := _stars(text):
        return _make_rating(found[1], "5")
    if found := _percent(text):
        return _make_rating(found[1], "100")
    if found := _worded_stars(text):
        given = next(n for n, words in enumerate(_STAR_WORDS, 1) if found[1].lower() in words)
        return given, "of 5"
    return None


def _make_rating(given: str, best: str) -> Parsed | None:
    value, limit = float(given.replace(",", ".")), int(best)
    if limit == 0 or value > limit:
        return None
    return (int(value) if value.is_integer() else value), f"of {limit}"


def _read_identifier(text: str) -> Parsed | None:
    # What is known to be an identifier may be all digits; alone these would be a number.
    if found := _serial(text):
        return find_identifier(text) or (found[1], "code")
    if known := find_identifier(text):
        return known
    number = find_file_number(text) if len(text) <= _MAX_NUMBER_CHARS else None
    # `Docket No. 1508` is the number that it announces.
    return (number[0], "code") if number and number[2] - number[1] == len(text) else None


def _read_url(text: str) -> Parsed | None:
    return (text, "") if _url(text) else None


def _read_image(text: str) -> Parsed | None:
    return (text, "") if _image(text) and " " not in text else None


def _read_boolean(text: str) -> Parsed | None:
    word = fold(text).strip(" .!")
    return (True, "") if word in _YES else (False, "") if word in _NO else None


def _read_person(text: str) -> Parsed | None:
    return (text, "") if is_like_person(text) else None


def _read_place(text: str) -> Parsed | None:
    return (text, "") if len(text) <= _MAX_CHARS and _place_like(text) else None


def has_places(texts: Sequence[str]) -> bool:
    """Whether most texts are towns with a region or a code, or a part of a house."""
    fitting = sum(bool(_place_like(text) or _house_part(text)) for text in texts)
    return fitting >= _LEAST * len(texts) > 0


def is_like_person(text: str) -> bool:
    """Two to five words of which all but particles begin with a capital, and no digits."""
    if len(text) > 60 or _not_person(text):
        return False
    words = text.replace(",", " ").split()
    if not 2 <= len(words) <= 5:
        return False
    return all(
        word[:1].isupper() or word.lower().strip(".") in _particle or _initial(word)
        for word in words
    ) and any(len(word) > 2 for word in words)


_PARSERS: dict[str, Callable[[str], Parsed | None]] = {
    "text": _read_text, "category": _read_text, "number": _read_number_value, "money": _read_money,
    "date": _read_date, "duration": _read_duration, "rating": _read_rating, "identifier": _read_identifier,
    "url": _read_url, "image": _read_image, "boolean": _read_boolean, "person": _read_person, "place": _read_place,
}  # fmt: skip
_STRICT = ("image", "url", "boolean", "identifier", "money", "rating", "duration", "date", "number")
"""In this order: of what parses as several kinds, the first is the most special."""
_LEAST = 0.6
"""Share of a column's texts that must be of a kind. Cells that say `unknown`, `call us` or hold a
second value are common; half would let a column of titles with years be one of dates."""
_SPARE_CHARS = 18
"""Letters beside the value that a text of a kind has at most: `on`, `from`, `(estimated)`."""
_SAMPLE = 60
_USUAL = 0.1
"""Share of a column's texts that have a word in common, from which it says what the column is: months
and `printed in` are above it, words of titles are not."""
_long_words = re.compile(r"[^\W\d_]{3,}").findall


def guess_kind(texts: Sequence[str]) -> str:
    """The kind of a column by its texts.

    >>> guess_kind(["$12.50", "$8", "sold out"]), guess_kind(["3 May 2010", "4 May 2010"])
    ('money', 'date')
    """
    shown = [" ".join(text.split()) for text in texts[:_SAMPLE]]
    shown = [text for text in shown if text]
    if not shown:
        return "text"
    # `6-9` and `6 ft 9 in` would be a docket number and an amount of forints.
    if sum(_is_height(text) for text in shown) >= _LEAST * len(shown):
        return "number"
    for kind in _STRICT:
        read = _PARSERS[kind]
        fitting = sum(is_mostly(text, kind) and read(text) is not None for text in shown)
        if kind == "identifier":
            fitting = sum(find_identifier(text) is not None for text in shown)
        elif kind in ("money", "date", "duration"):
            fitting -= sum(_is_measure(text) for text in shown)
            fitting -= sum(_is_numbered(text) for text in shown)
        if kind == "date":
            fitting -= _count_titles_with_years(shown)
        if fitting >= _LEAST * len(shown) and fitting >= min(2, len(shown)):
            return kind
    return _guess_kind_of_words(shown)


def have_own_words(texts: Sequence[str]) -> list[bool]:
    """Of each text of a column, whether it has words that few others have: titles do; `Printed in
    1942`, months and units do not."""
    words = [set(_long_words(text.casefold())) for text in texts]
    counts = Counter(word for found in words for word in found)
    least = max(2, _USUAL * len(texts))
    usual = {word for word, count in counts.items() if count >= least}
    return [not usual.issuperset(found) for found in words]


def _count_titles_with_years(shown: Sequence[str]) -> int:
    """Texts that are a year beside words of their own: `Casablanca (1942)`."""
    dates = [parse_date(text) or "" for text in shown]
    own = have_own_words(shown)
    return sum(is_own and len(date) == len("1942") for date, is_own in zip(dates, own, strict=True))


def _guess_kind_of_words(shown: Sequence[str]) -> str:
    mean_chars = sum(map(len, shown)) / len(shown)
    if mean_chars <= 40 and len(shown) >= 8 and len(set(shown)) <= 0.4 * len(shown):
        return "category"
    for kind in ("place", "person"):
        read = _PARSERS[kind]
        if sum(read(text) is not None for text in shown) >= _LEAST * len(shown):
            return kind
    return "text"


def _is_number_alone(text: str) -> bool:
    """Whether a text is a number with its unit: `A 7` is not, nor a sentence with a year.

    >>> [_is_number_alone(text) for text in ("5 doors", "6-9", "12.5 MP", "A 7", "7th Street West")]
    [True, True, True, False, False]
    """
    if len(text) > _MAX_NUMBER_CHARS:
        return False
    if _is_height(text):
        return True
    found = _number(text)
    if found is None or (found.start() > 0 and _before_number(text[: found.start()]) is None):
        return False
    after = text[found.end() :]
    is_ordinal = after[:2].lower() in ("st", "nd", "rd", "th") and not after[2:3].isalpha()
    return not is_ordinal and _after_number(after) is not None


_MAX_NUMBER_CHARS = 60


def _is_height(text: str) -> bool:
    found = _feet(text)
    is_near = found is not None and 3 <= int(found[1]) <= 8 and float(found[2]) < 12
    return is_near and found is not None and not text[found.end() :][:1].strip(" (/,")


def _is_numbered(text: str) -> bool:
    return len(text) <= _MAX_CHARS and is_numbered(text) and not is_day(text)


def _is_measure(text: str) -> bool:
    """Whether it is a number with a unit of measure alone: `1234 sq ft` is no year, `1.98 m` no
    minutes and `6 ft` no forints."""
    found = _number(text)
    if found is None or text[: found.start()].strip():
        return False
    after = _unit_after(text, found.end())
    if after is None:
        return False
    # Hours and minutes have no fractions with a point.
    return after[1].lower() in _MEASURES or (after[1] == "m" and "." in found[0])


_MEASURES = frozenset(
    "cm mm km kg lb lbs ft feet inch inches sq sqft sqm m² m2 acres mph hp gb mb mp".split()
)


def is_mostly(text: str, kind: str) -> bool:
    """Whether little else than a value of that kind can stand in the text, by its letters."""
    letters = sum(map(str.isalpha, text))
    if kind in ("image", "url", "boolean", "identifier"):
        return True
    if kind == "number":
        return _is_number_alone(text)
    return letters <= _SPARE_CHARS + (10 if kind in ("date", "duration") else 0)
