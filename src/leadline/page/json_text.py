"""JSON as strangers write it: its escapes may stand for what is no text.

A title that was cut in the middle of a pair (`"\\ud83d"`) gives a string that no file, store or
terminal takes; PostgreSQL takes no NUL either.
"""

import json
import re
from typing import Any

_may_be_no_text = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)").search
_escapes = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\u0000)|\\.",
    re.DOTALL,
)
_REPLACEMENT = "\\ufffd"


def decode_json(text: str, *, is_strict: bool = True) -> Any:
    """The value that the text is. Raises ValueError and RecursionError, as `json.loads` does."""
    return json.loads(repair_escapes(text), strict=is_strict)


def repair_escapes(text: str) -> str:
    """Escapes of half a pair and of NUL as those of the replacement character.

    >>> repair_escapes(r'"a\\ud83d" "\\ud83d\\ude00" "\\\\ud83d"')
    '"a\\\\ufffd" "\\\\ud83d\\\\ude00" "\\\\\\\\ud83d"'
    """
    if _may_be_no_text(text) is None:
        return text
    return _escapes.sub(lambda found: _REPLACEMENT if found[1] else found[0], text)
