"""Real pages worn by sites of the lab: their markup, frames and texts around what the lab writes.

A shell is a real page whose main part was taken out and whose links stand open: the site's menu is
written into the page's own anchors, and anchors beyond that keep their text and lead nowhere. Real
forms are taken out, because nothing is known of what is behind them. The pages stay where they are
(LEADLINE_DATA); none is part of the lab, so profiles that wear them need the folder.
"""

import gzip
import json
import os
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import xxhash
from msgspec import Struct, structs
from publicsuffixlist import PublicSuffixList
from selectolax.lexbor import LexborHTMLParser, LexborNode

from leadline.errors import ConfigError
from leadline_lab.markup.escape import escape_text
from leadline_lab.markup.model import Anchor, Block, Links, PageModel, SiteFrame
from leadline_lab.markup.template import Frame, Template

FOLDER = "LEADLINE_DATA"
_MOST_BYTES = 250_000
"""Larger pages are few and would cost most of a crawl's time."""
_FEWEST_ANCHORS = 12
_DROPPED = "script, style, noscript, template, svg, iframe, form, input, select, textarea, button"
_MAINS = ("main", "[role=main]", "#main", "#content", "article")
_HERE = "\x02"
_mark = re.compile("\x03(\\d+)\x03")


class Shell(Struct, frozen=True):
    """One real page, taken apart."""

    before: str
    after: str
    anchors: tuple[tuple[str, str], ...]
    """Class and text of each anchor, which stands in `before` and `after` as a numbered mark."""


class ShellTemplate:
    """A template inside a shell. The same template and shell, the same bytes."""

    def __init__(self, inner: Template, shell: Shell) -> None:
        self._inner = inner
        self._shell = shell
        self.family = inner.family

    def block(self, block: Block) -> str:
        return self._inner.block(block)

    def frame(self, frame: SiteFrame) -> Frame:
        """The site's menu and footer go into the shell's anchors, as many as it has."""
        room = list(frame_links(frame))
        inside, left = room[: len(self._shell.anchors)], room[len(self._shell.anchors) :]
        header = tuple(block for block in frame.header if not isinstance(block, Links))
        footer: tuple[Block, ...] = tuple(
            block for block in frame.footer if not isinstance(block, Links)
        )
        if left:
            footer = (*footer, Links("footer", tuple(left)))
        made = self._inner.frame(structs.replace(frame, header=header, footer=footer))

        def fill(found: re.Match[str]) -> str:
            number = int(found[1])
            name, text = self._shell.anchors[number]
            attribute = f' class="{escape_text(name)}"' if name else ""
            if number < len(inside):
                anchor = inside[number]
                href = escape_text(anchor.href).replace('"', "&quot;")
                return f'<a{attribute} href="{href}">{escape_text(anchor.text)}</a>'
            return f"<span{attribute}>{escape_text(text)}</span>"

        before, after = (
            _mark.sub(fill, part).encode(made.charset, "xmlcharrefreplace")
            for part in (self._shell.before, self._shell.after)
        )
        return Frame(made.start, made.before + before, after + made.after, made.charset)

    def page(self, frame: Frame, page: PageModel) -> bytes:
        return self._inner.page(frame, page)


def frame_links(frame: SiteFrame) -> list[Anchor]:
    """The anchors of a site's menu, then those of its footer."""
    blocks = (block for block in (*frame.header, *frame.footer) if isinstance(block, Links))
    return [anchor for block in blocks for anchor in block.anchors]


def data_folder() -> Path | None:
    """Where real pages are; None where there are none."""
    named = os.environ.get(FOLDER)
    folder = Path(named) if named else None
    return folder if folder and (folder / "pages" / "modern.jsonl.gz").is_file() else None


@lru_cache(maxsize=1)
def shells() -> tuple[Shell, ...]:
    """All real pages that can be worn. Raises ConfigError where there are none."""
    folder = data_folder()
    if folder is None:
        raise ConfigError(
            f"profiles real-1, real-2 ... need real pages: set {FOLDER} to a folder that holds "
            "pages/modern.jsonl.gz"
        )
    with gzip.open(folder / "pages" / "modern.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    fit = (
        row for row in rows if len(row["html"]) <= _MOST_BYTES and not is_kept_back(row["domain"])
    )
    made = (make_shell(row["html"]) for row in fit)
    return tuple(shell for shell in made if shell is not None)


def is_kept_back(domain: str) -> bool:
    """Whether the host's pages judge what is built: the rule of `tools/splits.py`, which is not
    installed with the lab."""
    owner = _suffixes().privatesuffix(domain.strip().lower()) or domain
    return xxhash.xxh3_64_intdigest(f"leadline held out 1 {owner}".encode()) % 100 < 30


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


def make_shell(html: str) -> Shell | None:
    """A page taken apart; None for one without a main part or with hardly any links."""
    tree = LexborHTMLParser(html)
    main = next((node for name in _MAINS if (node := tree.css_first(name)) is not None), None)
    if main is None or tree.body is None:
        return None
    main.replace_with(_HERE)
    for node in tree.css(_DROPPED):
        node.decompose()
    anchors: list[tuple[str, str]] = []
    for node in tree.css("a"):
        if _holds_anchor(node):
            continue
        anchors.append((node.attributes.get("class") or "", " ".join(node.text().split())))
        node.replace_with(f"\x03{len(anchors) - 1}\x03")
    inner = tree.body.inner_html or ""
    before, here, after = inner.partition(_HERE)
    if not here or len(anchors) < _FEWEST_ANCHORS:
        return None
    return Shell(before, after, tuple(anchors))


def _holds_anchor(node: LexborNode) -> bool:
    return len(node.css("a")) > 1
