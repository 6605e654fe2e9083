"""`leadline serve`: the dashboard and the API on stores."""

import re
import socket
import webbrowser
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from leadline.config.runs import choose_store_path
from leadline.errors import ConfigError
from leadline.store.address import name_of, place_of
from leadline.store.care.checks import blame_damage
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.options import ServeOptions
from leadline.ui.cli.output import print_json, say

if TYPE_CHECKING:
    from fastapi import FastAPI

_NEEDED = ("fastapi", "jinja2", "plotly", "uvicorn")
_RESERVED = frozenset({"api", "assets", "static", "favicon.ico"})
"""First parts of addresses that are no store's."""
_odd = re.compile(r"[^A-Za-z0-9._-]+").sub
_GRACE_S = 5
"""For requests under way when it ends."""
_BACKLOG = 128


def run_serve(stores: Sequence[str], options: ServeOptions) -> Exit:
    """The whole command."""
    check_extra()
    from leadline.ui.web.access import decide_access
    from leadline.ui.web.app import make_app, read_all

    access = decide_access(options.host, options.token, options.name)
    named = name_stores(place_of(store) for store in stores or [choose_store_path(None)])
    with ExitStack() as blame:
        for path in named.values():
            blame.enter_context(blame_damage(path))
        app = make_app(named, access)
    listener = listen(options.host, options.port)
    with ExitStack() as blame:
        for one in app.state.stores.values():
            blame.enter_context(blame_damage(one.path))
        for name, visits, seconds in read_all(app):
            say(f"{name}: {visits:,} visits read in {seconds:.1f} s")
    address = address_of(options.host, listener.getsockname()[1])
    say(f"serving on {address}; Ctrl-C ends it")
    door = f"{address}?token={access.token}" if access.token else address
    if access.token:
        say(f"open {door} once in a browser; programs send Authorization: Bearer {access.token}")
    if options.json:
        served = {name: str(one.path) for name, one in app.state.stores.items()}
        print_json({"address": address, "token": access.token, "stores": served})
    if options.open:
        webbrowser.open(door)
    _serve(app, listener)
    return Exit.DONE


def check_extra() -> None:
    """Raise ConfigError when packages of the dashboard are missing."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"the dashboard needs {', '.join(missing)}: "
            "pip install 'leadline[dashboard]', then try again"
        )


def name_stores(paths: Iterable[Path | str]) -> dict[str, Path | str]:
    """Each store under a name that fits into an address, and is no other's.

    >>> sorted(name_stores([Path("a/book.leadline"), Path("b/book.leadline"), Path("api.db")]))
    ['api-store', 'book', 'book-2']
    """
    found: dict[str, Path | str] = {}
    for path in paths:
        stem = _odd("-", name_of(path)).strip("-.") or "store"
        stem = f"{stem}-store" if stem in _RESERVED else stem
        name, number = stem, 1
        while name in found:
            number += 1
            name = f"{stem}-{number}"
        found[name] = path
    return found


def listen(host: str, port: int) -> socket.socket:
    """Raises ConfigError when the address cannot be used."""
    if not 0 <= port <= 65_535:
        raise ConfigError(f"--port {port}: there are ports from 0 to 65535")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host.strip("[]"), port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise ConfigError(
            f"cannot listen on {host} port {port} ({error.strerror}): "
            "give another --port, or --port 0 for any that is free"
        ) from None


def address_of(host: str, port: int) -> str:
    """For people: every address of a machine is also its loopback.

    >>> address_of("0.0.0.0", 80), address_of("::1", 80)
    ('http://127.0.0.1:80/', 'http://[::1]:80/')
    """
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104
    shown = f"[{shown}]" if ":" in shown and not shown.startswith("[") else shown
    return f"http://{shown}:{port}/"


def _serve(app: "FastAPI", listener: socket.socket) -> None:
    import uvicorn

    class Server(uvicorn.Server):
        """Ends streams, which never end by themselves."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            app.state.ending.set()
            super().handle_exit(sig, frame)

    settings = uvicorn.Config(
        app,
        access_log=False,
        log_level="warning",
        # Strangers need not know what serves them.
        server_header=False,
        timeout_graceful_shutdown=_GRACE_S,
        ws="none",
    )
    try:
        Server(settings).run(sockets=[listener])
    except KeyboardInterrupt:
        say("no longer serving")
