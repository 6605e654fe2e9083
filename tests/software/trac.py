"""Trac: tickets of a project, with a definition list of results and ten on a page.

Its search looks for parts of words in tickets, in the wiki pages that every project begins with
and in milestones; queries below three letters are refused.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from tests.software.application import Application, Row, digest, insert, installed, run, select
from tests.software.serving import free_port, serving

RECORDS = "records/reuters"
COUNT = 200
"""With the wiki pages some 26 pages of ten; Trac takes a tenth of a second and more for each,
since it works out all results to show ten."""

_VISITORS = ("session", "session_attribute", "auth_cookie")
_DAY_US = 86_400_000_000
_FIRST_US = 541_000_000_000_000
"""The news are of 1987."""


@contextmanager
def trac(rows: Iterable[Row], folder: Path) -> Iterator[Application]:
    program, port = installed("tracd"), free_port()
    project = folder / "project"
    database = project / "db" / "trac.db"
    run([installed("trac-admin"), project, "initenv", "Newsroom", "sqlite:db/trac.db"], folder)
    insert(database, "ticket", (_ticket(number, row) for number, row in enumerate(rows, start=1)))
    command = [program, "--single-env", "--hostname", "127.0.0.1", "--port", str(port), project]
    with serving(command, folder, port, {}) as served:
        yield Application(
            served=served,
            search="/search",
            words=("wiki", "ticket", "project", "news", "trade"),
            reachable=_reachable(database),
            content=lambda: digest(database, _VISITORS),
        )


def _ticket(number: int, row: Row) -> dict[str, object]:
    at = _FIRST_US + number * _DAY_US // 24
    return {
        "id": number,
        "type": "defect",
        "time": at,
        "changetime": at,
        "component": "component1",
        "priority": "major",
        "reporter": "desk",
        "status": "new",
        "summary": row["title"],
        "description": row["body"],
        "keywords": " ".join(row["topics"]),
    }


def _reachable(database: Path) -> frozenset[str]:
    tickets = {f"/ticket/{number}" for (number,) in select(database, "SELECT id FROM ticket")}
    wiki = {f"/wiki/{quote(name)}" for (name,) in select(database, "SELECT name FROM wiki")}
    milestones = select(database, "SELECT name FROM milestone")
    return frozenset(tickets | wiki | {f"/milestone/{quote(name)}" for (name,) in milestones})
