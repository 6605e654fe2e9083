"""`expected_gain`: the link with the largest expected gain per request comes next."""

from leadline.strategies.gain.settings import ExpectedGainSettings
from leadline.strategies.gain.strategy import ExpectedGainStrategy

__all__ = ["ExpectedGainSettings", "ExpectedGainStrategy"]
