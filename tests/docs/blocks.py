"""The pages of the documentation and the blocks of code on them.

How a block is held to its word is told by its language: `python` runs, page by page in one folder,
unless its first line says `# Not run: ` and why; `sh` is checked command by command, and runs after
the comment `<!-- run -->`; `toml` loads as settings; `json` and `pycon` are read. Others are shown.
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
SHOWN = {"text", "csv", "html", "pyi"}
LANGUAGES = {"python", "sh", "toml", "json", "pycon", *SHOWN}
NOT_RUN = "# Not run: "
_FENCE = re.compile(
    r"^(?P<mark><!-- run -->\n)?```(?P<language>[^\n]*)\n(?P<code>.*?)^```$", re.M | re.S
)


class Block(NamedTuple):
    """One fenced block."""

    page: Path
    line: int
    language: str
    code: str
    is_marked: bool

    @property
    def runs(self) -> bool:
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
            match["language"],
            match["code"],
            match["mark"] is not None,
        )
        for match in _FENCE.finditer(text)
    ]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


ALL = [block for page in PAGES for block in blocks_of(page)]


def written_in(language: str) -> list[Block]:
    return [block for block in ALL if block.language == language]
