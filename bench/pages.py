"""The HTML of one benchmark page: 60 links, about 20 KB and 700 nodes, words by Zipf's law.

Pages of today are ten times as large, mostly by what no reader sees: with `bulk_bytes` a page gets
scripts, styles, inline state, icons and attributes in the shares measured on 350 pages of 2025.
"""

import random
from collections.abc import Callable, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

VOCABULARY_WORDS = 12_000
ZIPF_SHIFT = 2.7
"""Mandelbrot's shift: the commonest word then makes up about 4 % of the text, as in English."""
PAGE_WORDS = 1_450

SECTIONS = (
    *("books", "music", "travel", "science", "history", "gardens"),
    *("recipes", "sports", "health", "archive", "events"),
)
FIXED_PAGES = ("about.html", "contact.html", "help.html")

INLINE_LINKS = 10
ITEM_LINKS = 14
TABLE_LINKS = 5
ASIDE_LINKS = 8
PARTNER_LINKS = 4
SAME_HOST_LINKS = INLINE_LINKS + ITEM_LINKS + TABLE_LINKS
CROSS_HOST_LINKS = ASIDE_LINKS + PARTNER_LINKS
STANDING_LINKS = 1 + len(SECTIONS) + 2 + 1 + len(FIXED_PAGES) + 1
"""Logo, menu, breadcrumbs, print version, footer, login; only the print version varies."""
LINKS = STANDING_LINKS + SAME_HOST_LINKS + CROSS_HOST_LINKS

_STYLE = "".join(
    f".{name}{{margin:0 auto;padding:{size}px;display:block;color:#2{size}3a4f;"
    f"font:400 1{size}px/1.5 sans-serif}}"
    for size, name in enumerate(
        ("page", "menu", "crumbs", "article", "items", "facts", "aside", "box", "foot", "legal")
    )
)
_SCRIPT = (
    "window.layer=window.layer||[];function track(){layer.push(arguments)}"
    "track('start',new Date());document.addEventListener('click',function(event){"
    "var link=event.target.closest('a');"
    "if(link&&link.host!==location.host)track('out',link.href)});"
)


_SYLLABLE = (
    [*"bcdfghjklmnprstvwz", "br", "ch", "cl", "dr", "fl", "gr", "pl", "pr", "sh", "st", "th", "tr"],
    [*"aeiou", "ai", "ea", "ee", "io", "ou"],
    ["", "", "", "l", "m", "n", "r", "s", "t", "nd", "st"],
)


class Words:
    """A seeded vocabulary and draws from it; the same seed gives the same words."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        found: dict[str, None] = {}
        while len(found) < VOCABULARY_WORDS:
            syllables = chance.choice((1, 2, 2, 3))
            parts = [chance.choice(part) for _ in range(syllables) for part in _SYLLABLE]
            found["".join(parts)] = None
        # Common words are shorter, but not strictly: English text averages 4.7 letters a word.
        self.vocabulary = sorted(found, key=lambda word: len(word) // 5)
        weights = 1.0 / (np.arange(VOCABULARY_WORDS) + ZIPF_SHIFT)
        self._cumulative = np.cumsum(weights / weights.sum())

    def draw(self, rng: np.random.Generator, count: int) -> list[str]:
        ranks = np.searchsorted(self._cumulative, rng.random(count))
        vocabulary = self.vocabulary
        return [vocabulary[rank] for rank in np.minimum(ranks, VOCABULARY_WORDS - 1).tolist()]


BULK_SHARES = {"script": 0.46, "style": 0.22, "svg": 0.08, "markup": 0.24}
"""Of the bytes that are neither text nor links on today's pages; `markup` is attributes."""


