"""Home pages of the hosts that link to a host, out of an imported host graph."""

from leadline.backlinks.answers import kept
from leadline.backlinks.host_graph import HostGraph
from leadline.core.ports import BacklinkAnswer
from leadline.core.url import Url, host_of, registered_domain, site_of


class HostLinks:
    """Costs no requests. Knows hosts only: what links to a page is what links to its host."""

    def __init__(self, graph: HostGraph) -> None:
        self._graph = graph

    async def find_backlinks(self, url: Url, limit: int) -> BacklinkAnswer:
        host = host_of(site_of(url))
        # Common Crawl cuts a leading `www.` off every name, and has a graph of domains too.
        names = (host, host.removeprefix("www."), registered_domain(host))
        answers = (self._graph.find_backlinks(name, limit) for name in names)
        hosts: list[str] = next(filter(None, answers), [])
        # The graph does not know schemes; a site that has left http redirects from there.
        return BacklinkAnswer(kept((f"http://{name}/" for name in hosts), url, limit))
