"""How the pages write values, and the shapes that their charts and tables need."""

import json
import math
import re
import time
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit

import msgspec

from leadline.core.crawl import Event
from leadline.views.directory import FormDetail
from leadline.views.learned import LearnedReport
from leadline.views.mirror.crawl import QueueSample
from leadline.views.overview import Comparison, Overview
from leadline.views.progress import CurvePoint

T = TypeVar("T")

NONE = "\N{EN DASH}"
"""Stands for a missing number."""
_MINUTE_S, _HOUR_S, _DAY_S = 60, 3_600, 86_400
_UNITS = ("B", "kB", "MB", "GB", "TB")
_KILO = 1_000
_MILLION = 1_000_000
_LEAST_GROUPED = 10_000
_FEW = 10
_MOST_QUEUES = 4
"""Named in a sentence; the table has all of them."""
_ROWS = 21
FigureRow = tuple[str, str, str]
"""What, of the left and of the right side."""


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
    """A share of 1, with decimals only where they matter.

    >>> percent(0.5), percent(0.0312), percent(1.0), percent(None) == NONE
    ('50 %', '3.1 %', '100 %', True)
    """
    if share is None or not math.isfinite(share):
        return NONE
    value = 100 * share
    return f"{value:.1f} %" if 0 < value < _FEW else f"{value:.0f} %"


def duration(seconds: float | None) -> str:
    """A length of time in its two largest units.

    >>> duration(0.25), duration(9), duration(75), duration(7_300), duration(200_000)
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


def host(url: str) -> str:
    """The site of an address, which says more than all of it.

    >>> host("https://www.a.example/things?id=1"), host("a word")
    ('a.example', 'a word')
    """
    return urlsplit(url).netloc.removeprefix("www.") or url if "//" in url else url


def figure(number: float) -> str:
    """A number of a record. Those below 10,000 may be years and have their thousands together.

    >>> figure(1999), figure(25_000), figure(3.5), figure(12.0), figure(0.1234567)
    ('1999', '25,000', '3.5', '12', '0.123457')
    """
    if not math.isfinite(number):
        return NONE
    if number != round(number):
        return f"{number:,.6g}" if abs(number) < _MILLION else f"{number:,.2f}"
    return f"{round(number):,}" if abs(number) >= _LEAST_GROUPED else str(round(number))


def plural(number: float, one: str, many: str = "") -> str:
    """The number with its noun.

    >>> plural(1, "page"), plural(2_000, "page"), plural(0, "query", "queries")
    ('1 page', '2,000 pages', '0 queries')
    """
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def reason(text: str) -> str:
    """Why sites were left, where reasons that differ in a number alone are shown together.

    >>> reason("N pages brought no new form (SC5)")
    'so many pages brought no new form (SC5)'
    """
    return re.sub(r"\bN\b", "so many", text)


def order_detail(detail: str) -> str:
    """What an order says besides its kind: limits by name, or a list.

    >>> order_detail('{"pages": 5000, "seconds": null}'), order_detail('["a.example"]')
    ('pages 5,000, seconds without limit', 'a.example')
    """
    try:
        parsed = json.loads(detail)
    except ValueError:
        return detail
    if isinstance(parsed, list):
        return ", ".join(map(str, parsed))
    if not isinstance(parsed, dict):
        return detail
    return ", ".join(f"{name} {_limit(value)}" for name, value in parsed.items())


def _limit(value: object) -> str:
    return count(value) if isinstance(value, int | float) and value else "without limit"


def width(value: float | None, whole: float, of: float = 100.0) -> str:
    """How long a bar is, between 0 and `of`; for attributes of SVG.

    >>> width(1, 4), width(9, 4), width(None, 4), width(1, 0)
    ('25', '100', '0', '0')
    """
    if value is None or not whole > 0 or not math.isfinite(value):
        return "0"
    return f"{of * min(1.0, max(0.0, value / whole)):.4g}"


def thin(rows: Sequence[T], most: int = 25) -> list[T]:
    """At most `most` of the rows, evenly chosen, with the first and the last.

    >>> thin(range(10), 4)
    [0, 3, 6, 9]
    """
    if len(rows) <= most:
        return list(rows)
    last = len(rows) - 1
    return [rows[round(number * last / (most - 1))] for number in range(most)]


def largest_first(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """The largest first; equal ones by name."""
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def query_string(asked: Mapping[str, object], **changes: object) -> str:
    """The query of an address: what was asked, with changes; what is empty is left out.

    >>> query_string({"q": "book", "offset": 50}, offset=None, sort="site")
    '?q=book&sort=site'
    """
    merged = {**asked, **changes}
    pairs: Iterable[tuple[str, object]] = (
        (name, value) for name, value in merged.items() if value not in (None, "")
    )
    return "?" + urlencode(list(pairs))


def plain(value: object) -> Any:
    """As JSON has it."""
    return msgspec.to_builtins(value, str_keys=True)


def run_starts(overview: Overview) -> list[int]:
    """After how many pages each run began."""
    starts, pages = [], 0
    for run in overview.runs:
        starts.append(pages)
        pages += run.pages
    return starts


def queue_names(samples: Sequence[QueueSample]) -> list[str]:
    """All queues of all moments, in order of first sight."""
    return list(dict.fromkeys(name for sample in samples for name in sample.queues))


def queue_words(sample: QueueSample) -> str:
    """The fullest queues of a moment in words."""
    full = [(name, number) for name, number in largest_first(sample.queues) if number]
    named = [f"{count(number)} in {name}" for name, number in full[:_MOST_QUEUES]]
    rest = len(full) - len(named)
    return ", ".join(named) + (f" and {rest} more queues" if rest > 0 else "")


def group_events(events: Sequence[Event]) -> list[tuple[Event, int]]:
    """Events of one kind about one subject that follow each other, as the latest of them."""
    groups = groupby(events, key=attrgetter("kind", "subject"))
    return [(found[0], len(found)) for found in (list(group) for _, group in groups)]


def form_text(view: FormDetail) -> str:
    """A form's text, unless its labels and buttons say the same."""
    shown = " ".join((*(field.label for field in view.fields), *view.submits)).lower().split()
    return view.text if set(view.text.lower().split()) - set(shown) else ""


