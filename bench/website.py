"""Writes the benchmark's web: hosts on loopback addresses, every page a file with 60 links."""

import argparse
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench import pages

PAGES_PER_VISIT = 9
"""Pages of the web per page crawled: a crawler then meets about 10 unknown links on a page."""
FIXED = 1 + len(pages.SECTIONS) + len(pages.FIXED_PAGES)
"""Home page, section fronts and the footer's pages come first on each host."""
MIN_PAGES_PER_HOST = FIXED + 2 * pages.SAME_HOST_LINKS

FORM = 2
"""Raise it when pages come out differently: kept webs of another form are written again."""

ROBOTS = """User-agent: *
Disallow: /account/
Disallow: /print/
Disallow: /search
Disallow: /*?session=
Allow: /search/help

User-agent: BadBot
Disallow: /
"""


class Shape(NamedTuple):
    """All that decides a web: the same shape gives the same bytes."""

    per_host: int
    hosts: int
    port: int
    seed: int = 1
    bulk_bytes: int = 0
    """How much larger a page is made than its text and links need."""
    scheme: str = "http"

    @property
    def size(self) -> int:
        return self.per_host * self.hosts


class Web(NamedTuple):
    """Who links to whom. Page n stands on host n % hosts."""

    shape: Shape
    paths: list[str]
    titles: list[str]
    near: NDArray[np.int32]
    """Per page, pages of the same host."""
    far: NDArray[np.int32]
    """Per page, pages of any host."""


