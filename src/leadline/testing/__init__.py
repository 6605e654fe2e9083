"""For the tests of plug-ins: the laws that leadline's own parts obey.

Call the check of your part's kind from a test; a LawBrokenError names the law that it breaks.
"""

from leadline.testing.critic_laws import check_critic, check_exporter
from leadline.testing.fetcher_laws import check_backlinks, check_fetcher
from leadline.testing.laws import LawBrokenError
from leadline.testing.policy_laws import check_policy
from leadline.testing.store_laws import check_store
from leadline.testing.strategy_laws import check_strategy

__all__ = [
    "LawBrokenError",
    "check_backlinks",
    "check_critic",
    "check_exporter",
    "check_fetcher",
    "check_policy",
    "check_store",
    "check_strategy",
]
