"""One reader for one source: what it tells apart, what it keeps, what it survives."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from leadline.core.harvest import (
    BLOCKED,
    KINDS,
    NOTHING,
    REFUSED,
    RESULTS,
    SAME_AS_NONSENSE,
    UNCLEAR,
    Query,
)
from leadline.core.http import Hop, Response
from leadline.core.page import Field, Form
from leadline.core.url import Url
from leadline.harvester.answers import AnswerReader
from leadline.harvester.reply import Reply, reply_of

FORM = Form(Url("http://a.test/"), Url("http://a.test/find"), "get", (Field("q", "text"),))
FRAME = (
    "<html><body><ul><li><a href=/>Home</a></li><li><a href=/x>More</a></li></ul>{}</body></html>"
)
NOTHING_SAID = "<p>Nothing for {}</p>"


def reply(body: str, text: str, status: int = 200, url: str = "") -> Reply:
    headers = (("content-type", "text/html; charset=utf-8"),)
    page = FRAME.format(body).encode()
    return reply_of(
        Response(Url(url or f"http://a.test/find?q={text}"), status, headers, page, 0.0)
    )


def listed(
    *names: str, before: str = "", item: str = "<li><a href=/r/{0}>{0}</a> of {0}</li>"
) -> str:
    return f"{before}<ul class=hits>{''.join(item.format(name) for name in names)}</ul>"


@pytest.fixture
def reader() -> AnswerReader:
    found = AnswerReader(FORM)
    for text in ("qqzzx", "wvkkb"):
        found.take_nonsense(Query.of(q=text), reply(NOTHING_SAID.format(text), text))
    return found


def test_links_that_ask_the_source_again_are_no_records(reader: AnswerReader) -> None:
    facets = "".join(
        f"<li><a href='/find?q=oak&kind={n}'>Kind {n}</a> (12)</li>" for n in range(30)
    )
    body = f"<ul class=hits>{facets}</ul>" + listed("red-oak", "white-oak")
    answer = reader.read(Query.of(q="oak"), reply(body, "oak"))
    assert [record.title for record in answer.records] == ["red-oak", "white-oak"]


def test_records_shown_by_the_search_script_itself_are_found(reader: AnswerReader) -> None:
    item = "<li><a href='/find?q=oak&show={0}'>name {0}</a> a text about the thing called {0}</li>"
    answer = reader.read(Query.of(q="oak"), reply(listed("1", "2", "3", item=item), "oak"))
    assert [record.title for record in answer.records] == ["name 1", "name 2", "name 3"]


def test_the_same_records_have_the_same_keys_under_other_queries(reader: AnswerReader) -> None:
    item = "<li><a href='/r?id={0}&q=QUERY&page=1'>name {0}</a> <b>QUERY</b> text {0}</li>"
    first = listed("1", "2", "3", item=item.replace("QUERY", "ash"))
    second = listed("3", "9", "1", item=item.replace("QUERY", "elm"))
    ash = reader.read(Query.of(q="ash"), reply(first, "ash"))
    elm = reader.read(Query.of(q="elm"), reply(second, "elm"))
    assert ash.records[0].key == elm.records[2].key
    assert ash.records[2].key == elm.records[0].key
    assert len({record.key for record in (*ash.records, *elm.records)}) == 4


def test_records_without_links_are_told_apart_by_what_they_say(reader: AnswerReader) -> None:
    item = "<li>{0}. title QUERY and more<br>by author {0}x</li>"
    first = listed("1", "2", "3", item=item.replace("QUERY", "<b>ash</b>"))
    answer = reader.read(Query.of(q="ash"), reply(first, "ash"))
    assert len({record.key for record in answer.records}) == 3
    plain = listed("1", "2", "3", item=item.replace("QUERY", "ash"))
    again = reader.read(Query.of(q="author"), reply(plain, "author"))
    assert [r.key for r in again.records] == [r.key for r in answer.records]


def test_rows_of_two_classes_lead_to_their_records_each_once(reader: AnswerReader) -> None:
    shades = ("dark", "light")
    rows = "".join(
        f"<tr class={shades[n % 2]}><td class=who><a href='/find?q=oak&by=me'>me</a></td>"
        f"<td><a class='list {shades[n % 2]}' href='/find?do=show&h={n * 7}'>name {n}</a> text</td>"
        "</tr>"
        for n in range(8)
    )
    answer = reader.read(Query.of(q="oak"), reply(f"<table>{rows}</table>", "oak"))
    assert [r.url for r in answer.records] == [
        f"http://a.test/find?do=show&h={n * 7}" for n in range(8)
    ]


def test_passages_chosen_for_the_query_are_no_part_of_a_key(reader: AnswerReader) -> None:
    item = "<li><i>title of record {0}</i><p>a line about <b>QUERY</b> in QUERY {0}</p></li>"
    names = [str(n) for n in range(8)]
    ash, elm = (
        reader.read(Query.of(q=word), reply(listed(*names, item=item.replace("QUERY", word)), word))
        for word in ("ash", "elm")
    )
    assert [r.key for r in ash.records] == [r.key for r in elm.records]
    assert len({r.key for r in ash.records}) == 8


def test_titles_that_all_hold_the_query_stay_in_the_key(reader: AnswerReader) -> None:
    item = "<li><i>the <b>ash</b> number {0}</i><br>1987</li>"
    answer = reader.read(Query.of(q="ash"), reply(listed(*"12345678", item=item), "ash"))
    assert len({r.key for r in answer.records}) == 8


def test_cells_are_named_by_headings_labels_or_their_place(reader: AnswerReader) -> None:
    rows = "".join(
        f"<tr><td><a href=/r/{n}>name {n}</a></td><td>{1900 + n}</td><td>Shelf: A{n}</td></tr>"
        for n in range(4)
    )
    body = f"<table><tr><th>Title</th><th>Year</th><th></th></tr>{rows}</table>"
    record = reader.read(Query.of(q="ash"), reply(body, "ash")).records[1]
    assert [(cell.place, cell.text) for cell in record.cells] == [
        ("Title", "name 1"),
        ("Year", "1901"),
        ("Shelf", "A1"),
    ]


def test_links_and_images_of_a_record_are_absolute(reader: AnswerReader) -> None:
    item = "<li><img src=/i/{0}.png><a href=/r/{0}>name {0}</a> <a href=/by/{0}>author</a></li>"
    record = reader.read(Query.of(q="ash"), reply(listed("1", "2", "3", item=item), "ash")).records[
        0
    ]
    assert record.url == "http://a.test/r/1"
    assert record.links == ("http://a.test/r/1", "http://a.test/by/1")
    assert record.images == ("http://a.test/i/1.png",)


def test_a_restored_reader_reads_like_the_one_before(reader: AnswerReader) -> None:
    reader.read(Query.of(q="oak"), reply(listed("a1", "b2", "c3"), "oak"))
    other = AnswerReader(FORM)
    other.restore(reader.state())
    single = reply(listed("d4"), "elm")
    assert other.read(Query.of(q="elm"), single) == reader.read(Query.of(q="elm"), single)
    nothing = reply(NOTHING_SAID.format("fir"), "fir")
    assert other.read(Query.of(q="fir"), nothing).kind == NOTHING


def test_bytes_that_are_no_state_are_refused(reader: AnswerReader) -> None:
    with pytest.raises(ValueError, match=r"MessagePack|truncated|Expected"):
        reader.restore(b"\xc1")


def test_the_state_stays_small(reader: AnswerReader) -> None:
    for turn in range(60):
        names = [f"name{turn}x{n}" for n in range(40)]
        body = listed(*names, before=f"<p>{turn} hits and {turn + 7} more</p>")
        reader.read(Query.of(q=f"w{turn}"), reply(body, f"w{turn}"))
    assert len(reader.state()) < 200_000


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, BLOCKED),
        (429, BLOCKED),
        (503, BLOCKED),
        (400, REFUSED),
        (500, REFUSED),
    ],
)
def test_statuses_tell_their_kind(reader: AnswerReader, status: int, kind: str) -> None:
    answer = reader.read(Query.of(q="oak"), reply("<p>x</p>", "oak", status))
    assert answer.kind == kind
    assert str(status) in answer.why


def test_a_refusal_for_an_expired_token_is_no_ban(reader: AnswerReader) -> None:
    answer = reader.read(Query.of(q="oak"), reply("<p>Your session has expired</p>", "oak", 403))
    assert answer.kind == REFUSED


def test_what_is_forbidden_for_one_query_is_its_own_fault(reader: AnswerReader) -> None:
    for odd in ("select", "union", "drop"):
        assert reader.read(Query.of(q=odd), reply("<p>No.</p>", odd, 403)).kind == REFUSED
        oak = reader.read(Query.of(q="oak"), reply(listed("oak", "elm", "ash"), "oak"))
        assert oak.kind == RESULTS


def test_what_is_forbidden_for_one_query_after_the_other_is_closed(reader: AnswerReader) -> None:
    kinds = [
        reader.read(Query.of(q=word), reply("<p>No.</p>", word, 403)).kind
        for word in ("oak", "oak", "elm", "ash", "fir")
    ]
    assert kinds == [REFUSED, REFUSED, REFUSED, BLOCKED, BLOCKED]


def test_a_forbidden_page_that_asks_for_a_proof_is_a_ban_at_once(reader: AnswerReader) -> None:
    page = reply("<p>Please verify you are human</p>", "oak", 403)
    assert reader.read(Query.of(q="oak"), page).kind == BLOCKED


def test_before_anything_was_answered_a_forbidden_query_is_a_ban() -> None:
    answer = AnswerReader(FORM).read(Query.of(q="oak"), reply("<p>No.</p>", "oak", 403))
    assert answer.kind == BLOCKED


def test_numbers_that_nonsense_gets_too_are_no_totals() -> None:
    reader = AnswerReader(FORM)
    standing = "<p>1,234 books in our catalogue</p><p>Since 1987: 650 records of birds</p>"
    for text in ("qqzzx", "wvkkb"):
        nothing = f"{standing}<p>Nothing for {text}</p>"
        reader.take_nonsense(Query.of(q=text), reply(nothing, text))
    for word, hits in (("oak", ""), ("elm", "<p>87 results</p>")):
        page = reply(listed("a1", "b2", "c3", before=standing + hits), word)
        answer = reader.read(Query.of(q=word), page)
        assert answer.total == (87 if hits else None)


def test_a_total_that_nonsense_gets_with_records_stays_one() -> None:
    reader = AnswerReader(FORM)
    lists = {"qqzzx": ("a1", "b2", "c3"), "wvkkb": ("d4", "e5", "f6"), "oak": ("g7", "h8", "i9")}
    pages = {
        text: reply(listed(*names, before="<p>87 results</p>"), text)
        for text, names in lists.items()
    }
    for text in ("qqzzx", "wvkkb"):
        reader.take_nonsense(Query.of(q=text), pages[text])
    assert reader.read(Query.of(q="oak"), pages["oak"]).total == 87


def test_a_path_that_holds_the_word_asked_for_leads_to_records_all_the_same() -> None:
    form = structs.replace(FORM, action=Url("http://a.test/trees/find"))
    reader = AnswerReader(form)
    for text in ("qqzzx", "wvkkb"):
        page = reply("<p>Nothing</p>", text, url=f"http://a.test/trees?q={text}")
        reader.take_nonsense(Query.of(q=text), page)
    item = "<li><a href=/trees/{0}>{0}</a> of {0}</li>"
    page = reply(listed("oak", "elm", "ash", item=item), "tree", url="http://a.test/trees?q=tree")
    answer = reader.read(Query.of(q="tree"), page)
    assert [record.url for record in answer.records] == [
        f"http://a.test/trees/{name}" for name in ("oak", "elm", "ash")
    ]


def test_a_missing_page_is_nothing_only_where_nonsense_gets_one(reader: AnswerReader) -> None:
    assert reader.read(Query.of(q="oak"), reply("", "oak", 404)).kind == UNCLEAR
    other = AnswerReader(FORM)
    other.take_nonsense(Query.of(q="zzq"), reply("<p>?</p>", "zzq", 404))
    assert other.read(Query.of(q="oak"), reply("<p>?</p>", "oak", 404)).kind == NOTHING


def test_the_form_shown_once_more_is_a_refusal(reader: AnswerReader) -> None:
    body = "<p>Hm.</p><form action=/find><input name=q><input type=submit></form>"
    assert reader.read(Query.of(q="a"), reply(body, "a")).kind == REFUSED


def test_a_password_asked_for_on_every_page_keeps_nobody_out() -> None:
    found = AnswerReader(FORM)
    login = "<form action=/in method=post><input name=u><input type=password name=p></form>"
    for text in ("qqzzx", "wvkkb"):
        found.take_nonsense(Query.of(q=text), reply(login + NOTHING_SAID.format(text), text))
    answer = found.read(Query.of(q="x"), reply(login + "<p>Enter at least three letters</p>", "x"))
    assert answer.kind == REFUSED


def test_advice_on_a_refusal_is_no_list_of_results(reader: AnswerReader) -> None:
    tips = "<ul><li>Use longer words than that</li><li>Use fewer blanks</li><li>Ask us</li></ul>"
    body = f"<p>Your search term is too short.</p>{tips}"
    assert reader.read(Query.of(q="x"), reply(body, "x")).kind == REFUSED


def test_records_may_speak_of_robots_and_errors(reader: AnswerReader) -> None:
    item = "<li>{0}: a captcha for humans. An error, please enter again<br>from {0}</li>"
    answer = reader.read(Query.of(q="oak"), reply(listed("a1", "b2", "c3", item=item), "oak"))
    assert answer.kind == RESULTS


def test_a_way_to_a_login_is_no_way_to_a_record(reader: AnswerReader) -> None:
    body = "<h1>Members</h1><form method=post><input name=u><input type=password name=p></form>"
    page = reply(body + listed("Why join", "Prices", "Help"), "oak", url="http://a.test/login")
    hop = Hop(Url("http://a.test/find?q=oak"), 302, "/login")
    led = reply_of(structs.replace(page.response, hops=(hop,)))
    answer = reader.read(Query.of(q="oak"), led)
    assert answer.kind == BLOCKED
    assert answer.why == "it asks for a password"


def test_a_way_to_the_home_page_is_no_way_to_a_record(reader: AnswerReader) -> None:
    page = reply("<p>Welcome</p>", "oak", url="http://a.test/")
    hop = Hop(Url("http://a.test/find?q=oak"), 302, "/")
    led = reply_of(structs.replace(page.response, hops=(hop,)))
    assert reader.read(Query.of(q="oak"), led).kind == UNCLEAR


def test_errors_teach_nothing_about_nonsense(reader: AnswerReader) -> None:
    before = reader.state()
    reader.take_nonsense(Query.of(q="zzz"), reply("<p>oops</p>", "zzz", 500))
    assert reader.state() == before


def test_an_answer_that_ignores_the_query_is_nothing_new() -> None:
    found = AnswerReader(FORM)
    body = listed("one", "two", "three")
    for text in ("qqzzx", "wvkkb"):
        found.take_nonsense(Query.of(q=text), reply(body, text))
    answer = found.read(Query.of(q="oak"), reply(body, "oak"))
    assert answer.kind == NOTHING
    assert answer.why == SAME_AS_NONSENSE


def test_a_source_that_finds_something_for_nonsense_is_read_all_the_same() -> None:
    found = AnswerReader(FORM)
    found.take_nonsense(Query.of(q="qqzzx"), reply(listed("near", "by", "far"), "qqzzx"))
    found.take_nonsense(Query.of(q="wvkkb"), reply(listed("off", "on", "up"), "wvkkb"))
    answer = found.read(Query.of(q="oak"), reply(listed("oak1", "oak2", "oak3"), "oak"))
    assert answer.kind == RESULTS
    assert len(answer.records) == 3


def test_a_single_result_is_read_where_results_were_before(reader: AnswerReader) -> None:
    reader.read(Query.of(q="oak"), reply(listed("a1", "b2", "c3"), "oak"))
    answer = reader.read(Query.of(q="elm"), reply(listed("d4"), "elm"))
    assert [record.url for record in answer.records] == ["http://a.test/r/d4"]


def test_what_stands_around_a_first_single_result_is_no_result(reader: AnswerReader) -> None:
    table = (
        "<table class=list><tr><th colspan=2>(no shelf)</th></tr>"
        "<tr><td>17</td><td><a href=/r/17>Oaks of the north</a></td></tr>"
        "<tr><td colspan=2>1..1 out of 1</td></tr></table>"
    )
    for word, number in (("oak", "17"), ("elm", "23")):
        page = reply(table.replace("17", number), word)
        answer = reader.read(Query.of(q=word), page)
        assert [record.key for record in answer.records] == [f"http://a.test/r/{number}"]


def test_the_same_record_twice_on_a_page_is_one(reader: AnswerReader) -> None:
    answer = reader.read(Query.of(q="oak"), reply(listed("a1", "b2", "c3", "a1"), "oak"))
    assert len(answer.records) == 3


def test_a_long_page_is_read_within_bounds(reader: AnswerReader) -> None:
    names = [f"n{number}" for number in range(6_000)]
    answer = reader.read(Query.of(q="oak"), reply(listed(*names), "oak"))
    assert 0 < len(answer.records) <= 2_000


WILD = st.text(alphabet="<>/=\"'&; abh10pludirtsnome\n", max_size=300)


@settings(max_examples=150, deadline=None)
@given(st.lists(WILD, min_size=1, max_size=4), st.sampled_from((200, 200, 404, 500)))
def test_any_page_gives_an_answer(bodies: list[str], status: int) -> None:
    found = AnswerReader(FORM)
    found.take_nonsense(Query.of(q="zzq"), reply(bodies[0], "zzq"))
    for body in bodies:
        answer = found.read(Query.of(q="am"), reply(body, "am", status))
        assert answer.kind in KINDS
        assert len({record.key for record in answer.records}) == len(answer.records)
    found.restore(found.state())


def test_states_of_older_stores_are_read() -> None:
    stored = {
        "said": [[1, 2]], "quiet": {"/ul": 1}, "standing": ["7 0 # records"], "early": [[3]],
        "sums": {"0 # hits": {"seen": 2, "wrong": 0, "rough": 1, "values": [40]}},
        "places": {"/ul": {"way": "each", "core": ["ul>li"], "size": 9, "pieces": 2}},
    }  # fmt: skip
    reader = AnswerReader(FORM)
    reader.restore(msgspec.msgpack.encode(stored))
    assert msgspec.msgpack.decode(reader.state()).items() >= stored.items()


def test_addresses_with_nameless_parameters_are_read(reader: AnswerReader) -> None:
    item = "<li><a href='/item?={0}'>name {0}</a> a text about the thing called {0}</li>"
    answer = reader.read(Query.of(q="oak"), reply(listed("1", "2", "3", item=item), "oak"))
    assert len(answer.records) == 3


def test_a_word_of_the_frame_that_is_asked_for_makes_no_denial_of_the_frame(
    reader: AnswerReader,
) -> None:
    first = reader.read(Query.of(q="more"), reply(listed("1", "2", "3"), "more"))
    second = reader.read(Query.of(q="oak"), reply(listed("4", "5", "6"), "oak"))
    assert [answer.kind for answer in (first, second)] == [RESULTS, RESULTS]


def test_a_source_that_says_nothing_when_it_finds_nothing_is_understood() -> None:
    reader = AnswerReader(FORM)
    for text in ("qqzzx", "wvkkb"):
        reader.take_nonsense(Query.of(q=text), reply("", text))
    assert reader.read(Query.of(q="oak"), reply(listed("1", "2", "3"), "oak")).kind == RESULTS
    assert reader.read(Query.of(q="elm"), reply("", "elm")).kind == NOTHING
    assert reader.read(Query.of(q="ash"), reply(listed("2", "4"), "ash")).kind == RESULTS


def test_what_every_link_says_to_pointers_names_no_record(reader: AnswerReader) -> None:
    item = "<tr><td><a href=/r/{0} title='Show record'><i></i></a><td>The {0}<td>of {0} wood"
    rows = "".join(item.format(name) for name in ("lamp", "chair", "clock", "bowl"))
    answer = reader.read(Query.of(q="x"), reply(f"<table>{rows}</table>", "x"))
    assert [record.title for record in answer.records] == [
        "The lamp", "The chair", "The clock", "The bowl"
    ]  # fmt: skip
