"""Stores to look at, from crawls of the lab's web."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from leadline.ui.cli.app import run
from leadline.ui.cli.serve import listen
from leadline.ui.web.app import make_app
from leadline.views.forms import form_rows
from leadline.views.stores import open_to_read
from leadline_lab.profile import profile_named
from leadline_lab.world import World

TOPIC = "book"
PROFILE, SEED = "demo", 1
SEEDS = 12
PAGES = 200
REQUESTS = 30


def way_to(port: int, patience_s: float = 20.0) -> list[str]:
    """Options that lead a crawl to the lab."""
    resolve = f'web.resolve={{"*" = "127.0.0.1:{port}"}}'
    patience = f"web.first_byte_timeout_s={patience_s}"
    return ["--set", resolve, "--set", "web.allow_private=true", "--set", patience]


def crawl_lab(port: int, path: Path, *more: str, pages: int = PAGES, delay_s: float = 0.0) -> Path:
    """Crawl so many pages into a store."""
    seeds = World(profile_named(PROFILE), SEED).seeds(TOPIC, SEEDS)
    budget = ["--pages", str(pages), "--delay", str(delay_s)]
    where = ["--store", str(path), "-q"]
    # Some of the lab's sites never answer: a crawl does not need them.
    way = way_to(port, patience_s=1.0)
    assert run(["crawl", TOPIC, "--seeds", *seeds, *way, *budget, *where, *more]) == 0
    return path


def harvest_best(port: int, path: Path) -> str:
    """Extract some records behind the surest form; its signature."""
    with open_to_read(str(path)) as store:
        form = form_rows(store)[0].signature
    budget = ["--budget-requests", str(REQUESTS), "--set", "politeness.delay_s=0"]
    assert run(["harvest", form, str(path), "-q", *way_to(port), *budget]) == 0
    return form


@contextmanager
def dashboard(stores: Mapping[str, Path]) -> Iterator[str]:
    """Serve stores from a thread; the address."""
    listener = listen("127.0.0.1", 0)
    settings = uvicorn.Config(
        make_app(stores), log_level="error", timeout_graceful_shutdown=1, ws="none"
    )
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
