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
