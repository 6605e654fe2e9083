"""Joins experiments to the lab: opens its worlds, and says when kept pages are out of date."""

from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import xxhash

import leadline
from leadline.core.ports import Fetcher
from leadline_lab.experiments.pages import MakeFetcher
from leadline_lab.experiments.worlds import World
from leadline_lab.profile import profile_named
from leadline_lab.server.fetcher import LabFetcher
from leadline_lab.server.services import WithServices
from leadline_lab.server.transport import Answering

OpenWorld = Callable[[str, int], tuple[World, MakeFetcher]]
"""From a profile's name and a seed to the world and its fetcher. Picklable."""

_SOURCES = ("core", "page", "web")
"""Packages of leadline that decide what is in a parsed page, beside the lab itself."""
_APART = frozenset({"experiments", "oracles", "audit", "determinism.py"})
"""What is in the lab and decides nothing of a page, `experiments/pages.py` left out."""
_PARSERS = ("selectolax", "py3langid", "PyStemmer", "stopwordsiso")


def fetcher_at_rest(world: Answering) -> Fetcher:
    """A fetcher for which no time passes, so that answers can be kept."""
    return LabFetcher(world, now=lambda: 0.0)


class LabWorld:
    """A world of the lab with its services and its truth."""

    def __init__(self, profile: str, seed: int) -> None:
        from leadline_lab.lookup import Lookup
        from leadline_lab.truth import Truth
        from leadline_lab.world import World

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
    installed = Path(leadline.__file__).parent
    folders = [*(installed / package for package in _SOURCES), Path(__file__).parents[1]]
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            if file.suffix not in {"", ".pyc"} and _decides(file):
                digest.update(file.read_bytes())
    for name in _PARSERS:
        digest.update(version(name).encode())
    return digest.hexdigest()


def _decides(file: Path) -> bool:
    is_apart = not _APART.isdisjoint((*file.parts, file.name))
    return not is_apart or file.name == "pages.py"