def word_places(learned: LearnedReport) -> list[str]:
    """Where words stood, in order of first sight."""
    return list(dict.fromkeys(name for one in learned.iterations for name in one.features))


def curves_of(comparison: Comparison) -> dict[str, object]:
    """For the chart of two curves."""
    sides = (comparison.left, comparison.right)
    return {"stores": [{"name": side.name, "curve": plain(side.curve)} for side in sides]}


def forms_after(curve: Sequence[CurvePoint], pages: int) -> int | None:
    """Forms found by then; None when the crawl never came so far."""
    if not curve or curve[-1].pages < pages:
        return None
    at = bisect_right(curve, pages, key=attrgetter("pages"))
    return curve[at - 1].forms if at else 0


def compare_curves(comparison: Comparison) -> list[tuple[int, int | None, int | None]]:
    """Forms of both after the same numbers of pages."""
    left, right = comparison.left.curve, comparison.right.curve
    most = max((point.pages for point in (*left[-1:], *right[-1:])), default=0)
    steps: list[int] = thin(range(most + 1), _ROWS)
    return [(pages, forms_after(left, pages), forms_after(right, pages)) for pages in steps]


def compare_figures(comparison: Comparison) -> list[FigureRow]:
    """The main figures of both, written out."""
    sides = _main_figures(comparison.left), _main_figures(comparison.right)
    return [(left[0], left[1], right[1]) for left, right in zip(*sides, strict=True)]


def _main_figures(side: Overview) -> list[tuple[str, str]]:
    counts = side.counts
    return [
        ("strategy", side.strategy or NONE),
        ("topic", side.topic or NONE),
        ("state", f"{side.state}{', ' + side.reason if side.reason else ''}"),
        ("relevant forms", count(side.forms)),
        ("pages read", count(side.pages)),
        ("forms per 100 pages, in all", decimal(side.rate_in_all, 1)),
        ("forms per 100 pages, lately", decimal(side.rate, 1)),
        ("sites with forms", count(counts.deep_sites)),
        ("sites visited", count(counts.sites)),
        ("requests", count(counts.requests)),
        ("failed visits", count(counts.failed)),
        ("read in all", size(counts.size_bytes)),
        ("records harvested", count(side.records)),
    ]
