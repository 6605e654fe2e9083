"""Every link of the docs leads somewhere, on the site and where files are read as they are."""

import re
import unicodedata
from pathlib import Path

import pytest

from tests.docs.blocks import DOCS, PAGES, ROOT, name_of

_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.M | re.S)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.M)


def links_of(page: Path) -> list[str]:
    text = _CODE.sub("", page.read_text(encoding="utf-8"))
    return [link for link in _LINK.findall(text) if "://" not in link and ":" not in link]


def plain_headings(page: Path) -> list[str]:
    """Without marks: what anchors are made of."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    marked = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line) for line in _HEADING.findall(text)]
    return [line.replace("`", "").replace("*", "").strip() for line in marked]


def anchors_of(page: Path) -> set[str]:
    """Those that the site and repository viewers both give a heading."""
    headings = plain_headings(page)
    on_site = {slug(heading) for heading in headings}
    in_viewers = {re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in headings}
    return on_site & in_viewers


def slug(heading: str) -> str:
    """As the builder of the site has it."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_and_anchors_lead_somewhere(page: Path) -> None:
    lost = []
    for link in links_of(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors_of(target)):
            lost.append(link)
    assert lost == []


def test_pages_of_the_site_link_to_nothing_beside_it() -> None:
    """What is outside docs/ is not on the site."""
    outside = [
        f"{name_of(page)}: {link}"
        for page in PAGES
        if page.is_relative_to(DOCS)
        for link in links_of(page)
        if not (page.parent / link.partition("#")[0]).resolve().is_relative_to(DOCS)
    ]
    assert outside == []


def test_every_picture_is_shown_somewhere() -> None:
    shown = {
        (page.parent / link).resolve()
        for page in PAGES
        for link in links_of(page)
        if "images" in link
    }
    made = {path.resolve() for path in (DOCS / "images").rglob("*") if path.is_file()}
    assert sorted(str(path.relative_to(ROOT)) for path in made - shown) == []
