"""Items into records: the link to each record, its key and its cells; and records from their own
pages."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

import xxhash
from msgspec import Struct

from leadline.core.harvest import Cell, Record
from leadline.core.state_change import find_state_change
from leadline.core.text import fold
from leadline.core.url import Url, site_of
from leadline.forms.word_patterns import ORDER
from leadline.harvester.answers.advertisements import (
    is_advertisement_address,
    is_advertisement_label,
)
from leadline.harvester.answers.answer_page import AnswerPage, PagePart, QueryEcho, RowLink
from leadline.harvester.answers.block_candidates import BlockFinder, ResultBlock
from leadline.harvester.answers.item_splitter import ListItem
from leadline.harvester.answers.reader_memory import ReaderMemory
from leadline.harvester.answers.record_fields import (
    GROUP,
    TextRun,
    ValueLabels,
    choose_title,
    find_full_texts,
    find_group_headings,
    find_headings,
    find_images,
    path_inside,
    read_runs,
)
from leadline.harvester.answers.record_keys import (
    RecordKeyRules,
    SearchAddresses,
    shape_of,
    unwrap_redirect,
)
from leadline.harvester.reply import Reply
from leadline.page.outline import TEXT, Outline

DETAIL_PREFIX = "detail:"
"""Begins the places of cells that were read from a record's own page."""
_MAX_LINKS = 30
_MAX_PAGE_LINKS = 2_000
"""Links of a page that are compared with those of its records."""
_MAX_COLUMNS = 200
"""Places inside the items of one list at which links stand."""
_MIN_DIFFERENT = 0.6
"""Share of items that the links at one place must tell apart to lead to the records."""
_FEW_ITEMS = 4
"""A heading, a result or two, and a count; more items tell by themselves what they share."""
_MIN_PASSAGES = 5
"""Items that must all show what was asked at one place: titles that all hold it are rarer."""
_MIN_DISTINCT = 0.9
"""Share of items that what is left must still tell apart."""
_MIN_REST_CHARS = 12
"""Letters an item must have left; a date and a price are no key."""
_SHARED_ITEMS, _SHARED = 3, 0.2
"""Items, and share of them, that have a link in common from which it leads to none of them."""
_AD_SHARE = 3
"""One of so many items at least must be no advertisement: else the marks mean something else."""
_MAX_PASSAGES = 20
_MAX_EARLY = 100
"""Items that lead nowhere, remembered until passages are known; lists show them soon."""
_MAX_LABELS = 100
_MAX_LINK_PATHS = 20
_MAIN_SHARE = 0.9
"""Share of a page's fresh text that its main part holds."""
_MAX_DETAIL_CELLS = 1_000
_MAX_DETAIL_CHARS = 100_000
"""Of all cells: more than pages of records have, and a bound for those that are none."""
_DETAIL_LABEL_CHARS = 60
_DETAIL_LABELS = {"td": "th", "dd": "dt"}
"""What stands before a value and names it."""
_is_heading = re.compile(r"(?:^|/)(?:h[1-6]|dt|th|strong|b)\b").search
_ellipsis = re.compile(r"\.\.\.|…|\[\.\.").search
_position = re.compile(r"^\W{0,2}\d{1,5}\W{1,3}(?=\w)")
_starting_number = re.compile(r"\W{0,2}(\d{1,6})(?!\d)").match
_percent = re.compile(r"^\W*\d{1,3}([.,]\d+)?\s?%\W*$").match
_shows_address = re.compile(r"\s*(?:https?://|www\.|[\w-]+(?:\.[\w-]+)+/\S)").match
_not_letters = re.compile(r"[\W_]+")
_classes = re.compile(r"\.[^/]*")


class LinkColumn(Struct, frozen=True):
    """The links that stand at one place inside items."""

    path: str
    links: tuple[RowLink | None, ...]
    """One for each item; None if it has none there."""

    @property
    def different(self) -> int:
        """How many items it tells apart."""
        return len({link.url for link in self.links if link})

    @property
    def size(self) -> int:
        """How many items have it."""
        return sum(link is not None for link in self.links)


