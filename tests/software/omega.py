"""Omega, the search program of Xapian: one old-style form around everything.

Its query, the table of results with a checkbox in each, and the buttons that turn pages are all
inside one form, so that each page is had by sending it once more. From Debian's `xapian-omega`.
"""

import hashlib
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.software import cgi_server
from tests.software.application import Application, Row, run
from tests.software.serving import free_port, serving

RECORDS = "records/debian"
COUNT = 1_000
"""150 pages of ten."""

_PROGRAM = Path("/usr/lib/cgi-bin/omega/omega")
_TEMPLATES = Path("/var/lib/xapian-omega/templates")
"""Where Debian's package puts them."""
_SCRIPT = """
url : boolean=U unique=U field=url
title : weight=3 index=S index field=title
text : weight=1 index field=sample
"""


@contextmanager
def omega(rows: Iterable[Row], folder: Path, front: str = "") -> Iterator[Application]:
    """`front` is the page that links to the search, of packages unless given."""
    if not os.access(_PROGRAM, os.X_OK):
        pytest.skip("Omega is not installed: apt-get install xapian-omega")
    data, port = folder / "data" / "default", free_port()
    _index(rows, folder, data)
    configuration = {"OMEGA_CONFIG_FILE": str(folder / "omega.conf")}
    command = [sys.executable, cgi_server.__file__, str(port), _PROGRAM]
    if front:
        (folder / "front.html").write_text(front, encoding="utf-8")
        command.append(folder / "front.html")
    with serving(command, folder, port, configuration) as served:
        yield Application(
            served=served,
            search=cgi_server.PROGRAM_PATH,
            words=("package", "software", "library", "search", "collection"),
            reachable=_reachable(data, folder),
            content=lambda: _digest(data),
        )


def _index(rows: Iterable[Row], folder: Path, data: Path) -> None:
    data.parent.mkdir()
    settings = {"database_dir": data.parent, "template_dir": _TEMPLATES, "log_dir": folder}
    lines = "".join(f"{name} {value}\n" for name, value in settings.items())
    (folder / "omega.conf").write_text(f"{lines}cdb_dir {folder}\n", encoding="utf-8")
    (folder / "index.script").write_text(_SCRIPT, encoding="utf-8")
    (folder / "packages.txt").write_text("\n".join(map(_entry, rows)), encoding="utf-8")
    run(["scriptindex", data, folder / "index.script", folder / "packages.txt"], folder)


def _entry(row: Row) -> str:
    """Fields a line each; a line that goes on begins with `=`."""
    text = row["description"].replace("\n", "\n=")
    return f"url=/package/{row['name']}\ntitle={row['name']}: {row['summary']}\ntext={text}\n"


def _reachable(data: Path, folder: Path) -> frozenset[str]:
    listed = run(["omindex-list", data], folder)
    return frozenset(re.findall(r"/package/\S+", listed))


def _digest(data: Path) -> str:
    found = hashlib.sha256()
    for file in sorted(data.iterdir()):
        found.update(file.name.encode() + file.read_bytes())
    return found.hexdigest()
