"""A `Shared` store as the ports of `core.store`, until PostgreSQL has these itself."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from leadline.core import running
from leadline.core.crawl import Budget, Candidate, Skipped
from leadline.core.inbox import Inbox
from leadline.core.ports import Harvests
from leadline.core.shared import Shared
from leadline.core.store import STOPPED, RunState, Store
from leadline.core.url import Site, Url


class _Links:
    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self.lease, self.lease_site = shared.lease, shared.lease_site
        self.wait_s, self.deliver = shared.wait_s, shared.deliver
        self.rank_sites, self.reopen_sites, self.site = (
            shared.rank_sites,
            shared.reopen,
            shared.site,
        )

    def put(self, candidates: Iterable[Candidate]) -> int:
        return self._shared.put(list(candidates))

    def skipped_links(self) -> Iterator[Skipped]:
        return self._shared.skipped()

    def close_sites(self, is_meant: Callable[[Site], bool], why: str) -> list[Site]:  # noqa: ARG002
        """None at once: a worker that leases one closes it."""
        return []


class _Run:
    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self.pause, self.resume = shared.pause, shared.resume
        self.stop_reason, self.spend = shared.why_stop, shared.spend
        self.workers, self.sign_off = shared.workers, shared.sign_off
        self.set_budget = shared.limit

    def begin(self, budget: Budget) -> bool:
        has_begun = self._shared.begin(budget)
        if has_begun:
            _tell_state(self._shared, running.RUNNING)
        return has_begun

    def stop(self, reason: str) -> None:
        if self._shared.run().state != STOPPED:
            self._shared.stop(reason)
            _tell_state(self._shared, running.STOPPED, reason)

    def state(self) -> RunState:
        run = self._shared.run()
        return RunState(run.state, 0.0, run.reason, run.budget, run.number)


class _Pages:
    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self.are_known, self.have_forms = shared.known, shared.has_forms
        self.have_digests, self.backlinks = shared.has_digests, shared.linking

    def path(self, visit: Any, length: int | None = None) -> list[Candidate]:
        return self._shared.path(visit, length or 0)


class SharedPorts:
    """The ports."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        self.links: Any = _Links(shared)
        self.run: Any = _Run(shared)
        self.pages: Any = _Pages(shared)
        self.learning: Any = shared
        self.reader: Any = shared
        self.save, self.load, self.note = shared.save, shared.load, shared.note
        self.close = shared.close

    @property
    def inbox(self) -> Inbox:
        return self.shared.inbox

    @property
    def harvests(self) -> Harvests:
        raise NotImplementedError

    def linking(self, target: Url, limit: int) -> list[Url]:
        return self.shared.linking(target, limit)

    def flush(self) -> None:
        """Nothing to do: every call is durable when it returns."""


def ports_of(store: Any) -> Store:
    """The store itself if it has the ports."""
    return cast(Store, store if hasattr(store, "links") else SharedPorts(store))


def _tell_state(shared: Shared, state: str, reason: str = "") -> None:
    """Let those who look at the store know."""
    told = running.RunState(state, time.time(), reason)
    shared.save(running.KEY, running.encoded(told))
