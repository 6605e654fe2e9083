"""Which pages of a form's site are read for words, and which words they give."""

from leadline.core.page import Page
from leadline.core.url import Url
from leadline.harvester.survey.site_words import (
    choose_page_to_read,
    collect_site_words,
    interleave_words,
)
from leadline.page.parse import parse_page

SITE = "https://example.org"
FORM_PAGE = """<html lang=en><title>Find</title><nav><a href=/>Start</a> <a href=/login>Log in</a>
<a href=/notes.pdf>Notes</a> <a href=https://elsewhere.net/x/1>Friends</a></nav>
<p>Please enter something.</p>
<form action=/find><input type=search name=q><button>Search</button></form>
<p>Lately: <a href=/plant/17>Meadow clary and its visitors</a> <a href=/plant/18>Reed</a></p>
<p><a href='/cart?add=17'>Add to cart</a> <a href='/find?q=a'>A</a></p>"""
PLANT = """<html lang=en><title>Find</title><nav><a href=/>Start</a></nav>
<p>Please enter something.</p><h1>Meadow clary</h1><p>grows on chalk, in meadows: chalk it
must be</p>"""


def page(html: str, path: str) -> Page:
    return parse_page(html.encode(), Url(SITE + path), "text/html; charset=utf-8")


def test_the_home_page_is_read_and_then_one_of_each_kind_that_only_shows() -> None:
    found = page(FORM_PAGE, "/search")
    form = found.forms[0]
    first = choose_page_to_read(form, [found], [])
    assert first == f"{SITE}/"
    second = choose_page_to_read(form, [found], [Url(f"{SITE}/")])
    assert second == f"{SITE}/plant/17"
    assert choose_page_to_read(form, [found], [Url(f"{SITE}/"), Url(f"{SITE}/plant/17")]) is None


def test_a_form_on_the_home_page_does_not_send_there_again() -> None:
    found = page(FORM_PAGE, "/")
    assert choose_page_to_read(found.forms[0], [found], []) == f"{SITE}/plant/17"


def test_words_are_those_that_the_forms_page_does_not_say() -> None:
    found = page(FORM_PAGE, "/search")
    words = collect_site_words(found.forms[0], [found, page(PLANT, "/plant/17")])
    assert words[0] == "chalk"
    assert {"meadows", "grows"} <= set(words)
    assert not {"please", "enter", "something", "start"} & set(words)


def test_words_of_the_site_and_the_page_take_turns() -> None:
    assert interleave_words(("a", "b", "c"), ("x", "b")) == ("x", "a", "b", "c")
