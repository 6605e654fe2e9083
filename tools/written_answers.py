# ruff: noqa: E501 - markup is written on one line
"""Answer pages of many makes, for training the scorer of result blocks beyond a few services.

`tools.block_training` calls `written_pages`. Each page is a frame, records and a way to lay them
out. Frames are real pages of development hosts whose main part was cut out, with their menus, side
boxes and footers; records are real titles and texts. Layouts are drawn part by part: the elements
of an item, how its title is linked, what is missing, what stands between items and beside the list
(advertisements, headings of groups, strips of videos, facets, pagers, tips that are folded away).
No layout is taken from a particular service; the draw is the same for the same seed.
"""

import gzip
import html
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from selectolax.lexbor import LexborHTMLParser

from tools.splits import is_held_out
from tools.written_layouts import REGISTERS, SEARCHES, Drawing, Item

_MAX_FRAME_CHARS = 150_000
_SLOT = "@@answers@@"
_words = re.compile(r"[^\W\d_]{4,}").findall
_tags = re.compile(r"<[^<>]*>")
LISTED = 0.4
"""Share of pages that are listings, without a query whose words would tell the results."""
BY_HAND = 0.55
"""Share of pages whose list is one of the layouts written by hand; others combine their parts."""
_REDIRECTS = (
    "http://{0}/url?q={1}&sa=U",
    "http://r.{0}/x=1/RU={1}/RK=2",
    "http://{0}/out?id=7&to={1}",
)
"""Addresses that count clicks, around the one that they lead to."""
_HOLDERS = ("main", "[role=main]", "#content", "#main", "article", ".content", ".main")


class WrittenRecord(NamedTuple):
    title: str
    snippet: str
    values: tuple[tuple[str, str], ...] = ()


class WrittenPage(NamedTuple):
    name: str
    html: str
    url: str
    query: str
    results: tuple[tuple[str, str], ...]
    """Address and title of each."""


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def read_stock(folder: Path, rng: random.Random, limit: int = 3_000) -> list[WrittenRecord]:
    """Real records of several kinds. None is of a service or court: a service that is left out to
    judge a scorer must not have lent its titles to the pages that the scorer was fitted on."""
    stock: list[WrittenRecord] = []
    for path in sorted((folder / "records").glob("*.jsonl.gz")):
        rows = list(_rows(path))
        for row in rng.sample(rows, min(limit, len(rows))):
            texts = {k: _plain(str(v)) for k, v in row.items() if isinstance(v, str | int | float)}
            title = next((texts[k] for k in ("title", "name", "package") if texts.get(k)), "")
            longest = max(texts.values(), key=len, default="")
            values = tuple((k, v) for k, v in texts.items() if 0 < len(v) < 60 and v != title)
            if title:
                snippet = longest[:260] if longest != title and len(longest) > 40 else ""
                stock.append(WrittenRecord(title[:150], snippet, values[:5]))
    return stock


def read_frames(folder: Path) -> list[str]:
    """Real pages of development hosts with a slot where their main part was; none of a service."""
    services = {row["service"].casefold() for row in _rows(folder / "answers/serps.jsonl.gz")}
    pages: list[tuple[str, str]] = []
    pages += [(r["domain"], r["html"]) for r in _rows(folder / "pages/modern.jsonl.gz")]
    pages += [(_host(r["url"]), r["html"]) for r in _rows(folder / "forms/formasaurus.jsonl.gz")]
    frames = []
    for host, source in pages:
        if is_held_out(host) or not services.isdisjoint(host.casefold().split(".")):
            continue
        if not 2_000 < len(source) < _MAX_FRAME_CHARS:
            continue
        source = re.sub(r"(?is)<(script|style|svg|noscript)\b.*?</\1>", "", source)
        tree = LexborHTMLParser(source)
        node = next((n for n in (tree.css_first(h) for h in _HOLDERS) if n is not None), None)
        if node is None or tree.body is None or node.tag == "body":
            continue
        node.replace_with(_SLOT)
        frame = tree.html or ""
        if frame.count(_SLOT) == 1:
            frames.append(frame)
    return frames


