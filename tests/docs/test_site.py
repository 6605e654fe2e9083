"""The documentation builds into a site that is complete and asks no other host for anything."""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.blocks import DOCS, ROOT

CONFIG = ROOT / "zensical.toml"
NAVIGATION = tomllib.loads(CONFIG.read_text("utf-8"))["project"]["nav"]
_FETCHED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed)\b[^>]*\bsrc\s*=\s*["']?([^"'\s>]+)"""
    r"""|<link\b[^>]*\bhref\s*=\s*["']?([^"'\s>]+)""",
    re.I,
)
_STYLE = re.compile(r"<style\b.*?</style>", re.S | re.I)
_STYLED = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""", re.I)


def pages_of(entries: object) -> Iterator[str]:
    """The files that a navigation names, in its order."""
    if isinstance(entries, str):
        yield entries
    elif isinstance(entries, dict):
        for inner in entries.values():
            yield from pages_of(inner)
    elif isinstance(entries, list):
        for inner in entries:
            yield from pages_of(inner)


def test_the_navigation_has_every_page_once() -> None:
    named = list(pages_of(NAVIGATION))
    written = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
    assert sorted(named) == written


def test_the_index_of_decisions_has_all_of_them_by_their_titles() -> None:
    text = (DOCS / "decisions" / "index.md").read_text("utf-8")
    listed = re.findall(r"^\| (\d+) \| \[([^\]]+)\]\(([^)]+)\) \|", text, re.M)
    written = []
    for path in sorted((DOCS / "decisions").glob("0*.md")):
        number, _, title = (
            path.read_text("utf-8").partition("\n")[0].removeprefix("# ").partition(". ")
        )
        written.append((number, title, path.name))
    assert listed == written


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as `make docs` builds it, from a copy: building writes beside the settings."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copy(CONFIG, folder)
    shutil.copytree(DOCS, folder / "docs")
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "--clean"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "build" / "site"


def test_every_page_is_on_the_site(site: Path) -> None:
    built = {path.relative_to(site).with_suffix("").as_posix() for path in site.rglob("*.html")}
    assert [name for name in pages_of(NAVIGATION) if name.removesuffix(".md") not in built] == []


def test_no_page_fetches_anything_from_another_host(site: Path) -> None:
    asked = {
        f"{path.relative_to(site)}: {address}"
        for path in site.rglob("*.html")
        for found in _FETCHED.findall(path.read_text("utf-8"))
        for address in found
        if _is_elsewhere(address)
    }
    assert sorted(asked) == []


def test_no_style_fetches_anything_from_another_host(site: Path) -> None:
    asked = {
        address
        for path in [*site.rglob("*.css"), *site.rglob("*.html")]
        for found in _STYLED.findall(_styles(path))
        for address in found
        if _is_elsewhere(address)
    }
    assert sorted(asked) == []


def test_blocks_of_code_are_blocks_on_the_site(site: Path) -> None:
    """A fence that the builder does not know is left in the text as it is."""
    assert [str(path) for path in site.rglob("*.html") if "```" in _shown(path)] == []


def _styles(path: Path) -> str:
    text = path.read_text("utf-8")
    return text if path.suffix == ".css" else "".join(_STYLE.findall(text))


def _is_elsewhere(address: str) -> bool:
    return address.startswith(("http:", "https:", "//"))


def _shown(path: Path) -> str:
    return re.sub(r"<(script|style)\b.*?</\1>", "", path.read_text("utf-8"), flags=re.S)
