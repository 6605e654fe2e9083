"""Every kind of event that code may note; docs/reference/events.md is made from it."""

from collections.abc import Mapping
from types import MappingProxyType

import msgspec
from msgspec import Struct

from leadline.core.crawl import Counts, Event


class EventKind(Struct, frozen=True):
    """What the parts of an event mean, in words."""

    when: str
    subject: str = ""
    detail: str = ""


_SIGNATURE = "the form's signature"

EVENT_KINDS: Mapping[str, EventKind] = MappingProxyType(
    {
        "started": EventKind("a run begins", "the topic", "the strategy"),
        "stopped": EventKind(
            "a run ends by itself or was asked to; a run that was cut off leaves none",
            detail="the stop reason",
        ),
        "paused": EventKind("a run takes nothing new from here on; what is under way ends"),
        "resumed": EventKind("it goes on"),
        "sample": EventKind(
            "every 100 visits, and at the end of a run",
            detail="what waits, as JSON; see [samples](#samples)",
        ),
        "order": EventKind(
            "an [order](../guides/steering.md) was obeyed or refused",
            "its kind",
            "what became of it",
        ),
        "labels": EventKind(
            "[labels](../guides/steering.md) were given or taken back, and correct the critic",
            detail="how many are in force",
        ),
        "clock": EventKind(
            "a clock was set while several processes crawled: all times were moved along",
            "the machine that noticed",
            "by how much, as in `+3600.0 s`",
        ),
        "busy": EventKind(
            "a page is put back because its site asks to come later", "the site", "what it answered"
        ),
        "trap": EventKind(
            "a [trap](../guides/operating.md#traps) is recognised, and most of its links are left",
            "the site",
            "the shape of its URLs (`#` a number or date, `~` an id, `+` repeated segments, `...` "
            "anything), what kind of trap it is, and what told",
        ),
        "reader-lost": EventKind(
            "a page ended the process that read it, or took more time or memory than it may",
            "the page",
            "the reason",
        ),
        "process-lost": EventKind(
            "the crawl's own process ended while it read several pages; they are read in other "
            "processes from then on",
            "how many pages",
            "the pages",
        ),
        "quarantined": EventKind(
            "that was the second time for the page; it is not read again", "the page", "the reason"
        ),
        "site-left": EventKind("a site is asked no more", "the site", "the reason"),
        "fallback": EventKind(
            "nothing is left to follow, and links passed over get a second look",
            "the strategy that goes on",
            "what it has to look at",
        ),
        "asked": EventKind(
            "a [back-link provider](../guides/backlinks.md) told who links to the URL",
            "a URL",
            "what was found, and why it was asked",
        ),
        "not-answered": EventKind("a back-link provider could not be asked", "a URL", "the reason"),
        "submission": EventKind(
            "a form is about to be sent",
            _SIGNATURE,
            "method, URL, what was filled in, the button, why it is allowed",
        ),
        "refusal": EventKind(
            "a form was to be sent and is not",
            _SIGNATURE,
            "method, URL, what was to be filled in, why not",
        ),
        "question": EventKind(
            "a form of which the critic was unsure was asked",
            _SIGNATURE,
            "whether there is a database, why, and the probability of being relevant since",
        ),
        "harvest-started": EventKind("a run of a harvest begins", _SIGNATURE, "the policy"),
        "harvest-stopped": EventKind(
            "it ends; one that was cut off leaves none", _SIGNATURE, "the stop reason"
        ),
        "harvest-paused": EventKind(
            "the source is busy or keeps us out", _SIGNATURE, "how long, and why"
        ),
        "harvest-noted": EventKind(
            "the order of results or their total changes between pages",
            _SIGNATURE,
            "what is odd about it",
        ),
        "harvest-suspected": EventKind(
            "the source seems to [invent](../guides/harvesting.md#sources-that-invent-records) "
            "its records; the harvest stops",
            _SIGNATURE,
            "what told",
        ),
        "harvest-verified": EventKind(
            "`leadline verify` tested what a harvest says", _SIGNATURE, "what held and what did not"
        ),
        "harvest-doubted": EventKind(
            "a belief about the source was tested by a query that had been answered before",
            _SIGNATURE,
            "the belief, what speaks for and against it, and what was seen",
        ),
        "harvest-alarmed": EventKind(
            "the source no longer shows what it showed; how its answers are read is learned anew",
            _SIGNATURE,
            "what is missing",
        ),
        "wrapper": EventKind(
            "how the own pages of a source's records are read was learned from some of them",
            _SIGNATURE,
            "version, pages and the slots with their labels and places, as JSON",
        ),
        "handed-over": EventKind(
            "a crawl gives a form to a harvest", _SIGNATURE, "the page it was found on"
        ),
    }
)
"""In the order in which a reader meets them: runs, pages, back-links, forms, harvests."""

RENAMED_KINDS: Mapping[str, str] = MappingProxyType({"second-wind": "fallback"})
"""What older stores call a kind, and what it is called since."""


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
