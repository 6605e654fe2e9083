"""The command line. Only signatures live here: what a command needs is imported when it runs."""

import io
import os
import sys
from collections.abc import Sequence
from importlib.metadata import entry_points, version
from pathlib import Path
from traceback import format_exception
from types import TracebackType
from typing import Annotated, Literal

from cyclopts import App, CycloptsError, Parameter

from leadline.core.secrets import mask_text
from leadline.errors import ConfigError, LeadlineError, StoreError
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.groups import backlinks, db, store, train
from leadline.ui.cli.groups import topic as topic_commands
from leadline.ui.cli.options import (
    AskOptions,
    ConfigFile,
    CrawlOptions,
    HarvestOptions,
    Json,
    MaybeStore,
    McpOptions,
    OrderOptions,
    Pairs,
    ProbeOptions,
    RunOptions,
    ServeOptions,
    StorePath,
)

app = App(
    name="leadline",
    help="Find the search forms that open onto hidden-Web databases in a topic.",
    help_epilogue="Every command may be stopped at any time; run again, it resumes.",
    version=lambda: f"leadline {version('leadline')}",
    help_format="plaintext",
    version_format="plaintext",
    result_action="return_value",
    suppress_keyboard_interrupt=False,
)

app.command(backlinks)
app.command(db)
app.command(store)
app.command(topic_commands)
app.command(train)
# Command groups of other distributions, such as `leadline lab`.
for entry in entry_points(group="leadline.commands"):
    app.command(entry.load())

_ASK_DEFAULTS = AskOptions()
_CRAWL_DEFAULTS = CrawlOptions()
_PROBE_DEFAULTS = ProbeOptions()
_HARVEST_DEFAULTS = HarvestOptions()
_RUN_DEFAULTS = RunOptions()
_SERVE_DEFAULTS = ServeOptions()
_MCP_DEFAULTS = McpOptions()
_ORDER_DEFAULTS = OrderOptions()


@app.command(name="run")
def run_job(
    phrase: Annotated[
        str, Parameter(help='What the records are about, as in "used cars" or "museum objects".')
    ],
    /,
    *,
    options: RunOptions = _RUN_DEFAULTS,
) -> Exit:
    """From a phrase to a table: find the databases, extract their records, write each thing once.

    Seeds are sites to start from; without them a SearXNG instance is asked, if one is set. One
    budget of requests pays for all. Stop it with Ctrl-C and run it again: it resumes.
    """
    from leadline.ui.cli.run import run_whole_job

    return run_whole_job(phrase, options)


@app.command
def crawl(
    topic: Annotated[
        str,
        Parameter(
            help="What to look for: a name from `leadline topic list`, or a topic's folder.",
            show_default=False,
        ),
    ] = "",
    /,
    *,
    options: CrawlOptions = _CRAWL_DEFAULTS,
) -> Exit:
    """Find search forms about a topic, starting from seeds; resume where the store stopped.

    Ctrl-C finishes the pages under way and stops; a second one stops at once.
    """
    from leadline.ui.cli.crawl import run_crawl

    return run_crawl(topic, options)


@app.command
def worker(
    address: Annotated[
        str, Parameter(help="The shared store, as in postgresql://user@host/database.")
    ],
    topic: Annotated[
        str, Parameter(help="As of `leadline crawl`; otherwise the run's.", show_default=False)
    ] = "",
    /,
    *,
    options: CrawlOptions = _CRAWL_DEFAULTS,
) -> Exit:
    """Take part in a crawl on a shared store; begin one if none is running.

    Any number of workers may run, on any number of machines, and each may be killed at any time.
    Ctrl-C: this worker delivers what it has and leaves; the others continue.
    """
    from leadline.ui.cli.team import run_worker

    return run_worker(address, topic, options)


@app.command
def harvest(
    form: Annotated[
        str,
        Parameter(
            help="A form's signature or its beginning, a page whose best search form is taken, or "
            "`all`: every relevant form of the store."
        ),
    ],
    store: MaybeStore = None,
    /,
    *,
    options: HarvestOptions = _HARVEST_DEFAULTS,
) -> Exit:
    """Extract the records behind a form, with queries chosen by learning; resume where it stopped.

    Ctrl-C finishes the request under way and stops; a second one stops at once.
    """
    from leadline.ui.cli.harvest import run_harvest

    return run_harvest(form, store, options)


@app.command
def records(
    store: MaybeStore = None,
    /,
    *,
    form: Annotated[
        str, Parameter(help="Only of the form whose signature begins so.", show_default=False)
    ] = "",
    limit: Annotated[int, Parameter(help="Show so many; 0: all of them.")] = 20,
    json: Json = False,
) -> Exit:
    """The records extracted so far, and where each came from. Also while a harvest runs."""
    from leadline.ui.cli.listing import run_records

    return run_records(store, form=form, limit=limit, as_json=json)


