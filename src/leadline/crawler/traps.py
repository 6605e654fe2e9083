"""Traps: parts of a site that make links without end and bring nothing. No I/O.

Calendars, repeated path segments, session ids, combinations of parameters, pages that any address
answers with: all of them go on making URLs of one shape whose pages bring no text, form or way
that the site had not shown before. `TrapWatch` keeps, for each URL shape of a site, how much its
pages brought lately, and sets a shape's links aside when that comes to next to nothing.
"""

import re
from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from leadline.core.crawl import Event
from leadline.core.page import Link, Page
from leadline.core.url import Site, Url, path_of, site_of
from leadline.page.words import split_words

_DISCOUNT = 0.97
"""Of what a shape brought, for each further page: about its last 30 pages count, so that a section
that is used up is noticed although it was rich once."""
_LEAST = 0.1
"""What pages of a shape must bring, as a share of `_FULL`, to be worth a request: one word that is
not from the URL. What makes pages without end can only make them from their URLs."""
_WEIGHT = 3.0
"""Pages that the expectation before any page counts for. With it, 13 pages that bring nothing make
a trap, and 50 where everything beside them was rich: a good site hardly shows so many in a row of
one shape."""
_EVEN = 0.5
"""What is expected of pages of which nothing is known."""
_FULL = 10
"""Words in a setting that the site had not shown before, from which on a page counts in full. The
title and the author of a record are some six, the author alone two. A name that a template is
filled in with stands in the URL; numbers do not count, because calendars show others each time."""
_MOST_WORDS, _MOST_CHARS = 200, 200
"""Looked at on one page, and of one piece of text: of what is new, some tells enough."""
_FIRST_PAGES = 2
"""Pages of each shape that say something about other shapes of its family."""
_RICH_PAGES, _RICH = 3, 0.3
"""Pages, and what they brought on average, from which a shape is one that pages may lead to."""
_NEARLY_ALL, _LOOK_EVERY = 0.9, 4
"""While nearly all pages of a shape, or of a site, count in full, the text of every fourth is
looked at: that a shape has run dry is noticed three pages later, because from the first page on
that brought little all are looked at again, and watching costs a quarter."""
_LEAST_NAMED = 5
"""Pages of a trap that is told of: of a single page the family tells."""
_FIRST_PROBE = 32
"""Links set aside before one is followed after all; then twice as many, and so on."""
_ENOUGH_SAME = 3
"""Pages that were the same under another value before that value is taken for a session id."""
_CHANCE_DIFFERENT = 0.1
"""Pages that may differ for each that is the same: their text changes by itself."""
_SITE_TEXTS, _SITE_SHAPES, _SITE_PAGES = 10_000, 500, 4_000
_ALL_TEXTS = 500_000
"""Hashes of texts remembered of all sites: some 40 MB. Beyond, the sites not visited for longest
are forgotten."""
_MOST_SLOTS = 8

_find_words = re.compile(
    # Scripts that put no blanks between words: two signs stand for one.
    r"[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{1,2}|[^\W_]+"
).findall
_digits = re.compile(r"\d+")
_date_like = re.compile(r"[\d.,:_-]*\d[\d.,:_-]*").fullmatch
_identifier = re.compile(r"(?=(?:[^\d]*\d){2})(?=.*[A-Za-z])[A-Za-z0-9]{8,}|[A-Za-z0-9_-]{24,}")
_has_digit = re.compile(r"\d").search
_SHORT = 24
"""Characters below which nothing without a digit is an identifier."""
_word = re.compile(r"[A-Za-z][A-Za-z_-]{0,19}").fullmatch
_pairs = re.compile(r"[&;]").split

REPEATED = "repeated path segments"
SESSION = "a session id"
ENDLESS = "endless numbers or dates, as a calendar has"
COMBINED = "combinations of parameters"
NAMES = "addresses without end"
SAME_PAGE = "the same page under many addresses"
NEARLY_SAME = "pages of nearly the same text"


ROOT = "/..."
"""The family of all other families of a site."""


class UrlShape(NamedTuple):
    """A URL with numbers, dates and ids taken out, and the wider group that it belongs to."""

    name: str
    family: str


