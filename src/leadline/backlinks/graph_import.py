"""Makes a host graph of the text files that Common Crawl publishes.

Vertices are lines `id, tab, reversed host` (what follows is ignored), sorted by both; links are
lines `id, tab, id` in any order. Common Crawl's files are such, of hosts and of domains.
Memory is bounded but for 8 bytes a host and the links to the single host that gets most.
"""

import gzip
import shutil
import tempfile
import warnings
import zlib
from collections.abc import Iterator, Sequence
from gzip import GzipFile
from io import BufferedReader
from pathlib import Path
from typing import IO

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.backlinks.host_graph import ENDS, FOOTER, MAGIC, SOURCES
from leadline.errors import ConfigError

BLOCK_BYTES = 1 << 21
"""Read at a time: some 100,000 links."""
Keys = NDArray[np.uint64]
"""Links as numbers: the target in the upper 32 bits, the source in the lower."""
RUN_KEYS = 4_000_000
"""Links sorted at a time: 32 MB, some 100 MB with what sorting and merging need besides."""
_LOWER = np.uint64(0xFFFF_FFFF)
Ids = NDArray[np.int64]
_BITS = np.uint64(32)
_MOST_ID = (1 << 32) - 1
"""A link is kept as two numbers of 32 bits; Common Crawl's largest graphs have 10^9 hosts."""


def read_blocks(path: Path, block_bytes: int = BLOCK_BYTES) -> Iterator[bytes]:
    """The lines of a file, or of all files of a folder by name; each block ends with a line.

    Raises ConfigError for what cannot be read or has no lines.
    """
    for file in _parts(path):
        try:
            with _open_part(file) as packed:
                yield from _whole_lines(packed, file, block_bytes)
        except (OSError, EOFError, zlib.error) as error:
            raise ConfigError(f"cannot read {file}: {error}") from error


def _parts(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.iterdir() if file.suffix in (".gz", ".txt", ".tsv"))
    if not found:
        raise ConfigError(f"{path} holds no .gz, .txt or .tsv files")
    return found


def _open_part(file: Path) -> GzipFile | BufferedReader:
    return gzip.open(file, "rb") if file.suffix == ".gz" else file.open("rb")


def _whole_lines(lines: GzipFile | BufferedReader, file: Path, block_bytes: int) -> Iterator[bytes]:
    rest = b""
    while piece := lines.read(block_bytes):
        cut = piece.rfind(b"\n") + 1
        if not cut and len(rest) + len(piece) > block_bytes:
            raise ConfigError(f"{file} is not made of lines")
        if cut:
            yield rest + piece[:cut]
            rest = b""
        rest += piece[cut:]
    if rest:
        yield rest + b"\n"


class SortedLinks:
    """Takes in links in any order, then gives them back sorted and each once."""

    def __init__(self, path: Path, run_keys: int = RUN_KEYS) -> None:
        """`path` is a file of its own; whoever names it deletes it."""
        self._path = path
        self._run_keys = run_keys
        self._waiting: list[Keys] = []
        self._ends = [0]
        """Where each run ends in the file."""

    def add(self, keys: Keys) -> None:
        self._waiting.append(keys)
        if sum(map(len, self._waiting)) >= self._run_keys:
            self._write_run()

    def merge(self) -> Iterator[Keys]:
        """All of them, in pieces. All links to one target come in the same piece, so that a
        piece may be larger than a run where one host gets very many."""
        self._write_run()
        if self._ends[-1] == 0:
            return
        runs = np.memmap(self._path, np.uint64, "r")
        left = [runs[start:end] for start, end in zip(self._ends, self._ends[1:], strict=False)]
        ahead = max(1, self._run_keys // len(left))
        while left := [run for run in left if len(run)]:
            # Each run gives at most `ahead` and the rest of one target's.
            last = min(run[min(ahead, len(run)) - 1] for run in left) | _LOWER
            cuts = [int(np.searchsorted(run, last, side="right")) for run in left]
            yield _sort_distinct(
                np.concatenate([run[:cut] for run, cut in zip(left, cuts, strict=True)])
            )
            left = [run[cut:] for run, cut in zip(left, cuts, strict=True)]

    def _write_run(self) -> None:
        if not self._waiting:
            return
        run = np.sort(np.concatenate(self._waiting))
        self._waiting.clear()
        with self._path.open("ab") as file:
            file.write(run.data)
        self._ends.append(self._ends[-1] + len(run))


def _sort_distinct(keys: Keys) -> Keys:
    """Sorted in place, each once: np.unique hashes instead, and takes far longer."""
    keys.sort()
    is_first = np.ones(len(keys), np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=is_first[1:])
    return keys[is_first]


class GraphImport(Struct, frozen=True):
    """What an import brought."""

    hosts: int
    links: int
    """Distinct, from one host to another."""
    dropped: int
    """Links to or from a host that is not among the vertices."""
    size_bytes: int


class _Names(Struct, frozen=True):
    """What was read of the vertices."""

    hosts: int
    name_bytes: int
    ids: Ids
    """Rising; those of the files."""


def import_graph(vertices: Path, edges: Path, out: Path) -> GraphImport:
    """Write the graph to `out`, which is replaced only at the end. Raises ConfigError."""
    for path in (vertices, edges):
        if not path.exists():
            raise ConfigError(f"there is no {path}")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out.parent, prefix=".import-") as folder:
            return _import(vertices, edges, out, Path(folder))
    except OSError as error:
        raise ConfigError(f"cannot write {out}: {error.strerror}") from error


