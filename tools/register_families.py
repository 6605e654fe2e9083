# ruff: noqa: E501 - markup is written on one line
"""How registers of many makes are read, sound ones and such with damaged markup.

    python -m tools.register_families [--pages N] [--seed N] [--only NAME] [--verbose]

A family is one way to lay out what a court or an office lists. Each page draws one with its options,
names and numbers of cases, a frame, and damage as hand-written and generated pages have it: end tags
left out, tags closed twice or in the wrong order, fonts that nothing ends, a paragraph that the list
itself ends, records without a link. A case is found as `tools.answer_evaluation` finds it: one
record, and no other, shows its name and its number. No family is copied from a site. The last line
is JSON: of each family and each damage the share of pages with a recall of .95 or more.
"""

import argparse
import json
import random
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from html import escape
from statistics import fmean
from typing import NamedTuple

from leadline.harvester.single_page import read_answer_page
from tools.answer_evaluation import ENOUGH_RECALL, blob_of, match_once, plain_name

_NOUNS = ("Harbor", "Stone", "Rivers", "Mills", "Garden", "Copper", "Summit", "Valley", "Lake", "Ridge", "Forest",
          "Bridge", "Meadow", "Canyon", "Island", "Prairie", "Orchard", "Granite", "Willow", "Falcon", "Cedar")  # fmt: skip
_KINDS = ("Insurance Co.", "Paper Mills, Inc.", "& Sons", "School District", "Bank, N.A.", "County", "LLC", "Dep't of Labor",
          "Board of Education", "Ltd.", "Hospital", "City Council")  # fmt: skip
_SIDES = ("State", "People", "Commonwealth", "United States", "City", "County")
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
)
_WORDS = ("The judgment of the trial court is affirmed.", "Reversed and remanded for a new trial.", "Petition denied.",
          "Appeal from the county court; motion to dismiss granted in part.", "Opinion by the court, one judge dissenting: costs are taxed.")  # fmt: skip


class Case(NamedTuple):
    """One record; texts are markup already."""

    number: int
    name: str
    docket: str
    date: str
    court: str
    note: str
    url: str
    """Empty for one without a document."""
    word: str
    """What a link says that names nothing."""

    def link(self, text: str) -> str:
        return f'<a href="{self.url}">{text}</a>' if self.url else text