def written_pages(folder: Path, count: int, seed: int = 1) -> Iterator[WrittenPage]:
    rng = random.Random(seed)
    stock = read_stock(folder, rng)
    by_word: dict[str, list[int]] = defaultdict(list)
    for number, record in enumerate(stock):
        for word in {w.casefold() for w in _words(record.title)}:
            by_word[word].append(number)
    common = sorted(word for word, numbers in by_word.items() if 3 <= len(numbers) <= 400)
    frames = read_frames(folder)
    for number in range(count):
        word = rng.choice(common)
        chosen = rng.sample(by_word[word], min(len(by_word[word]), rng.choice((3, 6, 10, 20, 30))))
        unique = {stock[n].title: stock[n] for n in chosen}
        others = [stock[n] for n in rng.sample(range(len(stock)), 30)]
        if rng.random() < LISTED:
            # Nothing was asked: what an archive or a register shows of itself.
            listed = rng.sample(stock, rng.choice((2, 3, 5, 8, 12, 20, 40)))
            unique, word = {record.title: record for record in listed}, ""
        frame = rng.choice(frames) if rng.random() < 0.65 else _made_frame(rng, others)
        yield _PageWriter(rng, word, list(unique.values()), others).write(
            f"written {number}", frame
        )


def _plain(text: str) -> str:
    return " ".join(html.unescape(_tags.sub("", text)).split())


def _host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0]


def _made_frame(rng: random.Random, others: Sequence[WrittenRecord]) -> str:
    """What pages of 1998, 2005, 2015 and 2025 have around their main part."""
    words = rng.sample(("home", "about", "help", "contact", "news", "forms", "rules", "staff", "faq",
                        "search", "archive", "services", "links"), rng.randrange(4, 12))  # fmt: skip
    links = [f"<a href='/{word}'>{word.title()}</a>" for word in words]
    listed = "".join(f"<li>{link}</li>" for link in links)
    side = "".join(f"<p><a href='/n/{k}'>{html.escape(o.title[:50])}</a></p>"
                   for k, o in enumerate(others[: rng.randrange(2, 6)]))  # fmt: skip
    year = rng.choice((1998, 1998, 2005, 2015, 2025, 0))
    if year == 1998:
        left, right = "<br>".join(links), side if rng.random() < 0.3 else ""
        cells = [
            f"<td width=120 valign=top bgcolor=#ccccff>{left}</td>",
            f"<td valign=top>{_SLOT}</td>",
        ]
        cells += [f"<td valign=top>{right}</td>"] if right else []
        if rng.random() < 0.3:
            cells.reverse()
        return f"<html><body bgcolor=white><center><h1>{words[0].title()}</h1></center><table><tr>{''.join(cells)}</tr></table><hr>Copyright 1998</body></html>"
    if year == 2005:
        boxes = [
            f"<div id=left><ul>{listed}</ul></div>",
            f"<div id=main><h2>{words[0].title()}</h2>{_SLOT}</div>",
            f"<div id=right>{side}</div>",
        ]
        if rng.random() < 0.4:
            boxes.reverse()
        return f"<html><body><div id=header><img src=/logo.gif></div>{''.join(boxes)}<div id=footer>{' | '.join(links)}</div></body></html>"
    if year == 2015:
        aside = f"<div class='col-md-3'><ul class='nav nav-pills'>{listed}</ul>{side}</div>"
        main = f"<div class='col-md-9'>{_SLOT}</div>"
        row = main + aside if rng.random() < 0.5 else aside + main
        return f"<!DOCTYPE html><body><nav class=navbar><ul>{listed}</ul></nav><div class=container><div class=row>{row}</div></div><footer><ul>{listed}</ul></footer></body>"
    if year == 2025:
        menu = "".join(
            f"<div class='_x{k}'><button>{link}</button></div>" for k, link in enumerate(links)
        )
        return f"<!DOCTYPE html><body><div id=root><div class='_a1'><div class='_b2'>{menu}</div><div role=dialog hidden>{side}</div><div class='_c3'><div>{_SLOT}</div></div></div></div></body>"
    top = rng.choice(
        (f"<div id=top>{' '.join(links)}</div>", f"<center>{' '.join(links)}</center><hr>", "")
    )
    return f"<html><body>{top}{_SLOT}<p>Copyright 2001. All rights reserved.</p></body></html>"


