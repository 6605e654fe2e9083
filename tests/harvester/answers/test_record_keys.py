"""Keys hold what belongs to the record; addresses of the search itself are known."""

from leadline.core.harvest import Query
from leadline.core.page import Field, Form
from leadline.core.url import Url
from leadline.harvester.answers.record_keys import (
    RecordKeyRules,
    SearchAddresses,
    is_token,
    shape_of,
)

FORM = Form(
    Url("http://a.test/"),
    Url("http://a.test/find.php"),
    "get",
    (Field("q", "text"), Field("cat", "select"), Field("act", "hidden", value="find")),
)
ASKED = Url("http://a.test/find.php?act=find&q=red&cat=")


def search(text: str = "red", url: Url = ASKED) -> SearchAddresses:
    return SearchAddresses(FORM, Query.of(q=text), url)


def keys() -> RecordKeyRules:
    return RecordKeyRules({}, {}, {})


def shared_keys() -> list[RecordKeyRules]:
    """Of three pages of one source."""
    learned: tuple[dict[str, bool], dict[str, str], dict[str, int]] = ({}, {}, {})
    telling: dict[str, int] = {}
    return [RecordKeyRules(*learned, telling) for _ in range(3)]


def urls(*tails: str) -> list[Url]:
    return [Url(f"http://a.test/{tail}") for tail in tails]


def test_pages_orders_and_narrower_answers_are_the_searchs_own() -> None:
    for tail in ("act=find&q=red&page=2", "q=red&cat=3", "act=find&q=blue", "q=red&sort=year"):
        assert search().is_own(Url(f"http://a.test/find.php?{tail}"))


def test_another_value_of_a_hidden_control_alone_is_another_order() -> None:
    assert search().is_own(Url("http://a.test/find.php?act=browse&q=red"))


def test_records_of_the_same_script_are_not_the_searchs_own() -> None:
    assert not search().is_own(Url("http://a.test/find.php?act=show&id=5&q=red"))
    assert not search().is_own(Url("http://a.test/item/5"))


def test_addresses_below_one_that_holds_the_query_are_the_searchs_own() -> None:
    found = search("red", Url("http://a.test/find/red"))
    assert found.is_own(Url("http://a.test/find/red/2"))
    assert not found.is_own(Url("http://a.test/item/red"))


def test_query_echo_place_and_session_are_not_part_of_a_key() -> None:
    known = keys()
    first = urls(
        "show?id=7&q=red&hit=1&sess=8f3a9c0e77d1b2a4",
        "show?id=9&q=red&hit=2&sess=8f3a9c0e77d1b2a4",
        "show?id=4&q=red&hit=3&sess=8f3a9c0e77d1b2a4",
    )
    known.judge(first, search(), ())
    assert [known.key(url) for url in first] == urls("show?id=7", "show?id=9", "show?id=4")
    later = Url("http://a.test/show?id=7&q=blue&hit=12&sess=00aa9c0e77d1b2ff")
    assert known.key(later) == "http://a.test/show?id=7"


def test_the_number_of_the_page_in_links_to_records_is_not_part_of_a_key() -> None:
    known = keys()
    others = urls("find.php?act=find&q=red&page=2")
    known.judge(urls("show?id=7&page=1", "show?id=9&page=1"), search(), others)
    assert known.key(Url("http://a.test/show?id=7&page=4")) == "http://a.test/show?id=7"


def test_consecutive_numbers_that_alone_tell_records_apart_are_kept() -> None:
    known = keys()
    known.judge(urls("show?id=1", "show?id=2", "show?id=3"), search(), ())
    assert known.key(Url("http://a.test/show?id=2")) == "http://a.test/show?id=2"


def test_what_all_records_share_and_the_request_did_not_say_is_kept() -> None:
    known = keys()
    known.judge(urls("show?db=books&id=1", "show?db=books&id=5"), search(), ())
    assert known.key(Url("http://a.test/show?db=maps&id=1")).endswith("db=maps&id=1")


