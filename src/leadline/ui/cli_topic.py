"""The commands of `leadline topic`: what is shipped, and teaching topics of one's own."""

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from leadline.ui.exits import Exit
from leadline.ui.options import Json, TeachOptions

topic = App(
    name="topic",
    help="Topics: those that are shipped, and how to teach one of your own.",
    help_format="plaintext",
)

Name = Annotated[
    str, Parameter(help="A shipped topic, a folder, or the name of one in `topics` here.")
]
_NOTHING_SAID = TeachOptions()


@topic.command(name="list")
def list_(*, json: Json = False) -> Exit:
    """The shipped topics and your own in the folder `topics`: where their words come from."""
    from leadline.ui.topic import run_list

    return run_list(as_json=json)


@topic.command
def show(name: Name, /, *, json: Json = False) -> Exit:
    """A topic: its words with their weights, what to type into its forms, its scores."""
    from leadline.ui.topic import run_show

    return run_show(name, as_json=json)


@topic.command
def new(
    name: Annotated[str, Parameter(help="What to call it.")],
    /,
    *,
    options: TeachOptions = _NOTHING_SAID,
) -> Exit:
    """Make a topic from example pages, from pages with forms, or from a list of words.

    Five to twenty pages of as many sites are best. The topic is a folder, by default
    topics/NAME, which `leadline crawl NAME` finds.
    """
    from leadline.ui.topic_teaching import run_new

    return run_new(name, options)


@topic.command
def train(name: Name, /, *, options: TeachOptions = _NOTHING_SAID) -> Exit:
    """Teach a topic further, with more pages, or with what was labelled in a store.

    A shipped topic stays as it is: with --out a topic of your own begins with it.
    """
    from leadline.ui.topic_teaching import run_train

    return run_train(name, options)


@topic.command
def evaluate(
    name: Name,
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
    from leadline.ui.topic import run_evaluate

    return run_evaluate(name, data, as_json=json)
