"""The keyword critic."""

from leadline.core.url import Url
from leadline.page import parse_page
from leadline.page.words import PageWords
from leadline.topics import KEYWORDS, KeywordTopic, TopicCritic

BOOKS = KeywordTopic("book", KEYWORDS["book"])


def relevance(text: str) -> float:
    page = parse_page(f"<html lang=en><title>Home</title><p>{text}".encode(), Url("http://a.test/"))
    return BOOKS.relevance(PageWords(page))


def test_pages_about_the_topic_score_higher() -> None:
    about = relevance("Search books by author, title or ISBN in our library. " * 3)
    other = relevance("Cheap flights and rooms near the beach all year round. " * 3)
    assert about > 0.7
    assert other < 0.25, "less than of any page near the topic"
    assert relevance("") <= 0.25


def test_a_topic_without_words_knows_nothing() -> None:
    page = parse_page(b"<p>books", Url("http://a.test/"))
    assert KeywordTopic("", ()).relevance(PageWords(page)) == 0.0


def test_a_form_is_judged_once_per_page_with_a_reason() -> None:
    search = "<form action=/s><label>Book title <input type=search name=q></label></form>"
    page = parse_page(f"<html lang=en>{search}{search}".encode(), Url("http://a.test/"))
    (judged,) = TopicCritic(BOOKS).judge(page, PageWords(page)).forms
    assert judged.searchable > 0.8
    assert 0.5 < judged.relevant <= judged.searchable
    assert judged.why