class RecordReader:
    """Reads the records in the blocks of one page."""

    def __init__(self, finder: BlockFinder, search: SearchAddresses, memory: ReaderMemory) -> None:
        self._finder = finder
        self._page = finder.page
        self._search = search
        self._memory = memory
        self._keys = RecordKeyRules(memory.dropped, memory.met, memory.changes, memory.telling)
        self._groups: dict[int, str] = {}
        self._page_urls = [link.url for link in finder.page.links[:_MAX_PAGE_LINKS]]

    def read(self, blocks: Sequence[ResultBlock]) -> list[Record]:
        """The records in document order, each key once. Learns what tells records apart."""
        found: dict[str, Record] = {}
        kept = [self._join_passages(items) for items in self._without_advertisements(blocks)]
        self._groups = find_group_headings(self._page, [i for b in blocks for i in b.split.items])
        for block, items in zip(blocks, kept, strict=True):
            for record in self._read_items(block, items) if items else ():
                found.setdefault(record.key, record)
        return list(found.values())

    def _records_in(self, block: ResultBlock) -> list[ListItem]:
        return [item for item in block.split.items if not self._finder.is_own(item)]

    def _read_items(self, block: ResultBlock, items: Sequence[ListItem]) -> list[Record]:
        page, memory = self._page, self._memory
        links, is_same_text = self._find_links(block, items)
        targets = [self._target(link) for link in links]
        urls = [target for target in targets if target]
        self._keys.judge(urls, self._search, self._page_urls)
        rows = [read_runs(page, item) for item in items]
        labels = ValueLabels(rows, memory.labels)
        for name in sorted(labels.names):
            if len(memory.labels) < _MAX_LABELS:
                memory.labels.setdefault(name, 1)
        headings = find_headings(page, self._finder.parts(block.row), items)
        is_counted = _are_counted(rows)
        cells = [[c for run in runs for c in labels.cells(run, headings)] for runs in rows]
        counts = Counter(text for shown in cells for text in {cell.text for cell in shown})
        if is_same_text:
            # What a link says to pointers names nothing either if all say it: `Show record`.
            said = (find_full_texts(page.outline, item, ()) for item in items)
            counts |= Counter(text for texts in said for text in set(texts))
        common = {text for text, n in counts.items() if n > 1 and 2 * n > len(cells)}
        if not any(links):
            self._learn_passages(rows)
        titles = [
            choose_title(
                page,
                item,
                [] if link is None or is_same_text else self._links_to(item, link),
                shown,
                common,
            )
            for item, link, shown in zip(items, links, cells, strict=True)
        ]
        shared = _find_shared(targets, titles)
        found = []
        for item, target, runs, shown, title in zip(
            items, targets, rows, cells, titles, strict=True
        ):
            if not shown and target is None:
                # A spacer that looks like an item.
                continue
            key = self._key(target, runs, is_counted=is_counted)
            others = self._finder.all_links.within(item.first, item.end)
            group = self._groups.get(item.first, "")
            record = Record(
                key=_key_of_part(key, title) if target in shared else key,
                title=title,
                cells=(*shown, Cell(GROUP, group)) if group else tuple(shown),
                url=target,
                links=tuple(dict.fromkeys(other.url for other in others))[:_MAX_LINKS],
                images=find_images(page, item),
            )
            found.append(record)
        return found

    def _join_passages(self, items: Sequence[ListItem]) -> list[ListItem]:
        """Rows one after the other that lead to one address are one record, if the address repeats
        what was asked: it marks the words on the page, of which each row shows a line."""
        joined: list[ListItem] = []
        before: Url | None = None
        for item in items:
            first = self._finder.links.within(item.first, item.end)[:1]
            target = first[0].url if first and self._search.is_repeated_in(first[0].url) else None
            if target is not None and target == before:
                joined[-1] = ListItem((*joined[-1].parts, *item.parts))
            else:
                joined.append(item)
            before = target
        return joined

    def _without_captions(self, items: list[ListItem]) -> list[ListItem]:
        """Without the heading and the count around a result or two, which no structure tells from
        results; they lead nowhere, and records do, unless those of this source are known not to."""
        memory = self._memory
        linked = [item for item in items if self._finder.links.within(item.first, item.end)]
        is_open = bool(memory.shapes) or not memory.places
        return linked if linked and is_open and len(items) <= _FEW_ITEMS else items

    def _without_advertisements(self, blocks: Sequence[ResultBlock]) -> list[list[ListItem]]:
        """The items of each block without those that say or link like advertisements, if others do
        not, or if they lead to another site: the last page of an answer may have more of them than
        of results. Some blocks may hold nothing else."""
        items = [self._without_captions(self._records_in(block)) for block in blocks]
        own = [[item for item in row if not self._is_advertisement(item)] for row in items]
        is_enough = _AD_SHARE * sum(map(len, own)) >= sum(map(len, items))
        return own if is_enough or self._lead_elsewhere(items) else items

    def _lead_elsewhere(self, items: Sequence[Sequence[ListItem]]) -> bool:
        """Whether all links of advertisements among the items lead to other sites."""
        here = site_of(self._page.outline.url) if self._page.outline.url else ""
        first = (self._finder.all_links.within(i.first, i.end)[:1] for row in items for i in row)
        ads = [link.url for links in first for link in links if is_advertisement_address(link.url)]
        return bool(ads) and all(site_of(url) != here for url in ads)

    def _is_advertisement(self, item: ListItem) -> bool:
        links = self._finder.all_links.within(item.first, item.end)
        if any(is_advertisement_address(link.url) for link in links[:3]):
            return True
        # Shops mark their own goods as sponsored: only what leads elsewhere is no record.
        here = site_of(self._page.outline.url) if self._page.outline.url else ""
        if not links or site_of(links[0].url) == here:
            return False
        if self._finder.measures.advertised[item.first]:
            return True
        return any(map(is_advertisement_label, self._page.outline.texts[item.first : item.end]))

    def _target(self, link: RowLink | None) -> Url | None:
        """Where a link leads in the end, if its own address says so."""
        if link is None:
            return None
        target = unwrap_redirect(link.url)
        return (self._page.outline.join(target) if target else None) or link.url

    def _key(self, url: Url | None, runs: Sequence[TextRun], *, is_counted: bool) -> str:
        """The record's address, else a digest of what the item says."""
        if url is not None and "?" not in url:
            return self._keys.key(url)
        memory = self._memory
        pieces = _lasting_pieces(runs, self._page.echo, is_counted=is_counted)
        key = _digest_pieces(pieces, memory.passages)
        if url is None:
            key = memory.key_aliases.get(key, key)
            if not memory.passages and len(memory.early_items) < _MAX_EARLY:
                memory.early_items.setdefault(key, pieces)
            return key
        # The same content at another address shows which parameters change by themselves.
        self._keys.note(key, url)
        return self._keys.key(url)

    def _learn_passages(self, rows: Sequence[Sequence[TextRun]]) -> None:
        """Places where every item shows what was asked, set off from the rest, while others tell
        the items apart: passages chosen for the query, which belong to no key."""
        words = self._page.echo.words
        texts: dict[str, list[str]] = {}
        marked: Counter[str] = Counter()
        for runs in rows:
            own: dict[str, list[TextRun]] = {}
            for run in runs:
                own.setdefault(_classes.sub("", run.path), []).append(run)
            for path, there in own.items():
                texts.setdefault(path, []).append(" ".join(run.text for run in there))
                marked[path] += any(_is_marked_with(run, words) for run in there)
        for path, shown in texts.items():
            if (
                len(shown) < _MIN_PASSAGES
                or marked[path] < len(shown)
                or path in self._memory.passages
            ):
                continue
            others = {
                tuple(run.text for run in runs if _classes.sub("", run.path) != path)
                for runs in rows
            }
            letters = sum(len(text) for rest in others for text in rest) / len(others)
            is_told = len(others) >= _MIN_DISTINCT * len(rows) and letters >= _MIN_REST_CHARS
            if is_told and len(self._memory.passages) < _MAX_PASSAGES:
                self._memory.passages[path] = len(shown)
        if self._memory.passages:
            self._derive_keys_again()

    def _derive_keys_again(self) -> None:
        """Early items keep the keys that they were stored by, whatever is a passage."""
        memory = self._memory
        for key, pieces in memory.early_items.items():
            memory.key_aliases.setdefault(_digest_pieces(pieces, memory.passages), key)
        memory.early_items.clear()

    def _links_to(self, item: ListItem, link: RowLink) -> list[int]:
        """The rows of the links in an item that lead to its record. An element that a script opens
        holds the whole item, so it names nothing."""
        links, tags = self._finder.links.within(item.first, item.end), self._page.outline.tags
        return [other.row for other in links if other.url == link.url and tags[other.row] == "a"]

    def _find_links(
        self, block: ResultBlock, items: Sequence[ListItem]
    ) -> tuple[list[RowLink | None], bool]:
        """For each item the link to its record; and whether all links have the same text."""
        found: dict[str, list[RowLink | None]] = {}
        inside = [self._finder.links.within(i.first, i.end)[:_MAX_LINKS] for i in items]
        holders = Counter(url for row in inside for url in {link.url for link in row})
        for number, row_links in enumerate(inside):
            for link in row_links:
                # `Keep`, `Report`: what several items lead to is no record of theirs.
                if holders[link.url] >= max(_SHARED_ITEMS, _SHARED * len(items)):
                    continue
                path = path_inside(self._page, link.row, block.row)[0]
                if path not in found and len(found) >= _MAX_COLUMNS:
                    continue
                row = found.setdefault(path, [None] * len(items))
                if row[number] is None:
                    row[number] = link
        columns = [LinkColumn(path, tuple(links)) for path, links in _join_classes(found).items()]
        columns = [column for column in columns if not self._is_command(column)]
        best = self._choose_column(columns, len(items)) or self._join_columns(columns, len(items))
        if best is None:
            return [None] * len(items), False
        texts = {self._page.outline.text(link.row) for link in best.links if link}
        counts = Counter(url for row in zip(*(c.links for c in columns), strict=True)
                         for url in {link.url for link in row if link})  # fmt: skip
        shapes = {shape_of(link.url) for link in best.links if link}
        links = list(best.links)
        for number, given in enumerate(best.links):
            if given is None:
                # An item built differently: of its links that no other item has the first that
                # leads where those of the others do, or else the first.
                there = (column.links[number] for column in columns)
                own = [one for one in there if one and counts[one.url] == 1]
                alike = (one for one in own if shape_of(one.url) in shapes)
                links[number] = next(alike, own[0] if own else None)
        return links, len(texts) == 1 and len(items) > 1

    def _is_command(self, column: LinkColumn) -> bool:
        """Whether the links do something to each item (`Add to list`) rather than lead to it. A
        text counts if all have it: a single one may be the title of a record."""
        links = [link for link in column.links if link]
        texts = {self._page.outline.text(link.row) for link in links}
        text = texts.pop() if len(texts) == 1 and len(links) > 1 else ""
        return bool(links) and bool(find_state_change(links[0].url, text))

    def _choose_column(self, columns: Sequence[LinkColumn], items: int) -> LinkColumn | None:
        """The column that tells items apart; one that did so before is preferred."""
        paths = self._memory.link_paths
        telling = [column for column in columns if column.different >= _MIN_DIFFERENT * items]
        best = max(telling, key=self._rank_column, default=None)
        if best is not None and best.path not in paths:
            # On other pages the same place may hold the author: it must name records as well.
            least = self._rank_column(best)[_NAMING]
            known = [
                column
                for column in telling
                if column.path in paths
                and 5 * column.different >= 4 * items
                and self._rank_column(column)[_NAMING] >= least
            ]
            best = max(known, key=self._rank_column, default=best)
        if best is not None and items > 2 and len(paths) < _MAX_LINK_PATHS:
            paths.setdefault(best.path, 1)
        return best

    def _join_columns(self, columns: Sequence[LinkColumn], items: int) -> LinkColumn | None:
        """For items of several kinds, which link from several places: the columns that tell apart
        the items they cover, best first, each for the items that have no link yet."""
        own = [c for c in columns if c.different >= max(2, _MIN_DIFFERENT * c.size)]
        ranked = sorted(own, key=self._rank_column, reverse=True)
        naming = [column for column in ranked if all(self._rank_column(column)[:2])]
        links: list[RowLink | None] = [None] * items
        taken: set[Url] = set()
        for column in naming:
            for number, link in enumerate(column.links):
                if links[number] is None and link is not None and link.url not in taken:
                    links[number] = link
                    taken.add(link.url)
        found = LinkColumn("", tuple(links))
        return found if found.different >= _MIN_DIFFERENT * items else None

    def _rank_column(self, column: LinkColumn) -> tuple[float, ...]:
        """Names before one word for all, headings first, numbers of records before their longest
        link, which may lead to something that they share. A number that its own address does not
        hold counts something: stars, comments."""
        links = [link for link in column.links if link]
        texts = [self._page.outline.text(link.row) for link in links]
        is_number = [
            text.isdigit() and text in link.url for text, link in zip(texts, links, strict=True)
        ]
        names = len(set(texts)) > 0.5 * len(texts) and any(texts)
        is_order = bool(texts and ORDER(fold(texts[0])))
        covered = round(column.different / len(column.links), 1)
        length = sum(map(len, texts)) / len(texts)
        is_numbered = all(is_number)
        # A text that shows an address is what the record speaks of.
        is_cited = 2 * sum(bool(_shows_address(text)) for text in texts) > len(texts)
        return (
            not is_order,
            not is_cited,
            covered,
            names,
            bool(_is_heading(column.path)),
            is_numbered,
            length,
        )


