"""What several words in one box ask for: all of them, any of them, or the words in a row."""

UNKNOWN, ALL, ANY, ROW = "unknown", "all", "any", "row"
_FADING = 0.9
_SURE = 1.5
"""Votes that words must stand in a row: two that stand in one record may be far apart by chance."""


class Joining:
    """Learns of one box: each query of several words votes for one way."""

    def __init__(self) -> None:
        self._votes = {ALL: 0.0, ANY: 0.0, ROW: 0.0}
        self.tests = 0

    @property
    def way(self) -> str:
        best = max(self._votes, key=lambda way: self._votes[way])
        needed = _SURE if best == ROW else 0.0
        return best if self._votes[best] > needed else UNKNOWN

    def vote(self, way: str) -> None:
        """A query of several words was answered in this way; UNKNOWN when it cannot be told."""
        self.tests += 1
        for known in self._votes:
            self._votes[known] *= _FADING
        if way != UNKNOWN:
            self._votes[way] += 1.0
