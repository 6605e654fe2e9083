"""HTML for reports: one page that loads nothing and needs no scripts."""

from collections.abc import Iterable, Sequence
from html import escape

_STYLE = """
:root { color-scheme: light; --ink: #1c2733; --soft: #5b6b7b; --line: #dde4ea; --back: #f6f8fa;
  --card: #ffffff; --good: #0072b2; --bad: #b84a00; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 28px 16px 64px; }
h1 { margin: 0; font-size: 27px; letter-spacing: -.01em; }
h2 { margin: 0 0 4px; font-size: 18px; }
p { margin: 0 0 12px; max-width: 92ch; }
header p, .note { color: var(--soft); }
header p { margin-top: 6px; }
section { margin-top: 16px; padding: 20px; background: var(--card);
  border: 1px solid var(--line); border-radius: 10px; }
.wide { overflow-x: auto; margin-top: 10px; }
table { border-collapse: collapse; font-size: 14px; width: 100%; }
th { color: var(--soft); font-weight: 600; font-size: 12.5px; vertical-align: bottom; }
th, td { padding: 6px 10px; border-bottom: 1px solid var(--line); text-align: right;
  font-variant-numeric: tabular-nums; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
th { white-space: normal; }
tr:last-child td { border-bottom: 0; }
td small { display: block; color: var(--soft); font-size: 11.5px; }
.best { font-weight: 700; } .good { color: var(--good); } .bad { color: var(--bad); }
ul { margin: 6px 0 0; padding-left: 20px; } li { margin: 3px 0; max-width: 100ch; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 18px; margin: 8px 0 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
svg { display: block; width: 100%; min-width: 680px; height: auto; }
summary { cursor: pointer; font-weight: 600; font-size: 18px; }
@media print { body { background: white; } section { break-inside: avoid; border: 0; } }
"""


class Markup(str):
    """Text that is already HTML; everything else is escaped where it is put in."""

    __slots__ = ()


def html(text: object) -> Markup:
    return text if isinstance(text, Markup) else Markup(escape(str(text), quote=True))


def marked(text: object, kind: str) -> Markup:
    """Text of a kind that has its own look: best, good, bad."""
    return Markup(f'<span class="{html(kind)}">{html(text)}</span>') if kind else html(text)


def with_note(text: object, note: str) -> Markup:
    """A cell with something smaller below."""
    return Markup(f"{html(text)}<small>{html(note)}</small>")


def note(text: str) -> Markup:
    return Markup(f'<p class="note">{html(text)}</p>')


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Markup:
    """The first column holds names, the others numbers."""
    head = "".join(f"<th>{html(name)}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{html(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    rows_html = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return wide(Markup(f"<table>{rows_html}</table>"))


def wide(part: Markup) -> Markup:
    """Something that scrolls sideways where the screen is narrow."""
    return Markup(f'<div class="wide">{part}</div>')


def facts(pairs: Iterable[tuple[str, object]]) -> Markup:
    return Markup(
        "<dl>" + "".join(f"<dt>{html(k)}</dt><dd>{html(v)}</dd>" for k, v in pairs) + "</dl>"
    )


def bullets(lines: Iterable[object]) -> Markup:
    return Markup("<ul>" + "".join(f"<li>{html(line)}</li>" for line in lines) + "</ul>")


def section(title: str, *parts: Markup, folded: bool = False) -> Markup:
    inside = "".join(parts)
    if folded:
        return Markup(
            f"<section><details><summary>{html(title)}</summary>{inside}</details></section>"
        )
    return Markup(f"<section><h2>{html(title)}</h2>{inside}</section>")


def page(title: str, *parts: Markup) -> str:
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html(title)}</title><style>{_STYLE}</style></head>"
        f"<body><main>{''.join(parts)}</main></body></html>\n"
    )
