"""`leadline probe`: the forms of one page, the gate's word on each, and what they answer."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager

from msgspec import Struct, structs

from leadline.config import Config, load_config, parse_pairs, settings_file
from leadline.core.crawl import Event
from leadline.core.http import Request
from leadline.core.page import Form, Page
from leadline.core.ports import Fetcher
from leadline.core.url import Url, canonical
from leadline.crawler.network import add_trials, make_judge
from leadline.errors import ConfigError, FetchError
from leadline.forms.query import pick_topical_words
from leadline.forms.searchable import open_searchable_judge
from leadline.forms.signature import signature
from leadline.forms.submit import order_forms, prepare, why_refused
from leadline.harvester.session.source import FormSubmitter, probe_form
from leadline.page import parse_page
from leadline.store import open_store
from leadline.store.care.checks import blame_damage
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.options import ProbeOptions
from leadline.ui.cli.output import print_json, print_text, say, show, table
from leadline.views.forms import FieldRow, field_rows
from leadline.views.text import clean, shorten
from leadline.web import open_fetcher

Note = Callable[[Event], None]
_CONTROLS_CHARS = 60
"""Of the names of a form's controls, shown in the table."""


class ProbeRow(Struct, frozen=True):
    """One form of the page."""

    signature: str
    method: str
    action: str
    fields: tuple[FieldRow, ...]
    searchable: float
    why: str
    refused: str
    """Why it may not be submitted; '' when it may."""
    database: str = ""
    """`yes`, `no`, `cannot tell`; '' when it was not asked."""
    because: str = ""
    requests: int = 0
    would_send: tuple[str, ...] = ()
    """In a dry run, each request in full."""
    number: int = 0
    """On its page, from 1."""


def run_probe(url: str, options: ProbeOptions) -> Exit:
    """The whole command."""
    config = load_config(settings_file(options.config), parse_pairs(options.set_))[0]
    target = canonical(url if "://" in url else f"http://{url}", rules=config.urls.rules)
    if target is None:
        raise ConfigError(f"{url!r} is not an http(s) URL; write https://host/path")
    with _open_log(options.store) as note:
        try:
            page, rows = asyncio.run(_probe_page(target, config, options, note))
        except FetchError as error:
            say(f"leadline: the page could not be fetched: {clean(str(error))}")
            return Exit.NOTHING_FETCHED
    if options.json:
        print_json({"url": page.url, "title": page.title, "forms": rows})
    else:
        _print_forms(page, rows)
    return Exit.DONE


@contextmanager
def _open_log(store: str | None) -> Iterator[Note]:
    """Where submissions and refusals are written down."""
    if store is None:
        yield lambda event: say(clean(f"{event.kind} {event.subject}: {event.detail}"))
        return
    with blame_damage(store), closing(open_store(store)) as opened:
        yield opened.note


async def _probe_page(
    url: Url, config: Config, options: ProbeOptions, note: Note
) -> tuple[Page, list[ProbeRow]]:
    judge = make_judge(config)
    http = open_fetcher(config.web, config.robots, config.politeness, why_harmful=judge.why_harmful)
    fetcher = add_trials(config, http)
    try:
        response = await fetcher.fetch(Request(url, is_meant=True))
        kind = response.header("content-type")
        page = parse_page(response.body, response.url, kind, rules=config.urls.rules)
        forms = choose_forms(page.forms, options.form)
        prober = FormProber(fetcher, config, options, note)
        order = order_forms(forms.values(), prober.judge.chance)
        rows: dict[str, ProbeRow] = {}
        for form in order:
            # A form that is on the page twice is probed once.
            if signature(form) not in rows:
                rows[signature(form)] = await prober.probe(page, form)
    finally:
        await fetcher.close()
    return page, [structs.replace(rows[signature(form)], number=n) for n, form in forms.items()]


def choose_forms(forms: Sequence[Form], number: int | None) -> dict[int, Form]:
    """The forms to look at by number, from 1. Raises ConfigError for a number there is none of."""
    numbered = dict(enumerate(forms, start=1))
    if number is None:
        return numbered
    if number not in numbered:
        raise ConfigError(f"--form {number}: the page has {len(forms)} forms, counted from 1")
    return {number: numbered[number]}


class FormProber:
    """Probes forms, or collects in a dry run what would be sent."""

    def __init__(self, fetcher: Fetcher, config: Config, options: ProbeOptions, note: Note) -> None:
        self.judge = open_searchable_judge()
        self._sendings: list[str] = []
        tell = self._sendings.append if options.dry_run else None
        self._submitter = FormSubmitter(fetcher, note, time.time, tell=tell)
        self._settings = config.submit
        self._words = (*options.word, *config.topic.keywords)
        self._is_dry = options.dry_run

    async def probe(self, page: Page, form: Form) -> ProbeRow:
        chance, why = self.judge.judge(form)
        refused = why_refused(form, chance, self._settings)
        row = ProbeRow(
            signature(form),
            form.method,
            form.action or "",
            tuple(field_rows(form)),
            round(chance, 4),
            why,
            refused,
        )
        if refused:
            # The log holds refusals too.
            await self._submitter.submit(prepare(form, {}, chance, self._settings))
            return row
        self._sendings.clear()
        words = pick_topical_words(page, form, self._words)
        verdict = await probe_form(form, words, chance, self._submitter, self._settings)
        if self._is_dry:
            return structs.replace(row, would_send=tuple(self._sendings))
        return structs.replace(
            row, database=verdict.database, because=verdict.why, requests=verdict.requests
        )


def _print_forms(page: Page, rows: Sequence[ProbeRow]) -> None:
    if not rows:
        say(f"there is no form on {clean(page.url)}")
        return
    columns = ("#form", "sent to", "controls", "#searchable", "may be submitted", "database")
    show(table("", columns, map(_cells, rows)))
    for row in rows:
        for request in row.would_send:
            print_text(f"\nform {row.number} would send:")
            for line in request.split("\n"):
                print_text(f"  {clean(line)}".rstrip())


def _cells(row: ProbeRow) -> tuple[object, ...]:
    return (
        row.number,
        f"{row.method.upper()} {row.action or 'nowhere'}",
        shorten(", ".join(field.shown for field in row.fields), _CONTROLS_CHARS) or "none",
        f"{row.searchable:.2f}",
        f"no: {row.refused}" if row.refused else "yes",
        f"{row.database}: {row.because}" if row.database else "not probed",
    )
