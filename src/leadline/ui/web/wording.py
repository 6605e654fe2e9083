"""How values are written on the pages: numbers, times, sizes, and what may become a link."""

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar
from urllib.parse import urlencode

T = TypeVar("T")

NONE = "\N{EN DASH}"
"""What stands where there is no number."""
_MINUTE_S, _HOUR_S, _DAY_S = 60, 3_600, 86_400
_UNITS = ("B", "kB", "MB", "GB", "TB")
_KILO = 1_000
_FEW = 10


def count(number: float | None) -> str:
    """A whole number with its thousands set apart; a dash for none."""
    return NONE if number is None or not math.isfinite(number) else f"{round(number):,}"


def decimal(number: float | None, digits: int = 2) -> str:
    """With a fixed number of decimals, so that columns align.

    >>> decimal(0.5), decimal(1234.56, 1), decimal(None) == NONE
    ('0.50', '1,234.6', True)
    """
    return NONE if number is None or not math.isfinite(number) else f"{number:,.{digits}f}"


def percent(share: float | None) -> str:
    """A share of 1, with decimals only where they tell something.

    >>> percent(0.5), percent(0.0312), percent(1.0), percent(None) == NONE
    ('50 %', '3.1 %', '100 %', True)
    """
    if share is None or not math.isfinite(share):
        return NONE
    value = 100 * share
    return f"{value:.1f} %" if 0 < value < _FEW else f"{value:.0f} %"


def span(seconds: float | None) -> str:
    """A length of time in its two largest units.

    >>> span(0.25), span(9), span(75), span(7_300), span(200_000)
    ('0.25 s', '9 s', '1 min 15 s', '2 h 1 min', '2 d 7 h')
    """
    if seconds is None or not math.isfinite(seconds):
        return NONE
    if seconds < _MINUTE_S:
        return f"{seconds:.3g} s"
    whole = int(seconds)
    if whole < _HOUR_S:
        return f"{whole // _MINUTE_S} min {whole % _MINUTE_S} s"
    if whole < _DAY_S:
        return f"{whole // _HOUR_S} h {whole % _HOUR_S // _MINUTE_S} min"
    return f"{whole // _DAY_S} d {whole % _DAY_S // _HOUR_S} h"


def size(number: float) -> str:
    """Bytes in the unit that leaves three digits.

    >>> size(12), size(65_536), size(2_340_000_000)
    ('12 B', '65.5 kB', '2.34 GB')
    """
    unit = 0
    while number >= _KILO and unit < len(_UNITS) - 1:
        number, unit = number / _KILO, unit + 1
    return f"{number:.3g} {_UNITS[unit]}"


def moment(at: float | None) -> str:
    """A wall-clock second, in UTC.

    >>> moment(0.0)
    '1970-01-01 00:00:00'
    """
    return NONE if at is None else time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(at))


def address(url: str) -> str:
    """The URL if it may be linked to, else ''. A stranger's `javascript:` must not become a link.

    >>> address("https://a.example/"), address("JavaScript:alert(1)"), address(" http://b.example")
    ('https://a.example/', '', '')
    """
    return url if url[:8].lower().startswith(("http://", "https://")) else ""


def plural(number: float, one: str, many: str = "") -> str:
    """The number with its noun.

    >>> plural(1, "page"), plural(2_000, "page"), plural(0, "query", "queries")
    ('1 page', '2,000 pages', '0 queries')
    """
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def width(value: float | None, whole: float, of: float = 100.0) -> str:
    """How long a bar is, between 0 and `of`; for attributes of SVG.

    >>> width(1, 4), width(9, 4), width(None, 4), width(1, 0)
    ('25', '100', '0', '0')
    """
    if value is None or not whole > 0 or not math.isfinite(value):
        return "0"
    return f"{of * min(1.0, max(0.0, value / whole)):.4g}"


def thinned(rows: Sequence[T], most: int = 25) -> list[T]:
    """At most `most` of the rows, evenly chosen, with the first and the last.

    >>> thinned(range(10), 4)
    [0, 3, 6, 9]
    """
    if len(rows) <= most:
        return list(rows)
    last = len(rows) - 1
    return [rows[round(number * last / (most - 1))] for number in range(most)]


def falling(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """The largest first; equal ones by name."""
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def question(asked: Mapping[str, object], **changes: object) -> str:
    """The query of an address: what was asked, with changes; what is empty is left out.

    >>> question({"q": "book", "offset": 50}, offset=None, sort="site")
    '?q=book&sort=site'
    """
    merged = {**asked, **changes}
    pairs: Iterable[tuple[str, object]] = (
        (name, value) for name, value in merged.items() if value not in (None, "")
    )
    return "?" + urlencode(list(pairs))