def test_a_part_is_judged_once() -> None:
    known = keys()
    known.judge(urls("show?id=1&x=red", "show?id=5&x=blue"), search(), ())
    before = known.key(Url("http://a.test/show?id=1&x=red"))
    known.judge(urls("show?id=1&x=red", "show?id=5&x=red"), search(), ())
    assert known.key(Url("http://a.test/show?id=1&x=red")) == before


def test_a_part_that_changes_for_the_same_things_is_dropped() -> None:
    known, page, later = shared_keys()
    for thing, first, second in (("a", "u7", "k2"), ("b", "p0", "z3"), ("c", "m4", "t1")):
        page.note(thing, Url(f"http://a.test/show?id={thing}&track={first}"))
        later.note(thing, Url(f"http://a.test/show?id={thing}&track={second}"))
    assert known.key(Url("http://a.test/show?id=a&track=new")) == "http://a.test/show?id=a"


def test_twins_on_one_page_are_no_change_of_an_address() -> None:
    known = keys()
    for number in range(20):
        known.note("the same title and text", Url(f"http://a.test/show?db=x&id={number}"))
    assert known.key(Url("http://a.test/show?db=x&id=3")).endswith("id=3")


def test_what_alone_told_records_apart_is_not_dropped_for_a_few_that_look_alike() -> None:
    known, page, later = shared_keys()
    listed = [Url(f"http://a.test/find.php?act=show&id={n * 7}") for n in range(30)]
    page.judge(listed, search(), ())
    for number in range(5):
        page.note(f"twin {number}", Url(f"http://a.test/find.php?act=show&id={number}"))
        later.note(f"twin {number}", Url(f"http://a.test/find.php?act=show&id={number + 900}"))
    assert known.key(listed[3]).endswith("id=21")


def test_a_part_that_was_dropped_comes_back_when_nothing_else_tells_records_apart() -> None:
    known, page, later = shared_keys()
    for number in range(3):
        page.note(f"twin {number}", Url(f"http://a.test/show?db=x&id={number}"))
        later.note(f"twin {number}", Url(f"http://a.test/show?db=x&id={number + 900}"))
    assert known.dropped["id"]
    known.judge([Url(f"http://a.test/show?db=x&id={n * 7}") for n in range(20)], search(), ())
    assert known.key(Url("http://a.test/show?db=x&id=7")).endswith("id=7")


def test_sessions_that_differ_from_row_to_row_tell_nothing_apart() -> None:
    known, page, later = shared_keys()
    rows = [Url(f"http://a.test/show?id={n * 7}&v=a{n}") for n in range(12)]
    page.judge(rows, search(), ())
    for number in range(3):
        page.note(f"title {number}", rows[number])
        later.note(f"title {number}", Url(f"http://a.test/show?id={number * 7}&v=b{number}"))
    assert known.key(rows[5]) == "http://a.test/show?id=35"


def test_sessions_in_paths_are_cut() -> None:
    assert keys().key(Url("http://a.test/x;jsessionid=AB12?id=3")) == "http://a.test/x?id=3"


def test_what_is_remembered_is_bounded() -> None:
    known = keys()
    for number in range(2_000):
        known.note(str(number), Url(f"http://a.test/{number}"))
    assert len(known.met) <= 500


def test_shapes_leave_out_what_differs_between_things_of_one_kind() -> None:
    assert shape_of("http://a.test/item/5") == shape_of("http://a.test/item/77")
    assert shape_of("http://a.test/s?id=5") == shape_of("http://a.test/s?id=6")
    assert shape_of("http://a.test/item/5") != shape_of("http://a.test/user/5")


def test_words_are_no_tokens() -> None:
    assert is_token("8f3a9c0e77d1b2a4")
    assert not is_token("introduction-to-botany")
    assert not is_token("12345")


def test_a_query_that_is_part_of_the_host_does_not_name_its_pages() -> None:
    found = search("12", Url("http://127.0.0.1/?q=12"))
    assert not found.is_own(Url("http://127.0.0.1/item/5"))
    assert not search("12", Url("http://a.test/list/127")).is_own(Url("http://a.test/list/127/5"))
