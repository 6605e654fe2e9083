"""`leadline crawl`: settings in, a watched crawl, a summary out."""

import asyncio
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins

from leadline.config import Config, Origins, load_config
from leadline.core.crawl import Counts
from leadline.core.ports import Store
from leadline.crawler.assembly import CrawlResult, crawl
from leadline.crawler.crawl import Crawl
from leadline.errors import ConfigError
from leadline.store import has_store
from leadline.store.address import shown, typed
from leadline.topics import KEYWORDS
from leadline.ui.directory import print_forms
from leadline.ui.exits import Exit, exit_of
from leadline.ui.harvest_live import in_words
from leadline.ui.live import Progress, Watch, choose_display, clock
from leadline.ui.opening import MEMORY
from leadline.ui.options import CrawlOptions
from leadline.ui.output import print_json, say
from leadline.ui.report import report_path, write_report
from leadline.ui.settings import parse_pairs, read_seeds, resolve, settings_file
from leadline.ui.steering import Steering
from leadline.views.forms import FormRow, form_rows
from leadline.views.stores import open_to_read, saved_settings

HINTS = {
    "budget: pages": "the page budget is spent; give a higher --pages to go on",
    "budget: seconds": "the time is up; the same command goes on",
    "budget: bytes": "the byte budget is spent; the same command goes on",
    "budget: forms": "as many forms as wanted were found",
    "nothing left to follow": "nothing is left to follow; give more --seeds to go on",
    "interrupted": "interrupted; the same command goes on",
    "terminated": "told to end; the same command goes on",
    "stopped by order": "told to stop over the store's desk; the same command goes on",
}


class Earlier(Struct, frozen=True):
    """What a store holds before a run."""

    counts: Counts = Counts()
    settings: dict[str, Any] = {}


class Run(Struct, frozen=True):
    """A run that ended by itself or was asked to."""

    result: CrawlResult
    store: Store
    seconds: float
    exit: Exit


def run_crawl(topic: str, options: CrawlOptions) -> Exit:
    """The whole command."""
    if options.cluster:
        from leadline.ui.cluster import run_on_cluster

        return run_on_cluster(topic, options)
    config, _, earlier = settle(topic, options)
    if earlier.counts.known and not options.quiet:
        say(
            f"going on with {shown(config.store.path)}: {earlier.counts.visits} visits, "
            f"{earlier.counts.forms} forms so far, {earlier.counts.waiting} links waiting"
        )
    run = watch_crawl(config, earlier, is_quiet=options.quiet, is_plain=options.plain)
    if run is None:
        say(
            f"stopped at once; all recorded work is in {shown(config.store.path)}; "
            "the same command goes on"
        )
        return Exit.INTERRUPTED
    conclude(run, config, options)
    return run.exit


def settle(topic: str, options: CrawlOptions) -> tuple[Config, Origins, Earlier]:
    """The settings in force, and what the store already holds."""
    flags = {**options.settings(topic), **parse_pairs(options.set_)}
    seeds = read_seeds(options.seeds)
    if seeds:
        flags["seeds"] = seeds
    return settled(settings_file(options.config), flags)


def settled(file: Path | None, flags: Mapping[str, object]) -> tuple[Config, Origins, Earlier]:
    """Flags over the file over what the store's earlier run had set. Raises ConfigError."""
    path = str(flags.get("store.path") or load_config(file)[0].store.path)
    earlier = look_back(path)
    config, origins = resolve(file, flags, earlier.settings)
    if not config.topic.name and not config.topic.words:
        raise ConfigError(
            f"no topic: name one ({', '.join(sorted(KEYWORDS))}), as in 'leadline crawl book', "
            "give words of your own: --set topic.words=court,judge,docket, "
            "or teach one by pages: leadline topic new"
        )
    return config, origins, earlier


def look_back(path: str) -> Earlier:
    """What the store holds; nothing when there is none yet."""
    if not has_store(path):
        return Earlier()
    with open_to_read(path) as store:
        return Earlier(store.counts(), saved_settings(store))


def watch_crawl(
    config: Config, earlier: Earlier, *, is_quiet: bool = False, is_plain: bool = False
) -> Run | None:
    """Crawl with progress and Ctrl-C; None when it was cut off by the second one."""
    display = choose_display(is_quiet=is_quiet, is_plain=is_plain)
    stores: list[Store] = []

    def begin(run: Crawl, store: Store) -> None:
        stores.append(store)
        Steering(display.say).attach(run)
        progress = Progress(
            lambda: run.plan.budget, lambda: in_words(run.harvests), lambda: run.is_paused
        )
        Watch(display, progress).attach(store.counts)

    started = time.monotonic()
    try:
        result = crawl(config, begin)
    except asyncio.CancelledError:
        return None
    finally:
        display.close()
    code = exit_of(result.reason, earlier.counts, result.counts)
    return Run(result, stores[0], time.monotonic() - started, code)


def conclude(run: Run, config: Config, options: CrawlOptions) -> None:
    """Write the report and print the summary."""
    if config.store.path == MEMORY:
        _conclude(run, run.store, options.report, options)
        return
    with open_to_read(config.store.path) as store:
        report = options.report or report_path(config.store.path)
        _conclude(run, store, report, options)


def _conclude(run: Run, store: Store, report: Path | None, options: CrawlOptions) -> None:
    if report is not None:
        write_report(store, report, run.result.store)
    forms = form_rows(store)
    if options.json:
        print_json(_as_json(run, forms, report))
    if options.quiet:
        return
    if not options.json:
        print_forms(forms, sys.stdout)
    _say_summary(run, report)


def _as_json(run: Run, forms: list[FormRow], report: Path | None) -> dict[str, object]:
    return {
        "reason": run.result.reason,
        "exit": int(run.exit),
        "store": run.result.store,
        "report": str(report) if report else None,
        "seconds": round(run.seconds, 3),
        "counts": to_builtins(run.result.counts),
        "forms": forms,
    }


def _say_summary(run: Run, report: Path | None) -> None:
    counts, path = run.result.counts, run.result.store
    say("")
    say(
        f"{counts.forms} relevant forms ({counts.searchable} searchable of any topic) "
        f"on {counts.deep_sites} of {counts.sites} sites, {counts.pages} pages, "
        f"{counts.failed} failed visits, {clock(run.seconds)}"
    )
    say(f"stopped: {HINTS.get(run.result.reason, run.result.reason)}")
    if run.exit is Exit.NOTHING_FETCHED:
        say("every visit failed; see why with the outcomes below, and check seeds and network:")
        say("  " + ", ".join(f"{kind} {n}" for kind, n in sorted(counts.outcomes.items())))
    if path != MEMORY:
        say(f"store:   {path}")
    if report is not None:
        say(f"report:  {report}")
    if path != MEMORY:
        name = typed(path)
        say(f"next:    leadline forms {name}  |  leadline export {name} forms.csv")
        say(f"         leadline explain {name} URL  |  leadline status {name}")
