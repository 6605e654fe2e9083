"""Words numbered one by one and all at once are the same words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.page.words import Vocabulary, Words, form_vocabulary, vocabulary


@given(st.text(max_size=300))
def test_short_texts_are_numbered_as_long_ones_are(text: str) -> None:
    for known in (vocabulary("en"), form_vocabulary("de")):
        text_alone = text.replace("\0", " ")
        assert known.ids_of_short(text).tolist() == Words([text_alone], known).ids.tolist()


@pytest.mark.parametrize(
    "text", ["Departure city: München (2 rooms)", "isbn 0-14 \u2013 \ufb01n", ""]
)
def test_what_forms_say_is_numbered_the_same(text: str) -> None:
    known = Vocabulary("en", is_whole=True)
    assert known.ids_of_short(text).tolist() == Words([text], known).ids.tolist()
    assert known.ids_of_short(text).tolist() == known.ids_of_short(text).tolist()


@pytest.mark.parametrize(
    ("language", "word", "text"),
    [
        ("ja", "図書", "市立図書館で本を検索"),
        ("zh", "作者", "按书名、作者检索"),
        ("ko", "도서", "시립도서관에서 대출"),
        ("th", "หนัง", "ค้นหาหนังสือในห้องสมุด"),
        ("hi", "पुस्तक", "पुस्तकें और लेखक।"),
        ("ar", "مكتبة", "في المكتبة العامة"),
        ("pl", "książka", "szukaj książkami"),
        ("uk", "бібліотека", "міські бібліотеках"),
        ("he", "ספרים", "חיפוש הספרים"),
    ],
)
def test_a_word_is_found_in_a_compound_or_an_inflected_form(
    language: str, word: str, text: str
) -> None:
    known = vocabulary(language)
    (wanted,) = Words([word], known).ids
    assert wanted in Words([text], known).ids
    assert wanted in form_vocabulary(language).ids_of_short(text)


def test_pieces_stay_in_their_text() -> None:
    words = Words(["図書館", "本", "作者名"], vocabulary("ja"))
    assert words.starts.tolist() == [0, 2, 3, 5]
