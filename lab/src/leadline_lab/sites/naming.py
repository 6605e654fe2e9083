"""What sites, sections and items are called."""

from functools import lru_cache

from leadline_lab.draw import number_at
from leadline_lab.language import content_urn, domain_urn

_URN = 1 << 14
_PLAIN: dict[int, int | str] = {
    **str.maketrans("àáâãäåçèéêëìíîïñòóôõöøùúûüýÿœæ", "aaaaaaceeeeiiiinoooooouuuuyyoa"),
    ord("ß"): "ss",
}
"""Letters of western languages without their marks."""


@lru_cache(maxsize=512)
def title_words(topic: str, language: str) -> tuple[str, ...]:
    """Words that may stand in a title about a topic, as often as they are used."""
    if language == "en":
        return tuple(content_urn(topic).cells[::2].tolist())
    own = domain_urn(topic, language).cells[::4].tolist()
    return (*own, *content_urn(f"general:{language}").cells[::4].tolist())


def title(words: tuple[str, ...], number: int) -> str:
    """Two to four words by the bits of a number, the first one capitalised."""
    low = _URN - 1
    first = words[number & low].capitalize()
    text = f"{first} {words[number >> 14 & low]}"
    if number >> 63:
        return text
    text = f"{text} {words[number >> 28 & low]}"
    return text if number >> 62 & 1 else f"{text} {words[number >> 42 & low]}"


def item_title(words: tuple[str, ...], key: int, item: int) -> str:
    """The title of an item of a site."""
    return title(words, number_at(key, item + 1))


def slug(text: str) -> str:
    """As it stands in a URL: ASCII only."""
    plain = text.lower().replace(" ", "-").translate(_PLAIN)
    return plain.encode("ascii", "ignore").decode() or "x"
