"""What a database of a domain holds: the attributes its records have and its forms ask for."""

from msgspec import Struct

Worded = dict[str, tuple[str, ...]]
"""Ways to say one thing, by language (two letters); `en` is always there."""


def said(words: Worded, language: str) -> tuple[str, ...]:
    """The ways a language says it, or else English."""
    return words.get(language) or words["en"]


class Attribute(Struct, frozen=True):
    """One attribute of a record."""

    name: str
    kind: str
    """`title` (a few words), `text` (many words), `person`, `place`, `category`, `year`, `price`,
    `date`, `number`, `code` (an ISBN, a registration)."""
    labels: Worded
    """What forms call it."""
    names: tuple[str, ...]
    """What form controls are named."""
    choices: tuple[str, ...] = ()
    """Of a category: its values in English."""


class Schema(Struct, frozen=True):
    """A domain's records and how its search forms speak."""

    domain: str
    attributes: tuple[Attribute, ...]
    """The first is the one records are listed under."""
    one: Worded
    """The noun: book, flight."""
    many: Worded
    prompts: Worded
    """Legends and submit labels of its forms: "Find a hotel"."""
    paths: tuple[str, ...]
    """Words of URLs of its search pages: catalog, booksearch."""

    def attribute(self, name: str) -> Attribute:
        return next(a for a in self.attributes if a.name == name)
