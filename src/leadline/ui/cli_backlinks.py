"""The commands of `leadline backlinks`: making ready who can be asked who links to a page."""

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from leadline.ui.exits import Exit
from leadline.ui.options import Json

backlinks = App(
    name="backlinks",
    help="Who links to a page: providers that need something made ready.",
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
    """Make a host graph of Common Crawl's files, for backlinks.provider commoncrawl.

    Needs disk space for the graph and once more for its links.
    """
    from leadline.ui.backlinks import run_import

    return run_import(vertices, edges, out, as_json=json)
