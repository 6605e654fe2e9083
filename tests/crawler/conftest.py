"""A known site over real HTTP, and crawls of it."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from leadline.config import Config, load_config
from tests.server.good import GoodSite


@pytest.fixture
async def site() -> AsyncIterator[GoodSite]:
    served = GoodSite(pages=60, hosts=4)
    await served.start(0)
    yield served
    await served.stop()


@pytest.fixture
def config(site: GoodSite) -> Callable[..., Config]:
    def make(**changes: Any) -> Config:
        settings = {
            "seeds": ["http://site0.test/"],
            "topic.name": "book",
            "strategy.name": "breadth_first",
            "web.resolve": {"*": f"127.0.0.1:{site.port}"},
            "politeness.delay_s": 0.0,
            "store.path": ":memory:",
        }
        named = {name.replace("__", "."): value for name, value in changes.items()}
        return load_config(settings={**settings, **named})[0]

    return make
