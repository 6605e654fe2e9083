"""Laws every query policy obeys. tests/laws puts them to ours, `check_policy` to any other."""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

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
from leadline.harvester.interface import Box, Interface, Menu, MenuChoice
from leadline.testing.laws import must

_GENRES = ("Crime", "Poetry", "True stories", "History")
_SYLLABLES = ("ba", "ne", "tor", "li", "mus", "ka", "ren", "so", "vi", "dal")
BOX = Interface(boxes=(Box("q", "Search"),), words=("tor", "nothing", "mus"))
MENU = Interface(menus=(Menu("genre", tuple(MenuChoice(g, g) for g in _GENRES), "Genre"),))
_YEARS = tuple(str(year) for year in range(1990, 2013))
MENUS = Interface(
    menus=(*MENU.menus, Menu("year", tuple(MenuChoice(y, y) for y in _YEARS), "Year"))
)
BOTH = Interface(boxes=BOX.boxes, menus=MENU.menus, words=BOX.words)
INTERFACES = {"box": BOX, "menu": MENU, "both": BOTH}
MakePolicy = Callable[[Holdings], QueryPolicy]
MakePolicyFor = Callable[[Interface, Holdings], QueryPolicy]
MOST_QUERIES = 3_000
"""More than any policy has for so small a library."""
UNANSWERED = ("blocked", "refused", "unclear")


def make_word(number: int) -> str:
    """Low numbers make the common words."""
    found = ""
    while number or not found:
        number, digit = divmod(number, 10)
        found += _SYLLABLES[digit]
    return found


def make_books(count: int) -> list[Record]:
    made = []
    for n in range(count):
        words = [make_word((n * (7 + k) + k * k) % (5 + 9 * k)) for k in range(6)]
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


def _choices(policy: QueryPolicy) -> Iterator[Choice]:
    while (choice := policy.choose()) is not None:
        yield choice


