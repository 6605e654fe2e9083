"""`leadline.crawl` and `leadline.harvest`, for code that waits and for code that awaits.

Settings mean what they mean on the command line, and a store hands on those of its earlier run;
only `leadline.toml` is read by the command line alone: a program says what it wants.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from leadline.api.blocking import run_to_end
from leadline.config import Config, read_seeds
from leadline.config.runs import settle_crawl, settle_harvest
from leadline.core.store import Store
from leadline.crawler.assembly import CrawlResult, tuned_memory
from leadline.crawler.assembly import crawl_async as crawl_by
from leadline.crawler.crawl import Crawl
from leadline.crawler.harvests.assembly import HarvestResult, harvest_forms_async
from leadline.errors import ConfigError
from leadline.harvester.session.pool import HarvestPool

Place = str | Path
Settings = Mapping[str, object]
"""By dotted name, as in `docs/reference/config.md`: {"politeness.delay_s": 0.5}."""
STORE = "crawl.leadline"


def crawl(
    topic: str | Config = "",
    seeds: Place | Iterable[Place] = (),
    *,
    store: Place | None = None,
    pages: int | None = None,
    strategy: str | None = None,
    settings: Settings | None = None,
    on_start: Callable[[Crawl, Store], None] | None = None,
) -> CrawlResult:
    """Find search forms about a topic, starting from seeds, until the pages are spent.

    `seeds` are URLs or files of URLs. `store` is `crawl.leadline` unless given; one that is there
    goes on where it stopped, its topic and settings included. A `Config` instead of a topic says
    everything. `on_start` gets the crawl to watch or steer it. Pages that fail raise nothing.

    Waits, also in a notebook; in code of your own that awaits, take `crawl_async`. Raises
    ConfigError or StoreError.
    """
    config = _crawl_config(topic, seeds, store, pages, strategy, settings)
    with tuned_memory():
        return run_to_end(lambda: crawl_by(config, on_start))


async def crawl_async(
    topic: str | Config = "",
    seeds: Place | Iterable[Place] = (),
    *,
    store: Place | None = None,
    pages: int | None = None,
    strategy: str | None = None,
    settings: Settings | None = None,
    on_start: Callable[[Crawl, Store], None] | None = None,
) -> CrawlResult:
    """`crawl` on the running event loop."""
    config = _crawl_config(topic, seeds, store, pages, strategy, settings)
    return await crawl_by(config, on_start)


def harvest(
    form: str,
    store: Place | Config | None = None,
    *,
    requests: int | None = None,
    policy: str | None = None,
    settings: Settings | None = None,
    on_start: Callable[[HarvestPool, Store], None] | None = None,
) -> HarvestResult:
    """Draw up the records behind a form, until the requests are spent or nothing is worth asking.

    `form` is a signature or its beginning, a page whose best search form is taken, or `all`:
    every relevant form of the store. A harvest that was begun goes on. A `Config` instead of a
    store says everything.

    Waits, also in a notebook; in code of your own that awaits, take `harvest_async`. Raises
    ConfigError, StoreError, and FetchError when the form's page cannot be had.
    """
    config = _harvest_config(store, requests, policy, settings)
    return run_to_end(lambda: harvest_forms_async(config, form, on_start))


async def harvest_async(
    form: str,
    store: Place | Config | None = None,
    *,
    requests: int | None = None,
    policy: str | None = None,
    settings: Settings | None = None,
    on_start: Callable[[HarvestPool, Store], None] | None = None,
) -> HarvestResult:
    """`harvest` on the running event loop."""
    config = _harvest_config(store, requests, policy, settings)
    return await harvest_forms_async(config, form, on_start)


def _crawl_config(
    topic: str | Config,
    seeds: Place | Iterable[Place],
    store: Place | None,
    pages: int | None,
    strategy: str | None,
    settings: Settings | None,
) -> Config:
    urls = read_seeds([str(seeds)] if isinstance(seeds, Place) else map(str, seeds))
    said: dict[str, object] = {
        "seeds": urls or None,
        "store.path": _path(store),
        "budget.pages": pages,
        "strategy.name": strategy,
    }
    if isinstance(topic, Config):
        return _alone(topic, said, settings)
    said["topic.name"] = topic or None
    return settle_crawl(None, _together(said, settings))[0]


def _harvest_config(
    store: Place | Config | None,
    requests: int | None,
    policy: str | None,
    settings: Settings | None,
) -> Config:
    said: dict[str, object] = {"harvest.max_requests": requests, "harvest.policy": policy}
    if isinstance(store, Config):
        return _alone(store, said, settings)
    said["store.path"] = _path(store) or (settings or {}).get("store.path", STORE)
    return settle_harvest(None, _together(said, settings))


def _path(store: Place | None) -> str | None:
    return None if store is None else str(store)


def _together(said: Settings, settings: Settings | None) -> dict[str, object]:
    """Arguments and settings, which must not say the same thing twice."""
    arguments = {name: value for name, value in said.items() if value is not None}
    twice = [n for n in arguments if settings and settings.get(n, arguments[n]) != arguments[n]]
    if twice:
        raise ConfigError(f"{twice[0]} is given twice, as an argument and in settings; leave one")
    return {**(settings or {}), **arguments}


def _alone(config: Config, said: Settings, settings: Settings | None) -> Config:
    more = [name for name, value in said.items() if value is not None] + list(settings or ())
    if more:
        raise ConfigError(
            f"a Config says everything, and {more[0]} is given beside it; put it into "
            "leadline.load_config(settings=...), or leave the Config out"
        )
    return config
