"""Sites that bring their own server: json-server and raneto (JavaScript), bukuserver, hgweb and
Wagtail (Python). `python -m bench.applications --install FOLDER` installs them."""

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.software.application import Row, insert, installed, run
from tests.software.serving import free_port, serving
from tests.software.subject import Subject, numbered


def _number_in(pattern: str, url: str) -> str:
    found = re.search(pattern, url)
    return found[1] if found else ""


@contextmanager
def json_server(rows: Iterable[Row], folder: Path) -> Iterator[Subject]:
    """Records as JSON, twenty on a page; how many match stands in a header."""
    program, port = installed("json-server"), free_port()
    records = [
        {"id": n, "title": title, "text": text, "url": f"http://127.0.0.1:{port}/records/{n}"}
        for n, title, text in numbered(rows)
    ]
    (folder / "db.json").write_text(json.dumps({"records": records}), encoding="utf-8")
    command = [program, "--host", "127.0.0.1", "--port", str(port), folder / "db.json"]
    with serving(command, folder, port, {}) as served:
        yield Subject(
            f"{served.url}/records?_page=1&_limit=20&q={{query}}",
            frozenset(str(record["id"]) for record in records),
            lambda url: _number_in(r"/records/(\d+)", url),
            served.log,
            20,
        )


@contextmanager
def bukuserver(rows: Iterable[Row], folder: Path) -> Iterator[Subject]:
    """Bookmarks with a title and a description, ten on a page."""
    program, port = installed("bukuserver"), free_port()
    database = folder / "bookmarks.db"
    marks = [
        {
            "id": n,
            "URL": f"http://books.example.org/{n}.html",
            "metadata": title,
            "tags": ",notes,",
            "desc": text[:500],
            "flags": 0,
        }
        for n, title, text in numbered(rows)
    ]
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(
            "CREATE TABLE bookmarks (id integer PRIMARY KEY, URL text NOT NULL UNIQUE, metadata "
            "text default '', tags text default ',', desc text default '', flags integer default 0)"
        )
    insert(database, "bookmarks", marks)
    settings = {
        "BUKUSERVER_DB_FILE": str(database),
        "BUKUSERVER_READONLY": "true",
        "BUKUSERVER_DISABLE_FAVICON": "true",
        "HOME": str(folder),
    }
    command = [program, "run", "--host", "127.0.0.1", "--port", str(port)]
    with serving(command, folder, port, settings) as served:
        yield Subject(
            f"{served.url}/",
            frozenset(str(mark["id"]) for mark in marks),
            lambda url: _number_in(r"books\.example\.org/(\d+)\.html", url),
            served.log,
            10,
        )


@contextmanager
def hgweb(rows: Iterable[Row], folder: Path) -> Iterator[Subject]:
    """Changes of a repository by their messages; an answer grows by its own links."""
    program, port = installed("hg"), free_port()
    repository = folder / "notes"
    run([program, "init", repository], folder)
    names = {}
    patches = []
    for number, title, text in numbered(rows):
        lines = "\n".join(line for line in text.splitlines() if not line.startswith("diff "))
        patches.append(
            f"# HG changeset patch\n# User writer\n# Date {1_100_000_000 + 3_600 * number} 0\n"
            f"{title}\n\n{lines}\n\ndiff --git a/f{number} b/f{number}\nnew file mode 100644\n"
            f"--- /dev/null\n+++ b/f{number}\n@@ -0,0 +1,1 @@\n+{number}\n"
        )
    for number, patch in enumerate(patches):
        (folder / f"{number:05}.patch").write_text(patch, encoding="utf-8")
    files = sorted(folder.glob("*.patch"))
    run([program, "-R", repository, "import", "-q", *files], folder, HGUSER="writer")
    listed = run([program, "-R", repository, "log", "-T", "{node}\n"], folder).split()
    names = {name[:12]: name for name in listed}
    command = [program, "serve", "-R", repository, "-a", "127.0.0.1", "-p", str(port)]
    with serving([*command, "-A", folder / "asked.log"], folder, port, {"HGUSER": "w"}) as served:
        yield Subject(
            f"{served.url}/",
            frozenset(names),
            lambda url: _number_in(r"/rev/([0-9a-f]{12})", url),
            folder / "asked.log",
            60,
        )


@contextmanager
def wagtail(rows: Iterable[Row], folder: Path) -> Iterator[Subject]:
    """Pages of a site by the search of Wagtail's own project template, ten on a page."""
    program, port = installed("wagtail"), free_port()
    python = program.resolve().parent / "python"
    run([program, "start", "site1", folder / "."], folder)
    pages = [
        {"number": n, "title": title[:250], "text": text[:2_000]}
        for n, title, text in numbered(rows)
    ]
    (folder / "pages.json").write_text(json.dumps(pages), encoding="utf-8")
    (folder / "fill.py").write_text(
        "import json\nfrom home.models import HomePage\n"
        "home = HomePage.objects.first()\n"
        "for page in json.load(open('pages.json')):\n"
        "    home.add_child(instance=HomePage(title=page['title'], slug='page-%d' % page['number'],"
        " search_description=page['text']))\n",
        encoding="utf-8",
    )
    run([python, "manage.py", "migrate", "-v", "0"], folder)
    run([python, "manage.py", "shell", "-c", "exec(open('fill.py').read())"], folder)
    run([python, "manage.py", "update_index"], folder)
    command = [python, "manage.py", "runserver", "--noreload", f"127.0.0.1:{port}"]
    with serving(command, folder, port, {}) as served:
        yield Subject(
            f"{served.url}/search/",
            frozenset(str(page["number"]) for page in pages),
            lambda url: _number_in(r"/page-(\d+)/", url),
            served.log,
            10,
        )


@contextmanager
def raneto(rows: Iterable[Row], folder: Path) -> Iterator[Subject]:
    """Articles of a knowledge base, all results on one page."""
    program, port = installed("raneto"), free_port()
    example = program.resolve().parent.parent / "example"
    content = folder / "content"
    content.mkdir()
    names = []
    for number, title, text in numbered(rows):
        head = f"/*\nTitle: {title.replace('*/', '')}\n*/\n\n"
        (content / f"article-{number}.md").write_text(head + text, encoding="utf-8")
        names.append(str(number))
    (folder / "server.js").write_text(
        f"""
const config = require({json.dumps(str(example / "config.default.js"))});
config.content_dir = {json.dumps(str(content) + "/")};
config.public_dir = {json.dumps(str(example.parent / "themes/default/public/"))};
const app = require({json.dumps(str(example.parent))})(config);
app.listen({port}, '127.0.0.1');
""",
        encoding="utf-8",
    )
    with serving(["node", folder / "server.js"], folder, port, {}) as served:
        yield Subject(
            f"{served.url}/",
            frozenset(names),
            lambda url: _number_in(r"/article-(\d+)", url),
            served.log,
            len(names),
        )