_NAMING = slice(3, 5)
"""What of the rank of a column says that its links name records: names, and headings."""


def _join_classes(
    found: Mapping[str, Sequence[RowLink | None]],
) -> dict[str, Sequence[RowLink | None]]:
    """Places that differ in classes alone and that no item has both of are one place: dark and
    light rows, read and unread ones."""
    joined: dict[str, Sequence[RowLink | None]] = {}
    names: dict[str, list[str]] = {}
    for path, links in found.items():
        alike = names.setdefault(_classes.sub("", path), [])
        for name in alike:
            if not any(one and other for one, other in zip(joined[name], links, strict=True)):
                joined[name] = [a or b for a, b in zip(joined[name], links, strict=True)]
                break
        else:
            alike.append(path)
            joined[path] = links
    return joined


def _lasting_pieces(
    runs: Sequence[TextRun], echo: QueryEcho, *, is_counted: bool
) -> list[tuple[str, str]]:
    """Places, without classes, and texts of what an item says of its record, in a form that no
    query and no position in the list changes."""
    lasting = [run for run in runs if not _is_passing(run, echo)] or runs
    pieces = [(_classes.sub("", run.path), run.text) for run in lasting]
    if is_counted and pieces and pieces[0][1].strip(" .)#").isdigit():
        pieces = pieces[1:]
    if is_counted and pieces:
        pieces[0] = pieces[0][0], _position.sub("", pieces[0][1])
    return [(place, _not_letters.sub("", text).casefold()) for place, text in pieces]


