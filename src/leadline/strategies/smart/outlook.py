"""What is decided about the links of one page, and why some are not followed."""

from typing import NamedTuple

from leadline.core.crawl import ExtraUrl, Priority, Skip
from leadline.strategies.smart.exploring import Exploration
from leadline.strategies.smart.outside import SiteEntry

ELSEWHERE = Skip("its site is entered at its home page")
OFF_TOPIC = Skip("the site it stands on is off topic")
OTHERS_ONLY = Skip("of a center page only other sites are wanted")


class LinkDecisions(NamedTuple):
    """All that is decided about the links of one page."""

    verdicts: list[Priority | Skip]
    extra_urls: list[ExtraUrl]
    new: list[tuple[SiteEntry, Priority]]
    """Sites first met here."""
    found: Exploration
    """What is known of the site's inside with this page."""
