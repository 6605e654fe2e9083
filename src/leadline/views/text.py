"""Text from the Web made safe and short for people."""


def clean(text: str) -> str:
    """Text from the web without control characters, which could drive a terminal.

    >>> clean("a\\x1b[2Jb\\nc")
    'a [2Jb c'
    """
    return "".join(letter if letter.isprintable() else " " for letter in text)


def shorten(text: str, most: int) -> str:
    """Cleaned, and cut with an ellipsis.

    >>> shorten("a long title", 7)
    'a long…'
    """
    text = " ".join(clean(text).split())
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
