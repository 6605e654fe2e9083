"""Topics on pages in languages that no pages were at hand of."""
# ruff: noqa: RUF001 - letters of other alphabets

from collections import Counter
from pathlib import Path

import pytest

from leadline.core.crawl import LIKELY
from leadline.core.url import Url
from leadline.page import parse_page
from leadline.page.words import PageWords
from leadline.topics.judges import UNKNOWN_LANGUAGE, KeywordTopic, open_topic
from leadline.topics.translation import (
    number_translations,
    read_calibrations,
    read_translations,
    translated_languages,
)
from leadline.topics.vocabulary import DOMAINS, LANGUAGES

_TEXTS = Path(__file__).parent / "data" / "multilingual.txt"
_SCRIPTS = {
    "ru": "а", "uk": "а", "el": "α", "ar": "ا", "he": "א", "hi": "अ", "ko": "가", "th": "ก",
}  # fmt: skip


def _words(language: str, text: str) -> PageWords:
    html = f"<html lang={language}><title>{text[:40]}</title><p>{text}".encode()
    return PageWords(parse_page(html, Url("http://example.org/"), "text/html; charset=utf-8"))


def _judged(topic: str) -> list[tuple[str, bool, float]]:
    judge = open_topic(topic)
    rows = [line.split("|", 2) for line in _TEXTS.read_text(encoding="utf-8").splitlines()]
    return [
        (lang, about == topic, judge.relevance(_words(lang, text))) for lang, about, text in rows
    ]


@pytest.mark.parametrize("topic", ["book", "job", "hotel"])
def test_pages_in_twelve_languages_are_told_apart(topic: str) -> None:
    judged = _judged(topic)
    assert len({language for language, _, _ in judged}) == 12
    found = Counter((is_about, chance >= LIKELY) for _, is_about, chance in judged)
    recall = found[True, True] / (found[True, True] + found[True, False])
    assert recall >= 0.9
    assert found[False, True] <= 2


def test_every_topic_has_25_words_in_every_language() -> None:
    for language in translated_languages():
        counts = Counter(row.topic for row in read_translations()[language] if row.forms)
        assert all(counts[topic] >= 25 for topic in DOMAINS), language
        assert counts["general"] >= 40
    assert len(translated_languages()) + len(LANGUAGES) == 29


def test_every_topic_is_calibrated_for_translated_words() -> None:
    assert set(read_calibrations()) == set(DOMAINS)


def test_words_are_written_in_the_script_of_their_language() -> None:
    for language, letter in _SCRIPTS.items():
        block = ord(letter) >> 8
        for row in read_translations()[language]:
            first = ord(row.forms[0][0])
            assert first >> 8 == block or first < 128 or language == "ko", (language, row)


def test_most_words_of_a_language_are_no_stop_words() -> None:
    for language in translated_languages():
        numbered = {word.spelled for word in number_translations(language)}
        forms = {form for row in read_translations()[language] for form in row.forms}
        assert len(numbered) >= 0.97 * len(forms), language


def test_a_page_in_a_language_without_words_is_no_less_likely_than_any_page() -> None:
    words = _words("ka", "წიგნები და ავტორები ბიბლიოთეკაში")
    assert open_topic("book").relevance(words) >= UNKNOWN_LANGUAGE


def test_a_translated_word_explains_the_judgement() -> None:
    words = _words("pl", "Powieści i książki w bibliotece, autor i wydawnictwo")
    reasons = [word for word, _ in open_topic("book").page_reasons(words)]
    assert {"książka", "powieść"} & set(reasons)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Gerichtsentscheidungen und Urteile der Gerichte im Volltext"),
        ("fr", "Jurisprudence: jugements et arrêts de la cour"),
        ("pl", "Orzeczenia sądów: wyroki i uzasadnienia"),
        ("ja", "裁判所の判決と判例の検索"),
        ("ar", "أحكام المحكمة العليا"),
    ],
)
def test_a_topic_of_english_words_is_recognised_in_other_languages(
    language: str, text: str
) -> None:
    topic = KeywordTopic("court-records", ("court", "judgments"))
    assert topic.relevance(_words(language, text)) >= LIKELY
    assert topic.page_reasons(_words(language, text))
    weather = {"pl": "Prognoza pogody na weekend", "ja": "週末は大雨の見込み"}
    if language in weather:
        assert topic.relevance(_words(language, weather[language])) < 0.25