def _find_shared(targets: Sequence[Url | None], titles: Sequence[str]) -> frozenset[Url]:
    """Addresses of items with different titles: cases that one decision settles, parts of a file.
    What is listed twice has the same title."""
    names: dict[Url, set[str]] = {}
    for target, title in zip(targets, titles, strict=True):
        if target and title:
            names.setdefault(target, set()).add(_not_letters.sub("", title).casefold())
    return frozenset(target for target, own in names.items() if len(own) > 1)


def _key_of_part(key: str, title: str) -> str:
    """Of one of several records at an address."""
    name = _not_letters.sub("", title).casefold()
    return xxhash.xxh3_128_hexdigest(f"{key} {name}".encode("utf-8", "replace"))


def _digest_pieces(pieces: Sequence[tuple[str, str]], passages: Collection[str]) -> str:
    """A key from all that stands outside of passages; from everything, if nothing does."""
    texts = [text for place, text in pieces if place not in passages]
    content = "".join(texts or (text for _, text in pieces))
    return xxhash.xxh3_128_hexdigest(content.encode("utf-8", "replace"))


def _is_passing(run: TextRun, echo: QueryEcho) -> bool:
    """Whether the run depends on the query: a passage with its words set off; or a score."""
    if _percent(run.text):
        return True
    if not run.is_marked or not _ellipsis(run.text):
        return False
    return _is_marked_with(run, echo.words)


