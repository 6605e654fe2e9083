"""Items into records: which link leads to the record, its key, its cells."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import xxhash
from msgspec import Struct

from leadline.core.harvest import Cell, Record
from leadline.core.url import Url
from leadline.forms.word_patterns import ORDER, fold
from leadline.harvester.answers.addresses import Keys, Search
from leadline.harvester.answers.blocks import Block, Finder
from leadline.harvester.answers.fields import (
    Labels,
    Run,
    headings_of,
    images_of,
    path_of,
    runs_of,
    title_of,
)
from leadline.harvester.answers.memory import Memory
from leadline.harvester.answers.sight import Anchor, Echo
from leadline.harvester.answers.splitting import Item

_MOST_LINKS = 30
_LEAST_TELLING = 0.6
"""Share of items that a link's place must tell apart to be the way to the record."""
_FEW_ITEMS = 4
"""A heading, a result or two, and a count; more items tell by themselves what they share."""
_MOST_LABELS = 100
_MOST_SLOTS = 20
_heading = re.compile(r"(?:^|/)(?:h[1-6]|dt|th|strong|b)\b").search
_ellipsis = re.compile(r"\.\.\.|…|\[\.\.").search
_place = re.compile(r"^\W{0,2}\d{1,5}\W{1,3}(?=\w)")
_percent = re.compile(r"^\W*\d{1,3}([.,]\d+)?\s?%\W*$").match
_address = re.compile(r"(?:https?:/|www\.|[\w.-]*/)\S+$").match
_plain = re.compile(r"[\W_]+")


class Slot(Struct, frozen=True):
    """A place inside items where links stand."""

    path: str
    links: tuple[Anchor | None, ...]
    """One for each item; None where it has none there."""


