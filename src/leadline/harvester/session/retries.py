"""What a harvest may spend, when it gives up, and how a source is asked again after a pause."""

from collections.abc import Awaitable, Callable
from itertools import count

from msgspec import Struct, structs

from leadline.core.harvest import BLOCKED, Answer, HarvestCounts
from leadline.core.http import Request, Response
from leadline.core.ports import Fetcher
from leadline.core.url import Site
from leadline.errors import (
    AddressRefusedError,
    BudgetSpentError,
    ConnectionFailedError,
    FetchError,
    FetchTimeoutError,
    RobotsDeniedError,
    SiteBusyError,
)

Send = Callable[[], Awaitable[Answer]]

_SITE_WIDE = (RobotsDeniedError, AddressRefusedError)
"""Failures that every further query would meet as well."""
_PASSING = (SiteBusyError, FetchTimeoutError, ConnectionFailedError)


class HarvestBudget(Struct, frozen=True):
    """The budget of one source; None is without limit."""

    requests: int | None = None
    queries: int | None = None
    records: int | None = None
    seconds: float | None = None
    """Of one run; the others count over all runs."""

    def why_spent(self, tally: HarvestCounts, seconds: float, *, is_query_next: bool) -> str:
        """The reason to send nothing more, or '' while there is something left.

        The number of queries only counts if one is next: the last one is still read to its end.
        """
        used = {
            "requests": tally.requests,
            "records": tally.records,
            "seconds": seconds,
        }
        if is_query_next:
            used["queries"] = tally.queries
        for name, amount in used.items():
            limit = getattr(self, name)
            if limit is not None and amount >= limit:
                return f"budget: {name}"
        return ""


SPENT = "budget: requests"


class BudgetedFetcher:
    """Sends nothing beyond a harvest's budget of requests.

    An answer may take several requests: a redirect, larger pages, a form fetched anew for its
    token. The harvest counts them once the answer is there, which is too late to stop the last of
    them; here each is counted when it is sent.
    """

    def __init__(self, fetcher: Fetcher, most: int | None, counted: Callable[[], int]) -> None:
        """`counted`: the requests of the harvest that the store knows of."""
        self._fetcher = fetcher
        self._most = most
        self._counted = counted
        self._known = counted()
        self.uncounted = 0
        """Requests sent that the store does not know of yet."""

    async def fetch(self, request: Request) -> Response:
        counted = self._counted()
        if counted != self._known:
            self._known, self.uncounted = counted, 0
        if self._most is not None:
            left = self._most - counted - self.uncounted
            if left <= 0:
                raise BudgetSpentError(request.url, SPENT)
            request = structs.replace(request, max_requests=left)
        try:
            response = await self._fetcher.fetch(request)
        except FetchError as error:
            self.uncounted += error.requests
            raise
        self.uncounted += response.requests
        return response

    def ready_at(self, site: Site) -> float:
        return self._fetcher.ready_at(site)

    def delay_of(self, site: Site) -> float:
        return self._fetcher.delay_of(site)

    async def close(self) -> None:
        await self._fetcher.close()


class GiveUpRules(Struct, frozen=True):
    """When a source is given up."""

    give_up_after: int = 5
    """Queries in a row without any answer."""
    refused_in_a_row: int = 20
    """Queries in a row that were answered, and not looked up."""
    same_answers: int = 5
    """Queries after which one and the same answer to all means that the source ignores them."""


class RetryRules(Struct, frozen=True):
    """How often a request is tried, and the pauses between."""

    tries: int = 4
    blocked_tries: int = 2
    pause_s: float = 30.0
    """Before the second try; each further pause is twice as long."""
    max_pause_s: float = 600.0
    """A site that asks for a longer one is left for this run."""

    def pause_before(self, tries: int, asked_s: float | None) -> float:
        """After so many tries; `asked_s` is what the site asked for."""
        return max(self.pause_s * 2.0 ** (tries - 1), asked_s or 0.0)


class AskResult(Struct, frozen=True):
    """An answer, or why there is none."""

    answer: Answer | None = None
    wasted: int = 0
    """Requests that brought nothing."""
    why: str = ""
    is_over: bool = False
    """The source is not asked any more in this run."""
    is_doubtful: bool = False
    """What its pages say led to that, not how it answers: one odd page may."""


class FailedTry(Struct, frozen=True):
    """What came instead of an answer."""

    why: str
    requests: int
    tries: int
    """Tries after which it is final."""
    is_over: bool = False
    """Whether it then ends the harvest, not only the query."""
    asked_s: float | None = None
    """The pause that the site asked for."""
    is_read: bool = False
    """It came as a page, and was understood so."""


class Retrier:
    """Asks a source again, after a pause, what it could not answer.

    Guarantees: no more tries than `RetryRules` allows, each after its pause; no pause once
    `why_stop` has a reason.
    """

    def __init__(
        self,
        rules: RetryRules,
        pause: Callable[[float, str], Awaitable[None]],
        why_stop: Callable[[], str],
    ) -> None:
        """`pause` waits so many seconds, for a reason, unless the harvest is told to stop."""
        self._rules = rules
        self._pause = pause
        self._why_stop = why_stop

    async def ask(self, send: Send) -> AskResult:
        """Raises nothing that a source may raise."""
        wasted = 0
        for tries in count(1):
            failure = await self._try(send)
            if isinstance(failure, Answer):
                return AskResult(failure, wasted)
            wasted += failure.requests
            pause_s = self._rules.pause_before(tries, failure.asked_s)
            if tries >= failure.tries:
                return AskResult(None, wasted, failure.why, failure.is_over, failure.is_read)
            if pause_s > self._rules.max_pause_s:
                return AskResult(None, wasted, f"{failure.why}; come back in {pause_s:.0f} s", True)
            await self._pause(pause_s, failure.why)
            if reason := self._why_stop():
                return AskResult(None, wasted, reason, True)
        raise AssertionError("counting never ends")

    async def _try(self, send: Send) -> Answer | FailedTry:
        try:
            answer = await send()
        except FetchError as error:
            return self._classify(error)
        if answer.kind == BLOCKED:
            why = f"blocked: {answer.why or 'the source keeps us out'}"
            return FailedTry(why, answer.requests, self._rules.blocked_tries, True, is_read=True)
        return answer

    def _classify(self, error: FetchError) -> FailedTry:
        if isinstance(error, BudgetSpentError):
            return FailedTry(error.reason, error.requests, 1, is_over=True)
        if isinstance(error, _SITE_WIDE):
            return FailedTry(f"blocked: {error.reason}", error.requests, 1, is_over=True)
        if not isinstance(error, _PASSING):
            return FailedTry(error.reason, error.requests, 1)
        is_busy = isinstance(error, SiteBusyError)
        why = f"blocked: {error.reason}" if is_busy else error.reason
        tries = self._rules.tries
        return FailedTry(why, error.requests, tries, is_busy, error.retry_after_s)
