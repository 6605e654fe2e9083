"""The commands of `leadline train`: what a crawl begins with."""

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from leadline.ui.exits import Exit
from leadline.ui.options import Json, TrainLinksOptions

train = App(
    name="train",
    help="Train what strategies begin with.",
    help_format="plaintext",
)

_NOTHING_SAID = TrainLinksOptions()


@train.command
def links(
    topic: Annotated[str, Parameter(help="The topic whose forms are given; names the folder.")],
    /,
    *,
    options: TrainLinksOptions = _NOTHING_SAID,
) -> Exit:
    """Learn what links to forms look like, by crawling backwards from pages known to have them.

    A back-link provider (`[backlinks]`) says which pages link there; they are fetched politely.
    The classifier is a folder, which `ffc` and `ache` take as their setting `model`.
    """
    from leadline.ui.train_links import run_train_links

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
    from leadline.ui.train_apprentice import run_train

    return run_train(store, out, as_json=json)
