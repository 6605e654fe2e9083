"""The same form wherever it is met, and forms that look alike."""

from leadline.core.page import Form
from leadline.core.url import Url
from leadline.forms.searchable import apply_rule
from leadline.forms.signature import ALIKE, compare_forms, group_look_alikes, signature
from leadline.page import parse_page

SEARCH = "<form action=/find><input name=q><select name=c><option>a</select></form>"


def form_of(html: str, url: str = "http://www.a.test/x/1.html") -> Form:
    return parse_page(html.encode(), Url(url)).forms[0]


def test_a_form_repeated_on_other_pages_and_hosts_of_a_domain_is_one() -> None:
    one = form_of(SEARCH)
    assert signature(one) == signature(form_of(SEARCH, "http://www.a.test/y/"))
    assert signature(one) == signature(form_of(SEARCH, "http://shop.a.test/"))
    assert signature(one) != signature(form_of(SEARCH, "http://b.test/"))


def test_another_field_or_target_is_another_form() -> None:
    assert signature(form_of(SEARCH)) != signature(form_of(SEARCH.replace("q", "title")))
    assert signature(form_of(SEARCH)) != signature(form_of(SEARCH.replace("find", "sold")))


def test_a_form_that_submits_to_its_own_page_is_one_on_all_pages() -> None:
    own = "<form><input name=q></form>"
    pages = [f"http://a.test/item/{n}" for n in (1, 22)]
    assert len({signature(form_of(own, page)) for page in pages}) == 1


def test_the_rule_of_thumb_gives_its_reason() -> None:
    chance, why = apply_rule(form_of(SEARCH.replace("<form", "<form role=search")))
    assert chance > 0.9
    assert why == "marked as a search box"
    chance, why = apply_rule(form_of("<form><input type=password name=p></form>"))
    assert chance < 0.1
    assert why == "asks for a password"


def hiding(*names: str) -> str:
    hidden = "".join(f"<input type=hidden name={name} value=1>" for name in names)
    return SEARCH.replace("</form>", f"{hidden}<button>Go</button></form>")


def test_hidden_fields_and_buttons_may_come_and_go() -> None:
    assert signature(form_of(SEARCH)) == signature(form_of(hiding("token", "ref")))
    assert signature(form_of("<form action=/a><input type=hidden name=x></form>")) != signature(
        form_of("<form action=/a><input type=hidden name=y></form>")
    ), "where nothing else is there, they are all there is"


def test_tokens_and_long_numbers_say_nothing() -> None:
    for one, other in (
        ("/find", "/find;jsessionid=95ef46375c02cd62c6e3"),
        ("/find/176-9108116-5571056", "/find/188-6096905-5301742"),
        ("/FIND/", "/find"),
    ):
        forms = [SEARCH.replace("/find", action) for action in (one, other)]
        assert len({signature(form_of(form)) for form in forms}) == 1
    names = ("q_8ffa6b1c7a937c05676b", "q_395f8616fca97759d4da")
    forms = [SEARCH.replace("name=q", f"name={name}") for name in names]
    assert len({signature(form_of(form)) for form in forms}) == 1


def test_short_numbers_tell_forms_apart() -> None:
    forms = [SEARCH.replace("/find", f"/index.php/{number}") for number in (513, 525)]
    assert len({signature(form_of(form)) for form in forms}) == 2


def test_how_often_a_name_occurs_says_nothing() -> None:
    boxes = ["<input type=checkbox name='type[]'>" * number for number in (1, 6)]
    forms = [SEARCH.replace("</form>", f"{box}</form>") for box in boxes]
    assert len({signature(form_of(form)) for form in forms}) == 1


def test_a_form_sent_to_the_home_page_is_the_same_on_it() -> None:
    home = "<form action=/><input name=s></form>"
    pages = ("http://a.test/", "http://a.test/about/us")
    assert len({signature(form_of(home, page)) for page in pages}) == 1