def run_policy(
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


BOOKS = tuple(make_books(120))


def check_policy(make: MakePolicyFor, rounds: int = 15, seed: int = 0) -> None:
    """Put all laws to the policies that `make` makes for an interface and what is held, each time
    a fresh one, on small libraries. Raises LawBrokenError."""
    chance = Random(seed)
    for interface in INTERFACES.values():
        asks_for_what_is_fixed(make, interface)
        for kind in UNANSWERED:
            ends_when_nothing_is_looked_up(make, interface, kind)
    asks_a_form_without_controls_for_nothing(make)
    types_no_short_words_where_they_are_refused(make)
    learns_of_queries_it_did_not_choose(_on(BOTH, make))
    for _ in range(rounds):
        library = draw_library(chance)
        for interface in INTERFACES.values():
            stops_and_repeats_nothing(_on(interface, make), library)
        learns_nothing_from_choosing(_on(BOTH, make), library)
        says_again_whether_to_go_on(_on(BOTH, make), library, chance.randint(0, 3), None)
        goes_on_after_being_told_again(_on(BOTH, make), library, chance.randint(0, 25))
        says_what_it_expects(_on(BOTH, make), library)


def draw_library(chance: Random) -> Library:
    """One of very many."""
    return Library(
        BOOKS[: chance.randint(0, 40)],
        cap=chance.choice((0, 3, 10)),
        page_size=chance.choice((3, 10)),
        is_any=chance.random() < 0.5,
        searched=chance.choice((("name", "genre", "year"), ("name",), ("genre",))),
        tells_total=chance.random() < 0.5,
        is_mute=chance.random() < 0.1,
    )


def _on(interface: Interface, make: MakePolicyFor) -> MakePolicy:
    return lambda held: make(interface, held)


def stops_and_repeats_nothing(make: MakePolicy, library: Library) -> None:
    outcomes, _, policy = run_policy(library, make, most=MOST_QUERIES)
    queries = [outcome.query for outcome in outcomes]
    twice = {query.text for query in queries if queries.count(query) > 1}
    must(not twice, "no query is chosen twice", twice)
    must(policy.choose() is None, "it stops", f"it asked {len(queries)} queries and has more")


def learns_nothing_from_choosing(make: MakePolicy, library: Library) -> None:
    _, _, policy = run_policy(library, make, most=6)
    choices = [policy.choose() for _ in range(3)]
    must(choices[0] == choices[1] == choices[2], "choose says the same when asked again", choices)


def says_again_whether_to_go_on(
    make: MakePolicy, library: Library, fresh: int, total: int | None
) -> None:
    _, _, policy = run_policy(library, make, most=6)
    choice = policy.choose()
    if choice is None:
        return
    reading = Reading(choice.query, 1, 1, 3, fresh, fresh, total, total is not None)
    said = {policy.goes_on(reading) for _ in range(3)}
    must(len(said) == 1, "goes_on says the same when asked again")
    must(policy.choose() == choice, "goes_on changes no choice", policy.choose())


def goes_on_after_being_told_again(make: MakePolicy, library: Library, most: int) -> None:
    outcomes, _, policy = run_policy(library, make, most=most)
    again = Holdings()
    resumed = make(again)
    for outcome in outcomes:
        again.add_all(library.matches(outcome.query)[: outcome.returned])
        resumed.learn(outcome)
    reading = Reading(Query.of(q="tor"), 2, 2, 6, fresh=0, latest=0)
    law = "told the same once more it says the same"
    must(resumed.goes_on(reading) == policy.goes_on(reading), law, "goes_on differs")
    must(resumed.choose() == policy.choose(), law, f"{policy.choose()} became {resumed.choose()}")


def says_what_it_expects(make: MakePolicy, library: Library) -> None:
    _, _, policy = run_policy(library, make, most=4)
    choice = policy.choose()
    if choice is not None:
        must(choice.fresh >= 0, "new records expected are 0 or more", choice)
        must(choice.requests >= 1, "requests expected are 1 or more", choice)
        must(bool(choice.why), "each choice says why", choice)


def learns_of_queries_it_did_not_choose(make: MakePolicy) -> None:
    holdings = Holdings()
    policy = make(holdings)
    holdings.add_all(BOOKS[:30])
    choice = policy.choose()
    if choice is None:
        return
    policy.learn(Outcome(choice.query, "blocked", requests=1))
    then = policy.choose()
    must(then is None or then.query != choice.query, "what was learned of is not chosen", then)


def ends_when_nothing_is_looked_up(make: MakePolicyFor, interface: Interface, kind: str) -> int:
    """How many queries it asked in vain."""
    holdings = Holdings()
    policy = make(interface, holdings)
    holdings.add_all(BOOKS[:12])
    asked_for: set[Query] = set()
    while (choice := policy.choose()) and len(asked_for) < 500:
        asked_for.add(choice.query)
        policy.learn(Outcome(choice.query, kind, requests=1))
    must(choice is None, f"it ends when every query is {kind}", f"it asked {len(asked_for)}")
    return len(asked_for)


def asks_for_what_is_fixed(make: MakePolicyFor, interface: Interface) -> None:
    fixed = Interface(
        interface.boxes, interface.menus, words=interface.words, fixed=(("size", "100"),)
    )
    outcomes, _, _ = run_policy(Library(BOOKS), lambda held: make(fixed, held), most=20)
    without = [o.query.text for o in outcomes if ("size", "100") not in o.query.values]
    must(not without, "what is fixed goes into every query", without)


def types_no_short_words_where_they_are_refused(make: MakePolicyFor) -> None:
    interface = Interface(BOTH.boxes, words=BOTH.words, min_length=5)
    outcomes, _, _ = run_policy(Library(BOOKS), lambda held: make(interface, held), most=20)
    typed = [value for outcome in outcomes for _, value in outcome.query.values]
    short = [value for value in typed if sum(map(str.isalnum, value)) < 5]
    must(not short, "words shorter than min_length are not typed", short)


def asks_a_form_without_controls_for_nothing(make: MakePolicyFor) -> None:
    choice = make(Interface(), Holdings()).choose()
    must(choice is None, "a form without controls is asked for nothing", choice)
