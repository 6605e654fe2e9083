"""What waits in the course of a crawl, as events of kind `sample` tell it."""

import msgspec
from msgspec import Struct

from leadline.core.crawl import Counts, Event

MOST_QUEUES = 20
"""Queues told apart; what waits in further ones is added up."""
FURTHER = "further queues"


class Sample(Struct, frozen=True):
    """The sizes of a crawl's queues at one moment. They hold links unless their name says else."""

    visits: int
    pages: int
    queues: dict[str, int]
    """In the order in which they come."""
    sites: int
    """Open sites where something waits and nothing is under way."""


def sample_event(at: float, counts: Counts, queues: dict[str, int], sites: int) -> Event:
    named = list(queues.items())
    told = dict(named[:MOST_QUEUES])
    if len(named) > MOST_QUEUES:
        told[FURTHER] = sum(size for _, size in named[MOST_QUEUES:])
    sample = Sample(counts.visits, counts.pages, told, sites)
    return Event(at, "sample", detail=msgspec.json.encode(sample).decode())


def sample_of(event: Event) -> Sample:
    """What a sample event tells."""
    return msgspec.json.decode(event.detail, type=Sample)
