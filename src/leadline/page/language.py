"""The language of a page: what it declares, else what its text looks like."""

from collections.abc import Sequence

import py3langid

_ENOUGH_CHARS = 80
"""Detection on less is a guess."""
_SAMPLE_CHARS = 300


def language_of(declared: str, leaves: Sequence[str]) -> str:
    """Two letters in lower case, or ''."""
    code = declared.strip()[:2].lower()
    if len(code) == 2 and code.isascii() and code.isalpha():
        return code
    sample = _sample(leaves)
    if len(sample) < _ENOUGH_CHARS:
        return ""
    return str(py3langid.classify(sample)[0])


def _sample(leaves: Sequence[str]) -> str:
    """The first long leaves: sentences, not menus."""
    parts: list[str] = []
    size = 0
    for leaf in leaves:
        if len(leaf) > 30:
            parts.append(leaf[:_SAMPLE_CHARS])
            size += len(leaf)
            if size > _SAMPLE_CHARS:
                break
    return " ".join(parts)[:_SAMPLE_CHARS]
