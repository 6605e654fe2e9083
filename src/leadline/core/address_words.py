"""The words of an address and of a link's text, as the judges of state changes read them."""

import re
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import unquote_plus

from leadline.core.text import fold

find_words = re.compile(r"[^\W_]+").findall
part_camel_case = re.compile(r"(?<=[a-z])(?=[A-Z])").sub
# Words that are hexadecimal by chance (facade, decade) hold no digit.
match_identifier = re.compile(
    r"\d+|(?=[a-f]*\d)[0-9a-f]{6,}|[0-9a-f]{8}-[0-9a-f-]{27}|[a-z]{0,3}\d{2,}"
).fullmatch
_extension = re.compile(r"\.(?:php\d?|aspx?|jsp|jspx|do|action|cgi|pl|cfm|html?|py|rb)$").sub
_split_url = re.compile(r"https?://[^/?#]*([^?#]*)(?:\?([^#]*))?").match


@lru_cache(maxsize=4096)
def split_words(text: str) -> tuple[str, ...]:
    """The words of a text, folded; `addToCart` has three."""
    return tuple(find_words(fold(part_camel_case(" ", text)).replace("_", " ")))


def split_url(url: str) -> tuple[str, str]:
    """Path and query of a URL, or of what stands for one."""
    found = _split_url(url)
    return (found[1] or "", found[2] or "") if found else (url, "")


def split_segments(path: str) -> list[tuple[str, ...]]:
    """The words of each segment of a path that has any; what programs are written in is none.

    >>> split_segments("/my%20list/deleteItem.php")
    [('my', 'list'), ('delete', 'item')]
    """
    if ";" in path:  # /item;cancel?id=3
        path = path.replace(";", "/")
    return [
        words
        for part in path.split("/")
        if part and (words := split_words(_extension("", unquote_plus(part))))
    ]


def list_parameters(query: str) -> list[tuple[str, str]]:
    """Names and values of a query."""
    pairs = (pair.partition("=") for pair in query.replace(";", "&").split("&") if pair)
    return [(unquote_plus(name), unquote_plus(value)) for name, _, value in pairs]


def is_identifier(words: Sequence[str]) -> bool:
    """Whether a segment is one word that names a thing: a number, a hash, a short code."""
    return len(words) == 1 and match_identifier(words[0]) is not None
