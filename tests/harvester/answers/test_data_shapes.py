"""Records are read from data of any shape, each with its title and its address."""

import json
from typing import Any

import pytest

from leadline.core.harvest import RESULTS
from leadline.harvester.answers.data_tables import name_rows
from leadline.harvester.answers.record_keys import unwrap_redirect
from leadline.harvester.single_page import read_answer_page

NAMES = ("History of the wind", "Theory of seas", "Art in stone", "Song of a river", "Law of woods")
ROWS = [
    {"id": 100 + n, "title": name, "url": f"https://a.test/r/{100 + n}"}
    for n, name in enumerate(NAMES)
]
PAIRS = [[row["title"], row["url"]] for row in ROWS]
JSON: dict[str, Any] = {
    "an array": ROWS,
    "records under keys": {"data": {str(row["id"]): row for row in ROWS}},
    "names as keys": {"data": {str(r["title"]): {"url": r["url"], "year": 2000} for r in ROWS}},
    "addresses by name": {"results": {str(row["title"]): row["url"] for row in ROWS}},
    "columns and rows": {"columns": ["title", "url"], "rows": PAIRS},
    "a list for each column": {"title": [p[0] for p in PAIRS], "url": [p[1] for p in PAIRS]},
    "columns by row number": {
        key: {str(n): row[key] for n, row in enumerate(ROWS)} for key in ("title", "url")
    },
    "hits with a source": {
        "hits": {"total": {"value": 81}, "hits": [{"_id": "1", "_source": row} for row in ROWS]},
        "aggregations": {"y": {"buckets": [{"key": f"a key {n}"} for n in range(30)]}},
    },
    "documents with lists of one": {
        "response": {"docs": [{"t": [r["title"]], "url_s": r["url"]} for r in ROWS]}
    },
    "features of a map": {
        "type": "FeatureCollection",
        "features": [{"geometry": {"coordinates": [1.0, 2.0]}, "properties": row} for row in ROWS],
    },
    "links to themselves, with people beside them": {
        "data": [{"attributes": {"title": r["title"]}, "links": {"self": r["url"]}} for r in ROWS],
        "included": [{"attributes": {"name": f"Person {n} of the wide world"}} for n in range(12)],
    },
    "json in a string": {"d": json.dumps({"Data": ROWS, "Total": 81})},
    "suggestions": ["x", [p[0] for p in PAIRS], [p[1] for p in PAIRS]],
    "a piece of a page": {
        "html": "".join(f"<li><a href='{url}'>{name}</a> a text</li>" for name, url in PAIRS)
    },
}
_PUSHED = "".join(f"rows.push({json.dumps(row)});" for row in ROWS)
_NUMBERED = "".join(f"rows[{n}]={json.dumps(row)};" for n, row in enumerate(ROWS))
_ARRAYS = ",".join(f"new Array({json.dumps(name)}, '{url}')" for name, url in PAIRS)
_STREAMED = json.dumps("5:" + json.dumps({"results": ROWS}) + "\n")
SCRIPTS = {
    "items that are pushed": f"var rows=[];{_PUSHED}",
    "items by number": f"var rows=[];{_NUMBERED}",
    "arrays made by name": f"var rows = new Array({_ARRAYS});",
    "lines of a stream": f"self.__f.push([1,{_STREAMED}])",
}


def _read(body: bytes, content_type: str) -> list[tuple[str, str]]:
    answer = read_answer_page(body, "https://a.test/api?q=x", content_type, "x")
    assert answer.kind == RESULTS, answer.why
    return [(record.title, record.url or "") for record in answer.records]


@pytest.mark.parametrize("name", JSON)
def test_records_are_read_from_json_of_any_shape(name: str) -> None:
    found = _read(json.dumps(JSON[name]).encode(), "application/json")
    assert found == [tuple(pair) for pair in PAIRS]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_json_is_read_in_each_encoding_of_unicode(encoding: str) -> None:
    found = _read(json.dumps(ROWS).encode(encoding), "application/json")
    assert found == [tuple(pair) for pair in PAIRS]


@pytest.mark.parametrize("name", SCRIPTS)
def test_records_are_read_from_lists_that_scripts_fill(name: str) -> None:
    page = f"<html><body><div id=app></div><script>{SCRIPTS[name]}</script></body></html>"
    assert _read(page.encode(), "text/html") == [tuple(pair) for pair in PAIRS]


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_lines_of_values_are_read_by_their_names(sign: str) -> None:
    lines = [sign.join(("title", "url")), *(sign.join(map(str, pair)) for pair in PAIRS)]
    assert _read("\n".join(lines).encode(), "text/csv") == [tuple(pair) for pair in PAIRS]


def test_values_that_an_attribute_names_are_those_of_one_record() -> None:
    docs = "".join(
        f'<doc><str name="title">{name}</str><str name="url">{url}</str></doc>'
        for name, url in PAIRS
    )
    body = f'<response><result name="response" numFound="5">{docs}</result></response>'
    assert _read(body.encode(), "application/xml") == [tuple(pair) for pair in PAIRS]


