"""Link features: words of URL, anchor and surroundings as numbers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.crawl import LinkFeatures
from leadline.core.url import Url
from leadline.learn.link_features import (
    ANCHOR,
    AROUND,
    OFFSET,
    URL,
    hash_in_space,
    linear_scores,
    link_rows,
    space_key,
)
from leadline.page import parse_page
from leadline.page.words import PageWords, Words, vocabulary, word_id

SPEC = LinkFeatures()


def feature(word: str, space: int) -> int:
    ids = np.array([vocabulary("en").word(word)], np.int32)
    return int(hash_in_space(ids, space_key(space))[0])


def rows_of(html: str, spec: LinkFeatures = SPEC) -> list[set[int]]:
    page = parse_page(f"<html lang=en>{html}".encode(), Url("http://a.test/"))
    return [set(row[row != 0].tolist()) for row in link_rows(spec, PageWords(page), page.links)]


def test_a_word_is_another_feature_in_another_space() -> None:
    (found,) = rows_of("<p>library <a href=/catalog/search>books</a> hotels</p>")
    expected = {("catalog", URL), ("search", URL), ("books", ANCHOR)}
    expected |= {("library", AROUND), ("hotels", AROUND)}
    assert found == {feature(word, space) for word, space in expected}


def test_stems_share_a_feature_and_stop_words_have_none() -> None:
    one, other = rows_of(
        "<a href=/>searching books</a><hr><a href=/>the searched book</a>", LinkFeatures(0, 6, 0)
    )
    assert one == other


def test_offsets_are_leaf_distances() -> None:
    html = "<ul><li>far<li>near<li><a href=/>x9</a><li>next<li>after</ul>"
    (found,) = rows_of(html, LinkFeatures(url=0, anchor=0, by_offset=True))
    expected = {("far", -2), ("near", -1), ("next", 1), ("after", 2)}
    expected = {(w, d) for w, d in expected if vocabulary("en").word(w)}
    assert found == {feature(word, OFFSET + d) for word, d in expected}


@given(html=st.text(alphabet="ab <>/ahref=x1é", max_size=80))
def test_rows_fit_any_page(html: str) -> None:
    page = parse_page(html.encode(), Url("http://a.test/"))
    for spec in (SPEC, LinkFeatures(by_offset=True)):
        rows = link_rows(spec, PageWords(page), page.links)
        assert rows.shape == (len(page.links), spec.width)
        assert (rows >= 0).all()


@given(texts=st.lists(st.text(max_size=30), max_size=6))
def test_words_keep_to_their_texts(texts: list[str]) -> None:
    texts = [text.replace("\x00", "") for text in texts]
    words = Words(texts, vocabulary("en"))
    assert len(words.starts) == len(texts) + 1
    assert words.starts[-1] == len(words.ids) == len(words.text_of)
    for number, text in enumerate(texts):
        alone = Words([text], vocabulary("en"))
        assert (
            words.ids[words.starts[number] : words.starts[number + 1]].tolist()
            == alone.ids.tolist()
        )


def test_word_ids_do_not_change_between_versions() -> None:
    assert word_id("book") == 1353864341


def test_scores_are_sums_of_weights() -> None:
    weights = np.zeros(1 << 10, np.float32)
    weights[[1, 2, 5]] = [1.0, 10.0, 100.0]
    rows = np.array([[1, 2, 0], [5, 1025, 0], [0, 0, 0]], np.int32)
    assert linear_scores(weights, rows).tolist() == [11.0, 101.0, 0.0]
    many = np.tile(rows, (3_000, 1))
    assert linear_scores(weights, many).tolist() == [11.0, 101.0, 0.0] * 3_000


def test_offsets_of_the_published_example() -> None:
    html = "<ul><li>tulip</li><li><a href=/>oak<b>birch</b></a></li><li>maple</li></ul>"
    (found,) = rows_of(html, LinkFeatures(url=0, by_offset=True))
    expected = {("tulip", -1), ("oak", 0), ("birch", 0), ("maple", 1)}
    assert found == {feature(word, OFFSET + d) for word, d in expected}


def test_textless_leaves_count_in_offsets() -> None:
    html = "<p>tulip<img src=i><a href=/>oak</a> \n <img src=j><i>maple</i></p>"
    (found,) = rows_of(html, LinkFeatures(url=0, by_offset=True))
    expected = {("tulip", -2), ("oak", 0), ("maple", 2)}
    assert found == {feature(word, OFFSET + d) for word, d in expected}


def test_words_beyond_d_max_and_words_that_say_nothing_take_no_cell() -> None:
    html = "<i>tulip</i><i>birch</i><a href=/>oak</a> and so it is of the maple"
    (found,) = rows_of(html, LinkFeatures(url=0, around=1, by_offset=True, d_max=1))
    expected = {("birch", -1), ("oak", 0), ("maple", 1)}
    assert found == {feature(word, OFFSET + d) for word, d in expected}


def test_a_bag_forgets_the_distance() -> None:
    html = "<i>maple</i><i>tulip</i><a href=/>oak</a><i>maple</i>"
    (found,) = rows_of(html, LinkFeatures(url=0, by_offset=True, d_max=2, is_bag=True))
    assert found == {feature(word, OFFSET) for word in ("maple", "tulip", "oak")}
