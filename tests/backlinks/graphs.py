"""Small host graphs in the text form in which Common Crawl publishes large ones."""

import gzip
from collections.abc import Iterable
from pathlib import Path

HOSTS = ["com.alpha", "com.alpha.shop", "de.beta", "org.gamma", "org.omega"]
LINKS = [(0, 2), (1, 2), (3, 2), (2, 0), (4, 0), (3, 3), (3, 2)]
"""Beta is linked to by alpha, its shop and gamma, once twice; alpha by beta and omega."""


def write_graph(
    folder: Path,
    hosts: Iterable[tuple[int, str]] = tuple(enumerate(HOSTS)),
    links: Iterable[tuple[int, int]] = tuple(LINKS),
) -> tuple[Path, Path]:
    """The files of vertices and of edges."""
    vertices, edges = folder / "vertices.txt.gz", folder / "edges.txt.gz"
    write_lines(vertices, hosts)
    write_lines(edges, links)
    return vertices, edges


def write_lines(file: Path, rows: Iterable[tuple[object, ...]]) -> None:
    text = "".join("\t".join(map(str, row)) + "\n" for row in rows)
    file.write_bytes(gzip.compress(text.encode()) if file.suffix == ".gz" else text.encode())
