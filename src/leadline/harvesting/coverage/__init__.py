"""How much of a database is held: its size with an interval, what caps hide, when to stop."""

from leadline.harvesting.coverage.caps import Caps
from leadline.harvesting.coverage.gauge import Coverage, Gauge
from leadline.harvesting.coverage.shown import records_shown
from leadline.harvesting.coverage.sounding import Sounding
from leadline.harvesting.coverage.stopping import Stopping, StoppingSettings

__all__ = [
    "Caps",
    "Coverage",
    "Gauge",
    "Sounding",
    "Stopping",
    "StoppingSettings",
    "records_shown",
]
