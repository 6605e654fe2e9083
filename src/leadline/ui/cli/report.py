"""`leadline report`: what a crawl found, as one HTML page that loads nothing from outside.

The HTML is made of escaped text only: whatever a hostile page calls itself, it stays text.
"""

import time
from collections.abc import Iterable
from html import escape
from pathlib import Path

from leadline.config import Config, list_settings
from leadline.config.runs import choose_store_path
from leadline.core.crawl import Counts
from leadline.core.store import StoreView
from leadline.errors import ConfigError
from leadline.store.address import is_url, mask_password, name_of
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.output import print_json, say
from leadline.views.forms import FormRow, form_rows
from leadline.views.overview import site_rows, stop_reason
from leadline.views.progress import CurvePoint, forms_curve
from leadline.views.stores import open_to_read, saved_settings
from leadline.views.text import clean, shorten

MOST_FORMS = 2_000
MOST_SITES = 500
"""Rows of the two long tables; a browser is no database."""
WIDTH, HEIGHT = 720, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 20, 14, 40
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


class HtmlText(str):
    """Text that is already HTML. Everything else is escaped where it is put in."""

    __slots__ = ()


def to_html(text: object) -> HtmlText:
    """Anything as HTML; markup stays, the rest is escaped and freed of control characters."""
    if isinstance(text, HtmlText):
        return text
    return HtmlText(escape(clean(str(text)), quote=True))


def link(url: str, text: str) -> HtmlText:
    """A link, if the address is one of the web; otherwise only its text."""
    if not url.startswith(("http://", "https://")):
        return to_html(text)
    return HtmlText(
        f'<a href="{to_html(url)}" rel="noopener noreferrer nofollow">{to_html(text)}</a>'
    )


def soft(text: object) -> HtmlText:
    """Text that matters less."""
    return HtmlText(f'<span class="soft">{to_html(text)}</span>')


def score(value: float) -> HtmlText:
    """A degree of belief."""
    return HtmlText(f'<span class="score">{value:.2f}</span>')


def join(parts: Iterable[HtmlText], between: str = "") -> HtmlText:
    """HtmlText after markup."""
    return HtmlText(between.join(parts))


