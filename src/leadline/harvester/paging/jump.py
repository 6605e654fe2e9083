"""Going straight to any page of an answer, where its pages are counted in their addresses."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

from leadline.core.http import Request
from leadline.core.url import Url

_runs = re.compile(r"\d+|\D+").findall
_MAX_DIGITS = 9


class Jump(Struct, frozen=True):
    """Addresses of the pages of one answer; storable."""

    parts: tuple[str, ...]
    """Of the address; between two of them stands the number that counts."""
    first: int
    """That number on page 1."""
    step: int
    """From one page to the next: 1 where pages are counted, else the results on a page."""
    last: int = 0
    """The last page, where the pager shows it; 0 when it cannot be told."""
    referrer: Url | None = None

    def url(self, page: int) -> Url:
        """Of a page, from 1 on."""
        return Url(str(self.first + self.step * (page - 1)).join(self.parts))

    def request(self, page: int) -> Request:
        return Request(self.url(page), referrer=self.referrer)

    def page_of(self, url: Url) -> int:
        """The number of the page with that address; 0 for an address of another make."""
        if not (url.startswith(self.parts[0]) and url.endswith(self.parts[-1])):
            return 0
        digits = url[len(self.parts[0]) :]
        end = next((n for n, letter in enumerate(digits) if not letter.isdecimal()), len(digits))
        if not 0 < end <= _MAX_DIGITS:
            return 0
        page, left = divmod(int(digits[:end]) - self.first, self.step)
        return page + 1 if not left and page >= 0 and self.url(page + 1) == url else 0


def fitted(pages: Sequence[tuple[int, Url]]) -> Jump | None:
    """What counts in the addresses of pages with known numbers; None unless all agree.

    The first page often has an address of its own, so it may disagree.
    """
    rest = [(number, url) for number, url in dict(pages).items() if number != 1]
    for known in (list(dict(pages).items()), rest):
        jump = _fitted(known) if len(known) > 1 else None
        if jump is not None:
            return jump
    return None


def _fitted(known: Sequence[tuple[int, Url]]) -> Jump | None:
    runs = [_runs(url) for _, url in known]
    if len({len(one) for one in runs}) > 1:
        return None
    columns = list(zip(*runs, strict=True))
    moving = [n for n, column in enumerate(columns) if len(set(column)) > 1]
    values = {columns[n] for n in moving}
    if not moving or len(values) > 1 or not _are_numbers(column := values.pop()):
        return None
    line = _line([number for number, _ in known], [int(value) for value in column])
    return Jump(_between(runs[0], moving), *line) if line else None


def _are_numbers(column: Iterable[str]) -> bool:
    """Numbers as they are written: a leading nought would be lost."""
    return all(v.isdecimal() and len(v) <= _MAX_DIGITS and str(int(v)) == v for v in column)


def _line(numbers: Sequence[int], values: Sequence[int]) -> tuple[int, int] | None:
    """First value and step of values that rise by the same step with each number."""
    by, across = values[1] - values[0], numbers[1] - numbers[0]
    if not across or by % across or by // across <= 0:
        return None
    step = by // across
    first = values[0] - step * (numbers[0] - 1)
    pairs = zip(numbers, values, strict=True)
    is_line = all(value == first + step * (number - 1) for number, value in pairs)
    return (first, step) if is_line and first >= 0 else None


def _between(runs: Sequence[str], moving: Sequence[int]) -> tuple[str, ...]:
    edges = [-1, *moving, len(runs)]
    return tuple("".join(runs[low + 1 : high]) for low, high in pairwise(edges))
