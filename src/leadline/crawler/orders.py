"""Runs the orders that people left in the inbox of a crawl's store (decision 15)."""

import math
import time
from collections.abc import Callable
from typing import Protocol

import msgspec
from msgspec import structs

from leadline.core.crawl import Budget, Event
from leadline.core.inbox import (
    BUDGET,
    EXCLUDE,
    PAUSE,
    RESUME,
    SEEDS,
    STOP,
    Order,
    budget_change,
    parse_names,
    site_name,
)
from leadline.core.store import Store
from leadline.core.url import Url, site_of
from leadline.crawler.decisions import CrawlPlan
from leadline.crawler.links import EXCLUDED, Scope, make_seed, parse_seed
from leadline.crawler.store_calls import StoreCalls
from leadline.errors import ConfigError
from leadline.harvester.session.session import STOP_ORDERED

EXCLUDED_POLL_S = 2.0
POLL_S = 0.5
"""Between two looks at the inbox, at least."""
NOTHING_RUNS = "nothing was running"
EXCLUDED_KEY = "excluded"
"""Under which a store keeps the sites that were excluded by order."""
_FOR_A_RUN = (PAUSE, RESUME, STOP)
"""Orders that are void when no crawl runs."""
_MOST_NAMED = 3
"""Refused seeds that are told of one by one."""


class SteeredRun(Protocol):
    """What orders need of a run."""

    plan: CrawlPlan

    @property
    def is_paused(self) -> bool: ...

    def pause(self) -> None: ...

    def resume(self) -> None: ...

    def stop(self, reason: str = ...) -> None: ...


