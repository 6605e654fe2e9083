"""Reads large text files, packed or not, in blocks of whole lines."""

import gzip
import zlib
from collections.abc import Iterator
from gzip import GzipFile
from io import BufferedReader
from pathlib import Path

from leadline.errors import ConfigError

BLOCK_BYTES = 1 << 21
"""Read at a time: some 100,000 links."""


def blocks(path: Path, block_bytes: int = BLOCK_BYTES) -> Iterator[bytes]:
    """The lines of a file, or of all files of a folder by name; each block ends with a line.

    Raises ConfigError for what cannot be read or has no lines.
    """
    for file in _parts(path):
        try:
            with _opened(file) as packed:
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


def _opened(file: Path) -> GzipFile | BufferedReader:
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
