"""What comes next: the known URLs, the waiting links and their sites. Does no I/O."""

from leadline.frontier.frontier import Frontier
from leadline.frontier.sieve import Sieve

__all__ = ["Frontier", "Sieve"]
