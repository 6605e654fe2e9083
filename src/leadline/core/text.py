"""Text as words are compared: one folding for judges, readers of answers and interfaces."""

import unicodedata

_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "\u0131": "i", "æ": "ae", "œ": "oe"})
"""Letters that Unicode does not take for another with a mark, but people often write so."""


def fold(text: str) -> str:
    """Without case and accents.

    >>> fold("Contraseña") == fold("contrasena")
    True
    """
    if text.isascii():
        return text.lower()
    letters = unicodedata.normalize("NFKD", text.casefold().translate(_PLAIN))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
