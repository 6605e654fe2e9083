"""The lab's language: urns in proportion, voices that repeat themselves exactly, real hardness."""

from collections import Counter

import numpy as np
import pytest
from tools.lab_statistics.hardness import lab_classes, lab_verticals
from tools.lab_statistics.reference import half_of_all, half_of_each
from tools.lab_statistics.scores import mean_score
from tools.lab_statistics.topics import BACKGROUND, DOMAINS, LANGUAGES, WEBKB

from leadline_lab import language
from leadline_lab.draw import Draw, numbers
from leadline_lab.language import Urn, Voice
from leadline_lab.statistics import load


def test_an_urn_gives_words_in_proportion_to_their_counts() -> None:
    urn = Urn({"the": 60, "car": 30, "dealer": 10})
    drawn = Counter(urn.take(numbers(7, 20_000)))
    for word, share in (("the", 0.6), ("car", 0.3), ("dealer", 0.1)):
        assert drawn[word] / 20_000 == pytest.approx(share, abs=0.015)


def test_an_urn_picks_what_it_takes() -> None:
    urn = language.topic_urn("book")
    draw = Draw(11)
    assert [urn.pick(draw) for _ in range(50)] == urn.take(numbers(11, 50))


def test_an_urn_holds_words_by_the_thousand_and_loses_none_of_the_common_ones() -> None:
    urn = language.topic_urn("hotel")
    assert len(urn.cells) == 1 << 15
    assert set(list(load("words")["hotel"])[:1000]) <= set(urn.cells)


def test_every_domain_and_enough_other_topics_have_words() -> None:
    assert set(DOMAINS) | set(WEBKB) <= set(language.topics())
    assert len(set(language.topics()) - set(DOMAINS)) >= 34
    assert set(BACKGROUND) == set(language.topics()) - set(DOMAINS)
    assert set(LANGUAGES) == {n[8:] for n in load("words") if n.startswith("general:")}


def test_statistics_hold_words_and_no_running_text() -> None:
    for counts in load("words").values():
        assert len(counts) <= 1500
        assert all(word.isalpha() and len(word) <= 24 for word in counts)
        assert all(isinstance(count, int) and count > 0 for count in counts.values())
    for kinds in load("anchors")["phrases"].values():
        assert all(len(phrase.split()) <= 4 for kind in kinds.values() for phrase in kind)


def test_the_same_voice_says_the_same() -> None:
    for code in ("en", "de", "ru", "xx"):
        for topic in ("movie", "birds", "campus"):
            first, second = Voice(code, 5), Voice(code, 5)
            second.words(1, "auto", 10)
            assert first.words(9, topic, 300) == second.words(9, topic, 300)
            assert first.title(9, topic) == second.title(9, topic)


def test_words_are_pinned() -> None:
    said = Voice("en", 1).words(2, "auto", 8)
    assert said == "passenger free search this sign orders runner come".split()
    assert Voice("en", 2).words(2, "auto", 8) != said


def test_a_voice_says_as_many_words_as_asked() -> None:
    voice = Voice("en", 3)
    for n in (0, 1, 2, 23, 24, 400, 5000):
        assert len(voice.words(1, "job", n)) == n
        assert len(voice.words(1, "job", n, strength=0)) == n
        assert len(voice.words(1, "job", n, strength=3000)) == n


def test_strength_rules_the_share_of_topic_words() -> None:
    own = set(load("words")["dinosaurs"]) - set(load("words")["general:en"])
    said = [
        sum(w in own for site in range(8) for w in Voice("en", site).words(1, "dinosaurs", 500, s))
        for s in (0, 300, 1000)
    ]
    assert said[0] == 0
    assert said[0] < 2 * said[1] < said[2]


def test_other_languages_speak_their_own_words() -> None:
    german = set(load("words")["hotel:de"])
    said = Voice("de", 4).words(1, "hotel", 1000)
    assert 50 < sum(word in german for word in said) < 250
    assert not {"room", "guests"} & set(said)


def test_sites_differ_more_than_pages_of_a_site() -> None:
    def rare(site: int, page: int) -> set[str]:
        return set(Voice("en", site).words(page, "auto", 600))

    within = np.mean([len(rare(site, 1) & rare(site, 2)) for site in range(12)])
    between = np.mean([len(rare(site, 1) & rare(site + 50, 2)) for site in range(12)])
    assert within > between + 10


def test_sentences_are_sentences() -> None:
    said = Voice("en", 6).sentences(1, "route", 40)
    assert len(said) == 40
    for sentence in said:
        assert 6 <= len(sentence.split()) <= 18
        assert sentence[0].isupper()
        assert sentence.endswith(".")


def test_titles_say_something_and_repeat_no_word() -> None:
    for key in range(40):
        words = Voice("en", 6).title(key, "music").lower().split()
        assert 1 <= len(words) <= 4
        assert len(set(words)) == len(words)
        assert not {"the", "and", "of", "to"} & set(words)


def test_phrases_come_in_the_language_asked_for() -> None:
    assert "Home" in language.navigation("en")
    assert "Kontakt" in language.navigation("de")
    assert language.navigation("xx") == language.navigation("en")
    draws = [Draw(key) for key in range(200)]
    assert "здесь" in {language.generic_anchor(draw, "ru") for draw in draws}
    assert "Search" in {language.search_anchor(draw, "en") for draw in draws}
    assert "Panier" in {language.account_anchor(draw, "fr") for draw in draws}


def test_url_parts_are_those_of_real_sites() -> None:
    draws = [Draw(key) for key in range(400)]
    assert {"", "/", ".html"} <= {language.extension(draw) for draw in draws}
    assert "id" in {language.parameter(draw) for draw in draws}
    assert all(language.path_word(draw).isalpha() for draw in draws)


POINTS = 0.03
"""How far the lab's classifier scores may lie from the real ones."""


def test_verticals_are_as_hard_as_real_ones() -> None:
    pages = lab_verticals(seed=1)
    score = mean_score(pages, half_of_each(pages)[:4])
    assert score["accuracy"] == pytest.approx(load("real")["swde"]["accuracy"], abs=POINTS)
    assert score["macro_f1"] == pytest.approx(load("real")["swde"]["macro_f1"], abs=POINTS)


def test_university_pages_are_as_hard_as_real_ones() -> None:
    pages = lab_classes(seed=1)
    for name, kept in (
        ("webkb", pages),
        ("webkb_without_campus", [page for page in pages if page.label != "campus"]),
    ):
        score = mean_score(kept, half_of_all(kept)[:6])
        assert score["accuracy"] == pytest.approx(load("real")[name]["accuracy"], abs=POINTS)
        assert score["macro_f1"] == pytest.approx(load("real")[name]["macro_f1"], abs=POINTS)
