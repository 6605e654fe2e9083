"""The commands of `leadline topic`, `train`, `db`, `store` and `backlinks`: signatures only."""

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from leadline.ui.cli.exits import Exit
from leadline.ui.cli.options import (
    DatabaseUrl,
    Json,
    StorePath,
    TeachOptions,
    TopicName,
    TrainLinksOptions,
)

topic = App(
    name="topic",
    help="Topics: those that are shipped, and how to teach one of your own.",
    help_format="plaintext",
)

_TEACH_DEFAULTS = TeachOptions()


@topic.command(name="list")
def list_(*, json: Json = False) -> Exit:
    """The shipped topics and your own in the folder `topics`: where their words come from."""
    from leadline.ui.cli.topic import run_list

    return run_list(as_json=json)


@topic.command
def show(name: TopicName, /, *, json: Json = False) -> Exit:
    """A topic: its words with their weights, what to type into its forms, its scores."""
    from leadline.ui.cli.topic import run_show

    return run_show(name, as_json=json)


@topic.command
def new(
    name: Annotated[str, Parameter(help="What to call it.")],
    /,
    *,
    options: TeachOptions = _TEACH_DEFAULTS,
) -> Exit:
    """Make a topic from example pages, from pages with forms, or from a list of words.

    Five to twenty pages of as many sites are best. The topic is a folder, by default
    topics/NAME, which `leadline crawl NAME` finds.
    """
    from leadline.ui.cli.topic_training import run_new

    return run_new(name, options)


@topic.command(name="train")
def train_topic(name: TopicName, /, *, options: TeachOptions = _TEACH_DEFAULTS) -> Exit:
    """Teach a topic further, with more pages, or with what was labelled in a store.

    A shipped topic stays as it is: with --out a topic of your own begins with it.
    """
    from leadline.ui.cli.topic_training import run_train

    return run_train(name, options)


@topic.command
def evaluate(
    name: TopicName,
    /,
    *,
    data: Annotated[
        Path | None,
        Parameter(
            help="Folder with the folders `yes` and `no`, of pages that are about it and of others."
        ),
    ] = None,
    json: Json = False,
) -> Exit:
    """How good a topic is: by what it was made with, or on pages of your own."""
    from leadline.ui.cli.topic import run_evaluate

    return run_evaluate(name, data, as_json=json)


train = App(
    name="train",
    help="Train what strategies begin with.",
    help_format="plaintext",
)

_TRAIN_DEFAULTS = TrainLinksOptions()


@train.command
def links(
    topic: Annotated[str, Parameter(help="The topic whose forms are given; names the folder.")],
    /,
    *,
    options: TrainLinksOptions = _TRAIN_DEFAULTS,
) -> Exit:
    """Learn what links to forms look like, by crawling backwards from pages known to have them.

    A back-link provider (`[backlinks]`) says which pages link there; they are fetched politely.
    The classifier is a folder, which `ffc` and `ache` take as their setting `model`.
    """
    from leadline.ui.cli.train import run_train_links

    return run_train_links(topic, options)


@train.command
def apprentice(
    store: Annotated[str, Parameter(help="The store file of a crawl by strategy apprentice.")],
    /,
    *,
    out: Annotated[Path, Parameter(help="Folder for the model.")] = Path("models/apprentice"),
    json: Json = False,
) -> Exit:
    """Make a model for the modes offline and offline-online of strategy apprentice.

    It learns from every link the crawl followed, in whichever mode: `watching` follows them in
    the order of baseline.
    """
    from leadline.ui.cli.train import run_train

    return run_train(store, out, as_json=json)


db = App(
    name="db",
    help="Stores in PostgreSQL databases: create one, migrate it, copy it.",
    help_format="plaintext",
)


@db.command
def init(url: DatabaseUrl, /, *, json: Json = False) -> Exit:
    """Create a store in an empty database."""
    from leadline.ui.cli.store import run_init

    return run_init(url, as_json=json)


@db.command
def migrate(url: DatabaseUrl, /, *, json: Json = False) -> Exit:
    """Migrate a store in a database to the format of this leadline. Stop what uses it first."""
    from leadline.ui.cli.store import run_migrate

    return run_migrate(url, as_json=json)


@db.command
def copy(
    source: Annotated[str, Parameter(help="The store to copy: a file, or a database's URL.")],
    target: Annotated[
        str, Parameter(help="Where to: an empty database, or a file that is not there.")
    ],
    /,
    *,
    json: Json = False,
) -> Exit:
    """Copy a whole store from a file to a database, or back: everything, or nothing."""
    from leadline.ui.cli.store import run_copy

    return run_copy(source, target, as_json=json)


store = App(
    name="store",
    help="Looking after a store: check it, back it up, save what is left of a damaged one.",
    help_format="plaintext",
)

StoreFile = Annotated[Path, Parameter(help="The store file of a crawl.")]


@store.command
def check(path: StoreFile, /, *, json: Json = False) -> Exit:
    """Whether a store file holds what was written into it: its pages, checksums and references.

    Also while a crawl writes it. Ends with 3 if anything is damaged.
    """
    from leadline.ui.cli.store_care import run_check

    return run_check(path, as_json=json)


@store.command
def backup(
    source: StorePath,
    target: Annotated[Path, Parameter(help="The copy: a file that is not there.")],
    /,
    *,
    json: Json = False,
) -> Exit:
    """Copy a store as it is at one moment, also while a crawl writes it, and check the copy.

    A database is copied into a store file, while nothing uses it.
    """
    from leadline.ui.cli.store_care import run_backup

    return run_backup(source, target, as_json=json)


@store.command(name="salvage")
def salvage_(
    damaged: Annotated[Path, Parameter(help="The damaged store file, which is not changed.")],
    new: Annotated[Path, Parameter(help="The new store: a file that is not there.")],
    /,
    *,
    json: Json = False,
) -> Exit:
    """Write what can be read of a damaged store into a new one, on which crawls resume."""
    from leadline.ui.cli.store_care import run_salvage

    return run_salvage(damaged, new, as_json=json)


backlinks = App(
    name="backlinks",
    help="Backlinks: which pages link to a page. Prepares providers that need it.",
    help_format="plaintext",
)


@backlinks.command(name="import")
def import_(
    vertices: Annotated[
        Path,
        Parameter(help="The hosts: a text file, gzipped or not, or a folder of such."),
    ],
    edges: Annotated[Path, Parameter(help="The links between them, likewise.")],
    /,
    *,
    out: Annotated[Path, Parameter(help="The host graph to write; one that is there is replaced.")],
    json: Json = False,
) -> Exit:
    """Make a host graph from Common Crawl's files, for backlinks.provider commoncrawl.

    Needs disk space for the graph and once more for its links.
    """
    from leadline.ui.cli.store import run_import

    return run_import(vertices, edges, out, as_json=json)
