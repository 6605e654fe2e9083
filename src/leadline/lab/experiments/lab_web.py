"""Joins experiments to the lab: opens its worlds, and says when kept pages are out of date."""

from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import xxhash

from leadline.core.ports import Fetcher
from leadline.lab.experiments.pages import MakeFetcher
from leadline.lab.experiments.worlds import World
from leadline.lab.profile import profile_named
from leadline.lab.server.fetcher import LabFetcher
from leadline.lab.server.services import WithServices
from leadline.lab.server.transport import Answering

OpenWorld = Callable[[str, int], tuple[World, MakeFetcher]]
"""From a profile's name and a seed to the world and its fetcher. Picklable."""

_SOURCES = ("core", "page", "web", "lab")
"""Packages that decide what is in a parsed page."""
_APART = frozenset({"experiments", "oracles", "audit", "determinism.py"})
"""What is in the lab and decides nothing of a page, `experiments/pages.py` left out."""
_PARSERS = ("selectolax", "py3langid", "PyStemmer", "stopwordsiso")


def fetcher_at_rest(world: Answering) -> Fetcher:
    """A fetcher for which no time passes, so that answers can be kept."""
    return LabFetcher(world, now=lambda: 0.0)


class LabWorld:
    """A world of the lab with its services and its truth."""

    def __init__(self, profile: str, seed: int) -> None:
        from leadline.lab.lookup import Lookup
        from leadline.lab.truth import Truth
        from leadline.lab.world import World

        world = World(profile_named(profile), seed)
        self.inside = world
        self.answer = WithServices(world, Lookup(world)).answer
        self.seeds = world.seeds
        self.truth = Truth(world)


def open_lab_world(profile: str, seed: int) -> tuple[World, MakeFetcher]:
    """Raises ConfigError for an unknown profile."""
    return LabWorld(profile, seed), fetcher_at_rest


LAB: OpenWorld = open_lab_world


@lru_cache(maxsize=1)
def stamp() -> str:
    """A hash of all code and data that pages come from: kept pages of another are never read."""
    digest = xxhash.xxh3_64()
    root = Path(__file__).parents[2]
    for package in _SOURCES:
        for file in sorted((root / package).rglob("*")):
            if file.suffix not in {"", ".pyc"} and _decides(file):
                digest.update(file.read_bytes())
    for name in _PARSERS:
        digest.update(version(name).encode())
    return digest.hexdigest()


def _decides(file: Path) -> bool:
    is_apart = not _APART.isdisjoint((*file.parts, file.name))
    return not is_apart or file.name == "pages.py"