def _is_marked_with(run: TextRun, words: Collection[str]) -> bool:
    return run.is_marked and not {piece.casefold() for piece in run.pieces}.isdisjoint(words)


def _are_counted(rows: Sequence[Sequence[TextRun]]) -> bool:
    """Whether items begin with their position in the list."""
    starts = [_starting_number(runs[0].text) for runs in rows if runs]
    if len(starts) < 2 or not all(starts):
        return False
    numbers = [int(start[1]) for start in starts if start]
    return all(b == a + 1 for a, b in pairwise(numbers))


def read_record_page(
    page: AnswerPage, reply: Reply, keys: RecordKeyRules, labels: Mapping[str, int]
) -> Record:
    """The record on its own page, with the key that lists give it."""
    outline = page.outline
    row = _main_part(page)
    item = ListItem((PagePart(row, outline.ends[row], ""),))
    runs = read_runs(page, item)
    named = ValueLabels([runs], labels)
    cells = tuple(cell for run in runs for cell in named.cells(run, {}))
    url = reply.response.url
    headings = (row for row, tag in enumerate(outline.tags) if tag in ("h1", "h2"))
    own = (outline.text(row) for row in headings if not page.is_common(row, outline.ends[row]))
    title = next(filter(None, own), "") or reply.page.title
    return Record(keys.key(url), title, cells, url, images=find_images(page, item))


