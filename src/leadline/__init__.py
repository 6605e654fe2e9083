"""Find the search forms that open onto hidden-Web databases, and extract their records.

Names are imported on first use, so that `leadline --help` need not load a crawler.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from leadline import parts as parts
    from leadline.api.calls import (
        ask,
        ask_async,
        crawl,
        crawl_async,
        harvest,
        harvest_async,
        run,
        run_async,
        verify,
        verify_async,
    )
    from leadline.api.results import Results, Table, open_store
    from leadline.config import Config, load_config
    from leadline.crawler.assembly import CrawlResult
    from leadline.crawler.harvests.assembly import HarvestResult, harvest_forms, harvest_forms_async
    from leadline.records.asking import AnswerTable

__all__ = [
    "AnswerTable",
    "Config",
    "CrawlResult",
    "HarvestResult",
    "Results",
    "Table",
    "ask",
    "ask_async",
    "crawl",
    "crawl_async",
    "harvest",
    "harvest_async",
    "harvest_forms",
    "harvest_forms_async",
    "load_config",
    "open_store",
    "run",
    "run_async",
    "verify",
    "verify_async",
]

_HOMES = {
    "Config": "leadline.config",
    "load_config": "leadline.config",
    "CrawlResult": "leadline.crawler.assembly",
    "HarvestResult": "leadline.crawler.harvests.assembly",
    "Results": "leadline.api.results",
    "Table": "leadline.api.results",
    "AnswerTable": "leadline.records.asking",
    "ask": "leadline.api.calls",
    "ask_async": "leadline.api.calls",
    "crawl": "leadline.api.calls",
    "crawl_async": "leadline.api.calls",
    "harvest": "leadline.api.calls",
    "harvest_async": "leadline.api.calls",
    "harvest_forms": "leadline.crawler.harvests.assembly",
    "harvest_forms_async": "leadline.crawler.harvests.assembly",
    "open_store": "leadline.api.results",
    "run": "leadline.api.calls",
    "run_async": "leadline.api.calls",
    "verify": "leadline.api.calls",
    "verify_async": "leadline.api.calls",
}


_OLD_NAMES = {"draw_up": "harvest_forms", "draw_up_async": "harvest_forms_async"}
"""Programs written for earlier versions still find these."""


def __getattr__(name: str) -> Any:
    if name == "parts":
        return import_module("leadline.parts")
    name = _OLD_NAMES.get(name, name)
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'leadline' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    """With what is not loaded yet: notebooks complete names by it."""
    return sorted({*globals(), *__all__, "parts"})
