"""What a strategy passed over, looked at again by another when nothing else is left. No I/O."""

from collections.abc import Iterable, Iterator

from msgspec import structs

from leadline.core.crawl import Candidate, Priority, Skipped
from leadline.core.ports import Strategy
from leadline.crawler.expand import NOFOLLOW, LinkRules

KEY = "second-wind"
"""Under which the store keeps who went on after whom."""
_ON_TOPIC = 0.5
"""The least relevance of a page whose links are followed: that of best-first crawling."""
_WHY = "passed over before; relevance of its page"


def succession(first: Strategy, then: Strategy) -> bytes:
    """What is kept under KEY: a crawl begun with another strategy later begins with that one."""
    return f"{first.name} {then.name}".encode()


def second_chances(skipped: Iterable[Skipped], rules: LinkRules) -> Iterator[Candidate]:
    """Links of pages on the topic that may be followed, ranked as best-first crawling does.

    Features were not kept of links that nobody wanted.
    """
    for link in skipped:
        candidate = link.candidate
        is_allowed = candidate.skip != NOFOLLOW and candidate.depth <= rules.max_depth
        if is_allowed and link.relevance >= _ON_TOPIC and not rules.why_not(candidate.url):
            priority = Priority(0, link.relevance, _WHY)
            yield structs.replace(candidate, priority=priority, skip="")
