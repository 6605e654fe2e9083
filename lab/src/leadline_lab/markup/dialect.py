"""How a family writes its tags: case, quotes, end tags; patterns into tags of a dialect.

A pattern is HTML in lower case without quotes, in which `.name` inside a tag
stands for the class and `$name` anywhere for a word, both chosen per site;
`$(name)` is the first class of an element that has several.
"""

import re
from functools import partial

from msgspec import Struct

from leadline_lab.markup.escape import escape_double, escape_single, is_bare

_VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})
_OPTIONAL_ENDS = frozenset({"li", "p", "td", "th", "tr", "dd", "dt", "option"})
_NOT_BARE = frozenset("#%,;:/")
_tags = re.compile(r"<(/?)([a-z][a-z0-9]*)([^<>]*)>")
_slots = re.compile(r"\$([a-z]+)")
_first_classes = re.compile(r"\$\(([a-z]+)\)")


class Dialect(Struct, frozen=True):
    """A way of writing tags."""

    is_upper: bool = False
    quote: str = '"'
    """'' for none where none is needed."""
    omits_ends: bool = False
    """Of list items, paragraphs and cells."""
    is_xhtml: bool = False

    def attribute(self, name: str, value: str) -> str:
        """With the blank before it; the value is any text."""
        if self.is_upper:
            name = name.upper()
        if self.quote == "'":
            return f" {name}='{escape_single(value)}'"
        value = escape_double(value)
        if not self.quote and is_bare(value):
            return f" {name}={value}"
        return f' {name}="{value}"'

    def flag(self, name: str) -> str:
        """An attribute without a value."""
        if self.is_xhtml:
            return f' {name}="{name}"'
        return f" {name.upper() if self.is_upper else name}"

    def tag(self, name: str, attributes: str = "") -> str:
        """A start tag, closed if it is one that holds nothing; the attributes are written."""
        end = " />" if self.is_xhtml and name in _VOID else ">"
        return f"<{name.upper() if self.is_upper else name}{attributes}{end}"

    def end(self, name: str) -> str:
        return f"</{name.upper() if self.is_upper else name}>"

    def compiled(self, pattern: str) -> str:
        """Tags of this dialect; a format for `%` with the names of classes and words."""
        written = _tags.sub(partial(_tag, self), pattern.replace("%", "%%"))
        return _slots.sub(r"%(\1)s", _first_classes.sub(r"%(\1.)s", written))


def _tag(dialect: Dialect, found: re.Match[str]) -> str:
    is_end, name, attributes = found.groups()
    if is_end:
        is_left_out = dialect.omits_ends and name in _OPTIONAL_ENDS
        return "" if is_left_out else dialect.end(name)
    written = "".join(_attribute(dialect, token) for token in attributes.split())
    return dialect.tag(name, written)


def _attribute(dialect: Dialect, token: str) -> str:
    """`.slot` is a class; the value of a slot is not known yet, so it keeps its quotes."""
    if token.startswith("."):
        quote = dialect.quote or '"'
        name = "CLASS" if dialect.is_upper else "class"
        return f" {name}={quote}${token[1:]}{quote}"
    name, equals, value = token.partition("=")
    if not equals:
        return dialect.flag(name)
    if dialect.is_upper:
        name = name.upper()
    quote = dialect.quote
    if not quote and (not value or any(letter in _NOT_BARE for letter in value)):
        quote = '"'
    return f" {name}={quote}{value}{quote}"