class Reading:
    """The records of the blocks of one page."""

    def __init__(self, finder: Finder, search: Search, memory: Memory) -> None:
        self._finder = finder
        self._sight = finder.sight
        self._search = search
        self._memory = memory
        self._keys = Keys(memory.dropped, memory.met, memory.changes)

    def records(self, blocks: Sequence[Block]) -> list[Record]:
        """In document order, each key once. Learns what tells records apart."""
        found: dict[str, Record] = {}
        for block in blocks:
            for record in self._of_block(block):
                found.setdefault(record.key, record)
        return list(found.values())

    def _of_block(self, block: Block) -> list[Record]:
        items = self._meant([i for i in block.split.items if not self._finder.is_own(i)])
        if not items:
            return []
        links = self._ways(block, items)
        urls = [link.url for link in links if link]
        others = [a.url for a in self._sight.anchors]
        self._keys.judge(urls, self._search, others)
        rows = [runs_of(self._sight, item) for item in items]
        labels = Labels(rows, self._memory.labels)
        self._remember(labels)
        headings = headings_of(self._sight, self._finder.parts(block.row), items)
        counted = _are_counted(rows)
        cells = [[c for run in runs for c in labels.cells(run, headings)] for runs in rows]
        common = _common(cells)
        found = []
        for item, link, runs, shown in zip(items, links, rows, cells, strict=True):
            if not shown and link is None:
                continue
            record = Record(
                key=self._key(link, runs, is_counted=counted),
                title=title_of(self._sight, item, self._text(item, link), shown, common),
                cells=tuple(shown),
                url=link.url if link else None,
                links=self._links(item),
                images=images_of(self._sight, item),
            )
            found.append(record)
        return found

    def _meant(self, items: list[Item]) -> list[Item]:
        """Without the heading and the count around a result or two, which no structure tells from
        results; they lead nowhere, and records do, unless those of this source are known not to."""
        memory = self._memory
        linked = [item for item in items if self._finder.links.within(item.first, item.end)]
        is_open = bool(memory.shapes) or not memory.places
        return linked if linked and is_open and len(items) <= _FEW_ITEMS else items

    def _key(self, link: Anchor | None, runs: Sequence[Run], *, is_counted: bool) -> str:
        """The record's address, else a digest of what the item says."""
        if link is not None and "?" not in link.url:
            return self._keys.key(link.url)
        content = content_of(runs, self._sight.echo, is_counted=is_counted)
        digest = xxhash.xxh3_128_hexdigest(content.encode("utf-8", "replace"))
        if link is None:
            return digest
        self._keys.note(digest, link.url)
        return self._keys.key(link.url)

    def _text(self, item: Item, link: Anchor | None) -> str:
        """The longest text that leads to the record; '' when it is the same for all."""
        if link is None or self._are_same:
            return ""
        links = self._finder.links.within(item.first, item.end)
        texts = [self._sight.outline.text(other.row) for other in links if other.url == link.url]
        return max(texts, key=lambda text: (not _address(text), len(text)))

    def _links(self, item: Item) -> tuple[Url, ...]:
        links = self._finder.all_links.within(item.first, item.end)
        return tuple(dict.fromkeys(link.url for link in links))[:_MOST_LINKS]

    def _remember(self, labels: Labels) -> None:
        for name in sorted(labels.names):
            if len(self._memory.labels) < _MOST_LABELS:
                self._memory.labels.setdefault(name, 1)

    def _ways(self, block: Block, items: Sequence[Item]) -> list[Anchor | None]:
        """For each item the link to its record."""
        self._are_same = False
        slots = self._slots(block, items)
        slot = self._chosen(slots, len(items))
        if slot is None:
            return [None] * len(items)
        texts = {self._sight.outline.text(link.row) for link in slot.links if link}
        self._are_same = len(texts) == 1 and len(items) > 1
        counts = Counter(link.url for s in slots for link in s.links if link is not None)
        return [
            link or self._another(slots, number, counts) for number, link in enumerate(slot.links)
        ]

    def _another(self, slots: Sequence[Slot], number: int, counts: Counter[Url]) -> Anchor | None:
        """For an item built differently: its first link that no other item has."""
        own = (slot.links[number] for slot in slots)
        return next((link for link in own if link and counts[link.url] == 1), None)

    def _slots(self, block: Block, items: Sequence[Item]) -> list[Slot]:
        found: dict[str, list[Anchor | None]] = {}
        for number, item in enumerate(items):
            for link in self._finder.links.within(item.first, item.end)[:_MOST_LINKS]:
                path = path_of(self._sight, link.row, block.row)[0]
                row = found.setdefault(path, [None] * len(items))
                if row[number] is None:
                    row[number] = link
        return [Slot(path, tuple(links)) for path, links in found.items()]

    def _chosen(self, slots: Sequence[Slot], items: int) -> Slot | None:
        """The slot that tells items apart; one that did so before is preferred."""
        telling = [s for s in slots if _telling(s) >= _LEAST_TELLING * items]
        known = [
            s for s in telling if s.path in self._memory.slots and 5 * _telling(s) >= 4 * items
        ]
        best = max(known or telling, key=self._goodness, default=None)
        if best is not None and items > 2 and len(self._memory.slots) < _MOST_SLOTS:
            self._memory.slots.setdefault(best.path, 1)
        return best

    def _goodness(self, slot: Slot) -> tuple[float, ...]:
        """Names before one word for all, headings first, numbers of records before their longest
        link, which may lead to something that they share."""
        texts = [self._sight.outline.text(link.row) for link in slot.links if link]
        names = len(set(texts)) > 0.5 * len(texts) and any(texts)
        is_order = bool(texts and ORDER(fold(texts[0])))
        covered = round(_telling(slot) / len(slot.links), 1)
        length = sum(map(len, texts)) / len(texts)
        is_numbered = all(text.isdigit() for text in texts)
        return (not is_order, covered, names, bool(_heading(slot.path)), is_numbered, length)


def _common(rows: Sequence[Sequence[Cell]]) -> set[str]:
    """Texts that most items have."""
    counts = Counter(text for cells in rows for text in {cell.text for cell in cells})
    return {text for text, n in counts.items() if n > 1 and 2 * n > len(rows)}


def _telling(slot: Slot) -> int:
    """How many items it tells apart."""
    return len({link.url for link in slot.links if link})


def content_of(runs: Sequence[Run], echo: Echo, *, is_counted: bool) -> str:
    """What an item says of its record, in a form that no query and no place in the list changes."""
    kept = [run.text for run in runs if not _is_passing(run, echo)]
    kept = kept or [run.text for run in runs]
    if is_counted and kept:
        kept = kept[1:] if kept[0].strip(" .)#").isdigit() else kept
    if kept:
        kept[0] = _place.sub("", kept[0]) if is_counted else kept[0]
    return _plain.sub("", "".join(kept)).casefold()


def _is_passing(run: Run, echo: Echo) -> bool:
    """Whether the run is cut to the query: a passage with its words set off; or a score."""
    if _percent(run.text):
        return True
    if not run.is_marked or not _ellipsis(run.text):
        return False
    said = {piece.casefold() for piece in run.pieces}
    return not said.isdisjoint(echo.words)


def _are_counted(rows: Sequence[Sequence[Run]]) -> bool:
    """Whether items begin with their place in the list."""
    starts = [re.match(r"\W{0,2}(\d{1,6})(?!\d)", runs[0].text) for runs in rows if runs]
    if len(starts) < 2 or not all(starts):
        return False
    numbers = [int(start[1]) for start in starts if start]
    return all(b == a + 1 for a, b in pairwise(numbers))
