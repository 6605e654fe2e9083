from leadline.core.harvest import RESULTS, Outcome, Query
from leadline.harvester.coverage.evidence import PrintedTotals
from leadline.harvester.interface import Interface, Menu, MenuChoice
from tests.harvester.coverage.asked import outcome


def menu(name: str, *values: str) -> Menu:
    return Menu(name, tuple(MenuChoice(value, value.title()) for value in values))


FORM = Interface(
    menus=(menu("kind", "new", "used"), menu("fuel", "petrol", "diesel", "other")),
    fixed=(("size", "100"),),
)


def asked(matched: int, is_exact: bool = True, **values: str) -> Outcome:
    query = Query(tuple(sorted({"size": "100", **values}.items())))
    total = matched if is_exact else None
    return Outcome(query, RESULTS, matched, matched, total, is_total_exact=is_exact)


def learned(*outcomes: Outcome) -> PrintedTotals:
    totals = PrintedTotals(FORM)
    for one in outcomes:
        totals.learn(one, is_cut=False)
    return totals


def test_a_query_for_everything_tells_the_size() -> None:
    assert learned(asked(1_200)).database(held=100) == 1_200
    assert learned(asked(1_200, q="sea")).database(held=100) is None


def test_a_total_below_what_is_held_is_not_believed() -> None:
    assert learned(asked(1_200)).database(held=1_201) is None


def test_an_answer_without_a_printed_total_tells_nothing_of_everything() -> None:
    assert learned(asked(1_000, is_exact=False)).database(held=10) is None


def test_totals_that_are_cut_themselves_are_not_believed() -> None:
    many = [asked(10_000, q=word) for word in ("sea", "tin", "fog")]
    assert learned(asked(10_000), *many).database(held=10) is None


def test_two_menus_that_agree_tell_the_size() -> None:
    kinds = [asked(700, kind="new"), asked(300, kind="used")]
    fuels = [asked(500, fuel="petrol"), asked(400, fuel="diesel"), asked(101, fuel="other")]
    assert learned(*kinds, *fuels[:2]).database(held=10) is None
    assert learned(*kinds, *fuels).database(held=10) == 1_001


def test_menus_that_disagree_tell_nothing() -> None:
    kinds = [asked(700, kind="new"), asked(300, kind="used")]
    fuels = [asked(50, fuel="petrol"), asked(40, fuel="diesel"), asked(10, fuel="other")]
    assert learned(*kinds, *fuels).database(held=10) is None


def test_choices_not_asked_for_are_taken_to_be_like_the_others() -> None:
    totals = learned(asked(500, fuel="petrol"), asked(300, fuel="diesel"))
    size, share = totals.by_menu
    assert round(size) == 1_200
    assert round(share, 2) == 0.67


def test_choices_together_with_words_do_not_count() -> None:
    assert learned(asked(5, kind="new", q="sea"), asked(3, kind="used")).by_menu == (0, 0)


def test_the_largest_total_is_kept() -> None:
    totals = PrintedTotals(Interface())
    totals.learn(outcome("sea", 10, 10, total=640), is_cut=True)
    totals.learn(outcome("tin", 10, 10, total=64), is_cut=True)
    assert totals.largest == 640
