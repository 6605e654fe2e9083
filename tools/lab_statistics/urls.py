"""URLs: words of paths, endings, parameter names, how deep and how telling they are."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from leadline.core.url import path_of, registered_domain
from tools.lab_statistics import sources
from tools.lab_statistics.modern import Modern
from tools.lab_statistics.sources import owner_of
from tools.lab_statistics.spread import Spread, per_mille, quantiles

_words = re.compile(r"[a-z]{3,20}").findall
_ending = re.compile(r"\.([a-z][a-z0-9]{0,4})\Z").search
_SLOT = "{{{s}}}"
_CATEGORIES = 40
"""Subcategories with fewer search templates than this are left out."""


def count_urls(folder: Path) -> dict[str, Any]:
    return _link_urls(folder) | {"search": _template_urls(folder)}


def _link_urls(folder: Path) -> dict[str, Any]:
    words, endings, names = Spread(), Spread(), Spread()
    depths: list[int] = []
    links = opaque = mute = queried = 0
    for real in Modern(folder):
        for link in real.page.links:
            parts = urlsplit(path_of(link.target).lower())
            owner = owner_of(link.target)
            found = _words(_without_ending(parts.path))
            words.add(owner, found)
            endings.add(owner, [_ending_of(parts.path)])
            names.add(owner, _names(parts.query))
            depths.append(len([part for part in parts.path.split("/") if part]))
            links += 1
            opaque += not found and parts.path != "/"
            mute += not _words(_without_ending(parts.path).rpartition("/")[2]) and bool(
                parts.path.rpartition("/")[2]
            )
            queried += bool(parts.query)
    return {
        "links": links,
        "opaque_per_mille": per_mille(opaque, links),
        "last_part_opaque_per_mille": per_mille(mute, links),
        "with_query_per_mille": per_mille(queried, links),
        "depth": quantiles(depths),
        "path_words": words.met_by(3, 1_500),
        "extensions": endings.met_by(3, 40),
        "parameters": names.met_by(3, 400),
    }


def _template_urls(folder: Path) -> dict[str, Any]:
    names, words = Spread(), Spread()
    by_category: dict[str, list[Spread]] = {}
    sizes: dict[str, int] = {}
    slots = {"query": 0, "path": 0, "fragment": 0}
    for row in sources.rows(folder, "sources/search-templates"):
        parts = urlsplit(row["template"].lower())
        owner = registered_domain(row["host"])
        slots[_slot_of(parts.path, parts.query)] += 1
        asked = [n for n, value in parse_qsl(parts.query, keep_blank_values=True) if _SLOT in value]
        found = _words(_without_ending(parts.path.replace(_SLOT, "")))
        category = f"{row['category']}/{row['subcategory']}"
        sizes[category] = sizes.get(category, 0) + 1
        group = by_category.setdefault(category, [Spread(), Spread()])
        for spread in (names, group[0]):
            spread.add(owner, asked)
        for spread in (words, group[1]):
            spread.add(owner, found)
    large = sorted(name for name, size in sizes.items() if size >= _CATEGORIES)
    return {
        "templates": sum(slots.values()),
        "slot": slots,
        "parameters": names.met_by(3, 200),
        "path_words": words.met_by(3, 400),
        "categories": {name: _category(sizes[name], by_category[name]) for name in large},
    }


def _category(size: int, group: list[Spread]) -> dict[str, Any]:
    names, words = group
    return {
        "templates": size,
        "parameters": names.met_by(2, 40),
        "path_words": words.met_by(2, 60),
    }


def _slot_of(path: str, query: str) -> str:
    if _SLOT in query:
        return "query"
    return "path" if _SLOT in path else "fragment"


def _ending_of(path: str) -> str:
    """The file ending, '/' for a folder, '' for a name without one."""
    if path.endswith("/"):
        return "/"
    found = _ending(path)
    return found[1] if found else ""


def _without_ending(path: str) -> str:
    found = _ending(path)
    return path[: found.start()] if found else path


def _names(query: str) -> list[str]:
    pairs = (pair.partition("=")[0] for pair in query.split("&") if pair)
    return [name for name in pairs if re.fullmatch(r"[a-z_][a-z0-9_\[\].-]{0,19}", name)]
