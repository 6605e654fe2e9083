"""Naive Bayes over the words of links: how far from a form a link leads."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.crawl import Candidate, LinkFeatures, Priority
from leadline.core.url import Site, Url, path_of
from leadline.errors import ModelError
from leadline.learn.link_features import (
    ANCHOR,
    AROUND,
    URL,
    LinkTexts,
    PageLinks,
    Terms,
    candidate_terms,
    link_rows,
    name_features,
)
from leadline.learn.link_levels import (
    LINK_MODEL,
    LinkLesson,
    LinkLevels,
    LinkModel,
    class_sizes,
    count_chosen_terms,
    learn_levels,
    read_link_model,
    write_link_model,
)
from leadline.learn.link_selection import ChosenTerm, Selection
from leadline.learn.model_files import Manifest, write_model
from leadline.page import parse_page
from leadline.page.words import PageWords

SPEC = LinkFeatures(own=1)
HTML = """<html lang=en><p>Cheap beds in town <a href=/hotels/advanced-search.php>Find a hotel</a>
from the 3 best sites, or read <a href=http://b.test/news>our news</a> of today</p>"""


def page_links(html: str = HTML) -> PageLinks:
    return PageLinks(parse_page(html.encode(), Url("http://a.test/")), SPEC)


def link(path: str, anchor: str) -> tuple[Terms, "np.ndarray[tuple[int, int], np.dtype[np.int32]]"]:
    found = page_links(f"<html lang=en><a href=/{path}>{anchor}</a>")
    return found.terms(0), found.rows


def lesson() -> LinkLesson:
    near = [link(f"search/{n}", "find hotels")[0] for n in range(30)]
    far = [link(f"list/{n}", "browse the catalog")[0] for n in range(30)]
    others = [link(f"legal/{n}", "privacy policy")[1] for n in range(60)]
    return LinkLesson({1: near, 2: far}, np.concatenate(others))


def test_terms_have_the_features_that_rows_are_made_of() -> None:
    links = page_links()
    terms = links.terms(0)
    by_space = {
        space: {t.stem for t in terms if t.space == space} for space in (URL, ANCHOR, AROUND)
    }
    assert by_space[URL] == {"hotel", "advanc", "search", "php"}
    assert by_space[ANCHOR] == {"find", "hotel"}
    assert {"cheap", "bed", "town"} <= by_space[AROUND]
    row = set(links.rows[0].tolist()) - {0}
    assert {term.feature for term in terms} == row


@given(words=st.lists(st.sampled_from("hotel Rooms été Straße 3d e-mail a the search".split())))
def test_every_term_is_a_feature_of_its_link(words: list[str]) -> None:
    text = " ".join(words)
    html = f"<html lang=en><p>{text}</p><a href='/{'/'.join(words)}'>{text}</a><p>{text}</p>"
    links = page_links(html)
    features = set(links.rows[0].tolist())
    assert {term.feature for term in links.terms(0)} <= features


def test_a_candidate_has_the_terms_of_the_link_it_was_found_by() -> None:
    page = parse_page(HTML.encode(), Url("http://a.test/"))
    rows = link_rows(SPEC, PageWords(page), page.links)
    found = page.links[0]
    features = np.append(rows[0], np.int32(2)).astype("<i4").tobytes()
    candidate = Candidate(
        found.target, Site("a.test"), Priority(0, 0.0), anchor=found.anchor,
        around="Cheap beds in town\tfrom the 3 best sites, or read our news of today",
        features=features,
    )  # fmt: skip
    assert set(candidate_terms(candidate, SPEC.words, ("en",))) == set(page_links().terms(0))


def test_the_language_of_most_words_names_them() -> None:
    html = "<html lang=de><a href=/mieten>Wohnungen und Häuser</a>"
    page = parse_page(html.encode(), Url("http://a.test/"))
    row = link_rows(SPEC, PageWords(page), page.links)[0].tolist()
    texts = LinkTexts(path_of(page.links[0].target), page.links[0].anchor, "")
    assert name_features(row, texts, ("en", "de")) == name_features(row, texts, ("de",))
    assert {term.word for term in name_features(row, texts, ("en", "de"))} >= {
        "mieten",
        "wohnungen",
    }


