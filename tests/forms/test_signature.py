"""The same form wherever it is met."""

from leadline.core.page import Form
from leadline.core.url import Url
from leadline.forms.rule import searchable
from leadline.forms.signature import signature
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
    chance, why = searchable(form_of(SEARCH.replace("<form", "<form role=search")))
    assert chance > 0.9
    assert why == "marked as a search box"
    chance, why = searchable(form_of("<form><input type=password name=p></form>"))
    assert chance < 0.1
    assert why == "asks for a password"
