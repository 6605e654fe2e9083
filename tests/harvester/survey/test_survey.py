"""Surveys decide what to ask by what came back; nothing here is sent anywhere."""

from collections.abc import Callable, Generator

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from leadline.core.harvest import (
    BLOCKED,
    KINDS,
    NOTHING,
    RECORD,
    REFUSED,
    RESULTS,
    Answer,
    Cell,
    NextPage,
    Query,
    Record,
)
from leadline.core.http import Request
from leadline.core.url import Url
from leadline.harvester.interface import Box, Interface, Menu, MenuChoice, Span
from leadline.harvester.survey.results import (
    BROAD,
    EMPTY,
    PURPOSES,
    SHORT,
    STOP_WORD,
    TEMPLATE,
    WORD,
    SurveyProbe,
    SurveyResult,
)
from leadline.harvester.survey.survey import SurveyLimits, record_words, survey_source

LONE = Interface(boxes=(Box("q"),), words=("garden", "harbour", "clock", "winter"))
MENU = Menu("kind", tuple(MenuChoice(value, value) for value in ("a", "b", "c", "d")))
NOT_FOUND = Answer(NOTHING)
NOT_TAKEN = Answer(REFUSED)

Behaves = Callable[[dict[str, str]], Answer]


def found(*keys: str, total: int | None = None) -> Answer:
    return Answer(RESULTS, tuple(Record(key, f"title {key}", ()) for key in keys), total)


def played(
    steps: Generator[SurveyProbe, Answer, SurveyResult], behaves: Callable[[SurveyProbe], Answer]
) -> tuple[SurveyResult, list[SurveyProbe]]:
    asked: list[SurveyProbe] = []
    try:
        probe = next(steps)
        while True:
            asked.append(probe)
            probe = steps.send(behaves(probe))
    except StopIteration as end:
        result: SurveyResult = end.value
        return result, asked


def run(
    interface: Interface, behaves: Behaves, language: str = "en"
) -> tuple[SurveyResult, list[SurveyProbe]]:
    steps = survey_source(interface, "key", language)
    return played(steps, lambda probe: behaves(dict(probe.query.values)))


def purposes(asked: list[SurveyProbe]) -> list[str]:
    return [probe.purpose for probe in asked]


def test_a_stop_word_is_asked_only_where_the_empty_query_lists_nothing() -> None:
    def behaves(values: dict[str, str]) -> Answer:
        return found("1", "2") if values["q"] in ("garden", "the") else NOT_FOUND

    result, asked = run(LONE, behaves)
    assert purposes(asked)[2:] == [WORD, EMPTY, STOP_WORD, WORD]
    assert result.findings.stop_word == RESULTS
    assert result.interface.words[:2] == ("garden", "the")
    assert "harbour" not in result.interface.words
    assert STOP_WORD not in purposes(run(LONE, lambda _values: found("1"))[1])


def test_words_that_find_most_come_first() -> None:
    sizes = {"garden": 3, "harbour": 90}
    result, _ = run(LONE, lambda values: found("1", total=sizes.get(values["q"], 0)))
    assert result.interface.words == ("harbour", "garden", "clock", "winter")


def test_an_empty_query_that_finds_less_than_a_word_lists_not_everything() -> None:
    def behaves(values: dict[str, str]) -> Answer:
        return found("1", total=90 if values["q"] else 3)

    result, _ = run(LONE, behaves)
    assert (result.findings.empty, result.interface.takes_empty) == (RESULTS, False)


def test_beginnings_of_a_word_tell_the_least_length() -> None:
    def behaves(values: dict[str, str]) -> Answer:
        return NOT_TAKEN if len(values["q"]) < 4 else found("1")

    result, asked = run(LONE, behaves)
    short = [dict(probe.query.values)["q"] for probe in asked if probe.purpose == SHORT]
    assert short == ["ga", "gar", "gard"]
    assert result.interface.min_length == 4


def test_short_queries_are_not_asked_where_the_empty_one_is_taken() -> None:
    assert SHORT not in purposes(run(LONE, lambda _values: found("1"))[1])


def test_a_third_word_is_asked_when_two_find_nothing() -> None:
    def behaves(values: dict[str, str]) -> Answer:
        return found("1") if values["q"] == "clock" else NOT_FOUND

    result, asked = run(LONE, behaves)
    assert purposes(asked).count(WORD) == 3
    assert result.findings.pattern == ("q",)


def test_a_source_that_looks_up_but_holds_nothing_known_is_executable() -> None:
    result, _ = run(LONE, lambda _values: NOT_FOUND)
    assert (result.findings.is_executable, result.findings.pattern) == (True, ())
    assert "queries are looked up, but none has found anything" in result.findings.summary


