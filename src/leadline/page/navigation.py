"""Which links stand on most pages of a site: its navigation."""

from collections import Counter, OrderedDict, deque
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

    def repeats(self, site: Site, links: Sequence[Link]) -> tuple[bool, ...]:
        """Whether each link stood on more than half of the last pages; then notes this page."""
        pages = self._sites.get(site)
        if pages is None:
            pages = self._sites[site] = deque(maxlen=_REMEMBERED_PAGES)
            if len(self._sites) > _REMEMBERED_SITES:
                self._sites.popitem(last=False)
        else:
            self._sites.move_to_end(site)
        targets = [hash(link.target) for link in links]
        answer = _repeated(pages, targets)
        pages.append(frozenset(targets))
        return answer


def _repeated(pages: deque[frozenset[int]], targets: list[int]) -> tuple[bool, ...]:
    if len(pages) < _ENOUGH_PAGES:
        return (False,) * len(targets)
    seen = Counter(target for page in pages for target in page)
    return tuple(seen[target] * 2 > len(pages) for target in targets)
