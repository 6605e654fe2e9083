"""Doors that are no form: declared searches, links to results, descriptions, templates."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.page import LINK, OPENSEARCH, SEARCH_ACTION, TEMPLATE, Form
from leadline.core.url import AS_IT_IS, Url, UrlJoiner
from leadline.forms.signature import signature
from leadline.forms.submit import build_request
from leadline.page import parse_page
from leadline.page.doors import select_new_doors
from leadline.page.opensearch import read_description
from leadline.page.templates import build_template_door, is_template

HERE = Url("http://a.test/shop/books.html")
FIND = "http://a.test/find?q={q}"


def doors(html: str) -> list[Form]:
    return [form for form in parse_page(html.encode(), HERE).forms if form.is_template]


def linked_data(data: object) -> str:
    return f'<body><script type="application/ld+json">{json.dumps(data)}</script>'


def action(**more: object) -> dict[str, object]:
    return {"@type": "SearchAction", "target": FIND, "query-input": "required name=q", **more}


def door_of(template: str, source: str = TEMPLATE) -> Form | None:
    return build_template_door(template, HERE, UrlJoiner(HERE, AS_IT_IS), source)


def url_of(template: str, **values: str) -> str:
    door = door_of(template)
    assert door is not None
    request = build_request(door, values, None)
    assert request is not None
    return request.url


@pytest.mark.parametrize(
    "data",
    [
        {"@type": "WebSite", "potentialAction": action()},
        [{"@type": "Thing"}, {"@type": "WebSite", "potentialAction": [action()]}],
        {"@graph": [{"@type": "WebPage", "isPartOf": {"potentialAction": action()}}]},
        action(target={"@type": "EntryPoint", "urlTemplate": FIND}),
        action(target=[{"urlTemplate": [FIND]}]),
        action(target={"url": FIND}),
        {**action(), "@type": ["Action", "https://schema.org/SearchAction"]},
        {"potentialAction": [{"@type": "ReadAction", "target": "http://a.test/{x}"}, action()]},
        action(**{"query-input": {"@type": "PropertyValueSpecification", "valueName": "q"}}),
        action(**{"query-input": ["required maxlength=9 name=q"], "query": "required"}),
    ],
)
def test_a_search_action_is_a_door_in_every_shape(data: object) -> None:
    (door,) = doors(linked_data(data))
    assert (door.action, door.method, door.source) == ("http://a.test/find", "get", SEARCH_ACTION)
    assert [(field.name, field.kind) for field in door.fields] == [("q", "search")]
    assert door.has_search_role


def test_several_actions_are_several_doors() -> None:
    data = [action(), action(target="/people?name={name}&type=all")]
    first, second = doors(linked_data(data))
    assert (first.action, second.action) == ("http://a.test/find", "http://a.test/people")
    assert [(f.name, f.kind, f.value) for f in second.fields] == [
        ("name", "search", ""),
        ("type", "hidden", "all"),
    ]


def test_what_the_data_say_of_the_site_stands_at_its_door() -> None:
    site = {"name": "Old Mill", "description": "rare books", "potentialAction": action()}
    (door,) = doors(linked_data(site))
    assert door.text == "Old Mill rare books"


def test_broken_data_are_read_as_far_as_they_go() -> None:
    target = "http:\\/\\/a.test\\/f?q={q}"
    broken = f'{{"@type": "SearchAction", "name": "line\nbreak", "target": "{target}",}}'
    (door,) = doors(f"<body><script type='application/ld+json'>{broken}</script>")
    assert door.action == "http://a.test/f"


@pytest.mark.parametrize(
    "markup",
    [
        "<form itemprop=potentialAction itemscope itemtype='https://schema.org/SearchAction'>"
        "<meta itemprop=target content='/find?q={q}'></form>",
        "<div typeof=SearchAction><meta property='schema:target' content='/find?q={q}'></div>",
        "<div><link itemprop=urlTemplate href='/find?q={q}'></div>",
    ],
)
def test_a_search_action_in_attributes_is_a_door(markup: str) -> None:
    (door,) = doors(f"<body>{markup}")
    assert (door.action, door.fields[0].name) == ("http://a.test/find", "q")


def test_a_form_with_the_same_target_wins_over_its_declaration() -> None:
    form = "<form action='http://www.a.test/find/'><input name=q><select name=in></select></form>"
    page = parse_page((linked_data(action()) + form).encode(), HERE)
    assert [found.source for found in page.forms] == ["form"]


def test_a_box_and_its_declaration_have_one_signature() -> None:
    (door,) = doors(linked_data(action()))
    (form,) = parse_page(b"<form action=/find><input name=q></form>", HERE).forms
    assert signature(form) == signature(door)


@pytest.mark.parametrize(
    ("href", "target", "name"),
    [
        ("/find?q=old+books&sort=new", "http://a.test/find", "q"),
        ("/index.php?page=2&keyword=tree", "http://a.test/index.php", "keyword"),
        ("/search/tolkien", "http://a.test/search/%7Bquery%7D", "query"),
    ],
)
def test_a_link_to_results_tells_a_template(href: str, target: str, name: str) -> None:
    (door,) = doors(f"<a href='/x'>x</a><a href='{href}'>Old books</a>")
    assert (door.source, door.action, door.fields[0].name) == (LINK, target, name)
    assert not door.has_search_role


@pytest.mark.parametrize(
    "href",
    [
        "/item?id=17",
        "/list?q=20",
        "/forum?s=51c9b8f0e2a74d3399",
        "http://elsewhere.test/search?q=books",
        "/search",
        "/about/us",
    ],
)
def test_other_links_tell_no_template(href: str) -> None:
    assert doors(f"<a href='{href}'>x</a>") == []


def test_many_links_to_one_search_are_one_door() -> None:
    links = "".join(f"<a href='/find?q=word{'x' * n}&page={n}'>w</a>" for n in range(40))
    assert len(doors(links)) == 1


def test_a_page_tells_where_its_search_descriptions_stand() -> None:
    kind = "application/opensearchdescription+xml"
    page = parse_page(
        f"<head><link rel='search' type='{kind}' href='/os.xml'>"
        f"<link rel='alternate search' type='{kind}' href='os2.xml'>"
        "<link rel=search href=/search><title>x</title>".encode(),
        HERE,
    )
    assert page.search_descriptions == ("http://a.test/os.xml", "http://a.test/shop/os2.xml")


DESCRIPTION = """<?xml version="1.0"?>
<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>Books &b;</ShortName><Description>All our books</Description>
<Url type="application/rss+xml" template="http://a.test/rss?q={searchTerms}"/>
<Url type="text/html" rel="suggestions" template="http://a.test/sug?q={searchTerms}"/>
<Url type="text/html" template="http://a.test/s?q={searchTerms}&amp;p={startPage?}&amp;c={count}"/>
<Url type="text/html" method="get" template="http://a.test/t">
<Param name="w" value="{searchTerms}"/></Url></OpenSearchDescription>"""


def test_a_description_is_read_as_doors_of_the_page_that_names_it() -> None:
    first, second = read_description(DESCRIPTION.encode(), Url("http://a.test/os.xml"), HERE)
    assert (first.source, first.page, first.action) == (OPENSEARCH, HERE, "http://a.test/s")
    assert [(f.name, f.kind, f.value) for f in first.fields] == [
        ("q", "search", ""),
        ("c", "hidden", "20"),
    ]
    assert (second.action, second.fields[0].name) == ("http://a.test/t", "w")
    assert first.attributes == "application/rss+xml"
    assert first.text == "Books &b; All our books"


def test_a_description_holds_no_more_than_the_parser_of_pages_reads() -> None:
    bomb = "<OpenSearchDescription>" + "<Url template='/a?q={searchTerms}'>" * 5_000
    assert len(read_description(bomb.encode(), HERE, HERE)) == 1
    assert read_description(b"<html>no description", HERE, HERE) == ()


@pytest.mark.parametrize(
    ("template", "sent"),
    [
        ("http://a.test/s?q={query}&x=1", "http://a.test/s?q=a+b%2Fc&x=1"),
        ("http://a.test/s?q=%s", "http://a.test/s?q=a+b%2Fc"),
        ("http://a.test/s/{anything}/all", "http://a.test/s/a%20b%2Fc/all"),
        ("http://a.test/s?q=title:{q}&x=1", "http://a.test/s?q=title:a+b%2Fc&x=1"),
        ("http://a.test/s?q={{{s}}}&again={{{s}}}", "http://a.test/s?q=a+b%2Fc&again=a+b%2Fc"),
        ("/s{?q,page}", "http://a.test/s?q=a+b%2Fc"),
        ("/s?ie={inputEncoding}&q={searchTerms}", "http://a.test/s?q=a+b%2Fc&ie=UTF-8"),
        ("%7Bq%7D", "http://a.test/shop/a%20b%2Fc"),
    ],
)
def test_a_template_is_filled_where_the_query_belongs(template: str, sent: str) -> None:
    door = door_of(template)
    assert door is not None
    assert url_of(template, **{door.fields[0].name: "a b/c"}) == sent


def test_every_place_that_is_no_page_number_is_a_field() -> None:
    door = door_of("/cars?make={make}&model={model}&page={page}")
    assert door is not None
    assert [field.name for field in door.fields] == ["make", "model"]


@pytest.mark.parametrize(
    "template",
    ["http://a.test/s?q=x", "http://{q}.test/", "http://a.test/#/s?q={q}", "mailto:{q}", "{" * 99],
)
def test_what_has_no_place_for_a_query_is_no_door(template: str) -> None:
    assert door_of(template) is None


def test_a_template_is_recognised_by_its_place() -> None:
    assert is_template("https://a.test/?q={any name}")
    assert is_template("https://a.test/?q=%s")
    assert not is_template("https://a.test/?q=100%25")


def test_doors_that_lead_to_one_place_are_one() -> None:
    one, other = door_of("http://a.test/s?q={x}"), door_of("https://www.a.test/s/?q={y}&a=b")
    assert one is not None
    assert other is not None
    assert select_new_doors([], [one, other]) == [one]
    assert select_new_doors([other], [one]) == []


@given(st.text(max_size=300))
def test_any_text_makes_a_door_or_none(text: str) -> None:
    door = door_of(text + "{q}")
    if door is not None:
        request = build_request(door, {door.fields[0].name: text}, None)
        assert request is None or "{q}" not in request.url


@given(st.text(alphabet='{}[]",:@typeSearchAcionrgurlmpl=%s \n\\', max_size=400))
def test_any_data_are_read_without_an_error(text: str) -> None:
    parse_page(f"<script type='application/ld+json'>SearchAction{text}</script>".encode(), HERE)
    read_description(f"<OpenSearchDescription>{text}".encode(), HERE, HERE)
