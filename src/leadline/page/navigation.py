"""Which links stand on most pages of a site: its navigation."""

from collections import OrderedDict, deque
from collections.abc import Sequence

from leadline.core.page import Link
from leadline.core.url import Site

_REMEMBERED_PAGES = 4
_ENOUGH_PAGES = 3
"""Fewer pages say nothing about repetition."""
_REMEMBERED_SITES = 2_000


class Navigation:
    """Remembers the links of each site's last pages. Bounded in pages and in sites."""

    def __init__(self) -> None:
        self._sites: OrderedDict[Site, deque[frozenset[int]]] = OrderedDict()

    def repeats(
        self, site: Site, links: Sequence[Link], positions: Sequence[int]
    ) -> tuple[bool, ...]:
        """Whether each link at these positions stood on more than half of the site's last pages.

        Remembers this page too.
        """
        pages = self._sites.get(site)
        if pages is None:
            pages = self._sites[site] = deque(maxlen=_REMEMBERED_PAGES)
            if len(self._sites) > _REMEMBERED_SITES:
                self._sites.popitem(last=False)
        else:
            self._sites.move_to_end(site)
        answer = _find_repeated(pages, [hash(links[position].target) for position in positions])
        pages.append(frozenset([hash(link.target) for link in links]))
        return answer


def _find_repeated(pages: deque[frozenset[int]], targets: list[int]) -> tuple[bool, ...]:
    if len(pages) < _ENOUGH_PAGES:
        return (False,) * len(targets)
    often = len(pages) // 2
    return tuple([sum([target in page for page in pages]) > often for target in targets])
