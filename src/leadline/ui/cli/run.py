"""`leadline run`: a phrase in, a watched crawl with its harvests, a table out."""

import asyncio
import sys
from collections.abc import Mapping
from typing import Any

from msgspec import to_builtins

from leadline.config import parse_pairs, read_seeds, settings_file
from leadline.job import JobPlan, JobResult, JobSource, finish_job, plan_job
from leadline.records.export import choose_format
from leadline.store.address import typed
from leadline.ui.cli.crawl import HINTS, FinishedCrawl, watch_crawl
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.options import RunOptions
from leadline.ui.cli.output import print_json, say, show, table
from leadline.views.text import clean, shorten

_CELL_CHARS = 32
_SHOWN_COLUMNS = 6
_SHOWN_SOURCES = 12
_SHOWN_REFUSED = 5


def run_whole_job(phrase: str, options: RunOptions) -> Exit:
    """The whole command."""
    if options.out:
        choose_format(options.out, "things")
    flags = {**options.given_settings(), **parse_pairs(options.set_)}
    if seeds := read_seeds(options.seeds):
        flags["seeds"] = seeds
    plan = asyncio.run(plan_job(phrase, flags, settings_file(options.config), options.out))
    return watch_job(plan, options)


def watch_job(plan: JobPlan, options: RunOptions) -> Exit:
    """Crawl with progress, then write the table and print what came of it."""
    if not options.quiet:
        for note in plan.notes:
            say(note)
    finished = watch_crawl(
        plan.config, plan.earlier, is_quiet=options.quiet, is_plain=options.plain
    )
    if finished is None:
        say(f"stopped at once; all recorded work is in {plan.config.store.path}; "
            "the same command resumes")  # fmt: skip
        return Exit.INTERRUPTED
    result = finish_job(plan)
    if options.json:
        print_json({"reason": finished.result.reason, **to_builtins(result)})
    elif not options.quiet:
        print_job(result, finished)
    return finished.exit


def print_job(result: JobResult, finished: FinishedCrawl) -> None:
    """The first rows to stdout, and all else to stderr."""
    if result.first:
        show(make_first_rows(result.columns, result.first))
    sources = [source for source in result.sources if source.records]
    say("")
    if sources:
        cells = (describe_source(source) for source in sources[:_SHOWN_SOURCES])
        columns = ("database", "#records", "covered", "#requests", "why it stopped")
        say_table(table("", columns, cells))
    if len(sources) > _SHOWN_SOURCES:
        say(f"and {len(sources) - _SHOWN_SOURCES} databases more")
    silent = len(result.sources) - len(sources)
    if silent:
        say(f"{silent} databases gave no record; why: leadline status {typed(result.store)}")
    for refused in result.refused[:_SHOWN_REFUSED]:
        say(f"not asked: {shorten(refused.page, 60)}: {clean(refused.why)}")
    if len(result.refused) > _SHOWN_REFUSED:
        say(f"and {len(result.refused) - _SHOWN_REFUSED} forms more were not asked")
    counts = finished.result.counts
    say(
        f"{result.things:,} things from {result.records:,} records of {len(sources)} databases; "
        f"{counts.forms} forms of the topic on {counts.deep_sites} sites"
    )
    say(f"stopped: {HINTS.get(finished.result.reason, finished.result.reason)}")
    if result.table:
        say(f"table:   {result.table}")
    say(f"next:    leadline serve {typed(result.store)}")
    say(f"         {_suggest_second(result)}")


def say_table(grid: Any) -> None:
    show(grid, sys.stderr)


def _suggest_second(result: JobResult) -> str:
    if result.table:
        return f"leadline export {typed(result.store)} things.csv"
    return f"leadline forms {typed(result.store)} --all"


def make_first_rows(columns: tuple[str, ...], first: tuple[Mapping[str, Any], ...]) -> Any:
    """The best filled columns of the first things, the name first."""
    filled = {name: sum(bool(row.get(name)) for row in first) for name in columns}
    shown = sorted(columns, key=lambda name: (name not in ("name", "title"), -filled[name]))
    shown = [name for name in shown if filled[name] and name != "url"][:_SHOWN_COLUMNS]
    cells = ([shorten(_write(row.get(name)), _CELL_CHARS) for name in shown] for row in first)
    return table("", shown, cells)


def _write(value: object) -> str:
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value))
    return "" if value is None else str(value)


def describe_source(source: JobSource) -> tuple[str, str, str, str, str]:
    coverage = source.coverage
    covered = "-"
    if coverage is not None:
        covered = (
            f"{coverage.share:.0%}" if coverage.high is not None else f"{coverage.low:,} or more"
        )
    return (
        shorten(source.site, 40),
        f"{source.records:,}",
        covered,
        f"{source.requests:,}",
        shorten(clean(source.reason) or "the budget is spent", 50),
    )