def _main_part(page: AnswerPage) -> int:
    """The smallest element that holds nearly all that the frame has not."""
    ends = page.outline.ends
    row = 0
    while True:
        least = _MAIN_SHARE * page.fresh_chars(row, ends[row])
        heavy = (c for c in page.children[row] if page.fresh_chars(c, ends[c]) > least)
        inside = next(heavy, None)
        if inside is None or not page.children[inside]:
            return row
        row = inside


def read_detail_cells(reply: Reply) -> tuple[Cell, ...]:
    """All visible text of a record's own page, piece by piece, each named by its label or its tag
    path: nothing is known of what the pages of other records show."""
    outline = reply.outline
    cells: list[Cell] = []
    room = _MAX_DETAIL_CHARS
    labels: dict[tuple[int, str], int] = {}
    for row, tag in enumerate(outline.tags):
        if tag in ("th", "dt"):
            labels[outline.parents[row], tag] = row
        if tag != TEXT or not outline.texts[row]:
            continue
        text = outline.texts[row][:room]
        room -= len(text)
        parent = outline.parents[row]
        place = _label_before(outline, parent, labels) or outline.path(parent)
        cells.append(Cell(f"{DETAIL_PREFIX}{place}", text))
        if room <= 0 or len(cells) >= _MAX_DETAIL_CELLS:
            break
    return tuple(cells)


def _label_before(outline: Outline, row: int, labels: Mapping[tuple[int, str], int]) -> str:
    """The heading or term before a table cell or definition; '' if there is none. `labels` has the
    latest of each part of the page."""
    wanted = _DETAIL_LABELS.get(outline.tags[row]) if row > 0 else None
    if wanted is None:
        return ""
    label = labels.get((outline.parents[row], wanted))
    text = outline.text(label).strip(" :") if label is not None else ""
    return text if len(text) <= _DETAIL_LABEL_CHARS else ""
