"""What ACHE remembers: when it learned, what it learned, and from what."""

import msgspec
import numpy as np
from msgspec import Struct

from leadline.learn.link_levels import LinkLevels
from leadline.learn.link_models import TermCount, class_sizes, shown
from leadline.learn.link_selection import Feature
from leadline.strategies.link_queues import FrontierFill
from leadline.strategies.paths import SavedPaths

_SHOWN = 12
"""Words of each space that are remembered of an iteration: ACHE's figures show five."""


class AcheProgress(Struct, rename={"gain": "forms", "new_gain": "new_forms"}):
    """How far the crawl has come, and how far since it learned last."""

    pages: int = 0
    gain: int = 0
    """What counted for the goal: distinct relevant forms, if forms are it."""
    new_pages: int = 0
    new_gain: int = 0
    formless: int = 0
    """Pages that counted without a new form: 0 unless pages are the goal."""

    def add(self, gain: int, forms: int) -> None:
        """One more page, what it brought for the goal, and its new forms."""
        self.pages += 1
        self.new_pages += 1
        self.gain += gain
        self.new_gain += gain
        self.formless += bool(gain and not forms)


class AcheIteration(Struct, frozen=True, rename={"gain": "forms"}):
    """What was learned at one time."""

    pages: int
    """Pages visited by then."""
    gain: int
    """What counted for the goal by then: distinct relevant forms, if forms are it."""
    links: dict[str, int]
    """How many links of each class it was learned from."""
    terms: dict[str, list[TermCount]]
    """The chosen words of each space, with the links of each class they stand in."""


def describe_iteration(links: LinkLevels, progress: AcheProgress) -> AcheIteration:
    """What this classifier learned, in words."""
    return AcheIteration(progress.pages, progress.gain, class_sizes(links), shown(links, _SHOWN))


class SavedLinkLevels(Struct, frozen=True):
    """A classifier as it is written."""

    classes: list[int]
    features: list[Feature]
    counts: list[list[int]]
    totals: list[int]


def save_link_levels(links: LinkLevels) -> SavedLinkLevels:
    features = list(links.features)
    return SavedLinkLevels(
        list(links.classes), features, links.counts.tolist(), links.totals.tolist()
    )


def load_link_levels(kept: SavedLinkLevels) -> LinkLevels:
    counts = np.array(kept.counts, np.int64).reshape(len(kept.classes), len(kept.features))
    return LinkLevels(kept.classes, kept.features, counts, np.array(kept.totals, np.int64))


class AcheState(Struct, frozen=True):
    """A whole state."""

    filling: FrontierFill
    progress: AcheProgress
    paths: SavedPaths
    links: SavedLinkLevels | None
    """What was learned last; None before the first time."""
    iterations: str
    """JSON, so that it can be read by whoever shows it."""


def packed(kept: AcheState) -> bytes:
    return msgspec.msgpack.encode(kept)


def unpacked(state: bytes) -> AcheState:
    return msgspec.msgpack.decode(state, type=AcheState)


def read_iterations(state: bytes) -> list[AcheIteration]:
    """What was learned each time, from a saved state: for dashboards and reports."""
    return msgspec.json.decode(unpacked(state).iterations, type=list[AcheIteration])
