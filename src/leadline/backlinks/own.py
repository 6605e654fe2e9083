"""Links that crawls of one's own have met: free, and blind to what they have not visited.

Every page this names was visited by the crawl that knows it. To the crawl itself the answer
brings nothing new to visit; it tells learners what points to a page. Another crawl's store
may name pages that this one does not know.
"""

from collections.abc import Sequence
from typing import Protocol

from leadline.backlinks.answers import kept
from leadline.core.ports import BacklinkAnswer
from leadline.core.url import Url


class Linked(Protocol):
    """What is needed of a store."""

    def linking(self, target: Url, limit: int) -> list[Url]: ...


class OwnLinks:
    """Asks stores, the first one first. Costs no requests.

    Raises StoreError, beside the port's promise, when a store cannot be read: nothing else is
    wrong with a store that would get better by going on.
    """

    def __init__(self, stores: Sequence[Linked]) -> None:
        self._stores = stores

    async def find_backlinks(self, url: Url, limit: int) -> BacklinkAnswer:
        found: tuple[Url, ...] = ()
        for store in self._stores:
            if len(found) < limit:
                found = kept((*found, *store.linking(url, limit)), url, limit)
        return BacklinkAnswer(found)
