"""Links and images inside running text."""

from collections.abc import Sequence
from zlib import crc32

from leadline_lab.markup.dialect import Dialect
from leadline_lab.markup.escape import escape_double, escape_single, escape_text, is_bare
from leadline_lab.markup.model import Anchor, Inline

_IMAGES = 997
"""Different addresses of images on a site; any number does."""


class Inlines:
    """Writes anchors in one dialect."""

    __slots__ = ("_bare", "_close", "_dialect", "_inside", "_middle", "_open", "_quote")

    def __init__(self, dialect: Dialect, inside: tuple[str, str] = ("", "")) -> None:
        """`inside` are tags between each anchor and its text."""
        quote = dialect.quote or '"'
        self._dialect = dialect
        self._quote = quote
        self._open = dialect.tag("a", f"{dialect.attribute('href', '')[:-2]}{quote}")[:-1]
        self._bare = "" if dialect.quote else self._open[:-1]
        self._inside = f">{inside[0]}"
        self._middle = f"{quote}{self._inside}"
        self._close = f"{inside[1]}{dialect.end('a')}"

    def anchor(self, anchor: Anchor) -> str:
        """A link; the text alone when it leads nowhere."""
        text = anchor.text
        if "&" in text or "<" in text:
            text = escape_text(text)
        if anchor.image or anchor.title or anchor.nofollow:
            return self._full_anchor(anchor, text)
        href = anchor.href
        if not href:
            return text
        if self._bare and "&" not in href and is_bare(href):
            return f"{self._bare}{href}{self._inside}{text}{self._close}"
        if "&" in href or self._quote in href or "<" in href:
            href = escape_double(href) if self._quote == '"' else escape_single(href)
        return f"{self._open}{href}{self._middle}{text}{self._close}"

    def _full_anchor(self, anchor: Anchor, text: str) -> str:
        if anchor.image:
            text = self.image(anchor.image)
        href = anchor.href
        if not href:
            return text
        write = self._dialect.attribute
        attributes = write("href", href)
        if anchor.title:
            attributes += write("title", anchor.title)
        if anchor.nofollow:
            attributes += write("rel", "nofollow")
        close = self._dialect.end("a") if anchor.image else self._close
        middle = "" if anchor.image else self._inside[1:]
        return f"{self._dialect.tag('a', attributes)}{middle}{text}{close}"

    def image(self, text: str) -> str:
        """An image of this alternative text."""
        number = crc32(text.encode("utf-8", "replace")) % _IMAGES + 1
        write = self._dialect.attribute
        return self._dialect.tag("img", write("src", f"/i/{number}.gif") + write("alt", text))

    def inline(self, parts: Sequence[Inline]) -> str:
        """Running text. A blank is put between a link and a word that touch."""
        if len(parts) == 1 and isinstance(parts[0], str):
            return escape_text(parts[0])
        written: list[str] = []
        last = ""
        for part in parts:
            if isinstance(part, str):
                if last == "a" and part[:1].isalnum():
                    written.append(" ")
                written.append(escape_text(part))
                last = part[-1:]
            else:
                if last.isalnum():
                    written.append(" ")
                written.append(self.anchor(part))
                last = "a"
        return "".join(written)
