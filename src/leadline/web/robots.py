"""robots.txt by RFC 9309: fetched once per origin, cached, obeyed."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Protocol

import msgspec

from leadline.core.http import Request, Response
from leadline.core.state_change import find_state_change
from leadline.core.url import Url, canonical, origin_of, path_of, site_of
from leadline.errors import (
    AddressRefusedError,
    ConnectionFailedError,
    FetchError,
    LeaseOverError,
    RobotsDeniedError,
    SiteBusyError,
)
from leadline.web.exchange import BodyLimits, RequestCount, find_redirect
from leadline.web.politeness import Gate
from leadline.web.robots_text import RobotsText
from leadline.web.settings import DAY_S, RobotsSettings

_MAX_WAIT_S = 3_600.0
"""Longest pause between two tries for a robots.txt that cannot be fetched."""


class RobotsRules:
    """What one origin's robots.txt says to us, and until when that holds."""

    __slots__ = ("_allowed", "_text", "crawl_delay_s", "expires_at", "sitemaps")

    def __init__(self, body: bytes, agent: str, expires_at: float) -> None:
        self._text = RobotsText(body, agent) if body else None
        self._allowed = ""
        """The last URL that was: each is asked about before its site is obtained and after."""
        self.expires_at = expires_at
        self.crawl_delay_s = self._text.crawl_delay_s if self._text else 0.0
        self.sitemaps = self._text.sitemaps if self._text else ()

    def allow(self, url: Url) -> bool:
        """Whether the URL, which is of this origin, may be fetched."""
        if self._text is None or url == self._allowed:
            return True
        if is_allowed := self._text.allow(path_of(url)):
            self._allowed = url
        return is_allowed


class RobotsCopy(msgspec.Struct, frozen=True):
    """What is stored of a robots.txt, so that a restarted crawl need not fetch it again."""

    at: float
    """Wall-clock second of the answer; of the first failure when `failed`."""
    body: bytes = b""
    """Empty when there are no rules."""
    failed: bool = False


class RobotsOutage(msgspec.Struct, frozen=True):
    """A robots.txt that cannot be fetched for the time being."""

    since: float
    tries: int
    retry_at: float
    kind: type[FetchError]
    """Of the latest failure. The error itself is not kept: it holds all it passed through."""
    reason: str
    answered: bool
    """Whether the site answered at all (429, 5xx) or not."""
    is_final: bool = False
    """Whether its pages count as failed rather than as waiting."""

    def failure(self, url: Url, now: float) -> FetchError:
        """What asking for a page of this origin comes to."""
        reason = f"robots.txt: {self.reason}"
        if self.is_final:
            return self.kind(url, reason)
        return SiteBusyError(url, reason, max(0.0, self.retry_at - now))


def extend_outage(
    before: RobotsOutage | None, error: FetchError, now: float, settings: RobotsSettings
) -> RobotsOutage:
    """The outage after one more failure: pauses double; refusals and long silence are final."""
    since, tries = (before.since, before.tries + 1) if before else (now, 1)
    pause_s = min(settings.unreachable_wait_s * 2 ** min(tries - 1, 20), _MAX_WAIT_S)
    retry_at = now + max(pause_s, min(error.retry_after_s or 0.0, _MAX_WAIT_S))
    answered = isinstance(error, SiteBusyError)
    is_gone = isinstance(error, ConnectionFailedError) or tries >= settings.unreachable_tries
    is_final = is_gone and not answered
    return RobotsOutage(since, tries, retry_at, type(error), error.reason, answered, is_final)


class SendRequest(Protocol):
    """`Exchange.send`."""

    def __call__(
        self, request: Request, limits: BodyLimits, count: RequestCount, floor_s: float
    ) -> Awaitable[Response]: ...


