"""How much of a database is held: its size with an interval, what caps hide, when to stop."""

from leadline.harvester.coverage.caps import Caps
from leadline.harvester.coverage.gauge import Coverage, Gauge
from leadline.harvester.coverage.shown import records_shown
from leadline.harvester.coverage.sounding import Sounding
from leadline.harvester.coverage.stopping import Stopping, StoppingSettings

__all__ = [
    "Caps",
    "Coverage",
    "Gauge",
    "Sounding",
    "Stopping",
    "StoppingSettings",
    "records_shown",
]
