"""The options of commands. Those that stand for settings are in `flags`, made from the models."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from leadline.ui.cli.flags import CrawlFlags, HarvestFlags, OrderFlags

# `negative=()`: cyclopts would offer a `--no-...` for each switch, which says nothing here.
Json = Annotated[
    bool, Parameter(name="--json", negative=(), help="Print machine-readable JSON to stdout.")
]
Pairs = Annotated[
    tuple[str, ...],
    Parameter(
        name="--set",
        negative=(),
        help="Any setting by its dotted name, such as politeness.delay_s=2. "
        "May be given more than once.",
    ),
]
ConfigFile = Annotated[
    Path | None,
    Parameter(
        name="--config", help="Settings in TOML. Without it, leadline.toml here is read if present."
    ),
]
TopicName = Annotated[
    str, Parameter(help="A shipped topic, a folder, or the name of one in `topics` here.")
]
StorePath = Annotated[str, Parameter(help="The store of a crawl: a file, or a database's URL.")]
MaybeStore = Annotated[
    str | None,
    Parameter(
        help="The store of a crawl: a file, or a database's URL; otherwise the one in the settings."
    ),
]
DatabaseUrl = Annotated[
    str,
    Parameter(
        help="The database: postgresql://user@host/name. Leave its password to PGPASSWORD or a "
        "password file."
    ),
]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class CrawlOptions(CrawlFlags):
    """The options of `leadline crawl`, besides its topic."""

    seeds: Annotated[
        tuple[str, ...],
        Parameter(
            consume_multiple=True,
            negative=(),
            help="URLs to start from, or files with one URL a line (# begins a comment).",
        ),
    ] = ()
    config: ConfigFile = None
    cluster: Annotated[
        str,
        Parameter(
            help="Crawl on a Ray cluster: its address, or `auto` on one of its machines. "
            "The store is a PostgreSQL database then.",
            show_default=False,
        ),
    ] = ""
    actors: Annotated[
        int,
        Parameter(help="With --cluster: processes that crawl; 0: as many as there is room for."),
    ] = 0
    set_: Pairs = ()
    report: Annotated[
        Path | None, Parameter(help="Where the HTML report goes; otherwise next to the store.")
    ] = None
    plain: Annotated[
        bool, Parameter(negative=(), help="Progress as plain lines, also on a terminal.")
    ] = False
    quiet: Annotated[
        bool, Parameter(alias="-q", negative=(), help="No progress and no summary.")
    ] = False
    json: Json = False


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """The options of `leadline run`, besides its phrase."""

    seeds: Annotated[
        tuple[str, ...],
        Parameter(
            consume_multiple=True,
            negative=(),
            help="URLs to start from, or files with one URL a line (# begins a comment).",
        ),
    ] = ()
    out: Annotated[
        str,
        Parameter(
            help="The table: a .sqlite, .xlsx, .csv, .parquet or .jsonl file; otherwise named "
            "after the phrase, as SQLite.",
            show_default=False,
        ),
    ] = ""
    store: Annotated[
        str,
        Parameter(
            help="The store, which keeps all that was found and resumes the run; otherwise named "
            "after the phrase.",
            show_default=False,
        ),
    ] = ""
    requests: Annotated[
        int,
        Parameter(
            help="Stop after so many requests, crawl and harvests together, over all runs; "
            "0: no limit."
        ),
    ] = 2_000
    seconds: Annotated[
        float | None, Parameter(help="Stop after so many seconds of this run; 0: no limit.")
    ] = None
    details: Annotated[
        bool, Parameter(negative=(), help="Also fetch the records' own pages, each once.")
    ] = False
    config: ConfigFile = None
    set_: Pairs = ()
    plain: Annotated[
        bool, Parameter(negative=(), help="Progress as plain lines, also on a terminal.")
    ] = False
    quiet: Annotated[
        bool, Parameter(alias="-q", negative=(), help="No progress and no summary.")
    ] = False
    json: Json = False

    def given_settings(self) -> dict[str, object]:
        """The settings that were given, by dotted name."""
        given: dict[str, object] = {
            "store.path": self.store or None,
            "budget.pages": self.requests,
            "budget.seconds": self.seconds,
            "harvest.details": self.details or None,
        }
        return {name: value for name, value in given.items() if value is not None}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class HarvestOptions(HarvestFlags):
    """The options of `leadline harvest`, besides the form and the store."""

    shared: Annotated[
        bool,
        Parameter(
            negative=(),
            help="Share the forms with other workers: any number of such commands, on any machine, "
            "may run on a PostgreSQL store, each with forms of its own.",
        ),
    ] = False
    cluster: Annotated[
        str,
        Parameter(
            help="The same on a Ray cluster: its address, or `auto` on one of its machines.",
            show_default=False,
        ),
    ] = ""
    actors: Annotated[
        int, Parameter(help="With --cluster: processes; 0: as many as there is room for.")
    ] = 0
    dry_run: Annotated[
        bool,
        Parameter(
            negative=(),
            help="Print exactly what the first queries would send; fetch only the form's page.",
        ),
    ] = False
    config: ConfigFile = None
    set_: Pairs = ()
    plain: Annotated[
        bool, Parameter(negative=(), help="Progress as plain lines, also on a terminal.")
    ] = False
    quiet: Annotated[
        bool, Parameter(alias="-q", negative=(), help="No progress and no summary.")
    ] = False
    json: Json = False


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ProbeOptions:
    """The options of `leadline probe`, besides the page."""

    form: Annotated[
        int | None, Parameter(help="Only the form of this number; they are counted from 1.")
    ] = None
    word: Annotated[
        tuple[str, ...],
        Parameter(
            negative=(),
            help="A word that the database would know, tried before the page's own. "
            "May be given more than once; two are tried.",
        ),
    ] = ()
    dry_run: Annotated[
        bool, Parameter(negative=(), help="Print exactly what would be sent, and send nothing.")
    ] = False
    store: Annotated[
        str | None,
        Parameter(
            help="Write the log of submissions and refusals to this store; otherwise to stderr."
        ),
    ] = None
    config: ConfigFile = None
    set_: Pairs = ()
    json: Json = False


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class McpOptions:
    """The options of `leadline mcp`, besides the store."""

    requests: Annotated[
        int, Parameter(help="Requests sent to one source at most, its form's page included.")
    ] = 3
    seconds: Annotated[float, Parameter(help="Seconds that one question may take.")] = 60.0
    form: Annotated[
        tuple[str, ...],
        Parameter(
            negative=(),
            help="Ask only the form of this signature, or its beginning. "
            "May be given more than once.",
        ),
    ] = ()
    config: ConfigFile = None
    set_: Pairs = ()


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class AskOptions(McpOptions):
    """The options of `leadline ask`, besides the store and the question."""

    quiet: Annotated[
        bool, Parameter(alias="-q", negative=(), help="Do not say how each source was asked.")
    ] = False
    json: Json = False


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class TeachOptions:
    """What a topic learns from, and where it goes."""

    pages: Annotated[
        tuple[str, ...],
        Parameter(
            consume_multiple=True,
            negative=(),
            help="Pages about the topic: HTML files, folders of them, or URLs.",
        ),
    ] = ()
    forms: Annotated[
        tuple[str, ...],
        Parameter(
            consume_multiple=True,
            negative=(),
            help="Pages with search forms of the topic: their forms teach it too.",
        ),
    ] = ()
    words: Annotated[
        str,
        Parameter(
            help="Words that define the topic, as court,judge,docket; with pages, words to type "
            "into its forms."
        ),
    ] = ""
    labels: Annotated[
        Path | None,
        Parameter(
            help="A store whose forms and pages were labelled; or a CSV file of pages that are "
            "about it and of others: page,yes or page,no."
        ),
    ] = None
    out: Annotated[Path | None, Parameter(help="Its folder; otherwise topics/NAME.")] = None
    config: ConfigFile = None
    set_: Pairs = ()
    json: Json = False


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class TrainLinksOptions:
    """What a link classifier is trained from, and where it goes."""

    forms: Annotated[
        tuple[str, ...],
        Parameter(
            consume_multiple=True,
            negative=(),
            help="Pages known to have forms of the topic: URLs, or files with one URL a line.",
        ),
    ] = ()
    levels: Annotated[
        int, Parameter(help="How many links away from a form are learned, from 1 to 4.")
    ] = 3
    pages: Annotated[int, Parameter(help="Pages fetched for each level, at most.")] = 200
    back_links: Annotated[int, Parameter(help="Backlinks fetched of one page, at most.")] = 50
    out: Annotated[Path | None, Parameter(help="The folder; otherwise links/TOPIC.")] = None
    config: ConfigFile = None
    set_: Pairs = ()
    json: Json = False


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ServeOptions:
    """The options of `leadline serve`, besides the stores."""

    host: Annotated[
        str, Parameter(help="The address to listen on; 0.0.0.0 is every one of this machine.")
    ] = "127.0.0.1"
    port: Annotated[int, Parameter(help="The port to listen on; 0: any that is free.")] = 8420
    token: Annotated[
        str | None,
        Parameter(
            env_var="LEADLINE_TOKEN",
            help="The secret that clients must send. Otherwise one is made if one is needed.",
        ),
    ] = None
    name: Annotated[
        tuple[str, ...],
        Parameter(
            negative=(),
            help="Another host name under which it is reached, as through a proxy. "
            "May be given more than once.",
        ),
    ] = ()
    open: Annotated[bool, Parameter(negative=(), help="Open it in the browser.")] = False
    json: Json = False


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class OrderOptions(OrderFlags):
    """The options of `leadline order`, besides the order. Limits are those of a budget."""

    wait: Annotated[float, Parameter(help="Seconds to wait for a running crawl to answer.")] = 10.0
    json: Json = False

    def limits(self) -> dict[str, float | None]:
        """The limits given, by name; None is without limit."""
        given = {name: getattr(self, name) for name in ("pages", "seconds", "bytes", "forms")}
        return {name: limit or None for name, limit in given.items() if limit is not None}
