"""`leadline report`: what a crawl found, as one HTML page that loads nothing from outside."""

import time
from pathlib import Path

from leadline.config import Config, effective
from leadline.core.crawl import Counts
from leadline.core.ports import Store
from leadline.errors import ConfigError
from leadline.store.address import is_database, name_of, shown
from leadline.ui.chart import harvest_svg
from leadline.ui.exits import Exit
from leadline.ui.markup import Markup, html, join, link, page, score, section, soft, table
from leadline.ui.opening import looking_at, saved_settings, store_path
from leadline.ui.output import print_json, say, shorten
from leadline.ui.rows import FormRow, form_rows, harvest_curve, site_rows, stop_reason

MOST_FORMS = 2_000
MOST_SITES = 500
"""Rows of the two long tables; a browser is no database."""


def run_report(store: str | None, out: Path | None, *, as_json: bool) -> Exit:
    """The whole command."""
    where = store_path(store)
    target = out or report_path(where)
    with looking_at(where) as opened:
        write_report(opened, target, shown(where))
    if as_json:
        print_json({"report": str(target)})
    else:
        say(f"report:  {target}")
    return Exit.DONE


def report_path(store: str) -> Path:
    """Next to the store's file; here for a database."""
    return Path(f"{name_of(store) if is_database(store) else store}.html")


def write_report(store: Store, out: Path, name: str) -> None:
    """Write the page, or raise ConfigError when it cannot be written there."""
    text = render_report(store, name)
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write the report to {out}: {error.strerror}") from None


def render_report(store: Store, name: str) -> str:
    """The page. Reads everything once."""
    counts, settings = store.counts(), saved_settings(store)
    topic = settings.get("topic", {}).get("name") or "no topic"
    strategy = settings.get("strategy", {})
    curve = harvest_curve(visit.forms for visit in store.visits())
    body = join(
        [
            Markup(f"<header><h1>{html(topic)}: {counts.forms:,} search forms</h1>"),
            Markup(
                f"<p>{html(name)}, strategy {html(strategy.get('name', ''))}, "
                f"goal {html(strategy.get('goal', ''))}. Last run: {html(stop_reason(store))}. "
                f"Written {_now()}.</p></header>"
            ),
            _facts(counts),
            section("Harvest: relevant forms against visits", Markup(harvest_svg(curve))),
            _forms(form_rows(store)),
            _outcomes(counts),
            _sites(store),
            _settings(settings),
        ]
    )
    return page(f"leadline: {topic}", body)


def _now() -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())


def _facts(counts: Counts) -> Markup:
    rate = 100.0 * counts.forms / counts.visits if counts.visits else 0.0
    facts = [
        (f"{counts.forms:,}", f"relevant forms of {counts.searchable:,} searchable"),
        (f"{counts.deep_sites:,}", f"sites with forms of {counts.sites:,} visited"),
        (f"{counts.pages:,}", f"pages, {counts.visits:,} visits"),
        (f"{rate:.1f}", "forms per 100 visits"),
        (f"{counts.failed:,}", "failed visits"),
        (f"{counts.waiting:,}", f"links waiting, {counts.skipped:,} skipped"),
    ]
    cards = (Markup(f"<div><b>{html(n)}</b><span>{html(word)}</span></div>") for n, word in facts)
    return Markup(f'<div class="facts">{join(cards)}</div>')


def _forms(rows: list[FormRow]) -> Markup:
    if not rows:
        return section("Forms", soft("None found yet."))
    title = f"Forms ({len(rows):,})"
    if len(rows) > MOST_FORMS:
        title += f", the best {MOST_FORMS:,}; leadline export has all"
    cells = (
        (
            row.site,
            join([link(row.page, shorten(row.what, 90)), Markup("<br>"), soft(row.why)]),
            ", ".join(field.shown for field in row.fields) or soft("none"),
            Markup(f"<code>{html(row.method.upper())}</code>"),
            row.sightings,
            score(row.score),
        )
        for row in rows[:MOST_FORMS]
    )
    return section(title, table(("site", "form", "fields", "method", "#seen", "#score"), cells))


def _outcomes(counts: Counts) -> Markup:
    falling = sorted(counts.outcomes.items(), key=lambda pair: (-pair[1], pair[0]))
    share = max(1, counts.visits)
    rows = ((kind, f"{n:,}", f"{100 * n / share:.1f} %") for kind, n in falling)
    return section("Outcomes of visits", table(("outcome", "#visits", "#share"), rows))


def _sites(store: Store) -> Markup:
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


def _settings(saved: dict[str, object]) -> Markup:
    if not saved:
        return Markup("")
    defaults = {name: value for name, value, _ in effective(Config(), {})}
    now = effective(Config.model_validate(saved), {})
    rows = (
        (name, shorten(str(value), 200), "" if value == defaults.get(name) else "changed")
        for name, value, _ in now
    )
    return section("Settings of the last run", table(("setting", "value", ""), rows), folded=True)
