"""The numbers of sites and workers in the database."""

from collections.abc import Collection, Iterable

from leadline.core.url import Site
from leadline.store.postgres.connection import Connection, one_row
from leadline.store.postgres.schema import LOCK, NUMBERING

MOST_REMEMBERED = 200_000
"""Sites whose numbers are kept in memory, at 150 bytes each."""

_FIND_SITES = "SELECT site, id FROM names WHERE site = ANY(%s)"
_ADD_SITES = """
    WITH new AS (
        INSERT INTO sites (id, site)
        SELECT (SELECT coalesce(max(id), -1) FROM sites) + row_number() OVER (ORDER BY name), name
        FROM unnest(%s::text[]) AS name WHERE NOT EXISTS (SELECT FROM names WHERE site = name)
        RETURNING site, id
    )
    INSERT INTO names SELECT site, id FROM new
"""


class SiteNumbers:
    """Sites get numbers without gaps, which rise in the order in which others get to see them:
    new ones are added one process after the other, in a transaction of their own. It need not be
    durable by itself, because whatever uses the numbers is committed later."""

    def __init__(self) -> None:
        self._sites: dict[str, int] = {}
        self._workers: dict[str, int] = {}

    def sites(self, connection: Connection, names: Iterable[Site]) -> dict[str, int]:
        """A table of at least these sites, added where they are new. Not inside a transaction."""
        wanted = set(names)
        known = self.known_sites(connection, wanted)
        missing = [name for name in wanted if name not in known]
        if missing:
            self._sites.update(_add_sites(connection, sorted(missing)))
        return self._sites

    def known_sites(self, connection: Connection, names: Collection[Site]) -> dict[str, int]:
        """A table of those of the sites that there are."""
        self._forget_some()
        unknown = [name for name in names if name not in self._sites]
        if unknown:
            self._sites.update(connection.execute(_FIND_SITES, (unknown,)).fetchall())
        return self._sites

    def worker(self, connection: Connection, name: str) -> int:
        if name not in self._workers:
            connection.execute(
                "INSERT INTO workers (name) VALUES (%s) ON CONFLICT (name) DO NOTHING", (name,)
            )
            query = "SELECT id FROM workers WHERE name = %s"
            (self._workers[name],) = one_row(connection, query, name)
        return self._workers[name]

    def _forget_some(self) -> None:
        if len(self._sites) > MOST_REMEMBERED:
            self._sites = {}


def _add_sites(connection: Connection, names: list[str]) -> dict[str, int]:
    with connection.transaction():
        connection.execute("SET LOCAL synchronous_commit = off")
        connection.execute("SELECT pg_advisory_xact_lock(%s, %s)", (LOCK, NUMBERING))
        connection.execute(_ADD_SITES, (names,))
        return dict(connection.execute(_FIND_SITES, (names,)).fetchall())
