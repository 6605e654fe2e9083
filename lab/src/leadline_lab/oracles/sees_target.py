"""Ranks each link by the page behind it, as if that had been fetched already.

After S. Yu, Z. Liu and C. Xiong, "Craw4LLM", 2025, who rate pages before they
are fetched; here the rating is the truth:

    a link waits with twice the number of relevant forms on its page that were
    not met before, plus one if its page is about the domain and no trap

It sees one link far, so it is no bound: a page that leads to nothing now may
be the way to much.
"""

from collections.abc import Sequence

import msgspec

from leadline.core.crawl import PageView, Priority, Skip, Visit
from leadline.core.url import Url
from leadline.strategies.base import BaseStrategy
from leadline_lab.experiments.worlds import Truth


class SeesTarget(BaseStrategy):
    """Implements Strategy. Holds the truth, so it is in no registry of strategies."""

    name = "oracle:sees_target"

    def __init__(self, truth: Truth, domain: str) -> None:
        self._truth = truth
        self._domain = domain
        self._met: set[int] = set()

    def rank(self, view: PageView) -> Sequence[Priority | Skip]:
        here = self._relevant(view.page.url)
        return [self._priority(link.target, here) for link in view.links]

    def learn(self, view: PageView, visit: Visit) -> bool:  # noqa: ARG002 (the port's signature)
        self._met |= self._relevant(view.page.url)
        return False

    def state(self) -> bytes:
        return msgspec.msgpack.encode(sorted(self._met))

    def restore(self, state: bytes) -> None:
        self._met = msgspec.msgpack.decode(state, type=set[int])

    def _priority(self, url: Url, here: set[int]) -> Priority:
        page = self._truth.page(url)
        new = len(self._relevant(url) - self._met - here)
        is_on_topic = not page.trap and self._truth.is_relevant(page, self._domain)
        return Priority(0, float(2 * new + is_on_topic), f"{new} new forms there")

    def _relevant(self, url: Url) -> set[int]:
        numbers = self._truth.page(url).interfaces
        return {number for number in numbers if self._domain in self._truth.domains_of(number)}