def test_addresses_that_count_clicks_are_unwrapped_and_kept() -> None:
    rows = "".join(
        f'<li><a href="/url?q=https%3A%2F%2Fs{n}.test%2Fbook%2F{n}&sa=U">{name}</a> a text of it'
        for n, name in enumerate(NAMES)
    )
    page = f"<html><body><ol>{rows}</ol></body></html>"
    answer = read_answer_page(page, "https://find.test/search?q=x", "text/html", "x")
    assert [record.url for record in answer.records][:2] == [
        "https://s0.test/book/0",
        "https://s1.test/book/1",
    ]
    assert all(record.links[0].startswith("https://find.test/url") for record in answer.records)


@pytest.mark.parametrize(
    "url",
    [
        "https://a.test/read?id=7",
        "https://a.test/go?to=https://a.test/other",
        "https://archive.test/web/2012/http://b.test/page",
        "https://a.test/find?q=http",
    ],
)
def test_other_addresses_lead_where_they_say(url: str) -> None:
    assert unwrap_redirect(url) == ""


@pytest.mark.parametrize(
    ("item", "title"),
    [
        ('<h3>{}</h3><p>A text</p><a href="{u}">Continue reading {}</a>', "{}"),
        ('<a href="{u}"><h3>{}</h3><p>A long text about it that goes on</p></a>', "{}"),
        ('<a href="{u}">12.04.2019</a><p>{}</p><p>and a text</p>', "{}"),
        ('<a href="{u}" title="{} and the rest">{} …</a> a text', "{} and the rest"),
        ('<a href="{u}"><img src="/i.png" alt="{}"></a><p>$ 12.50</p>', "{}"),
        ('<a href="{u}"><div>{}</div><div>A text that says more of it</div></a>', "{}"),
        (
            '<a href="{u}"><div>A collection</div><cite>www.s.test</cite><div>{}</div></a>',
            "{}",
        ),
        ('<h3><a href="{u}"><span>www.s.test \u203a books</span>{}</a></h3> a text', "{}"),
    ],
)  # fmt: skip
def test_a_title_is_the_name_and_nothing_else(item: str, title: str) -> None:
    rows = "".join(
        f"<li>{item.replace('{u}', f'/r/{n}').replace('{}', name)}</li>"
        for n, name in enumerate(NAMES)
    )
    page = f"<html><body><ul>{rows}</ul></body></html>"
    answer = read_answer_page(page, "https://a.test/find?q=x", "text/html", "x")
    assert [r.title for r in answer.records] == [title.replace("{}", name) for name in NAMES]


@pytest.mark.parametrize(
    "row",
    [
        "<tr data-href='{url}'><td>{name}</td><td>a text of {name}</td><td>2019</td></tr>",
        "<tr onclick=\"location.href='{url}'\"><td>{name}</td><td>about {name}</td></tr>",
        "<tr><td><a href='#' onclick=\"window.open('{url}')\">{name}</a></td><td>text</td></tr>",
        "<tr><td><a data-url='{url}'>{name}</a></td><td>a text of {name}</td></tr>",
    ],
)
def test_rows_that_a_script_opens_keep_their_addresses(row: str) -> None:
    rows = "".join(row.format(url=url, name=name) for name, url in PAIRS)
    page = f"<h1>Books</h1><table>{rows}</table>"
    answer = read_answer_page(page, "https://a.test/find?q=of", "text/html", "of")
    assert [(r.title, r.url) for r in answer.records] == [(n, url) for n, url in PAIRS]


def test_a_row_with_links_leads_where_they_lead() -> None:
    rows = "".join(
        f"<tr data-href='/open?{n}'><td><a href='{url}'>{name}</a></td><td>of {name}</td></tr>"
        for n, (name, url) in enumerate(PAIRS)
    )
    page = f"<table>{rows}</table>"
    answer = read_answer_page(page, "https://a.test/find?q=of", "text/html", "of")
    assert [r.url for r in answer.records] == [url for _, url in PAIRS]


def test_data_that_is_assigned_or_wrapped_in_xml_is_read() -> None:
    wanted = [(row["title"], row["url"]) for row in ROWS]
    assert _read(f"var found = {json.dumps(ROWS)};".encode(), "application/javascript") == wanted
    wrapped = f"<?xml version='1.0'?><string xmlns='http://a.test/'>{json.dumps(ROWS)}</string>"
    assert _read(wrapped.encode(), "text/xml") == wanted


def test_a_part_of_a_page_in_xml_is_read_as_the_page() -> None:
    items = "".join(f"<li><a href='{url}'>{name}</a> a text</li>" for name, url in PAIRS)
    update = f"<update id='x'><![CDATA[<ul>{items}</ul>]]></update><update id='y'>17</update>"
    body = f"<?xml version='1.0'?><partial-response><changes>{update}</changes></partial-response>"
    assert _read(body.encode(), "text/xml") == [(name, url) for name, url in PAIRS]