def test_a_word_of_what_the_empty_query_lists_is_asked() -> None:
    record = Record("1", "Zaffre Quoin", ())

    def behaves(values: dict[str, str]) -> Answer:
        return Answer(RESULTS, (record,)) if values["q"] in ("", "zaffre") else NOT_FOUND

    result, asked = run(LONE, behaves)
    assert len(asked) == 5
    assert (result.findings.pattern, result.interface.takes_empty) == (("q",), True)


def test_what_nonsense_brings_makes_no_pattern() -> None:
    def behaves(values: dict[str, str]) -> Answer:
        return NOT_TAKEN if values["q"] in (*LONE.words, "", "the") else found("1")

    result, _ = run(LONE, behaves)
    assert not result.findings.is_executable
    assert "nonsense brings records too" in result.findings.summary


def test_a_source_that_refuses_everything_is_not_executable() -> None:
    result, asked = run(msgspec.structs.replace(LONE, menus=(MENU,)), lambda _values: NOT_TAKEN)
    assert not result.findings.is_executable
    assert len(asked) < 20


def test_a_menu_finds_what_words_do_not_and_gives_the_box_its_words() -> None:
    record = Record("1", "Zaffre Quoin", (Cell("p", "of Lisbon"),))

    def behaves(values: dict[str, str]) -> Answer:
        if values.get("kind") or values.get("q") == "zaffre":
            return Answer(RESULTS, (record,))
        return NOT_FOUND

    result, _ = run(msgspec.structs.replace(LONE, menus=(MENU,)), behaves)
    assert result.interface.patterns == (("q",), ("kind",))
    assert result.interface.words[0] == "zaffre"


def test_a_box_that_refuses_even_a_word_of_a_record_is_left_out() -> None:
    def behaves(values: dict[str, str]) -> Answer:
        return NOT_TAKEN if values.get("q") else found("1", values.get("kind", ""))

    result, _ = run(msgspec.structs.replace(LONE, menus=(MENU,)), behaves)
    assert result.interface.boxes == ()
    assert result.findings.pattern == ("kind",)


def test_a_menu_that_the_box_cannot_do_without_is_fixed() -> None:
    record = Record("1", "Zaffre Quoin", ())

    def behaves(values: dict[str, str]) -> Answer:
        is_known = values.get("q", "zaffre") in ("zaffre", "")
        return Answer(RESULTS, (record,)) if values.get("kind") and is_known else NOT_FOUND

    result, asked = run(msgspec.structs.replace(LONE, menus=(MENU,)), behaves)
    assert result.interface.fixed == (("kind", "a"),)
    assert result.findings.pattern == ("q", "kind")
    strange = [probe for probe in asked if probe.is_nonsense]
    assert [dict(probe.query.values).get("kind") for probe in strange] == [None, None, "a", "a"]


def test_two_controls_may_be_needed_together_without_a_box() -> None:
    other = Menu("place", (MenuChoice("x", "x"), MenuChoice("y", "y")))

    def behaves(values: dict[str, str]) -> Answer:
        is_whole = values.get("kind") and values.get("place")
        return found(values["kind"]) if is_whole else NOT_TAKEN

    result, _ = run(Interface(menus=(MENU, other)), behaves)
    assert result.findings.pattern == ("kind", "place")


def test_ends_of_a_range_are_asked_together() -> None:
    years = tuple(str(year) for year in range(2000, 2020))
    asked_for = Interface(spans=(Span("from", "to", years, years, meaning="year"),))

    def behaves(values: dict[str, str]) -> Answer:
        assert {"from", "to"} <= {*values} or not values
        low, high = values.get("from", "0"), values.get("to", "9")
        return found(low, high) if low <= high else NOT_FOUND

    result, asked = run(asked_for, behaves)
    assert purposes(asked).count(TEMPLATE) == 2
    assert result.findings.informative == ("from",)


def test_fixed_values_go_into_every_query() -> None:
    fixed = msgspec.structs.replace(LONE, fixed=(("size", "100"),))
    _, asked = run(fixed, lambda _values: found("1"))
    assert all(dict(probe.query.values)["size"] == "100" for probe in asked)


def test_a_closed_door_is_knocked_at_once() -> None:
    result, asked = run(LONE, lambda _values: Answer(BLOCKED, why="a captcha"))
    assert (len(asked), result.findings.is_blocked) == (1, True)


