"""Turns fetched pages into lessons: which links led to pages of high and of low relevance."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import FeatureRows
from leadline.learn.link_bayes import LinkBayes, LinkOdds
from leadline.strategies.apprentice.settings import ApprenticeSettings

_BINS = 100
"""Of the histogram the median of all labels is read from."""
_SHARE = 20
"""A batch has at least one of so many of the links learned from before: later lessons change less,
and each ranks a larger frontier again."""


class ApprenticeLearner:
    """Holds the batch under way and what earlier ones taught.

    `odds` is None until both classes have examples enough; it changes with `take_lesson` only,
    so links met between two lessons are ranked alike.
    """

    def __init__(self, settings: ApprenticeSettings) -> None:
        self._settings = settings
        self._width = settings.features.width
        self._rows: list[bytes] = []
        self._labels: list[float] = []
        self._pages = 0
        self._seen: NDArray[np.int64] = np.zeros(_BINS + 1, np.int64)
        """How often each label was met, in hundredths."""
        self.bayes = LinkBayes()
        self.odds: LinkOdds | None = None

    def add(self, features: bytes, label: float) -> bool:
        """Take in a page and the features of the link that led there, if it had any; whether a
        batch is full."""
        self._pages += 1
        if len(features) == 4 * self._width:
            self._rows.append(features)
            self._labels.append(min(1.0, label))
        return self._pages >= max(self._settings.batch_pages, int(self._seen.sum()) // _SHARE)

    def take_lesson(self) -> None:
        """Learn from the batch and begin another."""
        labels = np.rint(np.array(self._labels) * _BINS).astype(np.int64)
        self._seen += np.bincount(labels, minlength=_BINS + 1)
        if self._rows:
            self.bayes.add(self._batch(), labels >= self._border())
        self._rows, self._labels, self._pages = [], [], 0
        self._refresh()

    def _batch(self) -> FeatureRows:
        return np.frombuffer(b"".join(self._rows), "<i4").reshape(-1, self._width)

    def _border(self) -> int:
        """The least label of the high class, in hundredths."""
        if self._settings.split == "half":
            return _BINS // 2
        passed = self._seen.cumsum()
        # How many labels reach each border above 0; many may be equal.
        reaching = passed[-1] - passed[:-1]
        return 1 + int(np.abs(2 * reaching - passed[-1]).argmin())

    def _refresh(self) -> None:
        is_ready = int(self.bayes.links.min()) >= self._settings.least_examples
        self.odds = self.bayes.odds() if is_ready else None

    def begin_with(self, bayes: LinkBayes) -> None:
        """Start from what another crawl taught."""
        self.bayes = bayes
        self._refresh()

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything, for `restore`."""
        return {
            **self.bayes.arrays(),
            "rows": np.frombuffer(b"".join(self._rows), "<i4"),
            "labels": np.array(self._labels),
            "pages": np.array([self._pages]),
            "seen": self._seen,
        }

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        self.bayes = LinkBayes.of(state)
        rows = np.asarray(state["rows"], "<i4").reshape(-1, self._width)
        self._rows = [row.tobytes() for row in rows]
        self._labels = state["labels"].tolist()
        self._pages = int(state["pages"][0])
        self._seen = state["seen"].copy()
        self._refresh()
