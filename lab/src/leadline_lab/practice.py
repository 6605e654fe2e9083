"""A web to practise on: a world of the lab, served from this process."""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from leadline.core.url import Url
from leadline_lab.lookup import Lookup
from leadline_lab.profile import profile_named
from leadline_lab.server.running import LOOPBACK, serving
from leadline_lab.server.services import WithServices
from leadline_lab.world import World

_PATIENCE_S = 2.0
"""With sites that never answer: some are part of every world."""


class PracticeWeb(Struct, frozen=True):
    """A world that answers on this machine."""

    world: World
    port: int

    @property
    def settings(self) -> dict[str, object]:
        """Those that lead a crawl there, without pauses: all its sites are ours."""
        return {
            "web.resolve": {"*": f"{LOOPBACK}:{self.port}"},
            "web.first_byte_timeout_s": _PATIENCE_S,
            "politeness.delay_s": 0.0,
        }

    def seeds(self, domain: str, count: int = 10) -> list[Url]:
        """Sites to start from, as a user of that domain might know them."""
        return self.world.seeds(domain, count)


@contextmanager
def practice_web(profile: str = "demo", seed: int = 1) -> Iterator[PracticeWeb]:
    """A world over real HTTP, until the block ends. Raises ConfigError for an unknown profile."""
    world = World(profile_named(profile), seed)
    with serving(WithServices(world, Lookup(world))) as port:
        yield PracticeWeb(world, port)
