"""Servers of texts: public-inbox (Perl), gitit (Haskell) and groonga (C++) of Debian, and An Otter
Wiki (Python). `python -m bench.applications --install FOLDER` installs the last one."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.software.application import Row, installed, run
from tests.software.serving import Served, free_port, serving
from tests.software.subject import Subject, numbered

_FIRST_S = 1_400_000_000
_SCHEMA = """table_create Notes TABLE_PAT_KEY ShortText
column_create Notes title COLUMN_SCALAR ShortText
column_create Notes text COLUMN_SCALAR Text
table_create Terms TABLE_PAT_KEY ShortText --default_tokenizer TokenBigram \
--normalizer NormalizerAuto
column_create Terms in_title COLUMN_INDEX|WITH_POSITION Notes title
column_create Terms in_text COLUMN_INDEX|WITH_POSITION Notes text
load --table Notes
"""


def _program(name: str, package: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{package} is not installed: apt-get install {package}")
    return found


def _number_in(pattern: str, url: str) -> str:
    found = re.search(pattern, url)
    return found[1] if found else ""


def _import_commits(repository: Path, contents: Iterable[tuple[str, bytes]]) -> None:
    """One commit for each file's name and content."""
    parts = [
        b"commit refs/heads/master\ncommitter Writer <writer@example.org> %d +0000\ndata 4\nnote\n"
        b'M 644 inline "%s"\ndata %d\n%s\n'
        % (_FIRST_S + 3_600 * number, name.encode(), len(content), content)
        for number, (name, content) in enumerate(contents)
    ]
    command = ["git", "--git-dir", str(repository), "fast-import", "--quiet"]
    subprocess.run(command, input=b"".join(parts), check=True)


def make_working_copy(folder: Path, contents: Iterable[tuple[str, bytes]]) -> None:
    run(["git", "init", "-q", "-b", "master", folder], folder.parent)
    _import_commits(folder / ".git", contents)
    run(["git", "reset", "-q", "--hard"], folder)


@contextmanager
def public_inbox(rows: Iterable[Row], folder: Path) -> Iterator[Subject]:
    """Mails of a list, two hundred on a page."""
    program, port = _program("public-inbox-httpd", "public-inbox"), free_port()
    inbox, names = folder / "notes", []
    settings = {"PI_CONFIG": str(folder / "config"), "HOME": str(folder)}
    address = "notes@example.org"
    url = f"http://127.0.0.1:{port}/notes"
    run(["public-inbox-init", "-V2", "notes", inbox, url, address], folder, **settings)
    mails = []
    for number, title, text in numbered(rows):
        head = (
            f"From: A. Writer <writer@example.org>\nTo: {address}\nSubject: {title}\n"
            f"Message-ID: <note-{number}@example.org>\n"
            f"Date: Mon, 05 Jan 2015 {number // 60:02}:{number % 60:02}:00 +0000\n"
            "Content-Type: text/plain; charset=utf-8\n\n"
        )
        mails.append(("m", (head + text + "\n").encode()))
        names.append(str(number))
    _import_commits(inbox / "git" / "0.git", mails)
    run(["public-inbox-index", inbox], folder, **settings)
    command = [program, "-l", f"127.0.0.1:{port}"]
    with serving(command, folder, port, settings) as served:
        yield Subject(
            f"{served.url}/notes/",
            frozenset(names),
            lambda url: _number_in(r"/note-(\d+)@", url.replace("%40", "@")),
            served.log,
            200,
        )


@contextmanager
def gitit(rows: Iterable[Row], folder: Path) -> Iterator[Subject]:
    """Pages of a wiki, all results on one page."""
    program, port = _program("gitit", "gitit"), free_port()
    pages, names = [("Front Page.page", b"Notes on many things.\n")], []
    for number, title, text in numbered(rows):
        pages.append((f"article-{number}.page", f"# {title}\n\n{text}\n".encode()))
        names.append(str(number))
    make_working_copy(folder / "wikidata", pages)
    own = {"HOME": str(folder), "GIT_AUTHOR_NAME": "w", "GIT_AUTHOR_EMAIL": "w@example.org"}
    own |= {"GIT_COMMITTER_NAME": "w", "GIT_COMMITTER_EMAIL": "w@example.org"}
    command = [program, "-l", "127.0.0.1", "-p", str(port)]
    with serving(command, folder, port, own) as served:
        yield Subject(
            f"{served.url}/",
            frozenset(names),
            lambda url: _number_in(r"/article-(\d+)$", url),
            served.log,
            len(names),
        )


@contextmanager
def groonga(rows: Iterable[Row], folder: Path) -> Iterator[Subject]:
    """Rows of a full-text database as JSON arrays, twenty on a page by the query's own limit."""
    program, port = _program("groonga", "groonga-bin"), free_port()
    records = [
        [f"http://notes.example.org/records/{number}", title, text]
        for number, title, text in numbered(rows)
    ]
    database = folder / "notes.db"
    lines = ",\n".join(json.dumps(row) for row in [["_key", "title", "text"], *records])
    subprocess.run(
        [program, "-n", database],
        input=f"{_SCHEMA}[\n{lines}\n]\n".encode(),
        check=True,
        stdout=subprocess.DEVNULL,
    )
    command = [program, "-s", "--protocol", "http", "--bind-address", "127.0.0.1"]
    with serving([*command, "--port", port, database], folder, port, {}) as served:
        yield Subject(
            f"{served.url}/d/select?table=Notes&match_columns=title||text&query={{query}}"
            "&output_columns=_key,title&offset=0&limit=20",
            frozenset(str(number) for number in range(1, len(records) + 1)),
            lambda url: _number_in(r"notes\.example\.org/records/(\d+)$", url),
            served.log,
            20,
        )


@contextmanager
def serving_wiki(
    program: Path, folder: Path, pages: Sequence[tuple[str, bytes]]
) -> Iterator[Served]:
    """An Otter Wiki of pages by file name; `program` is Flask's, beside which it is installed."""
    port = free_port()
    make_working_copy(folder / "repository", pages)
    settings = folder / "settings.cfg"
    settings.write_text(
        f"REPOSITORY = {str(folder / 'repository')!r}\n"
        f"SQLALCHEMY_DATABASE_URI = 'sqlite:///{folder / 'wiki.db'}'\n"
        "SECRET_KEY = 'a key for a wiki that nobody writes to'\nREAD_ACCESS = 'ANONYMOUS'\n",
        encoding="utf-8",
    )
    command = [program, "--app", "otterwiki.server", "run", "--port", port]
    own = {"OTTERWIKI_SETTINGS": str(settings), "HOME": str(folder)}
    with serving(command, folder, port, own) as served:
        yield served


@contextmanager
def otter_wiki(rows: Iterable[Row], folder: Path) -> Iterator[Subject]:
    """Pages of a wiki by a POST form with a token, all results on one page."""
    program = installed("flask")
    pages, names = [("home.md", b"# Notes\n\nNotes on many things.\n")], []
    for number, title, text in numbered(rows):
        pages.append((f"article-{number}.md", f"# {title}\n\n{text}\n".encode()))
        names.append(str(number))
    with serving_wiki(program, folder, pages) as served:
        yield Subject(
            f"{served.url}/",
            frozenset(names),
            lambda url: _number_in(r"/[Aa]rticle-(\d+)$", url),
            served.log,
            len(names),
        )
