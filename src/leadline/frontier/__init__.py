"""What comes next: the known URLs, the waiting links and their sites. Does no I/O."""

from leadline.frontier.frontier import Frontier
from leadline.frontier.seen_urls import SeenUrls

__all__ = ["Frontier", "SeenUrls"]
