"""Laws every query policy obeys. tests/laws puts them to ours, `check_policy` to any other."""

from collections.abc import Callable
from random import Random

from leadline.core.harvest import Outcome, Query, Reading
from leadline.core.ports import QueryPolicy
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface
from leadline.testing.laws import must
from leadline.testing.library import BOTH, INTERFACES, Library, MakePolicy, asked, books

Make = Callable[[Interface, Holdings], QueryPolicy]
BOOKS = tuple(books(120))
MOST_QUERIES = 3_000
"""More than any policy has for so small a library."""
UNANSWERED = ("blocked", "refused", "unclear")


def check_policy(make: Make, rounds: int = 15, seed: int = 0) -> None:
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
        library = some_library(chance)
        for interface in INTERFACES.values():
            stops_and_repeats_nothing(_on(interface, make), library)
        learns_nothing_from_choosing(_on(BOTH, make), library)
        says_again_whether_to_go_on(_on(BOTH, make), library, chance.randint(0, 3), None)
        goes_on_after_being_told_again(_on(BOTH, make), library, chance.randint(0, 25))
        says_what_it_expects(_on(BOTH, make), library)


def some_library(chance: Random) -> Library:
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


def _on(interface: Interface, make: Make) -> MakePolicy:
    return lambda held: make(interface, held)


def stops_and_repeats_nothing(make: MakePolicy, library: Library) -> None:
    outcomes, _, policy = asked(library, make, most=MOST_QUERIES)
    queries = [outcome.query for outcome in outcomes]
    twice = {query.text for query in queries if queries.count(query) > 1}
    must(not twice, "no query is chosen twice", twice)
    must(policy.choose() is None, "it stops", f"it asked {len(queries)} queries and has more")


def learns_nothing_from_choosing(make: MakePolicy, library: Library) -> None:
    _, _, policy = asked(library, make, most=6)
    choices = [policy.choose() for _ in range(3)]
    must(choices[0] == choices[1] == choices[2], "choose says the same when asked again", choices)


def says_again_whether_to_go_on(
    make: MakePolicy, library: Library, fresh: int, total: int | None
) -> None:
    _, _, policy = asked(library, make, most=6)
    choice = policy.choose()
    if choice is None:
        return
    reading = Reading(choice.query, 1, 1, 3, fresh, fresh, total, total is not None)
    said = {policy.goes_on(reading) for _ in range(3)}
    must(len(said) == 1, "goes_on says the same when asked again")
    must(policy.choose() == choice, "goes_on changes no choice", policy.choose())


def goes_on_after_being_told_again(make: MakePolicy, library: Library, most: int) -> None:
    outcomes, _, policy = asked(library, make, most=most)
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
    _, _, policy = asked(library, make, most=4)
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


def ends_when_nothing_is_looked_up(make: Make, interface: Interface, kind: str) -> int:
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


def asks_for_what_is_fixed(make: Make, interface: Interface) -> None:
    fixed = Interface(
        interface.boxes, interface.menus, words=interface.words, fixed=(("size", "100"),)
    )
    outcomes, _, _ = asked(Library(BOOKS), lambda held: make(fixed, held), most=20)
    without = [o.query.text for o in outcomes if ("size", "100") not in o.query.values]
    must(not without, "what is fixed goes into every query", without)


def types_no_short_words_where_they_are_refused(make: Make) -> None:
    interface = Interface(BOTH.boxes, words=BOTH.words, min_length=5)
    outcomes, _, _ = asked(Library(BOOKS), lambda held: make(interface, held), most=20)
    typed = [value for outcome in outcomes for _, value in outcome.query.values]
    short = [value for value in typed if sum(map(str.isalnum, value)) < 5]
    must(not short, "words shorter than min_length are not typed", short)


def asks_a_form_without_controls_for_nothing(make: Make) -> None:
    choice = make(Interface(), Holdings()).choose()
    must(choice is None, "a form without controls is asked for nothing", choice)
