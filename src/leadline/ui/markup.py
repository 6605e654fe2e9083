"""HTML made of escaped text only: whatever a hostile page calls itself, it stays text."""

from collections.abc import Iterable
from html import escape

from leadline.ui.output import clean

STYLE = """
:root { color-scheme: light dark; --ink: #1c2733; --soft: #5b6b7b; --line: #dde4ea; --back: #f6f8fa;
  --card: #ffffff; --accent: #0b6e8f; --good: #1a7f4e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4eaf0; --soft: #93a3b3; --line: #2b3742;
  --back: #11181f; --card: #19222b; --accent: #4fb6d8; --good: #55c48a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 16px 64px; }
header p { margin: 4px 0 0; color: var(--soft); }
h1 { margin: 0; font-size: 26px; letter-spacing: -.01em; }
h2 { margin: 0 0 12px; font-size: 17px; }
section, .facts > div { background: var(--card); border: 1px solid var(--line);
  border-radius: 10px; }
section { margin-top: 16px; padding: 18px; }
.facts { display: grid; gap: 12px; margin-top: 20px;
  grid-template-columns: repeat(auto-fit, minmax(148px, 1fr)); }
.facts > div { padding: 12px 16px; }
.facts b { display: block; font-size: 24px; line-height: 1.25; font-variant-numeric: tabular-nums; }
.facts span { color: var(--soft); font-size: 13px; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
th { text-align: left; color: var(--soft); font-weight: 600; font-size: 12.5px; }
th, td { padding: 7px 12px 7px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; }
td { overflow-wrap: anywhere; min-width: 70px; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.soft { color: var(--soft); }
.score { color: var(--good); font-weight: 600; }
a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }
code { font: 13px/1.4 ui-monospace, Menlo, Consolas, monospace; }
summary { cursor: pointer; font-weight: 600; font-size: 17px; }
details[open] summary { margin-bottom: 12px; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--soft); font: 12px system-ui, sans-serif; }
.grid { stroke: var(--line); } .line { fill: none; stroke: var(--accent); stroke-width: 2.5;
  stroke-linejoin: round; } .area { fill: var(--accent); opacity: .12; }
.dot { fill: var(--accent); }
@media (max-width: 640px) { svg text { font-size: 20px; } table.cards thead { display: none; }
  table.cards tr { display: block; padding: 10px 0; border-bottom: 1px solid var(--line); }
  table.cards tr:last-child { border-bottom: 0; }
  table.cards td { display: flex; gap: 12px; padding: 2px 0; border: 0; text-align: left;
    white-space: normal; }
  table.cards td::before { content: attr(data-name); flex: 0 0 84px; color: var(--soft);
    font-size: 12.5px; } }
"""


class Markup(str):
    """Text that is already HTML. Everything else is escaped where it is put in."""

    __slots__ = ()


def html(text: object) -> Markup:
    """Anything as HTML; markup stays, the rest is escaped and freed of control characters."""
    if isinstance(text, Markup):
        return text
    return Markup(escape(clean(str(text)), quote=True))


def link(url: str, text: str) -> Markup:
    """A link, if the address is one of the web; otherwise only its text."""
    if not url.startswith(("http://", "https://")):
        return html(text)
    return Markup(f'<a href="{html(url)}" rel="noopener noreferrer nofollow">{html(text)}</a>')


def soft(text: object) -> Markup:
    """Text that matters less."""
    return Markup(f'<span class="soft">{html(text)}</span>')


def score(value: float) -> Markup:
    """A degree of belief."""
    return Markup(f'<span class="score">{value:.2f}</span>')


def join(parts: Iterable[Markup], between: str = "") -> Markup:
    """Markup after markup."""
    return Markup(between.join(parts))


def table(columns: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> Markup:
    """A table that becomes cards on a phone; columns beginning with '#' hold numbers."""
    names = [name.removeprefix("#") for name in columns]
    kinds = [' class="number"' if name.startswith("#") else "" for name in columns]
    head = "".join(f"<th{kind}>{html(n)}</th>" for n, kind in zip(names, kinds, strict=True))
    body = "".join(_row(row, names, kinds) for row in rows)
    return Markup(
        f'<div class="wide"><table class="cards"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _row(row: tuple[object, ...], names: list[str], kinds: list[str]) -> str:
    cells = zip(row, names, kinds, strict=True)
    return (
        "<tr>"
        + "".join(
            f'<td{kind} data-name="{html(n)}"><div>{html(cell)}</div></td>'
            for cell, n, kind in cells
        )
        + "</tr>"
    )


def section(title: str, body: Markup, *, folded: bool = False) -> Markup:
    """A card with a heading; a folded one opens by a click, without scripts."""
    if folded:
        inside = f"<details><summary>{html(title)}</summary>{body}</details>"
    else:
        inside = f"<h2>{html(title)}</h2>{body}"
    return Markup(f"<section>{inside}</section>")


def page(title: str, body: Markup) -> str:
    """A whole page that loads nothing."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html(title)}</title><style>{STYLE}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )
