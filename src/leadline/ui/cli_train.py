"""The commands of `leadline train`: what finished crawls teach for the next."""

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from leadline.ui.exits import Exit
from leadline.ui.options import Json

train = App(
    name="train",
    help="Models that strategies begin with, made from finished crawls.",
    help_format="plaintext",
)


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