def draw_bulk(words: Words, rng: np.random.Generator, size: int) -> tuple[str, str]:
    """What makes pages of one web large: some of it for the head, some for the body."""
    pool = words.draw(rng, 4_000)

    def fill(share: float, piece: Callable[[str, str, int], str]) -> str:
        parts, length, number = [], 0, 0
        while length < share * size:
            first, second = pool[number % len(pool)], pool[(7 * number + 3) % len(pool)]
            parts.append(piece(first, second, number))
            length += len(parts[-1])
            number += 1
        return "".join(parts)

    script = fill(
        BULK_SHARES["script"],
        lambda a, b, n: f'window.{a}{n}=function(e){{return e.{b}&&"{a} {b}"+e.id<{n}}};',
    )
    style = fill(
        BULK_SHARES["style"],
        lambda a, b, n: f".{a}-{b}>li:hover{{margin:{n % 40}px;color:#{n % 999:03d}}}\n",
    )
    icons = fill(
        BULK_SHARES["svg"],
        lambda a, _b, n: (
            f'<svg class="{a}" viewBox="0 0 24 24"><path d="M{n % 24} 2L12 {n % 17}H8v{n % 9}'
            f'c0 1.1.9 2 2 2s2-.9 2-2V{n % 13}z"/></svg>'
        ),
    )
    markup = fill(
        BULK_SHARES["markup"],
        lambda a, b, n: (
            f'<div class="{a}-module__{b}--{n} flex items-center px-4" data-testid="{b}-{n}"'
            f' data-state=\'{{"{a}":{n},"{b}":[{n % 7},{n % 11}]}}\'>'
            '<span class="sr-only"></span></div>'
        ),
    )
    return f"<style>{style}</style><script>{script}</script>\n", f"{icons}{markup}"


class Target(NamedTuple):
    """Where a link leads and what it is called."""

    href: str
    title: str


class Outline(NamedTuple):
    """What tells one page from another."""

    title: str
    section: str
    slug: str
    number: int
    near: Sequence[Target]
    """SAME_HOST_LINKS pages of the same host."""
    far: Sequence[Target]
    """CROSS_HOST_LINKS pages of other hosts."""


def render(
    outline: Outline,
    words: Sequence[str],
    digits: NDArray[np.int64],
    bulk: tuple[str, str] = ("", ""),
) -> str:
    """The page; `words` are PAGE_WORDS words, `digits` some figures for its table and dates."""
    stream = iter(words)

    def text(count: int) -> str:
        return " ".join(islice(stream, count)).capitalize()

    figures = digits.tolist()
    near = iter(outline.near)
    far = iter(outline.far)
    return "".join(
        (
            _head(outline, text).replace("</head>", f"{bulk[0]}</head>"),
            _top(outline, text),
            bulk[1],
            _article(outline, text, list(islice(near, INLINE_LINKS)), figures),
            _items(text, list(islice(near, ITEM_LINKS)), figures),
            _table(text, list(near), figures),
            _aside(text, list(islice(far, ASIDE_LINKS))),
            _foot(text, list(far)),
        )
    )


Text = Callable[[int], str]