class Robots:
    """The rules of every origin met.

    Guarantees: nothing is allowed before the origin's robots.txt was answered;
    2xx rules, 4xx allows all, 5xx and silence wait (an expired copy serves
    meanwhile); concurrent questions about one origin send one request.
    """

    def __init__(
        self,
        settings: RobotsSettings,
        agent: str,
        send: SendRequest,
        gate: Gate,
        *,
        load: Callable[[str], bytes | None],
        save: Callable[[str, bytes], None],
        now: Callable[[], float],
    ) -> None:
        """`agent` is the product token looked for in robots.txt."""
        self._settings = settings
        self._agent = agent
        self._send = send
        self._gate = gate
        self._load = load
        self._save = save
        self._now = now
        self._limits = BodyLimits(settings.max_bytes, settings.max_bytes, cuts=True)
        self._known: OrderedDict[str, RobotsRules] = OrderedDict()
        self._outages: OrderedDict[str, RobotsOutage] = OrderedDict()
        self._asking: dict[str, asyncio.Lock] = {}

    async def check(self, url: Url, count: RequestCount) -> float:
        """The Crawl-delay in force; raises RobotsDeniedError, or FetchError when unknown."""
        if not self._settings.obey:
            return 0.0
        origin = origin_of(url)
        rules = self._known.get(origin)
        if rules is None or rules.expires_at <= self._now():
            rules = await self._learn(origin, url, count)
        if not rules.allow(url):
            raise RobotsDeniedError(url, "forbidden by robots.txt")
        return min(rules.crawl_delay_s, self._settings.max_crawl_delay_s)

    def check_known(self, url: Url) -> None:
        """Raises RobotsDeniedError if rules that are at hand forbid it; asks for none."""
        rules = self._known.get(origin_of(url)) if self._settings.obey else None
        if rules is not None and rules.expires_at > self._now() and not rules.allow(url):
            raise RobotsDeniedError(url, "forbidden by robots.txt")

    async def sitemaps(self, origin: str) -> tuple[str, ...]:
        """The sitemaps robots.txt lists, as written there. May ask for it; raises FetchError."""
        url = Url(origin + "/")
        rules = self._known.get(origin) or await self._learn(origin, url, RequestCount())
        return rules.sitemaps

    async def _learn(self, origin: str, url: Url, count: RequestCount) -> RobotsRules:
        lock = self._asking.setdefault(origin, asyncio.Lock())
        async with lock:
            try:
                return self._recall_rules(origin, url) or await self._ask(origin, url, count)
            finally:
                self._asking.pop(origin, None)

    def _recall_rules(self, origin: str, url: Url) -> RobotsRules | None:
        """Rules known meanwhile or from an earlier run; raises while an outage lasts."""
        now = self._now()
        rules = self._known.get(origin)
        if rules is None:
            record = self._load_copy(origin)
            if record and not record.failed:
                rules = self._keep(origin, record)
            elif record and origin not in self._outages:
                self._outages[origin] = RobotsOutage(
                    record.at, 1, 0.0, SiteBusyError, "failed before", answered=True
                )
        if rules and rules.expires_at > now:
            return rules
        outage = self._outages.get(origin)
        if outage and now < outage.retry_at:
            raise outage.failure(url, now)
        return None

    async def _ask(self, origin: str, url: Url, count: RequestCount) -> RobotsRules:
        spent = count.requests
        try:
            response = await self._follow(Url(origin + "/robots.txt"), count)
        except AddressRefusedError as error:
            raise AddressRefusedError(url, error.reason) from error
        except LeaseOverError as error:
            raise LeaseOverError(url, error.reason) from error
        except FetchError as error:
            if count.requests == spent:
                # The gate kept it back: robots.txt itself has not failed.
                raise type(error)(url, error.reason, error.retry_after_s) from error
            return self._fail(origin, url, error)
        if response.status >= 500:
            return self._fail(origin, url, SiteBusyError(url, f"status {response.status}"))
        self._outages.pop(origin, None)
        body = response.body if 200 <= response.status < 300 else b""
        record = RobotsCopy(self._now(), body)
        self._save(_key(origin), msgspec.msgpack.encode(record))
        rules = self._keep(origin, record)
        delay_s = min(rules.crawl_delay_s, self._settings.max_crawl_delay_s)
        self._gate.postpone(site_of(url), delay_s)
        return rules

    async def _follow(self, url: Url, count: RequestCount) -> Response:
        """Robots.txt redirects may lead to other hosts; too many of them, and one that would change
        something there, mean no rules."""
        hops = 0
        while True:
            response = await self._send(Request(url), self._limits, count, 0.0)
            location = find_redirect(response)
            target = location and canonical(location, url)
            if not target or hops == self._settings.max_redirects or find_state_change(target):
                return response
            url = target
            hops += 1

    def _fail(self, origin: str, url: Url, error: FetchError) -> RobotsRules:
        """What an unanswered question means: an old copy, no rules, or waiting (raised)."""
        now = self._now()
        outage = extend_outage(self._outages.get(origin), error, now, self._settings)
        stale = self._known.get(origin)
        # RFC 9309 2.3.1.4: an old copy serves on; after a long time there are no rules.
        if stale or (
            outage.answered and now - outage.since > self._settings.unreachable_days * DAY_S
        ):
            rules = stale or RobotsRules(b"", self._agent, outage.retry_at)
            rules.expires_at = outage.retry_at
            return self._remember(origin, rules)
        if outage.answered and outage.tries == 1:
            self._save(_key(origin), msgspec.msgpack.encode(RobotsCopy(now, failed=True)))
        self._outages[origin] = outage
        if len(self._outages) > self._settings.cache_origins:
            self._outages.popitem(last=False)
        if not outage.is_final:
            self._gate.postpone(site_of(url), outage.retry_at - now)
        raise outage.failure(url, now)

    def _keep(self, origin: str, record: RobotsCopy) -> RobotsRules:
        # A record from the future was written by a clock that was wrong.
        ends_at = min(record.at, self._now()) + self._settings.ttl_s
        return self._remember(origin, RobotsRules(record.body, self._agent, ends_at))

    def _remember(self, origin: str, rules: RobotsRules) -> RobotsRules:
        self._known[origin] = rules
        self._known.move_to_end(origin)
        if len(self._known) > self._settings.cache_origins:
            self._known.popitem(last=False)
        return rules

    def _load_copy(self, origin: str) -> RobotsCopy | None:
        kept = self._load(_key(origin))
        if kept is None:
            return None
        try:
            return msgspec.msgpack.decode(kept, type=RobotsCopy)
        except msgspec.DecodeError:
            return None


def _key(origin: str) -> str:
    return f"robots:{origin}"
