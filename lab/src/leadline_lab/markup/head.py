"""The head of a page: what it says about itself before its body begins."""

from collections.abc import Mapping

from leadline_lab.markup.dialect import Dialect
from leadline_lab.markup.layouts import DOCTYPES
from leadline_lab.markup.model import PageModel

_WESTERN = frozenset("da de en es fi fr it nl no pt sv".split())
"""Languages a page in a Western character set can be written in."""


class Head:
    """Writes heads in one dialect, for one document type."""

    __slots__ = ("_charset", "_dialect", "_doctype", "_says_language")

    def __init__(self, choices: Mapping[str, str], dialect: Dialect, charset: str) -> None:
        self._doctype = choices["doctype"]
        self._dialect = dialect
        self._charset = charset
        self._says_language = self._doctype in ("xhtml", "strict", "html5")

    def charset_for(self, language: str) -> str:
        """The site's own character set if its language can be written in it."""
        return self._charset if language[:2] in _WESTERN else "utf-8"

    def start(self, language: str) -> str:
        """Up to the text of the title."""
        dialect = self._dialect
        attributes = ""
        if self._doctype in ("xhtml", "strict"):
            attributes = dialect.attribute("xmlns", "http://www.w3.org/1999/xhtml")
        if self._says_language and language:
            attributes += dialect.attribute("lang", language)
        top = DOCTYPES[self._doctype] + dialect.tag("html", attributes)
        charset = self._charset_tag(self.charset_for(language))
        return f"{top}\n{dialect.tag('head')}\n{charset}\n{dialect.tag('title')}"

    def after_title(self, page: PageModel) -> str:
        """What the page's head says besides its title."""
        written = self._dialect.end("title")
        if page.description:
            written += self._meta("description", page.description)
        if page.robots:
            written += self._meta("robots", page.robots)
        if page.canonical:
            write = self._dialect.attribute
            where = write("rel", "canonical") + write("href", page.canonical)
            written += f"\n{self._dialect.tag('link', where)}"
        return written

    def end(self, style: str, script: str) -> str:
        """From the last line of the head to the start of the body."""
        dialect = self._dialect
        written = "\n"
        if style:
            kind = "" if self._doctype == "html5" else dialect.attribute("type", "text/css")
            written += f"{dialect.tag('style', kind)}{style}{dialect.end('style')}\n"
        if script:
            written += f"{dialect.tag('script')}{script}{dialect.end('script')}\n"
        return f"{written}{dialect.end('head')}\n{dialect.tag('body')}\n"

    def _meta(self, name: str, content: str) -> str:
        write = self._dialect.attribute
        return f"\n{self._dialect.tag('meta', write('name', name) + write('content', content))}"

    def _charset_tag(self, charset: str) -> str:
        write = self._dialect.attribute
        if self._doctype == "html5":
            return self._dialect.tag("meta", write("charset", charset))
        said = write("http-equiv", "Content-Type")
        said += write("content", f"text/html; charset={charset}")
        return self._dialect.tag("meta", said)
