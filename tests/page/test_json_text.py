"""JSON that strangers wrote gives text that can be stored, written and shown."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.page.json_text import decode_json

PIECES = st.sampled_from(
    [r"\ud83d", r"\uDE00", r"\u0000", r"\\", r"\n", r"\"", r"\u00e9", "u0000", "ud83d", "a"]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_any_escapes_give_text_that_can_be_encoded(escaped: str) -> None:
    text = decode_json(f'"{escaped}"')
    text.encode()
    assert "\0" not in text


@given(st.text())
def test_whole_text_is_kept(text: str) -> None:
    kept = text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass")
    expected = kept.decode("utf-16", "replace")
    assert decode_json(json.dumps(text)) == expected


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, r'"\u12"'])
def test_what_is_no_json_is_refused_as_ever(text: str) -> None:
    with pytest.raises((ValueError, RecursionError)):
        decode_json(text)
