"""For the tests of plug-ins: the laws that leadline's own strategies and policies obey.

Call `check_strategy` or `check_policy` from a test; whatever it raises names the broken law.
"""

from leadline.testing.laws import LawBrokenError
from leadline.testing.policy_laws import check_policy
from leadline.testing.strategy_laws import check_strategy

__all__ = ["LawBrokenError", "check_policy", "check_strategy"]
