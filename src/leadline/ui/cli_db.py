"""The commands of `leadline db`: stores in PostgreSQL databases."""

from typing import Annotated

from cyclopts import App, Parameter

from leadline.ui.exits import Exit
from leadline.ui.options import Json

db = App(
    name="db",
    help="Stores in PostgreSQL databases: make one, bring it up to date, copy it.",
    help_format="plaintext",
)

DatabaseUrl = Annotated[
    str,
    Parameter(
        help="The database: postgresql://user@host/name. Leave its password to PGPASSWORD or a "
        "password file."
    ),
]


@db.command
def init(url: DatabaseUrl, /, *, json: Json = False) -> Exit:
    """Make a store in an empty database."""
    from leadline.ui.database import run_init

    return run_init(url, as_json=json)


@db.command
def migrate(url: DatabaseUrl, /, *, json: Json = False) -> Exit:
    """Bring a store in a database up to the format of this leadline. Stop what uses it first."""
    from leadline.ui.database import run_migrate

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
    from leadline.ui.database import run_copy

    return run_copy(source, target, as_json=json)
