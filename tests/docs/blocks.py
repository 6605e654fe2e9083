"""The pages of the documentation and the blocks of code on them.

How a block is held to its word is told by its language: `python` runs, page by page in one folder,
unless its first line says `# Not run: ` and why; `sh` is checked command by command, and runs after
the comment `<!-- run -->`; `toml` loads as settings; `json` is read. A block with a title is a file
of that name, there for the blocks after it. Others are shown.
"""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [
    *sorted(DOCS.rglob("*.md")),
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "bench" / "README.md",
]
SHOWN = {"text", "csv", "html", "pyi", "pycon"}
LANGUAGES = {"python", "sh", "toml", "json", *SHOWN}
NOT_RUN = "# Not run: "
_FENCE = re.compile(
    r"^(?P<mark><!-- run -->\n)?"
    r"```(?P<info>[^\n]*?)(?: title=\"(?P<title>[^\"\n]+)\")?\n(?P<code>.*?)^```$",
    re.M | re.S,
)


class Block(NamedTuple):
    """One fenced block."""

    page: Path
    line: int
    language: str
    code: str
    is_marked: bool = False
    title: str = ""

    @property
    def runs(self) -> bool:
        """Or is written, where it is a file."""
        if self.title:
            return True
        if self.language == "python":
            return not self.code.startswith(NOT_RUN)
        return self.language == "sh" and self.is_marked

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks_of(page: Path) -> list[Block]:
    """All of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            page,
            text.count("\n", 0, match.start()) + 1,
            match["info"],
            match["code"],
            match["mark"] is not None,
            match["title"] or "",
        )
        for match in _FENCE.finditer(text)
    ]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


ALL = [block for page in PAGES for block in blocks_of(page)]


def written_in(language: str) -> list[Block]:
    return [block for block in ALL if block.language == language]
