"""How much of a database is held: its size with an interval, what caps hide, when to stop."""

from leadline.harvest.coverage.caps import Caps
from leadline.harvest.coverage.gauge import Coverage, Gauge
from leadline.harvest.coverage.shown import records_shown
from leadline.harvest.coverage.sounding import Sounding
from leadline.harvest.coverage.stopping import Stopping, StoppingSettings

__all__ = [
    "Caps",
    "Coverage",
    "Gauge",
    "Sounding",
    "Stopping",
    "StoppingSettings",
    "records_shown",
]
