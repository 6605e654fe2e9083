"""`leadline harvest`: settings in, watched harvests, a summary out."""

import asyncio
import time

from msgspec import to_builtins

from leadline.config import Config, parse_pairs, settings_file
from leadline.config.runs import choose_store_path, settle_harvest
from leadline.core.store import HarvestRunStore
from leadline.crawler.harvests.assembly import (
    HarvestResult,
    HarvestSummary,
    PlannedRequest,
    harvest_forms,
    make_plan,
    plan_first_requests,
)
from leadline.crawler.harvests.source_opener import MakeOpener, make_opener
from leadline.errors import FetchError
from leadline.harvester.coverage import Coverage
from leadline.harvester.session.pool import HarvestPool
from leadline.store.address import IN_MEMORY, mask_password, quote_address
from leadline.ui.cli.exits import TERMINATED, Exit
from leadline.ui.cli.live import HarvestsProgress, choose_display, clock, keep_showing
from leadline.ui.cli.options import HarvestOptions
from leadline.ui.cli.output import print_json, print_text, say, show, table
from leadline.ui.cli.signals import StopSignals
from leadline.views.text import clean, shorten

_EXITS = {"interrupted": Exit.INTERRUPTED, TERMINATED: Exit.TERMINATED}


def run_harvest(
    form: str, store: str | None, options: HarvestOptions, opener: MakeOpener = make_opener
) -> Exit:
    """The whole command."""
    config = read_options(store, options)
    if options.shared or options.cluster:
        from leadline.ui.cli.team import run_team_harvest

        return run_team_harvest(form, config, options)
    try:
        if options.dry_run:
            return _print_dry_run(asyncio.run(plan_first_requests(config, form, opener)), options)
        started = time.monotonic()
        result = watch_harvest(form, config, options, opener)
    except FetchError as error:
        say(f"leadline: the form's page could not be fetched: {clean(str(error))}")
        return Exit.NOTHING_FETCHED
    if result is None:
        say(f"stopped at once; all recorded work is in {mask_password(config.store.path)}")
        return Exit.INTERRUPTED
    conclude(result, options, time.monotonic() - started)
    return exit_of(result)


def read_options(store: str | None, options: HarvestOptions) -> Config:
    """The settings in force: those of the store's crawl, unless the file or a flag says more."""
    path = choose_store_path(store)
    flags = {**options.given_settings(), **parse_pairs(options.set_), "store.path": path}
    return settle_harvest(settings_file(options.config), flags)


def watch_harvest(
    form: str, config: Config, options: HarvestOptions, opener: MakeOpener = make_opener
) -> HarvestResult | None:
    """Harvest with progress and Ctrl-C; None when it was cut off by the second one."""
    display = choose_display(is_quiet=options.quiet, is_plain=options.plain)
    progress = HarvestsProgress(make_plan(config.harvest).budget, time.time)

    def begin(harvester: HarvestPool, _store: HarvestRunStore) -> None:
        StopSignals(display.say).attach(harvester)
        sessions = harvester.sessions
        keep_showing(display, lambda: progress.add([session.progress for session in sessions()]))

    try:
        return harvest_forms(config, form, begin, opener)
    except asyncio.CancelledError:
        return None
    finally:
        display.close()


def conclude(result: HarvestResult, options: HarvestOptions, seconds: float) -> None:
    """Print what was extracted, and why it stopped."""
    if options.json:
        print_json(
            {
                "store": result.store,
                "seconds": round(seconds, 3),
                "harvests": [_to_json(summary) for summary in result.harvests],
            }
        )
    if options.quiet:
        return
    for summary in result.harvests:
        tally = summary.tally
        rate = tally.records / tally.requests if tally.requests else 0.0
        say(
            f"{summary.harvest.subject.site}: {tally.records} records, {tally.queries} queries, "
            f"{tally.requests} requests, {rate:.2f} new a request, {clock(seconds)}"
        )
        if summary.coverage is not None:
            say(f"  covered: {describe_coverage(summary.coverage)}")
        say(f"  stopped: {clean(summary.reason)}")
    if result.harvests and result.store != IN_MEMORY:
        name = quote_address(result.store)
        say(f"next:    leadline records {name}")
        say(f"         leadline export {name} things.csv")


def describe_coverage(coverage: Coverage) -> str:
    """In one line: the share held, the size with its interval, and what that is estimated from."""
    why = f"; {clean(coverage.why)}" if coverage.why else ""
    if coverage.high is None:
        return f"{coverage.low:,} records or more can be reached: too little came to say more{why}"
    return (
        f"{coverage.share:.0%} of about {coverage.size:,} records that searching can reach "
        f"({coverage.low:,} to {coverage.high:,}){why}"
    )


def exit_of(result: HarvestResult) -> Exit:
    """The exit code of a run that ended by itself or was asked to."""
    if result.stopped in _EXITS:
        return _EXITS[result.stopped]
    has_any = any(summary.tally.pages for summary in result.harvests)
    return Exit.DONE if has_any else Exit.NOTHING_FETCHED


def _to_json(summary: HarvestSummary) -> dict[str, object]:
    subject = summary.harvest.subject
    return {
        "form": subject.signature,
        "site": subject.site,
        "policy": subject.policy,
        "reason": summary.reason,
        "state": summary.harvest.state,
        "tally": to_builtins(summary.tally),
        "coverage": to_builtins(summary.coverage),
    }


def _print_dry_run(sendings: list[PlannedRequest], options: HarvestOptions) -> Exit:
    if options.json:
        print_json(sendings)
        return Exit.DONE
    columns = ("form", "#query", "asks for", "#records expected", "why")
    cells = (
        (one.form, number, shorten(one.query, 50), f"{one.fresh:.1f}", shorten(one.why, 50))
        for number, one in enumerate(sendings, start=1)
    )
    show(table("", columns, cells))
    for number, sending in enumerate(sendings, start=1):
        print_text(f"\nquery {number} would send:")
        for line in sending.request.split("\n"):
            print_text(f"  {clean(line)}".rstrip())
    return Exit.DONE
