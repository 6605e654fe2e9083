"""`leadline crawl`: settings in, a watched crawl, a summary out."""

import asyncio
import sys
import time
from pathlib import Path

from msgspec import Struct, to_builtins

from leadline.config import Config, Origins, parse_pairs, read_seeds, settings_file
from leadline.config.runs import EarlierRun, settle_crawl
from leadline.core.store import Store, StoreView
from leadline.crawler.assembly import CrawlResult, crawl
from leadline.crawler.crawl import Crawl
from leadline.store.address import IN_MEMORY, mask_password, quote_address
from leadline.ui.cli.exits import Exit, exit_of
from leadline.ui.cli.listing import print_forms
from leadline.ui.cli.live import (
    CrawlProgress,
    choose_display,
    clock,
    keep_showing,
)
from leadline.ui.cli.options import CrawlOptions
from leadline.ui.cli.output import print_json, say
from leadline.ui.cli.report import report_path, write_report
from leadline.ui.cli.signals import StopSignals
from leadline.views.forms import FormRow, form_rows
from leadline.views.stores import open_to_read
from leadline.web.settings import WebSettings

_NOTHING_LEFT = "nothing left to follow"
HINTS = {
    "budget: pages": "the page budget is spent; give a higher --pages to continue",
    "budget: seconds": "the time is up; the same command resumes",
    "budget: bytes": "the byte budget is spent; the same command resumes",
    "budget: forms": "as many forms as wanted were found",
    _NOTHING_LEFT: "nothing is left to follow; give more --seeds to continue",
    "interrupted": "interrupted; the same command resumes",
    "terminated": "terminated; the same command resumes",
    "stopped by order": "stopped by an order; the same command resumes",
}


_ANONYMOUS = (
    "note: web.contact_url is a placeholder: name a page that tells site owners who you are, as in "
    "--set web.contact_url=https://example.org/about-our-crawler"
)


class FinishedCrawl(Struct, frozen=True):
    """A run that ended by itself or was asked to."""

    result: CrawlResult
    store: StoreView
    seconds: float
    exit: Exit


def run_crawl(topic: str, options: CrawlOptions) -> Exit:
    """The whole command."""
    if options.cluster:
        from leadline.ui.cli.team import run_on_cluster

        return run_on_cluster(topic, options)
    config, _, earlier = read_options(topic, options)
    if earlier.counts.known and not options.quiet:
        say(
            f"resuming {mask_password(config.store.path)}: {earlier.counts.visits} visits, "
            f"{earlier.counts.forms} forms so far, {earlier.counts.waiting} links waiting"
        )
    finished = watch_crawl(config, earlier, is_quiet=options.quiet, is_plain=options.plain)
    if finished is None:
        say(
            f"stopped at once; all recorded work is in {mask_password(config.store.path)}; "
            "the same command resumes"
        )
        return Exit.INTERRUPTED
    conclude(finished, config, options)
    return finished.exit


def read_options(topic: str, options: CrawlOptions) -> tuple[Config, Origins, EarlierRun]:
    """The settings in force, and what the store already holds."""
    flags = {**options.given_settings(), **parse_pairs(options.set_)}
    if topic:
        flags.setdefault("topic.name", topic)
    seeds = read_seeds(options.seeds)
    if seeds:
        flags["seeds"] = seeds
    return settle_crawl(settings_file(options.config), flags)


def watch_crawl(
    config: Config, earlier: EarlierRun, *, is_quiet: bool = False, is_plain: bool = False
) -> FinishedCrawl | None:
    """Crawl with progress and Ctrl-C; None when it was cut off by the second one."""
    display = choose_display(is_quiet=is_quiet, is_plain=is_plain)
    stores: list[Store] = []

    def begin(run: Crawl, store: Store) -> None:
        stores.append(store)
        # Not before it begins: bad input gets one line, on what is wrong with it.
        if is_anonymous(config) and not is_quiet:
            display.say(_ANONYMOUS)
        StopSignals(display.say).attach(run)
        progress = CrawlProgress(
            lambda: run.plan.budget, lambda: run.harvests, lambda: run.is_paused
        )
        keep_showing(display, lambda: progress.add(time.time(), store.reader.counts()))

    started = time.monotonic()
    try:
        result = crawl(config, begin)
    except asyncio.CancelledError:
        return None
    finally:
        display.close()
    code = exit_of(result.reason, earlier.counts, result.counts)
    return FinishedCrawl(result, stores[0], time.monotonic() - started, code)


def is_anonymous(config: Config) -> bool:
    """Whether strangers are asked without being told who asks."""
    default: str = WebSettings.model_fields["contact_url"].default
    # A web that answers on this machine, such as the lab's, belongs to who asks it.
    return config.web.contact_url == default and "*" not in config.web.resolve


def conclude(finished: FinishedCrawl, config: Config, options: CrawlOptions) -> None:
    """Write the report and print the summary."""
    if config.store.path == IN_MEMORY:
        _conclude(finished, finished.store, options.report, options)
        return
    with open_to_read(config.store.path) as store:
        report = options.report or report_path(config.store.path)
        _conclude(finished, store, report, options)


def _conclude(
    finished: FinishedCrawl, store: StoreView, report: Path | None, options: CrawlOptions
) -> None:
    if report is not None:
        write_report(store, report, finished.result.store)
    forms = form_rows(store)
    if options.json:
        print_json(_to_json(finished, forms, report))
    if options.quiet:
        return
    if not options.json:
        print_forms(forms, sys.stdout)
    _print_summary(finished, store, report)


def _to_json(
    finished: FinishedCrawl, forms: list[FormRow], report: Path | None
) -> dict[str, object]:
    return {
        "reason": finished.result.reason,
        "exit": int(finished.exit),
        "store": finished.result.store,
        "report": str(report) if report else None,
        "seconds": round(finished.seconds, 3),
        "counts": to_builtins(finished.result.counts),
        "forms": forms,
    }


def _print_summary(finished: FinishedCrawl, store: StoreView, report: Path | None) -> None:
    counts, path = finished.result.counts, finished.result.store
    say("")
    say(
        f"{counts.forms} relevant forms ({counts.searchable} searchable of any topic) "
        f"on {counts.deep_sites} of {counts.sites} sites, {counts.pages} pages, "
        f"{counts.failed} failed visits, {clock(finished.seconds)}"
    )
    harvests = list(store.harvests.all())
    if harvests:
        records = sum(store.harvests.tally(head.id).records for head in harvests)
        say(f"{records:,} records of {len(harvests)} databases")
    say(f"stopped: {HINTS.get(finished.result.reason, finished.result.reason)}")
    if finished.result.reason == _NOTHING_LEFT and counts.skipped:
        # A crawl that ends early was often kept from the rest of its site.
        say(
            f"skipped: {counts.skipped:,} links, such as ones with nofollow (scope.obey_nofollow) "
            "or outside the scope; leadline explain tells why of each"
        )
    if finished.exit is Exit.NOTHING_FETCHED:
        say("every visit failed; see why with the outcomes below, and check seeds and network:")
        say("  " + ", ".join(f"{kind} {n}" for kind, n in sorted(counts.outcomes.items())))
    if path != IN_MEMORY:
        say(f"store:   {path}")
    if report is not None:
        say(f"report:  {report}")
    if path != IN_MEMORY:
        name = quote_address(path)
        extract = f"export {name} things.csv" if harvests else f"harvest all {name}"
        say(f"next:    leadline {extract}  |  leadline serve {name}")
        say(f"         leadline forms {name}  |  leadline explain {name} URL")