COLUMNS = ["number", "title", "about"]
TABLE = [[100 + n, name, f"about {name.lower()}, part {n}"] for n, name in enumerate(NAMES)]
TABLES: dict[str, Any] = {
    "names beside rows": {"columns": COLUMNS, "rows": TABLE, "total": 81},
    "objects with names beside rows": {
        "schema": [{"name": name, "type": "x"} for name in COLUMNS], "datarows": TABLE, "total": 81
    },
    "names in an object beside rows": {
        "meta": {"view": {"columns": [{"fieldName": name} for name in COLUMNS]}},
        "data": TABLE, "total": 81,
    },
    "names and types above rows": [
        [0, 1.5, 0.1], [[[81], [[name, "Text"] for name in COLUMNS], *TABLE]]
    ],
    "rows of cells": {
        "cols": [{"id": "", "label": name} for name in COLUMNS],
        "rows": [{"c": [{"v": value} for value in row]} for row in TABLE], "total": 81,
    },
    "rows in objects": {
        "total": 81,
        "results": [{"columns": COLUMNS, "data": [{"row": r, "meta": [None] * 3} for r in TABLE]}],
    },
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_rows_that_are_arrays_have_the_names_of_their_columns(name: str) -> None:
    answer = read_answer_page(json.dumps(TABLES[name]), "https://a.test/?q=x", "application/json")
    assert [record.title for record in answer.records] == list(NAMES)
    assert answer.total == 81
    cells = {cell.place.rpartition(".")[2]: cell.text for cell in answer.records[2].cells}
    assert {one: cells[one] for one in COLUMNS} == {
        "number": "102", "title": "Art in stone", "about": "about art in stone, part 2"
    }  # fmt: skip


def test_a_single_row_under_typed_names_is_one_record() -> None:
    tree = [[0, 1.5, 0.1], [[[1], [[name, "Text"] for name in COLUMNS], TABLE[0]]]]
    answer = read_answer_page(json.dumps(tree), "https://a.test/?q=x", "application/json")
    assert ([record.title for record in answer.records], answer.total) == ([NAMES[0]], 1)


@pytest.mark.parametrize("rows", [[["a", "b"], ["c", "d"], ["e", "f"]], [[1, 2], [3, 4]]])
def test_rows_without_names_stay_as_they_are(rows: list[list[Any]]) -> None:
    assert name_rows(rows) is rows
    other = {"rows": rows, "labels": ["one"]}
    assert name_rows(other) is other


GROUPS: dict[str, Any] = {
    "by day": {f"2021-0{n + 1}-01": [row] for n, row in enumerate(ROWS)},
    "by year and month": {"2021": {"May": ROWS[:2], "June": ROWS[2:3]}, "2020": {"May": ROWS[3:]}},
    "by court": {"courts": {"North 1": {"opinions": ROWS[:2]}, "South 2": {"opinions": ROWS[2:]}}},
    "values under names": {
        "rows": [{"cells": [{"Key": k, "Value": v} for k, v in row.items()]} for row in ROWS]
    },
    "values in arrays": {"rows": [{"n": n, "cell": [*row.values()]} for n, row in enumerate(ROWS)]},
    "beside a long menu": {
        "offices": [{"id": n, "name": f"The office of the district number {n}"} for n in range(40)],
        "found": [{**row, "day": "2021-01-01", "kind": "a kind"} for row in ROWS],
    },
}  # fmt: skip


@pytest.mark.parametrize("name", GROUPS)
def test_records_under_keys_that_are_values_are_one_list(name: str) -> None:
    answer = read_answer_page(json.dumps(GROUPS[name]), "https://a.test/", "application/json")
    assert sorted(record.title for record in answer.records) == sorted(NAMES)


def test_lists_under_names_of_a_programmer_stay_apart() -> None:
    tree = {"results": ROWS[:3], "related": ROWS[3:]}
    answer = read_answer_page(json.dumps(tree), "https://a.test/", "application/json")
    assert [record.title for record in answer.records] == list(NAMES[:3])


def test_cases_that_share_a_file_are_records_each_and_what_is_listed_twice_is_one() -> None:
    rows = "".join(
        f"<tr><td>21-{100 + n}</td><td><a href='/f/{max(1, n)}.pdf'>{name}</a></td></tr>"
        for n, name in enumerate((*NAMES, NAMES[-1]))
    ).replace("/f/5.pdf", "/f/4.pdf")
    page = f"<html><body><table>{rows}</table></body></html>"
    answer = read_answer_page(page, "https://a.test/list", "text/html", "")
    assert [record.title for record in answer.records] == list(NAMES)
    assert answer.records[0].url == answer.records[1].url