@lru_cache(maxsize=64)
def find_shape(url: Url) -> UrlShape:
    """The shape of a URL.

    >>> find_shape(Url("http://a.test/day/2024-05-07/view?sort=asc&n=4"))
    UrlShape(name='/day/#/view?n&sort=asc', family='/day/#/view?...')
    >>> find_shape(Url("http://a.test/a/b/a/b/a/b/"))
    UrlShape(name='/a/b/+', family='/a/...')
    """
    path, _, query = path_of(url).partition("?")
    segments = [part for part in path.split("/") if part]
    if _is_repeated(segments):
        segments = [*dict.fromkeys(segments), "+"]
    shape = "/" + "/".join([_generalise(part) for part in segments])
    if query:
        names = sorted({_generalise_pair(pair) for pair in _pairs(query) if pair})
        return UrlShape(f"{shape}?{'&'.join(names)}", f"{shape}?...")
    first = shape.split("/", 2)[1] if len(segments) > 1 else ""
    return UrlShape(shape, f"/{first}/..." if first else ROOT)


def _is_repeated(segments: Sequence[str]) -> bool:
    """Whether a segment comes a third time, or a run of two or more at once again."""
    if len(segments) < 3 or len(set(segments)) == len(segments):
        return False
    named = [part for part in segments if not part.isdigit()]
    if named and max(Counter(named).values()) >= 3:
        return True
    return any(
        segments[at : at + size] == segments[at + size : at + 2 * size]
        for size in range(2, len(segments) // 2 + 1)
        for at in range(len(segments) - 2 * size + 1)
    )


def _generalise(segment: str) -> str:
    if len(segment) < _SHORT and not _has_digit(segment):
        return segment
    # The patterns would find the same, but take longer: numbers and dates end with no letter, and
    # shorter identifiers are letters and digits alone.
    if not segment[-1].isalpha() and _date_like(segment):
        return "#"
    if (len(segment) >= _SHORT or segment.isalnum()) and _identifier.fullmatch(segment):
        return "~"
    return _digits.sub("#", segment)


def _generalise_pair(pair: str) -> str:
    """Words stay with their name, because `page=about` and `page=month` are different pages."""
    name, _, value = pair.partition("=")
    name = _digits.sub("#", name)
    return f"{name}={value}" if _word(value) and not _identifier.fullmatch(value) else name


def _find_slots(url: Url) -> list[tuple[str, str]]:
    """Places of a URL that may hold a session id, each with the URL without what it holds."""
    start = url.find("/", 8)
    path, mark, query = url[start:].partition("?")
    segments, pairs = path.split("/"), _pairs(query) if mark else []
    found = []
    for at, segment in enumerate(segments):
        name, _, value = segment.partition(";")
        if value:
            rest = "/".join([*segments[:at], name, *segments[at + 1 :]])
            found.append((f"path parameter {value.partition('=')[0]}", f"{rest}{mark}{query}"))
        elif _generalise(segment) in "~#" and segment:
            rest = "/".join([*segments[:at], *segments[at + 1 :]])
            found.append((f"path segment {at}", f"{rest}{mark}{query}"))
    for at, pair in enumerate(pairs):
        name = pair.partition("=")[0]
        rest = "&".join([*pairs[:at], *pairs[at + 1 :]])
        found.append((f"parameter {name}", f"{path}?{rest}"))
    return found[:_MOST_SLOTS]


def _may_have_slots(url: Url, shape: UrlShape) -> bool:
    """Whether `_find_slots` can find any: most paths are words."""
    name = shape.name
    return "?" in name or ";" in url or "/#" in name or "/~" in name


def find_traps(events: Iterable[Event]) -> list[Event]:
    """Those of a store's events that name one."""
    return [event for event in events if event.kind == "trap"]


class ShapeYield:
    """What pages of a shape or a family brought; the latest count most."""

    __slots__ = ("aside", "brought", "is_named", "next_probe", "pages", "same", "tried")

    def __init__(self) -> None:
        self.tried = 0.0
        self.brought = 0.0
        self.pages = 0
        self.same = 0
        """Pages whose text the site had shown before, to the letter."""
        self.aside = 0
        """Links that were not followed."""
        self.next_probe = _FIRST_PROBE
        self.is_named = False

    def learn(self, value: float, *, is_same: bool) -> None:
        self.tried = self.tried * _DISCOUNT + 1.0
        self.brought = self.brought * _DISCOUNT + value
        self.pages += 1
        self.same += is_same

    @property
    def is_new(self) -> bool:
        """Whether nearly all of its pages so far counted in full."""
        return self.brought >= _NEARLY_ALL * self.tried

    def expect(self, before: float) -> float:
        """What the next page will bring, from 0 to 1, if `before` was expected of the first."""
        return (self.brought + _WEIGHT * before) / (self.tried + _WEIGHT)

    def set_aside(self) -> bool:
        """Counts a link that is not followed; False for one that is, to see whether it is still
        so: fewer and fewer."""
        self.aside += 1
        if self.aside < self.next_probe:
            return True
        self.next_probe *= 2
        return False


class _SiteMemory:
    """What is remembered of a site; all of it bounded."""

    def __init__(self) -> None:
        self.texts: set[int] = set()
        self.older_texts: set[int] = set()
        self.shapes: OrderedDict[str, ShapeYield] = OrderedDict()
        self.families: OrderedDict[str, ShapeYield] = OrderedDict()
        self.digests: dict[int, int] = {}
        """Of the text under each URL without one of its values."""
        self.slots: dict[tuple[str, str], list[int]] = {}
        """How often another value brought the same text, and another one."""
        self.sessions: set[tuple[str, str]] = set()
        self.whole = ShapeYield()
        """Of all its pages."""
        self.probes: set[Url] = set()
        self.has_traps = False

    def count_texts(self) -> int:
        return len(self.texts) + len(self.older_texts)

    def learn_text(self, url: Url, page: Page) -> int:
        """How many different words the page shows in a setting that is new to its site, numbers
        and the words of its URL left out; at most `_FULL`."""
        texts, older, leaves = self.texts, self.older_texts, iter(page.leaves)
        new: set[str] = set()
        looked_at = 0
        # Only as far as it takes: a page that is new tells so by its first twenty new words.
        for leaf in leaves:
            if not leaf or (key := hash(leaf)) in texts:
                continue
            texts.add(key)
            if key in older:
                continue
            text = leaf[:_MOST_CHARS]
            line = _digits.sub("", text) if _has_digit(text) else text
            if line is not text and not self._add_text(hash(line)):
                continue
            # Of most texts, and six times as quick as the pattern.
            words = split_words(line) if line.isascii() else _find_words(line.lower())
            looked_at += len(words)
            new.update(self._learn_words(words))
            # Twice as many as count, because words of the URL are among them.
            if looked_at >= _MOST_WORDS or len(new) >= 2 * _FULL:
                break
        # All of it is known from now on, also the rest, which was not looked at.
        texts.update(map(hash, leaves))
        if not new:
            return 0
        if len(self.texts) > _SITE_TEXTS:
            self.older_texts, self.texts = self.texts, set()
        own = _digits.sub("", unquote(path_of(url), errors="replace")).lower()
        return min(len(new.difference(_find_words(own))), _FULL)

    def _add_text(self, key: int) -> bool:
        """Whether it is new."""
        if key in self.texts or key in self.older_texts:
            return False
        self.texts.add(key)
        return True

    def _learn_words(self, words: list[str]) -> list[str]:
        """Those words of a text that stand in no run of three that was met: where one word of a
        known sentence differs, that word alone."""
        texts, older = self.texts, self.older_texts
        # Padded, so that the first and the last word stand in three runs as all others do.
        padded = ["", "", *words, "", ""]
        runs = list(map(hash, zip(padded, padded[1:], padded[2:], strict=False)))
        if texts.isdisjoint(runs) and older.isdisjoint(runs):
            texts.update(runs)
            return words
        are_new = [run not in texts and run not in older for run in runs]
        texts.update(runs)
        return [word for at, word in enumerate(words) if all(are_new[at : at + 3])]


def _find(kept: OrderedDict[str, ShapeYield], name: str) -> ShapeYield:
    """Of this name; the one not met for longest makes room for another."""
    found = kept.get(name)
    if found is None:
        found = kept[name] = ShapeYield()
        if len(kept) > _SITE_SHAPES:
            kept.popitem(last=False)
    else:
        kept.move_to_end(name)
    return found


class TrapWatch:
    """Learns from every visit of a crawl what URL shapes bring, and says which links to leave.

    Kept in memory: traps that were named are restored from the store's events, everything else is
    learned again. Bounded in sites, shapes and texts.
    """

    def __init__(self) -> None:
        self._sites: OrderedDict[Site, _SiteMemory] = OrderedDict()
        self._texts = 0
        self._has_traps = False
        """On any site: before, no link needs a look."""

    def restore(self, events: Iterable[Event]) -> None:
        """Take up what earlier runs named."""
        for event in find_traps(events):
            shape, _, _ = event.detail.partition(": ")
            if not shape.startswith("/"):
                continue
            memory = self._remember(Site(event.subject))
            kept = memory.families if shape.endswith("...") else memory.shapes
            known = _find(kept, shape)
            known.tried, known.is_named = 1 / (1 - _DISCOUNT), True
            self._mark(memory)
            known.pages = _FIRST_PAGES

    def why_left(self, url: Url) -> str:
        """Why a URL is not to be asked for, or ''."""
        if not self._has_traps:
            return ""
        memory = self._sites.get(site_of(url))
        if memory is None or not memory.has_traps or url in memory.probes:
            return ""
        return self._why_left(memory, url)

    def sort_out(self, links: Sequence[Link], positions: Sequence[int]) -> dict[int, str]:
        """Those of a page's links that are not to be followed, and why."""
        left: dict[int, str] = {}
        for position in positions if self._has_traps else ():
            if why := self.why_left(links[position].target):
                left[position] = why
        return left

    def learn_page(
        self, url: Url, page: Page, unknown: Sequence[int], *, has_new_form: bool
    ) -> float:
        """Of a page with a text of its own; what it brought, from 0 to 1. `unknown` are positions
        of links that nobody had met."""
        memory = self._remember(site_of(url))
        shape = find_shape(url)
        # Names in paths make a shape of every page: then the family tells.
        known = memory.shapes.get(shape.name) or memory.families.get(shape.family)
        whole = memory.whole
        if (
            whole.pages % _LOOK_EVERY
            and whole.pages >= _RICH_PAGES
            and (whole.is_new if known is None or known.pages < _RICH_PAGES else known.is_new)
            and (known is None or known.is_new)
        ):
            whole.pages += 1
            self._learn(memory, shape, 1.0, is_same=False)
            return 1.0
        before = memory.count_texts()
        value = memory.learn_text(url, page) / _FULL
        self._texts += memory.count_texts() - before
        if has_new_form or (value < _EVEN and self._leads_on(memory, shape, page, unknown)):
            value = 1.0
        whole.learn(value, is_same=False)
        self._learn(memory, shape, value, is_same=False)
        self._forget()
        return value

    def learn_digest(self, url: Url, digest: int, at: float) -> Event | None:
        """Which text came under a URL, as a hash. An event if that tells that a part of the URL
        is a session id."""
        shape = find_shape(url)
        if not _may_have_slots(url, shape):
            return None
        memory = self._remember(site_of(url))
        found, family = None, shape.family
        for slot, rest in _find_slots(url):
            key = hash((slot, rest))
            met = memory.digests.get(key)
            if met is not None:
                found = self._compare(memory, (family, slot), is_same=met == digest) or found
            memory.digests[key] = digest
        while len(memory.digests) > _SITE_PAGES:
            del memory.digests[next(iter(memory.digests))]
        if found is None:
            return None
        return Event(at, "trap", site_of(url), f"{found} of {family}: {SESSION}")

    def learn_nothing(self, url: Url, *, is_same: bool) -> None:
        """Of an answer that brought nothing: a page met before, or none."""
        self._learn(self._remember(site_of(url)), find_shape(url), 0.0, is_same=is_same)

    def name_trap(self, url: Url, at: float) -> Event | None:
        """An event when the shape of this URL has just turned out to be a trap."""
        memory = self._sites.get(site_of(url))
        if memory is None:
            return None
        shape = find_shape(url)
        name, found = self._find_barren(memory, shape)
        if found is None:
            return None
        self._mark(memory)
        if found.is_named or found.pages < _LEAST_NAMED:
            return None
        found.is_named = True
        kind = _name_kind(name, found)
        detail = f"{name}: {kind}; its last pages of {found.pages} brought next to nothing"
        return Event(at, "trap", site_of(url), detail)

    def _remember(self, site: Site) -> _SiteMemory:
        memory = self._sites.get(site)
        if memory is None:
            memory = self._sites[site] = _SiteMemory()
        else:
            self._sites.move_to_end(site)
        return memory

    def _mark(self, memory: _SiteMemory) -> None:
        memory.has_traps = self._has_traps = True

    def _forget(self) -> None:
        while self._texts > _ALL_TEXTS and len(self._sites) > 1:
            _, gone = self._sites.popitem(last=False)
            self._texts -= gone.count_texts()

    def _learn(self, memory: _SiteMemory, shape: UrlShape, value: float, *, is_same: bool) -> None:
        known = _find(memory.shapes, shape.name)
        # Of each shape the first pages tell what to expect of the next new shape, and likewise of
        # each family; a single calendar would else speak for everything beside it.
        if known.pages < _FIRST_PAGES:
            family = _find(memory.families, shape.family)
            if family.pages < _FIRST_PAGES and shape.family != ROOT:
                _find(memory.families, ROOT).learn(value, is_same=is_same)
            family.learn(value, is_same=is_same)
        known.learn(value, is_same=is_same)

    def _find_barren(self, memory: _SiteMemory, shape: UrlShape) -> tuple[str, ShapeYield | None]:
        """The family or shape that is not worth a request, if one of them is: the widest."""
        expected = _EVEN
        widest: tuple[str, ShapeYield | None] = ("", None)
        families = memory.families
        chain = (
            (ROOT, families.get(ROOT)),
            (shape.family, families.get(shape.family) if shape.family != ROOT else None),
            (shape.name, memory.shapes.get(shape.name)),
        )
        for name, known in chain:
            if known is None:
                continue
            expected = known.expect(expected)
            if expected >= _LEAST:
                widest = ("", None)
            elif widest[1] is None:
                widest = (name, known)
        return widest

    def _why_left(self, memory: _SiteMemory, url: Url) -> str:
        shape = find_shape(url)
        if memory.sessions:
            for slot, rest in _find_slots(url):
                is_met = (shape.family, slot) in memory.sessions
                if is_met and hash((slot, rest)) in memory.digests:
                    return f"trap: {SESSION}; the page was visited with another {slot}"
        name, found = self._find_barren(memory, shape)
        if found is None:
            return ""
        if found.set_aside():
            return f"trap: {_name_kind(name, found)} ({name})"
        memory.probes.add(url)
        return ""

    def _leads_on(
        self, memory: _SiteMemory, own: UrlShape, page: Page, unknown: Sequence[int]
    ) -> bool:
        """Whether the page has unknown links of another shape whose pages bring something: a list
        of results may hold little text and be the only way to what it lists."""
        here = site_of(page.url)
        for position in unknown[:50]:
            target = page.links[position].target
            if site_of(target) != here:
                continue
            shape = find_shape(target)
            known = memory.shapes.get(shape.name)
            if known is None or shape.name == own.name or known.pages < _RICH_PAGES:
                continue
            if known.brought >= _RICH * known.tried:
                return True
        return False

    def _compare(self, memory: _SiteMemory, slot: tuple[str, str], *, is_same: bool) -> str | None:
        counts = memory.slots.setdefault(slot, [0, 0])
        counts[not is_same] += 1
        while len(memory.slots) > _SITE_SHAPES:
            del memory.slots[next(iter(memory.slots))]
        is_session = counts[0] >= _ENOUGH_SAME and counts[1] <= _CHANCE_DIFFERENT * counts[0]
        if not is_session:
            memory.sessions.discard(slot)
            return None
        if slot in memory.sessions:
            return None
        memory.sessions.add(slot)
        self._mark(memory)
        return slot[1]


def _name_kind(name: str, found: ShapeYield) -> str:
    """What kind of trap it is, from its shape and from what its pages were."""
    if name.endswith("/+") or "/+?" in name:
        return REPEATED
    if found.pages and 2 * found.same >= found.pages:
        return SAME_PAGE
    if "?" in name and name.endswith("..."):
        return COMBINED
    if name.endswith("..."):
        return NAMES
    return ENDLESS if "#" in name or "?" in name else NEARLY_SAME
