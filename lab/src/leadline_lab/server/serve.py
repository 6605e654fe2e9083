"""`leadline lab serve`: a world and its services, for other programs and for people."""

from collections.abc import Callable
from functools import partial

from leadline_lab.lookup import Lookup
from leadline_lab.profile import profile_named
from leadline_lab.server.running import LOOPBACK, serve_forever
from leadline_lab.server.services import WithServices
from leadline_lab.world import World


def open_world(profile: str, seed: int) -> WithServices:
    """A world by name, with its services. Raises ConfigError for a profile there is none of."""
    world = World(profile_named(profile), seed)
    return WithServices(world, Lookup(world))


def run_serve(
    profile: str,
    seed: int,
    host: str = LOOPBACK,
    port: int = 0,
    jobs: int = 1,
    on_start: Callable[[str], None] | None = None,
) -> None:
    """Serve a world until SIGINT or SIGTERM; `on_start` is told the address.

    Raises ConfigError for an unknown profile or an address that cannot be had.
    """
    profile_named(profile)
    serve_forever(partial(open_world, profile, seed), host, port, jobs, on_start)