class Draw(NamedTuple):
    """What a family draws from."""

    rng: random.Random
    cases: Sequence[Case]

    def pick(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def flip(self, share: float = 0.5) -> bool:
        return self.rng.random() < share

    def groups(self) -> list[tuple[str, Sequence[Case]]]:
        found, at = [], 0
        while at < len(self.cases):
            size = self.rng.choice((1, 2, 3, 5, 9))
            found.append((_draw_date(self.rng), self.cases[at : at + size]))
            at += size
        return found


def _draw_date(rng: random.Random) -> str:
    return f"{rng.choice(_MONTHS)} {rng.randrange(1, 28)}, {rng.randrange(1997, 2026)}"


def _draw_name(rng: random.Random, style: int) -> str:
    def party() -> str:
        name = rng.choice(_NOUNS)
        return (
            f"{name} {rng.choice(_KINDS)}" if rng.random() < 0.4 else f"{name} {rng.choice(_NOUNS)}"
        )

    versus = ("v.", "vs.", "v", "V.")[style % 4]
    kind = rng.random()
    if kind < 0.2:
        name = f"{('In re', 'In re:', 'In the Matter of', 'Matter of')[style % 4]} {party()}"
    elif kind < 0.45:
        name = f"{rng.choice(_SIDES)} {versus} {party()}"
    else:
        name = f"{party()} {versus} {party()}" + (", et al." if rng.random() < 0.15 else "")
    return name.upper() if style % 5 == 0 else name


def draw_cases(rng: random.Random, count: int, *, unlinked: float) -> list[Case]:
    style = rng.randrange(60)
    dockets: tuple[Callable[[], str], ...] = (
        lambda: f"{rng.randrange(10, 26)}-{rng.randrange(1, 9999):04}",
        lambda: (
            f"No. {rng.randrange(2000, 2026)}-{rng.choice(('CA', 'KA', 'SC'))}-{rng.randrange(1, 99999):05}"
        ),
        lambda: f"A{rng.randrange(100000, 999999)}",
        lambda: f"{rng.randrange(1, 9)}D{rng.randrange(10, 26)}-{rng.randrange(1, 4000)}",
        lambda: f"Civil Action No. {rng.randrange(2000, 2026)}-{rng.randrange(1, 3000):04}",
        lambda: f"{rng.randrange(2010, 2026)} CW {rng.randrange(1, 999):04}",
    )
    docket = rng.choice(dockets)
    base = rng.choice(
        (
            "/opinions/{}.pdf",
            "docs/{}.pdf",
            "view.php?id={}&type=op",
            "/Documents/{}",
            "http://files.reg.test/{}.htm",
        )
    )
    word = rng.choice(("PDF", "Opinion", "View", "Download", "[pdf]", "Full Text", "Read"))
    cases: dict[str, Case] = {}
    while len(cases) < count:
        number = docket()
        url = "" if rng.random() < unlinked else escape(base.format(rng.randrange(10**4, 10**7)))
        cases[number] = Case(len(cases) + 1, escape(_draw_name(rng, style)), number, _draw_date(rng), f"{rng.choice(_NOUNS)} {rng.choice(('County', 'District', 'Circuit'))}",
                             " ".join(rng.sample(_WORDS, rng.choice((1, 1, 2)))), url, word)  # fmt: skip
    return list(cases.values())


# Families


def rows(d: Draw) -> str:
    """One row each; the link in any column."""
    at, order, head = (
        d.pick("docket", "name", "word"),
        d.rng.sample("dnct", 4),
        d.pick("th", "td", ""),
    )

    def cells(c: Case) -> str:
        shown = {
            "d": c.link(c.docket) if at == "docket" else c.docket,
            "n": c.link(c.name) if at == "name" else c.name,
            "c": c.court,
            "t": c.date,
        }
        return "".join(f"<td>{shown[k]}</td>" for k in order) + (
            f"<td>{c.link(c.word)}</td>" if at == "word" else ""
        )

    names = {"d": "Docket", "n": "Title", "c": "Court", "t": "Date"}
    first = (
        f"<tr>{''.join(f'<{head}><b>{names[k]}</b></{head}>' for k in order)}</tr>" if head else ""
    )
    return f"<table border=1>{first}{''.join(f'<tr>{cells(c)}</tr>' for c in d.cases)}</table>"


def title_and_detail_rows(d: Draw) -> str:
    spacer = d.pick("", "<tr><td colspan=3>&nbsp;</td></tr>", "<tr><td colspan=3><hr></td></tr>")
    return (
        "<table>"
        + "".join(
            f"<tr><td colspan=3><b>{c.link(c.name)}</b></td></tr><tr><td>{c.docket}</td><td>{c.court}</td><td>{c.date}</td></tr>{spacer}"
            for c in d.cases
        )
        + "</table>"
    )


def detail_and_note_rows(d: Draw) -> str:
    return (
        "<table>"
        + "".join(
            f"<tr><td>{c.link(c.docket)}</td><td>{c.name}</td><td>{c.date}</td></tr><tr><td></td><td colspan=2><i>{c.note}</i></td></tr>"
            for c in d.cases
        )
        + "</table>"
    )


def labelled_rows(d: Draw) -> str:
    """Rows of names and values below a row that names the document, all in one table."""
    end = d.pick("", "<tr><td colspan=2>&nbsp;</td></tr>")
    return (
        "<table>"
        + "".join(
            f"<tr><td colspan=2 align=center>{c.link(f'{c.date} Op. {c.number}')}</td></tr><tr><td><b>No.</b></td><td>{c.docket}</td></tr>"
            f"<tr><td><b>Parties</b></td><td>{c.name}</td></tr><tr><td><b>Court</b></td><td>{c.court}</td></tr>{end}"
            for c in d.cases
        )
        + "</table>"
    )


def tables_of_labels(d: Draw) -> str:
    gap = d.pick("", "<br>", "<hr>", "<p>")
    return gap.join(
        f"<table width=90%><tr><td>Case:</td><td>{c.name}</td></tr><tr><td>Docket:</td><td>{c.link(c.docket)}</td></tr><tr><td>Filed:</td><td>{c.date}</td></tr></table>"
        for c in d.cases
    )


def lines_in_paragraphs(d: Draw) -> str:
    return "".join(
        f"<p>{c.link(c.docket)}<br>\n{c.name}<br>\n{c.court}, {c.date}</p>" for c in d.cases
    )


def bold_leads(d: Draw) -> str:
    lead = d.pick("b", "strong", "u", "font")
    return "".join(
        f"<p><{lead}>{c.docket}</{lead}> {c.link(c.name)}. {c.note}</p>" for c in d.cases
    )


def empty_lines(d: Draw) -> str:
    gap = d.pick("<br><br>", "<br>\n<br>\n", "<br />&nbsp;<br />", "<p>")
    return gap.join(
        f"{c.date}<br>{c.link(c.docket)}<br>{c.name}" + (f"<br>{c.note}" if c.number % 3 else "")
        for c in d.cases
    )


def one_line_each(d: Draw) -> str:
    return "<br>\n".join(f"{c.link(c.docket)}&nbsp;&nbsp;{c.name} ({c.date})" for c in d.cases)


def ruled_off(d: Draw) -> str:
    return "<hr>".join(f"<b>{c.link(c.docket)}</b><br>{c.name}<br>{c.note}" for c in d.cases)


def ruled_and_indented(d: Draw) -> str:
    """A judge, a linked number, then text in a list that only indents."""
    tag, rule = d.pick("ul", "blockquote", "dir"), d.pick("<hr>", "<hr> <br>", "")
    return "".join(
        f"<br>{c.court}<br><b>&nbsp;&nbsp;{c.link(c.docket)}</b><br><br><{tag}><b>{c.name}</b>; {c.note}</{tag}><br>{rule}"
        for c in d.cases
    )


def flat_headings(d: Draw) -> str:
    tag = d.pick("h2", "h3", "h4", "h5")
    return "".join(
        f"<{tag}>{c.link(c.name)}</{tag}><p>{c.docket}</p><p>{c.note}</p>" for c in d.cases
    )


def headings_without_links(d: Draw) -> str:
    tag = d.pick("h3", "h4", "strong", "b")
    return "".join(
        f"<{tag}>{c.name}</{tag}><p>No. {c.docket}, {c.date}<br>{c.link(c.word)}</p>"
        for c in d.cases
    )


def definitions(d: Draw) -> str:
    return (
        "<dl>"
        + "".join(
            f"<dt>{c.link(c.docket)}</dt><dd>{c.name}</dd><dd>{c.date}: {c.note}</dd>"
            for c in d.cases
        )
        + "</dl>"
    )


def definitions_of_days(d: Draw) -> str:
    return (
        "<dl>"
        + "".join(
            f"<dt>{day}</dt>" + "".join(f"<dd>{c.link(c.docket)} - {c.name}</dd>" for c in group)
            for day, group in d.groups()
        )
        + "</dl>"
    )


def bullets(d: Draw) -> str:
    return (
        "<ul>"
        + "".join(f"<li>{c.link(c.docket)}, {c.name}<br>{c.note}</li>" for c in d.cases)
        + "</ul>"
    )


def bullets_in_bullets(d: Draw) -> str:
    return (
        "<ul>"
        + "".join(
            f"<li>{c.link(c.name)}<ul><li>Docket {c.docket}</li><li>Decided {c.date}</li></ul></li>"
            for c in d.cases
        )
        + "</ul>"
    )


def bullets_by_day(d: Draw) -> str:
    return (
        "<ul>"
        + "".join(
            f"<li>{day}<ul>"
            + "".join(f"<li>{c.link(c.name)} {c.docket}</li>" for c in group)
            + "</ul></li>"
            for day, group in d.groups()
        )
        + "</ul>"
    )


def anchors(d: Draw) -> str:
    """Targets of links begin the records."""
    return "".join(
        f'<a name="c{c.number}"></a><b>{c.name}</b><br>{c.docket} <a href="#top">Top</a><br>{c.link(c.word)}<br>'
        for c in d.cases
    )


def day_headings(d: Draw) -> str:
    tag = d.pick("h3", "h4", "p", "center")
    return "".join(
        f"<{tag}><b>{day}</b></{tag}>"
        + "".join(f"<p>{c.docket} {c.link(c.name)}</p>" for c in group)
        for day, group in d.groups()
    )


def day_tables(d: Draw) -> str:
    return "".join(
        f"<p><b>{day}</b></p><table><tr><td>Number</td><td>Case</td><td></td></tr>"
        + "".join(
            f"<tr><td>{c.docket}</td><td>{c.name}</td><td>{c.link(c.word)}</td></tr>" for c in group
        )
        + "</table>"
        for day, group in d.groups()
    )


def day_rows(d: Draw) -> str:
    return (
        "<table>"
        + "".join(
            f"<tr><td colspan=3><b>{day}</b></td></tr>"
            + "".join(
                f"<tr><td>{c.link(c.docket)}</td><td>{c.name}</td><td>{c.court}</td></tr>"
                for c in group
            )
            for day, group in d.groups()
        )
        + "</table>"
    )


def spanned_days(d: Draw) -> str:
    return (
        "<table border=1>"
        + "".join(
            "".join(
                "<tr>"
                + (f"<td rowspan={len(group)}>{day}</td>" if k == 0 else "")
                + f"<td>{c.docket}</td><td>{c.link(c.name)}</td></tr>"
                for k, c in enumerate(group)
            )
            for day, group in d.groups()
        )
        + "</table>"
    )


def cells_side_by_side(d: Draw) -> str:
    wide = d.rng.choice((2, 3))
    cells = [f"<td><b>{c.link(c.docket)}</b><br>{c.name}<br>{c.date}</td>" for c in d.cases]
    return (
        "<table>"
        + "".join(f"<tr>{''.join(cells[k : k + wide])}</tr>" for k in range(0, len(cells), wide))
        + "</table>"
    )


def all_in_one_cell(d: Draw) -> str:
    gap = d.pick("<br><br>", "<hr>", "<p>")
    return f"<table><tr><td valign=top>{gap.join(f'{c.docket}, {c.date}<br>{c.link(c.name)}<br>{c.note}' for c in d.cases)}</td></tr></table>"


def text_columns(d: Draw) -> str:
    return (
        "<pre>"
        + "\n".join(f"{c.date:<20}{c.link(c.docket)}   {c.name}" for c in d.cases)
        + "</pre>"
    )


def text_records(d: Draw) -> str:
    return (
        "<pre>"
        + "\n\n".join(f"{c.docket}\n   {c.name}\n   {c.link(c.word)}" for c in d.cases)
        + "</pre>"
    )


def twin_boxes(d: Draw) -> str:
    """A box for the head of a record and one for its body, side by side with all the others."""
    one, two = d.rng.choice(
        ((' class="head"', ' class="body"'), (' class="c1"', ' class="c2"'), ("", ""))
    )
    return "".join(
        f"<div{one}>{c.docket} - {c.name}</div><div{two}>{c.note} {c.link(c.word)}</div>"
        for c in d.cases
    )


def boxes(d: Draw) -> str:
    return "".join(
        f'<div class="views-row"><div><span>{c.date}</span></div><div><h4>{c.link(c.name)}</h4></div><div><span>{c.docket}</span></div><div><p>{c.note}</p></div></div>'
        for c in d.cases
    )


def cards(d: Draw) -> str:
    return "".join(
        f"<article><header><h3>{c.name}</h3></header><div><span>Case No.</span><span>{c.docket}</span></div><footer>{c.link(c.word)}</footer></article>"
        for c in d.cases
    )


def folded(d: Draw) -> str:
    return "".join(
        f"<button type=button>{c.docket}: {c.name}</button><div><p>Filed: {c.date}</p><p>{c.note}</p><p>{c.link(c.word)}</p></div>"
        for c in d.cases
    )


def day_folds(d: Draw) -> str:
    return "".join(
        f"<details><summary>{day}</summary><ul>"
        + "".join(f"<li>{c.link(c.name)}, {c.docket}</li>" for c in group)
        + "</ul></details>"
        for day, group in d.groups()
    )


def fields_on_lines(d: Draw) -> str:
    tag, way = d.pick("p", "div", "li"), d.pick("<b>{}:</b> ", "{}: ", "<strong>{}</strong>: ")
    return "".join(
        f"<{tag}>{way.format('Case Name')}{c.name}<br>{way.format('Docket No.')}{c.docket}<br>{way.format('Date')}{c.date}<br>{c.link(c.word)}</{tag}>"
        for c in d.cases
    )


def centred_titles(d: Draw) -> str:
    return "".join(
        f"<center><b>{c.name}</b><br>{c.docket}</center><blockquote>{c.note} {c.link(c.word)}</blockquote>"
        for c in d.cases
    )


def links_alone(d: Draw) -> str:
    tag = d.pick("p", "li", "div", "td")
    inner = "".join(
        f"<{tag}>{c.link(f'{c.docket} {c.name}')}</{tag}>" + ("</tr><tr>" if tag == "td" else "")
        for c in d.cases
    )
    return f"<table><tr>{inner}</tr></table>" if tag == "td" else inner


def office_paragraphs(d: Draw) -> str:
    return "".join(
        f"<p class=MsoNormal><span lang=EN><b>{c.docket}</b><o:p></o:p></span></p><p class=MsoNormal><span>{c.link(c.name)}<o:p></o:p></span></p>"
        for c in d.cases
    )


def numbered(d: Draw) -> str:
    return (
        "<table>"
        + "".join(
            f"<tr><td valign=top>{c.number}.</td><td>{c.link(c.name)}<br><font size=2>{c.docket} ({c.court})<br>{c.date}</font></td></tr>"
            for c in d.cases
        )
        + "</table>"
    )


def tables_in_rows(d: Draw) -> str:
    return (
        "<table>"
        + "".join(
            f"<tr><td><table><tr><td>{c.docket}</td><td>{c.date}</td></tr><tr><td colspan=2>{c.link(c.name)}</td></tr></table></td></tr>"
            for c in d.cases
        )
        + "</table>"
    )


def feed_boxes(d: Draw) -> str:
    """As content systems of 2020 write them: an address, labels as boxes, a button."""
    return "".join(
        f"<li><div><div><span>Case</span><div>{c.link(c.name)}</div></div><div><span>Number</span><div>{c.docket}</div></div><div><span>Filed</span><time>{c.date}</time></div></div><button>Share</button></li>"
        for c in d.cases
    ).join(("<ul>", "</ul>"))


FAMILIES: tuple[Callable[[Draw], str], ...] = (
    rows, title_and_detail_rows, detail_and_note_rows, labelled_rows, tables_of_labels, lines_in_paragraphs, bold_leads, empty_lines,
    one_line_each, ruled_off, ruled_and_indented, flat_headings, headings_without_links, definitions, definitions_of_days, bullets,
    bullets_in_bullets, bullets_by_day, anchors, day_headings, day_tables, day_rows, spanned_days, cells_side_by_side, all_in_one_cell,
    text_columns, text_records, twin_boxes, boxes, cards, folded, day_folds, fields_on_lines, centred_titles, links_alone,
    office_paragraphs, numbered, tables_in_rows, feed_boxes,
)  # fmt: skip


# Damage


def sound(_rng: random.Random, markup: str) -> str:
    return markup


def leave_out_links(_rng: random.Random, markup: str) -> str:
    """Its cases are drawn without some links."""
    return markup


def leave_out_ends(rng: random.Random, markup: str) -> str:
    """Ends that HTML lets one leave out, all of them or some."""
    share = rng.choice((0.3, 1.0))
    return re.sub(
        r"</(?:p|li|dt|dd|td|tr|th)>", lambda m: "" if rng.random() < share else m[0], markup
    )


def leave_open(rng: random.Random, markup: str) -> str:
    """Formatting that nothing ends, here and there."""
    markup = re.sub(
        r"</(?:b|strong|i|font|u|span)>", lambda m: "" if rng.random() < 0.15 else m[0], markup
    )
    return re.sub(
        r"<(?=(?:p|br|td|li)\b)",
        lambda _: (
            rng.choice(("<font size=2>", "<b>", "<font face=arial>")) + "<"
            if rng.random() < 0.06
            else "<"
        ),
        markup,
    )


def close_twice(rng: random.Random, markup: str) -> str:
    stray = ("</p>", "</font>", "</b>", "</span>", "</center>", "</a>")
    return re.sub(
        r"</(?:p|td|li|div|b|ul)>|<br>",
        lambda m: m[0] + rng.choice(stray) if rng.random() < 0.12 else m[0],
        markup,
    )


def misnest(rng: random.Random, markup: str) -> str:
    """Formatting around blocks, ended in the wrong order."""
    markup = re.sub(
        r"<(p|li|td|dd)>", lambda m: f"<font size=2>{m[0]}" if rng.random() < 0.15 else m[0], markup
    )
    return re.sub(
        r"</(p|li|td|dd)>", lambda m: f"</b></font>{m[0]}" if rng.random() < 0.1 else m[0], markup
    )


def open_paragraph(rng: random.Random, markup: str) -> str:
    """A paragraph that the first block of the list ends, after the first record began."""
    return f"<p>{rng.choice(('', '<br>', '<font size=2>'))}{markup}"


def wrap_in_fonts(rng: random.Random, markup: str) -> str:
    before = rng.choice((("<font face=verdana><center>", "</center></font>"), ("<center><font size=2>", "</font></center>"), ("<b><font color=navy>", "</font></b>"),
                         ("<p align=left><font face=arial>", "</font></p>"), ("<form method=post action=/go>", "</form>")))  # fmt: skip
    return before[0] + markup + before[1]


def break_lines(rng: random.Random, markup: str) -> str:
    """Breaks and spaces that authors typed: at ends of cells and between records."""
    return re.sub(
        r"</(?:td|li|p|div|b)>",
        lambda m: (
            rng.choice(("<br>", "&nbsp;", "<br>&nbsp;")) + m[0] if rng.random() < 0.25 else m[0]
        ),
        markup,
    )


DAMAGES: tuple[Callable[[random.Random, str], str], ...] = (
    sound, sound, leave_out_links, leave_out_ends, leave_open, close_twice, misnest, open_paragraph, wrap_in_fonts, break_lines,
)  # fmt: skip


def frame_page(rng: random.Random, body: str) -> str:
    names = rng.sample(
        (
            "Home",
            "About",
            "Calendar",
            "Clerk",
            "Forms",
            "Rules",
            "Search",
            "Contact",
            "Judges",
            "Opinions Archive",
            "Oral Arguments",
        ),
        7,
    )
    links = [f'<a href="/{name.split()[0].lower()}.html">{name}</a>' for name in names]
    intro = rng.choice(
        (
            "",
            "<p>Opinions are subject to revision before publication. Please notify the clerk of errors.</p>",
            "<h2>Recent Opinions</h2>",
        )
    )
    years = (
        " | ".join(f'<a href="/archive/{year}.html">{year}</a>' for year in range(2009, 2026))
        if rng.random() < 0.4
        else ""
    )
    kind = rng.randrange(5)
    if kind == 0:
        return f"<html><body bgcolor=white><center><h1>Court</h1></center><table><tr><td width=120>{'<br>'.join(links)}</td><td valign=top>{intro}{years}{body}</td></tr></table><hr>Updated daily</body></html>"
    if kind == 1:
        return f"<html><body>{' '.join(links)}<hr>{intro}{body}<hr>{years}</body></html>"
    if kind == 2:
        return f"<!DOCTYPE html><body><div id=nav><ul>{''.join(f'<li>{one}</li>' for one in links)}</ul></div><div id=main><h1>Opinions</h1>{intro}{body}<p>{years}</p></div><div id=footer>{links[0]}</div></body>"
    if kind == 3:
        return f"<!DOCTYPE html><body><header><nav>{''.join(links)}</nav></header><main><div class=row><aside><ul>{''.join(f'<li>{one}</li>' for one in links)}</ul></aside><div class=col>{intro}{body}</div></div></main><footer><p>{' '.join(links)}</p></footer></body>"
    return f"<html><body><h1>Slip Opinions</h1>{body}</body></html>"


class Outcome(NamedTuple):
    family: str
    damage: str
    size: int
    recall: float
    precision: float
    page: str


def draw_outcome(rng: random.Random, family: Callable[[Draw], str]) -> Outcome:
    count = rng.choice((3, 5, 8, 8, 14, 30, 60))
    damage = rng.choice(DAMAGES)
    cases = draw_cases(rng, count, unlinked=0.15 if damage is leave_out_links else 0.0)
    source = frame_page(rng, damage(rng, family(Draw(rng, cases))))
    answer = read_answer_page(
        source.encode(), "https://register.test/list", "text/html; charset=utf-8", ""
    )
    wanted = [(plain_name(case.name), plain_name(case.docket)) for case in cases]
    blobs = [blob_of(record) for record in answer.records]
    found = match_once(
        len(wanted),
        lambda n: [k for k, blob in enumerate(blobs) if all(one in blob for one in wanted[n])],
    )
    right = sum(any(all(one in blob for one in told) for told in wanted) for blob in blobs)
    return Outcome(
        family.__name__,
        damage.__name__,
        count,
        len(found) / count,
        right / max(1, len(blobs)),
        source,
    )


def summarise(outcomes: Sequence[Outcome]) -> float:
    return round(fmean(one.recall >= ENOUGH_RECALL for one in outcomes), 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=12, help="of each family")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true", help="a line for each page read badly")
    given = parser.parse_args()
    families: dict[str, list[Outcome]] = defaultdict(list)
    damages: dict[str, list[Outcome]] = defaultdict(list)
    for family in FAMILIES:
        if given.only in family.__name__:
            rng = random.Random(f"{given.seed} {family.__name__}")
            for number in range(given.pages):
                outcome = draw_outcome(rng, family)
                families[outcome.family].append(outcome)
                damages[outcome.damage].append(outcome)
                if given.verbose and (outcome.recall < ENOUGH_RECALL or outcome.precision < 0.9):
                    print(
                        f"{outcome.family} {number} {outcome.damage} of {outcome.size}: R {outcome.recall:.2f} P {outcome.precision:.2f}"
                    )
    pages = [one for group in families.values() for one in group]
    print(json.dumps({
        "pages": len(pages), "enough_recall_share": summarise(pages), "recall": round(fmean(one.recall for one in pages), 3),
        "precision": round(fmean(one.precision for one in pages), 3),
        "families": {name: summarise(group) for name, group in sorted(families.items(), key=lambda pair: summarise(pair[1]))},
        "damages": {name: summarise(group) for name, group in damages.items()},
    }))  # fmt: skip


if __name__ == "__main__":
    main()
