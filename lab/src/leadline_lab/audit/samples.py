"""Sites of a world to be told apart."""

from collections.abc import Iterator

from leadline_lab.draw import Draw, key_of
from leadline_lab.sites.census import Population
from leadline_lab.sites.domains import DOMAINS
from leadline_lab.world import World

Labelled = tuple[int, bool]
"""A site and whether it is of the kind looked for."""


class Sample:
    """Draws sites of a world, the same ones each time."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._populations = world.census.populations

    def of_domain(self, domain: str, n: int) -> Iterator[Labelled]:
        """`n` living sites about a domain and `n` that are not."""
        about = [p for p in self._populations if p.topic == domain]
        others = [p for p in self._populations if p.topic != domain and domain not in p.domains]
        yield from self._both(about, others, n, f"domain {domain}")

    def deep(self, n: int) -> Iterator[Labelled]:
        """`n` living sites with databases and `n` without."""
        with_any = [p for p in self._populations if p.schemas]
        without = [p for p in self._populations if not p.schemas]
        yield from self._both(with_any, without, n, "deep")

    def corners(self, n: int) -> Iterator[tuple[int, bool, bool]]:
        """`n` living sites of each of four kinds: whether about a target domain, whether deep."""
        about = [p for p in self._populations if p.topic in DOMAINS]
        others = [p for p in self._populations if p.topic not in DOMAINS]
        for is_deep in (True, False):
            wanted = [p for p in about if bool(p.schemas) == is_deep]
            unwanted = [p for p in others if bool(p.schemas) == is_deep]
            for site, is_target in self._both(wanted, unwanted, n, f"corners {is_deep}"):
                yield site, is_target, is_deep

    def targets(self, n: int) -> Iterator[Labelled]:
        """`n` living sites with databases of target domains and `n` with others."""
        with_target = [p for p in self._populations if p.domains]
        with_others = [p for p in self._populations if p.schemas and not p.domains]
        yield from self._both(with_target, with_others, n, "targets")

    def _both(
        self, wanted: list[Population], others: list[Population], n: int, name: str
    ) -> Iterator[Labelled]:
        for is_wanted, populations in ((True, wanted), (False, others)):
            draw = Draw(key_of(self.world.key, "audit", name, int(is_wanted)))
            sites = [s for p in populations for s in range(p.first, p.first + p.sites)]
            alive = [site for site in sites if not self.world.census.dead[site]]
            for site in draw.some(alive, n):
                yield site, is_wanted
