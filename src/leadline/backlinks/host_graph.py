"""A graph of hosts in one file, read in place: which hosts link to a host.

From its beginning, so that it can be written in one go:

    names      the hosts in reverse notation (`com.example.shop`), sorted, without separators
    name ends  uint64 per host and a leading 0: where each name ends
    sources    uint32 per link, by target and source: the number of the linking host
    link ends  uint64 per host and a leading 0: where the links to each host end
    footer     magic, then as uint64 the number of hosts, of links and of the names' bytes

All numbers are little-endian. A question reads some thirty names and the links it answers with,
whatever the size of the file.
"""

import struct
from bisect import bisect_left
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from leadline.errors import ConfigError

MAGIC = b"leadhost"
FOOTER = struct.Struct("<8sQQQ")
ENDS = np.dtype("<u8")
SOURCES = np.dtype("<u4")


class HostGraph:
    """A file made by `leadline backlinks import`. Raises ConfigError for any other."""

    def __init__(self, path: Path) -> None:
        whole = _map_file(path)
        magic, hosts, links, name_bytes = FOOTER.unpack(whole[-FOOTER.size :].tobytes())
        ends_bytes = (hosts + 1) * ENDS.itemsize
        sizes = (name_bytes, ends_bytes, links * SOURCES.itemsize, ends_bytes, FOOTER.size)
        if magic != MAGIC or sum(sizes) != len(whole):
            raise _make_format_error(path)
        starts = np.cumsum((0, *sizes)).tolist()
        names, name_ends, sources, link_ends = (
            whole[start : start + size] for start, size in zip(starts, sizes[:-1], strict=False)
        )
        self.hosts, self.links = hosts, links
        self._names = names
        self._name_ends = name_ends.view(ENDS)
        self._sources = sources.view(SOURCES)
        self._link_ends = link_ends.view(ENDS)

    def find_backlinks(self, host: str, limit: int) -> list[str]:
        """Hosts that link there; of more than `limit` every so many, not those of the first
        top-level domains only."""
        number = self._number(host)
        if number is None:
            return []
        first, end = (int(at) for at in self._link_ends[number : number + 2])
        count = end - first
        wanted = min(count, limit)
        return [
            reverse_host(
                self._name(int(self._sources[first + at * count // wanted])).decode("ascii")
            )
            for at in range(wanted)
        ]

    def _number(self, host: str) -> int | None:
        name = reverse_host(host).encode("ascii", "replace")
        number = bisect_left(range(self.hosts), name, key=self._name)
        return number if number < self.hosts and self._name(number) == name else None

    def _name(self, number: int) -> bytes:
        start, end = self._name_ends[number : number + 2].tolist()
        return self._names[start:end].tobytes()


def reverse_host(host: str) -> str:
    """A host name to reverse notation and back.

    >>> reverse_host("shop.example.com"), reverse_host("com.example.shop")
    ('com.example.shop', 'shop.example.com')
    """
    return ".".join(reversed(host.split(".")))


def _map_file(path: Path) -> NDArray[np.uint8]:
    try:
        if path.stat().st_size < FOOTER.size:
            raise _make_format_error(path)
        return np.memmap(path, np.uint8, "r")
    except OSError as error:
        raise ConfigError(f"cannot read the host graph {path}: {error.strerror}") from error


def _make_format_error(path: Path) -> ConfigError:
    return ConfigError(f"{path} is no host graph; make one: leadline backlinks import")