@app.command
def order(
    store: StorePath,
    kind: Annotated[
        Literal["pause", "resume", "stop", "budget", "seeds", "exclude"],
        Parameter(help="What the crawl is to do."),
    ],
    names: Annotated[
        tuple[str, ...],
        Parameter(
            help="With seeds: URLs, or files with one URL a line. "
            "With exclude: hosts or registered domains.",
            show_default=False,
        ),
    ] = (),
    /,
    *,
    options: OrderOptions = _ORDER_DEFAULTS,
) -> Exit:
    """Tell a running crawl what to do: it obeys within a second, and confirms it.

    When nothing runs, budget, seeds and exclude wait for the next run.
    """
    from leadline.ui.cli.store import run_order

    return run_order(store, kind, names, options)


@app.command
def status(store: MaybeStore = None, /, *, json: Json = False) -> Exit:
    """How far a crawl has come: counts, outcomes, sites, harvest curve. Also while it runs."""
    from leadline.ui.cli.status import run_status

    return run_status(store, as_json=json)


@app.command
def forms(
    store: MaybeStore = None,
    /,
    *,
    every: Annotated[
        bool, Parameter(name="--all", negative=(), help="Also forms that are not relevant.")
    ] = False,
    min_score: Annotated[
        float | None, Parameter(help="Least relevance to be shown; 0.5 counts as found.")
    ] = None,
    topic: Annotated[
        str, Parameter(help="Only forms found for this topic.", show_default=False)
    ] = "",
    json: Json = False,
) -> Exit:
    """The directory so far: sites, forms, fields, scores, and why."""
    from leadline.ui.cli.listing import run_forms

    return run_forms(store, every=every, min_score=min_score, topic=topic, as_json=json)


@app.command
def export(
    store: StorePath,
    out: Annotated[
        str,
        Parameter(
            allow_leading_hyphen=True,
            help="A .sqlite, .jsonl, .csv, .parquet or .xlsx file, .warc.gz or .warc for pages, or "
            "- for JSON lines on stdout; a path, or a URL such as s3://bucket/things.parquet.",
        ),
    ],
    /,
    *,
    what: Annotated[
        Literal[
            "things",
            "origins",
            "values",
            "columns",
            "forms",
            "visits",
            "sites",
            "events",
            "records",
            "queries",
            "pages",
        ]
        | None,
        Parameter(
            help="What to write: things (each once, with typed columns), origins (the records that "
            "tell of each), values (with where each comes from), columns (what they are and how "
            "well filled), or what the crawl stored. Unless given: things, or forms if nothing "
            "was harvested, or pages if the file is a WARC."
        ),
    ] = None,
    archive: Annotated[
        str,
        Parameter(
            help="The folder where pages were archived; otherwise that of the crawl.",
            show_default=False,
        ),
    ] = "",
    json: Json = False,
) -> Exit:
    """Write what was found as one typed table: SQLite, JSON lines, CSV, Parquet or xlsx.

    SQLite and xlsx files hold things, origins, values and columns as tables of their own. Beside a
    table of things, NAME.datapackage.json tells what its columns are. Pages that were archived
    with --archive are written as one WARC file.
    """
    from leadline.ui.cli.store import run_export

    return run_export(store, out, what=what, archive=archive, as_json=json)


@app.command
def ask(
    store: StorePath,
    *question: Annotated[
        str,
        Parameter(
            help='Words, and conditions on fields: author="Le Guin" year=1990..2000 "price<=20".'
        ),
    ],
    options: AskOptions = _ASK_DEFAULTS,
) -> Exit:
    """Put one question to all databases of a store, and merge the answers into one table.

    Each database is asked once, through its best form, as politely as a harvest. The output says
    which control got which value; what a form cannot be asked is checked on its records.
    """
    from leadline.ui.cli.ask import run_ask

    return run_ask(store, question, options)


@app.command
def mcp(store: StorePath, /, *, options: McpOptions = _MCP_DEFAULTS) -> Exit:
    """Serve a store to agents over stdio: list, describe, search and ask its databases.

    Speaks the Model Context Protocol; nothing in the store changes but the log of what was asked.
    Needs leadline[mcp].
    """
    from leadline.ui.cli.ask import run_mcp

    return run_mcp(store, options)