HOTELS = (
    "<form action=http://rooms.test/find><input type=hidden name=partner value={}>"
    "<input name=city><input name=checkin></form>"
)
ENGINE = (
    "<form action=http://www.engine.test/cse><input type=hidden name=cx value={}>"
    "<input name=q></form>"
)


def test_copies_of_a_form_on_many_sites_are_one() -> None:
    signs = {
        signature(form_of(HOTELS.format(number), f"http://{site}.test/"))
        for site, number in (("blog", 12345), ("guide", 99887))
    }
    assert len(signs) == 1


def test_a_service_that_searches_for_many_sites_is_a_form_of_each() -> None:
    sites = ("http://one.test/", "http://two.test/")
    by_token = {signature(form_of(ENGINE.format("pub-26160773"), site)) for site in sites}
    assert len(by_token) == 2
    by_host = {
        signature(form_of(SEARCH.replace("/find", f"http://{name}.engine.test/find"), site))
        for name, site in zip(("one", "two"), sites, strict=True)
    }
    assert len(by_host) == 2
    assert len({signature(form_of(ENGINE.format("en"), site)) for site in sites}) == 1


LISTED = "<form action=/find><input name=keyword><select name=c><option>a</select></form>"
TICK = "<input type=checkbox name=new>"


def form_on(html: str, url: str = "http://www.a.test/x") -> Form:
    return parse_page(html.encode(), Url(url)).forms[0]


def with_more(inside: str) -> str:
    return LISTED.replace("</form>", f"{inside}</form>")


def score(one: str, other: str) -> float:
    return compare_forms(form_on(one), form_on(other)).score


def test_likeness_is_whole_for_one_signature_and_symmetric() -> None:
    assert compare_forms(form_on(LISTED), form_on(LISTED)).score == 1.0
    more = with_more(TICK)
    assert score(LISTED, more) == score(more, LISTED)


def test_one_more_box_to_tick_leaves_forms_alike() -> None:
    found = compare_forms(form_on(LISTED), form_on(with_more(TICK)))
    assert ALIKE <= found.score < 1.0
    assert found.why.startswith("controls")


def test_other_controls_make_another_form() -> None:
    assert score(LISTED, with_more("<input name=author><input name=isbn>")) < ALIKE
    assert score(LISTED, LISTED.replace("keyword", "author")) < ALIKE


def test_drawn_names_are_seen_through_by_their_labels() -> None:
    def labelled(name: str) -> str:
        return f"<form action=/find><label>Author <input name={name}></label></form>"

    assert score(labelled("kqwzvbh"), labelled("xpltrmw")) >= ALIKE


def test_the_folder_matters_to_a_lone_box_only() -> None:
    lone = "<form action={}><input name=q></form>"
    assert score(lone.format("/find"), lone.format("/blog/find")) < ALIKE
    assert score(LISTED, LISTED.replace("/find", "/login/find")) >= ALIKE


def test_values_written_into_a_path_matter_little() -> None:
    ways = [LISTED.replace("/find", f"/find/ref={place}") for place in ("top", "side")]
    assert score(*ways) >= ALIKE


def test_the_same_software_on_two_sites_is_two_forms() -> None:
    forms = [form_on(LISTED, "http://a.test/"), form_on(LISTED, "http://b.test/")]
    assert compare_forms(*forms).score < ALIKE
    assert group_look_alikes(forms) == [[0], [1]]


def test_two_databases_of_one_site_stay_two() -> None:
    cars = "<form action=/cars><select name=make><option>A</select><input name=price></form>"
    homes = "<form action=/homes><input name=city><input name=price></form>"
    assert group_look_alikes([form_on(cars), form_on(homes), form_on(cars)]) == [[0, 2], [1]]


def test_small_differences_do_not_add_up() -> None:
    ticks = [f"<input type=checkbox name={name}>" for name in "abcdef"]
    forms = [form_on(with_more("".join(ticks[:number]))) for number in range(7)]
    groups = group_look_alikes(forms)
    assert 0 in groups[0]
    assert 6 not in groups[0]
    assert sorted(number for group in groups for number in group) == list(range(7))
