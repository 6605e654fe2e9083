"""Markup around links: the tags they stand in and what classes are called."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

from tools.lab_statistics.modern import Modern
from tools.lab_statistics.spread import Spread, ranked

_opened = re.compile(r"<([a-zA-Z][a-zA-Z0-9]*)[\s/>]").findall
_classes = re.compile(r"""\sclass\s*=\s*["']([^"'<>]*)["']""").findall
_names = re.compile(r"[a-z]{2,16}").findall
_hump = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MIN_PAGES = 3
"""Tags met on fewer pages are misspelled ones."""


def count_paths(folder: Path) -> dict[str, Any]:
    paths, classes = Spread(), Spread()
    tags: Counter[str] = Counter()
    pages: Counter[str] = Counter()
    for real in Modern(folder):
        paths.add(real.owner, (last_tags(link.tag_path) for link in real.page.links))
        opened = Counter(tag.lower() for tag in _opened(real.html))
        tags.update(opened)
        pages.update(opened.keys())
        named = _hump.sub(" ", " ".join(_classes(real.html))).lower()
        classes.add(real.owner, _names(named))
    kept = {tag: count for tag, count in tags.items() if pages[tag] >= _MIN_PAGES}
    return {
        "link_paths": paths.counted(3, 400),
        "link_paths_by_owner": paths.met_by(3, 400),
        "tags": ranked(kept, 120),
        "class_words": classes.met_by(3, 1_200),
    }


def last_tags(tag_path: str) -> str:
    """`body/div.menu/ul/li` -> `ul/li/a`."""
    return "/".join([part.partition(".")[0] for part in tag_path.split("/")[-2:]] + ["a"])
