"""Remembers, in a file beside the store, which pages are being read in the crawl's own process.

A fault in C code ends a process without a word. Who opens the store next finds here what it was
reading, and has that read where it can do no harm. `crawler/reading.py` writes it.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import msgspec

from leadline.core.url import Url
from leadline.errors import StoreError
from leadline.store.address import IN_MEMORY, is_url

_MOST_BYTES = 1 << 20
"""Pages read together are as many as are fetched at the same time: some kilobytes of URLs."""
_encode = msgspec.json.Encoder().encode


class PageJournal:
    """`left` are the pages that were being read when the last process ended.

    What is written outlives the process at once, not the machine: nothing waits for a disk, and a
    line costs one call of the kernel. A full disk is left to the store, which says so better.
    """

    def __init__(self, path: Path) -> None:
        """`path` of a store that this process has for itself."""
        self._path = path.with_name(f"{path.name}.reading")
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StoreError(f"{self._path} cannot be opened for writing: {error}") from error
        self.left: tuple[Url, ...] = ()
        line = os.pread(self._file, _MOST_BYTES, 0).partition(b"\n")[0]
        # Half a line, of a machine that lost its power, names nobody.
        with suppress(msgspec.DecodeError):
            self.left = msgspec.json.decode(line, type=tuple[Url, ...]) if line else ()

    def begin(self, urls: Sequence[Url]) -> None:
        """These are being read from now on."""
        with suppress(OSError):
            os.pwrite(self._file, _encode(urls) + b"\n", 0)

    def end(self) -> None:
        """Nothing is being read."""
        with suppress(OSError):
            os.pwrite(self._file, b"\n", 0)

    def close(self) -> None:
        os.close(self._file)
        self._path.unlink(missing_ok=True)


@contextmanager
def open_page_journal(store_path: str | Path) -> Iterator[PageJournal | None]:
    """None for a store that is no file: of one in memory nothing outlives the process, and who
    crawls on a database may do so from machines that see none of each other's files."""
    if is_url(store_path) or str(store_path) == IN_MEMORY:
        yield None
        return
    with closing(PageJournal(Path(store_path))) as journal:
        yield journal
