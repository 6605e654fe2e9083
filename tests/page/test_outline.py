"""The outline keeps the tag tree as rows: who holds whom, what is said, where links lead."""

from hypothesis import given
from hypothesis import strategies as st

from leadline.core.url import Url
from leadline.page.outline import LINE, MAX_ROWS, TEXT, Outline, outline_of

URL = Url("http://a.test/dir/page")


def outline(html: str) -> Outline:
    return outline_of(html.encode(), URL, "text/html; charset=utf-8")


def test_rows_are_in_document_order_with_their_descendants_after_them() -> None:
    found = outline("<ul><li>one<b>two</b></li><li>three</li></ul>")
    assert found.tags == ["body", "ul", "li", TEXT, "b", TEXT, "li", TEXT]
    assert found.parents == [-1, 0, 1, 2, 2, 4, 1, 6]
    assert found.ends == [8, 8, 6, 4, 6, 6, 8, 8]
    assert list(found.children(1)) == [2, 6]
    assert found.text(2) == "one two"
    assert found.within(1, "b") == [4]
    assert found.path(4) == "ul/li/b"
    assert found.path(4, 2) == "b"


def test_white_space_is_folded_and_empty_text_left_out() -> None:
    found = outline("<p>  a \n b\t</p>\n\n<p> </p>")
    assert [text for text in found.texts if text] == ["a b"]


def test_scripts_and_styles_have_no_rows() -> None:
    found = outline("<p>a</p><script>var b</script><style>c</style><template><i>d</i></template>")
    assert found.tags == ["body", "p", TEXT]


def test_links_are_absolute_and_follow_the_base() -> None:
    found = outline('<a href="x?sid=1">x</a>')
    assert found.link(1) == "http://a.test/dir/x"
    based = outline('<base href="http://b.test/"><a href="x">x</a>')
    assert based.link(based.tags.index("a")) == "http://b.test/x"
    assert outline('<a href="javascript:go()">x</a>').link(1) is None


def test_attributes_that_tell_nothing_are_left_out() -> None:
    found = outline('<p class="a" style="b" id="c" data-x="d">x</p>')
    assert found.attributes[1] == {"class": "a", "style": "b", "id": "c"}


def test_preformatted_text_keeps_its_lines() -> None:
    found = outline("<pre>one  1\n    <b>two</b>\n\nthree\n</pre>")
    assert found.tags[2:] == [TEXT, LINE, "b", TEXT, LINE, LINE, TEXT, LINE]
    assert found.attributes[3] == {"indent": "4"}
    assert found.attributes[6] == {}
    assert found.text(1) == "one 1 two three"


def test_lines_are_kept_only_inside_preformatted_elements() -> None:
    found = outline("<pre>a\nb</pre><p>c\nd</p>")
    assert found.tags.count(LINE) == 1
    assert found.texts[-1] == "c d"


def test_a_tab_indents_by_eight() -> None:
    found = outline("<pre>a\n\tb</pre>")
    assert found.attributes[found.tags.index(LINE)] == {"indent": "8"}


def test_rows_are_bounded() -> None:
    assert outline("<p>x" * MAX_ROWS).truncated
    assert len(outline("<pre>" + "x\n" * MAX_ROWS + "</pre>")) <= MAX_ROWS


@given(st.binary(max_size=400) | st.text(alphabet="<>/pre ulia\n\"='&;x", max_size=200))
def test_any_bytes_give_a_tree(body: bytes | str) -> None:
    given_bytes = body if isinstance(body, bytes) else body.encode()
    found = outline_of(given_bytes, URL)
    for row in range(1, len(found)):
        parent = found.parents[row]
        assert 0 <= parent < row < found.ends[row] <= found.ends[parent]
