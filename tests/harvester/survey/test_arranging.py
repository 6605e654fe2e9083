"""Controls that bring no other records are told from answers, whatever they are called."""

from collections.abc import Callable, Mapping

from leadline.core.harvest import NOTHING, RESULTS, Answer, NextPage, Record
from leadline.core.http import Request
from leadline.core.url import Url
from leadline.harvester.interface import Box, Interface, Menu, MenuChoice
from leadline.harvester.survey.survey import are_same, survey_source
from tests.harvester.survey.test_survey import played

MORE = NextPage(Request(Url("http://a.test/find?page=2")), "link")
SHELF = {
    "garden": ("plum", "apple", "quince", "fig"),
    "harbour": ("mole", "quay", "buoy", "tug", "rope"),
}
ORDERS = Menu("ordna", tuple(MenuChoice(value, value) for value in ("upp", "ner", "x")))
KINDS = Menu("slag", tuple(MenuChoice(value, value) for value in ("p", "q")))
FORM = Interface(boxes=(Box("q"), Box("also")), menus=(ORDERS, KINDS), words=(*SHELF,))


def listed(names: list[str], size: int = 100) -> Answer:
    if not names:
        return Answer(NOTHING)
    records = tuple(Record(name, name, ()) for name in names[:size])
    turn = MORE if len(names) > size else None
    return Answer(RESULTS, records, len(names), is_total_exact=True, next_page=turn)


def source(size: int, *, lists: bool) -> Callable[[Mapping[str, str]], Answer]:
    """Sorts by one menu, narrows by the other, and passes over the second box. `lists`: a query
    for nothing lists everything, else three things."""

    def behaves(values: Mapping[str, str]) -> Answer:
        word = values.get("q", "")
        everything = [name for names in SHELF.values() for name in names]
        names = [*SHELF.get(word, ())] if word else everything if lists else everything[:3]
        if values.get("slag"):
            names = [name for name in names if values["slag"] in name]
        names.sort(reverse=values.get("ordna") == "ner")
        return listed(names, size)

    return behaves


def menus_left(size: int, *, lists: bool = True) -> tuple[list[str], list[str], int]:
    behaves = source(size, lists=lists)
    surveyed, asked = played(
        survey_source(FORM, "key", "en"), lambda probe: behaves(dict(probe.query.values))
    )
    interface = surveyed.interface
    return [m.name for m in interface.menus], [b.name for b in interface.boxes], len(asked)


def test_a_menu_that_only_sorts_is_left_out_where_pages_hold_whole_answers() -> None:
    menus, boxes, _ = menus_left(size=100)
    assert menus == ["slag"]
    assert boxes == ["q"]


def test_a_menu_that_only_sorts_is_left_out_where_totals_tell() -> None:
    menus, boxes, asked = menus_left(size=2, lists=False)
    assert menus == ["slag"]
    assert boxes == ["q"]
    assert asked < 20


def test_menus_are_not_tried_where_everything_is_listed_page_by_page() -> None:
    menus, boxes, asked = menus_left(size=3)
    assert menus == ["ordna", "slag"]
    assert boxes == ["q"]
    assert asked <= 6


def test_it_is_said_which_controls_bring_no_other_records() -> None:
    behaves = source(2, lists=False)
    surveyed, _ = played(survey_source(FORM, "key", "en"), lambda p: behaves(dict(p.query.values)))
    assert {*surveyed.findings.uninformative} == {"also", "ordna"}
    assert "'ordna' brings no other records" in surveyed.findings.summary


def test_answers_are_the_same_only_where_that_is_known() -> None:
    whole, other = listed(["a", "b", "c"]), listed(["c", "b", "a"])
    assert are_same(whole, other)
    assert not are_same(whole, listed(["a", "b"]))
    assert are_same(listed(["a", "b", "c"], 2), listed(["c", "a", "b"], 2))
    untold = Answer(RESULTS, whole.records, next_page=MORE)
    assert are_same(untold, untold)
    assert not are_same(untold, Answer(RESULTS, listed(["a", "b", "d"]).records, next_page=MORE))
    assert not are_same(Answer(NOTHING), Answer(NOTHING))
