"""A team on a small known web in time that passes only when everybody waits."""

import asyncio
import random
import selectors
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from leadline.config import Config, load_config
from leadline.core.http import Request, Response
from leadline.core.ports import Fetcher
from leadline.core.url import Site, Url, host_of, path_of, site_of
from leadline.crawler.network import StoredRobots
from leadline.crawler.store_calls import StoreCalls
from leadline.crawler.team import Clocks, Member, MemberParts, join_team
from leadline.errors import StoreUnreachableError
from leadline.store.leases import StoreClock
from leadline.store.memory import MemoryStore
from leadline.web.exchange import BodyLimits, Exchange, Permits
from leadline.web.fetcher import HttpFetcher, RetryingSender
from leadline.web.politeness import Gate, ServerTurns
from leadline.web.robots import Robots
from tests.server.good import ROBOTS, Town

T = TypeVar("T")
MIDDAY = 1_700_000_000.0


TURN_S = 1e-7


class _Jumping(selectors.SelectSelector):
    """Instead of waiting, lets the time pass. A turn of the loop takes a moment, too: who waits
    for less than the clock tells apart would wait for ever."""

    def __init__(self) -> None:
        super().__init__()
        self.time = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        self.time += max(timeout or 0.0, TURN_S)
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next thing that is due."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.time


@dataclass
class Web:
    """A town and the log of all requests to it: site, path and second."""

    town: Town
    latency_s: float = 0.05
    moved: Mapping[str, str] = field(default_factory=dict)
    """Redirects by URL."""
    log: list[tuple[Site, str, float]] = field(default_factory=list)

    async def find_address(self, _host: str) -> str:
        """One machine has all of it."""
        return "192.0.2.1"

    def answer(self, request: Request) -> tuple[int, str, str]:
        site, path = site_of(request.url), path_of(request.url)
        self.log.append((site, path, asyncio.get_running_loop().time()))
        if request.url in self.moved:
            return 302, "", self.moved[request.url]
        if path == "/robots.txt":
            return 200, ROBOTS, ""
        number = self._number(site, path)
        return (404, "nothing", "") if number is None else (200, self.town.html(number), "")

    def _number(self, site: Site, path: str) -> int | None:
        if path == "/":
            return int(host_of(site).partition(".")[0].removeprefix("site"))
        text = path.removeprefix("/page/")
        return int(text) if text.isdecimal() and int(text) < self.town.pages else None

    def gaps(self) -> list[float]:
        """Seconds between two requests to the same site."""
        last: dict[Site, float] = {}
        found = []
        for site, _, at in self.log:
            if site in last:
                found.append(at - last[site])
            last[site] = at
        return found


class _WebExchange(Exchange):
    """The real exchange, permits and gate included, without a socket."""

    def __init__(
        self,
        web: Web,
        gate: Gate,
        permits: Permits,
        servers: ServerTurns,
        now: Callable[[], float],
    ) -> None:
        self._web = web
        self._gate = gate
        self._permits = permits
        self._servers = servers if servers.spacing.is_limited else None
        self._find_address = web.find_address
        self._now = now

    async def _ask(
        self,
        request: Request,
        site: Site,  # noqa: ARG002 (the exchange's signature)
        limits: BodyLimits,  # noqa: ARG002
    ) -> tuple[Response, float]:
        status, body, location = self._web.answer(request)
        await asyncio.sleep(self._web.latency_s)
        headers = [("content-type", "text/html"), *([("location", location)] if location else [])]
        response = Response(
            *(request.url, status, tuple(headers), body.encode(), self._now(), 0.05),
            size_bytes=len(body),
        )
        return response, self._web.latency_s


@dataclass
class Office:
    """A store, the web outside, and the members' lines to the store. Made inside the loop."""

    config: Config
    web: Web
    store: MemoryStore = field(init=False)
    dead_until: dict[str, float] = field(default_factory=dict)
    """Whose line to the store is dead, and until when."""

    def __post_init__(self) -> None:
        self.store = MemoryStore(32, clock=StoreClock(self._now, self._time))

    def _time(self) -> float:
        return asyncio.get_running_loop().time()

    def _now(self) -> float:
        return MIDDAY + self._time()

    def parts(self, name: str, dice: random.Random) -> MemberParts:
        async def run(call: Callable[[], T]) -> T:
            await asyncio.sleep(dice.choice((0.0, 0.001, 0.01)))
            if self._time() < self.dead_until.get(name, 0.0):
                if dice.random() < 0.5:
                    call()
                await asyncio.sleep(1.0)
                raise StoreUnreachableError("the line is dead")
            return call()

        def make_fetcher(permits: Permits, rules: StoredRobots, servers: ServerTurns) -> Fetcher:
            gate = Gate(self.config.politeness, self._now, clock=self._time)
            exchange = _WebExchange(self.web, gate, permits, servers, self._now)
            sender = RetryingSender(exchange, gate)
            robots = Robots(
                self.config.robots, "leadline", sender.send, gate,
                load=rules.load, save=rules.save, now=self._now,
            )  # fmt: skip
            return HttpFetcher(
                sender, robots, gate, self.config.web,
                in_scope=lambda _url: "", now=self._now, close=_nothing,
            )  # fmt: skip

        clocks = Clocks(self._now, self._time, self._time)
        return MemberParts(StoreCalls(run, dice=dice.random), make_fetcher, clocks=clocks)

    async def take_part(
        self, name: str, dice: random.Random, on_start: Callable[[Member], None] | None = None
    ) -> None:
        async with join_team(self.config, self.store, name, self.parts(name, dice)) as member:
            if on_start is not None:
                on_start(member)
            await member.run()


async def _nothing() -> None:
    pass


def settings(town: Town, **changes: Any) -> Config:
    named = {name.replace("__", "."): value for name, value in changes.items()}
    return load_config(
        settings={
            "seeds": [town.url(0)],
            "topic.name": "book",
            "strategy.name": "breadth_first",
            "strategy.fallback": "",
            "politeness.delay_s": 1.0,
            "politeness.sites_per_address": 0,
            "politeness.sites_per_domain": 0,
            "crawl.concurrency": 4,
            "budget.pages": 0,
            "cluster.lease_s": 20.0,
            "cluster.lease_margin_s": 0.5,
            "cluster.learner_timeout_s": 5.0,
            "cluster.links_per_lease": 4,
            "cluster.pages_per_lease": 4,
            "web.total_timeout_s": 2.0,
            **named,
        }
    )[0]


def in_virtual_time(main: Callable[[], Any]) -> Any:
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main())


__all__ = ["Office", "Url", "Web", "in_virtual_time", "settings"]
