"""robots.txt of origins, as a shared store keeps it, for a fetcher that cannot wait for a store."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Sequence

from leadline.core.shared import Shared
from leadline.core.url import Site, Url, origin_of
from leadline.crawler.calling import Calls

MOST = 20_000
"""Origins remembered here; more are asked of the store again."""


class KeptRules:
    """Reads ahead for the sites that are about to be asked, and writes behind.

    What was not written yet when a process dies is asked of its site again, once.
    """

    def __init__(self, shared: Shared, calls: Calls) -> None:
        self._shared = shared
        self._calls = calls
        self._kept: OrderedDict[str, bytes | None] = OrderedDict()
        self._writing: set[asyncio.Task[None]] = set()

    async def read_ahead(self, urls: Iterable[Url]) -> None:
        keys = {f"robots:{origin_of(url)}" for url in urls} - self._kept.keys()
        if keys:
            await self._read(sorted(keys))

    async def read_site(self, site: Site) -> None:
        """Of a site that somebody was led to."""
        await self.read_ahead([Url(f"http://{site}/"), Url(f"https://{site}/")])

    async def _read(self, keys: Sequence[str]) -> None:
        values = await self._calls(lambda: [self._shared.load(key) for key in keys])
        for key, value in zip(keys, values, strict=True):
            self._keep(key, value)

    def load(self, key: str) -> bytes | None:
        return self._kept.get(key)

    def save(self, key: str, value: bytes) -> None:
        self._keep(key, value)
        task = asyncio.create_task(self._calls(lambda: self._shared.save(key, value)))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def close(self) -> None:
        """Return when everything is written."""
        await asyncio.gather(*self._writing)

    def _keep(self, key: str, value: bytes | None) -> None:
        self._kept[key] = value
        self._kept.move_to_end(key)
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)
