"""`leadline run`: a phrase in, a watched crawl with its harvests, a table out."""

import asyncio
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from leadline.config import parse_pairs, read_seeds, settings_file
from leadline.job import JobPlan, JobResult, JobSource, finish_job, plan_job
from leadline.store.address import quote_address
from leadline.ui.cli.crawl import HINTS, FinishedCrawl, watch_crawl
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.live import clock
from leadline.ui.cli.options import RunOptions
from leadline.ui.cli.output import print_json, say, show, table
from leadline.views.text import clean, shorten

_CELL_CHARS = 32
_SHOWN_COLUMNS = 6
_SHOWN_SOURCES = 12
_SHOWN_REASONS = 4


def run_whole_job(phrase: str, options: RunOptions) -> Exit:
    """The whole command."""
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
        names = name_sources(sources)
        cells = map(describe_source, sources[:_SHOWN_SOURCES], names)
        columns = ("database", "#records", "covered", "#requests", "why it stopped")
        say_table(table("", columns, cells))
    if len(sources) > _SHOWN_SOURCES:
        say(f"and {count(len(sources) - _SHOWN_SOURCES, 'more database')}")
    for line in (*describe_silent(result), *describe_refused(result), *describe_failed(result)):
        say(line)
    counts = finished.result.counts
    requests = counts.visits + sum(source.requests for source in result.sources)
    say(
        f"{count(result.things, 'thing')} from {count(result.records, 'record')} of "
        f"{count(len(sources), 'database')}; {count(counts.forms, 'form')} of the topic on "
        f"{count(counts.deep_sites, 'site')}; {count(requests, 'request')} "
        f"and {counts.requests - counts.visits:,} for robots.txt, redirects and retries"
    )
    say(f"stopped: after {clock(finished.seconds)}, {describe_end(finished)}")
    if result.table:
        say(f"table:   {result.table}")
    first, second = suggest_next(result)
    say(f"next:    {first}")
    say(f"         {second}")


def say_table(grid: Any) -> None:
    show(grid, sys.stderr)


def describe_silent(result: JobResult) -> list[str]:
    """The databases that gave no record, by what their harvests stopped for."""
    reasons = Counter(
        describe_reason(source.reason) for source in result.sources if not source.records
    )
    lines = [
        f"no record from {count(number, 'database')}: {shorten(reason, 100)}"
        for reason, number in reasons.most_common(_SHOWN_REASONS)
    ]
    if result.waiting:
        lines.append(f"not begun before the end: {count(result.waiting, 'more database')}")
    return lines


def describe_refused(result: JobResult) -> list[str]:
    """The forms that were not asked, by why."""
    pages: dict[str, list[str]] = defaultdict(list)
    for refused in result.refused:
        pages[clean(refused.why)].append(refused.page)
    most_first = sorted(pages.items(), key=lambda pair: -len(pair[1]))
    lines = [
        f"not asked: {shorten(found[0], 60)}"
        f"{f' and {len(found) - 1} more' if len(found) > 1 else ''}: {why}"
        for why, found in most_first[:_SHOWN_REASONS]
    ]
    rest = sum(len(found) for _, found in most_first[_SHOWN_REASONS:])
    if rest:
        lines.append(f"not asked for other reasons: {count(rest, 'more form')}")
    return lines


def describe_failed(result: JobResult) -> list[str]:
    """The seeds that brought no page."""
    lines = [
        f"no page from the seed {shorten(seed.url, 60)}: {shorten(clean(seed.why), 100)}"
        for seed in result.failed_seeds[:_SHOWN_REASONS]
    ]
    rest = len(result.failed_seeds) - _SHOWN_REASONS
    if rest > 0:
        lines.append(f"no page from {count(rest, 'more seed')}")
    return lines


def describe_end(finished: FinishedCrawl) -> str:
    """Why the run ended, and what continues it."""
    reason = finished.result.reason
    if reason == "budget: pages":
        return "the requests are spent; a higher --requests continues"
    if finished.exit is Exit.NOTHING_FETCHED:
        return "no page could be fetched; check the seeds and the network"
    return HINTS.get(reason, reason)


def describe_reason(reason: str) -> str:
    """Why a harvest stopped, in words.

    >>> describe_reason("budget: pages"), describe_reason("")
    ('the budget is spent', 'cut off')
    """
    if reason.startswith("budget:"):
        return "the time is up" if "seconds" in reason else "the budget is spent"
    return clean(reason) or "cut off"


def suggest_next(result: JobResult) -> tuple[str, str]:
    """The two commands that a user wants next."""
    store = quote_address(result.store)
    if result.table:
        stem = Path(result.table).with_suffix("").name
        other = ".xlsx" if result.table.endswith(".csv") else ".csv"
        return f"leadline serve {store}", f"leadline export {store} {quote_address(stem + other)}"
    if result.sources or result.refused or result.waiting:
        return f"leadline forms {store}", f"leadline status {store}"
    return f"leadline status {store}", f"leadline forms {store} --all"


def count(number: int, noun: str) -> str:
    """As in `1 form` or `1,200 forms`.

    >>> count(1, "form"), count(1_200, "form")
    ('1 form', '1,200 forms')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


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


def name_sources(sources: Sequence[JobSource]) -> list[str]:
    """The site of each, with the path of its form if the site has several databases."""
    numbers = Counter(source.site for source in sources)
    return [
        source.site
        if numbers[source.site] == 1 or source.address is None
        else source.address.partition("://")[2].partition("?")[0]
        for source in sources
    ]


def describe_source(source: JobSource, name: str) -> tuple[str, str, str, str, str]:
    coverage = source.coverage
    covered = "-"
    if coverage is not None:
        covered = (
            f"{coverage.share:.0%}" if coverage.high is not None else f"{coverage.low:,} or more"
        )
    return (
        shorten(name, 40),
        f"{source.records:,}",
        covered,
        f"{source.requests:,}",
        shorten(describe_reason(source.reason), 60),
    )
