"""Find the search forms that open onto hidden-Web databases, and draw up their records.

Names are imported on first use, so that `leadline --help` need not load a crawler.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from leadline.config import Config, load_config
    from leadline.engine.harvest.wire import HarvestResult, draw_up, draw_up_async
    from leadline.engine.wire import CrawlResult, crawl, crawl_async
    from leadline.store import open_store

__all__ = [
    "Config",
    "CrawlResult",
    "HarvestResult",
    "crawl",
    "crawl_async",
    "draw_up",
    "draw_up_async",
    "load_config",
    "open_store",
]

_HOMES = {
    "Config": "leadline.config",
    "load_config": "leadline.config",
    "CrawlResult": "leadline.engine.wire",
    "HarvestResult": "leadline.engine.harvest.wire",
    "crawl": "leadline.engine.wire",
    "crawl_async": "leadline.engine.wire",
    "draw_up": "leadline.engine.harvest.wire",
    "draw_up_async": "leadline.engine.harvest.wire",
    "open_store": "leadline.store",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'leadline' has no attribute {name!r}")
    return getattr(import_module(home), name)