@app.command
def verify(
    store: StorePath,
    form: Annotated[
        str, Parameter(help="A form's signature or its beginning; otherwise every harvest.")
    ] = "",
    /,
    *,
    requests: Annotated[int, Parameter(help="Sent to each source, at most.")] = 50,
    config: ConfigFile = None,
    set_: Pairs = (),
    json: Json = False,
) -> Exit:
    """Test again what harvests say of their coverage, with a few requests to each source.

    Asks queries that were answered before, random words from the records of other sources, and
    words that do not exist. Adds no record. Exit code 0 if nothing that could be told was wrong.
    """
    from leadline.ui.cli.verify import run_verify

    return run_verify(store, form, requests, config, set_, as_json=json)


@app.command
def explain(
    store: StorePath,
    subject: Annotated[str, Parameter(help="A URL, a site (host), or a form's signature.")],
    /,
    *,
    fetch: Annotated[
        bool,
        Parameter(
            negative=(),
            help="Fetch the URL, known or not, and say what on its page decides.",
        ),
    ] = False,
    json: Json = False,
) -> Exit:
    """Why something was ranked, followed, skipped or accepted.

    For a form: what speaks for and against its being searchable and of the topic. With --fetch
    for a page as well: the words that decide, and every form on it.
    """
    from leadline.ui.cli.status import run_explain

    return run_explain(store, subject, is_fetched=fetch, as_json=json)


@app.command
def probe(
    url: Annotated[str, Parameter(help="The page whose forms are examined.")],
    /,
    *,
    options: ProbeOptions = _PROBE_DEFAULTS,
) -> Exit:
    """The forms of one page: which may be submitted, and whether a database answers them.

    Each form that may be submitted gets two nonsense strings and two words, one at a time.
    """
    from leadline.ui.cli.probe import run_probe

    return run_probe(url, options)


@app.command
def report(
    store: MaybeStore = None,
    /,
    *,
    out: Annotated[
        Path | None, Parameter(help="Where the page goes; otherwise next to the store.")
    ] = None,
    json: Json = False,
) -> Exit:
    """Write the crawl's report: one HTML page with curve, forms, sites, outcomes, settings."""
    from leadline.ui.cli.report import run_report

    return run_report(store, out, as_json=json)


@app.command
def serve(
    *stores: Annotated[str, Parameter(help="Store files; otherwise the one in the settings.")],
    options: ServeOptions = _SERVE_DEFAULTS,
) -> Exit:
    """The dashboard and the REST API on stores, also while they are crawled. Ctrl-C ends it.

    It listens on this machine only. On any other address, or under another name, it requires a
    token, which it prints.
    """
    from leadline.ui.cli.serve import run_serve

    return run_serve(stores, options)


@app.command
def config(*, config: ConfigFile = None, set_: Pairs = (), json: Json = False) -> Exit:
    """Every setting in force, and where it came from."""
    from leadline.ui.cli.listing import run_config

    return run_config(config, set_, as_json=json)


@app.command
def strategies(*, json: Json = False) -> Exit:
    """The strategies: which links each follows, and its own settings."""
    from leadline.ui.cli.listing import run_strategies

    return run_strategies(as_json=json)


@app.command
def policies(*, json: Json = False) -> Exit:
    """The query policies: how each chooses what to ask a form next, and its own settings."""
    from leadline.ui.cli.listing import run_policies

    return run_policies(as_json=json)


@app.command
def plugins(*, json: Json = False) -> Exit:
    """The parts that you installed beside leadline's own, and which of them cannot be used."""
    from leadline.ui.cli.listing import run_plugins

    return run_plugins(as_json=json)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit with its code."""
    # Titles of pages hold letters that a terminal's encoding may lack.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.excepthook = _print_bug
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run one command; its exit code. Expected errors become one line on stderr."""
    try:
        ended = app(arguments, exit_on_error=False, print_error=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes stdout again at exit, and would complain of the same pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.PIPE_CLOSED
    except KeyboardInterrupt:
        return _fail("interrupted; nothing recorded is lost", Exit.INTERRUPTED)
    except (ConfigError, CycloptsError) as error:
        return _fail(_one_line(error), Exit.BAD_INPUT)
    except StoreError as error:
        return _fail(_one_line(error), Exit.STORE)
    except LeadlineError as error:
        return _fail(_one_line(error), Exit.BUG)
    return ended if isinstance(ended, int) else Exit.DONE


def _print_bug(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """A traceback is for whoever mends the bug, and gets into tickets: no password may be in it."""
    sys.stderr.write(mask_text("".join(format_exception(kind, error, trace))))


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    if isinstance(error, CycloptsError):
        text = text.partition(" Available commands")[0].rstrip(".")
        return f"{text[:1].lower()}{text[1:]} (see leadline --help)"
    return text


def _fail(message: str, code: Exit) -> Exit:
    sys.stderr.write(f"leadline: {mask_text(message)}\n")
    return code


if __name__ == "__main__":
    main()
