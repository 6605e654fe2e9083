"""The options of `leadline crawl`, and the settings they stand for."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

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

FLAGS = {
    "store": "store.path",
    "strategy": "strategy.name",
    "goal": "strategy.goal",
    "pages": "budget.pages",
    "seconds": "budget.seconds",
    "workers": "crawl.parse_processes",
    "concurrency": "crawl.concurrency",
    "delay": "politeness.delay_s",
    "harvest": "harvest.during_crawl",
    "archive": "archive.folder",
}
"""The setting behind each option."""
HARVEST_FLAGS = {
    "policy": "harvest.policy",
    "seed": "harvest.random_seed",
    "budget_requests": "harvest.max_requests",
    "budget_queries": "harvest.max_queries",
    "details": "harvest.details",
    "archive": "archive.folder",
    "delay": "politeness.delay_s",
}
"""The same for `leadline harvest`."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class CrawlOptions:
    """Everything `leadline crawl` may be told besides its topic."""

    seeds: Annotated[
        tuple[str, ...],
        Parameter(
            consume_multiple=True,
            negative=(),
            help="URLs to start from, or files with one URL a line (# begins a comment).",
        ),
    ] = ()
    config: ConfigFile = None
    store: Annotated[
        str | None, Parameter(help="The store: a file that remembers the whole crawl.")
    ] = None
    strategy: Annotated[
        str | None, Parameter(help="Which links to follow: a name from `leadline strategies`.")
    ] = None
    goal: Annotated[
        Literal["forms", "sites", "pages"] | None,
        Parameter(help="What counts: distinct forms, sites that have one, or topic pages."),
    ] = None
    pages: Annotated[
        int | None, Parameter(help="Stop after so many visits, over all runs; 0: no limit.")
    ] = None
    seconds: Annotated[
        float | None, Parameter(help="Stop after so many seconds of this run; 0: no limit.")
    ] = None
    workers: Annotated[int | None, Parameter(help="Processes that parse pages.")] = None
    concurrency: Annotated[
        int | None,
        Parameter(alias="--width", help="Sites fetched from at the same time, at most."),
    ] = None
    delay: Annotated[
        float | None, Parameter(help="Least pause between two requests to one site, in seconds.")
    ] = None
    harvest: Annotated[
        bool | None,
        Parameter(
            negative=(),
            help="Also draw up the records behind the forms found, from the same budget.",
        ),
    ] = None
    archive: Annotated[
        str | None, Parameter(help="Folder for WARC files with every page fetched.")
    ] = None
    cluster: Annotated[
        str,
        Parameter(
            help="Crawl on a Ray cluster: its address, or `auto` on one of its machines. "
            "The store is a PostgreSQL database then.",
            show_default=False,
        ),
    ] = ""
    actors: Annotated[
        int, Parameter(help="Of --cluster: processes that crawl; 0: as many as there is room for.")
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

    def settings(self, topic: str) -> dict[str, object]:
        """The settings given by named options, by dotted name; seeds and --set not included."""
        given = {name: getattr(self, option) for option, name in FLAGS.items()}
        given["topic.name"] = topic or None
        return {name: value for name, value in given.items() if value is not None}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class HarvestOptions:
    """Everything `leadline harvest` may be told besides the form and the store."""

    policy: Annotated[str | None, Parameter(help="How the next query is chosen.")] = None
    budget_requests: Annotated[
        int | None, Parameter(help="Stop after so many requests, over all runs; 0: no limit.")
    ] = None
    budget_queries: Annotated[
        int | None, Parameter(help="Stop after so many queries, over all runs; 0: no limit.")
    ] = None
    seed: Annotated[int | None, Parameter(help="Of what the policy leaves to chance.")] = None
    details: Annotated[
        bool | None, Parameter(negative=(), help="Also fetch the records' own pages, each once.")
    ] = None
    archive: Annotated[
        str | None, Parameter(help="Folder for WARC files with every page fetched.")
    ] = None
    delay: Annotated[
        float | None, Parameter(help="Least pause between two requests to one site, in seconds.")
    ] = None
    shared: Annotated[
        bool,
        Parameter(
            negative=(),
            help="Share the forms out: any number of such commands, on any machine, may run on a "
            "PostgreSQL store, each with forms that no other has.",
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
        int, Parameter(help="Of --cluster: processes; 0: as many as there is room for.")
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

    def settings(self) -> dict[str, object]:
        """The settings given by named options, by dotted name; --set not included."""
        given = {name: getattr(self, option) for option, name in HARVEST_FLAGS.items()}
        return {name: value for name, value in given.items() if value is not None}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ProbeOptions:
    """Everything `leadline probe` may be told besides the page."""

    form: Annotated[
        int | None, Parameter(help="Only the form of this number; they are counted from 1.")
    ] = None
    word: Annotated[
        tuple[str, ...],
        Parameter(
            negative=(),
            help="A word that the database would know, asked before the page's own. "
            "May be given more than once; two are asked.",
        ),
    ] = ()
    dry_run: Annotated[
        bool, Parameter(negative=(), help="Print exactly what would be sent, and send nothing.")
    ] = False
    store: Annotated[
        str | None,
        Parameter(help="Keep the log of submissions and refusals in this store; otherwise stderr."),
    ] = None
    config: ConfigFile = None
    set_: Pairs = ()
    json: Json = False


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class TeachOptions:
    """What a topic is taught by, and where it goes."""

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
            help="Words that tell the topic, as court,judge,docket; beside pages, words to type "
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
    back_links: Annotated[
        int, Parameter(help="Pages that link to one page, of which are asked for, at most.")
    ] = 50
    out: Annotated[Path | None, Parameter(help="The folder; otherwise links/TOPIC.")] = None
    config: ConfigFile = None
    set_: Pairs = ()
    json: Json = False


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ServeOptions:
    """Everything `leadline serve` may be told besides the stores."""

    host: Annotated[
        str, Parameter(help="The address to listen on; 0.0.0.0 is every one of this machine.")
    ] = "127.0.0.1"
    port: Annotated[int, Parameter(help="The port to listen on; 0: any that is free.")] = 8420
    token: Annotated[
        str | None,
        Parameter(
            env_var="LEADLINE_TOKEN",
            help="What who asks must know. Otherwise one is made where one is needed.",
        ),
    ] = None
    name: Annotated[
        tuple[str, ...],
        Parameter(
            negative=(),
            help="A host name under which it is reached besides, as through a proxy. "
            "May be given more than once.",
        ),
    ] = ()
    open: Annotated[bool, Parameter(negative=(), help="Open it in the browser.")] = False
    json: Json = False


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class OrderOptions:
    """Everything `leadline order` may be told besides the order."""

    pages: Annotated[
        int | None, Parameter(help="With budget: visits over all runs; 0: no limit.")
    ] = None
    seconds: Annotated[
        float | None, Parameter(help="With budget: seconds of the run; 0: no limit.")
    ] = None
    bytes: Annotated[
        int | None, Parameter(help="With budget: bytes received in the run; 0: no limit.")
    ] = None
    forms: Annotated[
        int | None, Parameter(help="With budget: relevant forms found; 0: no limit.")
    ] = None
    wait: Annotated[float, Parameter(help="Seconds to wait for a running crawl to answer.")] = 10.0
    json: Json = False

    def limits(self) -> dict[str, float | None]:
        """The limits given, by name; None is without limit."""
        given = {name: getattr(self, name) for name in ("pages", "seconds", "bytes", "forms")}
        return {name: limit or None for name, limit in given.items() if limit is not None}
