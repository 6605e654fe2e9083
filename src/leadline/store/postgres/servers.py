"""Turns at servers that sites share, for all workers on a database."""

from collections.abc import Sequence

from leadline.core.servers import (
    HOLD_S,
    ServerLine,
    ServerLines,
    ServerRequest,
    ServerSharing,
    ServerTurn,
    SharedServer,
    list_sharing,
)
from leadline.core.url import Site
from leadline.store.postgres.connection import Connection, one_row
from leadline.store.postgres.session import Session

_MOST_KNOWN = 200_000
"""Neighbours that are known to be written, at 150 bytes each."""

# In order of their names: nobody waits for each other in a circle.
_ADD = """
    INSERT INTO servers SELECT name, '-infinity', '-infinity' FROM unnest(%s::text[]) AS name
    ORDER BY name ON CONFLICT (name) DO NOTHING
"""
_LOCK = "SELECT * FROM servers WHERE name = ANY(%s) ORDER BY name FOR UPDATE"
_BOOKED = "SELECT site, at FROM bookings WHERE site = ANY(%s)"
_MOVE = """
    UPDATE servers SET next_at = moved.next_at, queued_until = moved.queued_until
    FROM unnest(%s::text[], %s::double precision[], %s::double precision[])
        AS moved (name, next_at, queued_until)
    WHERE servers.name = moved.name
"""
_BOOK = """
    INSERT INTO bookings SELECT * FROM unnest(%s::text[], %s::double precision[])
    ON CONFLICT (site) DO UPDATE SET at = excluded.at
"""
_MEET = """
    INSERT INTO neighbours SELECT * FROM unnest(%s::text[], %s::text[]) AS met (server, site)
    ORDER BY server, site ON CONFLICT DO NOTHING
"""
_SHARED = """
    WITH shared AS MATERIALIZED (
        SELECT server FROM neighbours GROUP BY server HAVING count(*) > 1
    )
    SELECT server, count(*), count(bookings.site) FROM shared JOIN neighbours USING (server)
        LEFT JOIN bookings ON bookings.site = neighbours.site AND bookings.at >= %s
    GROUP BY server
"""
_SHARING = """
    SELECT count(*), count(bookings.site) FROM (
        SELECT DISTINCT site FROM neighbours WHERE server = ANY(%s)
    ) AS sharing LEFT JOIN bookings ON bookings.site = sharing.site AND bookings.at >= %s
"""


class PostgresServers:
    """Keeps the guarantees of `ServerStore` for all processes on the database."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._met: set[tuple[str, Site]] = set()

    def reserve(self, requests: Sequence[ServerRequest]) -> list[ServerTurn]:
        names = sorted({name for one in requests for name, _ in one.servers})
        sites = sorted({one.site for one in requests})
        self._meet(requests)
        with self._session.transaction() as connection:
            # What a crash of the server undoes is older than the crash took.
            connection.execute("SET LOCAL synchronous_commit = off")
            connection.execute(_ADD, (names,))
            lines = ServerLines()
            for name, next_at, queued_until in connection.execute(_LOCK, (names,)).fetchall():
                lines.lines[name] = ServerLine(next_at, queued_until)
            booked = dict(connection.execute(_BOOKED, (sites,)).fetchall())
            lines.booked = {Site(site): at for site, at in booked.items()}
            # Read after the locks: who waited for them would book in the past.
            now = self._session.now(connection)
            turns = [lines.reserve(one, now) for one in requests]
            self._keep(connection, lines, booked)
        return turns

    def describe_sharing(self) -> ServerSharing:
        with self._session.hold_connection() as connection:
            since = self._session.now(connection) - HOLD_S
            rows = connection.execute(_SHARED, (since,)).fetchall()
            names = [row[0] for row in rows]
            sites, waiting = one_row(connection, _SHARING, names, since)
        return list_sharing([SharedServer(*row) for row in rows], sites, waiting)

    def _keep(self, connection: Connection, lines: ServerLines, booked: dict[str, float]) -> None:
        moved = [(name, line.next_at, line.queued_until) for name, line in lines.lines.items()]
        connection.execute(_MOVE, tuple(list(column) for column in zip(*moved, strict=True)))
        over = [site for site in booked if site not in lines.booked]
        if over:
            connection.execute("DELETE FROM bookings WHERE site = ANY(%s)", (over,))
        new = {site: at for site, at in lines.booked.items() if booked.get(site) != at}
        if new:
            connection.execute(_BOOK, (list(new), list(new.values())))

    def _meet(self, requests: Sequence[ServerRequest]) -> None:
        met = {(name, one.site) for one in requests for name, _ in one.servers} - self._met
        if not met:
            return
        pairs = sorted(met)
        with self._session.hold_connection() as connection:
            connection.execute(_MEET, ([pair[0] for pair in pairs], [pair[1] for pair in pairs]))
        if len(self._met) > _MOST_KNOWN:
            self._met.clear()
        self._met |= met