def table(columns: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> HtmlText:
    """A table that becomes cards on a phone; columns beginning with '#' hold numbers."""
    names = [name.removeprefix("#") for name in columns]
    kinds = [' class="number"' if name.startswith("#") else "" for name in columns]
    head = "".join(f"<th{kind}>{to_html(n)}</th>" for n, kind in zip(names, kinds, strict=True))
    body = "".join(_row(row, names, kinds) for row in rows)
    return HtmlText(
        f'<div class="wide"><table class="cards"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _row(row: tuple[object, ...], names: list[str], kinds: list[str]) -> str:
    cells = zip(row, names, kinds, strict=True)
    return (
        "<tr>"
        + "".join(
            f'<td{kind} data-name="{to_html(n)}"><div>{to_html(cell)}</div></td>'
            for cell, n, kind in cells
        )
        + "</tr>"
    )


def section(title: str, body: HtmlText, *, folded: bool = False) -> HtmlText:
    """A card with a heading; a folded one opens by a click, without scripts."""
    if folded:
        inside = f"<details><summary>{to_html(title)}</summary>{body}</details>"
    else:
        inside = f"<h2>{to_html(title)}</h2>{body}"
    return HtmlText(f"<section>{inside}</section>")


def page(title: str, body: HtmlText) -> str:
    """A whole page that loads nothing."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{to_html(title)}</title><style>{STYLE}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )


def run_report(store: str | None, out: Path | None, *, as_json: bool) -> Exit:
    """The whole command."""
    where = choose_store_path(store)
    target = out or report_path(where)
    with open_to_read(where) as opened:
        write_report(opened, target, mask_password(where))
    if as_json:
        print_json({"report": str(target)})
    else:
        say(f"report:  {target}")
    return Exit.DONE


def report_path(store: str) -> Path:
    """Next to the store's file; here for a database."""
    return Path(f"{name_of(store) if is_url(store) else store}.html")


def write_report(store: StoreView, out: Path, name: str) -> None:
    """Write the page, or raise ConfigError when it cannot be written there."""
    text = render_report(store, name)
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write the report to {out}: {error.strerror}") from None


def render_report(store: StoreView, name: str) -> str:
    """The page. Reads everything once."""
    counts, settings = store.reader.counts(), saved_settings(store)
    topic = settings.get("topic", {}).get("name") or "no topic"
    strategy = settings.get("strategy", {})
    curve = forms_curve(store.reader.visits())
    body = join(
        [
            HtmlText(f"<header><h1>{to_html(topic)}: {counts.forms:,} search forms</h1>"),
            HtmlText(
                f"<p>{to_html(name)}, strategy {to_html(strategy.get('name', ''))}, "
                f"goal {to_html(strategy.get('goal', ''))}. "
                f"Last run: {to_html(stop_reason(store))}. Written {_now()}.</p></header>"
            ),
            _facts(counts),
            section("Harvest: relevant forms against visits", HtmlText(curve_svg(curve))),
            _forms(form_rows(store)),
            _outcomes(counts),
            _sites(store),
            _settings(settings),
        ]
    )
    return page(f"leadline: {topic}", body)


def _now() -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())


def _facts(counts: Counts) -> HtmlText:
    rate = 100.0 * counts.forms / counts.visits if counts.visits else 0.0
    facts = [
        (f"{counts.forms:,}", f"relevant forms of {counts.searchable:,} searchable"),
        (f"{counts.deep_sites:,}", f"sites with forms of {counts.sites:,} visited"),
        (f"{counts.pages:,}", f"pages, {counts.visits:,} visits"),
        (f"{rate:.1f}", "forms per 100 visits"),
        (f"{counts.failed:,}", "failed visits"),
        (f"{counts.waiting:,}", f"links waiting, {counts.skipped:,} skipped"),
    ]
    cards = (
        HtmlText(f"<div><b>{to_html(n)}</b><span>{to_html(word)}</span></div>") for n, word in facts
    )
    return HtmlText(f'<div class="facts">{join(cards)}</div>')


def _forms(rows: list[FormRow]) -> HtmlText:
    if not rows:
        return section("Forms", soft("None found yet."))
    title = f"Forms ({len(rows):,})"
    if len(rows) > MOST_FORMS:
        title += f", the best {MOST_FORMS:,}; leadline export has all"
    cells = (
        (
            row.site,
            join([link(row.page, shorten(row.what, 90)), HtmlText("<br>"), soft(row.why)]),
            ", ".join(field.shown for field in row.fields) or soft("none"),
            HtmlText(f"<code>{to_html(row.method.upper())}</code>"),
            row.sightings,
            score(row.score),
        )
        for row in rows[:MOST_FORMS]
    )
    return section(title, table(("site", "form", "fields", "method", "#seen", "#score"), cells))


def _outcomes(counts: Counts) -> HtmlText:
    falling = sorted(counts.outcomes.items(), key=lambda pair: (-pair[1], pair[0]))
    share = max(1, counts.visits)
    rows = ((kind, f"{n:,}", f"{100 * n / share:.1f} %") for kind, n in falling)
    return section("Outcomes of visits", table(("outcome", "#visits", "#share"), rows))


def _sites(store: StoreView) -> HtmlText:
    rows = site_rows(store)
    title = f"Sites ({len(rows):,})"
    if len(rows) > MOST_SITES:
        title += f", the first {MOST_SITES:,}"
    cells = (
        (s.site, s.forms, s.searchable, s.pages, s.errors, s.closed or soft("open"))
        for s in rows[:MOST_SITES]
    )
    columns = ("site", "#forms", "#searchable", "#pages", "#errors", "state")
    return section(title, table(columns, cells), folded=len(rows) > 20)


def _settings(saved: dict[str, object]) -> HtmlText:
    if not saved:
        return HtmlText("")
    defaults = {name: value for name, value, _ in list_settings(Config(), {})}
    now = list_settings(Config.model_validate(saved), {})
    rows = (
        (name, shorten(str(value), 200), "" if value == defaults.get(name) else "changed")
        for name, value, _ in now
    )
    return section("Settings of the last run", table(("setting", "value", ""), rows), folded=True)


def step_of(most: int) -> int:
    """The distance between marks that puts at most six on an axis.

    >>> [step_of(n) for n in (0, 3, 11, 52, 932)]
    [1, 1, 5, 20, 200]
    """
    step, factors = 1, (2, 5, 10)
    while most > 5 * step:
        step = next(f * step for f in factors if most <= 5 * f * step or f == 10)
    return step


def curve_svg(points: list[CurvePoint]) -> str:
    """Distinct relevant forms against visits."""
    step = step_of(points[-1].forms)
    most_visits, most_forms = points[-1].visits or 1, step * max(1, -(-points[-1].forms // step))
    width, height = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

    def place(point: CurvePoint) -> str:
        x = _LEFT + width * point.visits / most_visits
        y = _TOP + height * (1 - point.forms / most_forms)
        return f"{x:.1f},{y:.1f}"

    line = " ".join(place(point) for point in points)
    floor = _TOP + height
    area = f"{_LEFT},{floor} {line} {_LEFT + width},{floor}"
    last_x, last_y = place(points[-1]).split(",")
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{points[-1].forms} relevant forms after {points[-1].visits} visits">'
        f"{_grid(most_visits, most_forms)}"
        f'<polygon class="area" points="{area}"/><polyline class="line" points="{line}"/>'
        f'<circle class="dot" cx="{last_x}" cy="{last_y}" r="4"/></svg>'
    )


def _grid(most_visits: int, most_forms: int) -> str:
    width, height = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM
    parts = []
    for forms in range(0, most_forms + 1, step_of(most_forms)):
        y = _TOP + height * (1 - forms / most_forms)
        parts.append(f'<path class="grid" d="M{_LEFT} {y:.1f}h{width}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{forms:,}</text>')
    for visits in range(0, most_visits + 1, step_of(most_visits)):
        x = _LEFT + width * visits / most_visits
        parts.append(
            f'<text x="{x:.1f}" y="{_TOP + height + 18}" text-anchor="middle">{visits:,}</text>'
        )
    parts.append(
        f'<text x="{_LEFT + width / 2}" y="{HEIGHT - 2}" text-anchor="middle">visits</text>'
    )
    return "".join(parts)
