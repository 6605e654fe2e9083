"""Find the search forms that open onto hidden-Web databases, and draw up their records.

Names are imported on first use, so that `leadline --help` need not load a crawler.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from leadline import parts as parts
    from leadline.api.calling import crawl, crawl_async, harvest, harvest_async
    from leadline.api.results import Results, open_store
    from leadline.api.table import Table
    from leadline.config import Config, load_config
    from leadline.crawler.assembly import CrawlResult
    from leadline.crawler.harvests.wire import HarvestResult, draw_up, draw_up_async

__all__ = [
    "Config",
    "CrawlResult",
    "HarvestResult",
    "Results",
    "Table",
    "crawl",
    "crawl_async",
    "draw_up",
    "draw_up_async",
    "harvest",
    "harvest_async",
    "load_config",
    "open_store",
]

_HOMES = {
    "Config": "leadline.config",
    "load_config": "leadline.config",
    "CrawlResult": "leadline.crawler.assembly",
    "HarvestResult": "leadline.crawler.harvests.wire",
    "Results": "leadline.api.results",
    "Table": "leadline.api.table",
    "crawl": "leadline.api.calling",
    "crawl_async": "leadline.api.calling",
    "draw_up": "leadline.crawler.harvests.wire",
    "draw_up_async": "leadline.crawler.harvests.wire",
    "harvest": "leadline.api.calling",
    "harvest_async": "leadline.api.calling",
    "open_store": "leadline.api.results",
}


def __getattr__(name: str) -> Any:
    if name == "parts":
        return import_module("leadline.parts")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'leadline' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    """With what is not loaded yet: notebooks complete names by it."""
    return sorted({*globals(), *__all__, "parts"})
