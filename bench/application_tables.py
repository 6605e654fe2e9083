"""One table of three real applications, with the records' own pages.

    python -m bench.application_tables FOLDER [--requests 400] [--before SRC]

Datasette, Mezzanine and Trac hold generated films, some of them in two of the three. Each is
harvested with details, and FOLDER gets the store and its export as SQLite. `--before` does the same
with the `src` folder of an earlier version of leadline, whose export is a CSV file of records. How
full the columns are is measured as `bench.columns` does. `python -m tools.table_picture` draws the
first rows. The last line is one JSON object.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from tests.software import datasette, mezzanine, trac
from tests.software.application import Application
from tests.software.generated import generate_rows

from bench.columns import measure_places, measure_table
from leadline.records.dataset import THINGS, build_dataset
from leadline.records.export import write_dataset
from leadline.views.stores import open_to_read

TOPIC = "movie"
_PARTS = {"datasette": (0, 150), "mezzanine": (100, 250), "trac": (220, 300)}
"""Which films each application has; 50 of the second are in the first, 30 of the third in it."""
_SETTINGS = (
    "politeness.delay_s=0",
    "web.allow_private=true",
)
_COMMAND = "from leadline.ui.cli import main; import sys; sys.exit(main())"


def read_films(name: str) -> Iterator[dict[str, Any]]:
    """In the shape that each application's test takes."""
    for row in islice(generate_rows(), *_PARTS[name]):
        title, cast = f"{row['title']} ({row['year']})", ", ".join(row["cast"])
        text = f"{row['extract']} Cast: {cast}."
        yield (
            row if name == "datasette" else {"title": title, "body": text, "topics": row["genres"]}
        )


@contextmanager
def serve_applications(folder: Path) -> Iterator[dict[str, str]]:
    """The pages with their searches, by name."""
    kinds: dict[str, Callable[..., Any]] = {
        "datasette": datasette.datasette,
        "mezzanine": mezzanine.mezzanine,
        "trac": trac.trac,
    }
    with ExitStack() as stack:
        found = {}
        for name, run in kinds.items():
            (folder / name).mkdir()
            one: Application = stack.enter_context(run(read_films(name), folder / name))
            found[name] = one.served.url + one.search
        yield found


def harvest(pages: dict[str, str], store: Path, requests: int, source: Path) -> None:
    """Each application with details, by the leadline in a folder of sources."""
    for page in pages.values():
        arguments = ["harvest", page, str(store), "--details", "--budget-requests", str(requests)]
        arguments += [part for one in _SETTINGS for part in ("--set", one)]
        run_leadline([*arguments, "--quiet"], source)


def run_leadline(arguments: list[str], source: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(source)}
    subprocess.run([sys.executable, "-c", _COMMAND, *arguments], env=environment, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--requests", type=int, default=400)
    parser.add_argument("--before", type=Path, help="the src folder of an earlier version")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    store = given.folder / "films.leadline"
    with tempfile.TemporaryDirectory() as place, serve_applications(Path(place)) as pages:
        harvest(pages, store, given.requests, Path(__file__).parents[1] / "src")
        if given.before:
            earlier = given.folder / "before.leadline"
            harvest(pages, earlier, given.requests, given.before.absolute())
            out = ["export", str(earlier), str(given.folder / "before.csv"), "--what", "records"]
            run_leadline(out, given.before.absolute())
    with open_to_read(str(store)) as view:
        with (given.folder / "films.sqlite").open("wb") as out:
            write_dataset(build_dataset(view, TOPIC), THINGS, "sqlite", out)
        print(json.dumps({"before": measure_places(view), "after": measure_table(view, TOPIC)}))


if __name__ == "__main__":
    main()