def shape_for(
    visits: int, hosts: int, port: int, bulk_bytes: int = 0, scheme: str = "http"
) -> Shape:
    """A web large enough that a crawl of so many pages meets 10 unknown links a page."""
    per_host = max(MIN_PAGES_PER_HOST, visits * PAGES_PER_VISIT // hosts)
    return Shape(per_host, hosts, port, bulk_bytes=bulk_bytes, scheme=scheme)


def address(host: int) -> str:
    """Hosts are loopback addresses: no resolver stands between a client and the server."""
    return f"127.0.1.{host + 1}"


def seeds(hosts: int, port: int, scheme: str = "http") -> list[str]:
    return [f"{scheme}://{address(host)}:{port}/" for host in range(hosts)]


def plan(shape: Shape, words: pages.Words, rng: np.random.Generator) -> Web:
    drawn = words.draw(rng, shape.size * 3)
    names = [drawn[3 * page : 3 * page + 3] for page in range(shape.size)]
    hosts = np.arange(shape.size, dtype=np.int32)[:, None] % shape.hosts
    near = _ranks(shape, rng) * np.int32(shape.hosts) + hosts
    far = rng.integers(
        FIXED * shape.hosts, shape.size, (shape.size, pages.CROSS_HOST_LINKS), dtype=np.int32
    )
    return Web(
        shape,
        [_path(page, page // shape.hosts, names[page]) for page in range(shape.size)],
        [" ".join(name).title() for name in names],
        near,
        far,
    )


def _ranks(shape: Shape, rng: np.random.Generator) -> NDArray[np.int32]:
    """Per page, the numbers on their host of the pages it links to, all different."""
    open_ranks = shape.per_host - FIXED
    widest = open_ranks // pages.SAME_HOST_LINKS
    gaps = rng.integers(1, widest + 1, (shape.size, pages.SAME_HOST_LINKS), dtype=np.int32)
    starts = rng.integers(0, open_ranks, (shape.size, 1), dtype=np.int32)
    return (np.cumsum(gaps, axis=1, dtype=np.int32) + starts) % np.int32(open_ranks) + np.int32(
        FIXED
    )


def _section(page: int) -> str:
    return pages.SECTIONS[page % len(pages.SECTIONS)]


def _path(page: int, rank: int, name: list[str]) -> str:
    """`rank` is the page's number on its own host."""
    if rank == 0:
        return "/"
    if rank <= len(pages.SECTIONS):
        return f"/{pages.SECTIONS[rank - 1]}/"
    if rank < FIXED:
        return f"/{pages.FIXED_PAGES[rank - 1 - len(pages.SECTIONS)]}"
    return f"/{_section(page)}/{'-'.join(name)}-{page}.html"


def outline(web: Web, page: int) -> pages.Outline:
    hosts, start = web.shape.hosts, f"{web.shape.scheme}://"
    port = web.shape.port
    return pages.Outline(
        title=web.titles[page],
        section=_section(page),
        slug=web.titles[page].lower().replace(" ", "-"),
        number=page,
        near=[pages.Target(web.paths[to], web.titles[to]) for to in web.near[page].tolist()],
        far=[
            pages.Target(f"{start}{address(to % hosts)}:{port}{web.paths[to]}", web.titles[to])
            for to in web.far[page].tolist()
        ],
    )


def write(folder: Path, shape: Shape) -> dict[str, float]:
    """Fill the folder, one directory per host; returns figures about the web.

    A folder already holding this very web is left as it is.
    """
    manifest = folder / "manifest.json"
    identity = {**shape._asdict(), "form": FORM}
    if manifest.exists():
        kept: dict[str, float] = json.loads(manifest.read_text())
        if all(kept.get(name) == value for name, value in identity.items()):
            return kept
    rng = np.random.default_rng(shape.seed)
    words = pages.Words(shape.seed)
    web = plan(shape, words, rng)
    _make_directories(folder, shape.hosts)
    bulk = pages.draw_bulk(words, rng, shape.bulk_bytes)
    size = sum(_write_page(folder, web, page, words, rng, bulk) for page in range(shape.size))
    figures = {**identity, "pages": shape.size, "page_bytes": size / shape.size}
    manifest.write_text(json.dumps(figures))
    return figures


def _make_directories(folder: Path, hosts: int) -> None:
    for host in range(hosts):
        home = folder / address(host)
        for section in pages.SECTIONS:
            (home / section).mkdir(parents=True, exist_ok=True)
        (home / "robots.txt").write_text(ROBOTS)


def _write_page(
    folder: Path,
    web: Web,
    page: int,
    words: pages.Words,
    rng: np.random.Generator,
    bulk: tuple[str, str],
) -> int:
    text = pages.render(
        outline(web, page), words.draw(rng, pages.PAGE_WORDS), rng.integers(0, 10_000, 16), bulk
    )
    path = web.paths[page] + ("index.html" if web.paths[page].endswith("/") else "")
    return (folder / address(page % web.shape.hosts) / path[1:]).write_bytes(text.encode())


def new_links_per_page(shape: Shape, visits: int) -> float:
    """Unknown URLs met per page by a crawl in random order that starts from all home pages."""
    rng = np.random.default_rng(shape.seed)
    web = plan(shape, pages.Words(shape.seed), rng)
    standing = FIXED * shape.hosts
    known = np.zeros(shape.size, bool)
    known[: shape.hosts] = True
    frontier = list(range(shape.hosts))
    found = 0
    for _ in range(min(visits, shape.size)):
        page = frontier.pop(int(rng.integers(len(frontier))))
        menu = np.arange(page % shape.hosts, standing, shape.hosts)
        targets = np.unique(np.concatenate((web.near[page], web.far[page], menu)))
        fresh = targets[~known[targets]]
        known[fresh] = True
        frontier.extend(fresh.tolist())
        found += len(fresh)
    print_versions, logins = min(visits, shape.size), shape.hosts
    return (found + print_versions + logins) / visits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=3_000, help="pages of the crawl")
    parser.add_argument("--hosts", type=int, default=64)
    parser.add_argument("--port", type=int, default=18_080)
    options = parser.parse_args()
    shape = shape_for(options.pages, options.hosts, options.port)
    figures = write(options.folder, shape)
    figures["new_links_per_page"] = new_links_per_page(shape, options.pages)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
