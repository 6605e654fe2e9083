"""Who points here: providers of back-links behind the port `Backlinks`.

docs/guides/backlinks.md tells what each costs and misses.
"""

from typing import TYPE_CHECKING

from leadline.backlinks.settings import BackLinkSettings

if TYPE_CHECKING:
    from leadline.backlinks.providers import open_backlinks

__all__ = ["BackLinkSettings", "open_backlinks"]


def __getattr__(name: str) -> object:
    # Reading settings must not wait for SQLite and all providers to be imported.
    if name != "open_backlinks":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from leadline.backlinks.providers import open_backlinks

    return open_backlinks
