"""Links to other sites as a reader meets them."""

from collections.abc import Callable

from leadline_lab.draw import Draw, key_of
from leadline_lab.schemas import SCHEMAS
from leadline_lab.sites.anchors import search_text, styled, wrong_text
from leadline_lab.sites.census import Census
from leadline_lab.sites.content import Outlink
from leadline_lab.sites.estate import Estate
from leadline_lab.sites.graph import Edge, Graph
from leadline_lab.sites.hosts import MIRROR, Hosts
from leadline_lab.sites.naming import title, title_words
from leadline_lab.sites.plan import Place, Plan


class Outward:
    """Turns edges of the graph into links."""

    def __init__(
        self, census: Census, graph: Graph, hosts: Hosts, estate: Callable[[int], Estate]
    ) -> None:
        self._census = census
        self._graph = graph
        self._hosts = hosts
        self._estate = estate

    def links(self, site: int, edges: range) -> list[Outlink]:
        """What these edges of a site look like on its pages."""
        found = self._graph.links(site, edges)
        # Lists are sorted by what they list, so neighbours are alike.
        found.sort(key=lambda edge: self._census.population(edge.target).topic)
        return [self._outlink(edge) for edge in found]

    def _outlink(self, edge: Edge) -> Outlink:
        draw = Draw(key_of(edge.bits, edge.number))
        population = self._census.population(edge.target)
        words = title_words(population.topic, "en")
        said = self._hosts.title(edge.target) if draw.chance(800) else title(words, draw.number())
        around = " ".join(title(words, draw.number()) for _ in range(draw.between(2, 4))).lower()
        if population.schemas and draw.chance(self._census.profile.says_search):
            schema = SCHEMAS[draw.pick(population.schemas)]
            around = f"{around} {search_text(draw, schema, 'en', 0)}"
        wrong = wrong_text(draw, title_words(draw.pick(self._census.topics), "en"))
        anchor = styled(draw, self._census.profile, self.address(edge), said, wrong, "en")
        return Outlink(anchor, around.split())

    def address(self, edge: Edge) -> str:
        """The URL that an edge points at."""
        host = self._hosts.host(edge.target)
        if edge.bits % 1000 >= self._census.profile.inner_links:
            return f"http://{host}/"
        estate = self._estate(edge.target)
        if "mirror" in estate.plan.traps and edge.bits >> 12 & 1:
            host = MIRROR + host
        place = landing(estate.plan, edge.bits, self._census.profile.doors_linked)
        return f"http://{host}{estate.paths.page(place)}"


def landing(plan: Plan, bits: int, doors_linked: int) -> Place:
    """The page of a site that a link past its home page leads to."""
    drawn = key_of(bits, "landing")
    if plan.is_single:
        return plan.place(0)
    if plan.specials and drawn % 1000 < doors_linked:
        return plan.place(plan.first_special + drawn % len(plan.specials))
    section = drawn // 1000 % len(plan.sections)
    items = plan.sections[section].items
    if items and drawn >> 40 & 1:
        return plan.place(plan.item_page(section, (drawn >> 41) % items))
    return plan.place(plan.list_page(section))