def _head(outline: Outline, text: Text) -> str:
    about = text(22)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{outline.title} - {outline.section} - {text(2)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="{about}">
<meta name="keywords" content="{text(6).replace(" ", ", ")}">
<meta property="og:title" content="{outline.title}">
<meta property="og:description" content="{about}">
<link rel="stylesheet" href="/static/site.css"><link rel="icon" href="/static/icon.png">
<style>{_STYLE}</style>
<script>{_SCRIPT}</script>
<script type="application/ld+json">
{{"@type":"Article","headline":"{outline.title}","about":"{about}"}}</script>
</head>
"""


def _top(outline: Outline, text: Text) -> str:
    menu = "".join(
        f'<li class="menu-item"><a class="menu-link" href="/{name}/">{name.title()}</a></li>\n'
        for name in SECTIONS
    )
    options = "".join(f'<option value="{name}">{name.title()}</option>' for name in SECTIONS)
    return f"""<body class="page page-{outline.section}">
<header class="top"><div class="wrap">
<a class="logo" href="/"><img src="/static/logo.png" alt="{text(2)}" width="120" height="40"></a>
<form class="search-form" role="search" action="/search" method="get">
<label for="q">Search {outline.section}</label>
<input id="q" type="search" name="q" placeholder="Title, author or keyword" size="30">
<select name="section"><option value="">All</option>{options}</select>
<button type="submit" class="button">Search</button>
</form>
<nav class="menu"><ul class="menu-list">
{menu}</ul></nav>
</div></header>
<div class="crumbs"><a href="/">Home</a> <span class="sep">&rsaquo;</span>
<a href="/{outline.section}/">{outline.section.title()}</a> <span class="sep">&rsaquo;</span>
<span class="here">{outline.title}</span></div>
"""


def _article(outline: Outline, text: Text, links: list[Target], figures: list[int]) -> str:
    paragraphs = "".join(
        f'<p class="text">{text(40)} <a href="{link.href}">{link.title}</a> {text(24)},'
        f" <em>{text(3)}</em> {text(12)} <strong>{text(2)}</strong> {text(10)}.</p>\n"
        for link in links
    )
    return f"""<main class="main"><article class="article" id="a{outline.number}">
<h1 class="title">{outline.title}</h1>
<p class="byline"><span class="author">{text(2)}</span>
<time class="date">{_date(figures[0])}</time>
<a class="print" href="/print/{outline.slug}-{outline.number}.html">Print</a></p>
{paragraphs}</article>
"""


def _date(figure: int) -> str:
    return f"20{figure % 24:02d}-{figure % 12 + 1:02d}-{figure % 28 + 1:02d}"


def _items(text: Text, links: list[Target], figures: list[int]) -> str:
    items = "".join(
        f'<li class="item"><h3 class="item-title">'
        f'<a class="item-link" href="{link.href}">{link.title}</a></h3>'
        f'\n<p class="item-text">{text(20)}.</p>\n<span class="item-date">{_date(figure)}</span> '
        f'<span class="item-tag">{text(1)}</span></li>\n'
        for link, figure in zip(links, figures, strict=False)
    )
    opening = f'<section class="items"><h2>{text(3)}</h2>\n<ul class="item-list">\n'
    return f"{opening}{items}</ul></section>\n"


def _table(text: Text, links: list[Target], figures: list[int]) -> str:
    rows = "".join(
        f'<tr><td class="name"><a href="{link.href}">{link.title}</a></td><td>{text(2)}</td>'
        f"<td>{figure}</td><td>{figure % 97}.{figure % 10}</td></tr>\n"
        for link, figure in zip(links, figures, strict=False)
    )
    plain = "".join(
        f"<tr><td>{text(2)}</td><td>{text(1)}</td><td>{figure}</td><td>{figure % 89}</td></tr>\n"
        for figure in figures[:8]
    )
    return (
        f'<table class="facts"><caption>{text(4)}</caption>\n<thead><tr><th>Name</th><th>Kind</th>'
        f"<th>Count</th><th>Share</th></tr></thead>\n<tbody>\n{rows}{plain}</tbody></table></main>\n"
    )


def _aside(text: Text, links: list[Target]) -> str:
    entries = "".join(
        f'<li><a href="{link.href}" title="{text(3)}">{link.title}</a> '
        f"<small>{text(4)}</small></li>\n"
        for link in links
    )
    boxes = "".join(
        f'<div class="box"><h4>{text(2)}</h4><p>{text(14)}</p><span>{text(1)}</span></div>\n'
        for _ in range(4)
    )
    return f'<aside class="aside"><h2>Related</h2>\n<ul>\n{entries}</ul>\n{boxes}</aside>\n'


def _foot(text: Text, links: list[Target]) -> str:
    fixed = "".join(f'<a href="/{name}">{name[:-5].title()}</a> ' for name in FIXED_PAGES)
    partners = "".join(
        f'<a class="partner" href="{link.href}">{link.title}</a>\n' for link in links
    )
    return f"""<footer class="foot"><div class="wrap">
<p>{fixed}<a href="/account/login">Log in</a></p>
<p class="partners">{partners}</p>
<p class="legal">&copy; {text(12)}</p></div></footer>
</body>
</html>
"""
