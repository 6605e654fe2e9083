# ruff: noqa: E501 - markup is written on one line
"""Ways to lay out a list of results, written by hand from what pages of all ages have in common.

`tools.written_answers` fills them with real records and puts them into frames. `SEARCHES` are how
search services and catalogues show what matches, `REGISTERS` how courts, offices and archives list
what there is, mostly without anything asked. None is copied from a particular service or court;
each is named by what is odd about it. A layout gets the items and returns the markup of the list
alone; links, titles and values of an item come from its `Item`.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import NamedTuple


class Item(NamedTuple):
    """One record as a layout may show it; all texts are markup already."""

    number: int
    title: str
    url: str
    snippet: str
    date: str
    docket: str
    person: str
    kind: str
    price: str
    link: str
    """Its title as a link."""

    @property
    def shown_url(self) -> str:
        return self.url.partition("://")[2][:60]


class Drawing(NamedTuple):
    """What a layout draws from."""

    rng: random.Random
    items: Sequence[Item]
    has_names: bool
    """Whether elements have classes."""

    def named(self, name: str) -> str:
        return f' class="{name}"' if self.has_names else ""

    def pick(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def flip(self, share: float = 0.5) -> bool:
        return self.rng.random() < share

    def grouped(self, names: Sequence[str]) -> Iterator[tuple[str, Sequence[Item]]]:
        """The items in runs of a few, each with a name."""
        at = 0
        while at < len(self.items):
            size = self.rng.choice((1, 1, 2, 3, 5, 8))
            yield self.rng.choice(names), self.items[at : at + size]
            at += size


_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
           "October", "November", "December")  # fmt: skip
_DATES = tuple(f"{month} {day}, {year}" for year in (2009, 2016, 2023)
               for month in _MONTHS for day in (3, 17, 28))  # fmt: skip
_SECTIONS = ("Civil", "Criminal", "Published", "Unpublished", "Supreme Court", "Per Curiam", "North",
             "Family", "Orders", "Administrative", "Tax", "Books", "Others")  # fmt: skip
_DOCUMENT = (
    "PDF",
    "[PDF]",
    "Opinion",
    "View",
    "Download",
    "Full text",
    "Read more",
    "Details",
    "Open",
)


# Results of searches


def words_on_lines(d: Drawing) -> str:
    """1998: numbers, breaks and fonts, paragraphs that nothing ends."""
    return "".join(
        f"<p><b>{i.number}. {i.link}</b><br>\n{i.snippet}<br>\n<font size=-1 color=green>{i.shown_url}"
        f" - 12K - {i.date}</font>\n" for i in d.items)  # fmt: skip


def compact_definitions(d: Drawing) -> str:
    end = d.pick("", "</dd>")
    start = d.flip()
    rows = "".join(f"<dt>{f'<b>{i.number}.</b> ' if start else ''}{i.link}<dd>{i.snippet or i.date}"
                   f"<br><i>{i.shown_url}</i>{end}" for i in d.items)  # fmt: skip
    return f"<dl compact>{rows}</dl>"


def one_list_each(d: Drawing) -> str:
    """A definition list for each result."""
    return "".join(
        f"<dl><dt>{i.link}</dt><dd>{i.snippet or i.date}</dd><dd>{i.shown_url}</dd></dl>"
        for i in d.items
    )


def ruled(d: Drawing) -> str:
    return "<hr>".join(f"{i.link}<br>{i.snippet or i.kind}<br><em>{i.date}</em>" for i in d.items)


def spacer_rows(d: Drawing) -> str:
    """A number beside each result, and rows that only part them."""
    gap = '<tr><td colspan=2 height=8><img src="/dot.gif" width=1 height=8 alt=""></td></tr>'
    rows = gap.join(f"<tr><td valign=top>{i.number}.</td><td>{i.link}<br><small>{i.snippet}</small><br>"
                    f"<font color=#008000>{i.shown_url}</font></td></tr>" for i in d.items)  # fmt: skip
    return f"<table border=0 cellpadding=2 width='100%'>{rows}</table>"


def spanned_rows(d: Drawing) -> str:
    """A picture beside three rows of each result."""
    rows = "".join(
        f'<tr><td rowspan="3"><a href="{i.url}"><img src="/p/{i.number}.jpg"></a></td><td>{i.link}</td></tr>'
        f"<tr><td>by {i.person}</td></tr><tr><td>{i.price} {i.date}</td></tr>" for i in d.items)  # fmt: skip
    return f"<table>{rows}</table>"


def pictures_in_rows(d: Drawing) -> str:
    wide = d.rng.choice((2, 3, 4, 5))
    cells = [f'<td align=center><a href="{i.url}"><img src="/t/{i.number}.gif" alt=""></a><br>{i.link}<br><b>{i.price}</b></td>'
             for i in d.items]  # fmt: skip
    rows = "".join(f"<tr>{''.join(cells[k : k + wide])}</tr>" for k in range(0, len(cells), wide))
    return f"<table width='90%'>{rows}</table>"


def table_each(d: Drawing) -> str:
    return "<br>".join(
        f"<table width=600 bgcolor={d.pick('#eee', '#fff')}><tr><td width=20>{i.number}</td><td><font face=arial>{i.link}</font></td>"
        f"<td align=right>{i.date}</td></tr><tr><td></td><td colspan=2>{i.snippet or i.kind}</td></tr></table>" for i in d.items)  # fmt: skip


def address_above(d: Drawing) -> str:
    """No heading; a line with the site above the title, deep boxes around."""
    return "".join(
        f"<div><div><div><div{d.named('meta')}><span>{i.shown_url.partition('/')[0]}</span><span>&rsaquo; {i.kind}</span></div>"
        f'<a href="{i.url}"><div>{i.title}</div></a></div><div><span>{i.snippet or i.date}</span></div></div></div>' for i in d.items)  # fmt: skip


def address_in_link(d: Drawing) -> str:
    """The link holds the address of the site and the title."""
    return "".join(
        f'<li><div><h3><a href="{i.url}"><span>{i.shown_url.partition("/")[0]}</span><span>&rsaquo; page</span>{i.title}</a></h3></div>'
        f"<div><p>{i.snippet}</p></div></li>" for i in d.items).join(("<ol>", "</ol>"))  # fmt: skip


def title_without_link(d: Drawing) -> str:
    word = d.pick(*_DOCUMENT)
    return "".join(f'<div{d.named("r")}><b>{i.title}</b><br>{i.snippet or i.date}<br><a href="{i.url}">{word}</a></div>'
                   for i in d.items)  # fmt: skip


def whole_card(d: Drawing) -> str:
    """A link around everything that a card says."""
    tag = d.pick("div", "span", "h3", "p")
    cards = "".join(
        f'<a href="{i.url}"{d.named("card")}><img src="/c/{i.number}.webp"><{tag}>{i.title}</{tag}><div>{i.snippet or i.kind}</div>'
        f"<span>{i.price}</span></a>" for i in d.items)  # fmt: skip
    return f"<div{d.named('grid')}>{cards}</div>"


def card_in_item(d: Drawing) -> str:
    rows = "".join(f'<li><a href="{i.url}"><figure><img src="/c/{i.number}.jpg"><figcaption>{i.title}</figcaption></figure></a></li>'
                   for i in d.items)  # fmt: skip
    return f"<ul>{rows}</ul>"


def stretched_link(d: Drawing) -> str:
    """An empty link lies over the card; another one is its button."""
    word = d.pick(*_DOCUMENT)
    return "".join(
        f'<div{d.named("tile")}><a href="{i.url}" aria-label="{escape(i.kind)}"></a><h4>{i.title}</h4><p>{i.snippet or i.date}</p>'
        f'<a href="{i.url}">{word}</a></div>' for i in d.items)  # fmt: skip


def head_and_foot(d: Drawing) -> str:
    return "".join(
        f'<article><header><h2>{i.link}</h2><time>{i.date}</time></header><p>{i.snippet}</p><footer>by <a href="/by/{i.number % 7}">{i.person}</a> in '
        f'<a href="/in/{i.number % 4}">{i.kind}</a></footer></article>' for i in d.items)  # fmt: skip


def picture_left(d: Drawing) -> str:
    return "".join(
        f'<div{d.named("media")}><a href="{i.url}"><img src="/m/{i.number}.jpg" alt=""></a><div{d.named("media-body")}><h4>{i.link}</h4>'
        f"{i.snippet}<div>{i.price}</div></div></div>" for i in d.items)  # fmt: skip


def labelled_tables(d: Drawing) -> str:
    """Each record as names and values."""
    return "".join(
        f'<table{d.named("rec")}><tr><th>Title</th><td>{i.title}</td></tr><tr><th>Author</th><td>{i.person}</td></tr><tr><th>Year</th>'
        f'<td>{i.date}</td></tr><tr><th></th><td><a href="{i.url}">Full record</a></td></tr></table>' for i in d.items)  # fmt: skip


def marked_shelf(d: Drawing) -> str:
    """A catalogue with boxes to tick."""
    rows = "".join(
        f"<tr><td><input type=checkbox name=m value={i.number}></td><td>{i.number}</td><td>{i.link} / {i.person}<br>Call number: QA{i.number * 37}"
        f"<br>Status: <span>available</span></td></tr>" for i in d.items)  # fmt: skip
    return f"<form action=/mark method=get><table>{rows}</table></form>"


def topics(d: Drawing) -> str:
    rows = "".join(
        f'<tr><td><img src=/i.gif></td><td>{i.link}<div>by <a href="/u/{i.number % 9}">{i.person[:12]}</a></div></td><td>{i.number * 3}</td>'
        f'<td>{i.number * 71}</td><td>{i.date}<br><a href="/u/{i.number % 5}">last</a></td></tr>' for i in d.items)  # fmt: skip
    return f"<table><tr><th></th><th>Topic</th><th>Replies</th><th>Views</th><th>Last post</th></tr>{rows}</table>"


def citations(d: Drawing) -> str:
    """What is cited stands as text, its documents as links."""
    tag = d.pick("p", "li", "div")
    return "".join(f'<{tag}>{i.person}. {i.title}. {i.kind}, {i.date}. <a href="{i.url}">{d.rng.choice(_DOCUMENT[:2])}</a> '
                   f'<a href="{i.url}.html">HTML</a></{tag}>' for i in d.items)  # fmt: skip


def utility_classes(d: Drawing) -> str:
    """2025: classes that say how things look, buttons, deep boxes."""
    return "".join(
        f'<div class="mt-{2 + i.number % 2} flex gap-4"><div class="shrink-0"><svg></svg></div><div class="min-w-0"><a class="text-lg" href="{i.url}"><span>{i.title}'
        f'</span></a><p class="line-clamp-2">{i.snippet or i.kind}</p><div class="flex"><button>Save</button><button>Share</button></div></div></div>'
        for i in d.items)  # fmt: skip


def own_elements(d: Drawing) -> str:
    """Elements whose names the page made up."""
    return "".join(f'<x-result><x-title>{i.link}</x-title><x-text>{i.snippet or i.date}</x-text></x-result>' for i in d.items).join(
        ("<x-results>", "</x-results>"))  # fmt: skip


def cached_and_similar(d: Drawing) -> str:
    return "".join(
        f'<li><h3>{i.link}</h3><div><cite>{i.shown_url}</cite> - <a href="/cache?u={i.number}">Cached</a> - <a href="/like?u={i.number}">Similar</a></div>'
        f"<span>{i.snippet}</span></li>" for i in d.items).join(("<ol>", "</ol>"))  # fmt: skip


def with_sublinks(d: Drawing) -> str:
    """Some results have links to parts of their site."""

    def sub(i: Item) -> str:
        if i.number % 3 != 1:
            return ""
        return (
            "<ul>"
            + "".join(
                f'<li><a href="{i.url}/{part}">{part.title()}</a></li>'
                for part in ("about", "news", "contact", "shop")
            )
            + "</ul>"
        )

    return "".join(
        f"<div{d.named('res')}><h3>{i.link}</h3><p>{i.snippet or i.date}</p>{sub(i)}</div>"
        for i in d.items
    )


def panels(d: Drawing) -> str:
    """The same kind of things in a panel that is not shown."""
    shown = "".join(f"<li>{i.link}<p>{i.snippet or i.date}</p></li>" for i in d.items)
    hidden = "".join(f"<li><a href=/img/{k}><img src=/img/{k}.jpg></a></li>" for k in range(8))
    return f"<div><div role=tabpanel><ul>{shown}</ul></div><div role=tabpanel style='display:none'><ul>{hidden}</ul></div></div>"


def places_among(d: Drawing) -> str:
    """A box of other things, with a heading, stands among the results and is made like them."""
    rows = [
        f"<div{d.named('g')}><h3>{i.link}</h3><div>{i.snippet or i.kind}</div></div>"
        for i in d.items
    ]
    box = "".join(f'<div{d.named("g")}><h3><a href="https://map{k}.test/{k}">Place {k} {d.pick("Street", "Road")}</a></h3><div>Open until {k + 6} pm</div></div>'
                  for k in range(d.rng.randrange(2, 5)))  # fmt: skip
    rows.insert(
        d.rng.randrange(len(rows) + 1),
        f"<div><h2>{d.pick('Places', 'News', 'Videos', 'Shopping')}</h2>{box}</div>",
    )
    return f"<div>{''.join(rows)}</div>"


# What registers list


def days_with_documents(d: Drawing) -> str:
    """A date as heading, then a line with a link for each document."""
    tag = d.pick("h3", "h4", "p", "b", "strong")
    return "".join(
        f"<{tag}>{day}</{tag}>" + "".join(f"<p>{i.docket} {i.link}</p>" for i in group)
        for day, group in d.grouped(_DATES)
    )


def days_in_lists(d: Drawing) -> str:
    return "".join(
        f"<div><h3>{day}</h3><ul>" + "".join(f'<li><a href="{i.url}">{i.docket}: {i.title}</a></li>' for i in group) + "</ul></div>"
        for day, group in d.grouped(_DATES))  # fmt: skip


def cases_in_columns(d: Drawing) -> str:
    where, word = d.pick("docket", "title", "last"), d.pick(*_DOCUMENT)

    def row(i: Item) -> str:
        docket = f'<a href="{i.url}">{i.docket}</a>' if where == "docket" else i.docket
        title = i.link if where == "title" else i.title
        last = f'<a href="{i.url}">{word}</a>' if where == "last" else i.person
        return f"<td>{docket}</td><td>{title}</td><td>{i.date}</td><td>{last}</td>"

    head = "".join(f"<th>{name}</th>" for name in ("Case No.", "Caption", "Date", "Judge"))
    rows = "".join(f"<tr>{row(i)}</tr>" for i in d.items)
    return f"<table>{d.pick(f'<thead><tr>{head}</tr></thead>', f'<tr>{head}</tr>', '')}<tbody>{rows}</tbody></table>"


def days_beside_cases(d: Drawing) -> str:
    """A date stands once beside all cases of its day."""
    rows = []
    for day, group in d.grouped(_DATES):
        for k, i in enumerate(group):
            cell = f"<td rowspan={len(group)}>{day}</td>" if k == 0 else ""
            rows.append(f"<tr>{cell}<td>{i.docket}</td><td>{i.link}</td></tr>")
    return f"<table border=1>{''.join(rows)}</table>"


def years_and_months(d: Drawing) -> str:
    groups = list(d.grouped(_MONTHS))
    half = (len(groups) + 1) // 2

    def month(name: str, group: Sequence[Item]) -> str:
        return f"<li>{name}<ul>{''.join(f'<li>{i.link}</li>' for i in group)}</ul></li>"

    return "".join(f"<li>{year}<ul>{''.join(month(*one) for one in part)}</ul></li>"
                   for year, part in (("2021", groups[:half]), ("2020", groups[half:])) if part).join(("<ul>", "</ul>"))  # fmt: skip


def folds(d: Drawing) -> str:
    """Headings that open: the rest of each item is folded away."""
    word = d.pick(*_DOCUMENT)
    return "".join(
        f'<div{d.named("accordion-item")}><h2><button type=button>{i.title}</button></h2><div{d.named("collapse")}><p>Docket: {i.docket}</p><p>Date: {i.date}</p>'
        f'<a href="{i.url}">{word}</a></div></div>' for i in d.items)  # fmt: skip


def details(d: Drawing) -> str:
    word = d.pick(*_DOCUMENT)
    return "".join(
        f'<details><summary>{i.title}</summary><p>{i.docket}, {i.date}</p><p>{i.snippet}</p><a href="{i.url}">{word}</a></details>'
        for i in d.items
    )


def lines_in_a_cell(d: Drawing) -> str:
    """All in one cell of a page that is a table."""
    lines = d.pick("<br>", "<br><br>", "<br>\n<br>\n").join(
        f'{i.date} - <a href="{i.url}">{i.docket}</a> - {i.title}' for i in d.items
    )
    return f"<table width='100%'><tr><td width=150><a href=/>Home</a><br><a href=/rules>Rules</a></td><td>{lines}</td></tr></table>"


def links_and_notes(d: Drawing) -> str:
    return "<br>".join(f"{i.link}, No. {i.docket} ({i.date})" for i in d.items)


def rows_in_pairs(d: Drawing) -> str:
    rows = "".join(
        f"<tr><td>{i.docket}</td><td>{i.date}</td></tr><tr><td colspan=2>{i.link}</td></tr>"
        for i in d.items
    )
    return f"<table>{rows}</table>"


def labels_on_lines(d: Drawing) -> str:
    word = d.pick(*_DOCUMENT)
    tag = d.pick("p", "div", "li")
    return "".join(f'<{tag}><strong>Case:</strong> {i.title}<br><strong>Docket:</strong> {i.docket}<br><strong>Date:</strong> {i.date}<br><a href="{i.url}">{word}</a></{tag}>'
                   for i in d.items)  # fmt: skip


def flat_headings(d: Drawing) -> str:
    tag = d.pick("h2", "h3", "h4", "h5")
    rule = d.pick("", "<hr>")
    return "".join(
        f"<{tag}>{i.link}</{tag}><p>{i.docket} | {i.date}</p>"
        + (f"<p>{i.snippet}</p>" if i.snippet and i.number % 4 else "")
        + rule
        for i in d.items
    )


def numbered_fields(d: Drawing) -> str:
    """Boxes as content systems write them, a box for each field."""
    return "".join(
        f'<div class="views-row views-row-{i.number} views-row-{"odd" if i.number % 2 else "even"}"><div class="views-field"><span><a href="{i.url}">{i.docket}</a></span></div>'
        f'<div class="views-field"><span>{i.title}</span></div><div class="views-field"><span>{i.date}</span></div></div>' for i in d.items)  # fmt: skip


def grid_with_pages(d: Drawing) -> str:
    """A grid of a form: headings that sort, rows of two classes, the pages as its last row."""
    head = "".join(
        f"<th><a href=\"javascript:go('Sort${name}')\">{name}</a></th>"
        for name in ("Number", "Title", "Filed")
    )
    rows = "".join(
        f'<tr class="{"Alt" if i.number % 2 else "Row"}"><td>{i.docket}</td><td>{i.link}</td><td>{i.date}</td></tr>'
        for i in d.items
    )
    pages = "".join(f"<td><a href=\"javascript:go('Page${n}')\">{n}</a></td>" for n in range(2, 8))
    return f"<form method=post action=/list><table>{f'<tr>{head}</tr>'}{rows}<tr><td colspan=3><table><tr><td>1</td>{pages}</tr></table></td></tr></table></form>"


def tables_by_section(d: Drawing) -> str:
    return "".join(
        f"<h3>{name}</h3><table><tr><th>No.</th><th>Parties</th><th>Date</th></tr>"
        + "".join(f'<tr><td>{i.docket}</td><td>{i.title}</td><td><a href="{i.url}">{i.date}</a></td></tr>' for i in group) + "</table>"
        for name, group in d.grouped(_SECTIONS))  # fmt: skip


def sections_in_table(d: Drawing) -> str:
    rows = "".join(
        f"<tr><td colspan=3><b>{name}</b></td></tr>" + "".join(f"<tr><td>{i.docket}</td><td>{i.link}</td><td>{i.date}</td></tr>" for i in group)
        for name, group in d.grouped(_SECTIONS))  # fmt: skip
    return f"<table>{rows}</table>"


def from_a_text_program(d: Drawing) -> str:
    """As office programs save pages."""
    style = "style='mso-bidi-font-size:12.0pt'"
    return "".join(f'<p class=MsoNormal><b><span {style}>{i.docket}</span></b><span {style}> -- </span><a href="{i.url}"><span {style}>{i.title}</span></a>'
                   f"<span {style}>, {i.date}</span></p>" for i in d.items)  # fmt: skip


def index_of_files(d: Drawing) -> str:
    return (
        "<pre>"
        + "\n".join(f"<img src=/f.gif> {i.link}   {i.date}  {i.number * 13}K" for i in d.items)
        + "</pre>"
    )


def documents_of_cases(d: Drawing) -> str:
    """A case with several documents: each record has more than one link."""

    def papers(i: Item) -> str:
        names = ("Opinion", "Dissent", "Brief")[: 1 + i.number % 3]
        return " ".join(
            f'<a href="{i.url}{f"/{k}" if k else ""}">{name}</a>' for k, name in enumerate(names)
        )

    rows = "".join(
        f"<tr><td>{i.docket}</td><td>{i.title}</td><td>{papers(i)}</td></tr>" for i in d.items
    )
    return f"<table>{rows}</table>"


def paragraphs_of_fields(d: Drawing) -> str:
    return "".join(
        f"<div><p>{i.date}</p><p>{i.link}</p><p>{i.docket}</p><p>{i.person}</p></div>"
        for i in d.items
    )


def badges(d: Drawing) -> str:
    return "".join(f'<a href="{i.url}" class="list-group-item"><span class=badge>{i.date}</span> {i.docket} {i.title}</a>' for i in d.items).join(
        ("<div class=list-group>", "</div>"))  # fmt: skip


def cells_of_divs(d: Drawing) -> str:
    """A table of boxes."""
    head = "<div role=row><div role=columnheader>Number</div><div role=columnheader>Name</div><div role=columnheader>Date</div></div>"
    rows = "".join(
        f"<div role=row><div role=cell>{i.docket}</div><div role=cell>{i.link}</div><div role=cell>{i.date}</div></div>"
        for i in d.items
    )
    return f"<div role=table>{head if d.flip() else ''}{rows}</div>"


def plain_links(d: Drawing) -> str:
    """Nothing but links, one below the other."""
    tag = d.pick("p", "li", "div")
    return "".join(f'<{tag}><a href="{i.url}">{i.docket} {i.title}</a></{tag}>' for i in d.items)


SEARCHES: tuple[Callable[[Drawing], str], ...] = (
    words_on_lines, compact_definitions, one_list_each, ruled, spacer_rows, spanned_rows, pictures_in_rows, table_each,
    address_above, address_in_link, title_without_link, whole_card, card_in_item, stretched_link, head_and_foot,
    picture_left, labelled_tables, marked_shelf, topics, citations, utility_classes, own_elements,
    cached_and_similar, with_sublinks, panels, places_among,
)  # fmt: skip
REGISTERS: tuple[Callable[[Drawing], str], ...] = (
    days_with_documents, days_in_lists, cases_in_columns, days_beside_cases, years_and_months, folds, details,
    lines_in_a_cell, links_and_notes, rows_in_pairs, labels_on_lines, flat_headings, numbered_fields,
    grid_with_pages, tables_by_section, sections_in_table, from_a_text_program, index_of_files,
    documents_of_cases, paragraphs_of_fields, badges, cells_of_divs, plain_links, citations, head_and_foot,
)  # fmt: skip
