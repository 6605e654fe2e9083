"""Which harvests estimates are fitted to, checked on and judged by."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from leadline_lab.draw import Draw, key_of
from leadline_lab.harvests.asking import LabSource
from leadline_lab.harvests.cases import JUDGING_FROM, Case, Kind, grid, made
from leadline_lab.harvests.coverage.traces import TraceFolder, ground_of, trace

FIT_FROM, CHECK_FROM = 100, 500
"""First seeds: every source has one of its own, so none is in two sets."""
FIRST_SEEDS = {"fit": FIT_FROM, "check": CHECK_FROM, "judge": JUDGING_FROM}
REQUESTS = 1_000
_SIZES = (400, 1_000, 2_000, 4_000, 8_000)
_CAPPED_SIZES = (400, 1_000, 2_000)
"""Which records can be reached at all under a cap and a fixed order takes seconds to tell."""
_DRAWN_EACH = 12
"""Sources of each form whose behaviour is drawn as worlds draw it."""
_FORMS = ("keyword", "advanced", "select_only")
DEFAULT = "yield_per_cost"
_EVERY = 3
_PUBLISHED = {
    "keyword": ("gf", "random", "zipf"),
    "advanced": ("enumerate", "gf", "random", "zipf"),
    "select_only": ("enumerate",),
}
"""By the form they suit: words need a box, choices a menu. `rl` is left out: ten times as slow."""


class Planned(Struct, frozen=True):
    """A harvest to be made."""

    case: Case
    policy: str


def kinds() -> list[Kind]:
    """The grid, and sources of which nothing is fixed but the form."""
    drawn = [Kind(form=form, is_drawn=True) for form in _FORMS for _ in range(_DRAWN_EACH)]
    return [*grid(), *drawn]


def planned(first_seed: int) -> list[Planned]:
    """One harvest of each kind: every third by the default policy, the others by the published
    ones that suit the form, in turns."""
    return [_planned(number, kind, first_seed + number) for number, kind in enumerate(kinds())]


def part_of(wanted: Sequence[Planned], part: int, parts: int) -> list[Planned]:
    """Of so many parts one, as mixed as the whole: neighbours differ in policy."""
    return [one for place, one in enumerate(wanted) if place // _EVERY % parts == part]


def ask(folder: TraceFolder, wanted: Sequence[Planned], requests: int) -> Iterator[Planned]:
    """Make those that are not there yet, and name each as it is done."""
    for one in wanted:
        if folder.has(one.case, one.policy):
            continue
        setting = made(one.case)
        source = LabSource(setting.index, setting.form.bound)
        source.read_ahead()
        folder.put(trace(source, ground_of(setting, one.case), one.policy, requests))
        yield one


def _planned(number: int, kind: Kind, seed: int) -> Planned:
    draw = Draw(key_of(seed, "coverage"))
    size = _size(kind, draw)
    if number % _EVERY == 1:
        return Planned(Case(kind, seed, size), DEFAULT)
    return Planned(Case(kind, seed, size), draw.pick(_PUBLISHED[kind.form]))


def _size(kind: Kind, draw: Draw) -> int:
    is_slow = kind.is_drawn or (kind.cap and kind.ranking == "static")
    return draw.pick(_CAPPED_SIZES if is_slow else _SIZES)