def test_without_words_of_the_page_one_that_every_text_has_is_asked() -> None:
    _, asked = run(Interface(boxes=(Box("q"),)), lambda _values: found("1"), "de")
    assert Query.of(q="der") in [probe.query for probe in asked]


def test_what_was_learned_can_be_written_down() -> None:
    result, _ = run(msgspec.structs.replace(LONE, menus=(MENU,)), lambda _values: found("1"))
    assert msgspec.json.decode(msgspec.json.encode(result), type=SurveyResult) == result


def test_words_of_records_are_their_longer_ones() -> None:
    record = Record("1", "The Old Mill, 1923", (Cell("p", "on a river"),))
    assert list(record_words([record])) == ["mill", "river"]


answers = st.builds(
    lambda kind, keys, total: Answer(
        kind,
        tuple(Record(key, key, ()) for key in keys) if kind in (RESULTS, RECORD) else (),
        total,
    ),
    st.sampled_from(KINDS),
    st.sets(st.sampled_from("abcdef")),
    st.none() | st.integers(0, 10**6),
)
names = st.sampled_from(["a", "b", "c", "d"])
interfaces = st.builds(
    Interface,
    boxes=st.lists(st.builds(Box, names, meaning=st.sampled_from(["", "year", "place:city"]))).map(
        tuple
    ),
    menus=st.lists(st.builds(Menu, names, st.just(MENU.choices) | st.just(()))).map(tuple),
    spans=st.lists(st.builds(Span, names, names, st.just(("1", "2")), st.just(("1", "3")))).map(
        tuple
    ),
    words=st.lists(st.text("xyz", max_size=5)).map(tuple),
)


@given(interfaces, st.data())
def test_any_answers_end_a_survey_within_its_limit(
    interface: Interface, data: st.DataObject
) -> None:
    limits = SurveyLimits(requests=25)
    replies: list[Answer] = []

    def reply(_probe: SurveyProbe) -> Answer:
        replies.append(data.draw(answers))
        return replies[-1]

    result, asked = played(survey_source(interface, "key", "en", limits), reply)
    assert len(asked) <= limits.requests
    assert len({probe.query for probe in asked}) == len(asked)
    assert {probe.purpose for probe in asked} <= {*PURPOSES}
    sent = iter(replies)
    again = played(survey_source(interface, "key", "en", limits), lambda _probe: next(sent))
    assert again == (result, asked)


_TITLES = ("an old garden", "the harbour", "a clock on the wall", "winter walks", "low walls")


def finds_parts(text: str) -> Answer:
    """As a source that looks for parts of words does; two titles on a page."""
    fitting = [title for title in _TITLES if text and text in title]
    turn = NextPage(Request(Url("http://a.test/2")), "link") if len(fitting) > 2 else None
    records = tuple(Record(title, title, ()) for title in fitting[:2])
    return Answer(RESULTS, records, next_page=turn) if records else NOT_FOUND


def test_a_source_that_looks_for_parts_of_words_is_asked_for_the_letter_of_most_records() -> None:
    interface = structs.replace(LONE, words=("wall", "low"))
    result, asked = run(interface, lambda values: finds_parts(values["q"]))
    broad = [probe.query.text for probe in asked if probe.purpose == BROAD]
    assert len(broad[0]) == 1
    assert len([title for title in _TITLES if broad[0] in title]) >= 3
    begun = {answer.values: answer.has_more for answer in result.interface.surveyed}
    assert begun[("q", broad[0]),]


def test_a_wildcard_is_tried_where_a_letter_finds_nothing() -> None:
    titles = ("red one", "red two", "red three", "blue four")

    def behaves(values: dict[str, str]) -> Answer:
        fitting = [title for title in titles if values["q"] in ("*", *title.split())]
        return found(*fitting) if fitting else NOT_FOUND

    interface = structs.replace(LONE, words=("red", "blue"))
    result, asked = run(interface, behaves)
    broad = [probe.query.text for probe in asked if probe.purpose == BROAD]
    assert broad == ["e", "*"]
    assert [answer.shown for answer in result.interface.surveyed if answer.is_broad] == [4]


def test_choices_that_get_what_no_choice_gets_do_not_narrow() -> None:
    interface = structs.replace(LONE, menus=(MENU,))
    result, asked = run(interface, lambda _values: found("1", "2", "3"))
    assert result.findings.uninformative == ("kind",)
    assert sum(probe.purpose == TEMPLATE for probe in asked) == 2


def test_what_lists_everything_spares_further_words() -> None:
    result, asked = run(LONE, lambda values: found("1") if values["q"] else found("1", "2"))
    assert result.interface.takes_empty
    assert purposes(asked)[2:] == [WORD, EMPTY]