def test_links_are_told_by_their_words() -> None:
    levels = learn_levels(lesson(), Selection())
    assert levels.classes == (1, 2, 0)
    asked = [link("search", "find a room")[1], link("list", "catalog")[1], link("y", "privacy")[1]]
    best, chances = levels.judge(np.concatenate(asked))
    assert [levels.classes[at] for at in best] == [1, 2, 0]
    assert np.allclose(chances.sum(axis=1), 1.0)


def test_a_word_counts_once_however_often_it_stands_there() -> None:
    levels = learn_levels(lesson(), Selection())
    once, often = link("a", "search find")[1], link("a", "find find search find")[1]
    assert np.array_equal(levels.judge(once)[1], levels.judge(often)[1])


def test_a_class_of_few_links_does_not_draw_what_it_never_had() -> None:
    near, far = lesson().levels[1], lesson().levels[2][:2]
    levels = learn_levels(LinkLesson({1: near, 2: far}, lesson().others), Selection())
    best, _ = levels.judge(link("legal", "policy")[1])
    assert levels.classes[best[0]] == 0


def test_many_rows_are_judged_as_one_by_one() -> None:
    levels = learn_levels(lesson(), Selection())
    some = np.concatenate([link("search", "find")[1], link("x", "catalog")[1], link("y", "")[1]])
    many = np.tile(some, (2_000, 1))
    assert np.allclose(levels.judge(many)[1], np.tile(levels.judge(some)[1], (2_000, 1)))


def test_one_id_may_stand_for_several_words() -> None:
    features = (ChosenTerm(URL, "job", (5, 9)), ChosenTerm(URL, "search", (7, 9)))
    levels = LinkLevels((1,), features, np.ones((1, 2), np.int64), np.array([2]))
    rows = np.array([[9, 0, 0], [7, 7, 0], [0, 5, 4], [0, 0, 0]], np.int32)
    assert levels.present(rows).tolist() == [[1, 1], [0, 1], [1, 0], [0, 0]]


def test_fewer_levels_are_a_part_of_the_classifier() -> None:
    levels = learn_levels(lesson(), Selection())
    assert levels.narrow(1, has_none=True).classes == (1, 0)
    literal = levels.narrow(1, has_none=False)
    assert literal.classes == (1,)
    assert literal.judge(link("legal", "policy")[1])[1].tolist() == [[1.0]]


def test_evidence_names_the_words_of_a_link() -> None:
    levels = learn_levels(lesson(), Selection())
    found = {
        feature.name: weight for feature, weight in levels.evidence(link("search", "find")[1][0])
    }
    assert found.keys() == {"url: search", "anchor: find"}
    assert all(weight > 0 for weight in found.values())


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    taught = LinkModel(learn_levels(lesson(), Selection()), lesson())
    write_link_model(tmp_path, taught, Manifest(LINK_MODEL, ("here",), ""))
    read, manifest = read_link_model(tmp_path)
    assert manifest.trained_on == ("here",)
    assert read.lesson.levels == taught.lesson.levels
    assert np.array_equal(read.lesson.others, taught.lesson.others)
    rows = taught.lesson.others
    assert np.array_equal(read.levels.judge(rows)[1], taught.levels.judge(rows)[1])
    assert count_chosen_terms(read.levels) == count_chosen_terms(taught.levels)


def test_chosen_words_are_shown_with_their_counts() -> None:
    levels = learn_levels(lesson(), Selection())
    found = count_chosen_terms(levels, most=1)
    assert found["url"][0].term == "list"
    assert found["url"][0].counts == {"level 1": 0, "level 2": 30, "none": 0}
    assert class_sizes(levels) == {"level 1": 30, "level 2": 30, "none": 60}


def test_a_folder_without_its_arrays_is_refused(tmp_path: Path) -> None:
    write_model(tmp_path, Manifest(LINK_MODEL, (), ""), {"classes": np.array([1])})
    with pytest.raises(ModelError, match="train it again"):
        read_link_model(tmp_path)
