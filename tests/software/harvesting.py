"""From an application's home page to its records, as a user of leadline would go."""

from pathlib import Path

from leadline import crawl_async, harvest_async, load_config
from leadline.core.crawl import StoredForm
from leadline.core.harvest import Record
from leadline.store import open_store_view
from tests.software.application import Application

_PAGES = 30
"""Searches are a few clicks from a home page; help pages are many."""
_REQUESTS = 400
"""More than any of them needs."""
_PATIENCE = 50
"""Half of what a user's harvest has: these are small, and tests have to end."""


async def found_forms(application: Application, store: Path) -> list[StoredForm]:
    """Forms met by a crawl from the home page, the most surely searchable first."""
    settings = {
        "seeds": [f"{application.served.url}/"],
        "topic.name": "records",
        "topic.words": list(application.words),
        "strategy.name": "breadth_first",
        "scope.stay_on_seed_sites": True,
        "budget.pages": _PAGES,
        "politeness.delay_s": 0.0,
        "web.allow_private": True,
        "store.path": str(store),
    }
    await crawl_async(load_config(settings=settings)[0])
    opened = open_store_view(store)
    try:
        return sorted(opened.reader.forms(), key=lambda stored: -stored.judged.searchable)
    finally:
        opened.close()


async def harvested(form: StoredForm, store: Path) -> list[Record]:
    """All records that a harvest of the form keeps in the store."""
    settings = {
        "web.allow_private": True,
        "politeness.delay_s": 0.0,
        "store.path": str(store),
        "harvest.max_requests": _REQUESTS,
        "harvest.patience_requests": _PATIENCE,
    }
    await harvest_async(form.judged.signature, load_config(settings=settings)[0])
    opened = open_store_view(store)
    try:
        return [kept.record for kept in opened.harvests.records()]
    finally:
        opened.close()
