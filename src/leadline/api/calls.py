"""`leadline.run`, `crawl`, `harvest` and `ask`, for code that blocks and for code that awaits.

Settings mean what they mean on the command line, and a store passes on those of its earlier run;
only `leadline.toml` is read by the command line alone: a program says what it wants.
"""

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import uvloop

from leadline.config import Config, read_seeds
from leadline.config.runs import check_store, settle_crawl, settle_harvest
from leadline.core.store import HarvestRunStore, Store
from leadline.crawler.assembly import CrawlResult, tune_memory
from leadline.crawler.assembly import crawl_async as crawl_with
from leadline.crawler.crawl import Crawl
from leadline.crawler.harvests.assembly import HarvestResult, harvest_forms_async
from leadline.crawler.harvests.verification import MOST_REQUESTS, verify_harvests
from leadline.errors import ConfigError
from leadline.harvester.session.pool import HarvestPool
from leadline.harvester.verification import Verification

if TYPE_CHECKING:
    # Loaded by the calls that need them: a crawl needs no tables.
    from leadline.job import JobResult
    from leadline.records.asking import AnswerTable

Place = str | Path
Settings = Mapping[str, object]
"""By dotted name, as in `docs/reference/config.md`: {"politeness.delay_s": 0.5}."""
STORE = "crawl.leadline"
T = TypeVar("T")


def run(
    phrase: str,
    seeds: Place | Iterable[Place] = (),
    *,
    out: Place = "",
    store: Place | None = None,
    requests: int = 2_000,
    settings: Settings | None = None,
    on_start: Callable[[Crawl, Store], None] | None = None,
) -> "JobResult":
    """The whole job, from a phrase to a table: find databases about it, extract their records, and
    write each thing once to `out`, a .sqlite file named after the phrase unless given.

    `seeds` are URLs or files of URLs; without them a SearXNG instance is asked, if one is set. A
    store that exists is resumed. `requests` pay for crawl and harvests together.

    Blocks, also in a notebook; in code that awaits, use `run_async`. Raises ConfigError or
    StoreError.
    """
    with tune_memory():
        return run_to_end(
            lambda: run_async(
                phrase,
                seeds,
                out=out,
                store=store,
                requests=requests,
                settings=settings,
                on_start=on_start,
            )
        )


async def run_async(
    phrase: str,
    seeds: Place | Iterable[Place] = (),
    *,
    out: Place = "",
    store: Place | None = None,
    requests: int = 2_000,
    settings: Settings | None = None,
    on_start: Callable[[Crawl, Store], None] | None = None,
) -> "JobResult":
    """`run` on the running event loop."""
    from leadline.job import finish_job, plan_job

    urls = read_seeds([str(seeds)] if isinstance(seeds, Place) else map(str, seeds))
    said: dict[str, object] = {
        "seeds": urls or None,
        "store.path": _path(store),
        "budget.pages": requests,
    }
    plan = await plan_job(phrase, _join_settings(said, settings), out=str(out))
    await crawl_with(plan.config, on_start)
    return finish_job(plan)


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

    `seeds` are URLs or files of URLs. `store` is `crawl.leadline` unless given; one that exists is
    resumed, its topic and settings included. A `Config` instead of a topic says
    everything. `on_start` gets the crawl to watch or steer it. Pages that fail raise nothing.

    Blocks, also in a notebook; in code that awaits, use `crawl_async`. Raises
    ConfigError or StoreError.
    """
    config = _crawl_config(topic, seeds, store, pages, strategy, settings)
    with tune_memory():
        return run_to_end(lambda: crawl_with(config, on_start))


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
    return await crawl_with(config, on_start)


def harvest(
    form: str,
    store: Place | Config | None = None,
    *,
    requests: int | None = None,
    policy: str | None = None,
    settings: Settings | None = None,
    on_start: Callable[[HarvestPool, HarvestRunStore], None] | None = None,
) -> HarvestResult:
    """Extract the records behind a form, until the requests are spent or nothing is worth asking.

    `form` is a signature or its beginning, a page whose best search form is taken, or `all`:
    every relevant form of the store. A harvest that was begun is resumed. A `Config` instead of a
    store says everything.

    Blocks, also in a notebook; in code that awaits, use `harvest_async`. Raises
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
    on_start: Callable[[HarvestPool, HarvestRunStore], None] | None = None,
) -> HarvestResult:
    """`harvest` on the running event loop."""
    config = _harvest_config(store, requests, policy, settings)
    return await harvest_forms_async(config, form, on_start)


def ask(
    question: str | Iterable[str] = (),
    store: Place | Config | None = None,
    *,
    fields: Mapping[str, object] | None = None,
    requests: int = 3,
    seconds: float = 60.0,
    forms: Iterable[str] = (),
    settings: Settings | None = None,
) -> "AnswerTable":
    """Put one question to all databases of a store; one typed table of what they answer.

    `question` are words, or several texts as on the command line ("author=Le Guin"); `fields` are
    conditions by field: {"author": "Le Guin", "year": "1990..2000", "price": "<=20"}. Each
    database gets `requests` at most, all together `seconds`. Sources that fail raise nothing: see
    `sources` of the table.

    Blocks, also in a notebook; in code that awaits, use `ask_async`. Raises ConfigError for a
    question that cannot be read, or a store without databases, and StoreError.
    """
    return run_to_end(
        lambda: ask_async(
            question,
            store,
            fields=fields,
            requests=requests,
            seconds=seconds,
            forms=forms,
            settings=settings,
        )
    )


