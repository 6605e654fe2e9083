"""The addresses of an answer's pages: how two of them differ, and the pattern that all follow."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct

from leadline.core.http import Request
from leadline.core.url import Url, host_of, origin_of, path_of, registered_domain, site_of
from leadline.forms.hazards import split_name
from leadline.harvester.paging.words import CURSOR_NAMES, POSITION_NAMES

BACKWARD = -1
"""A smaller number in the same position."""
UNRELATED = 0
"""Another page of the site."""
SAME_PAGE = 1
"""The same page with other parameters."""
ONWARD = 2
"""A larger number in one position of the same address."""

_split_query = re.compile(r"[&;]").split
_number = re.compile(r"\d{1,9}").fullmatch
_runs = re.compile(r"\d+|\D+").findall
_extension = re.compile(r"\.\w{2,5}$").sub
_HOMES = ("/index", "/default")
_words = re.compile(r"[^\W\d_]+").findall
_numbered_end = re.compile(
    r"(?P<head>.*?)(?P<word>[^\W\d_]{0,20})[-_/.,:=]?(?P<number>\d{1,9})(?P<end>/|\.\w{2,5})?",
    re.DOTALL,
).fullmatch
_MAX_SECOND = 100
"""The second page has this number or a smaller one, whether pages or results are counted: result
pages of more than a hundred items are rare."""
_MAX_PATH_CHARS = 400
"""Longer paths are not compared piece by piece: no pager writes them, and traps do."""
_MAX_DIGITS = 9
"""Of a number that counts pages; longer ones are keys of records."""


class UrlStep(NamedTuple):
    """How one address differs from another."""

    relation: int
    """`BACKWARD`, `UNRELATED`, `SAME_PAGE` or `ONWARD`."""
    name: str = ""
    """Of the parameter or path piece that changed, if only one can be it."""
    value: int | None = None
    """What it became, if that is a number."""
    change: int = 0
    """How much larger that is; 0 if it was not there before."""


class UrlParts(NamedTuple):
    """Path and parameters of an address; the first value of parameters given several times."""

    path: str
    parameters: dict[str, str]


def split_url(url: Url) -> UrlParts:
    path, _, query = path_of(url).partition("?")
    found: dict[str, str] = {}
    for pair in _split_query(query):
        name, _, value = pair.partition("=")
        if name or value:
            found.setdefault(name, value)
    return UrlParts(path, found)


def compare_urls(before: Url, after: Url) -> UrlStep:
    if origin_of(before) != origin_of(after):
        return UrlStep(UNRELATED)
    path, old = split_url(before)
    new_path, new = split_url(after)
    changed = [name for name in {**old, **new} if old.get(name, "") != new.get(name, "")]
    if path == new_path:
        return _compare_parameters(old, new, changed)
    if changed:
        # Another path with other parameters is unrelated, but may name a position in a list.
        for name, value in new.items():
            if is_position_name(name) and _number(value):
                return UrlStep(UNRELATED, name, int(value))
        return UrlStep(UNRELATED)
    return _compare_paths(path, new_path)


def _compare_parameters(old: dict[str, str], new: dict[str, str], changed: list[str]) -> UrlStep:
    names = [name for name in changed if is_position_name(name)] or changed
    steps = [_compare_numbers(name, old.get(name, ""), new.get(name, "")) for name in names]
    found = [step for step in steps if step is not None]
    if not changed or len(found) != len(steps) or len({step.relation for step in found}) > 1:
        return UrlStep(SAME_PAGE, names[0] if len(names) == 1 else "")
    if len(names) == len(changed) == 1:
        return found[0]
    if is_position_name(names[0]):
        is_pure = len(names) == len(changed) or found[0].relation == BACKWARD
        return found[0] if is_pure else found[0]._replace(relation=SAME_PAGE)
    # Several numbers moved together, and none is called a position.
    moved = {(step.value, step.change) for step in found}
    return found[0] if len(moved) == 1 else UrlStep(SAME_PAGE)


def _compare_numbers(name: str, old: str, new: str) -> UrlStep | None:
    """None if no number became another one."""
    if is_cursor_name(name) and new:
        # Keys of records rise and fall with the order of the answer.
        return UrlStep(ONWARD, name)
    if _number(new) and not old:
        return UrlStep(ONWARD, name, int(new)) if int(new) > 0 else UrlStep(BACKWARD, name, 0)
    if _number(old) and not new:
        return UrlStep(BACKWARD, name)
    if not (_number(old) and _number(new)):
        return None
    change = int(new) - int(old)
    return UrlStep(ONWARD if change > 0 else BACKWARD, name, int(new), change)


def _compare_paths(old: str, new: str) -> UrlStep:
    if max(len(old), len(new)) > _MAX_PATH_CHARS:
        return UrlStep(UNRELATED)
    old_runs, new_runs = _runs(old), _runs(new)
    if len(old_runs) == len(new_runs):
        pairs = zip(old_runs, new_runs, strict=True)
        changed = [n for n, (a, b) in enumerate(pairs) if a != b]
        at = changed[0]
        if len(changed) == 1 and (step := _compare_numbers("/", old_runs[at], new_runs[at])):
            return step._replace(name=_name_before("".join(new_runs[:at])))
    # A number was put at the end, or taken away: `/list` to `/list/page/2`, `list.html` to
    # `list-2.html`, and back.
    for relation, short, long in ((ONWARD, old, new), (BACKWARD, new, old)):
        found = _numbered_end(long)
        bare = _extension("", short).rstrip("/")
        stems = (bare, bare.rpartition("/")[0]) if bare.endswith(_HOMES) else (bare,)
        if found and _extends(stems, found["head"], found["word"]):
            name = _name_before(found["head"] + found["word"])
            return UrlStep(relation, name, int(found["number"]) if relation == ONWARD else None)
    return UrlStep(UNRELATED)


def _extends(stems: tuple[str, ...], head: str, word: str) -> bool:
    """Whether only a number, and perhaps the word for a position, follows one of the stems."""
    return head + word in stems or (head.rstrip("-_/.,:") in stems and is_position_name(word))


def _name_before(path: str) -> str:
    """What a number in a path is called: `page` in `/list/page/2`; `/` if it has no name."""
    words = _words(path[-40:])
    return words[-1] if words and path.rstrip("-_/.,:=").endswith(words[-1]) else "/"


def is_position_name(name: str) -> bool:
    """Whether a parameter is called like those that say where in a list a page begins."""
    pieces = split_name(name).split()
    return any(piece in POSITION_NAMES for piece in pieces) or "".join(pieces) in POSITION_NAMES


def is_cursor_name(name: str) -> bool:
    """Whether a parameter is called like those that name the last record seen."""
    return any(piece in CURSOR_NAMES for piece in split_name(name).split())


def is_clearly_onward(step: UrlStep) -> bool:
    """Whether what became larger is a position in a list, and not the number of a thing."""
    if step.relation < SAME_PAGE:
        return False
    if step.value is None:
        return is_cursor_name(step.name)
    is_second = step.relation == ONWARD and not step.change and step.value <= _MAX_SECOND
    return is_position_name(step.name) or is_second


def is_same_site(one: Url, other: Url) -> bool:
    return registered_domain(host_of(site_of(one))) == registered_domain(host_of(site_of(other)))


class PageUrlPattern(Struct, frozen=True):
    """Addresses of all pages of one answer, if its pages are counted in them; storable."""

    parts: tuple[str, ...]
    """Of the address; between two of them stands the number that counts."""
    first: int
    """That number on page 1."""
    step: int
    """From one page to the next: 1 if pages are counted, else the results on a page."""
    last: int = 0
    """The last page, if the pager shows it; 0 if it is not known."""
    referrer: Url | None = None

    def url(self, page: int) -> Url:
        """Of a page, from 1 on."""
        return Url(str(self.first + self.step * (page - 1)).join(self.parts))

    def request(self, page: int) -> Request:
        return Request(self.url(page), referrer=self.referrer)

    def page_of(self, url: Url) -> int:
        """The number of the page with that address; 0 for an address that does not fit."""
        if not (url.startswith(self.parts[0]) and url.endswith(self.parts[-1])):
            return 0
        digits = url[len(self.parts[0]) :]
        end = next((n for n, letter in enumerate(digits) if not letter.isdecimal()), len(digits))
        if not 0 < end <= _MAX_DIGITS:
            return 0
        page, left = divmod(int(digits[:end]) - self.first, self.step)
        return page + 1 if not left and page >= 0 and self.url(page + 1) == url else 0


def fit_url_pattern(pages: Sequence[tuple[int, Url]]) -> PageUrlPattern | None:
    """The pattern of the addresses of pages with known numbers; None unless all agree.

    The first page often has an address of its own, so it may disagree.
    """
    known = dict(pages)
    rest = {number: url for number, url in known.items() if number != 1}
    for some in (known, rest):
        pattern = _fit(list(some), list(some.values())) if len(some) > 1 else None
        if pattern is not None:
            return pattern
    return None


def _fit(numbers: Sequence[int], urls: Sequence[Url]) -> PageUrlPattern | None:
    runs = [_runs(url) for url in urls]
    if len({len(one) for one in runs}) > 1:
        return None
    columns = list(zip(*runs, strict=True))
    moving = [n for n, column in enumerate(columns) if len(set(column)) > 1]
    columns_moving = {columns[n] for n in moving}
    if len(columns_moving) != 1:
        return None
    column = columns_moving.pop()
    # A leading zero would be lost when the number is written again.
    if not all(v.isdecimal() and len(v) <= _MAX_DIGITS and str(int(v)) == v for v in column):
        return None
    values = [int(value) for value in column]
    rise, pages = values[1] - values[0], numbers[1] - numbers[0]
    if not pages or rise % pages or rise // pages <= 0:
        return None
    step = rise // pages
    first = values[0] - step * (numbers[0] - 1)
    pairs = zip(numbers, values, strict=True)
    if first < 0 or any(value != first + step * (number - 1) for number, value in pairs):
        return None
    edges = [-1, *moving, len(columns)]
    parts = tuple("".join(runs[0][low + 1 : high]) for low, high in pairwise(edges))
    return PageUrlPattern(parts, first, step)
