"""Answers to nonsense and words tell whether there is a database."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.page import Form
from leadline.core.url import Url
from leadline.forms.probe import (
    CANNOT_TELL,
    NO,
    YES,
    ProbeAnswer,
    ProbeQuery,
    ProbeVerdict,
    judge_answers,
    plan_probe,
)
from leadline.page import parse_page

HERE = Url("http://a.test/search")
FRAME = "<a href=/>Home</a><a href=/garden>The garden</a><p>Read our winter letter</p>"
NOTHING = "<p>Your search for {} brought nothing</p>"


def hits(*names: str) -> str:
    return "".join(f"<li><a href=/r/{name}>{name} of the {{}}</a> in stock" for name in names)


def verdict(*bodies: str, statuses: tuple[int, ...] = (200, 200, 200, 200)) -> ProbeVerdict:
    """The answers to nonsense, a word, nonsense, a word."""
    asked = [("qzxvkw", True), ("garden", False), ("bdfghj", True), ("winter", False)]
    answers = [
        ProbeAnswer(
            ProbeQuery(text, is_nonsense, {"q": text}),
            status,
            parse_page((FRAME + body.replace("{}", text)).encode(), HERE),
        )
        for (text, is_nonsense), body, status in zip(asked, bodies, statuses, strict=True)
    ]
    return judge_answers(answers)


def test_words_that_bring_records_prove_a_database() -> None:
    found = verdict(NOTHING, hits("red", "old", "last"), NOTHING, hits("quiet", "small", "new"))
    assert found.database == YES
    assert "'garden' brings 4 texts and 3 links instead of" in found.why


def test_one_word_that_is_known_is_enough() -> None:
    assert verdict(NOTHING, NOTHING, NOTHING, hits("a1x", "bzz", "cyy")).database == YES


def test_a_missing_page_for_nonsense_only_proves_a_database() -> None:
    found = verdict("gone", hits("red"), "gone", "gone", statuses=(404, 200, 404, 404))
    assert found.database == YES
    assert "instead of status 404" in found.why


def test_one_answer_to_everything_proves_that_there_is_none() -> None:
    thanks = "<h1>Thank you</h1><p>We will come back to you at 12:{}</p>".replace("{}", "07")
    later = thanks.replace("07", "08")
    assert verdict(thanks, later, thanks, later).database == NO


def test_the_form_again_proves_that_there_is_none_unless_it_holds_the_query() -> None:
    empty, filled = "<form><input name=q></form>", "<form><input name=q value='{}'></form>"
    assert verdict(empty, empty, empty, empty).database == NO
    assert verdict(filled, filled, filled, filled).database == CANNOT_TELL


def test_an_echo_alone_proves_nothing() -> None:
    found = verdict(NOTHING, NOTHING, NOTHING, NOTHING)
    assert found.database == CANNOT_TELL
    assert "as little as nonsense" in found.why


def test_a_word_of_the_frame_is_no_difference() -> None:
    # `garden` and `winter` stand in the frame of every answer.
    assert verdict("<p>done</p>", "<p>done</p>", "<p>done</p>", "<p>done</p>").database == NO


def test_nonsense_that_gets_something_else_each_time_proves_nothing() -> None:
    found = verdict(hits("ab", "cd", "ef"), hits("gh", "ij", "kl"), hits("mn", "op", "qr"), "")
    assert found.database == CANNOT_TELL
    assert "different answers" in found.why


def test_suggestions_for_nonsense_are_told_from_records() -> None:
    some, others = hits("ab", "cd"), hits("ef", "gh")
    many = hits(*(f"record{letter}" for letter in "abcdefghijklm"))
    assert verdict(NOTHING + some, many, NOTHING + others, NOTHING + some).database == YES


def test_the_same_records_for_any_word_prove_nothing() -> None:
    same = "<li><a href=/1>one</a><li><a href=/2>two</a><li><a href=/3>three</a>"
    found = verdict("<p>denied</p>", same, "<p>denied</p>", same)
    assert (found.database, found.why) == (
        CANNOT_TELL,
        "different words get one and the same answer",
    )


def test_a_little_difference_is_not_enough() -> None:
    assert verdict(NOTHING, "<p>Hm</p>", NOTHING, "<p>Well</p>").database == CANNOT_TELL


@pytest.mark.parametrize("status", [403, 404, 500])
def test_errors_for_everything_prove_nothing(status: int) -> None:
    found = verdict("a", "b", "c", "d", statuses=(status,) * 4)
    assert (found.database, str(status) in found.why) == (CANNOT_TELL, True)


def test_too_few_answers_prove_nothing() -> None:
    assert judge_answers([]).database == CANNOT_TELL


def test_queries_take_turns_and_fit_the_box() -> None:
    (form,) = parse_page(b"<form><input name=q maxlength=6><button>Search</form>", HERE).forms
    first, word, second, other = plan_probe(form, ["garden", "winter", "more"])
    assert [q.is_nonsense for q in (first, word, second, other)] == [True, False, True, False]
    assert (word.values, other.text) == ({"q": "garden"}, "winter")
    assert len(first.text) == 6
    assert first.text != second.text


@pytest.mark.parametrize("words", [[], ["one"]])
def test_without_two_words_nothing_is_asked(words: list[str]) -> None:
    form = Form(HERE, HERE, "get", ())
    assert plan_probe(form, words) == []


pieces = st.lists(st.sampled_from(["<p>a</p>", "<p>b {}</p>", "<li><a href=/{}>x</a>"]), max_size=6)


@given(st.lists(pieces.map("".join), min_size=4, max_size=4))
def test_any_answers_get_a_verdict_with_a_reason(bodies: list[str]) -> None:
    found = verdict(*bodies)
    assert found.database in (YES, NO, CANNOT_TELL)
    assert found.why


@given(pieces.map("".join))
def test_what_answers_everything_alike_is_never_a_database(body: str) -> None:
    assert verdict(body, body, body, body).database != YES
