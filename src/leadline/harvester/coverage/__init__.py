"""How much of a database is held: its size with an interval, what caps hide, when to stop."""

from leadline.harvester.coverage.monitor import (
    Coverage,
    CoverageMonitor,
    StoppingRule,
    StoppingSettings,
    count_held_matches,
)

__all__ = [
    "Coverage",
    "CoverageMonitor",
    "StoppingRule",
    "StoppingSettings",
    "count_held_matches",
]
