"""Orders of the desk for a run on a shared store: who holds the learner's claim obeys them."""

from collections.abc import Callable, Sequence

from leadline.core.crawl import Candidate, Event, SiteState
from leadline.core.inbox import Inbox
from leadline.core.shared import PAUSED, Shared
from leadline.core.url import Site
from leadline.crawler.decisions import CrawlPlan


class SharedRun:
    """The run, as an attendant steers it."""

    def __init__(self, shared: Shared, plan: CrawlPlan) -> None:
        self._shared = shared
        self._plan = plan

    @property
    def plan(self) -> CrawlPlan:
        return self._plan

    @plan.setter
    def plan(self, plan: CrawlPlan) -> None:
        if plan.budget != self._plan.budget:
            self._shared.limit(plan.budget)
        self._plan = plan

    @property
    def is_paused(self) -> bool:
        return self._shared.run().state == PAUSED

    def pause(self) -> None:
        self._shared.pause()

    def resume(self) -> None:
        self._shared.resume()

    def stop(self, reason: str = "interrupted") -> None:
        self._shared.stop(reason)


class SharedInbox:
    """The store, as an attendant needs it. Excluded sites are closed by the workers."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    @property
    def inbox(self) -> Inbox:
        return self._shared.inbox

    def load(self, key: str) -> bytes | None:
        return self._shared.load(key)

    def save(self, key: str, value: bytes) -> None:
        self._shared.save(key, value)

    def put(self, candidates: Sequence[Candidate]) -> int:
        return self._shared.put(candidates)

    def note(self, event: Event) -> None:
        self._shared.note(event)

    def site(self, site: Site) -> SiteState:
        return self._shared.site(site)

    def close_sites(
        self,
        is_meant: Callable[[Site], bool],  # noqa: ARG002 (the attendant's signature)
        why: str,  # noqa: ARG002
    ) -> list[Site]:
        """None at once: a worker that leases one closes it."""
        return []

    def flush(self) -> None:
        """Nothing to do: every call is durable when it returns."""