class OrderRunner:
    """Sees to the orders of one run, each once, in the order given.

    Guarantees: what an order changed is durable before it is finished; one that cannot be obeyed
    changes nothing and is refused in words. Time between two looks is that of the machine, so
    that crawls with a clock of their own ask as seldom.
    """

    def __init__(
        self,
        run: SteeredRun,
        store: Store,
        scope: Scope | None,
        now: Callable[[], float],
        tick: Callable[[], float] = time.monotonic,
        opened_at: float = math.inf,
    ) -> None:
        """Orders to a run that were left before `opened_at` were meant for an earlier one."""
        self._run = run
        self._store = store
        self._scope = scope
        self._opened_at = opened_at
        self._now = now
        self._tick = tick
        self._next_look = 0.0
        self._seen = 0
        self._acts: dict[str, Callable[[str], str]] = {
            PAUSE: self._pause,
            RESUME: self._resume,
            STOP: self._stop,
            BUDGET: self._change_budget,
            SEEDS: self._add_seeds,
            EXCLUDE: self._exclude,
        }

    def begin(self) -> None:
        """Bring back what earlier orders excluded, and obey what was left since the last run: not
        what was meant for that one."""
        kept = self._store.load(EXCLUDED_KEY)
        if kept is not None and self._scope is not None:
            self._scope.exclude(msgspec.json.decode(kept, type=list[str]))
        self.close_excluded()
        for order in self._new_orders():
            is_void = order.kind in _FOR_A_RUN and order.at < self._opened_at
            self._finish(order, NOTHING_RUNS if is_void else self._obey(order))

    @property
    def is_due(self) -> bool:
        """Whether it is time to look again."""
        return self._tick() >= self._next_look

    def look(self) -> None:
        """Run what was left meanwhile."""
        self._next_look = self._tick() + POLL_S
        for order in self._new_orders():
            self._finish(order, self._obey(order))

    def close_excluded(self) -> int:
        """Close the open sites that are excluded; how many there were."""
        scope = self._scope
        if scope is None or not scope.excludes:
            return 0
        closed = self._store.links.close_sites(
            lambda site: bool(scope.why_excluded(site)), EXCLUDED
        )
        for site in closed:
            self._store.note(Event(self._now(), "site-left", site, EXCLUDED))
        return len(closed)

    def _new_orders(self) -> list[Order]:
        given = self._store.inbox.orders(self._seen)
        if given:
            self._seen = given[-1].id
        return [order for order in given if order.done_at is None]

    def _finish(self, order: Order, outcome: str) -> None:
        at = self._now()
        self._store.note(Event(at, "order", order.kind, outcome))
        self._store.flush()
        self._store.inbox.finish(order.id, at, outcome)

    def _obey(self, order: Order) -> str:
        """What became of it."""
        act = self._acts.get(order.kind)
        if act is None:
            return f"refused: unknown order {order.kind!r}; a later leadline may know it"
        try:
            return act(order.detail)
        except ConfigError as error:
            return f"refused: {error}"

    def _pause(self, _: str) -> str:
        if self._run.is_paused:
            return "was paused already"
        self._run.pause()
        return "paused"

    def _resume(self, _: str) -> str:
        if not self._run.is_paused:
            return "was not paused"
        self._run.resume()
        return "goes on"

    def _stop(self, _: str) -> str:
        self._run.stop(STOP_ORDERED)
        return "stops"

    def _change_budget(self, detail: str) -> str:
        change = budget_change(detail)
        plan = self._run.plan
        budget = change.apply_to(plan.budget)
        self._run.plan = structs.replace(plan, budget=budget)
        settings = self._store.load("config")
        if settings is not None:
            self._store.save("config", change_saved_budget(settings, budget))
        limits = [
            f"{name} {limit or 'without limit'}" for name, limit in change.list_limits().items()
        ]
        return f"budget: {', '.join(limits)}"

    def _add_seeds(self, detail: str) -> str:
        wanted: list[Url] = []
        refused: list[str] = []
        for text in parse_names(detail):
            url = parse_seed(text, self._run.plan.url_rules)
            why = "not an http(s) URL" if url is None else self._why_not(url)
            if why:
                refused.append(f"{text} ({why})")
            elif url is not None:
                wanted.append(url)
        if not wanted:
            raise ConfigError(shorten(refused))
        new = self._store.links.put([make_seed(url) for url in wanted])
        known = len(wanted) - new
        words = [f"{new} seeds added", *([f"{known} known already"] if known else [])]
        return ", ".join(words) + (f"; refused: {shorten(refused)}" if refused else "")

    def _why_not(self, url: Url) -> str:
        closed = self._store.links.site(site_of(url)).closed
        return self._run.plan.rules.why_not(url) or (closed and f"its site was left: {closed}")

    def _exclude(self, detail: str) -> str:
        if self._scope is None:
            raise ConfigError("this crawl has a fixed scope; set scope.deny for its next run")
        names = [site_name(name) for name in parse_names(detail)]
        kept = self._store.load(EXCLUDED_KEY)
        before = msgspec.json.decode(kept, type=list[str]) if kept is not None else []
        self._store.save(EXCLUDED_KEY, msgspec.json.encode(sorted({*before, *names})))
        self._scope.exclude(names)
        closed = self.close_excluded()
        return f"excluded {', '.join(names)}; open sites closed: {closed}"


def change_saved_budget(settings: bytes, budget: Budget) -> bytes:
    """A run's saved settings with other limits, so that later runs go by them; 0 is none."""
    saved = msgspec.json.decode(settings, type=dict[str, object])
    limits = {name: limit or 0 for name, limit in structs.asdict(budget).items()}
    return msgspec.json.encode({**saved, "budget": limits})


def shorten(refused: list[str]) -> str:
    """The first ones, and how many more there are.

    >>> shorten(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    more = len(refused) - _MOST_NAMED
    return ", ".join(refused[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


class ExclusionUpdates:
    """Brings the scope of a worker up to date, now and then: orders are run by another one."""

    def __init__(
        self, store: Store, calls: StoreCalls, scope: Scope, tick: Callable[[], float]
    ) -> None:
        self._store = store
        self._calls = calls
        self._scope = scope
        self._tick = tick
        self._next_look = 0.0
        self._kept = b""

    async def renew(self) -> None:
        if self._tick() < self._next_look:
            return
        kept = await self._calls(lambda: self._store.load(EXCLUDED_KEY))
        self._next_look = self._tick() + EXCLUDED_POLL_S
        if kept is not None and kept != self._kept:
            self._kept = kept
            self._scope.exclude(msgspec.json.decode(kept, type=list[str]))