_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
           "October", "November", "December")  # fmt: skip
_ITEM_NAMES = ("result", "item", "card", "entry", "hit", "row", "g", "box", "listing", "tile", "c",
               "teaser", "record", "doc", "media", "")  # fmt: skip
_LIST_NAMES = ("results", "list", "items", "content", "main-col", "grid", "stream", "col-8", "b",
               "search", "left", "")  # fmt: skip
_LAYOUTS = (
    "li", "li", "div", "div", "div", "article", "cards", "rows", "two rows", "dl", "paragraphs",
    "breaks", "pre", "nested tables", "groups", "tables of groups", "sections", "wrapped", "form rows",
)  # fmt: skip


class _PageWriter:
    """Draws one page."""

    def __init__(
        self, rng: random.Random, word: str, records: list[WrittenRecord],
        others: Sequence[WrittenRecord],
    ) -> None:  # fmt: skip
        self.rng, self.word, self.records, self.others = rng, word, records, others
        self.host = (
            f"www.{rng.choice(('find', 'shop', 'lib', 'data', 'go'))}{rng.randrange(99)}.test"
        )
        style = rng.random()
        hashed = f"css-{rng.getrandbits(24):x}"
        named = rng.choice(_ITEM_NAMES)
        self.item_name = "" if style < 0.2 else hashed if style < 0.4 else named
        self.list_name = (
            "" if style < 0.2 else hashed[:7] if style < 0.4 else rng.choice(_LIST_NAMES)
        )
        self.zebra = rng.choice(("", "", "", "odd even", "dark light", "open closed", "bg1 bg2"))
        self.layout = rng.choice(_LAYOUTS)
        own, other = (SEARCHES, REGISTERS) if word else (REGISTERS, SEARCHES)
        self.drawing = rng.choice(own if rng.random() < 0.8 else other)
        self.is_drawn = rng.random() < BY_HAND
        self.redirect = rng.choice(("", "", "", "", "", *_REDIRECTS))
        self.mark = rng.choice(
            ("", "", "b", "em", "strong", "mark", "span class=hl", "font color=red")
        )
        self.title_way = rng.choice(
            ("h3 a", "h3 a", "a h3", "a", "a", "b a", "h2 a", "div a", "all")
        )
        self.parts = {
            p
            for p in (
                "snippet",
                "cite",
                "image",
                "values",
                "date",
                "price",
                "more",
                "tags",
                "author",
                "counted",
                "button",
            )
            if rng.random() < 0.35
        } | ({"snippet"} if rng.random() < 0.5 else set())
        self.missing = rng.choice((0.0, 0.0, 0.15, 0.4))
        self.is_foreign = rng.random() < 0.4
        if not word:
            self.parts &= (
                {"date", "values", "author", "snippet"} if rng.random() < 0.4 else {"date"}
            )
        self.has_numbers = rng.random() < 0.6
        self.names_cases = rng.random() < 0.5
        self.has_snippets = rng.random() < 0.75
        self.results: list[tuple[str, str]] = []

    def write(self, name: str, frame: str) -> WrittenPage:
        rng = self.rng
        before = [part for part in (self._tabs, self._count, self._facets, self._strip, self._tips,
                                    self._advertised, self._categories, self._archive)
                  if rng.random() < 0.35]  # fmt: skip
        after = [part for part in (self._pager, self._facets, self._strip, self._tips, self._related,
                                   self._advertised, self._archive)
                 if rng.random() < 0.35]  # fmt: skip
        if not self.word:
            asking = (self._tabs, self._facets, self._related, self._advertised, self._categories)
            before = [part for part in before if part not in asking] + [self._archive]
            after = [part for part in after if part not in asking]
        rng.shuffle(before)
        head = "".join(part() for part in before)
        body = head + self._list() + "".join(part() for part in after)
        if rng.random() < 0.3:
            body = f"<div class='{rng.choice(('wrap', 'page', 'container', ''))}'><div>{body}</div></div>"
        box = (f"<form action=/find><input name=q value='{html.escape(self.word)}'>"
               "<input type=submit></form>") if rng.random() < (0.7 if self.word else 0.3) else ""  # fmt: skip
        url = (
            f"http://{self.host}/{rng.choice(('find', 'search', 's.php', 'results'))}?q={self.word}"
        )
        if not self.word:
            url = f"http://{self.host}/{rng.choice(('list', 'opinions/', 'register.html', 'new'))}"
        source = frame.replace(_SLOT, box + body)
        return WrittenPage(name, source, url, self.word, tuple(self.results))

    def _archive(self) -> str:
        """Menus and archives, longer and more even than many a list of results."""
        rng = self.rng
        noun = rng.choice(("", "Archive", "Opinions", "Reports", "News", "Decisions", "Issues"))
        year = rng.randrange(1985, 2010)
        names = rng.choice((
            [f"{n} {noun}".strip() for n in range(year, year + rng.randrange(5, 30))],
            [f"{noun} {month} {year}".strip() for month in _MONTHS[: rng.randrange(5, 12)]],
            [chr(code) for code in range(65, 91)],
            [other.title[: rng.randrange(8, 22)] for other in self.others[: rng.randrange(5, 28)]],
            sorted(other.title.partition(" ")[0] for other in self.others[: rng.randrange(5, 28)]),
        ))  # fmt: skip
        links = [f"<a href='/{noun.lower() or 'm'}/{k}.html'>{html.escape(name)}</a>"
                 for k, name in enumerate(names)]  # fmt: skip
        named = rng.choice(("", "", " class=side", " id=nav", " class=menu", " class=box"))
        way = rng.choice(("li", "li", "p", "td", "tr", "br"))
        if way == "br":
            rows = "<br>".join(links)
        elif way == "td":
            rows = f"<table><tr>{''.join(f'<td>{link}</td>' for link in links)}</tr></table>"
        elif way == "tr":
            rows = f"<table>{''.join(f'<tr><td>{link}</td></tr>' for link in links)}</table>"
        else:
            rows = "".join(f"<{way}>{link}</{way}>" for link in links)
            rows = f"<ul>{rows}</ul>" if way == "li" else rows
        return f"<div{named}>{rows}</div>"

    def _shown(self, text: str) -> str:
        text = html.escape(text)
        if not self.mark or not self.word:
            return text
        tag = self.mark.partition(" ")[0]
        return re.sub(rf"(?i)\b({re.escape(self.word)}\w*)", rf"<{self.mark}>\1</{tag}>", text)

    def _address(self, number: int) -> str:
        rng = self.rng
        slug = f"{rng.choice(('item', 'view', 'd', 'p'))}/{number}-{rng.getrandbits(20)}"
        host = f"www.site{rng.randrange(9_999)}.test" if self.is_foreign else self.host
        url = f"http://{host}/{slug}"
        return self.redirect.format(self.host, quote(url, safe="")) if self.redirect else url

    def _has(self, part: str) -> bool:
        return part in self.parts and self.rng.random() >= self.missing

    def _fields(self, record: WrittenRecord, number: int) -> list[str]:  # noqa: C901, PLR0912 - one line a part
        """The pieces of one item, its title among them."""
        rng = self.rng
        url = self._address(number)
        self.results.append((url, record.title))
        title = self._shown(record.title)
        counted = f"{number + 1}. " if "counted" in self.parts else ""
        link = f"<a href='{url}'>{title}</a>"
        wrap = {"h3 a": f"<h3>{counted}{link}</h3>", "h2 a": f"<h2>{counted}{link}</h2>",
                "b a": f"{counted}<b>{link}</b>", "div a": f"<div class=t>{counted}{link}</div>",
                "a h3": f"<a href='{url}'><h3>{title}</h3></a>"}  # fmt: skip
        pieces = [wrap.get(self.title_way, counted + link)]
        if self._has("snippet") and record.snippet:
            pieces.append(rng.choice(("<p>{}</p>", "<div>{}</div>", "<span>{}</span>", "<div><span>{}</span></div>"))
                          .format(self._shown(record.snippet)) if self.missing else f"<div class=s>{self._shown(record.snippet)}</div>")  # fmt: skip
        if self._has("cite"):
            pieces.append(f"<cite>{url[7:]}</cite>")
        if self._has("values"):
            pieces.extend(f"<span>{k}: {html.escape(v)}</span>" for k, v in record.values[:3])
        if not self.word and self.has_numbers:
            number_of = f"{rng.randrange(10, 25)}-{rng.randrange(9_999)}"
            pieces.insert(
                rng.choice((0, len(pieces))),
                rng.choice(("{}", "<b>{}</b>", "No. {}")).format(number_of),
            )
        if self._has("date"):
            pieces.append(
                f"<span class=d>{rng.randrange(1, 28)}.{rng.randrange(1, 12)}.2015</span>"
            )
        if self._has("price"):
            pieces.append(f"<span>${rng.randrange(1, 900)}.99</span>")
        if self._has("author"):
            pieces.append(f"<a href='http://{self.host}/by/{rng.randrange(50)}'>by {html.escape(rng.choice(self.others).title[:14])}</a>")  # fmt: skip
        if self._has("tags"):
            pieces.append(" ".join(f"<a href='http://{self.host}/tag/{w}'>{w}</a>"
                                   for w in rng.sample(("new", "big", "art", "law", "sale", "free"), 3)))  # fmt: skip
        if self._has("more"):
            pieces.append(
                f"<a href='{url}/cached'>Cached</a> - <a href='{url}/similar'>Similar</a>"
            )
        if self._has("button"):
            pieces.append(f"<a href='http://{self.host}/cart?add={number}'>Add to cart</a>")
        if self._has("image"):
            image = f"<a href='{url}'><img src='/i/{number}.jpg' alt='{html.escape(record.title, quote=True)}'></a>"
            pieces.insert(rng.choice((0, len(pieces))) if self.missing else 0, image)
        return pieces

    def _item_class(self, number: int) -> str:
        names = self.zebra.split()
        name = f"{self.item_name} {names[number % 2] if names else ''}".strip()
        if self.zebra == "open closed":
            name = f"{self.item_name} {self.rng.choice(names)}".strip()
        return f" class='{name}'" if name else ""

    def _list(self) -> str:
        return self._drawn_list() if self.is_drawn else self._combined_list()

    def _drawn_list(self) -> str:
        """In one of the layouts that are written by hand."""
        items = [self._item(record, number) for number, record in enumerate(self.records, 1)]
        markup = self.drawing(Drawing(self.rng, items, bool(self.list_name)))
        holder = f" class='{self.list_name}'" if self.list_name else ""
        return f"<div{holder}>{markup}</div>" if self.rng.random() < 0.7 else markup

    def _item(self, record: WrittenRecord, number: int) -> Item:
        rng = self.rng
        url, title = self._address(number), record.title
        other = rng.choice(self.others).title
        if not self.word and self.names_cases:
            title = f"{title.partition(' ')[0]} {rng.choice(('v.', 'v', 'vs.'))} {other[:25]}"
        self.results.append((url, title))
        shown = self._shown(title)
        day = f"{rng.choice(_MONTHS)[:3]} {rng.randrange(1, 28)}, {rng.randrange(1998, 2026)}"
        return Item(
            number, shown, html.escape(url), self._shown(record.snippet) if self.has_snippets else "",
            day, f"{rng.randrange(10, 25)}-{rng.randrange(9_999):04}",
            html.escape(" ".join(other.split()[:2])[:30]),
            html.escape(next((v for _, v in record.values), "Report")[:30]),
            f"${rng.randrange(1, 900)}.99", f'<a href="{html.escape(url)}">{shown}</a>',
        )  # fmt: skip

    def _combined_list(self) -> str:  # noqa: C901, PLR0912 - one branch a layout
        rng, n = self.rng, len(self.records)
        items = [self._fields(record, number) for number, record in enumerate(self.records)]
        cls = [self._item_class(number) for number in range(n)]
        joined = ["".join(f"<div>{p}</div>" if p.startswith(("<a", "<span", "<cite")) else p for p in f)
                  for f in items] if rng.random() < 0.5 else [" ".join(f) for f in items]  # fmt: skip
        holder = f" class='{self.list_name}'" if self.list_name else ""
        between = self._between(n)
        lay = self.layout
        if lay == "li":
            tag = rng.choice(("ul", "ol"))
            rows = "".join(
                f"<li{c}>{i}</li>{b}" for i, c, b in zip(joined, cls, between, strict=True)
            )
            return f"<{tag}{holder}>{rows}</{tag}>"
        if lay in ("div", "article"):
            rows = "".join(
                f"<{lay}{c}>{i}</{lay}>{b}" for i, c, b in zip(joined, cls, between, strict=True)
            )
            return f"<div{holder}>{rows}</div>"
        if lay == "wrapped":
            rows = "".join(
                f"<div><div{c}><div>{i}</div></div></div>" for i, c in zip(joined, cls, strict=True)
            )
            return f"<div{holder}><div>{rows}</div></div>"
        if lay == "cards":
            wide = rng.choice((2, 3, 4))
            cards = [f"<div{c}>{i}</div>" for i, c in zip(joined, cls, strict=True)]
            rows = "".join(
                f"<div class=row>{''.join(cards[k : k + wide])}</div>" for k in range(0, n, wide)
            )
            return f"<div{holder}>{rows}</div>"
        if lay in ("rows", "form rows"):
            box = "<td><input type=checkbox name=mark></td>" if lay == "form rows" else ""
            rows = "".join(
                f"<tr{c}>{box}{''.join(f'<td>{p}</td>' for p in f)}</tr>"
                for f, c in zip(items, cls, strict=True)
            )
            head = "<tr><th>Title</th><th>Text</th><th>More</th></tr>" if rng.random() < 0.5 else ""
            table = f"<table{holder}>{head}{rows}</table>"
            return f"<form action=/mark>{table}</form>" if box else table
        if lay == "two rows":
            rows = "".join(
                f"<tr{c}><td>{f[0]}</td></tr><tr><td>{' '.join(f[1:]) or '&nbsp;'}</td></tr>"
                for f, c in zip(items, cls, strict=True)
            )
            return f"<table{holder}>{rows}</table>"
        if lay == "dl":
            return f"<dl>{''.join(f'<dt>{f[0]}</dt><dd>{chr(32).join(f[1:])}</dd>' for f in items)}</dl>"
        if lay == "paragraphs":
            return "".join(f"<p{c}>{'<br>'.join(f)}</p>" for f, c in zip(items, cls, strict=True))
        if lay == "breaks":
            return f"<div{holder}>{'<br><br>'.join('<br>'.join(f) for f in items)}</div>"
        if lay == "pre":
            return f"<pre>{chr(10).join('  '.join(f) for f in items)}</pre>"
        if lay == "nested tables":
            return "".join(
                f"<table><tr><td>{number + 1}</td><td><table><tr><td>{'</td></tr><tr><td>'.join(f)}</td></tr></table></td></tr></table>"
                for number, f in enumerate(items)
            )
        if lay in ("groups", "tables of groups", "sections"):
            return self._grouped(joined, items, cls)
        raise ValueError(lay)

    def _grouped(self, joined: list[str], items: list[list[str]], cls: list[str]) -> str:
        rng = self.rng
        out, at = [], 0
        while at < len(items):
            size = rng.randrange(1, 7)
            name = rng.choice(("March 2019", "2011", "Books", "Criminal", "North", "Others"))
            part = range(at, min(len(items), at + size))
            at += size
            if self.layout == "groups":
                rows = "".join(
                    f"<tr{cls[k]}><td>{'</td><td>'.join(items[k])}</td></tr>" for k in part
                )
                out.append(f"<tr><td colspan=3><b>{name}</b></td></tr>{rows}")
            elif self.layout == "tables of groups":
                rows = "".join(
                    f"<tr{cls[k]}><td>{'</td><td>'.join(items[k])}</td></tr>" for k in part
                )
                out.append(f"<h3>{name}</h3><table>{rows}</table>")
            else:
                rows = "".join(f"<li{cls[k]}>{joined[k]}</li>" for k in part)
                out.append(f"<section><h2>{name}</h2><ul>{rows}</ul></section>")
        return f"<table>{''.join(out)}</table>" if self.layout == "groups" else "".join(out)

    def _between(self, count: int) -> list[str]:
        """What follows each item: mostly nothing."""
        rng, extra = self.rng, [""] * count
        if rng.random() < 0.3 and self.layout in ("div", "article", "li"):
            tag = "li" if self.layout == "li" else "div"
            for _ in range(rng.randrange(1, 4)):
                other = rng.choice(self.others)
                kind = rng.choice(("ad", "strip", "ask"))
                if kind == "ad":
                    inner = f"<a href='http://ads.test/aclk?u={rng.getrandbits(20)}'>{html.escape(other.title)}</a> <span>Sponsored</span>"
                elif kind == "strip":
                    inner = self._strip()
                else:
                    inner = "<div>People also ask</div>" + "".join(
                        f"<div>What is {html.escape(o.title[:30])}?</div>" for o in self.others[:4]
                    )
                extra[rng.randrange(count)] = f"<{tag} class=x>{inner}</{tag}>"
        return extra

    def _strip(self) -> str:
        """Pictures, videos or goods with the words of the query, which are not the results."""
        rng = self.rng
        cards = "".join(
            f"<li><a href='http://v{k}.test/{rng.getrandbits(20)}'><img src=/v{k}.jpg>"
            f"{html.escape(o.title[:40])} {self.word} {rng.randrange(1, 59)}:{rng.randrange(10, 59)}</a></li>"
            for k, o in enumerate(self.others[: rng.randrange(3, 11)])
        )
        return f"<div><h4>{rng.choice(('Videos', 'Images', 'Shop', 'News'))}</h4><ul>{cards}</ul></div>"

    def _facets(self) -> str:
        rng = self.rng
        names = rng.sample(
            ("Books", "Music", "Red", "Blue", "Under $50", "2019", "2020", "English", "New"), 6
        )
        form = f"http://{self.host}/find?q={self.word}&amp;f="
        rows = "".join(
            f"<li><a href='{form}{k}'>{n}</a> ({rng.randrange(900)})</li>"
            for k, n in enumerate(names)
        )
        tag = rng.choice(("div", "aside", "div class=facets", "div class=x1"))
        return f"<{tag}><h4>Refine</h4><ul>{rows}</ul></{tag.partition(' ')[0]}>"

    def _tabs(self) -> str:
        kinds = ("All", "Images", "Videos", "News", "Maps", "Shopping")
        return (
            "<div>"
            + " ".join(
                f"<a href='http://{self.host}/{k.lower()}?q={self.word}'>{k}</a>" for k in kinds
            )
            + "</div>"
        )

    def _count(self) -> str:
        shown, total = len(self.records), self.rng.randrange(30, 9_000)
        return self.rng.choice((
            f"<div>About {total} results for <b>{self.word}</b></div>",
            f"<p>Results <b>1</b> - <b>{shown}</b> of <b>{total:,}</b> for {self.word}</p>",
            f"<span>1&ndash;{shown} / {total}</span>",
            f"<div class=n>{shown} Treffer</div>",
        ))  # fmt: skip

    def _pager(self) -> str:
        links = "".join(
            f"<a href='http://{self.host}/find?q={self.word}&amp;page={k}'>{k}</a> "
            for k in range(1, 11)
        )
        return (
            f"<div>{links}<a href='http://{self.host}/find?q={self.word}&amp;page=2'>Next</a></div>"
        )

    def _related(self) -> str:
        rows = "".join(
            f"<li><a href='http://{self.host}/find?q={w}'>{self.word} {w}</a></li>"
            for w in ("cheap", "online", "2020", "best", "free")
        )
        return f"<div><h4>Related searches</h4><ul>{rows}</ul></div>"

    def _advertised(self) -> str:
        """Advertisements that look much as results do, with a mark on the block or on each."""
        rng = self.rng
        heading = rng.choice(("Sponsored Results", "Ads", "Sponsored links", "Sponsor Listings",
                              "Anzeigen", "Liens sponsorisés", "Enlaces patrocinados", ""))  # fmt: skip
        mark = "" if heading else f"<span>{rng.choice(('Ad', 'Sponsored', 'Anzeige'))}</span> "
        name = f" class='{self.item_name}'" if self.item_name and rng.random() < 0.5 else ""
        tag = rng.choice(("li", "div", "p", "div"))
        rows = "".join(
            f"<{tag}{name}><h3><a href='http://{self.host}/go?id={rng.getrandbits(30)}'>"
            f"{self._shown(o.title[:50])} {self.word}</a></h3>{mark}"
            f"<div>{self._shown((o.snippet or o.title)[:120])}</div><cite>www.shop{k}.test</cite></{tag}>"
            for k, o in enumerate(rng.sample(self.others, rng.randrange(1, 7)))
        )
        rows = f"<ul>{rows}</ul>" if tag == "li" else rows
        head = f"<{rng.choice(('h2', 'h3', 'div', 'b', 'span'))}>{heading}"
        head += f"</{head[1:].partition('>')[0]}>" if heading else ""
        return f"<div>{head if heading else ''}{rows}</div>"

    def _categories(self) -> str:
        """Places of a directory or kinds of things that fit the query, in the site itself."""
        rng = self.rng
        rows = "".join(
            f"<li><a href='http://{self.host}/dir/{rng.getrandbits(16)}/'>"
            f"{html.escape(o.title[:18])} &gt; {self._shown(self.word)}</a></li>"
            for o in rng.sample(self.others, rng.randrange(2, 6))
        )
        return f"<div><b>{rng.choice(('Category Matches', 'Also try', 'Kategorien', ''))}</b><ul>{rows}</ul></div>"

    def _tips(self) -> str:
        """Help on searching, long and even, often folded away."""
        rng = self.rng
        rows = "".join(
            f"<{t}><h4>{html.escape(o.title[:20])} search</h4><p>{html.escape((o.snippet or o.title)[:200])} "
            f"<a href='/help/{k}'>Learn more</a></p></{t}>"
            for t in (rng.choice(("div", "section", "li")),) for k, o in enumerate(self.others[:5])
        )  # fmt: skip
        return rng.choice(("<details><summary>Tips</summary>{}</details>", "<div role=dialog>{}</div>",
                           "<div style='display:none'>{}</div>", "<div class=help>{}</div>")).format(rows)  # fmt: skip
