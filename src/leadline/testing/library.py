"""A small library that can be asked, in many ways: the source on which policies are tested."""

from collections.abc import Callable, Iterator
from itertools import islice

from msgspec import Struct

from leadline.core.harvest import (
    NOTHING,
    RESULTS,
    Cell,
    Choice,
    Outcome,
    Query,
    Reading,
    Record,
)
from leadline.core.ports import QueryPolicy
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Box, Choosable, Interface, Menu

_GENRES = ("Crime", "Poetry", "True stories", "History")
_SYLLABLES = ("ba", "ne", "tor", "li", "mus", "ka", "ren", "so", "vi", "dal")


def word(number: int) -> str:
    """Low numbers make the common words."""
    found = ""
    while number or not found:
        number, digit = divmod(number, 10)
        found += _SYLLABLES[digit]
    return found


def books(count: int) -> list[Record]:
    made = []
    for n in range(count):
        words = [word((n * (7 + k) + k * k) % (5 + 9 * k)) for k in range(6)]
        genre, year = _GENRES[n * 3 % 7 % 4], str(1990 + n % 23)
        cells = (Cell("name", " ".join(words)), Cell("genre", genre), Cell("year", year))
        made.append(Record(f"b{n}", "", cells))
    return made


class Library(Struct, frozen=True):
    """Answers as sources do: a limit, all words or any, one place or all places searched."""

    records: tuple[Record, ...]
    cap: int = 0
    page_size: int = 10
    is_any: bool = False
    searched: tuple[str, ...] = ("name", "genre", "year")
    tells_total: bool = True
    is_mute: bool = False
    """Finds nothing, whatever is asked."""

    def matches(self, query: Query) -> list[Record]:
        if self.is_mute:
            return []
        found = list(self.records)
        for name, value in query.values:
            if name in ("genre", "year"):
                found = [one for one in found if _cell(one, name) == value]
            elif name == "q":
                found = [one for one in found if self._has(one, value.lower().split())]
        return found

    def outcome(self, choice: Choice, holdings: Holdings, policy: QueryPolicy) -> Outcome:
        """Read as far as the policy wants."""
        found = self.matches(choice.query)
        shown = found[: self.cap] if self.cap else found
        read = self._page(choice, shown, 1, holdings, 0)
        while read.returned < len(shown) and read.pages != choice.max_pages:
            if not policy.goes_on(read):
                break
            read = self._page(choice, shown, read.pages + 1, holdings, read.fresh)
        is_left = read.returned < len(shown)
        return Outcome(
            choice.query,
            RESULTS if shown else NOTHING,
            returned=read.returned,
            fresh=read.fresh,
            total=read.total,
            is_total_exact=self.tells_total,
            pages=read.pages,
            requests=read.pages,
            is_cut=self.tells_total and len(found) > len(shown) and not is_left,
            is_left=is_left,
        )

    def _page(
        self, choice: Choice, shown: list[Record], number: int, holdings: Holdings, fresh: int
    ) -> Reading:
        end = number * self.page_size
        latest = holdings.add_all(shown[end - self.page_size : end])
        total = len(self.matches(choice.query)) if self.tells_total else None
        returned = min(end, len(shown))
        return Reading(
            choice.query, number, number, returned, fresh + latest, latest, total, self.tells_total
        )

    def _has(self, one: Record, words: list[str]) -> bool:
        text = " ".join(_cell(one, place) for place in self.searched).lower().split()
        return (any if self.is_any else all)(asked in text for asked in words)


def _cell(one: Record, place: str) -> str:
    return next(cell.text for cell in one.cells if cell.place == place)


BOX = Interface(boxes=(Box("q", "Search"),), words=("tor", "nothing", "mus"))
MENU = Interface(menus=(Menu("genre", tuple(Choosable(g, g) for g in _GENRES), "Genre"),))
_YEARS = tuple(str(year) for year in range(1990, 2013))
MENUS = Interface(menus=(*MENU.menus, Menu("year", tuple(Choosable(y, y) for y in _YEARS), "Year")))
BOTH = Interface(boxes=BOX.boxes, menus=MENU.menus, words=BOX.words)
INTERFACES = {"box": BOX, "menu": MENU, "both": BOTH}

MakePolicy = Callable[[Holdings], QueryPolicy]


def _choices(policy: QueryPolicy) -> Iterator[Choice]:
    while (choice := policy.choose()) is not None:
        yield choice


def asked(
    library: Library, make: MakePolicy, most: int = 10_000
) -> tuple[list[Outcome], Holdings, QueryPolicy]:
    """Everything a policy asks for, until it stops or `most` queries were asked."""
    holdings = Holdings()
    policy = make(holdings)
    outcomes: list[Outcome] = []
    for choice in islice(_choices(policy), most):
        outcomes.append(library.outcome(choice, holdings, policy))
        policy.learn(outcomes[-1])
    return outcomes, holdings, policy
