"""The events of a crawl: where each stands in the store, and the few that pages are made from."""

import json
import math
from typing import Any

import numpy as np
from msgspec import Struct

from leadline.core.catalogue import Catalogue, EventEntry
from leadline.core.crawl import Event
from leadline.frontier.sieve import text_hash
from leadline.ui.web.seen.column import Codes, Column

BATCH = 20_000
SAMPLE = "sample"
STARTED, STOPPED, SECOND_WIND = "started", "stopped", "second-wind"
RUN_KINDS = frozenset({STARTED, STOPPED, "paused", "resumed"})
HARVESTS = "harvest-"
"""Kinds of events about harvests begin so; their subject is the form's signature."""


class QueueSample(Struct, frozen=True):
    """What waited at one moment."""

    at: float
    visits: int
    queues: dict[str, int]


class Events:
    """All events so far: 22 bytes each, samples of queues and runs whole."""

    def __init__(self) -> None:
        self.mark = 0
        self.kinds = Codes()
        self.marks = Column("i8")
        self.kind_codes = Column("i2")
        self.subjects = Column("u8")
        """Their hashes."""
        self.samples: list[QueueSample] = []
        self.runs: list[Event] = []
        """Those that begin, end, pause and resume runs."""

    def catch_up(self, catalogue: Catalogue) -> tuple[bool, set[str]]:
        """Whether visits vanished since, and the forms whose harvests were told of."""
        has_second_wind, touched = False, set[str]()
        while found := catalogue.events(self.mark, BATCH):
            self._take(found)
            for entry in found:
                has_second_wind |= entry.event.kind == SECOND_WIND
                if entry.event.kind.startswith(HARVESTS):
                    touched.add(entry.event.subject)
        return has_second_wind, touched

    def latest(self, count: int, kind: str = "", before: int = 0) -> tuple[list[int], int]:
        """Marks of the latest ones, last first, `before` of them left out; how many there are."""
        marks = self.marks.cells
        code = self.kinds.find(kind)
        fitting = marks[self.kind_codes.cells == code] if kind else marks[self._told()]
        end = max(0, len(fitting) - before)
        return fitting[max(0, end - count) : end][::-1].tolist(), len(fitting)

    def about(self, subject: str) -> list[int]:
        """Marks of those about a site, a URL or a form."""
        marks: list[int] = self.marks.cells[
            self.subjects.cells == np.uint64(text_hash(subject))
        ].tolist()
        return marks

    def _told(self) -> Any:
        """Samples are for drawing, not for reading."""
        return self.kind_codes.cells != self.kinds.find(SAMPLE)

    def _take(self, found: list[EventEntry]) -> None:
        self.mark = found[-1].mark
        self.marks.extend([entry.mark for entry in found])
        self.kind_codes.extend([self.kinds[entry.event.kind] for entry in found])
        self.subjects.extend([text_hash(entry.event.subject) for entry in found])
        for entry in found:
            if entry.event.kind == SAMPLE:
                self._take_sample(entry.event)
            elif entry.event.kind in RUN_KINDS:
                self.runs.append(entry.event)

    def _take_sample(self, event: Event) -> None:
        told = sample_of(event)
        if told is not None:
            self.samples.append(told)


def sample_of(event: Event) -> QueueSample | None:
    """What an event of kind `sample` says; None for one that this leadline cannot read."""
    try:
        told = json.loads(event.detail)
        queues = {str(name): int(size) for name, size in told["queues"].items()}
        visits = int(told["visits"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return QueueSample(event.at, visits, queues) if math.isfinite(event.at) else None
