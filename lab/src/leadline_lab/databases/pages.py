"""What result pages and record pages are made of."""

from collections.abc import Callable

import numpy as np

from leadline_lab.databases.chance import below, draws
from leadline_lab.databases.column import Column, Rows
from leadline_lab.databases.index import Index
from leadline_lab.databases.kinds import Source, held
from leadline_lab.databases.lexicon import Lexicon
from leadline_lab.databases.paging import Turner, Window
from leadline_lab.databases.phrases import Speech
from leadline_lab.databases.query import Bound, Query
from leadline_lab.databases.records import Record, record, records, titles, type_of
from leadline_lab.draw import Draw, key_of
from leadline_lab.markup.model import (
    Anchor,
    Block,
    Facts,
    Heading,
    Inline,
    Item,
    Links,
    Listing,
    Prose,
)
from leadline_lab.schema import said

RecordUrl = Callable[[int], str]

_SNIPPET_WORDS = 14
_FACETS = 8
_RELATED = 4
_SUGGESTED = 5


def sentence(text: str) -> Prose:
    return Prose(((text,),))


def heading_of(source: Source, query: Query) -> Heading:
    speech = Speech(source.key, source.language)
    if query.is_empty:
        return Heading(speech.say("all", said(source.schema.many, source.language)[0]))
    return Heading(speech.say("results", query.text))


def total_of(source: Source, query: Query, matched: int, window: Window) -> Prose:
    """How many there are, as far as the source tells, and which ones are shown."""
    say = Speech(source.key, source.language).say
    behaviour = source.behaviour
    parts: list[Inline] = []
    if behaviour.total == "exact":
        parts.append(say("exact", matched))
    elif behaviour.total == "estimated":
        parts.append(say("estimated", estimate(source, query, matched)))
    if matched > window.count and behaviour.total != "absent":
        parts.append(" " + say("first", window.count))
    return Prose((tuple(parts), (say("range", window.start + 1, window.end),)))


def listing_of(
    source: Source, lexicon: Lexicon, numbers: tuple[int, ...], record_url: RecordUrl
) -> Listing:
    """Records in the source's layout; without pages of their own their anchors lead nowhere."""
    url = record_url if source.behaviour.has_details else _nowhere
    names = _listed(source)
    items = (_item(source, found, names, url) for found in records(source, lexicon, numbers))
    return Listing(tuple(items), source.behaviour.layout)


def suggestions(index: Index, key: int, record_url: RecordUrl) -> Listing:
    """Records that nobody asked for."""
    source = index.source
    numbers = _others(key, source.size, _SUGGESTED)
    listing = listing_of(source, index.lexicon, numbers, record_url)
    title = Speech(source.key, source.language).say("suggested")
    return Listing(listing.items, listing.layout, title)


def facets_of(index: Index, bound: Bound, rows: Rows, turner: Turner) -> tuple[Block, ...]:
    """Links that sort the answer or narrow it by a category that the form asks for."""
    source = index.source
    ordered = [a for a in held(source.schema) if a.kind in ("year", "price", "date")]
    sorts = tuple(
        Anchor(turner.url({turner.names.sort: a.name}), said(a.labels, source.language)[0])
        for a in ordered
    )
    blocks: list[Block] = [Links("list", sorts, turner.speech.say("sort"))] if sorts else []
    kinds = {a.name: a.kind for a in held(source.schema)}
    for control, target in bound.items():
        if kinds.get(target) == "category":
            blocks.append(_narrowing(index, control, target, rows, turner))
            break
    return tuple(blocks)


def record_page(
    source: Source, lexicon: Lexicon, number: int, record_url: RecordUrl
) -> tuple[str, tuple[Block, ...]]:
    """Title and main blocks of a record's own page: everything it holds."""
    found = record(source, lexicon, number)
    texts = [a.name for a in held(source.schema) if a.kind == "text"]
    blocks: list[Block] = [
        Heading(found.title, 1),
        Facts(_facts(source, found, [a for a in found.values if a not in texts])),
    ]
    blocks += [Prose(((found.values[name],),)) for name in texts]
    others = _others(key_of(source.key, "related", number), source.size, _RELATED)
    named = zip(others, titles(source, lexicon, others), strict=True)
    anchors = tuple(Anchor(record_url(other), title) for other, title in named)
    blocks.append(Links("related", anchors, Speech(source.key, source.language).say("related")))
    return found.title, tuple(blocks)


def _item(source: Source, found: Record, names: list[str], url: RecordUrl) -> Item:
    kinds = {a.name: a.kind for a in held(source.schema)}
    text = " ".join(value for name, value in found.values.items() if kinds[name] == "text")
    words = text.split()
    snippet = " ".join(words[:_SNIPPET_WORDS]) + "…" if len(words) > _SNIPPET_WORDS else text
    return Item(
        Anchor(url(found.number), found.title),
        (snippet,) if snippet else (),
        _facts(source, found, names),
    )


def _listed(source: Source) -> list[str]:
    """The attributes that its lists show beside the title."""
    draw = Draw(key_of(source.key, "listed"))
    rest = held(source.schema)[1:]
    return [a.name for a in rest if a.kind != "text" and draw.chance(800)]


def _facts(source: Source, found: Record, names: list[str]) -> tuple[tuple[str, str], ...]:
    kind = type_of(source, found.number)
    labels = {a.name: said(a.labels, source.language)[0] for a in held(source.schema)}
    facts = [(labels[name], found.values[name]) for name in names]
    if kind:
        speech = Speech(source.key, source.language)
        facts = [(speech.say("type"), speech.kind(kind)), *facts[: 3 - kind]]
    return tuple(facts)


def _narrowing(index: Index, control: str, name: str, rows: Rows, turner: Turner) -> Links:
    column = index.column(name)
    anchors: list[Anchor] = []
    if isinstance(column, Column):
        counts = np.bincount(column.codes[rows, 0], minlength=len(column.entries))
        for code in np.argsort(-counts, kind="stable")[:_FACETS].tolist():
            choice, count = column.entries.entry(code), int(counts[code])
            if count:
                anchors.append(Anchor(turner.url({control: choice}), f"{choice} ({count})"))
    return Links("list", tuple(anchors), turner.speech.say("narrow"))


def _others(key: int, size: int, count: int) -> tuple[int, ...]:
    drawn = below(draws(key, np.zeros(1, np.int64), count), size)[0]
    return tuple(dict.fromkeys(drawn.tolist()))


def estimate(source: Source, query: Query, matched: int) -> int:
    """Off by up to three tenths, two digits of it."""
    share = Draw(key_of(source.key, "estimate", query.text)).between(70, 130)
    guess = max(1, matched * share // 100)
    unit = 10 ** max(0, len(str(guess)) - 2)
    return int(guess // unit * unit)


def _nowhere(_number: int) -> str:
    return ""
