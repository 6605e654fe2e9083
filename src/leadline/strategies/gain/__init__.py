"""`expected_gain`: the link with the largest expected gain per request comes next."""

from leadline.strategies.gain.strategy import ExpectedGainStrategy, ExpectedGainSettings

__all__ = ["ExpectedGainStrategy", "ExpectedGainSettings"]
