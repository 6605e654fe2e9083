"""Mezzanine: a site with a blog, whose search lists headings and paragraphs side by side.

Words are looked for anywhere in a post, any of them suffices, stop words are left out, and the
number of each result stands in its heading.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

from tests.software.application import Application, Row, digest, insert, installed, run, select
from tests.software.serving import free_port, serving

RECORDS = "records/reuters"
COUNT = 300
"""Twenty pages of 25; Mezzanine sorts all results to show some, in Python."""

_VISITORS = ("django_session",)
_SETTINGS = """
SECRET_KEY = NEVERCACHE_KEY = "known to everyone"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "site.db"}}
ALLOWED_HOSTS = ["127.0.0.1"]
SEARCH_PER_PAGE = 25


class Unmigrated:
    def __contains__(self, name):
        return True

    def __getitem__(self, name):
        return None


MIGRATION_MODULES = Unmigrated()
"""
"""Without migrations the tables are made at once, as they are today."""


@contextmanager
def mezzanine(rows: Iterable[Row], folder: Path) -> Iterator[Application]:
    python, port = installed("python"), free_port()
    installed("mezzanine-project")
    _make(python, folder)
    database = folder / "site.db"
    insert(database, "auth_user", [_author()])
    posts = (_post(number, row) for number, row in enumerate(rows, start=1))
    insert(database, "blog_blogpost", posts)
    command = [python, "manage.py", "runserver", "--noreload", f"127.0.0.1:{port}"]
    with serving(command, folder, port, {}) as served:
        yield Application(
            served=served,
            search="/search/",
            words=("blog", "news", "trade", "company", "search"),
            reachable=_reachable(database),
            content=lambda: digest(database, _VISITORS),
        )


def _make(python: Path, folder: Path) -> None:
    run([python, python.with_name("mezzanine-project"), "newsroom", folder], folder)
    (folder / "newsroom" / "local_settings.py").write_text(_SETTINGS, encoding="utf-8")
    run([python, "manage.py", "migrate", "--run-syncdb", "--verbosity", "0"], folder)


def _author() -> dict[str, object]:
    return {
        "id": 1,
        "password": "!",
        "is_superuser": False,
        "username": "desk",
        "first_name": "",
        "last_name": "",
        "email": "",
        "is_staff": False,
        "is_active": True,
        "date_joined": "1987-01-01 00:00:00",
    }


def _post(number: int, row: Row) -> dict[str, object]:
    return {
        "id": number,
        "slug": f"post-{number}",
        "title": row["title"],
        "description": row["body"][:300],
        "content": f"<p>{escape(row['body'])}</p>",
        "keywords_string": " ".join(row["topics"]),
        "publish_date": f"1987-03-{1 + number % 28:02} 12:00:{number % 60:02}",
        "status": 2,
        "site_id": 1,
        "user_id": 1,
        "gen_description": False,
        "in_sitemap": True,
        "allow_comments": True,
        "comments_count": 0,
        "rating_count": 0,
        "rating_sum": 0,
        "rating_average": 0,
    }


def _reachable(database: Path) -> frozenset[str]:
    published = select(database, "SELECT slug FROM blog_blogpost WHERE status = 2")
    return frozenset(f"/blog/{slug}/" for (slug,) in published)