def _import(vertices: Path, edges: Path, out: Path, folder: Path) -> GraphImport:
    partial = folder / "graph"
    with partial.open("wb") as graph:
        names = _write_names(vertices, graph, folder)
        links = SortedLinks(folder / "links")
        dropped = sum(_add_links(block, edges, names, links) for block in read_blocks(edges))
        count = _write_links(links, graph, folder, names.hosts)
        graph.write(FOOTER.pack(MAGIC, names.hosts, count, names.name_bytes))
    size = partial.stat().st_size
    partial.replace(out)
    return GraphImport(names.hosts, count, dropped, size)


def _write_names(vertices: Path, graph: IO[bytes], folder: Path) -> _Names:
    """Write the names and where each ends."""
    hosts, end, last = 0, 0, (-1, b"")
    with (folder / "ends").open("w+b") as ends, (folder / "ids").open("wb") as ids:
        ends.write(np.zeros(1, ENDS).data)
        for block in read_blocks(vertices):
            numbers, names = _parse_names(block, vertices)
            _check_rising(last, numbers, names, vertices)
            last = int(numbers[-1]), names[-1]
            graph.write(b"".join(names))
            name_ends = end + np.cumsum([len(name) for name in names], dtype=ENDS)
            ends.write(name_ends.data)
            ids.write(numbers.data)
            hosts, end = hosts + len(names), int(name_ends[-1])
        ends.seek(0)
        shutil.copyfileobj(ends, graph)
    if not hosts:
        raise ConfigError(f"{vertices} is empty")
    return _Names(hosts, end, np.memmap(folder / "ids", np.int64, "r"))


def _parse_names(block: bytes, vertices: Path) -> tuple[Ids, list[bytes]]:
    rows = [line.split(b"\t", 2) for line in block.split(b"\n")[:-1]]
    try:
        numbers = np.array([int(row[0]) for row in rows], np.int64)
        return numbers, [row[1].rstrip(b"\r") for row in rows]
    except (ValueError, IndexError, OverflowError):
        raise ConfigError(f"{vertices} has lines that are not `id, tab, reversed host`") from None


def _check_rising(
    last: tuple[int, bytes], numbers: Ids, names: Sequence[bytes], vertices: Path
) -> None:
    is_rising = int(numbers[0]) > last[0] and bool(np.all(np.diff(numbers) > 0))
    if not is_rising or int(numbers[-1]) > _MOST_ID:
        raise ConfigError(f"the ids of {vertices} must rise from line to line, up to {_MOST_ID}")
    if names[0] < last[1] or list(names) != sorted(names):
        raise ConfigError(f"the hosts of {vertices} must be sorted by their bytes (LC_ALL=C sort)")


def _add_links(block: bytes, edges: Path, names: _Names, links: SortedLinks) -> int:
    """Take in the links of a block; how many were dropped."""
    pairs = _parse_links(block, edges)
    places = _find_places(names, pairs)
    is_known = (places >= 0).all(axis=1)
    known = places[is_known]
    known = known[known[:, 0] != known[:, 1]].astype(np.uint64)
    keys: Keys = (known[:, 1] << _BITS) | known[:, 0]
    links.add(keys)
    return len(pairs) - int(np.count_nonzero(is_known))


def _parse_links(block: bytes, edges: Path) -> Ids:
    wrong = ConfigError(f"{edges} has lines that are not `id, tab, id`")
    with warnings.catch_warnings():
        # What is no number ends the reading with a warning only.
        warnings.simplefilter("error", DeprecationWarning)
        try:
            numbers = np.fromstring(block.decode("ascii"), np.int64, sep=" ")
        except (DeprecationWarning, ValueError):
            raise wrong from None
    if len(numbers) != 2 * block.count(b"\n"):
        raise wrong
    return numbers.reshape(-1, 2)


def _find_places(names: _Names, ids: Ids) -> Ids:
    """The place of each id among the hosts; -1 for none."""
    if int(names.ids[-1]) == names.hosts - 1:
        # No number is left out, as in Common Crawl's own files: ids are places.
        return np.where((ids >= 0) & (ids < names.hosts), ids, -1)
    places = np.minimum(np.searchsorted(names.ids, ids), names.hosts - 1)
    return np.where(names.ids[places] == ids, places, -1)


def _write_links(links: SortedLinks, graph: IO[bytes], folder: Path, hosts: int) -> int:
    """Write the sources and where those of each host end; how many there are."""
    written, next_host = 0, 0
    with (folder / "ends").open("w+b") as ends:
        ends.write(np.zeros(1, ENDS).data)
        for keys in links.merge():
            targets = (keys >> _BITS).astype(np.int64)
            graph.write(keys.astype(SOURCES).data)
            counts = np.bincount(targets - next_host)
            ends.write((written + np.cumsum(counts)).astype(ENDS).data)
            written, next_host = written + len(keys), int(targets[-1]) + 1
        ends.write(np.full(hosts - next_host, written, ENDS).data)
        ends.seek(0)
        shutil.copyfileobj(ends, graph)
    return written
