"""The harvests of a store: sums, coverage and records of each, kept up as they go on."""

from collections import defaultdict
from collections.abc import Callable, Iterable

import msgspec
import numpy as np
from numpy.typing import NDArray

from leadline.core.catalogue import Catalogue, HarvestHead, PageEntry
from leadline.core.kept import HarvestId
from leadline.harvester.interface import Interface
from leadline.ui.web.seen.drawing import Drawing, RecordKeys

PAGES, HEADS, QUERIES = 5_000, 500, 1_000
"""Rows read at a time."""
_decode = msgspec.msgpack.Decoder(Interface).decode

InterfaceOf = Callable[[str], bytes]
"""What can be asked through the form of a signature, as its harvest keeps it; b'' before that is
known."""


class HarvestSeen:
    """One harvest."""

    def __init__(self, head: HarvestHead) -> None:
        self.head = head
        self.pages = 0
        self.requests = 0
        """Of pages of results."""
        self.records = 0
        self.sightings = 0
        self.details = 0
        self.detail_requests = 0
        self.keys = RecordKeys()
        self.drawing = Drawing(None)
        self._interface = b""
        self._untold: dict[int, list[NDArray[np.uint64]]] = defaultdict(list)
        """Keys by query, of queries that are not finished."""
        self._pages: list[PageEntry] = []
        self._detail_mark = 0

    @property
    def requests_in_all(self) -> int:
        return self.requests + self.detail_requests + self.head.requests

    def add(self, page: PageEntry) -> None:
        self.pages += 1
        self.requests += page.requests
        self.records += page.fresh
        self.sightings += len(page.keys)
        self._untold[page.query].append(page.keys)
        self._pages.append(page)

    def catch_up(self, catalogue: Catalogue, interface: bytes) -> None:
        """Take in what its new pages brought."""
        self.head = catalogue.harvest(self.head.id)
        self.keys.add(*catalogue.record_keys(self.head.id, self.keys.mark))
        if self._pages:
            self.keys.count(np.concatenate([page.keys for page in self._pages]))
            self._pages.clear()
        sums = catalogue.details(self.head.id, self._detail_mark)
        self._detail_mark = sums.mark
        self.details += sums.pages
        self.detail_requests += sums.requests
        if interface != self._interface:
            self._begin_anew(catalogue, interface)
        self._draw(catalogue)

    def _begin_anew(self, catalogue: Catalogue, interface: bytes) -> None:
        """What can be asked became known: a survey found it out by the first queries."""
        if self.drawing.queries:
            self._untold = _keys_by_query(catalogue, self.head.id)
        self._interface = interface
        self.drawing = Drawing(_decode(interface))

    def _draw(self, catalogue: Catalogue) -> None:
        while asked := catalogue.queries(self.head.id, self.drawing.queries, QUERIES):
            for query in asked:
                if query.outcome is None:
                    return
                keys = self._untold.pop(query.number, [])
                distinct = np.unique(np.concatenate(keys)).tolist() if keys else []
                self.drawing.take(query, query.outcome, distinct)


class Harvests:
    """All harvests so far, by number, in the order in which they were begun."""

    def __init__(self) -> None:
        self.mark = 0
        self.by_id: dict[HarvestId, HarvestSeen] = {}
        self.by_signature: dict[str, HarvestSeen] = {}

    def __len__(self) -> int:
        return len(self.by_id)

    @property
    def records(self) -> int:
        return sum(seen.records for seen in self.by_id.values())

    def catch_up(
        self, catalogue: Catalogue, touched: Iterable[str], interface_of: InterfaceOf
    ) -> None:
        """`touched` are forms whose harvests something was told of."""
        changed = {signature for signature in touched if signature in self.by_signature}
        changed |= self._begin(catalogue)
        while found := catalogue.result_pages(self.mark, PAGES):
            self.mark = found[-1].mark
            changed |= self._begin(catalogue)
            for page in found:
                seen = self.by_id[page.harvest]
                seen.add(page)
                changed.add(seen.head.signature)
        for signature in changed:
            self.by_signature[signature].catch_up(catalogue, interface_of(signature))

    def _begin(self, catalogue: Catalogue) -> set[str]:
        begun = set[str]()
        while heads := catalogue.harvests(max(self.by_id, default=0), HEADS):
            for head in heads:
                seen = self.by_id[head.id] = self.by_signature[head.signature] = HarvestSeen(head)
                begun.add(seen.head.signature)
        return begun


def _keys_by_query(catalogue: Catalogue, harvest: HarvestId) -> dict[int, list[NDArray[np.uint64]]]:
    keys: dict[int, list[NDArray[np.uint64]]] = defaultdict(list)
    mark = 0
    while found := catalogue.result_pages(mark, PAGES):
        mark = found[-1].mark
        for page in found:
            if page.harvest == harvest:
                keys[page.query].append(page.keys)
    return keys
