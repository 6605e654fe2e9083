"""Parts become items: rows, runs of rows, lines, what stands between gaps."""

from leadline.core.harvest import Query
from leadline.core.url import Url
from leadline.harvester.answers.answer_page import AnswerPage, LinkIndex, split_container
from leadline.harvester.answers.item_splitter import find_best_split, mark_linked
from leadline.harvester.single_page import read_answer_page
from leadline.page.outline import outline_of


def items(html: str, tag: str) -> list[str]:
    """The texts of the items in the first element of that tag."""
    outline = outline_of(html.encode(), Url("http://a.test/"), "text/html; charset=utf-8")
    page = AnswerPage(outline, Query.of(q="zzz"), frozenset())
    links = LinkIndex(page.links)
    row = outline.tags.index(tag)
    split = find_best_split(page, mark_linked(page, split_container(page, row), links), links)
    assert split is not None
    spans = (outline.texts[item.first : item.end] for item in split.items)
    return [" ".join(filter(None, texts)) for texts in spans]


def test_each_element_of_a_list_is_an_item() -> None:
    assert items("<ul><li>a 1<li>b 2<li>c 3</ul>", "ul") == ["a 1", "b 2", "c 3"]


def test_terms_take_their_definitions_along() -> None:
    html = "<dl><dt>ab<dd>first<dd>second<dt>cd<dd>third<dt>ef<dd>fourth</dl>"
    assert items(html, "dl") == ["ab first second", "cd third", "ef fourth"]


def test_empty_lines_part_items_of_several_lines() -> None:
    html = "<pre>a one\nplain\n\nb two\nplain\n\nc three\nplain\n</pre>"
    assert items(html, "pre") == ["a one plain", "b two plain", "c three plain"]


def test_indented_lines_go_with_the_line_before() -> None:
    html = "<pre>* ab\n  details of ab\n* cd\n  details of cd\n* ef\n  details of ef\n</pre>"
    assert items(html, "pre") == ["* ab details of ab", "* cd details of cd", "* ef details of ef"]


def test_lines_without_gaps_are_items_each() -> None:
    assert items("<pre>a 1\nb 2\nc 3\nd 4</pre>", "pre") == ["a 1", "b 2", "c 3", "d 4"]


def test_rows_of_headings_are_no_items() -> None:
    html = "<table><tr><th>n<th>m<tr><td>ab<td>1<tr><td>cd<td>2<tr><td>ef<td>3</table>"
    assert items(html, "tbody") == ["ab 1", "cd 2", "ef 3"]


def test_what_precedes_each_beginning_goes_along() -> None:
    html = (
        "<div><img src=1.gif><h3><a href=/1>ab</a></h3><img src=2.gif><h3><a href=/2>cd</a></h3>"
        "<img src=3.gif><h3><a href=/3>ef</a></h3></div>"
    )
    assert items(html, "div") == ["ab", "cd", "ef"]


def test_what_follows_a_list_in_the_same_container_is_left_out() -> None:
    html = (
        "<div><p>Some words about the list</p><h3><a href=/1>ab</a></h3><p>text of ab</p>"
        "<h3><a href=/2>cd</a></h3><p>text of cd</p><h3><a href=/3>ef</a></h3><p>text of ef</p>"
        "<table><tr><td>a note</table></div>"
    )
    assert items(html, "div") == ["ab text of ab", "cd text of cd", "ef text of ef"]


def test_tags_of_formatting_that_nothing_ends_do_not_part_lists() -> None:
    """Parsers open such tags again in all that follows, so that every list lies deeper."""
    days = "".join(
        f"<b><font size=2><p>Published on day {day}:</font></b><font size=2><ul>"
        + "".join(
            f"<li><a href='/f/{day}{n}.pdf'>A{day}{n}</a> - The case of {name} against all</li>"
            for n, name in enumerate(("Oak", "Elm", "Ash"))
        )
        + "</ul>"
        for day in range(1, 5)
    )
    page = f"<html><body><h1>All we have</h1><div>{days}</div></body></html>"
    answer = read_answer_page(page, "https://a.test/list", "text/html", "")
    assert [record.url for record in answer.records] == [
        f"https://a.test/f/{day}{n}.pdf" for day in range(1, 5) for n in range(3)
    ]


def test_rows_are_alike_whether_formatting_was_opened_again_around_them_or_not() -> None:
    rows = "".join(
        f"<tr><td>{'<strong>' * (n > 2)}<span><span class=t><a href='/f/{n}.pdf'>{name} v. Elk"
        f"</a></span><br><span>a note on it</span></span>{'</strong>' * (n > 2)}</td></tr>"
        for n, name in enumerate(("Oak", "Elm", "Ash", "Fir", "Yew", "Box"))
    )
    page = f"<html><body><h1>All we have</h1><table>{rows}</table></body></html>"
    answer = read_answer_page(page, "https://a.test/list", "text/html", "")
    assert len(answer.records) == 6
