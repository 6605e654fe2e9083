"""Shapes of pages: how many links, words, forms and bytes, and how deep."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from tools.lab_statistics import sources
from tools.lab_statistics.modern import Modern
from tools.lab_statistics.sources import ListLine, RealPage, owner_of
from tools.lab_statistics.spread import mean_quantiles, per_mille, quantiles


def count_shapes(folder: Path) -> dict[str, Any]:
    modern: dict[str, list[int]] = {}
    for real in Modern(folder):
        for name, value in page_shape(real).items():
            modern.setdefault(name, []).append(value)
    return {
        "pages": len(modern["links"]),
        "page": mean_quantiles(modern),
        "lists": {name: _list_shape(lines) for name, lines in sources.lists(folder)},
    }


def page_shape(real: RealPage) -> dict[str, int]:
    page = real.page
    owner = owner_of(page.url)
    outside = sum(owner_of(link.target) != owner for link in page.links)
    return {
        "links": len(page.links),
        "distinct_links": len({link.target for link in page.links}),
        "external_links": outside,
        "external_per_mille": per_mille(outside, len(page.links)),
        "words": len(page.text.split()),
        "leaves": len(page.leaves),
        "leaves_with_text": sum(bool(leaf) for leaf in page.leaves),
        "forms": len(page.forms),
        "title_words": len(page.title.split()),
        "bytes": len(real.html.encode()),
        "depth": _depth(real.html),
    }


def _depth(html: str) -> int:
    tree = LexborHTMLParser(html)
    return max(_levels(tree.root), default=0)


def _levels(root: LexborNode | None) -> Iterator[int]:
    open_nodes = [(root, 1)] if root is not None else []
    while open_nodes:
        node, level = open_nodes.pop()
        yield level
        child = node.child
        while child is not None:
            if child.tag and child.tag[0] not in "-!":
                open_nodes.append((child, level + 1))
            child = child.next


def _list_shape(lines: list[ListLine]) -> dict[str, Any]:
    targets = [url for line in lines for _, url in line.anchors]
    return {
        "links": len(targets),
        "hosts": len({owner_of(url) for url in targets}),
        "links_per_line": quantiles(len(line.anchors) for line in lines),
        "words_per_line": quantiles(len(line.text.split()) for line in lines),
        "words_per_anchor": quantiles(len(a.split()) for line in lines for a, _ in line.anchors),
    }
