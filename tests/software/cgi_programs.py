"""Search programs of Debian that a web server runs: Namazu (C), gitweb (Perl) and cgit (C)."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.software import cgi_server
from tests.software.application import Row, run
from tests.software.serving import free_port, serving
from tests.software.subject import Subject, numbered

_LIBRARY = Path("/usr/lib")
_FIRST_S = 1_100_000_000


def _needs(program: Path, package: str) -> Path:
    if not os.access(program, os.R_OK):
        pytest.skip(f"{package} is not installed: apt-get install {package}")
    return program


@contextmanager
def namazu(rows: Iterable[Row], folder: Path) -> Iterator[Subject]:
    """Pages of a site in an index of words; twenty results on a page."""
    program = _needs(_LIBRARY / "cgi-bin" / "namazu.cgi", "namazu2")
    documents, index = folder / "docs", folder / "index"
    documents.mkdir()
    index.mkdir()
    names = set()
    for number, title, text in numbered(rows):
        body = f"<title>{escape(title)}</title><h1>{escape(title)}</h1><p>{escape(text)}</p>"
        (documents / f"{number}.html").write_text(f"<html>{body}</html>", encoding="utf-8")
        names.add(str(number))
    run(["mknmz", "-q", "--no-uuencode", f"--output-dir={index}", documents], folder)
    own = folder / "namazu.cgi"
    shutil.copy(program, own)
    (folder / ".namazurc").write_text(
        f"Index {index}\nReplace {documents} /docs\nLang en\n", encoding="utf-8"
    )
    port = free_port()
    with serving([sys.executable, cgi_server.__file__, str(port), own], folder, port, {}) as served:
        yield Subject(
            f"{served.url}/",
            frozenset(names),
            lambda url: (re.findall(r"/docs/(\d+)\.html", url) or [""])[0],
            served.log,
            20,
        )


def _commit_all(rows: Iterable[Row], repository: Path) -> dict[str, int]:
    """A repository with a commit for each row; the commits' names."""
    subprocess.run(["git", "init", "-q", "--bare", repository], check=True)
    parts: list[bytes] = []
    for number, title, text in numbered(rows):
        message = f"{title}\n\n{text}\n".encode()
        at = _FIRST_S + 3_600 * number
        author = f"A. Writer <writer@example.org> {at} +0000"
        content = str(number).encode()
        parts.append(
            b"commit refs/heads/master\ncommitter %s\ndata %d\n%s\nM 644 inline file\ndata %d\n%s\n"
            % (author.encode(), len(message), message, len(content), content)
        )
    command = ["git", "--git-dir", str(repository), "fast-import", "--quiet"]
    subprocess.run(command, input=b"".join(parts), check=True)
    (repository / "HEAD").write_text("ref: refs/heads/master\n", encoding="ascii")
    (repository / "description").write_text("Notes on many things\n", encoding="ascii")
    listed = run(["git", "--git-dir", repository, "rev-list", "master"], repository).split()
    return {name: number for number, name in enumerate(listed)}


def _commit_name(url: str) -> str:
    asked = parse_qs(urlsplit(url.replace(";", "&")).query)
    found = [*asked.get("h", []), *asked.get("id", [])]
    return next((name for name in found if re.fullmatch(r"[0-9a-f]{40}", name)), "")


@contextmanager
def gitweb(rows: Iterable[Row], folder: Path) -> Iterator[Subject]:
    """Commits by their messages, a hundred on a page."""
    program = _needs(Path("/usr/share/gitweb/gitweb.cgi"), "gitweb")
    names = _commit_all(rows, folder / "notes.git")
    settings = folder / "gitweb.conf"
    settings.write_text(f'$projectroot = "{folder}";\n$home_text = "";\n', encoding="utf-8")
    port = free_port()
    command = [sys.executable, cgi_server.__file__, str(port), program]
    with serving(command, folder, port, {"GITWEB_CONFIG": str(settings)}) as served:
        yield Subject(
            f"{served.url}{cgi_server.PROGRAM_PATH}?p=notes.git",
            frozenset(names),
            _commit_name,
            served.log,
            100,
        )


@contextmanager
def cgit(rows: Iterable[Row], folder: Path) -> Iterator[Subject]:
    """Commits by their messages, fifty on a page."""
    program = _needs(_LIBRARY / "cgit" / "cgit.cgi", "cgit")
    names = _commit_all(rows, folder / "notes.git")
    settings = folder / "cgitrc"
    settings.write_text(
        f"virtual-root={cgi_server.PROGRAM_PATH}\nrepo.url=notes\nrepo.path={folder}/notes.git\n"
        "repo.desc=Notes on many things\n",
        encoding="utf-8",
    )
    port = free_port()
    command = [sys.executable, cgi_server.__file__, str(port), program]
    with serving(command, folder, port, {"CGIT_CONFIG": str(settings)}) as served:
        yield Subject(
            f"{served.url}{cgi_server.PROGRAM_PATH}/notes/log/",
            frozenset(names),
            _commit_name,
            served.log,
            50,
        )