async def ask_async(
    question: str | Iterable[str] = (),
    store: Place | Config | None = None,
    *,
    fields: Mapping[str, object] | None = None,
    requests: int = 3,
    seconds: float = 60.0,
    forms: Iterable[str] = (),
    settings: Settings | None = None,
) -> "AnswerTable":
    """`ask` on the running event loop."""
    from leadline.crawler.asking import AskLimits
    from leadline.records.asking import ask_store

    config, limits = _ask_config(store, settings), AskLimits(requests, seconds, tuple(forms))
    return await ask_store(config, _list_texts(question), fields, limits)


def _ask_config(store: Place | Config | None, settings: Settings | None) -> Config:
    config = _harvest_config(store, None, None, settings)
    check_store(config.store.path)
    return config


def _list_texts(question: str | Iterable[str]) -> list[str]:
    return [question] if isinstance(question, str) else list(question)


def verify(
    store: Place | Config | None = None,
    form: str = "",
    *,
    requests: int = MOST_REQUESTS,
    settings: Settings | None = None,
) -> list[Verification]:
    """Test again what the harvests of a store say of their coverage; `requests` for each, at most.

    `form` is a signature or its beginning; without it every harvest with records is tested. Adds
    no record. Blocks, also in a notebook; in code that awaits, use `verify_async`. Raises
    ConfigError or StoreError.
    """
    return run_to_end(lambda: verify_async(store, form, requests=requests, settings=settings))


async def verify_async(
    store: Place | Config | None = None,
    form: str = "",
    *,
    requests: int = MOST_REQUESTS,
    settings: Settings | None = None,
) -> list[Verification]:
    """`verify` on the running event loop."""
    return await verify_harvests(_harvest_config(store, None, None, settings), form, requests)


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
        return _use_config(topic, said, settings)
    said["topic.name"] = topic or None
    return settle_crawl(None, _join_settings(said, settings))[0]


def _harvest_config(
    store: Place | Config | None,
    requests: int | None,
    policy: str | None,
    settings: Settings | None,
) -> Config:
    said: dict[str, object] = {"harvest.max_requests": requests, "harvest.policy": policy}
    if isinstance(store, Config):
        return _use_config(store, said, settings)
    said["store.path"] = _path(store) or (settings or {}).get("store.path", STORE)
    return settle_harvest(None, _join_settings(said, settings))


def _path(store: Place | None) -> str | None:
    return None if store is None else str(store)


def _join_settings(said: Settings, settings: Settings | None) -> dict[str, object]:
    """Arguments and settings, which must not say the same thing twice."""
    arguments = {name: value for name, value in said.items() if value is not None}
    twice = [n for n in arguments if settings and settings.get(n, arguments[n]) != arguments[n]]
    if twice:
        raise ConfigError(f"{twice[0]} is given twice, as an argument and in settings; leave one")
    return {**(settings or {}), **arguments}


def _use_config(config: Config, said: Settings, settings: Settings | None) -> Config:
    more = [name for name, value in said.items() if value is not None] + list(settings or ())
    if more:
        raise ConfigError(
            f"a Config says everything, and {more[0]} is given call it; put it into "
            "leadline.load_config(settings=...), or leave the Config out"
        )
    return config


def run_to_end(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What the coroutine returns. Where an event loop runs already, as in a notebook, it gets a
    thread and a loop of its own; the caller waits for it there as anywhere else.

    Ctrl-C cancels it, waits until it has put its things away, and is raised.
    """
    if not _has_running_loop():
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(work())
    call = _ThreadedCall(work)
    with _on_ctrl_c(call.cancel):
        thread = threading.Thread(target=call.run, name="leadline", daemon=True)
        thread.start()
        thread.join()
    if call.is_cancelled:
        raise KeyboardInterrupt
    return call.result.result()


def _has_running_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@contextmanager
def _on_ctrl_c(do: Callable[[], None]) -> Iterator[None]:
    """Have Ctrl-C do this instead of raising KeyboardInterrupt wherever the code is: raised in the
    midst of waiting it would leave locks held and threads behind. Only the main thread hears it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: do())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class _ThreadedCall(Generic[T]):
    """A coroutine on a loop in another thread, which this one may cancel at any time."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, T]]) -> None:
        self.result: Future[T] = Future()
        self.is_cancelled = False
        self._work = work
        self._stop: Callable[[], object] | None = None

    def run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                self.result.set_result(runner.run(self._run_cancellable()))
        except BaseException as error:  # noqa: BLE001 - raised again by who waits
            self.result.set_exception(error)

    def cancel(self) -> None:
        self.is_cancelled = True
        if self._stop is not None:
            # The loop may have ended since then; so has what ran on it.
            with suppress(RuntimeError):
                self._stop()

    async def _run_cancellable(self) -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        if task is not None:
            cancel = task.cancel
            self._stop = lambda: loop.call_soon_threadsafe(cancel)
        if self.is_cancelled:
            raise asyncio.CancelledError
        return await self._work()
