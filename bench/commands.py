"""Crawls of a lab world by leadline's own commands, over HTTP: in one process, and on Ray."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.postgres.ray_nodes import quiet
from tests.postgres.server import Server

from leadline.core.crawl import Visit
from leadline.store import open_store_view
from leadline_lab.profile import profile_named
from leadline_lab.server.running import LOOPBACK, serving_apart
from leadline_lab.server.serve import open_world
from leadline_lab.world import World

PATIENCE_S = 3.0
"""With sites that never answer."""


@dataclass(frozen=True)
class Order:
    """What is crawled."""

    profile: str
    seed: int
    domain: str
    seeds: int
    settings: Mapping[str, object]


def crawled_alone(order: Order) -> list[Visit]:
    """By `leadline crawl`."""
    with _place(order) as (folder, command):
        store = str(folder / "crawl.leadline")
        return _crawled([*command, "--store", store], store, folder)


def crawled_on_ray(order: Order, address: str, actors: int) -> list[Visit]:
    """By `leadline crawl --cluster`, on a PostgreSQL of its own."""
    server = Server()
    try:
        with _place(order) as (folder, command):
            command += ["--cluster", address, "--actors", str(actors)]
            return _crawled([*command, "--store", server.url()], server.url(), folder)
    finally:
        server.stop()


def _crawled(command: list[str], store: str, folder: Path) -> list[Visit]:
    done = subprocess.run(
        command, cwd=folder, env=quiet(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr[-2_000:]}"
    kept = open_store_view(store)
    try:
        return list(kept.reader.visits())
    finally:
        kept.close()


@contextmanager
def _place(order: Order) -> Iterator[tuple[Path, list[str]]]:
    """A folder to crawl in while the world is served, and the command without its store."""
    world = World(profile_named(order.profile), order.seed)
    with (
        tempfile.TemporaryDirectory(prefix="commands-") as name,
        serving_apart(partial(open_world, order.profile, order.seed)) as port,
    ):
        seeds = Path(name) / "seeds.txt"
        seeds.write_text("\n".join(world.seeds(order.domain, order.seeds)))
        settings = {**order.settings, "web.first_byte_timeout_s": PATIENCE_S}
        pairs = [f"{key}={value}" for key, value in settings.items()]
        pairs.append(f'web.resolve={{"*" = "{LOOPBACK}:{port}"}}')
        command = [sys.executable, "-m", "leadline.ui.cli", "crawl", order.domain, "--quiet"]
        command += ["--seeds", str(seeds)]
        yield Path(name), command + [part for pair in pairs for part in ("--set", pair)]
