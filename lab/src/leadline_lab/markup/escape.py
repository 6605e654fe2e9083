"""Text into HTML: what has to be written otherwise, and nothing more."""

import re

_is_bare = re.compile(r"[A-Za-z0-9/._~:?=+,;%&#-]+").fullmatch
"""What every parser reads to its end without quotes."""
_not_in_id = re.compile(r"[^A-Za-z0-9]+").sub


def escape_text(text: str) -> str:
    """For the inside of an element."""
    if "&" in text or "<" in text:
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text


def escape_double(text: str) -> str:
    """For an attribute between double quotes."""
    if "&" in text or '"' in text or "<" in text:
        return escape_text(text).replace('"', "&quot;")
    return text


def escape_single(text: str) -> str:
    """For an attribute between single quotes."""
    if "&" in text or "'" in text or "<" in text:
        return escape_text(text).replace("'", "&#39;")
    return text


def is_bare(text: str) -> bool:
    """Whether an attribute of this value needs no quotes."""
    return text.isalnum() or _is_bare(text) is not None


def safe_id(text: str) -> str:
    """A value for an id that no quoting rule can hurt."""
    return _not_in_id("-", text)
